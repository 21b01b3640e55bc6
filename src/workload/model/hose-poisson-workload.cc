/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hose-poisson-workload.h"

#include "ns3/double.h"
#include "ns3/input-error.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HosePoissonWorkload);

namespace
{

/// Probability that a VM sends to one more peer; the first is certain, so they are two on average.
constexpr double MORE_PEERS = 0.5;

} // namespace

TypeId
HosePoissonWorkload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HosePoissonWorkload")
                            .SetParent<PoissonWorkload>()
                            .SetGroupName("Workload")
                            .AddConstructor<HosePoissonWorkload>();
    return tid;
}

std::string
HosePoissonWorkload::GetSummary() const
{
    return "Flows between a tenant's VMs and a few peers each, in proportion to their guarantees";
}

double
HosePoissonWorkload::GetFlowRate() const
{
    return m_part * PoissonWorkload::GetFlowRate();
}

void
HosePoissonWorkload::DoPrepare()
{
    const TenantTable* tenants = GetTenants();
    if (!tenants)
    {
        throw InputError("hose-poisson", "hosts", "is for the VMs of tenants");
    }
    double all = 0;
    for (VmId vm = 0; vm < tenants->GetNVms(); ++vm)
    {
        all += static_cast<double>(tenants->GetVm(vm).send.GetBitRate());
    }
    double sum = 0;
    m_guarantees.clear();
    for (const VmId vm : tenants->GetVmsOf(GetTenant()))
    {
        sum += static_cast<double>(tenants->GetVm(vm).send.GetBitRate());
        m_guarantees.push_back(sum);
    }
    if (sum == 0)
    {
        throw InputError("hose-poisson", "no hose", "the tenant's VMs must be guaranteed a rate");
    }
    m_part = sum / all;
    m_peers.clear();
    for (uint32_t vm = 0; vm < HostCount(); ++vm)
    {
        m_peers.push_back(DrawPeers(vm));
    }
    PoissonWorkload::DoPrepare();
}

std::vector<uint32_t>
HosePoissonWorkload::DrawPeers(uint32_t vm)
{
    std::vector<uint32_t> others;
    for (uint32_t other = 0; other < HostCount(); ++other)
    {
        if (!IsLocal(vm, other))
        {
            others.push_back(other);
        }
    }
    uint32_t peers = 1;
    while (peers < others.size() && m_pairs->GetValue(0, 1) < MORE_PEERS)
    {
        ++peers;
    }
    return RandomSample(others, peers);
}

void
HosePoissonWorkload::DrawPair(FlowRequest& request)
{
    const double drawn = m_pairs->GetValue(0, m_guarantees.back());
    request.source =
        static_cast<uint32_t>(std::ranges::upper_bound(m_guarantees, drawn) - m_guarantees.begin());
    const auto& peers = m_peers[request.source];
    request.destination = peers[RandomHostFrom(0, static_cast<uint32_t>(peers.size() - 1))];
}

} // namespace ns3
