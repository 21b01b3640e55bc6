/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "list-tenant-source.h"

#include "statement.h"
#include "tenant-statements.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ListTenantSource);

TypeId
ListTenantSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ListTenantSource")
            .SetParent<TenantSource>()
            .SetGroupName("Workload")
            .AddConstructor<ListTenantSource>()
            .AddAttribute("Of",
                          "Statements, separated by semicolons, in braces or quotes: {tenant A "
                          "hosts=0-3 hose=1Gbps; tenant B hosts=4-7 workload=poisson:Load=0.5}.",
                          StringValue(""),
                          MakeStringAccessor(&ListTenantSource::m_statements),
                          MakeStringChecker());
    return tid;
}

std::string
ListTenantSource::GetSummary() const
{
    return "Tenants as statements: tenant, vm, pair";
}

void
ListTenantSource::Fill(TenantTable& table,
                       const Fabric& /* fabric */,
                       const std::string& argument) const
{
    for (const auto& [where, statement] : CutStatements(argument, m_statements))
    {
        AddTenantStatement(table, where, statement);
    }
}

} // namespace ns3
