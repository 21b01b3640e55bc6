/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_SCHEME_H
#define TCP_SCHEME_H

#include "tcp-host-scheme.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief TCP Reno as in Linux, drop-tail queues, flow ECMP
 */
class TcpScheme : public TcpHostScheme
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

#endif /* TCP_SCHEME_H */
