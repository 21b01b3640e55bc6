/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "file-tenant-source.h"

#include "statement.h"
#include "tenant-statements.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FileTenantSource);

TypeId
FileTenantSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FileTenantSource")
            .SetParent<TenantSource>()
            .SetGroupName("Workload")
            .AddConstructor<FileTenantSource>()
            .AddAttribute("Path",
                          "Path of a file with a statement per line; # begins a comment.",
                          StringValue(""),
                          MakeStringAccessor(&FileTenantSource::m_path),
                          MakeStringChecker());
    return tid;
}

std::string
FileTenantSource::GetSummary() const
{
    return "Tenants from a file, a statement per line: tenant, vm, pair";
}

void
FileTenantSource::Fill(TenantTable& table,
                       const Fabric& /* fabric */,
                       const std::string& argument) const
{
    for (const auto& [where, statement] : ReadStatements(argument + " file:Path", m_path))
    {
        AddTenantStatement(table, where, statement);
    }
}

} // namespace ns3
