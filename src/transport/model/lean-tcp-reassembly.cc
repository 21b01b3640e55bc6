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
    const auto blocks = static_cast<uint8_t>(std::min<std::size_t>(limit, m_ranges.size()));
    header.sackBlocks = blocks;
    for (uint8_t i = 0; i < blocks; ++i)
    {
        header.sack[i].begin = static_cast<uint32_t>(m_ranges[i].begin - m_next);
        header.sack[i].end = static_cast<uint32_t>(m_ranges[i].end - m_next);
    }
}

} // namespace ns3
