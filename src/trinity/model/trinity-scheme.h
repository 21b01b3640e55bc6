/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRINITY_SCHEME_H
#define TRINITY_SCHEME_H

#include "ns3/pair-scheme.h"

namespace ns3
{

/**
 * @ingroup trinity
 * @brief Trinity (IEEE TCC 2018): bandwidth guarantees, work conservation and low latency at once.
 *
 * A shim at each host colours traffic within guarantees green and other traffic red
 * (TrinityPairController). Each port, the hosts' included, has two strict priorities and marks red
 * traffic; receivers wait for red data that green data overtook.
 */
class TrinityScheme : public PairScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void ReportResults(const Network& network, Results& results) const override;

  protected:
    std::string GetHostQueue() const override;
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override;
    Ptr<ResequencingBuffer> CreateResequencingBuffer() const override;

  private:
    std::string GetMarkThresholds() const;
};

} // namespace ns3

#endif /* TRINITY_SCHEME_H */
