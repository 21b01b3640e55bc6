/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme.h"

#include "network.h"

#include "ns3/attribute-form.h"
#include "ns3/double.h"
#include "ns3/drop-tail-queue-disc.h"
#include "ns3/edge-agent.h"
#include "ns3/enum.h"
#include "ns3/fabric.h"
#include "ns3/flow-control.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/number-text.h"
#include "ns3/object-spec.h"
#include "ns3/packet-maker.h"
#include "ns3/pair-queue-disc.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tenant-source.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Scheme);

namespace
{

constexpr const char* HOST_BUFFER = "8MB";   ///< of a host's own port
constexpr const char* EDGE_BUFFER = "512kB"; ///< of a port that leads to a host
constexpr const char* CORE_BUFFER = "1MB";   ///< of a port that leads to a switch

constexpr const char* FLOW_HASH = "flow-hash"; ///< default choice of paths by switches

/**
 * @param transport a class of transports
 * @return true if it has a congestion control of TCP to be chosen
 */
bool
IsTcp(TypeId transport)
{
    TypeId::AttributeInformation unused;
    return transport.LookupAttributeByName("CongestionOps", &unused);
}

/**
 * @param fabric the network
 * @param names of switches, separated by commas
 * @return those switches
 */
std::set<const FabricNode*>
FindSwitches(const Fabric& fabric, const std::string& names)
{
    std::set<const FabricNode*> found;
    for (const auto& name : CutList(names))
    {
        const std::size_t before = found.size();
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            if (fabric.GetSwitch(i).GetName() == name)
            {
                found.insert(&fabric.GetSwitch(i));
            }
        }
        if (found.size() == before)
        {
            throw InputError("--scheme StagesExcept",
                             name,
                             "another switch, such as " + fabric.GetSwitch(0).GetName());
        }
    }
    return found;
}

} // namespace

TypeId
Scheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Scheme")
            .SetParent<Object>()
            .SetGroupName("Schemes")
            .AddConstructor<Scheme>()
            .AddAttribute("Transport",
                          "How hosts send, unless --transport says otherwise",
                          SpecValue("lean"),
                          MakeSpecAccessor(&Scheme::m_transport),
                          MakeSpecChecker<Transport>(true))
            .AddAttribute("CongestionOps",
                          "Congestion control of the hosts, a class of ns-3, unless the transport "
                          "names one itself: a transport must have one then. Empty: as the "
                          "transport has it, if any",
                          StringValue(""),
                          MakeStringAccessor(&Scheme::m_congestionOps),
                          MakeClassNameChecker<TcpCongestionOps>())
            .AddAttribute("ResequencingTimeout",
                          "Most that each host waits for data that is late before its TCP sees "
                          "what came since (ns3::ResequencingBuffer); 0: hosts do not wait",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Scheme::m_resequencing),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Paths",
                "How switches choose among equal-cost paths: flow-hash, spray, adaptive, ...",
                SpecValue(FLOW_HASH),
                MakeSpecAccessor(&Scheme::m_paths),
                MakeSpecChecker<PathSelector>())
            .AddAttribute("Queue",
                          "Discipline of each port, with its attributes, such as afq:NumQueues=8; "
                          "empty: a FIFO, which marks above MarkThreshold",
                          SpecValue(""),
                          MakeSpecAccessor(&Scheme::m_queue),
                          MakeSpecChecker<FabricQueueDisc>())
            .AddAttribute("HostQueue",
                          "Discipline of a host's own port; empty: pair if there is a Controller, "
                          "else what the host model says, else as at the other ports",
                          SpecValue(""),
                          MakeSpecAccessor(&Scheme::m_hostQueue),
                          MakeSpecChecker<FabricQueueDisc>())
            .AddAttribute("FlowControl",
                          "Flow control of the links, with its attributes, such as "
                          "priority:Buffer=128KiB; no queue of a switch has a limit of "
                          "its own then, unless Queue says so. none: none",
                          SpecValue("none"),
                          MakeSpecAccessor(&Scheme::m_flowControl),
                          MakeSpecChecker<FlowControl>())
            .AddAttribute("MarkThreshold",
                          "A port without a Queue of its own marks while more than this waits, in "
                          "bytes, packets or time at the link's rate; never: it does not mark",
                          QueueLimitValue(QueueLimit()),
                          MakeQueueLimitAccessor(&Scheme::m_markThreshold),
                          MakeQueueLimitChecker())
            .AddAttribute(
                "HostBuffer",
                "Queue of a host's port, in bytes, packets or time at the link's rate (AFQ "
                "leaves it open), with a default as EdgeBuffer's. It holds longer than TCP's "
                "MinRto: see the transport's Backlog",
                QueueLimitValue(QueueLimit(HOST_BUFFER)),
                MakeQueueLimitAccessor(&Scheme::m_hostBuffer),
                MakeQueueLimitChecker())
            .AddAttribute(
                "EdgeBuffer",
                "Queue of each port of a switch that hosts are attached to, in bytes, packets "
                "or time at the link's rate (AFQ Section 6.2.1; DRB Section 5: "
                "1048576ns); the default, where a MarkThreshold is more than a quarter of "
                "it, is four times that",
                QueueLimitValue(QueueLimit(EDGE_BUFFER)),
                MakeQueueLimitAccessor(&Scheme::m_edgeBuffer),
                MakeQueueLimitChecker())
            .AddAttribute(
                "CoreBuffer",
                "Queue of each port of any other switch, in bytes, packets or time at the "
                "link's rate (AFQ Section 6.2.1), with a default as EdgeBuffer's",
                QueueLimitValue(QueueLimit(CORE_BUFFER)),
                MakeQueueLimitAccessor(&Scheme::m_coreBuffer),
                MakeQueueLimitChecker())
            .AddAttribute("SharedBuffer",
                          "Packet memory that all ports of a switch share, in bytes; no queue of a "
                          "switch has a limit of its own then, unless Queue says so; 0B: a buffer "
                          "per port, as the other attributes say",
                          QueueLimitValue(QueueLimit("0B")),
                          MakeQueueLimitAccessor(&Scheme::m_sharedBuffer),
                          MakeQueueLimitChecker(LengthUnits::BYTES))
            .AddAttribute("SharedBufferAlpha",
                          "Dynamic threshold of a shared buffer: a port may hold this many times "
                          "the memory that is free (Choudhury and Hahne 1998)",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&Scheme::m_sharedAlpha),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("Stages",
                          "Stages at each port of a switch, such as mufab: specifications "
                          "separated by semicolons, in the order in which packets pass them",
                          SpecValue(""),
                          MakeSpecAccessor(&Scheme::m_stageSpecs),
                          MakeSpecChecker<PortStage>(true))
            .AddAttribute("StagesExcept",
                          "Names of switches without Stages, separated by commas, such as "
                          "core0,core1 (partial deployment of uFAB, Section 6)",
                          StringValue(""),
                          MakeStringAccessor(&Scheme::m_stagesExcept),
                          MakeStringChecker())
            .AddAttribute("Agents",
                          "Edge agents at each host, besides those that the scheme has anyhow: "
                          "specifications separated by semicolons, what leaves passes them in "
                          "this order",
                          SpecValue(""),
                          MakeSpecAccessor(&Scheme::m_agents),
                          MakeSpecChecker<EdgeAgent>(true))
            .AddAttribute("Controller",
                          "Hosts have a channel per VM pair, and this rules them, with its "
                          "attributes, such as window:Window=30000; empty: there are no channels",
                          SpecValue(""),
                          MakeSpecAccessor(&Scheme::m_controller),
                          MakeSpecChecker<PairController>())
            .AddAttribute("DefaultTenants",
                          "Who rents a network without --tenants: hosts:Share=0.5 (each host is a "
                          "VM of one tenant), groups:Share=0.1 (each group of flows is a tenant) "
                          "or none; empty: hosts if there is a Controller",
                          SpecValue(""),
                          MakeSpecAccessor(&Scheme::m_defaultTenants),
                          MakeSpecChecker<TenantSource>())
            .AddAttribute(
                "Answers",
                "Which channel the answers to a pair's data use: that of the reverse pair, "
                "or none (see ns3::PairEdge::Answers)",
                EnumValue(PairEdge::REVERSE_PAIR),
                MakeEnumAccessor<PairEdge::Answers>(&Scheme::m_answers),
                MakeEnumChecker(PairEdge::REVERSE_PAIR,
                                "ReversePair",
                                PairEdge::NO_PAIR,
                                "NoPair"));
    return tid;
}

Ptr<Scheme>
Scheme::Create(const Spec& spec)
{
    auto scheme = CreateFromSpec<Scheme>("--scheme", spec);
    scheme->m_name = spec.GetName();
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
Scheme::RefusePaths(const std::string& unless) const
{
    if (m_paths != FLOW_HASH)
    {
        throw InputError("--scheme Paths",
                         m_paths.ToString(),
                         std::string(FLOW_HASH) + ": " + GetName() +
                             " says itself which way each packet goes" + unless);
    }
}

Spec
Scheme::GetTransportSpecs() const
{
    return m_transport;
}

Ptr<Transport>
Scheme::CreateTransport(const std::string& argument,
                        const Spec& spec,
                        const std::map<std::string, std::string>& defaults) const
{
    std::map<std::string, std::string> all = defaults;
    if (!m_congestionOps.empty() &&
        IsTcp(LookupRegisteredName(argument, spec.GetName(), Transport::GetTypeId())))
    {
        all["CongestionOps"] = m_congestionOps;
    }
    return CreateFromSpec<Transport>(argument, spec, MakeAttributeValues(all));
}

Ptr<TenantSource>
Scheme::CreateDefaultTenants() const
{
    if (m_defaultTenants.IsEmpty() && m_controller.IsEmpty())
    {
        return nullptr;
    }
    return CreateFromSpec<TenantSource>("--scheme DefaultTenants",
                                        m_defaultTenants.IsEmpty() ? "hosts" : m_defaultTenants);
}

bool
Scheme::LimitsTenants() const
{
    return false;
}

void
Scheme::ConfigureFabric(Network& network)
{
    Fabric& fabric = *network.GetFabric();
    CheckParts();
    CheckTransports(network);
    m_hosts = network.GetHostModel();
    if (!m_controller.IsEmpty())
    {
        SetUpPairs(network);
    }
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

void
Scheme::CheckParts() const
{
    if (!m_stagesExcept.empty() && m_stageSpecs.IsEmpty())
    {
        throw InputError("--scheme StagesExcept", m_stagesExcept, "empty: there are no Stages");
    }
    if (m_sharedAlpha != 1.0 && !HasSharedBuffer())
    {
        throw InputError("--scheme SharedBufferAlpha",
                         NumberText(m_sharedAlpha),
                         "1: there is no SharedBuffer");
    }
}

void
Scheme::CheckTransports(const Network& network)
{
    const Transports& transports = *network.GetTransports();
    bool hasTcp = m_congestionOps.empty();
    std::string names;
    for (uint32_t i = 0; i < transports.GetN(); ++i)
    {
        const auto sizes = transports.Get(i)->GetPacketSizes();
        m_fullPacket = std::max(m_fullPacket, sizes.payload + sizes.header);
        hasTcp = hasTcp || IsTcp(transports.Get(i)->GetInstanceTypeId());
        names += (i > 0 ? ";" : "") + transports.GetName(i);
    }
    if (!hasTcp)
    {
        throw InputError(
            transports.GetArgument(),
            names,
            "this scheme needs TCP hosts: a transport with the attribute CongestionOps");
    }
}

void
Scheme::SetUpPairs(Network& network)
{
    const auto create = [spec = m_controller] {
        return CreateFromSpec<PairController>("--scheme Controller", spec);
    };
    create(); // refuses what is wrong here and not somewhere within Build()
    m_edge = CreateObjectWithAttributes<PairEdge>("Answers", EnumValue(m_answers));
    m_edge->Setup(network.GetFabric(), create);
    m_edge->SetTenants(network.GetTenants());
}

bool
Scheme::HasSharedBuffer() const
{
    return m_sharedBuffer != QueueLimit("0B");
}

bool
Scheme::HasFlowControl() const
{
    return !m_flowControl.IsEmpty() && m_flowControl != "none";
}

void
Scheme::DepartFromHostModel(const std::string& attribute, const Spec& value) const
{
    if (!value.IsEmpty())
    {
        m_hosts->Depart(GetName(), attribute, "has its own");
    }
}

Ptr<FabricQueueDisc>
Scheme::CreateOwnHostQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    const auto own =
        m_hostQueue.IsEmpty()
            ? CreateHostQueueDisc(port, buffer)
            : CreateRequestedQueueDisc("--scheme HostQueue", m_hostQueue, port, buffer);
    if (!own)
    {
        return CreateHostModelQueueDisc(port, buffer);
    }
    DepartFromHostModel("Queue", m_hosts->GetQueue());
    DepartFromHostModel("Mark", m_hosts->GetMark());
    return own;
}

Ptr<FabricQueueDisc>
Scheme::CreateHostModelQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    const std::string& mark = m_hosts->GetMark();
    Spec queue = m_hosts->GetQueue();
    if (queue.IsEmpty() && !m_queue.IsEmpty())
    {
        DepartFromHostModel("Mark", mark);
        return nullptr;
    }
    if (queue.IsEmpty() && mark.empty())
    {
        return nullptr;
    }
    if (queue.IsEmpty())
    {
        queue = "step-mark";
    }
    const auto threshold = mark.empty() ? QueueLimit() : QueueLimit::Parse("--hosts Mark", mark);
    const QueueSize room = SetsAttribute("--hosts Queue", queue, "MaxSize")
                               ? buffer
                               : FitBuffer("--hosts Mark", threshold, port, buffer);
    const auto disc = CreateRequestedQueueDisc("--hosts Queue", queue, port, room);
    if (!mark.empty() && !SetsAttribute("--hosts Queue", queue, "MarkThreshold") &&
        !disc->SetAttributeFailSafe("MarkThreshold", QueueLimitValue(threshold)))
    {
        throw InputError("--hosts Queue",
                         queue.ToString(),
                         "one that has a MarkThreshold, as drr, for Mark");
    }
    return disc;
}

Ptr<FabricQueueDisc>
Scheme::CreatePortQueueDisc(const FabricPort::Description& port) const
{
    const QueueSize buffer = GetBuffer(port);
    if (port.tier == 0)
    {
        if (const auto disc = CreateOwnHostQueueDisc(port, buffer))
        {
            return disc;
        }
    }
    return m_queue.IsEmpty() ? CreateQueueDisc(port, buffer)
                             : CreateRequestedQueueDisc("--scheme Queue", m_queue, port, buffer);
}

Ptr<SharedBuffer>
Scheme::GetSharedBuffer(const FabricPort::Description& port,
                        std::map<const FabricNode*, Ptr<SharedBuffer>>& buffers) const
{
    if (port.tier == 0 || !HasSharedBuffer())
    {
        return nullptr;
    }
    Ptr<SharedBuffer>& buffer = buffers[port.node];
    if (!buffer)
    {
        CheckSharedBuffer(m_fullPacket, "a full packet of the hosts");
        buffer = CreateObjectWithAttributes<SharedBuffer>("Size",
                                                          UintegerValue(m_sharedBuffer.GetBytes()),
                                                          "Alpha",
                                                          DoubleValue(m_sharedAlpha));
    }
    return buffer;
}

void
Scheme::CheckSharedBuffer(uint32_t fullPacket, const std::string& what) const
{
    if (!HasSharedBuffer())
    {
        return; // each port has a buffer of its own
    }
    const uint32_t bytes = m_sharedBuffer.GetBytes();
    const std::string size = m_sharedBuffer.ToString();
    const std::string need = what + ", " + std::to_string(fullPacket) + "B";
    if (bytes < fullPacket)
    {
        throw InputError("--scheme SharedBuffer", size, "must hold " + need);
    }
    const double most = m_sharedAlpha * bytes;
    if (most < fullPacket)
    {
        throw InputError("--scheme SharedBufferAlpha",
                         NumberText(m_sharedAlpha),
                         "leaves a port " + NumberText(most) + " of " + size +
                             ", which must hold " + need);
    }
}

QueueSize
Scheme::GetBuffer(const FabricPort::Description& port) const
{
    if (port.tier > 0 && (HasSharedBuffer() || HasFlowControl()))
    {
        // What a switch holds is limited where it came in, or all ports together.
        return QueueSize(QueueSizeUnit::PACKETS, UINT32_MAX);
    }
    switch (port.tier)
    {
    case 0:
        if (HasHostModelBuffer())
        {
            return CheckBuffer("--hosts Buffer",
                               QueueLimit::Parse("--hosts Buffer", m_hosts->GetBuffer()),
                               port.rate);
        }
        DepartFromHostModel("Buffer", m_hosts->GetBuffer());
        return CheckBuffer("--scheme HostBuffer", m_hostBuffer, port.rate);
    case 1:
        return CheckBuffer("--scheme EdgeBuffer", m_edgeBuffer, port.rate);
    default:
        return CheckBuffer("--scheme CoreBuffer", m_coreBuffer, port.rate);
    }
}

bool
Scheme::HasHostModelBuffer() const
{
    return m_hostBuffer == QueueLimit(HOST_BUFFER) && !m_hosts->GetBuffer().empty();
}

bool
Scheme::HasDefaultBuffer(const FabricPort::Description& port) const
{
    return port.tier == 0   ? m_hostBuffer == QueueLimit(HOST_BUFFER) && !HasHostModelBuffer()
           : port.tier == 1 ? m_edgeBuffer == QueueLimit(EDGE_BUFFER)
                            : m_coreBuffer == QueueLimit(CORE_BUFFER);
}

QueueSize
Scheme::CheckBuffer(const std::string& attribute, const QueueLimit& limit, DataRate rate) const
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
Scheme::CreateRequestedQueueDisc(const std::string& attribute,
                                 const Spec& spec,
                                 const FabricPort::Description& port,
                                 QueueSize buffer) const
{
    AttributeValues defaults;
    TypeId::AttributeInformation unused;
    if (LookupRegisteredName(attribute, spec.GetName(), FabricQueueDisc::GetTypeId())
            .LookupAttributeByName("MaxSize", &unused))
    {
        defaults["MaxSize"] = ns3::Create<QueueSizeValue>(buffer);
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
Scheme::GetMarkingBuffer(const FabricPort::Description& port, QueueSize buffer) const
{
    return FitBuffer("--scheme MarkThreshold", m_markThreshold, port, buffer);
}

QueueSize
Scheme::FitBuffer(const std::string& argument,
                  const QueueLimit& threshold,
                  const FabricPort::Description& port,
                  QueueSize buffer) const
{
    const QueueLimit limit = threshold.Resolve(argument, port.rate);
    const bool inBytes = limit.IsInBytes() && buffer.GetUnit() == QueueSizeUnit::BYTES;
    if (inBytes && !limit.IsNever() && HasDefaultBuffer(port))
    {
        // At high rates the threshold outgrows a buffer that is the same at all rates.
        const uint64_t room = std::min<uint64_t>(4ULL * limit.GetBytes(), UINT32_MAX - 1);
        return std::max(buffer, QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(room)));
    }
    if (!limit.IsNever() && !limit.IsWithin(buffer))
    {
        const std::string name = port.tier > 1          ? "CoreBuffer"
                                 : port.tier == 1       ? "EdgeBuffer"
                                 : HasHostModelBuffer() ? "Buffer of --hosts"
                                                        : "HostBuffer";
        throw InputError(argument,
                         threshold.ToString(),
                         "below " + name + ", " + QueueLimit(buffer).ToString() + " at " +
                             port.name + ", or never");
    }
    return buffer;
}

Ptr<FabricQueueDisc>
Scheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
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

Ptr<FabricQueueDisc>
Scheme::CreateHostQueueDisc(const FabricPort::Description& /* port */, QueueSize buffer) const
{
    return m_edge ? CreateObjectWithAttributes<PairQueueDisc>("MaxSize",
                                                              QueueLimitValue(QueueLimit(buffer)))
                  : nullptr;
}

/**
 * Resequencing is installed first: it is the last to see packets that arrive.
 */
void
Scheme::ConfigureNodes(Network& network)
{
    InstallResequencing(*network.GetFabric());
    if (m_edge)
    {
        InstallPairs(network);
    }
    InstallStages(*network.GetFabric());
}

void
Scheme::InstallResequencing(Fabric& fabric) const
{
    for (uint32_t host = 0; !m_resequencing.IsZero() && host < fabric.GetNHosts(); ++host)
    {
        const auto buffer = CreateResequencingBuffer();
        buffer->SetAttribute("Timeout", TimeValue(m_resequencing));
        fabric.GetHost(host).AddEdgeAgent(buffer);
    }
}

Ptr<ResequencingBuffer>
Scheme::CreateResequencingBuffer() const
{
    return CreateObject<ResequencingBuffer>();
}

void
Scheme::InstallPairs(const Network& network)
{
    const bool isOurs = m_hostQueue.IsEmpty();
    for (uint32_t host = 0; host < network.GetFabric()->GetNHosts(); ++host)
    {
        FabricPort& port = network.GetFabric()->GetHost(host).GetNicPort();
        if (!dynamic_cast<PairQueueDisc*>(&port.GetQueueDisc()))
        {
            throw InputError(isOurs ? "--scheme Controller" : "--scheme HostQueue",
                             (isOurs ? m_controller : m_hostQueue).ToString(),
                             isOurs ? "none: hosts' ports have a queue of this scheme"
                                    : "pair, with its attributes: what stands there holds VM "
                                      "pairs");
        }
    }
    m_edge->InstallAgents();
    m_edge->CheckPacketSize(m_fullPacket);
}

void
Scheme::InstallStages(Fabric& fabric)
{
    if (m_stageSpecs.IsEmpty())
    {
        return;
    }
    const auto specs = m_stageSpecs.GetItems("--scheme Stages");
    const auto without = FindSwitches(fabric, m_stagesExcept);
    fabric.ForEachPort([this, &fabric, &specs, &without](FabricPort& port) {
        if (port.GetDescription().tier == 0 || without.contains(port.GetDescription().node))
        {
            return;
        }
        for (const Spec& stage : specs)
        {
            m_stages.push_back(CreateFromSpec<PortStage>("--scheme Stages", stage));
            m_stages.back()->OnBuilt(fabric);
            port.AddStage(m_stages.back());
        }
    });
}

void
Scheme::InstallAgents(Network& network) const
{
    Fabric& fabric = *network.GetFabric();
    for (const Spec& agent : m_agents.GetItems("--scheme Agents"))
    {
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            fabric.GetHost(host).AddEdgeAgent(CreateFromSpec<EdgeAgent>("--scheme Agents", agent));
        }
    }
}

void
Scheme::ReportResults(const Network& /* network */, Results& results) const
{
    if (m_edge)
    {
        m_edge->ReportResults(results);
    }
}

/**
 * Beside other transports' items nobody knows which are one's own.
 */
void
Scheme::ConfigurePackets(const Network& network, PacketMaker& packets) const
{
    if (network.GetTransports()->GetN() == 1)
    {
        network.GetTransports()->Get(0)->ConfigurePackets(packets);
    }
    if (!m_controller.IsEmpty())
    {
        const auto controller = CreateFromSpec<PairController>("--scheme Controller", m_controller);
        if (auto writer = controller->CreateHeaderWriter())
        {
            packets.AddHeaderWriter(std::move(writer));
        }
    }
}

int64_t
Scheme::AssignStreams(int64_t stream)
{
    int64_t used = m_edge ? m_edge->AssignStreams(stream) : 0;
    for (const auto& stage : m_stages)
    {
        used += stage->AssignStreams(stream + used);
    }
    return used;
}

void
Scheme::DoDispose()
{
    m_hosts = nullptr;
    m_edge = nullptr;
    m_stages.clear();
    Object::DoDispose();
}

} // namespace ns3
