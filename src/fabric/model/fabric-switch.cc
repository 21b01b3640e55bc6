/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-switch.h"

#include <algorithm>

namespace ns3
{

void
FabricSwitch::Receive(FabricItem* item)
{
    if (IsLost(item)) [[unlikely]]
    {
        return;
    }
    if (++item->hops > MAX_HOPS) [[unlikely]]
    {
        Discard(item, m_loops);
        return;
    }
    if (m_hasIngress && !RunIngressStages(item)) [[unlikely]]
    {
        return;
    }
    if (FabricPort* port = Forward(*item)) [[likely]]
    {
        port->Send(item);
    }
    else
    {
        Discard(item, m_noRoute);
    }
}

bool
FabricSwitch::RunIngressStages(FabricItem* item)
{
    return std::all_of(m_ingress.begin(), m_ingress.end(), [item](IngressStage* stage) {
        return stage->Process(item);
    });
}

FabricPort*
FabricSwitch::Forward(const FabricItem& item)
{
    if (item.route) [[unlikely]]
    {
        return &m_ports[item.route[item.hops - 1]];
    }
    const HostLocation location = m_locations[item.destination];
    if (location.rack == m_rack)
    {
        return GetHostPort(location.slot);
    }
    const NextHops next = m_table[location.rack];
    if (next.count == 0) [[unlikely]]
    {
        return nullptr;
    }
    const uint32_t choice = next.count > 1 ? m_chooser->Choose(item, next.set, next.count) : 0;
    const uint32_t port = next.first + choice;
    return &m_ports[next.listed ? m_routes->lists[port] : port];
}

void
FabricSwitch::Prefetch(const FabricItem& item) const
{
    const HostLocation location = m_locations[item.destination];
    if (location.rack == m_rack)
    {
        __builtin_prefetch(GetHostPort(location.slot));
        return;
    }
    const NextHops next = m_table[location.rack];
    if (next.count == 1 && !next.listed) // with more, the choice must wait until the item is here
    {
        __builtin_prefetch(&m_ports[next.first]);
    }
}

void
FabricSwitch::Discard(FabricItem* item, uint64_t& counter)
{
    ++counter;
    item->Release();
}

void
FabricSwitch::AddIngressStage(IngressStage* stage)
{
    m_ingress.push_back(stage);
    m_hasIngress = true;
}

std::vector<uint16_t>
FabricSwitch::GetNextHops(uint16_t rack) const
{
    return rack == m_rack ? m_hostPorts : m_routes->sets[m_routes->racks[rack].set];
}

uint16_t
FabricSwitch::AddHost(uint16_t port)
{
    const auto slot = static_cast<uint16_t>(m_hostPorts.size());
    m_hostPorts.push_back(port);
    m_firstHostPort = m_hostPorts.front();
    m_hostsListed = m_hostsListed || port != m_firstHostPort + slot;
    return slot;
}

void
FabricSwitch::ClearNextHops(std::size_t racks)
{
    auto routes = std::make_shared<RouteTable>();
    routes->racks.resize(racks);
    routes->sets.resize(1); // set 0: unreachable
    SetRoutes(routes);
}

void
FabricSwitch::SetRoutes(std::shared_ptr<RouteTable> routes)
{
    m_routes = std::move(routes);
    m_table = m_routes->racks.data();
}

void
FabricSwitch::SetNextHops(uint16_t rack, const std::vector<uint16_t>& ports)
{
    if (rack == m_rack || ports.empty())
    {
        return;
    }
    auto& [racks, lists, sets] = *m_routes;
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
