/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-host-scheme.h"

#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TcpHostScheme);

TypeId
TcpHostScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TcpHostScheme")
            .SetParent<PortQueueScheme>()
            .SetGroupName("Schemes")
            .AddAttribute("Transport",
                          "How hosts send, unless --transport says otherwise; empty: as the scheme "
                          "has it, which is lean for most",
                          StringValue(""),
                          MakeStringAccessor(&TcpHostScheme::m_transport),
                          MakeSpecChecker<Transport>())
            .AddAttribute("ResequencingTimeout",
                          "Most that each host waits for data that is late before its TCP sees "
                          "what came since (ns3::ResequencingBuffer); 0: hosts do not wait; below "
                          "0: as the scheme has it, which is 0 for most",
                          TimeValue(Time(-1)),
                          MakeTimeAccessor(&TcpHostScheme::m_resequencing),
                          MakeTimeChecker());
    return tid;
}

void
TcpHostScheme::ConfigureNodes(Fabric& fabric)
{
    const Time timeout =
        m_resequencing.IsStrictlyNegative() ? GetDefaultResequencingTimeout() : m_resequencing;
    if (timeout.IsZero())
    {
        return;
    }
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        auto buffer = CreateObject<ResequencingBuffer>();
        buffer->SetAttribute("Timeout", TimeValue(timeout));
        fabric.GetHost(host).AddEdgeAgent(buffer);
    }
}

Time
TcpHostScheme::GetDefaultResequencingTimeout() const
{
    return Time(0);
}

std::string
TcpHostScheme::GetDefaultTransport() const
{
    return "lean";
}

Ptr<Transport>
TcpHostScheme::CreateTransport(const std::string& spec)
{
    const std::string own = m_transport.empty() ? GetDefaultTransport() : m_transport;
    const std::string chosen = spec.empty() ? own : spec;
    const std::string name = chosen.substr(0, chosen.find(':'));
    TypeId::AttributeInformation unused;
    if (!LookupRegisteredName("--transport", name, Transport::GetTypeId())
             .LookupAttributeByName("CongestionOps", &unused))
    {
        throw InputError(
            "--transport",
            chosen,
            "this scheme needs TCP hosts: a transport with the attribute CongestionOps");
    }
    return CreateFromSpec<Transport>("--transport",
                                     chosen,
                                     {{"CongestionOps", GetCongestionOps()}});
}

} // namespace ns3
