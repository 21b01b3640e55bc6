/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRINITY_SCHEME_H
#define TRINITY_SCHEME_H

#include "ns3/scheme.h"

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
class TrinityScheme : public Scheme
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

  protected:
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& port,
                                         QueueSize buffer) const override;
    Ptr<FabricQueueDisc> CreateHostQueueDisc(const FabricPort::Description& port,
                                             QueueSize buffer) const override;
    Ptr<ResequencingBuffer> CreateResequencingBuffer() const override;

  private:
    /**
     * @brief Make the two priorities of a port.
     * @param queueMaxSizes most that may wait in each, as in StrictPriorityQueueDisc
     * @return the discipline
     */
    Ptr<FabricQueueDisc> CreatePriorities(const std::string& queueMaxSizes) const;
};

} // namespace ns3

#endif /* TRINITY_SCHEME_H */
