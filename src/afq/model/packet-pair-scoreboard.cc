/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-scoreboard.h"

#include <algorithm>

namespace ns3
{

void
PacketPairScoreboard::Add(uint64_t begin, uint64_t end)
{
    // Everything that it touches becomes one range.
    auto first = std::ranges::lower_bound(m_ranges, begin, {}, &Range::end);
    auto behind = first;
    Range merged{begin, end};
    for (; behind != m_ranges.end() && behind->begin <= end; ++behind)
    {
        merged.begin = std::min(merged.begin, behind->begin);
        merged.end = std::max(merged.end, behind->end);
        m_received -= behind->end - behind->begin;
    }
    m_received += merged.end - merged.begin;
    if (first == behind)
    {
        m_ranges.insert(first, merged);
        return;
    }
    *first = merged;
    m_ranges.erase(first + 1, behind);
}

void
PacketPairScoreboard::Advance(uint64_t head)
{
    auto first = m_ranges.begin();
    for (; first != m_ranges.end() && first->end <= head; ++first)
    {
        m_received -= first->end - first->begin;
    }
    m_ranges.erase(m_ranges.begin(), first);
    if (!m_ranges.empty() && m_ranges.front().begin < head)
    {
        m_received -= head - m_ranges.front().begin;
        m_ranges.front().begin = head;
    }
}

void
PacketPairScoreboard::Clear()
{
    m_ranges.clear();
    m_received = 0;
}

uint64_t
PacketPairScoreboard::FindHole(uint64_t from) const
{
    const auto range = std::ranges::upper_bound(m_ranges, from, {}, &Range::end);
    return range != m_ranges.end() && range->begin <= from ? range->end : from;
}

uint64_t
PacketPairScoreboard::CountMissing(uint64_t begin, uint64_t end) const
{
    if (begin >= end)
    {
        return 0;
    }
    uint64_t missing = end - begin;
    auto range = std::ranges::upper_bound(m_ranges, begin, {}, &Range::end);
    for (; range != m_ranges.end() && range->begin < end; ++range)
    {
        missing -= std::min(range->end, end) - std::max(range->begin, begin);
    }
    return missing;
}

uint64_t
PacketPairScoreboard::GetLossEdge(uint64_t enough) const
{
    uint64_t above = 0;
    for (auto range = m_ranges.rbegin(); range != m_ranges.rend(); ++range)
    {
        above += range->end - range->begin;
        if (above >= enough)
        {
            return range->begin;
        }
    }
    return 0;
}

} // namespace ns3
