/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "groups-tenant-source.h"

#include "ns3/double.h"
#include "ns3/fabric.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GroupsTenantSource);

TypeId
GroupsTenantSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::GroupsTenantSource")
            .SetParent<TenantSource>()
            .SetGroupName("Workload")
            .AddConstructor<GroupsTenantSource>()
            .AddAttribute("Share",
                          "Share of its host's link that each VM is guaranteed, to send and to "
                          "receive; not checked, since VMs come with their flows (a choice: a "
                          "tenth, so that ten groups fit on a host).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&GroupsTenantSource::m_share),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

std::string
GroupsTenantSource::GetSummary() const
{
    return "A tenant per group of flows, with a VM on each host that the group uses";
}

void
GroupsTenantSource::Fill(TenantTable& /* table */,
                         const Fabric& /* fabric */,
                         const std::string& /* argument */) const
{
    // Tenants come with their flows.
}

void
GroupsTenantSource::Check(const TenantTable& /* table */,
                          const Fabric& /* fabric */,
                          const std::string& /* argument */) const
{
}

std::optional<PairId>
GroupsTenantSource::FindPair(TenantTable& table, const Fabric& fabric, const FlowRequest& request)
{
    const VmId from = FindVm(table, fabric, request.group, request.source);
    const VmId to = FindVm(table, fabric, request.group, request.destination);
    return table.GetPair(from, to);
}

VmId
GroupsTenantSource::FindVm(TenantTable& table, const Fabric& fabric, uint32_t group, uint32_t host)
{
    const auto [vm, isNew] = m_vms.try_emplace(uint64_t{group} << 32 | host);
    if (isNew)
    {
        const auto [tenant, isFirst] = m_tenants.try_emplace(group);
        if (isFirst)
        {
            Tenant named;
            named.name = "group" + std::to_string(group);
            tenant->second = table.AddTenant(named);
        }
        const DataRate link = fabric.GetHost(host).GetPort(0).GetDescription().rate;
        const DataRate hose(static_cast<uint64_t>(m_share * link.GetBitRate()));
        vm->second = table.AddVm({tenant->second, host, hose, hose});
    }
    return vm->second;
}

} // namespace ns3
