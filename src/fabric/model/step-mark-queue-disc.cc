/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "step-mark-queue-disc.h"

#include "ns3/enum.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StepMarkQueueDisc);

TypeId
StepMarkQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::StepMarkQueueDisc")
            .SetParent<DropTailQueueDisc>()
            .SetGroupName("Fabric")
            .AddConstructor<StepMarkQueueDisc>()
            .AddAttribute("MarkThreshold",
                          "K: mark while more than this waits, in bytes, packets or time at the "
                          "link's rate. The default is 20 full packets, for 10 Gbps links (AFQ, "
                          "NSDI 2018, Section 6.2.2); it takes 80 (120kB) at 40 Gbps, as 24us does",
                          QueueLimitValue(QueueLimit("30kB")),
                          MakeQueueLimitAccessor(&StepMarkQueueDisc::m_threshold),
                          MakeQueueLimitChecker())
            .AddAttribute("MarkAt",
                          "Whether arriving or departing packets are marked",
                          EnumValue(StepMarkQueueDisc::ENQUEUE),
                          MakeEnumAccessor<MarkAt>(&StepMarkQueueDisc::m_markAt),
                          MakeEnumChecker(StepMarkQueueDisc::ENQUEUE,
                                          "Enqueue",
                                          StepMarkQueueDisc::DEQUEUE,
                                          "Dequeue"));
    return tid;
}

void
StepMarkQueueDisc::DoInstall()
{
    DropTailQueueDisc::DoInstall();
    ResolveThreshold("MarkThreshold", m_threshold, GetLimit());
    LetPassWhenIdle<StepMarkQueueDisc>();
}

bool
StepMarkQueueDisc::DoEnqueueItem(FabricItem* item)
{
    const bool above =
        m_markAt == ENQUEUE && m_threshold.IsExceededBy(GetWaitingBytes(), GetWaitingPackets());
    if (!DropTailQueueDisc::DoEnqueueItem(item))
    {
        return false;
    }
    if (above)
    {
        MarkItem(item, THRESHOLD_MARK);
    }
    return true;
}

FabricItem*
StepMarkQueueDisc::DoDequeueItem()
{
    FabricItem* item = DropTailQueueDisc::DoDequeueItem();
    if (m_markAt == DEQUEUE && item &&
        m_threshold.IsExceededBy(GetWaitingBytes() - item->size, GetWaitingPackets() - 1))
    {
        MarkItem(item, THRESHOLD_MARK);
    }
    return item;
}

FabricItem*
StepMarkQueueDisc::DoFlushItem()
{
    return DropTailQueueDisc::DoDequeueItem(); // what is not sent is not marked
}

} // namespace ns3
