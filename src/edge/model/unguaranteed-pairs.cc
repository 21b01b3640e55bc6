/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "unguaranteed-pairs.h"

#include "pair-edge.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(UnguaranteedPairs);

TypeId
UnguaranteedPairs::GetTypeId()
{
    static TypeId tid = TypeId("ns3::UnguaranteedPairs").SetParent<Object>().SetGroupName("Edge");
    return tid;
}

Ptr<UnguaranteedPairs>
UnguaranteedPairs::Of(PairEdge& edge)
{
    auto pairs = edge.GetFabric().GetObject<UnguaranteedPairs>();
    if (!pairs)
    {
        pairs = CreateObject<UnguaranteedPairs>();
        pairs->m_edge = &edge;
        edge.GetFabric().AggregateObject(pairs);
    }
    return pairs;
}

void
UnguaranteedPairs::DoDispose()
{
    m_edge = nullptr;
    Object::DoDispose();
}

bool
UnguaranteedPairs::Includes(uint32_t pair) const
{
    const TenantTable& tenants = m_edge->GetTenants();
    const VmPair& vms = tenants.GetVmPair(pair);
    return vms.pipe.GetBitRate() == 0 && (tenants.GetVm(vms.from).send.GetBitRate() == 0 ||
                                          tenants.GetVm(vms.to).receive.GetBitRate() == 0);
}

void
UnguaranteedPairs::Join(uint32_t pair)
{
    m_hasJoined.resize(std::max<std::size_t>(m_hasJoined.size(), pair + 1));
    if (!m_hasJoined[pair] && Includes(pair))
    {
        m_hasJoined[pair] = true;
        Count(pair, 1);
    }
}

void
UnguaranteedPairs::Leave(uint32_t pair)
{
    if (m_hasJoined[pair])
    {
        m_hasJoined[pair] = false;
        Count(pair, -1);
    }
}

void
UnguaranteedPairs::Count(uint32_t pair, int32_t more)
{
    const TenantTable& tenants = m_edge->GetTenants();
    m_links.resize(m_edge->GetFabric().GetNHosts());
    m_links[tenants.GetSource(pair)].send.pairs += more;
    m_links[tenants.GetDestination(pair)].receive.pairs += more;
}

void
UnguaranteedPairs::Forget()
{
    m_isUpToDate = false;
}

void
UnguaranteedPairs::ComputeRooms()
{
    const Fabric& fabric = m_edge->GetFabric();
    const TenantTable& tenants = m_edge->GetTenants();
    const auto getRate = [&fabric](uint32_t host) {
        const FabricPort& port = fabric.GetHost(host).GetPort(0);
        return static_cast<double>(port.GetDescription().rate.GetBitRate());
    };
    for (uint32_t host = 0; host < m_links.size(); ++host)
    {
        m_links[host].send.room = m_links[host].receive.room = getRate(host);
    }
    for (VmId number = 0; number < tenants.GetNVms(); ++number)
    {
        const Vm& vm = tenants.GetVm(number);
        m_links[vm.host].send.room -= static_cast<double>(vm.send.GetBitRate());
        m_links[vm.host].receive.room -= static_cast<double>(vm.receive.GetBitRate());
    }
    for (PairId pair = 0; pair < tenants.GetNPairs(); ++pair)
    {
        const auto pipe = static_cast<double>(tenants.GetVmPair(pair).pipe.GetBitRate());
        m_links[tenants.GetSource(pair)].send.room -= pipe;
        m_links[tenants.GetDestination(pair)].receive.room -= pipe;
    }
    for (uint32_t host = 0; host < m_links.size(); ++host)
    {
        for (Direction* direction : {&m_links[host].send, &m_links[host].receive})
        {
            direction->room = std::max(direction->room, LEAST_SHARE * getRate(host));
        }
    }
    m_isUpToDate = true;
}

double
UnguaranteedPairs::GetShare(uint32_t pair)
{
    if (!m_isUpToDate)
    {
        ComputeRooms();
    }
    const TenantTable& tenants = m_edge->GetTenants();
    const Direction& send = m_links[tenants.GetSource(pair)].send;
    const Direction& receive = m_links[tenants.GetDestination(pair)].receive;
    return std::min(send.room / send.pairs, receive.room / receive.pairs);
}

} // namespace ns3
