/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-census.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint32_t NOBODY = UINT32_MAX; //!< no point owns a port

} // namespace

void
PathCensus::Range::Add(uint32_t count)
{
    least = std::min(least, count);
    most = std::max(most, count);
}

PathCensus::PathCensus(const Fabric& fabric, const BouncingRoutes& routes)
    : m_racks(routes.GetNRacks())
{
    for (uint16_t rack = 0; rack < m_racks; ++rack)
    {
        m_rackOf[routes.GetRackSwitch(rack)] = rack;
    }
    FindOwners(fabric, routes);
    for (auto& [node, top] : m_tops)
    {
        for (uint32_t i = 0; i < top.reached.size(); ++i)
        {
            Descend(fabric, fabric.GetSwitch(node).GetPort(i), top.reached[i]);
        }
    }
    for (const auto& [node, rack] : m_rackOf)
    {
        Entrances entrances;
        Climb(fabric, node, entrances);
        for (const auto& [top, ports] : entrances)
        {
            Count(rack, m_tops.at(top), ports);
        }
    }
}

void
PathCensus::FindOwners(const Fabric& fabric, const BouncingRoutes& routes)
{
    for (uint32_t point = 0; point < routes.GetNPoints(); ++point)
    {
        const uint32_t node = routes.GetSwitch(point);
        Top& top = m_tops[node];
        top.owners.resize(fabric.GetSwitch(node).GetNPorts(), NOBODY);
        top.reached.resize(top.owners.size());
        const auto place = static_cast<uint32_t>(top.points.size());
        top.points.push_back(point);
        for (uint16_t rack = 0; rack < m_racks; ++rack)
        {
            const uint16_t* route = routes.GetUpRoute(rack, point);
            uint32_t below = routes.GetRackSwitch(rack);
            const FabricPort* up = nullptr;
            for (std::size_t layer = 0; layer < routes.GetRadices().size(); ++layer)
            {
                up = &fabric.GetSwitch(below).GetPort(route[1 + layer]);
                below = BouncingRoutes::GetPeer(fabric, *up);
            }
            top.owners[up->GetDescription().peerPort] = place;
            top.owners[routes.GetDownPort(point, rack)] = place;
        }
    }
    for (const auto& [node, top] : m_tops)
    {
        for (uint32_t place = 0; place < top.points.size(); ++place)
        {
            m_portsPerPoint.Add(static_cast<uint32_t>(std::ranges::count(top.owners, place)));
        }
    }
}

void
PathCensus::Descend(const Fabric& fabric,
                    const FabricPort& port,
                    std::vector<uint16_t>& racks) const
{
    const uint32_t below = BouncingRoutes::GetPeer(fabric, port);
    if (const auto rack = m_rackOf.find(below); rack != m_rackOf.end())
    {
        racks.push_back(rack->second);
        return;
    }
    const FabricSwitch& node = fabric.GetSwitch(below);
    for (uint32_t i = 0; i < node.GetNPorts(); ++i)
    {
        if (node.GetPort(i).GetDescription().peerTier < node.GetTier())
        {
            Descend(fabric, node.GetPort(i), racks);
        }
    }
}

void
PathCensus::Climb(const Fabric& fabric, uint32_t node, Entrances& entrances) const
{
    const FabricSwitch& from = fabric.GetSwitch(node);
    for (uint32_t i = 0; i < from.GetNPorts(); ++i)
    {
        const FabricPort& port = from.GetPort(i);
        if (port.GetDescription().peerTier <= from.GetTier())
        {
            continue;
        }
        const uint32_t above = BouncingRoutes::GetPeer(fabric, port);
        if (m_tops.contains(above))
        {
            entrances[above].push_back(port.GetDescription().peerPort);
        }
        else
        {
            Climb(fabric, above, entrances);
        }
    }
}

void
PathCensus::Count(uint16_t rack, const Top& top, const std::vector<uint16_t>& entrances)
{
    std::vector<uint32_t> all(m_racks);
    std::vector<std::vector<uint32_t>> own(top.points.size(), std::vector<uint32_t>(m_racks));
    for (const uint16_t in : entrances)
    {
        for (std::size_t out = 0; out < top.reached.size(); ++out)
        {
            const bool isOwn = top.owners[in] == top.owners[out] && top.owners[in] != NOBODY;
            for (const uint16_t target : top.reached[out])
            {
                ++all[target];
                own[isOwn ? top.owners[in] : 0][target] += isOwn ? 1 : 0;
            }
        }
    }
    for (uint16_t target = 0; target < m_racks; ++target)
    {
        if (target == rack)
        {
            continue;
        }
        m_waysPerSwitch.Add(all[target]);
        for (const auto& counts : own)
        {
            m_waysPerPoint.Add(counts[target]);
        }
    }
}

} // namespace ns3
