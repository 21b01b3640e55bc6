/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric.h"

#include "drop-tail-queue-disc.h"
#include "flow-control.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/uinteger.h"

#include <map>
#include <set>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Fabric");
NS_OBJECT_ENSURE_REGISTERED(Fabric);

TypeId
Fabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Fabric")
            .SetParent<Object>()
            .SetGroupName("Fabric")
            .AddConstructor<Fabric>()
            .AddAttribute("FrameOverhead",
                          "Bytes that each packet costs on a link beyond its IP datagram (Ethernet "
                          "with preamble and gap: 38); the papers count IP bytes, hence 0",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Fabric::m_frameOverhead),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("ForwardingDelay",
                          "Time from the arrival of a packet's last bit at a switch until it is "
                          "forwarded; the papers leave it out, hence 0",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Fabric::m_forwardingDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RouteUpdateDelay",
                          "Time from a failure or repair until switches forward accordingly; the "
                          "longest that there is: they never do",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Fabric::m_routeUpdateDelay),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("LinkState",
                            "A link failed or was repaired",
                            MakeTraceSourceAccessor(&Fabric::m_linkStateTrace),
                            "ns3::Fabric::LinkStateTracedCallback");
    return tid;
}

Fabric::Fabric()
    : m_tierNames{"host"},
      m_makeQueueDisc(
          [](const FabricPort::Description&) { return CreateObject<DropTailQueueDisc>(); }),
      m_makeSelector([] { return CreateObject<FlowHashPathSelector>(); }),
      m_over(std::make_shared<FlowBlock>())
{
    AddFlowBlock();
}

Fabric::~Fabric() = default;

void
Fabric::DoDispose()
{
    for (const auto& host : m_hosts)
    {
        for (const auto& agent : host->m_agents)
        {
            agent->Dispose();
        }
    }
    if (m_flowControl)
    {
        m_flowControl->Dispose(); // holds items of the ports
    }
    if (m_built)
    {
        ForEachPort([](FabricPort& port) { port.GetQueueDisc().Dispose(); });
    }
    m_hosts.clear();
    m_switches.clear();
    m_makeQueueDisc = nullptr;
    m_makeSelector = nullptr;
    Object::DoDispose();
}

void
Fabric::SetTierNames(std::vector<std::string> names)
{
    m_tierNames = std::move(names);
}

Fabric::End
Fabric::AddHost()
{
    NS_ASSERT_MSG(!m_routing, "the fabric is wired");
    const auto index = static_cast<uint32_t>(m_hosts.size());
    m_hosts.push_back(std::make_unique<FabricHost>());
    m_hosts.back()->m_fabric = this;
    m_hosts.back()->m_index = index;
    m_hosts.back()->m_context = index;
    return {true, index};
}

Fabric::End
Fabric::AddSwitch(uint32_t tier)
{
    NS_ASSERT_MSG(!m_routing, "the fabric is wired");
    NS_ASSERT_MSG(tier >= 1 && tier < m_tierNames.size(), "tier " << tier << " has no name");
    const auto index = static_cast<uint32_t>(m_switches.size());
    m_tierSizes.resize(m_tierNames.size());
    const uint32_t peers = m_tierSizes[tier]++;
    m_switches.push_back(std::make_unique<FabricSwitch>());
    m_switches.back()->m_tier = tier;
    m_switches.back()->m_name = m_tierNames[tier] + std::to_string(peers);
    return {false, index};
}

uint32_t
Fabric::Connect(End a, End b, DataRate rate, Time delay)
{
    NS_ASSERT_MSG(!m_routing, "the fabric is wired");
    NS_ASSERT_MSG(!(a.isHost && b.isHost), "a host is attached to a switch");
    const auto link = static_cast<uint32_t>(m_links.size());
    if (link == MAX_LINKS)
    {
        throw InputError("--topology",
                         "more than " + std::to_string(MAX_LINKS) + " links",
                         "at most so many; each takes some 4 KB of memory");
    }
    const auto portA = static_cast<uint16_t>(GetNode(a).m_nPorts++);
    const auto portB = static_cast<uint16_t>(GetNode(b).m_nPorts++);
    m_links.push_back({a, b, rate, delay, portA, portB});
    return link;
}

void
Fabric::SetQueueDiscFactory(QueueDiscFactory factory)
{
    m_makeQueueDisc = std::move(factory);
}

void
Fabric::SetPathSelector(const ObjectFactory& factory)
{
    SetPathSelectorFactory([factory] { return factory.Create<PathSelector>(); });
}

void
Fabric::SetPathSelectorFactory(PathSelectorFactory factory)
{
    m_makeSelector = std::move(factory);
}

void
Fabric::SetFlowControl(Ptr<FlowControl> control)
{
    NS_ASSERT_MSG(!m_built, "the fabric is built");
    m_flowControl = control;
}

Ptr<FlowControl>
Fabric::GetFlowControl() const
{
    return m_flowControl;
}

void
Fabric::SetHostContext(uint32_t host, uint32_t context)
{
    NS_ASSERT_MSG(!m_routing, "the fabric is wired");
    m_hosts.at(host)->m_context = context;
}

FabricNode&
Fabric::GetNode(End end) const
{
    return end.isHost ? static_cast<FabricNode&>(*m_hosts.at(end.index))
                      : static_cast<FabricNode&>(*m_switches.at(end.index));
}

uint32_t
Fabric::GetTier(End end) const
{
    return end.isHost ? 0 : m_switches[end.index]->m_tier;
}

void
Fabric::Wire()
{
    NS_ASSERT_MSG(!m_routing, "the fabric is wired");
    NS_LOG_INFO(m_hosts.size() << " hosts, " << m_switches.size() << " switches, " << m_links.size()
                               << " links");
    AllocatePorts();
    LocateHosts();
    for (uint32_t i = 0; i < m_links.size(); ++i)
    {
        WirePort(m_links[i], i, true);
        WirePort(m_links[i], i, false);
    }
    m_routing = std::make_unique<FabricRouting>(*this);
}

void
Fabric::Build()
{
    NS_ASSERT_MSG(!m_built, "the fabric is built");
    if (!m_routing)
    {
        Wire();
    }
    for (uint32_t i = 0; i < m_links.size(); ++i)
    {
        for (FabricPort* port : GetLink(i))
        {
            port->SetQueueDisc(m_makeQueueDisc(port->GetDescription()));
        }
    }
    for (const auto& s : m_switches)
    {
        s->m_selector = PathSelector::Log(m_makeSelector());
        s->m_chooser = PeekPointer(s->m_selector);
        s->m_selector->SetSwitch(*s);
        s->m_locations = m_locations.data();
    }
    m_built = true;
    if (m_flowControl)
    {
        m_flowControl->Install(*this);
    }
}

void
Fabric::AllocatePorts()
{
    for (const auto& host : m_hosts)
    {
        NS_ASSERT_MSG(host->m_nPorts == 1, "host " << host->m_index << " needs one link");
        host->m_ports = std::make_unique<FabricPort[]>(1);
    }
    auto context = static_cast<uint32_t>(m_hosts.size());
    for (const auto& s : m_switches)
    {
        s->m_context = context++;
        s->m_ports = std::make_unique<FabricPort[]>(s->m_nPorts);
    }
}

void
Fabric::LocateHosts()
{
    m_locations.resize(m_hosts.size());
    for (const LinkSpec& link : m_links)
    {
        if (!link.a.isHost && !link.b.isHost)
        {
            continue;
        }
        const auto [host, node, port] = link.a.isHost
                                            ? std::tuple{link.a.index, link.b.index, link.portB}
                                            : std::tuple{link.b.index, link.a.index, link.portA};
        FabricSwitch& rackSwitch = *m_switches[node];
        if (rackSwitch.m_rack == FabricSwitch::NO_RACK)
        {
            if (m_racks.size() == FabricSwitch::NO_RACK)
            {
                throw InputError("--topology",
                                 "more than " + std::to_string(FabricSwitch::NO_RACK) + " racks",
                                 "racks have numbers of 16 bits");
            }
            rackSwitch.m_rack = static_cast<uint16_t>(m_racks.size());
            m_racks.push_back(node);
        }
        m_locations[host] = {rackSwitch.m_rack, rackSwitch.AddHost(port)};
    }
}

void
Fabric::WirePort(const LinkSpec& link, uint32_t number, bool fromA)
{
    const End from = fromA ? link.a : link.b;
    const End to = fromA ? link.b : link.a;
    FabricNode& node = GetNode(from);
    FabricPort::Description description;
    description.index = fromA ? link.portA : link.portB;
    description.peerPort = fromA ? link.portB : link.portA;
    description.tier = GetTier(from);
    description.peerTier = GetTier(to);
    description.name = (from.isHost ? m_tierNames[0] + std::to_string(from.index)
                                    : m_switches[from.index]->m_name) +
                       ":" + std::to_string(description.index);
    description.role = m_tierNames[description.tier] + "-" + m_tierNames[description.peerTier];
    description.rate = link.rate;
    description.forwarding = to.isHost ? Time(0) : m_forwardingDelay;
    description.delay = link.delay + description.forwarding;
    description.node = &node;
    description.peer = &GetNode(to);
    description.link = number;
    description.fabric = this;
    FabricPort& port = node.m_ports[description.index];
    port.Connect(description, m_frameOverhead);
}

int64_t
Fabric::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    for (const auto& s : m_switches)
    {
        stream += s->m_selector->AssignStreams(stream);
    }
    for (const auto& host : m_hosts)
    {
        for (const auto& agent : host->m_agents)
        {
            stream += agent->AssignStreams(stream);
        }
    }
    ForEachPort(
        [&stream](FabricPort& port) { stream += port.GetQueueDisc().AssignStreams(stream); });
    return stream - first;
}

uint32_t
Fabric::GetNHosts() const
{
    return static_cast<uint32_t>(m_hosts.size());
}

uint32_t
Fabric::GetNSwitches() const
{
    return static_cast<uint32_t>(m_switches.size());
}

uint32_t
Fabric::GetNLinks() const
{
    return static_cast<uint32_t>(m_links.size());
}

FabricHost&
Fabric::GetHost(uint32_t index) const
{
    return *m_hosts.at(index);
}

FabricSwitch&
Fabric::GetSwitch(uint32_t index) const
{
    return *m_switches.at(index);
}

std::array<FabricPort*, 2>
Fabric::GetLink(uint32_t link) const
{
    const LinkSpec& spec = m_links.at(link);
    return {&GetNode(spec.a).m_ports[spec.portA], &GetNode(spec.b).m_ports[spec.portB]};
}

void
Fabric::ForEachPort(const std::function<void(FabricPort&)>& visit) const
{
    for (const auto& host : m_hosts)
    {
        visit(host->m_ports[0]);
    }
    for (const auto& s : m_switches)
    {
        for (uint32_t i = 0; i < s->m_nPorts; ++i)
        {
            visit(s->m_ports[i]);
        }
    }
}

void
Fabric::ReportResults(Results& results) const
{
    std::set<const PortStage*> reported;
    ForEachPort([&results, &reported](const FabricPort& port) {
        const bool isHost = port.GetDescription().tier == 0;
        results.SetSource(
            {isHost ? "host-port" : "switch-port", port.GetDescription().name, !isHost});
        port.GetQueueDisc().ReportResults(results);
        for (const auto& stage : port.GetStages())
        {
            if (reported.insert(PeekPointer(stage)).second)
            {
                stage->ReportResults(results);
            }
        }
    });
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        results.SetSource({"host", "host" + std::to_string(host)});
        for (const auto& agent : GetHost(host).GetEdgeAgents())
        {
            agent->ReportResults(results);
        }
    }
    if (m_flowControl)
    {
        results.SetSource(
            {"flow-control",
             GetRegisteredName(m_flowControl->GetInstanceTypeId(), FlowControl::GetTypeId())});
        m_flowControl->ReportResults(results);
    }
}

DataRate
Fabric::GetCapacity(const std::string& role) const
{
    uint64_t capacity = 0;
    ForEachPort([&](const FabricPort& port) {
        if (port.GetDescription().role == role)
        {
            capacity += port.GetDescription().rate.GetBitRate();
        }
    });
    return DataRate(capacity);
}

std::vector<std::string>
Fabric::GetRoles() const
{
    std::vector<std::string> roles;
    ForEachPort([&](const FabricPort& port) {
        const std::string& role = port.GetDescription().role;
        if (std::find(roles.begin(), roles.end(), role) == roles.end())
        {
            roles.push_back(role);
        }
    });
    return roles;
}

double
Fabric::GetCrossingProbability(const std::string& role) const
{
    // All hosts of a rack take the same ways, so one pair of hosts stands for its pair of racks.
    std::vector<uint32_t> sizes(m_racks.size());
    std::vector<uint32_t> first(m_racks.size());
    std::vector<uint32_t> second(m_racks.size());
    for (uint32_t host = 0; host < m_hosts.size(); ++host)
    {
        const uint16_t rack = m_locations[host].rack;
        (sizes[rack] == 0 ? first : second)[rack] = host;
        ++sizes[rack];
    }
    double crossing = 0;
    for (uint32_t a = 0; a < sizes.size(); ++a)
    {
        for (uint32_t b = 0; b < sizes.size(); ++b)
        {
            const double pairs = a == b ? sizes[a] * (sizes[a] - 1.0) : 1.0 * sizes[a] * sizes[b];
            if (pairs == 0)
            {
                continue;
            }
            const auto path = GetPath(first[a], a == b ? second[b] : first[b]);
            const bool crosses = std::any_of(path.begin(), path.end(), [&](const FabricPort* p) {
                return p->GetDescription().role == role;
            });
            crossing += crosses ? pairs : 0;
        }
    }
    return crossing / (m_hosts.size() * (m_hosts.size() - 1.0));
}

HostLocation
Fabric::GetLocation(uint32_t host) const
{
    return m_locations.at(host);
}

uint32_t
Fabric::GetNRacks() const
{
    return static_cast<uint32_t>(m_racks.size());
}

uint32_t
Fabric::GetRackSwitch(uint16_t rack) const
{
    return m_racks.at(rack);
}

uint32_t
Fabric::GetSwitchIndex(const FabricNode& node) const
{
    return node.GetContext() - static_cast<uint32_t>(m_hosts.size()); // as AllocatePorts() numbers
}

std::vector<const FabricPort*>
Fabric::GetPath(uint32_t source, uint32_t destination) const
{
    std::vector<const FabricPort*> path{&m_hosts.at(source)->m_ports[0]};
    const HostLocation location = m_locations.at(destination);
    while (true)
    {
        auto node = dynamic_cast<FabricSwitch*>(path.back()->GetDescription().peer);
        if (!node)
        {
            return path;
        }
        if (location.rack == node->m_rack)
        {
            path.push_back(node->GetHostPort(location.slot));
            continue;
        }
        const auto next = node->GetNextHops(location.rack);
        if (next.empty())
        {
            return {};
        }
        path.push_back(&node->m_ports[next.front()]);
    }
}

PathTable&
Fabric::GetPathTable()
{
    NS_ASSERT_MSG(m_routing, "paths are those of a wired fabric");
    if (!m_paths)
    {
        m_paths = std::make_unique<PathTable>(*this);
    }
    return *m_paths;
}

uint32_t
Fabric::AddEndpoints(ItemSink* receiver, ItemSink* sender, const FlowTag& tag)
{
    ++m_lastFlow; // flow 0 is the hosts' devices
    if (m_lastFlow % FlowBlock::SIZE == 0)
    {
        AddFlowBlock();
    }
    FlowBlock& block = *m_flows.back();
    block.endpoints[m_lastFlow % FlowBlock::SIZE] = {receiver, sender};
    block.tags[m_lastFlow % FlowBlock::SIZE] = tag;
    ++block.present;
    return m_lastFlow;
}

void
Fabric::AddFlowBlock()
{
    constexpr uint32_t KEPT = FlowBlock::KEPT / FlowBlock::SIZE;
    m_flows.push_back(std::make_shared<FlowBlock>());
    if (m_flows.size() > KEPT)
    {
        m_oldBlocks.push_back(static_cast<uint32_t>(m_flows.size() - 1 - KEPT));
    }
    std::erase_if(m_oldBlocks, [this](uint32_t index) {
        const bool isOver = m_flows[index]->present == 0;
        if (isOver)
        {
            m_flows[index] = m_over;
        }
        return isOver;
    });
}

void
Fabric::RemoveEndpoints(uint32_t flow)
{
    FlowBlock& block = *m_flows.at(flow / FlowBlock::SIZE);
    block.present -= IsOver(flow) ? 0 : 1;
    block.endpoints[flow % FlowBlock::SIZE] = {};
}

void
Fabric::ApplyLinkState(const LinkSpec& link)
{
    const bool up = link.up && (link.a.isHost || m_switches[link.a.index]->m_up) &&
                    (link.b.isHost || m_switches[link.b.index]->m_up);
    FabricPort& port = GetNode(link.a).m_ports[link.portA];
    const bool changes = port.IsUp() != up;
    port.SetUp(up);
    GetNode(link.b).m_ports[link.portB].SetUp(up);
    if (changes)
    {
        m_linkStateTrace(port.GetDescription().link, up);
    }
}

void
Fabric::SetLinkUp(uint32_t link, bool up)
{
    NS_ASSERT_MSG(m_built, "links fail once the fabric is built");
    LinkSpec& spec = m_links.at(link);
    spec.up = up;
    ApplyLinkState(spec);
    m_routing->Update(m_routeUpdateDelay);
}

void
Fabric::SetSwitchUp(uint32_t index, bool up)
{
    NS_ASSERT_MSG(m_built, "switches fail once the fabric is built");
    m_switches.at(index)->m_up = up;
    for (const LinkSpec& link : m_links)
    {
        if ((!link.a.isHost && link.a.index == index) || (!link.b.isHost && link.b.index == index))
        {
            ApplyLinkState(link);
        }
    }
    m_routing->Update(m_routeUpdateDelay);
}

} // namespace ns3
