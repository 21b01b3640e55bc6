/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bouncing-routes.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace ns3
{

namespace
{

constexpr uint32_t UNKNOWN = UINT32_MAX; //!< no switch found yet

} // namespace

uint32_t
BouncingRoutes::GetPeer(const Fabric& fabric, const FabricPort& port)
{
    return port.GetDescription().peer->GetContext() -
           fabric.GetSwitch(0).GetContext(); // switches have successive contexts
}

BouncingRoutes::BouncingRoutes(const Fabric& fabric, const std::string& scheme)
    : m_scheme(scheme)
{
    FindRacks(fabric);
    const UpLinks upLinks = FindUpLinks(fabric);
    if (!m_radices.empty())
    {
        const uint32_t points =
            std::accumulate(m_radices.begin(), m_radices.end(), 1U, std::multiplies<>());
        if (points >= UINT16_MAX)
        {
            Refuse("at most " + std::to_string(UINT16_MAX - 1) + " points to bounce at");
        }
        m_switches.assign(points, UNKNOWN);
        m_stride = m_radices.size() + 2;
        m_up.resize(m_racks.size() * points * m_stride);
        m_down.resize(points * m_racks.size());
        for (uint16_t rack = 0; rack < m_racks.size(); ++rack)
        {
            for (uint32_t point = 0; point < points; ++point)
            {
                AddRoute(fabric, upLinks, rack, point);
            }
        }
    }
    CountEntries(fabric);
}

void
BouncingRoutes::Refuse(const std::string& reason) const
{
    throw InputError("--scheme",
                     m_scheme,
                     "bouncing needs a topology of layers where every switch of a layer has "
                     "equally many up-links, which lead all racks to the same switches; here " +
                         reason);
}

void
BouncingRoutes::FindRacks(const Fabric& fabric)
{
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const uint16_t rack = fabric.GetLocation(host).rack;
        if (rack >= m_racks.size())
        {
            m_racks.resize(rack + 1);
        }
        m_racks[rack] = GetPeer(fabric, fabric.GetHost(host).GetNicPort());
    }
}

BouncingRoutes::UpLinks
BouncingRoutes::FindUpLinks(const Fabric& fabric)
{
    UpLinks upLinks(fabric.GetNSwitches());
    uint32_t highest = 1;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        const FabricSwitch& node = fabric.GetSwitch(i);
        highest = std::max(highest, node.GetTier());
        for (uint16_t p = 0; p < node.GetNPorts(); ++p)
        {
            if (node.GetPort(p).GetDescription().peerTier == node.GetTier() + 1)
            {
                upLinks[i].push_back(p);
            }
        }
    }
    m_radices.assign(highest - 1, UNKNOWN);
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        const FabricSwitch& node = fabric.GetSwitch(i);
        if (node.GetTier() == highest)
        {
            continue;
        }
        const auto count = static_cast<uint32_t>(upLinks[i].size());
        uint32_t& radix = m_radices[node.GetTier() - 1];
        radix = radix == UNKNOWN ? count : radix;
        if (count != radix || count == 0)
        {
            Refuse(node.GetName() + " has " + std::to_string(count) + " up-links");
        }
    }
    const auto misplaced = std::find_if(m_racks.begin(), m_racks.end(), [&fabric](uint32_t rack) {
        return fabric.GetSwitch(rack).GetTier() != 1;
    });
    if (misplaced != m_racks.end())
    {
        Refuse("servers are attached to " + fabric.GetSwitch(*misplaced).GetName());
    }
    return upLinks;
}

void
BouncingRoutes::AddRoute(const Fabric& fabric,
                         const UpLinks& upLinks,
                         uint16_t rack,
                         uint32_t point)
{
    std::size_t place = (rack * m_switches.size() + point) * m_stride;
    auto behind = static_cast<uint32_t>(m_switches.size()); // points not yet told apart
    uint32_t current = m_racks[rack];
    m_up[place++] = static_cast<uint16_t>(m_radices.size());
    uint16_t back = 0; // port that leads from current back towards the rack
    for (std::size_t layer = 0; layer < m_radices.size(); ++layer)
    {
        if (layer > 0 && fabric.GetSwitch(current).GetNextHops(rack) != std::vector{back})
        {
            Refuse(fabric.GetSwitch(current).GetName() + " has several ways down to a rack");
        }
        behind /= m_radices[layer];
        const uint16_t up = upLinks[current][point / behind % m_radices[layer]];
        const FabricPort& port = fabric.GetSwitch(current).GetPort(up);
        m_up[place++] = up;
        back = port.GetDescription().peerPort;
        current = GetPeer(fabric, port);
    }
    m_up[place] = static_cast<uint16_t>(point);
    m_down[point * m_racks.size() + rack] = back;
    if (m_switches[point] == UNKNOWN)
    {
        m_switches[point] = current;
    }
    if (m_switches[point] != current)
    {
        Refuse("the same up-links lead to " + fabric.GetSwitch(m_switches[point]).GetName() +
               " and to " + fabric.GetSwitch(current).GetName());
    }
}

void
BouncingRoutes::CountEntries(const Fabric& fabric)
{
    m_entries.assign(fabric.GetNSwitches(), 0);
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        ++m_entries[m_racks[fabric.GetLocation(host).rack]];
    }
    for (const uint32_t index : m_switches)
    {
        m_entries[index] += GetNRacks();
    }
    // Between the highest layer and the racks: each point and each rack counts once per switch.
    std::vector<std::set<uint32_t>> above(fabric.GetNSwitches());
    std::vector<std::set<uint32_t>> below(fabric.GetNSwitches());
    for (uint16_t rack = 0; rack < GetNRacks(); ++rack)
    {
        for (uint32_t point = 0; point < GetNPoints(); ++point)
        {
            const uint16_t* route = GetUpRoute(rack, point);
            uint32_t current = m_racks[rack];
            for (std::size_t layer = 0; layer < m_radices.size(); ++layer)
            {
                above[current].insert(point);
                if (layer > 0)
                {
                    below[current].insert(rack);
                }
                current = GetPeer(fabric, fabric.GetSwitch(current).GetPort(route[1 + layer]));
            }
        }
    }
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        m_entries[i] += static_cast<uint32_t>(above[i].size() + below[i].size());
    }
}

std::vector<uint32_t>
BouncingRoutes::GetUpLinks(const Fabric& fabric, uint16_t rack, uint32_t point) const
{
    std::vector<uint32_t> links;
    const uint16_t* route = GetUpRoute(rack, point);
    uint32_t current = m_racks[rack];
    for (std::size_t layer = 0; layer < m_radices.size(); ++layer)
    {
        const FabricPort& port = fabric.GetSwitch(current).GetPort(route[1 + layer]);
        links.push_back(port.GetDescription().link);
        current = GetPeer(fabric, port);
    }
    return links;
}

std::vector<const FabricPort*>
BouncingRoutes::GetPath(const Fabric& fabric,
                        uint32_t source,
                        uint32_t point,
                        uint32_t destination) const
{
    std::vector<const FabricPort*> path{&fabric.GetHost(source).GetNicPort()};
    const auto follow = [&](uint16_t port) {
        const uint32_t node = GetPeer(fabric, *path.back());
        path.push_back(&fabric.GetSwitch(node).GetPort(port));
    };
    const uint16_t* route = GetUpRoute(fabric.GetLocation(source).rack, point);
    std::for_each(route + 1, route + 1 + m_radices.size(), follow);
    const HostLocation location = fabric.GetLocation(destination);
    follow(GetDownPort(point, location.rack));
    for (std::size_t layer = 1; layer < m_radices.size(); ++layer)
    {
        follow(fabric.GetSwitch(GetPeer(fabric, *path.back())).GetNextHops(location.rack).front());
    }
    follow(fabric.GetSwitch(m_racks[location.rack]).GetNextHops(location.rack).at(location.slot));
    return path;
}

} // namespace ns3
