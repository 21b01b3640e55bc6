/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "route-table.h"

#include <algorithm>

namespace ns3
{

RouteTable::RouteTable(std::size_t nRacks)
    : racks(nRacks),
      sets(1)
{
}

void
RouteTable::SetNextHops(uint16_t rack, const std::vector<uint16_t>& ports)
{
    if (ports.empty())
    {
        racks[rack] = {};
        return;
    }
    NextHops& entry = racks[rack];
    const auto same = std::find(sets.begin(), sets.end(), ports);
    entry.set = static_cast<uint16_t>(same - sets.begin());
    if (same == sets.end())
    {
        sets.push_back(ports);
    }
    entry.count = static_cast<uint16_t>(ports.size());
    entry.first = ports.front();
    entry.listed = ports.back() - ports.front() + 1U != ports.size();
    if (entry.listed)
    {
        entry.first = static_cast<uint16_t>(lists.size());
        lists.insert(lists.end(), ports.begin(), ports.end());
    }
}

} // namespace ns3
