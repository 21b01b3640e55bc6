/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hosts-tenant-source.h"

#include "admission-control.h"

#include "ns3/double.h"
#include "ns3/fabric.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HostsTenantSource);

TypeId
HostsTenantSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HostsTenantSource")
            .SetParent<TenantSource>()
            .SetGroupName("Workload")
            .AddConstructor<HostsTenantSource>()
            .AddAttribute("Share",
                          "Share of what can be guaranteed to all hosts at once that each of them "
                          "is guaranteed (a choice: half, so that there is something guaranteed "
                          "and something to compete for).",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&HostsTenantSource::m_share),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

std::string
HostsTenantSource::GetSummary() const
{
    return "One tenant with a VM on each host, guaranteed a share of the host's link";
}

void
HostsTenantSource::Fill(TenantTable& table, const Fabric& fabric, const std::string& argument) const
{
    Tenant tenant;
    tenant.name = "hosts";
    const TenantId id = table.AddTenant(tenant);
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const DataRate link = fabric.GetHost(host).GetPort(0).GetDescription().rate;
        table.AddVm({id, host, link, link});
    }
    const AdmissionControl admission(fabric, GetAdmission());
    const double share =
        m_share * admission.GetFittingShare(admission.GetLoads(table, id, argument));
    for (const VmId vm : table.GetVmsOf(id))
    {
        const DataRate hose(static_cast<uint64_t>(share * table.GetVm(vm).send.GetBitRate()));
        table.SetHose(vm, hose, hose);
    }
}

void
HostsTenantSource::Check(const TenantTable& /* table */,
                         const Fabric& /* fabric */,
                         const std::string& /* argument */) const
{
    // All are guaranteed what fits.
}

} // namespace ns3
