/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "approximate-multiplier.h"

namespace ns3
{

std::vector<ApproximateMultiplier::Entry>
ApproximateMultiplier::ListEntries() const
{
    std::vector<Entry> entries;
    const uint64_t end = uint64_t{1} << m_significant;
    for (uint64_t v = 0; v < end; ++v)
    {
        entries.push_back({v, v, 2 * v});
    }
    const auto width = static_cast<uint32_t>(std::bit_width(m_greatest));
    for (uint32_t j = 1; j + m_significant <= width; ++j)
    {
        for (uint64_t v = end / 2; v < end; ++v)
        {
            const uint64_t first = v << j;
            const uint64_t last = ((v + 1) << j) - 1;
            entries.push_back({first, last, first + last});
        }
    }
    return entries;
}

} // namespace ns3
