/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SFQ_SCHEME_H
#define SFQ_SCHEME_H

#include "ns3/tcp-host-scheme.h"

namespace ns3
{

/**
 * @ingroup afq
 * @brief Stochastic fair queueing (AFQ Section 6.2.2): TCP Reno, deficit round robin
 * over 32 queues that flows are hashed to
 *
 * Quantum, perturbation and drop policy are not in the paper: a full packet, none, and the arriving
 * packet goes when the port's buffer, common to all queues, is full.
 */
class SfqScheme : public TcpHostScheme
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

#endif /* SFQ_SCHEME_H */
