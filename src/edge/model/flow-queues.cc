/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-queues.h"

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
    if (!m_last || m_last->flow == flow) [[likely]]
    {
        return m_last;
    }
    Queue* queue = m_last->next;
    while (queue != m_last && queue->flow != flow)
    {
        queue = queue->next;
    }
    return queue == m_last ? nullptr : queue;
}

bool
FlowQueues::Push(FabricItem* item)
{
    const uint32_t flow = m_terms.order == FIFO ? 0 : item->flow;
    Queue* queue = Find(flow);
    if (queue)
    {
        if (!m_terms.limit.Admits(queue->fifo, item->size))
        {
            return false;
        }
        queue->fifo.Push(item);
        return true;
    }
    if (!HasRoomWhenEmpty(item->size))
    {
        return false;
    }
    queue = m_own.fifo.IsEmpty() ? &m_own : new Queue;
    queue->flow = flow;
    queue->fifo.Push(item);
    queue->next = m_last ? m_last->next : queue;
    (m_last ? m_last->next : queue->next) = queue;
    m_last = queue;
    return true;
}

FabricItem*
FlowQueues::Pop()
{
    if (!m_last)
    {
        return nullptr;
    }
    Queue* queue = m_last->next;
    FabricItem* item = queue->fifo.Pop();
    if (!queue->fifo.IsEmpty())
    {
        m_last = queue; // its next turn is after all others
        return item;
    }
    m_last->next = queue->next;
    m_last = queue == m_last ? nullptr : m_last;
    if (queue != &m_own)
    {
        delete queue;
    }
    return item;
}

} // namespace ns3
