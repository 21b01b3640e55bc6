/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-reassembly.h"

#include <algorithm>

namespace ns3
{

LeanTcpReassembly::Result
LeanTcpReassembly::Add(uint64_t begin, uint64_t end)
{
    const Result result = Insert(begin, end);
    if (m_likeNs3 && result == OUT_OF_ORDER)
    {
        Remember({begin, end});
    }
    else if (!m_remembered.empty())
    {
        std::erase_if(m_remembered, [this](const Range& range) { return range.end <= m_next; });
    }
    return result;
}

void
LeanTcpReassembly::Remember(Range latest)
{
    // What touches the latest range becomes part of it, in the order of the list.
    for (auto range = m_remembered.begin(); range != m_remembered.end();)
    {
        if (range->end != latest.begin && range->begin != latest.end)
        {
            ++range;
            continue;
        }
        latest = {std::min(latest.begin, range->begin), std::max(latest.end, range->end)};
        m_remembered.erase(range);
        range = m_remembered.begin();
    }
    m_remembered.insert(m_remembered.begin(), latest);
    if (m_remembered.size() > LeanTcpHeader::MAX_SACK_BLOCKS)
    {
        m_remembered.pop_back();
    }
}

LeanTcpReassembly::Result
LeanTcpReassembly::Insert(uint64_t begin, uint64_t end)
{
    if (end <= m_next)
    {
        return DUPLICATE;
    }
    if (m_ranges.empty()) [[likely]]
    {
        if (begin <= m_next)
        {
            m_next = end;
            return IN_ORDER;
        }
        m_ranges.push_back({begin, end});
        return OUT_OF_ORDER;
    }
    // Everything it touches becomes one range, now the latest.
    Range merged{begin, end};
    bool known = false;
    const auto touches = [&](const Range& range) {
        if (range.begin > merged.end || range.end < merged.begin)
        {
            return false;
        }
        known |= range.begin <= begin && end <= range.end;
        merged = {std::min(merged.begin, range.begin), std::max(merged.end, range.end)};
        return true;
    };
    m_ranges.erase(std::remove_if(m_ranges.begin(), m_ranges.end(), touches), m_ranges.end());
    if (merged.begin <= m_next)
    {
        m_next = merged.end;
        return FILLS_GAP;
    }
    m_ranges.insert(m_ranges.begin(), merged);
    return known ? DUPLICATE : OUT_OF_ORDER;
}

void
LeanTcpReassembly::WriteSack(LeanTcpHeader& header, uint32_t limit) const
{
    const std::vector<Range>& ranges = m_likeNs3 ? m_remembered : m_ranges;
    const auto blocks = static_cast<uint8_t>(std::min<std::size_t>(limit, ranges.size()));
    header.sackBlocks = blocks;
    for (uint8_t i = 0; i < blocks; ++i)
    {
        header.sack[i].begin = static_cast<uint32_t>(ranges[i].begin - m_next);
        header.sack[i].end = static_cast<uint32_t>(ranges[i].end - m_next);
    }
}

} // namespace ns3
