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
    static TypeId tid = TypeId("ns3::DropTailQueueDisc")
                            .SetParent<FabricQueueDisc>()
                            .SetGroupName("Fabric")
                            .AddConstructor<DropTailQueueDisc>()
                            .AddAttribute("MaxSize",
                                          "Most that may wait, in bytes or packets",
                                          QueueSizeValue(QueueSize("512kB")),
                                          MakeQueueSizeAccessor(&DropTailQueueDisc::SetLimit,
                                                                &DropTailQueueDisc::GetLimit),
                                          MakeQueueSizeChecker());
    return tid;
}

QueueSize
DropTailQueueDisc::GetLimit() const
{
    return m_limitBytes != UINT32_MAX ? QueueSize(QueueSizeUnit::BYTES, m_limitBytes)
                                      : QueueSize(QueueSizeUnit::PACKETS, m_limitPackets);
}

void
DropTailQueueDisc::SetLimit(QueueSize limit)
{
    const bool bytes = limit.GetUnit() == QueueSizeUnit::BYTES;
    m_limitBytes = bytes ? limit.GetValue() : UINT32_MAX;
    m_limitPackets = bytes ? UINT32_MAX : limit.GetValue();
}

bool
DropTailQueueDisc::IsTransparentWhenEmpty() const
{
    return true;
}

bool
DropTailQueueDisc::IsPlainFifo(FifoRule& rule) const
{
    rule.limitBytes = m_limitBytes;
    rule.markBytes = UINT32_MAX;
    return m_limitPackets == UINT32_MAX;
}

bool
DropTailQueueDisc::DoEnqueueItem(FabricItem* item)
{
    if (m_fifo.GetBytes() + item->size > m_limitBytes || m_fifo.GetPackets() >= m_limitPackets)
    {
        return Drop(item, LIMIT_EXCEEDED_DROP);
    }
    m_fifo.Push(item);
    return true;
}

FabricItem*
DropTailQueueDisc::DoDequeueItem()
{
    return m_fifo.Pop();
}

} // namespace ns3
