/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STEP_MARK_QUEUE_DISC_H
#define STEP_MARK_QUEUE_DISC_H

#include "drop-tail-queue-disc.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief First in, first out, with ECN marking above a step (DCTCP, Alizadeh et al., SIGCOMM 2010).
 *
 * A packet is marked if more than the threshold K waits besides it: on arrival what it finds, on
 * departure what it leaves behind. Packets that are not ECN-capable pass unmarked; only a full
 * queue drops.
 */
class StepMarkQueueDisc : public DropTailQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /// @brief The time at which the length of the queue is looked at.
    enum MarkAt
    {
        ENQUEUE, //!< on arrival
        DEQUEUE, //!< on departure: the sender learns one queueing delay earlier
    };

  protected:
    void DoInstall() override;
    bool DoEnqueueItem(FabricItem* item) override;
    FabricItem* DoDequeueItem() override;
    FabricItem* DoFlushItem() override;

  private:
    QueueLimit m_threshold; //!< K
    MarkAt m_markAt;        //!< time at which the length is looked at
};

} // namespace ns3

#endif /* STEP_MARK_QUEUE_DISC_H */
