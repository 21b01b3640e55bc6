/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_QUEUES_H
#define FLOW_QUEUES_H

#include "ns3/fabric-item.h"
#include "ns3/queue-limit.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup edge
 * @brief The waiting items of a VM pair: a queue for each of its flows, which take turns, one
 * packet each (uFAB Section 4.1), or one for all.
 *
 * A flow has a queue while something of it waits, the last one also after that, until another
 * flow comes: the round is never empty. One that comes, or comes back, takes its turn after all
 * others. What is in front stays there until it is popped. The queue of a packet is found
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
     * @brief True if an item may join an empty queue.
     * @param size of the item, in bytes
     * @return true if there is room
     */
    bool HasRoomWhenEmpty(uint32_t size) const
    {
        return m_terms.limit.Admits(0, 0, size);
    }

    /**
     * @brief Append an item to the queue of its flow.
     * @param item the item; theirs if it is kept, else still the caller's
     * @return true if there was room
     */
    bool Push(FabricItem* item)
    {
        return PushToLast(item) || PushElsewhere(item);
    }

    /**
     * @brief Append an item if its flow's turn comes last.
     * @param item the item; theirs if it is kept, else still the caller's
     * @return false if it does not, or there was no room
     */
    bool PushToLast(FabricItem* item)
    {
        return m_last->flow == GetQueueOf(*item) && PushTo(*m_last, item);
    }

    /**
     * @brief Take the item whose turn it is.
     * @return the item, or nullptr if none waits
     */
    FabricItem* Pop()
    {
        return m_last == &m_own && m_own.next == &m_own ? m_own.fifo.Pop() : PopFromSeveral();
    }

    /**
     * @brief Take the item whose turn it is, if one queue holds all that waits: less to look at.
     * @param waiting number of items that wait
     * @return the item; nullptr: call Pop()
     */
    FabricItem* PopFromOnly(uint32_t waiting)
    {
        return m_own.fifo.GetPackets() == waiting ? m_own.fifo.Pop() : nullptr;
    }

    /**
     * @brief Look at the item whose turn it is.
     * @return the item, or nullptr if none waits
     */
    FabricItem* Front() const
    {
        return m_last->next->fifo.Front();
    }

    /**
     * @brief True if nothing waits.
     * @return true if so
     */
    bool IsEmpty() const
    {
        return m_last->fifo.IsEmpty();
    }

    /**
     * @brief Call a function for each item: flow by flow in the order of their turns.
     * @param visit takes a const FabricItem&
     */
    template <class Visit>
    void ForEach(const Visit& visit) const
    {
        const Queue* queue = m_last;
        do
        {
            queue = queue->next;
            queue->fifo.ForEach(visit);
        } while (queue != m_last);
    }

  private:
    /// @brief The waiting items of one flow. Those that are gone leave their memory to others.
    struct Queue
    {
        static void* operator new(std::size_t size);
        static void operator delete(void* memory);

        ItemFifo fifo;     //!< items that wait
        Queue* next{this}; //!< queue with the next turn; that of the last is the first
        uint32_t flow{0};  //!< FabricItem::flow; 0 with FIFO
    };

    /**
     * @brief Append an item to a queue.
     * @param queue the queue
     * @param item the item
     * @return true if there was room
     */
    bool PushTo(Queue& queue, FabricItem* item)
    {
        if (!m_terms.limit.Admits(queue.fifo, item->size))
        {
            return false;
        }
        queue.fifo.Push(item);
        return true;
    }

    /**
     * @brief The flow by which an item's queue is found.
     * @param item the item
     * @return Queue::flow
     */
    uint32_t GetQueueOf(const FabricItem& item) const
    {
        return m_terms.order == FIFO ? 0 : item.flow;
    }

    Queue* Find(uint32_t flow) const;
    bool PushElsewhere(FabricItem* item);
    FabricItem* PopFromSeveral();

    Queue m_own;           //!< that of one of the flows: most pairs need no other
    Queue* m_last{&m_own}; //!< queue with the last turn; only m_own may be empty, and only alone
    Terms m_terms;         //!< terms of the queues
};

} // namespace ns3

#endif /* FLOW_QUEUES_H */
