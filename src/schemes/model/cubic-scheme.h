/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CUBIC_SCHEME_H
#define CUBIC_SCHEME_H

#include "tcp-host-scheme.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief TCP Cubic, drop-tail queues, flow ECMP
 */
class CubicScheme : public TcpHostScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  protected:
    std::string GetCongestionOps() const override;
};

} // namespace ns3

#endif /* CUBIC_SCHEME_H */
