/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DRR_QUEUE_DISC_H
#define DRR_QUEUE_DISC_H

#include "classful-queue-disc.h"

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/unordered_set.hpp>
#include <deque>
#include <memory>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Deficit round robin (Shreedhar and Varghese, SIGCOMM 1995).
 *
 * Queues take turns. A turn grants a queue its quantum of bytes, on top of what it could not use in
 * its last turn because its next packet was longer. Queues belong to flows (stochastic fair
 * queueing with a fixed number of queues, exact fair queueing with one per flow) or to classes with
 * weights. Arrival and departure take constant time if a quantum is no less than a packet.
 */
class DrrQueueDisc : public ClassfulQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    DrrQueueDisc();

    /// @brief The packet that is dropped if one does not fit.
    enum DropPolicy
    {
        LONGEST_QUEUE, //!< the first of the longest queue
        TAIL           //!< the packet that comes
    };

    /// @brief Queues that hold packets.
    uint32_t GetNBackloggedQueues() const
    {
        return static_cast<uint32_t>(m_turns.size());
    }

    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;

  protected:
    void DoInstall() override;
    bool DoEnqueueItem(FabricItem* item) override;
    FabricItem* DoDequeueItem() override;
    void DoDispose() override;

  private:
    using Link = boost::intrusive::link_mode<boost::intrusive::normal_link>;
    using TurnHook = boost::intrusive::list_member_hook<Link>;
    using FlowHook = boost::intrusive::unordered_set_member_hook<Link>;

    /// @brief A queue.
    struct Queue
    {
        ItemFifo fifo;          //!< items that wait
        uint32_t deficit{0};    //!< bytes it may still send
        uint32_t quantum{0};    //!< bytes granted per turn
        uint32_t flow{0};       //!< hash of its flow, if it belongs to one alone
        uint32_t quanta{0};     //!< its list in m_byLength
        bool backlogged{false}; //!< true while it takes turns
        TurnHook turn;          //!< its place in the round
        TurnHook length;        //!< its place among queues of about its length
        FlowHook byFlow;        //!< its place in the table of flows
    };

    /// @brief Extracts the key of a queue in m_flows.
    struct FlowOf
    {
        using type = uint32_t; ///< of the key

        uint32_t operator()(const Queue& queue) const
        {
            return queue.flow;
        }
    };

    /// @brief The key is a hash already.
    struct SameHash
    {
        std::size_t operator()(uint32_t flow) const
        {
            return flow;
        }
    };

    using Turns =
        boost::intrusive::list<Queue, boost::intrusive::member_hook<Queue, TurnHook, &Queue::turn>>;
    using SameLength =
        boost::intrusive::list<Queue,
                               boost::intrusive::member_hook<Queue, TurnHook, &Queue::length>,
                               boost::intrusive::constant_time_size<false>>;
    using Flows = boost::intrusive::unordered_set<
        Queue,
        boost::intrusive::member_hook<Queue, FlowHook, &Queue::byFlow>,
        boost::intrusive::key_of_value<FlowOf>,
        boost::intrusive::hash<SameHash>,
        boost::intrusive::power_2_buckets<true>>;

    std::vector<double> ReadWeights() const;

    Queue& FindQueue(const FabricItem& item);
    Queue& FindFlow(uint32_t flow);
    bool MakeRoom(Queue& queue, uint32_t size);
    Queue* GetLongest();
    void GrowFlowTable();
    void Activate(Queue& queue);
    void Deactivate(Queue& queue);
    void EndTurn();
    void UpdateLength(Queue& queue);

    uint32_t m_quantum;         //!< attribute Quantum
    DropPolicy m_dropPolicy;    //!< attribute DropPolicy
    std::string m_weights;      //!< attribute Weights
    QueueLimit m_threshold;     //!< attribute MarkThreshold
    QueueLimit m_portThreshold; //!< attribute PortMarkThreshold
    Time m_perturbInterval;     //!< attribute PerturbInterval
    bool m_perFlow{false};      //!< true if each flow has a queue of its own

    std::deque<Queue> m_queues;         //!< all there are; they never move
    Turns m_turns;                      //!< those that hold packets, in the order of their turns
    bool m_turnBegun{false};            //!< true if the first has got its quantum for this turn
    std::vector<SameLength> m_byLength; //!< those that hold packets, by length in quanta
    uint32_t m_longest{0};              //!< no list behind this one holds a queue

    std::size_t m_nBuckets{64};                      //!< size of m_buckets, a power of two
    std::unique_ptr<Flows::bucket_type[]> m_buckets; //!< memory of m_flows
    Flows m_flows;                                   //!< those of m_queues that belong to a flow
    std::vector<Queue*> m_unused;                    //!< those that do not
};

} // namespace ns3

#endif /* DRR_QUEUE_DISC_H */
