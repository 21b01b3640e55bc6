/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "clove-weights.h"

#include <algorithm>

namespace ns3
{

CloveWeights::CloveWeights(uint32_t paths, int64_t patience)
    : m_paths(paths),
      m_patience(patience)
{
}

void
CloveWeights::HandleMark(uint32_t path, int64_t now)
{
    m_paths[path].marked = now;
    const auto unmarked = std::ranges::count_if(m_paths, [this, now](const Path& other) {
        return !IsMarked(other, now);
    });
    if (unmarked == 0) // nobody is better
    {
        return;
    }
    const double moved = CUT * m_paths[path].weight;
    m_paths[path].weight -= moved;
    for (Path& other : m_paths)
    {
        if (!IsMarked(other, now))
        {
            other.weight += moved / static_cast<double>(unmarked);
        }
    }
}

uint32_t
CloveWeights::Choose()
{
    for (Path& path : m_paths)
    {
        path.credit += path.weight;
    }
    const auto next = std::ranges::max_element(m_paths, {}, &Path::credit);
    next->credit -= static_cast<double>(m_paths.size()); // the sum of all weights
    return static_cast<uint32_t>(next - m_paths.begin());
}

} // namespace ns3
