/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-queues.h"

#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @brief Memory of queues that are gone, kept until the program ends.
 * @return pieces of the size of a queue
 */
std::vector<void*>&
GetFreeMemory()
{
    static auto& memory = *new std::vector<void*>; // outlives channels that die at exit
    return memory;
}

} // namespace

void*
FlowQueues::Queue::operator new(std::size_t size)
{
    std::vector<void*>& free = GetFreeMemory();
    if (free.empty())
    {
        return ::operator new(size);
    }
    void* memory = free.back();
    free.pop_back();
    return memory;
}

void
FlowQueues::Queue::operator delete(void* memory)
{
    GetFreeMemory().push_back(memory);
}

FlowQueues::~FlowQueues()
{
    while (FabricItem* item = Pop())
    {
        item->Release();
    }
}

FlowQueues::Queue*
FlowQueues::Find(uint32_t flow) const
{
    Queue* queue = m_last;
    do
    {
        queue = queue->next;
    } while (queue != m_last && queue->flow != flow);
    return queue->flow == flow ? queue : nullptr;
}

bool
FlowQueues::PushElsewhere(FabricItem* item)
{
    const uint32_t flow = GetQueueOf(*item);
    if (Queue* queue = Find(flow))
    {
        return PushTo(*queue, item);
    }
    if (!HasRoomWhenEmpty(item->size))
    {
        return false;
    }
    Queue* queue = m_own.fifo.IsEmpty() ? &m_own : new Queue;
    queue->flow = flow;
    queue->fifo.Push(item);
    if (queue != m_last)
    {
        queue->next = std::exchange(m_last->next, queue);
        m_last = queue;
    }
    return true;
}

FabricItem*
FlowQueues::PopFromSeveral()
{
    Queue* queue = m_last->next;
    FabricItem* item = queue->fifo.Pop();
    if (!queue->fifo.IsEmpty())
    {
        m_last = queue; // its next turn is after all others
        return item;
    }
    if (queue == m_last)
    {
        m_last = m_own.next = &m_own;
    }
    else
    {
        m_last->next = queue->next;
    }
    if (queue != &m_own)
    {
        delete queue;
    }
    return item;
}

} // namespace ns3
