/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-queues.h"

#include <algorithm>

namespace ns3
{

FlowQueues::~FlowQueues()
{
    while (FabricItem* item = Pop())
    {
        item->Release();
    }
}

bool
FlowQueues::Push(FabricItem* item)
{
    const uint32_t flow = m_terms.order == FIFO ? 0 : item->flow;
    auto queue = std::ranges::find(m_turns, flow, &Queue::flow);
    const bool comes = queue == m_turns.end();
    if (!(comes ? m_terms.limit.Admits(0, 0, item->size)
                : m_terms.limit.Admits(queue->fifo, item->size)))
    {
        return false;
    }
    if (comes)
    {
        if (m_spare.empty())
        {
            m_spare.emplace_back();
        }
        queue = m_spare.begin();
        queue->flow = flow;
        m_turns.splice(m_turns.end(), m_spare, queue);
    }
    queue->fifo.Push(item);
    return true;
}

FabricItem*
FlowQueues::Pop()
{
    if (IsEmpty())
    {
        return nullptr;
    }
    const auto queue = m_turns.begin();
    FabricItem* item = queue->fifo.Pop();
    std::list<Queue>& next = queue->fifo.IsEmpty() ? m_spare : m_turns;
    next.splice(next.end(), m_turns, queue);
    return item;
}

} // namespace ns3
