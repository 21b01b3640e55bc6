/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-switch.h"

#include "logged-item.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricSwitch");

void
FabricSwitch::Receive(FabricItem* item)
{
    if (IsLost(item)) [[unlikely]]
    {
        return;
    }
    if (++item->hops > MAX_HOPS) [[unlikely]]
    {
        Discard(item, m_loops, "too many hops");
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
        item->route ? Discard(item, m_badRoutes, "wrong source route")
                    : Discard(item, m_noRoute, "no route");
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
        return FollowRoute(item);
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

FabricPort*
FabricSwitch::FollowRoute(const FabricItem& item)
{
    const uint16_t length = item.route[0];
    if (item.hops <= length)
    {
        const uint16_t port = item.route[item.hops];
        return port < m_nPorts ? &m_ports[port] : nullptr;
    }
    const HostLocation location = m_locations[item.destination];
    return location.rack == m_rack ? GetHostPort(location.slot) : nullptr;
}

const FabricPort*
FabricSwitch::PredictPort(const FabricItem& item) const
{
    const uint32_t hop = item.hops + 1U; // what it will be here
    if (item.route && hop <= item.route[0])
    {
        return &m_ports[std::min<uint32_t>(item.route[hop], m_nPorts - 1)];
    }
    const HostLocation location = m_locations[item.destination];
    if (location.rack == m_rack)
    {
        return GetHostPort(location.slot);
    }
    const NextHops next = m_table[location.rack];
    return next.count == 1 && !next.listed ? &m_ports[next.first] : nullptr;
}

void
FabricSwitch::Touch(const FabricItem& item, bool further) const
{
    const FabricPort* port = PredictPort(item);
    if (port && further)
    {
        port->Touch();
    }
    else
    {
        __builtin_prefetch(port);
    }
}

void
FabricSwitch::Discard(FabricItem* item, uint64_t& counter, const char* reason)
{
    NS_LOG_LOGIC(LoggedItem(*item, &m_ports[item->inPort]) << ": dropped, " << reason);
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
FabricSwitch::SetRoutes(std::shared_ptr<const RouteTable> routes)
{
    m_routes = std::move(routes);
    m_table = m_routes->racks.data();
}

} // namespace ns3
