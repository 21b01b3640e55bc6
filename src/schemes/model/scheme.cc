/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme.h"

#include "network.h"

#include "ns3/attribute-form.h"
#include "ns3/edge-agent.h"
#include "ns3/fabric.h"
#include "ns3/object-spec.h"
#include "ns3/string.h"
#include "ns3/tenant-source.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Scheme);

TypeId
Scheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Scheme")
            .SetParent<Object>()
            .SetGroupName("Schemes")
            .AddAttribute("Agents",
                          "Edge agents at each host, besides those that the scheme has anyhow: "
                          "specifications separated by semicolons, what leaves passes them in "
                          "this order",
                          StringValue(""),
                          MakeStringAccessor(&Scheme::m_agents),
                          MakeSpecChecker<EdgeAgent>(true));
    return tid;
}

Ptr<Scheme>
Scheme::Create(const std::string& spec)
{
    auto scheme = CreateFromSpec<Scheme>("--scheme", spec);
    scheme->m_name = spec.substr(0, spec.find(':'));
    return scheme;
}

std::string
Scheme::GetName() const
{
    return m_name.empty() ? GetRegisteredName(GetInstanceTypeId(), Scheme::GetTypeId()) : m_name;
}

std::string
Scheme::GetSummary() const
{
    const SpecRow* row = SpecRows::Find(Scheme::GetTypeId(), m_name);
    return row ? row->summary : "";
}

void
Scheme::InstallAgents(Network& network) const
{
    if (m_agents.empty())
    {
        return;
    }
    Fabric& fabric = *network.GetFabric();
    for (const NamedSpec& agent : ParseSpecList("--scheme Agents", m_agents))
    {
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            fabric.GetHost(host).AddEdgeAgent(
                CreateFromSpec<EdgeAgent>("--scheme Agents", agent.spec));
        }
    }
}

Ptr<Transport>
Scheme::CreateTransport(const std::string& spec,
                        const std::map<std::string, std::string>& defaults) const
{
    return CreateFromSpec<Transport>("--transport", spec, defaults);
}

Ptr<TenantSource>
Scheme::CreateDefaultTenants() const
{
    return nullptr;
}

bool
Scheme::LimitsTenants() const
{
    return false;
}

void
Scheme::ConfigureNodes(Network& /* network */)
{
}

void
Scheme::ReportResults(const Network& /* network */, Results& /* results */) const
{
}

void
Scheme::ConfigurePackets(const Network& /* network */, PacketMaker& /* packets */) const
{
}

int64_t
Scheme::AssignStreams(int64_t /* stream */)
{
    return 0;
}

} // namespace ns3
