/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "drop-tail-queue-disc.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DropTailQueueDisc);

TypeId
DropTailQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DropTailQueueDisc")
            .SetParent<FabricQueueDisc>()
            .SetGroupName("Fabric")
            .AddConstructor<DropTailQueueDisc>()
            .AddAttribute("MaxSize",
                          "Most that may wait, in bytes, packets or time at the link's rate",
                          QueueLimitValue(QueueLimit("512kB")),
                          MakeQueueLimitAccessor(&DropTailQueueDisc::m_limit),
                          MakeQueueLimitChecker());
    return tid;
}

void
DropTailQueueDisc::DoInstall()
{
    ResolveBuffer("MaxSize", m_limit);
    LetPassWhenIdle<DropTailQueueDisc>();
}

void
DropTailQueueDisc::Touch() const
{
    __builtin_prefetch(m_items.Front());
}

void
DropTailQueueDisc::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    m_items.ForEach(visit);
}

bool
DropTailQueueDisc::DoEnqueueItem(FabricItem* item)
{
    if (!m_limit.Admits(GetWaitingBytes(), GetWaitingPackets(), item->size))
    {
        return Drop(item, LIMIT_EXCEEDED_DROP);
    }
    m_items.Push(item);
    return true;
}

FabricItem*
DropTailQueueDisc::DoDequeueItem()
{
    return m_items.Pop();
}

} // namespace ns3
