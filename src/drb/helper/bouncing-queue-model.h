/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BOUNCING_QUEUE_MODEL_H
#define BOUNCING_QUEUE_MODEL_H

#include "ns3/bouncing-selector.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief The queue model of DRB's Appendix B: one output queue of a fat-tree under permutation
 * traffic, in slots of a packet's transmission time.
 *
 * Every server generates a packet in a slot with a probability, the load; the order of bouncing
 * says which of them come to the queue that is looked at. A queue sends one packet per slot: q(t+1)
 * = max(q(t) - 1, 0) + arrivals. Its length is taken right after arrivals, the packet that is about
 * to leave included.
 *
 * Hop 1 (up from the rack) is fed by n/2 servers. Hop 2 (up from the aggregation) is fed by n/2
 * queues of hop 1, each of which is fed by n/2 servers; packets to other hop-2 queues are left out,
 * as in the paper's own words. Hop 3 (down from the core) is fed by n^2/4 flows, which come at
 * random by n hop-2 queues. The paper does not model the hops below.
 */
class BouncingQueueModel
{
  public:
    /// @brief Orders in which servers choose among the bouncing switches.
    enum Order
    {
        DIGIT_REVERSAL, //!< DRB
        ROUND_ROBIN,    //!< RRB
        RANDOM          //!< RB
    };

    /// @brief Settings of the model.
    struct Settings
    {
        Order order{DIGIT_REVERSAL}; //!< order of servers' choices
        uint32_t ports{24};          //!< of each switch, n: even, at least 2
        double load{0.95};           //!< packets that a server generates per slot, 0 to 1
        uint32_t hop{1};             //!< hop of the queue that is looked at, 1 to 3
        bool isAligned{false};       //!< true if all servers start at the same bouncing switch
        uint32_t warmUp{10'000};     //!< slots before the queue is looked at
        uint32_t slots{100'000};     //!< slots in which it is looked at
        /// True if packets that come to a queue in the same slot are queued in the order of the
        /// queues that they come from, not at random; a whole network (BouncingNetworkModel) only.
        bool isOrdered{false};
    };

    /// @brief Results over all slots and runs.
    struct Result
    {
        double mean{0};            //!< packets
        double variance{0};        //!< packets^2
        uint32_t max{0};           //!< packets
        double backlogMean{0};     //!< packets that are left once one has departed; of one queue
        double backlogVariance{0}; //!< packets^2; of one queue
        uint64_t arrivals{0};      //!< packets that came to the queue, warm-up included
        uint64_t departures{0};    //!< packets that left it, warm-up included
        uint64_t left{0};          //!< packets in it at the ends of runs
    };

    /**
     * @brief The order of a name.
     * @param argument the option that names it, for the error
     * @param name "drb", "rrb" or "rb"
     * @return the order
     * @throws InputError if there is none of that name
     */
    static Order ReadOrder(const std::string& argument, const std::string& name);

    /**
     * @brief Create the selector of an order.
     * @param order the order
     * @return the selector, which does not know its layers yet
     */
    static Ptr<BouncingSelector> CreateSelector(Order order);

    /**
     * @brief Simulate the queue, each run from an empty network and with phases of its own.
     * @param settings settings of the model
     * @param runs number of runs
     * @param random source of randomness
     * @return the results
     */
    static Result Simulate(const Settings& settings, uint32_t runs, UniformRandomVariable& random);

    /**
     * @brief Exact mean of the hop-1 queue under random bouncing: what the model's recursion leads
     * to with n/2 independent Bernoulli inputs.
     * @param ports n
     * @param load below 1
     * @return packets
     */
    static double GetRandomMean(uint32_t ports, double load);

    /**
     * @brief Exact variance of the same.
     * @param ports n
     * @param load below 1
     * @return packets^2
     */
    static double GetRandomVariance(uint32_t ports, double load);

    /**
     * @brief Exact variance of what is left of that queue once a packet has departed.
     * @param ports n
     * @param load below 1
     * @return packets^2
     */
    static double GetRandomBacklogVariance(uint32_t ports, double load);
};

} // namespace ns3

#endif /* BOUNCING_QUEUE_MODEL_H */
