/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HPCC_SCHEME_H
#define HPCC_SCHEME_H

#include "port-queue-scheme.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief HPCC (Li et al., SIGCOMM 2019), drop-tail ports, flow ECMP
 */
class HpccScheme : public PortQueueScheme
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

#endif /* HPCC_SCHEME_H */
