/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BOUNCING_NETWORK_MODEL_H
#define BOUNCING_NETWORK_MODEL_H

#include "bouncing-queue-model.h"

#include <array>

namespace ns3
{

/**
 * @ingroup drb
 * @brief The slots of BouncingQueueModel in a whole fat-tree: all five hops between racks with
 * every packet on its way, where Appendix B of DRB models the first three and argues about the
 * others.
 *
 * Every server sends to another and receives from another, in another rack. Packets that come to a
 * queue in the same slot are queued at random. In a fixed order, the same packets would be last
 * time after time: the others arrive earlier, and at the last hop, which brings the paths of a pair
 * together again, the queue is a tenth longer.
 */
class BouncingNetworkModel
{
  public:
    static constexpr uint32_t HOPS = 5; //!< output queues of a path between racks

    /**
     * @brief Simulate once, from an empty network.
     * @param settings settings of the model, with at least 4 ports; the hop is of no account
     * @param random source of randomness
     * @return results over all queues of each hop, the first hop first
     */
    static std::array<BouncingQueueModel::Result, HOPS> Simulate(
        const BouncingQueueModel::Settings& settings,
        UniformRandomVariable& random);
};

} // namespace ns3

#endif /* BOUNCING_NETWORK_MODEL_H */
