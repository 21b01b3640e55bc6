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
    const NextHops next = m_table[location.rack];
    uint32_t choice = 0;
    if (next.attached)
    {
        choice = location.slot;
    }
    else if (next.count > 1)
    {
        choice = m_chooser->Choose(item, next.set, next.count);
    }
    else if (next.count == 0) [[unlikely]]
    {
        return nullptr;
    }
    const uint32_t port = next.first + choice;
    return &m_ports[next.listed ? m_lists[port] : port];
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
    return m_nextHops[rack].attached ? m_hostPorts : m_sets[m_nextHops[rack].set];
}

void
FabricSwitch::ClearNextHops(std::size_t racks)
{
    m_nextHops.assign(racks, NextHops{});
    m_table = m_nextHops.data();
    m_sets.assign(1, {}); // set 0: unreachable
    m_lists.clear();
    if (m_rack != NO_RACK)
    {
        SetEntry(m_rack, m_hostPorts, true);
    }
}

void
FabricSwitch::SetNextHops(uint16_t rack, const std::vector<uint16_t>& ports)
{
    if (rack == m_rack)
    {
        return;
    }
    const auto same = std::find(m_sets.begin(), m_sets.end(), ports);
    const auto set = static_cast<uint16_t>(same - m_sets.begin());
    if (same == m_sets.end())
    {
        m_sets.push_back(ports);
    }
    SetEntry(rack, ports, false);
    m_nextHops[rack].set = set;
}

void
FabricSwitch::SetEntry(uint16_t rack, const std::vector<uint16_t>& ports, bool attached)
{
    NextHops& entry = m_nextHops[rack];
    entry = NextHops{};
    if (ports.empty())
    {
        return;
    }
    entry.count = static_cast<uint16_t>(ports.size());
    entry.attached = attached;
    entry.first = ports.front();
    const auto isNeighbour = [](uint16_t a, uint16_t b) { return b != a + 1; };
    entry.listed = std::adjacent_find(ports.begin(), ports.end(), isNeighbour) != ports.end();
    if (entry.listed)
    {
        entry.first = static_cast<uint16_t>(m_lists.size());
        m_lists.insert(m_lists.end(), ports.begin(), ports.end());
    }
}

} // namespace ns3
