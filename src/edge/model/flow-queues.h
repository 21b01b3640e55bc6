/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_QUEUES_H
#define FLOW_QUEUES_H

#include "ns3/fabric-item.h"
#include "ns3/queue-limit.h"

#include <cstdint>
#include <list>

namespace ns3
{

/**
 * @ingroup edge
 * @brief The waiting items of a VM pair: a queue for each of its flows, which take turns, one
 * packet each (uFAB Section 4.1), or one for all.
 *
 * A flow has a queue while something of it waits. One that comes, or comes back, takes its turn
 * after all others. What is in front stays there until it is popped. The queue of a packet is found
 * by a walk along those that wait, few for most pairs.
 */
class FlowQueues
{
  public:
    /// @brief The order of service.
    enum Order : uint8_t
    {
        FIFO,       //!< in order of arrival: one queue for all flows
        ROUND_ROBIN //!< flows in turn, a packet each
    };

    /// @brief The terms of the queues of a pair.
    struct Terms
    {
        /**
         * @brief Make terms.
         * @param most that may wait in each queue
         * @param next order of service
         */
        Terms(QueueLimit most = QueueLimit(), Order next = FIFO)
            : limit(most),
              order(next)
        {
        }

        QueueLimit limit; //!< most that may wait in each queue
        Order order;      //!< order of service
    };

    FlowQueues() = default;
    ~FlowQueues();
    FlowQueues(const FlowQueues&) = delete;
    FlowQueues& operator=(const FlowQueues&) = delete;

    /**
     * @brief Set the terms, before anything waits.
     * @param terms the terms
     */
    void SetTerms(const Terms& terms)
    {
        m_terms = terms;
    }

    /**
     * @brief Append an item to the queue of its flow.
     * @param item the item; theirs if it is kept, else still the caller's
     * @return true if there was room
     */
    bool Push(FabricItem* item);

    /// @brief Take the item whose turn it is; nullptr if none waits.
    FabricItem* Pop();

    /// @brief Look at the item whose turn it is; nullptr if none waits.
    FabricItem* Front() const
    {
        return IsEmpty() ? nullptr : m_turns.front().fifo.Front();
    }

    /// @brief True if nothing waits.
    bool IsEmpty() const
    {
        return m_turns.empty();
    }

    /**
     * @brief Call a function for each item: flow by flow in the order of their turns.
     * @param visit takes a const FabricItem&
     */
    template <class Visit>
    void ForEach(const Visit& visit) const
    {
        for (const Queue& queue : m_turns)
        {
            queue.fifo.ForEach(visit);
        }
    }

  private:
    /// @brief The waiting items of one flow.
    struct Queue
    {
        uint32_t flow{0}; //!< FabricItem::flow; 0 with FIFO
        ItemFifo fifo;    //!< items that wait
    };

    Terms m_terms;            //!< terms of the queues
    std::list<Queue> m_turns; //!< in the order of their turns; none is empty
    std::list<Queue> m_spare; //!< empty ones, for flows to come
};

} // namespace ns3

#endif /* FLOW_QUEUES_H */
