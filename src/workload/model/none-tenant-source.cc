/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "none-tenant-source.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NoneTenantSource);

TypeId
NoneTenantSource::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NoneTenantSource")
                            .SetParent<TenantSource>()
                            .SetGroupName("Workload")
                            .AddConstructor<NoneTenantSource>();
    return tid;
}

std::string
NoneTenantSource::GetSummary() const
{
    return "Nobody, also where a scheme would have tenants by default";
}

void
NoneTenantSource::Fill(TenantTable& /* table */,
                       const Fabric& /* fabric */,
                       const std::string& /* argument */) const
{
}

} // namespace ns3
