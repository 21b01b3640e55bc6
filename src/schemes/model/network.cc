/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network.h"

#include "ns3/input-error.h"
#include "ns3/lean-tcp-header-writer.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Network);

TypeId
Network::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Network")
                            .SetParent<Object>()
                            .SetGroupName("Schemes")
                            .AddConstructor<Network>();
    return tid;
}

Network::Network()
    : m_hostModel(HostModel::Create("ideal")),
      m_transports(CreateObject<Transports>()),
      m_fabric(CreateObject<Fabric>())
{
}

void
Network::DoDispose()
{
    m_transports->Dispose();
    if (m_scheme)
    {
        m_scheme->Dispose();
    }
    m_fabric->Dispose();
    m_transports = nullptr;
    m_hostModel = nullptr;
    m_scheme = nullptr;
    m_topology = nullptr;
    m_tenants = nullptr;
    m_source = nullptr;
    m_fabric = nullptr;
    Object::DoDispose();
}

void
Network::SetTopology(Ptr<Topology> topology)
{
    m_topology = topology;
}

void
Network::SetTopology(const Spec& spec)
{
    m_topology = CreateFromSpec<Topology>("--topology", spec);
}

void
Network::SetScheme(Ptr<Scheme> scheme)
{
    m_scheme = scheme;
}

void
Network::SetScheme(const Spec& spec)
{
    m_scheme = Scheme::Create(spec);
}

void
Network::SetTransports(const Spec& several)
{
    m_transportSpecs = several;
}

void
Network::SetHostModel(const Spec& spec)
{
    m_hostModel = HostModel::Create(spec);
}

void
Network::SetTenants(Ptr<TenantTable> tenants)
{
    m_tenants = tenants;
}

void
Network::SetTenants(const Spec& spec)
{
    m_source = CreateFromSpec<TenantSource>("--tenants", spec);
}

void
Network::CreateTransports()
{
    const bool isOurs = m_transportSpecs.IsEmpty();
    const std::string argument = isOurs ? "--scheme Transport" : "--transport";
    const Spec specs = isOurs ? m_scheme->GetTransportSpecs() : m_transportSpecs;
    if (specs.IsEmpty())
    {
        throw InputError(argument, specs.ToString(), "one or more transports, such as lean");
    }
    m_transports->SetArgument(argument);
    for (const NamedSpec& named : NameSpecs(argument, specs))
    {
        const auto defaults = m_hostModel->GetTransportDefaults(argument, named.spec);
        m_transports->Add(named.name, m_scheme->CreateTransport(argument, named.spec, defaults));
    }
    m_hostModel->CheckTaken();
}

void
Network::CreateTenants()
{
    std::string argument = "--tenants";
    if (!m_tenants && !m_source)
    {
        m_source = m_scheme->CreateDefaultTenants();
        argument = "--scheme DefaultTenants";
    }
    if (m_source)
    {
        m_source->AssignStreams(TENANT_STREAM);
        m_tenants = m_source->CreateTable(*m_fabric, argument);
    }
    for (TenantId tenant = 0; m_tenants && tenant < m_tenants->GetNTenants(); ++tenant)
    {
        if (m_tenants->GetTenant(tenant).limit.GetBitRate() > 0)
        {
            CheckTenantLimits(argument + " limit of", m_tenants->GetTenant(tenant).name);
        }
    }
    if (m_tenants)
    {
        m_transports->SetPairFinder([this](const FlowRequest& request) -> uint32_t {
            const auto pair = m_source
                                  ? m_source->FindPair(*m_tenants, *m_fabric, request)
                                  : m_tenants->GetPairOfHosts(request.source, request.destination);
            return pair ? *pair + 1 : 0;
        });
    }
}

void
Network::Build()
{
    CreateTransports();
    m_topology->AssignStreams(TOPOLOGY_STREAM);
    m_topology->AddTo(*m_fabric);
    m_fabric->Wire();
    CreateTenants();
    m_scheme->ConfigureFabric(*this);
    m_fabric->Build();
    m_scheme->ConfigureNodes(*this);
    m_scheme->InstallAgents(*this);
    m_fabric->AssignStreams(FABRIC_STREAM);
    m_scheme->AssignStreams(SCHEME_STREAM);
    m_transports->Attach(m_fabric);
    m_transports->AssignStreams(TRANSPORT_STREAM);
}

void
Network::CheckAdmission(const TenantTable& tenants, const std::string& argument) const
{
    if (m_source)
    {
        tenants.CheckAdmission(*m_fabric, m_source->GetAdmission(), argument);
    }
}

void
Network::CheckTenantLimits(const std::string& argument, const std::string& tenant) const
{
    if (!m_scheme->LimitsTenants())
    {
        throw InputError(argument,
                         tenant,
                         "scheme " + m_scheme->GetName() + " keeps no limits of tenants");
    }
}

void
Network::ReportResults(Results& results) const
{
    m_fabric->ReportResults(results);
    m_transports->ReportResults(results);
    results.SetSource({"scheme", m_scheme->GetName()});
    m_scheme->ReportResults(*this, results);
}

PacketMaker
Network::MakePacketMaker() const
{
    PacketMaker packets;
    packets.AddHeaderWriter(std::make_unique<LeanTcpHeaderWriter>(*m_fabric));
    m_scheme->ConfigurePackets(*this, packets);
    return packets;
}

} // namespace ns3
