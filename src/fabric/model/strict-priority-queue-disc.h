/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRICT_PRIORITY_QUEUE_DISC_H
#define STRICT_PRIORITY_QUEUE_DISC_H

#include "classful-queue-disc.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Queues served in strict order: a packet leaves only if no more urgent one waits.
 *
 * Each queue may have a limit and an ECN threshold of its own (a step, as in StepMarkQueueDisc),
 * held against that queue alone. Queue 0 is the most urgent.
 */
class StrictPriorityQueueDisc : public ClassfulQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /// @brief Counters of one queue.
    struct QueueStats
    {
        uint64_t enqueuedPackets{0}; //!< packets that joined the queue
        uint64_t enqueuedBytes{0};   //!< their bytes
        uint64_t droppedPackets{0};  //!< packets dropped on arrival
        uint64_t droppedBytes{0};    //!< their bytes
        uint64_t markedPackets{0};   //!< packets marked on arrival
    };

    /**
     * @brief The counters of a queue so far.
     * @param queue number of the queue
     * @return the counters
     */
    const QueueStats& GetQueueStats(uint32_t queue) const
    {
        return m_queues.at(queue).stats;
    }

    /**
     * @brief Bytes waiting in a queue.
     * @param queue number of the queue
     * @return bytes
     */
    uint32_t GetQueueBytes(uint32_t queue) const
    {
        return m_queues.at(queue).fifo.GetBytes();
    }

    /**
     * @brief Packets waiting in a queue.
     * @param queue number of the queue
     * @return number of packets
     */
    uint32_t GetQueuePackets(uint32_t queue) const
    {
        return m_queues.at(queue).fifo.GetPackets();
    }

    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;

    /**
     * @brief Serve only the queues whose priorities are not paused. With Classify=Dscp a queue is
     * not one of a priority, and the port keeps back what is paused.
     * @param priorities bit i: priority i
     */
    void SetPausedPriorities(uint8_t priorities) override;

  protected:
    void DoInstall() override;
    bool DoEnqueueItem(FabricItem* item) override;
    FabricItem* DoDequeueItem() override;
    FabricItem* DoFlushItem() override;

  private:
    FabricItem* TakeFrom(uint64_t queues);

    /// @brief One of the queues.
    struct Queue
    {
        ItemFifo fifo;        //!< items that wait
        QueueLimit limit;     //!< most that may wait
        QueueLimit threshold; //!< mark while more than this waits
        QueueStats stats;     //!< counters so far
    };

    std::string m_limits;        //!< attribute QueueMaxSizes
    std::string m_thresholds;    //!< attribute MarkThresholds
    std::vector<Queue> m_queues; //!< the queues, most urgent first
    uint64_t m_backlogged{0};    //!< bit i: queue i is not empty
    uint64_t m_paused{0};        //!< bit i: queue i must wait
};

} // namespace ns3

#endif /* STRICT_PRIORITY_QUEUE_DISC_H */
