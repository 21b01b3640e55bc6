/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-routing.h"

#include "fabric.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

FabricRouting::FabricRouting(const Fabric& fabric)
    : m_fabric(fabric)
{
    Compute(std::vector<bool>(fabric.GetNLinks(), true));
}

void
FabricRouting::Update(Time delay)
{
    if (delay == Time::Max())
    {
        return;
    }
    std::vector<bool> linkUp(m_fabric.GetNLinks());
    for (uint32_t link = 0; link < linkUp.size(); ++link)
    {
        linkUp[link] = m_fabric.GetLink(link)[0]->IsUp();
    }
    if (delay.IsZero())
    {
        Compute(linkUp);
        return;
    }
    // What is known then is how things are now, whatever happens in between.
    Simulator::Schedule(delay,
                        [this, linkUp, fabric = Ptr<const Fabric>(&m_fabric)] { Compute(linkUp); });
}

void
FabricRouting::Compute(const std::vector<bool>& linkUp)
{
    std::vector<std::shared_ptr<RouteTable>> tables(m_fabric.GetNSwitches());
    for (auto& table : tables)
    {
        table = std::make_shared<RouteTable>(m_fabric.GetNRacks());
    }
    std::vector<uint32_t> distance;
    for (uint32_t rack = 0; rack < m_fabric.GetNRacks(); ++rack)
    {
        ComputeTo(static_cast<uint16_t>(rack), linkUp, tables, distance);
    }
    std::vector<std::shared_ptr<RouteTable>> different;
    for (uint32_t i = 0; i < tables.size(); ++i)
    {
        auto same = std::ranges::find_if(different, [&table = *tables[i]](const auto& other) {
            return *other == table;
        });
        if (same == different.end())
        {
            same = different.insert(same, tables[i]);
        }
        m_fabric.GetSwitch(i).SetRoutes(*same);
    }
}

void
FabricRouting::ComputeTo(uint16_t rack,
                         const std::vector<bool>& linkUp,
                         std::vector<std::shared_ptr<RouteTable>>& tables,
                         std::vector<uint32_t>& distance) const
{
    distance.assign(tables.size(), UINT32_MAX);
    std::vector<uint32_t> queue{m_fabric.GetRackSwitch(rack)};
    distance[queue.front()] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next)
    {
        const uint32_t current = queue[next];
        const FabricSwitch& node = m_fabric.GetSwitch(current);
        std::vector<uint16_t> nearer;
        for (uint32_t i = 0; i < node.GetNPorts(); ++i)
        {
            const FabricPort::Description& port = node.GetPort(i).GetDescription();
            if (port.peerTier == 0 || !linkUp[port.link])
            {
                continue;
            }
            const uint32_t neighbour = m_fabric.GetSwitchIndex(*port.peer);
            if (distance[neighbour] == UINT32_MAX)
            {
                distance[neighbour] = distance[current] + 1;
                queue.push_back(neighbour);
            }
            else if (distance[neighbour] + 1 == distance[current])
            {
                nearer.push_back(static_cast<uint16_t>(i));
            }
        }
        tables[current]->SetNextHops(rack, nearer);
    }
}

} // namespace ns3
