/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "round-scheduler.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

/**
 * With rotation at once, a FIFO that was empty stands for a later round from then on: what it holds
 * now belongs to that one.
 */
bool
RotatingPriorityScheduler::IsOver(uint64_t round)
{
    const FabricItem* first = GetFifo(round).Front();
    return !first || (m_rotation == AT_ONCE && GetRoundOf(*first) > round);
}

/**
 * Fig. 3 begins the next round right behind the last packet of one. Here it begins with the next
 * departure, so that the round stands still while the port is empty, as there.
 */
FabricItem*
RotatingPriorityScheduler::Pop()
{
    if (m_packets == 0)
    {
        return nullptr;
    }
    while (IsOver(m_window.current))
    {
        BeginNextRound();
    }
    return PopFrom(m_window.current);
}

FabricItem*
DeficitRoundScheduler::Pop()
{
    if (m_packets == 0)
    {
        return nullptr;
    }
    for (;;)
    {
        ItemList& fifo = GetFifo(m_window.current);
        uint64_t& deficit = m_deficits[GetIndex(m_window.current)];
        if (fifo.IsEmpty())
        {
            deficit = 0;
        }
        else
        {
            deficit += m_begun ? 0 : m_quantum;
            m_begun = true;
            if (fifo.Front()->size <= deficit)
            {
                deficit -= fifo.Front()->size;
                return PopFrom(m_window.current);
            }
        }
        BeginNextRound();
        m_begun = false;
    }
}

bool
TwoGroupScheduler::IsHighGroupOver() const
{
    for (uint32_t i = 0; i < m_groupSize; ++i)
    {
        if (!IsEmpty(GetFirstRound() + i))
        {
            return false;
        }
    }
    // An idle port that has not yet used its high group up keeps it.
    return m_packets > 0 || m_lastServed >= GetFirstRound() + m_groupSize;
}

/**
 * Nothing happens at the port between two calls, so the looks of the control processor in between
 * all saw what this one sees, and need no events of their own.
 */
void
TwoGroupScheduler::SwapAtLook()
{
    if (m_rule == WHEN_EMPTY)
    {
        return; // the groups swap in Pop()
    }
    const int64_t look = Simulator::Now().GetTimeStep() / m_period;
    const bool early = m_rule == WHEN_EMPTY_OR_AT_LOOK && m_packets > 0;
    if (look > m_lastLook && (early || IsHighGroupOver())) // the next one cannot be over as well
    {
        ++m_epoch;
    }
    m_lastLook = look;
}

RoundScheduler::Window
TwoGroupScheduler::GetWindow()
{
    SwapAtLook();
    return {std::max(GetFirstRound(), m_lastServed), GetFirstRound() + m_fifos.size() - 1};
}

FabricItem*
TwoGroupScheduler::Pop()
{
    if (m_packets == 0)
    {
        return nullptr;
    }
    SwapAtLook();
    if (m_rule != AT_LOOK && IsHighGroupOver())
    {
        ++m_epoch; // by the time that the low group is served
    }
    uint64_t round = GetFirstRound();
    while (IsEmpty(round))
    {
        ++round;
    }
    m_lastServed = round;
    return PopFrom(round);
}

} // namespace ns3
