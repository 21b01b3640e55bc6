/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AFQ_TCP_SCHEME_H
#define AFQ_TCP_SCHEME_H

#include "ns3/tcp-host-scheme.h"

namespace ns3
{

/**
 * @ingroup afq
 * @brief AFQ under unmodified TCP hosts (NSDI 2018, Appendix B and D)
 */
class AfqTcpScheme : public TcpHostScheme
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
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override;
};

} // namespace ns3

#endif /* AFQ_TCP_SCHEME_H */
