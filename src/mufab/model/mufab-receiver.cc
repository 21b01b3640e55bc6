/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-receiver.h"

#include "probe-exchange.h"

#include "ns3/input-error.h"

#include <algorithm>

namespace ns3
{

MufabReceiver::MufabReceiver(uint32_t pair, ProbeExchange& exchange)
    : PairReceiver(pair),
      m_exchange(exchange)
{
}

MufabReceiver::PathCount&
MufabReceiver::Find(const FabricItem& item)
{
    const auto known = std::ranges::find(m_counts, item.route, &PathCount::forward);
    if (known != m_counts.end()) [[likely]]
    {
        return *known;
    }
    const auto found = m_exchange.FindPath(item);
    if (!found)
    {
        throw InputError(
            "--scheme Controller",
            "mufab",
            "a controller without paths of its own, as something else in the hosts (Clove) "
            "decides on paths");
    }
    return m_counts.emplace_back(PathCount{found->path.forward, found->path.back, found->index, 0});
}

uint64_t
MufabReceiver::GetBytesOf(uint16_t path) const
{
    const auto known = std::ranges::find(m_counts, path, &PathCount::index);
    return known != m_counts.end() ? known->bytes : 0;
}

FabricItem*
MufabReceiver::Acknowledge(FabricItem& item)
{
    PathCount& count = Find(item);
    count.bytes += item.size;
    item.route = nullptr;
    return m_exchange.MakeItem({GetPair(), count.index, count.bytes},
                               item.destination,
                               item.source,
                               count.back,
                               ProbeExchange::ACKNOWLEDGMENT_SIZE);
}

} // namespace ns3
