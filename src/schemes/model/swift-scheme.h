/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWIFT_SCHEME_H
#define SWIFT_SCHEME_H

#include "port-queue-scheme.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief Swift (Kumar et al., SIGCOMM 2020), drop-tail ports, flow ECMP
 */
class SwiftScheme : public PortQueueScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    std::string GetTransportSpecs() const override;

  private:
    std::string m_transport; //!< attribute Transport
};

} // namespace ns3

#endif /* SWIFT_SCHEME_H */
