/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-switch.h"

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
    for (IngressStage* stage : m_ingress)
    {
        if (!stage->Process(item))
        {
            return;
        }
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

FabricPort*
FabricSwitch::Forward(const FabricItem& item)
{
    if (item.route)
    {
        return &m_ports[item.route[item.hops - 1]];
    }
    const HostLocation location = m_locations[item.destination];
    if (location.rack == m_rack)
    {
        return &m_ports[m_hostPorts[location.slot]];
    }
    const uint16_t number = m_groupOfRack[location.rack];
    const Group group = m_groups[number];
    if (group.count > 1)
    {
        return &m_ports[m_members[group.first + m_selector->Choose(item, number, group.count)]];
    }
    return group.count == 1 ? &m_ports[m_members[group.first]] : nullptr;
}

void
FabricSwitch::Discard(FabricItem* item, uint64_t& counter)
{
    ++counter;
    item->Release();
}

void
FabricSwitch::SetNextHops(uint16_t rack, const std::vector<uint16_t>& ports)
{
    const auto same = std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& group) {
        const auto first = m_members.begin() + group.first;
        return std::equal(first, first + group.count, ports.begin(), ports.end());
    });
    m_groupOfRack[rack] = static_cast<uint16_t>(same - m_groups.begin());
    if (same == m_groups.end())
    {
        m_groups.push_back({static_cast<uint16_t>(m_members.size()),
                            static_cast<uint16_t>(ports.size())});
        m_members.insert(m_members.end(), ports.begin(), ports.end());
    }
}

void
FabricSwitch::AddIngressStage(IngressStage* stage)
{
    m_ingress.push_back(stage);
}

std::vector<uint16_t>
FabricSwitch::GetNextHops(uint16_t rack) const
{
    const Group group = m_groups[m_groupOfRack[rack]];
    const auto first = m_members.begin() + group.first;
    return {first, first + group.count};
}

} // namespace ns3
