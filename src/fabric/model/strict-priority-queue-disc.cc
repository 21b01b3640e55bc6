/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strict-priority-queue-disc.h"

#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <bit>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StrictPriorityQueueDisc);

TypeId
StrictPriorityQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::StrictPriorityQueueDisc")
            .SetParent<ClassfulQueueDisc>()
            .SetGroupName("Fabric")
            .AddConstructor<StrictPriorityQueueDisc>()
            .AddAttribute("Queues",
                          "Number of queues",
                          UintegerValue(8),
                          MakeUintegerAccessor(&StrictPriorityQueueDisc::m_nQueues),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("Classify",
                          "What decides the queue of a packet. In a stock ns-3 program, Priority "
                          "means what packet filters say, or the DSCP if there are none",
                          EnumValue(ClassfulQueueDisc::PRIORITY),
                          MakeEnumAccessor<Classify>(&StrictPriorityQueueDisc::m_classify),
                          MakeEnumChecker(ClassfulQueueDisc::PRIORITY,
                                          "Priority",
                                          ClassfulQueueDisc::DSCP,
                                          "Dscp"))
            .AddAttribute(
                "QueueMaxSizes",
                "Most that may wait in each queue, as a list such as '100p,30kB,24us', or one "
                "value for all; empty: no limit but MaxSize",
                StringValue(""),
                MakeStringAccessor(&StrictPriorityQueueDisc::m_limits),
                MakeStringChecker())
            .AddAttribute("MarkThresholds",
                          "Mark packets that find more than this in their queue, as a list such as "
                          "'20p,30kB', or one value for all; empty: no marks",
                          StringValue(""),
                          MakeStringAccessor(&StrictPriorityQueueDisc::m_thresholds),
                          MakeStringChecker());
    return tid;
}

void
StrictPriorityQueueDisc::DoInstall()
{
    ClassfulQueueDisc::DoInstall();
    const auto read = [this](const char* attribute, const std::string& text) {
        auto list = QueueLimit::ParseList(NameAttribute(attribute), text);
        for (QueueLimit& limit : list)
        {
            ResolveLimit(attribute, limit);
        }
        return SpreadOverQueues(attribute, text, list, QueueLimit());
    };
    const std::vector<QueueLimit> limits = read("QueueMaxSizes", m_limits);
    const std::vector<QueueLimit> thresholds = read("MarkThresholds", m_thresholds);
    m_queues.resize(m_nQueues);
    for (uint32_t i = 0; i < m_nQueues; ++i)
    {
        m_queues[i].limit = limits[i];
        m_queues[i].threshold = thresholds[i];
        ResolveThreshold("MarkThresholds", m_queues[i].threshold, limits[i]);
    }
}

void
StrictPriorityQueueDisc::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    for (const Queue& queue : m_queues)
    {
        queue.fifo.ForEach(visit);
    }
}

bool
StrictPriorityQueueDisc::DoEnqueueItem(FabricItem* item)
{
    const uint32_t index = GetQueueOf(*item);
    Queue& queue = m_queues[index];
    if (!m_limit.Admits(GetWaitingBytes(), GetWaitingPackets(), item->size) ||
        !queue.limit.Admits(queue.fifo, item->size))
    {
        ++queue.stats.droppedPackets;
        queue.stats.droppedBytes += item->size;
        return Drop(item, LIMIT_EXCEEDED_DROP);
    }
    if (queue.threshold.IsExceededBy(queue.fifo) && MarkItem(item, THRESHOLD_MARK))
    {
        ++queue.stats.markedPackets;
    }
    ++queue.stats.enqueuedPackets;
    queue.stats.enqueuedBytes += item->size;
    queue.fifo.Push(item);
    m_backlogged |= uint64_t{1} << index;
    return true;
}

void
StrictPriorityQueueDisc::SetPausedPriorities(uint8_t priorities)
{
    m_paused = 0;
    for (uint32_t i = 0; i < m_nQueues && m_classify == PRIORITY; ++i)
    {
        // Flow control takes 7 for all priorities from 7 on; the last queue has all that are left.
        const int paused = priorities >> std::min<uint32_t>(i, 7);
        if (i + 1 < m_nQueues ? paused & 1 : paused)
        {
            m_paused |= uint64_t{1} << i;
        }
    }
}

FabricItem*
StrictPriorityQueueDisc::DoDequeueItem()
{
    return TakeFrom(m_backlogged & ~m_paused);
}

FabricItem*
StrictPriorityQueueDisc::DoFlushItem()
{
    return TakeFrom(m_backlogged);
}

FabricItem*
StrictPriorityQueueDisc::TakeFrom(uint64_t queues)
{
    if (queues == 0)
    {
        return nullptr;
    }
    const int index = std::countr_zero(queues);
    ItemFifo& fifo = m_queues[index].fifo;
    FabricItem* item = fifo.Pop();
    if (fifo.IsEmpty())
    {
        m_backlogged &= ~(uint64_t{1} << index);
    }
    return item;
}

} // namespace ns3
