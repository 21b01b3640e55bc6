/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tenant-source.h"

#include "ns3/double.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TenantSource);

TypeId
TenantSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TenantSource")
            .SetParent<Object>()
            .SetGroupName("Workload")
            .AddAttribute("Admission",
                          "Share of each link's rate that may be guaranteed (uFAB, Section 3.3: "
                          "0.95); 0: guarantees are not checked.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&TenantSource::m_admission),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

Ptr<TenantTable>
TenantSource::CreateTable(const Fabric& fabric, const std::string& argument) const
{
    auto table = CreateObject<TenantTable>();
    Fill(*table, fabric, argument);
    Check(*table, fabric, argument);
    return table;
}

void
TenantSource::Check(const TenantTable& table,
                    const Fabric& fabric,
                    const std::string& argument) const
{
    table.CheckAdmission(fabric, m_admission, argument);
}

std::optional<PairId>
TenantSource::FindPair(TenantTable& table, const Fabric& /* fabric */, const FlowRequest& request)
{
    return table.GetPairOfHosts(request.source, request.destination);
}

int64_t
TenantSource::AssignStreams(int64_t /* stream */)
{
    return 0;
}

double
TenantSource::GetAdmission() const
{
    return m_admission;
}

} // namespace ns3
