/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-host-scheme.h"

#include "network.h"

#include "ns3/attribute-form.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"

#include <map>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TcpHostScheme);

namespace
{

/**
 * @param transport a class of transports
 * @return whether it has a congestion control of TCP to be chosen
 */
bool
IsTcp(TypeId transport)
{
    TypeId::AttributeInformation unused;
    return transport.LookupAttributeByName("CongestionOps", &unused);
}

} // namespace

TypeId
TcpHostScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TcpHostScheme")
            .SetParent<PortQueueScheme>()
            .SetGroupName("Schemes")
            .AddConstructor<TcpHostScheme>()
            .AddAttribute("CongestionOps",
                          "Congestion control of the hosts, a class of ns-3, unless the transport "
                          "names one itself",
                          StringValue("ns3::TcpLinuxReno"),
                          MakeStringAccessor(&TcpHostScheme::m_congestionOps),
                          MakeClassNameChecker<TcpCongestionOps>())
            .AddAttribute("ResequencingTimeout",
                          "Most that each host waits for data that is late before its TCP sees "
                          "what came since (ns3::ResequencingBuffer); 0: hosts do not wait",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&TcpHostScheme::m_resequencing),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
TcpHostScheme::ConfigureNodes(Network& network)
{
    Fabric& fabric = *network.GetFabric();
    if (m_resequencing.IsZero())
    {
        return;
    }
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const auto buffer = CreateResequencingBuffer();
        buffer->SetAttribute("Timeout", TimeValue(m_resequencing));
        fabric.GetHost(host).AddEdgeAgent(buffer);
    }
}

Ptr<ResequencingBuffer>
TcpHostScheme::CreateResequencingBuffer() const
{
    return CreateObject<ResequencingBuffer>();
}

Ptr<Transport>
TcpHostScheme::CreateTransport(const std::string& spec,
                               const std::map<std::string, std::string>& defaults) const
{
    std::map<std::string, std::string> all = defaults;
    if (IsTcp(LookupRegisteredName("--transport",
                                   spec.substr(0, spec.find(':')),
                                   Transport::GetTypeId())))
    {
        all["CongestionOps"] = m_congestionOps;
    }
    return CreateFromSpec<Transport>("--transport", spec, all);
}

void
TcpHostScheme::ConfigureFabric(Network& network)
{
    const Transports& transports = *network.GetTransports();
    bool hasTcp = false;
    std::string names;
    for (uint32_t i = 0; i < transports.GetN(); ++i)
    {
        hasTcp = hasTcp || IsTcp(transports.Get(i)->GetInstanceTypeId());
        names += (i > 0 ? ";" : "") + transports.GetName(i);
    }
    if (!hasTcp)
    {
        throw InputError(
            "--transport",
            names,
            "this scheme needs TCP hosts: a transport with the attribute CongestionOps");
    }
    PortQueueScheme::ConfigureFabric(network);
}

} // namespace ns3
