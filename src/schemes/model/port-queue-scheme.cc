/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-queue-scheme.h"

#include "network.h"
#include "shared-buffer-check.h"

#include "ns3/double.h"
#include "ns3/drop-tail-queue-disc.h"
#include "ns3/flow-control.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PortQueueScheme);

namespace
{

constexpr const char* HOST_BUFFER = "8MB";   ///< of a host's own port
constexpr const char* EDGE_BUFFER = "512kB"; ///< of a port that leads to a host
constexpr const char* CORE_BUFFER = "1MB";   ///< of a port that leads to a switch

} // namespace

TypeId
PortQueueScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PortQueueScheme")
            .SetParent<Scheme>()
            .SetGroupName("Schemes")
            .AddConstructor<PortQueueScheme>()
            .AddAttribute("Transport",
                          "How hosts send, unless --transport says otherwise",
                          StringValue("lean"),
                          MakeStringAccessor(&PortQueueScheme::m_transport),
                          MakeSpecChecker<Transport>(true))
            .AddAttribute(
                "Paths",
                "How switches choose among equal-cost paths: flow-hash, spray, adaptive, ...",
                StringValue("flow-hash"),
                MakeStringAccessor(&PortQueueScheme::m_paths),
                MakeSpecChecker<PathSelector>())
            .AddAttribute("Queue",
                          "Discipline of each port, with its attributes, such as afq:NumQueues=8; "
                          "empty: a FIFO, which marks above MarkThreshold",
                          StringValue(""),
                          MakeStringAccessor(&PortQueueScheme::m_queue),
                          MakeSpecChecker<FabricQueueDisc>())
            .AddAttribute("HostQueue",
                          "Discipline of a host's own port; empty: as at the other ports",
                          StringValue(""),
                          MakeStringAccessor(&PortQueueScheme::m_hostQueue),
                          MakeSpecChecker<FabricQueueDisc>())
            .AddAttribute("FlowControl",
                          "Flow control of the links, with its attributes, such as "
                          "priority:Buffer=131072; no queue of a switch has a limit of "
                          "its own then, unless Queue says so. none: none",
                          StringValue("none"),
                          MakeStringAccessor(&PortQueueScheme::m_flowControl),
                          MakeSpecChecker<FlowControl>())
            .AddAttribute("MarkThreshold",
                          "A port without a Queue of its own marks while more than this waits, in "
                          "bytes, packets or time at the link's rate; never: it does not mark",
                          QueueLimitValue(QueueLimit()),
                          MakeQueueLimitAccessor(&PortQueueScheme::m_markThreshold),
                          MakeQueueLimitChecker())
            .AddAttribute(
                "HostBuffer",
                "Queue of a host's port, in bytes, packets or time at the link's rate (AFQ "
                "leaves it open). It holds longer than TCP's MinRto: see the transport's "
                "Backlog",
                QueueLimitValue(QueueLimit(HOST_BUFFER)),
                MakeQueueLimitAccessor(&PortQueueScheme::m_hostBuffer),
                MakeQueueLimitChecker())
            .AddAttribute(
                "EdgeBuffer",
                "Queue of each port of a switch that hosts are attached to, in bytes, packets "
                "or time at the link's rate (AFQ Section 6.2.1; DRB Section 5: "
                "1048576ns); the default, where a MarkThreshold is more than a quarter of "
                "it, is four times that",
                QueueLimitValue(QueueLimit(EDGE_BUFFER)),
                MakeQueueLimitAccessor(&PortQueueScheme::m_edgeBuffer),
                MakeQueueLimitChecker())
            .AddAttribute(
                "CoreBuffer",
                "Queue of each port of any other switch, in bytes, packets or time at the "
                "link's rate (AFQ Section 6.2.1), with a default as EdgeBuffer's",
                QueueLimitValue(QueueLimit(CORE_BUFFER)),
                MakeQueueLimitAccessor(&PortQueueScheme::m_coreBuffer),
                MakeQueueLimitChecker())
            .AddAttribute("SharedBuffer",
                          "Bytes of packet memory that all ports of a switch share; no queue of a "
                          "switch has a limit of its own then, unless Queue says so; 0: a buffer "
                          "per port, as the other attributes say",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PortQueueScheme::m_sharedBuffer),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SharedBufferAlpha",
                          "Dynamic threshold of a shared buffer: a port may hold this many times "
                          "the memory that is free (Choudhury and Hahne 1998)",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&PortQueueScheme::m_sharedAlpha),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

void
PortQueueScheme::ConfigureFabric(Network& network)
{
    Fabric& fabric = *network.GetFabric();
    for (uint32_t i = 0; i < network.GetTransports()->GetN(); ++i)
    {
        const auto sizes = network.GetTransports()->Get(i)->GetPacketSizes();
        m_fullPacket = std::max(m_fullPacket, sizes.payload + sizes.header);
    }
    m_hosts = network.GetHostModel();
    CheckHostModel();
    using Buffers = std::map<const FabricNode*, Ptr<SharedBuffer>>;
    fabric.SetQueueDiscFactory(
        [this, buffers = Buffers()](const FabricPort::Description& port) mutable {
            const auto disc = CreatePortQueueDisc(port);
            disc->SetSharedBuffer(GetSharedBuffer(port, buffers));
            return disc;
        });
    const auto createSelector = [spec = m_paths] {
        return CreateFromSpec<PathSelector>("--scheme Paths", spec);
    };
    createSelector(); // refuses a wrong name here and not somewhere within Build()
    fabric.SetPathSelectorFactory(createSelector);
    if (HasFlowControl())
    {
        fabric.SetFlowControl(CreateFromSpec<FlowControl>("--scheme FlowControl", m_flowControl));
    }
}

std::string
PortQueueScheme::GetTransportSpecs() const
{
    return m_transport;
}

/**
 * Beside other transports' items nobody knows which are one's own.
 */
void
PortQueueScheme::ConfigurePackets(const Network& network, PacketMaker& packets) const
{
    if (network.GetTransports()->GetN() == 1)
    {
        network.GetTransports()->Get(0)->ConfigurePackets(packets);
    }
}

bool
PortQueueScheme::HasFlowControl() const
{
    return !m_flowControl.empty() && m_flowControl != "none";
}

std::string
PortQueueScheme::GetHostQueue() const
{
    return m_hostQueue;
}

bool
PortQueueScheme::OwnsHostPorts() const
{
    return !GetHostQueue().empty();
}

void
PortQueueScheme::CheckHostModel() const
{
    const auto depart = [this](const std::string& attribute, const std::string& value) {
        if (!value.empty())
        {
            m_hosts->Depart(GetName(), attribute, "has its own");
        }
    };
    if (OwnsHostPorts())
    {
        depart("Queue", m_hosts->GetQueue());
        depart("Mark", m_hosts->GetMark());
    }
    else if (!m_queue.empty() && m_hosts->GetQueue().empty())
    {
        depart("Mark", m_hosts->GetMark());
    }
    if (m_hostBuffer != QueueLimit(HOST_BUFFER))
    {
        depart("Buffer", m_hosts->GetBuffer());
    }
}

Ptr<FabricQueueDisc>
PortQueueScheme::CreateHostQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    const std::string& mark = m_hosts->GetMark();
    std::string queue = m_hosts->GetQueue();
    if (OwnsHostPorts() || (queue.empty() && (mark.empty() || !m_queue.empty())))
    {
        return nullptr;
    }
    if (queue.empty())
    {
        queue = "step-mark";
    }
    const auto disc = CreateRequestedQueueDisc("--hosts Queue", queue, port, buffer);
    if (!mark.empty() && !SetsAttribute("--hosts Queue", queue, "MarkThreshold") &&
        !disc->SetAttributeFailSafe("MarkThreshold",
                                    QueueLimitValue(QueueLimit::Parse("--hosts Mark", mark))))
    {
        throw InputError("--hosts Queue", queue, "one that has a MarkThreshold, as drr, for Mark");
    }
    return disc;
}

Ptr<FabricQueueDisc>
PortQueueScheme::CreatePortQueueDisc(const FabricPort::Description& port) const
{
    const QueueSize buffer = GetBuffer(port);
    if (port.tier == 0)
    {
        if (const std::string own = GetHostQueue(); !own.empty())
        {
            return CreateRequestedQueueDisc("--scheme HostQueue", own, port, buffer);
        }
        if (const auto disc = CreateHostQueueDisc(port, buffer))
        {
            return disc;
        }
    }
    return m_queue.empty() ? CreateQueueDisc(port, buffer)
                           : CreateRequestedQueueDisc("--scheme Queue", m_queue, port, buffer);
}

Ptr<SharedBuffer>
PortQueueScheme::GetSharedBuffer(const FabricPort::Description& port,
                                 std::map<const FabricNode*, Ptr<SharedBuffer>>& buffers) const
{
    if (port.tier == 0 || m_sharedBuffer == 0)
    {
        return nullptr;
    }
    Ptr<SharedBuffer>& buffer = buffers[port.node];
    if (!buffer)
    {
        CheckSharedBuffer(*this, m_fullPacket, "a full packet of the hosts");
        buffer = CreateObjectWithAttributes<SharedBuffer>("Size",
                                                          UintegerValue(m_sharedBuffer),
                                                          "Alpha",
                                                          DoubleValue(m_sharedAlpha));
    }
    return buffer;
}

QueueSize
PortQueueScheme::GetBuffer(const FabricPort::Description& port) const
{
    if (port.tier > 0 && (m_sharedBuffer > 0 || HasFlowControl()))
    {
        // What a switch holds is limited where it came in, or all ports together.
        return QueueSize(QueueSizeUnit::PACKETS, UINT32_MAX);
    }
    switch (port.tier)
    {
    case 0:
        if (m_hostBuffer == QueueLimit(HOST_BUFFER) && !m_hosts->GetBuffer().empty())
        {
            return CheckBuffer("--hosts Buffer",
                               QueueLimit::Parse("--hosts Buffer", m_hosts->GetBuffer()),
                               port.rate);
        }
        return CheckBuffer("--scheme HostBuffer", m_hostBuffer, port.rate);
    case 1:
        return CheckBuffer("--scheme EdgeBuffer", m_edgeBuffer, port.rate);
    default:
        return CheckBuffer("--scheme CoreBuffer", m_coreBuffer, port.rate);
    }
}

bool
PortQueueScheme::HasDefaultBuffer(const FabricPort::Description& port) const
{
    return (port.tier == 1 && m_edgeBuffer == QueueLimit(EDGE_BUFFER)) ||
           (port.tier > 1 && m_coreBuffer == QueueLimit(CORE_BUFFER));
}

QueueSize
PortQueueScheme::CheckBuffer(const std::string& attribute,
                             const QueueLimit& limit,
                             DataRate rate) const
{
    const QueueSize buffer = limit.Resolve(attribute, rate).ToQueueSize();
    const bool inBytes = buffer.GetUnit() == QueueSizeUnit::BYTES;
    if (buffer.GetValue() < (inBytes ? m_fullPacket : 1))
    {
        throw InputError(attribute,
                         limit.ToString(),
                         "must hold a full packet of the hosts, " + std::to_string(m_fullPacket) +
                             "B or 1p");
    }
    return buffer;
}

Ptr<FabricQueueDisc>
PortQueueScheme::CreateRequestedQueueDisc(const std::string& attribute,
                                          const std::string& spec,
                                          const FabricPort::Description& port,
                                          QueueSize buffer) const
{
    std::map<std::string, std::string> defaults;
    TypeId::AttributeInformation unused;
    if (LookupRegisteredName(attribute,
                             spec.substr(0, spec.find(':')),
                             FabricQueueDisc::GetTypeId())
            .LookupAttributeByName("MaxSize", &unused))
    {
        defaults["MaxSize"] = QueueSizeValue(buffer).SerializeToString(nullptr);
    }
    const auto disc = CreateFromSpec<FabricQueueDisc>(attribute, spec, defaults);
    QueueLimitValue limit;
    if (!defaults.empty() && disc->GetAttributeFailSafe("MaxSize", limit))
    {
        CheckBuffer(attribute + " MaxSize", limit.Get(), port.rate);
    }
    return disc;
}

QueueSize
PortQueueScheme::GetMarkingBuffer(const FabricPort::Description& port, QueueSize buffer) const
{
    const uint64_t bytes = m_markThreshold.Resolve("--scheme MarkThreshold", port.rate).GetBytes();
    if (!HasDefaultBuffer(port) || buffer.GetUnit() != QueueSizeUnit::BYTES || bytes == UINT32_MAX)
    {
        return buffer;
    }
    // At high rates the threshold outgrows a buffer that is the same at all rates.
    const auto room = static_cast<uint32_t>(std::min<uint64_t>(4 * bytes, UINT32_MAX - 1));
    return std::max(buffer, QueueSize(QueueSizeUnit::BYTES, room));
}

Ptr<FabricQueueDisc>
PortQueueScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    if (m_markThreshold.IsNever())
    {
        return CreateObjectWithAttributes<DropTailQueueDisc>("MaxSize", QueueSizeValue(buffer));
    }
    return CreateObjectWithAttributes<StepMarkQueueDisc>(
        "MaxSize",
        QueueSizeValue(GetMarkingBuffer(port, buffer)),
        "MarkThreshold",
        QueueLimitValue(m_markThreshold));
}

} // namespace ns3
