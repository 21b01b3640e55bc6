/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-host-scheme.h"

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TcpHostScheme);

TypeId
TcpHostScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TcpHostScheme")
            .SetParent<Scheme>()
            .SetGroupName("Schemes")
            .AddAttribute("Transport",
                          "How hosts send, unless --transport says otherwise",
                          StringValue("lean"),
                          MakeStringAccessor(&TcpHostScheme::m_transport),
                          MakeStringChecker())
            .AddAttribute("Paths",
                          "How switches choose among equal-cost paths: flow-hash, spray, ...",
                          StringValue("flow-hash"),
                          MakeStringAccessor(&TcpHostScheme::m_paths),
                          MakeStringChecker())
            .AddAttribute("ResequencingTimeout",
                          "Most that each host waits for data that is late before its TCP sees "
                          "what came since (ns3::ResequencingBuffer); 0: hosts do not wait",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&TcpHostScheme::m_resequencing),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HostBuffer",
                          "Queue of a host's port, in bytes or packets (AFQ leaves it open)",
                          QueueSizeValue(QueueSize("8MB")),
                          MakeQueueSizeAccessor(&TcpHostScheme::m_hostBuffer),
                          MakeQueueSizeChecker())
            .AddAttribute("EdgeBuffer",
                          "Queue of each port of a switch that hosts are attached to, in bytes or "
                          "packets (AFQ Section 6.2.1)",
                          QueueSizeValue(QueueSize("512kB")),
                          MakeQueueSizeAccessor(&TcpHostScheme::m_edgeBuffer),
                          MakeQueueSizeChecker())
            .AddAttribute(
                "CoreBuffer",
                "Queue of each port of any other switch, in bytes or packets (AFQ Section "
                "6.2.1)",
                QueueSizeValue(QueueSize("1MB")),
                MakeQueueSizeAccessor(&TcpHostScheme::m_coreBuffer),
                MakeQueueSizeChecker());
    return tid;
}

void
TcpHostScheme::ConfigureFabric(Fabric& fabric)
{
    fabric.SetQueueDiscFactory([this](const FabricPort::Description& port) {
        return CreateQueueDisc(port, GetBuffer(port));
    });
    const auto createSelector = [spec = m_paths] {
        return CreateFromSpec<PathSelector>("--scheme Paths", spec);
    };
    createSelector(); // refuses a wrong name here and not somewhere within Build()
    fabric.SetPathSelectorFactory(createSelector);
}

void
TcpHostScheme::ConfigureNodes(Fabric& fabric)
{
    if (m_resequencing.IsZero())
    {
        return;
    }
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        auto buffer = CreateObject<ResequencingBuffer>();
        buffer->SetAttribute("Timeout", TimeValue(m_resequencing));
        buffer->SetTransport(PeekPointer(m_hostTransport));
        fabric.GetHost(host).AddEdgeAgent(buffer);
    }
}

void
TcpHostScheme::DoDispose()
{
    m_hostTransport = nullptr;
    Scheme::DoDispose();
}

QueueSize
TcpHostScheme::GetBuffer(const FabricPort::Description& port) const
{
    switch (port.tier)
    {
    case 0:
        return m_hostBuffer;
    case 1:
        return m_edgeBuffer;
    default:
        return m_coreBuffer;
    }
}

Ptr<FabricQueueDisc>
TcpHostScheme::CreateQueueDisc(const FabricPort::Description& /* port */, QueueSize buffer) const
{
    auto queue = CreateObject<DropTailQueueDisc>();
    queue->SetAttribute("MaxSize", QueueSizeValue(buffer));
    return queue;
}

Ptr<Transport>
TcpHostScheme::CreateTransport(const std::string& spec)
{
    const std::string chosen = spec.empty() ? m_transport : spec;
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
    m_hostTransport =
        CreateFromSpec<Transport>("--transport", chosen, {{"CongestionOps", GetCongestionOps()}});
    return m_hostTransport;
}

} // namespace ns3
