/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-table.h"

#include "fabric.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <string>

namespace ns3
{

namespace
{

constexpr uint8_t FAR = UINT8_MAX; //!< distance of a switch that cannot be reached

} // namespace

PathTable::PathTable(const Fabric& fabric)
    : m_fabric(fabric),
      m_distances(fabric.GetNRacks())
{
}

uint32_t
PathTable::GetNPaths(uint16_t from, uint16_t to)
{
    return Find(from, to).count;
}

PathTable::Path
PathTable::Get(uint16_t from, uint16_t to, uint32_t index)
{
    const Routes& routes = Find(from, to);
    NS_ASSERT_MSG(index < routes.count, "no path number " << index);
    return {from, to, routes.Get(index, from > to), routes.Get(index, from <= to)};
}

std::vector<FabricPort*>
PathTable::GetPorts(const Path& path) const
{
    std::vector<FabricPort*> ports;
    FabricNode* node = &m_fabric.GetSwitch(m_fabric.GetRackSwitch(path.from));
    for (uint16_t hop = 1; hop <= path.forward[0]; ++hop)
    {
        ports.push_back(&node->GetPort(path.forward[hop]));
        node = ports.back()->GetDescription().peer;
    }
    return ports;
}

bool
PathTable::Works(const Path& path) const
{
    return std::ranges::all_of(GetPorts(path), [](const FabricPort* port) { return port->IsUp(); });
}

std::size_t
PathTable::GetBytes() const
{
    std::size_t bytes = 0;
    for (const auto& [racks, routes] : m_routes)
    {
        bytes += routes.hops.capacity() * sizeof(uint16_t) + sizeof(Routes);
    }
    return bytes;
}

const PathTable::Routes&
PathTable::Find(uint16_t from, uint16_t to)
{
    const auto [low, high] = std::minmax(from, to);
    const auto [found, isNew] = m_routes.try_emplace(uint32_t{low} << 16 | high);
    Routes& routes = found->second;
    if (isNew)
    {
        const auto& distances = GetDistances(high);
        const uint32_t start = m_fabric.GetRackSwitch(low);
        if (distances[start] != FAR)
        {
            routes.length = distances[start];
            std::vector<const FabricPort*> ports;
            Extend(distances, start, ports, routes);
            routes.hops.shrink_to_fit();
        }
    }
    return routes;
}

const std::vector<uint8_t>&
PathTable::GetDistances(uint16_t rack)
{
    std::vector<uint8_t>& distances = m_distances.at(rack);
    if (!distances.empty())
    {
        return distances;
    }
    distances.assign(m_fabric.GetNSwitches(), FAR);
    std::vector<uint32_t> queue{m_fabric.GetRackSwitch(rack)};
    distances[queue.front()] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next)
    {
        const uint8_t distance = distances[queue[next]];
        const FabricSwitch& node = m_fabric.GetSwitch(queue[next]);
        // A packet may pass MAX_HOPS switches, one more than links between them.
        for (uint32_t i = 0; i < node.GetNPorts() && distance + 1 < FabricSwitch::MAX_HOPS; ++i)
        {
            const FabricPort::Description& port = node.GetPort(i).GetDescription();
            const uint32_t peer = port.peerTier > 0 ? m_fabric.GetSwitchIndex(*port.peer) : 0;
            if (port.peerTier > 0 && distances[peer] == FAR)
            {
                distances[peer] = distance + 1;
                queue.push_back(peer);
            }
        }
    }
    return distances;
}

void
PathTable::Extend(const std::vector<uint8_t>& distances,
                  uint32_t node,
                  std::vector<const FabricPort*>& ports,
                  Routes& routes) const
{
    if (distances[node] == 0)
    {
        if (++routes.count > MAX_PATHS)
        {
            throw InputError("--topology",
                             "more than " + std::to_string(MAX_PATHS) + " paths",
                             "at most so many shortest paths between two racks");
        }
        routes.hops.push_back(routes.length);
        for (const FabricPort* port : ports)
        {
            routes.hops.push_back(port->GetDescription().index);
        }
        routes.hops.push_back(routes.length);
        std::for_each(ports.rbegin(), ports.rend(), [&routes](const FabricPort* port) {
            routes.hops.push_back(port->GetDescription().peerPort);
        });
        return;
    }
    const FabricSwitch& here = m_fabric.GetSwitch(node);
    for (uint32_t i = 0; i < here.GetNPorts(); ++i)
    {
        const FabricPort& port = here.GetPort(i);
        if (port.GetDescription().peerTier == 0)
        {
            continue;
        }
        const uint32_t peer = m_fabric.GetSwitchIndex(*port.GetDescription().peer);
        if (distances[peer] + 1 == distances[node])
        {
            ports.push_back(&port);
            Extend(distances, peer, ports, routes);
            ports.pop_back();
        }
    }
}

} // namespace ns3
