/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bouncing-scheme.h"

#include "bouncing-agent.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/flow-control.h"
#include "ns3/input-error.h"
#include "ns3/network.h"
#include "ns3/notice.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BouncingScheme);

namespace
{

constexpr uint16_t IPV4_HEADER = 20; ///< bytes of an IPv4 header without options

} // namespace

TypeId
BouncingScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::BouncingScheme")
            .SetParent<Scheme>()
            .SetGroupName("Drb")
            .AddConstructor<BouncingScheme>()
            .AddAttribute("Selector",
                          "In what order a server chooses bouncing switches for the packets of a "
                          "pair; empty: each connection keeps to one, by its 5-tuple",
                          SpecValue("digit-reversal"),
                          MakeSpecAccessor(&BouncingScheme::m_selector),
                          MakeSpecChecker<BouncingSelector>())
            .AddAttribute("OuterHeader",
                          "Bytes of the outer IPv4 header, on every link up to the bouncing switch "
                          "(Section 4; RFC 2003). The figures of Section 5 fit 0, those of the "
                          "testbed have 20",
                          UintegerValue(IPV4_HEADER),
                          MakeUintegerAccessor(&BouncingScheme::m_outerHeader),
                          MakeUintegerChecker<uint16_t>(0, 1000))
            .AddAttribute("WithinRack",
                          "Whether packets within a rack bounce, too (left open by the paper; "
                          "Theorem 1 holds with it)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&BouncingScheme::m_withinRack),
                          MakeBooleanChecker())
            .AddAttribute("TopologyUpdate",
                          "When servers learn of failures and repairs after time 0: from the "
                          "topology update protocol (Section 4.3), which begins with the first "
                          "one (OnChange) or runs from the beginning (Always), or at once and "
                          "without a protocol (AtOnce)",
                          EnumValue(TopologyUpdate::ON_CHANGE),
                          MakeEnumAccessor<TopologyUpdate::Mode>(&BouncingScheme::m_updateMode),
                          MakeEnumChecker(TopologyUpdate::ON_CHANGE,
                                          "OnChange",
                                          TopologyUpdate::ALWAYS,
                                          "Always",
                                          TopologyUpdate::AT_ONCE,
                                          "AtOnce"))
            .AddAttribute(
                "FailureDetection",
                "How a switch finds that a link to another has failed or works again: "
                "by hellos (Hello), or its port tells it at once (LinkDown)",
                EnumValue(TopologyUpdateSettings::HELLO),
                MakeEnumAccessor<TopologyUpdateSettings::Detection>(&BouncingScheme::m_detection),
                MakeEnumChecker(TopologyUpdateSettings::HELLO,
                                "Hello",
                                TopologyUpdateSettings::LINK_DOWN,
                                "LinkDown"))
            .AddAttribute("HelloInterval",
                          "Time from one hello to the next of a switch on each link to another "
                          "(not in the paper)",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&BouncingScheme::m_helloInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("AdvertisementInterval",
                          "Time from one advertisement to the next of a switch that finds nothing "
                          "new (not in the paper); 0: it makes none then",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&BouncingScheme::m_advertisementInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Flooding",
                "Where advertisements go: as the rules of Section 4.3 say (Scoped), or "
                "from every switch over every link (Unrestricted); servers never "
                "forward any",
                EnumValue(TopologyUpdateSettings::SCOPED),
                MakeEnumAccessor<TopologyUpdateSettings::Flooding>(&BouncingScheme::m_flooding),
                MakeEnumChecker(TopologyUpdateSettings::SCOPED,
                                "Scoped",
                                TopologyUpdateSettings::UNRESTRICTED,
                                "Unrestricted"));
    return tid;
}

PacketMaker::OuterDestination
BouncingScheme::GetOuterDestination() const
{
    if (m_outerHeader != IPV4_HEADER || !m_routes)
    {
        return {};
    }
    return [routes = m_routes](const FabricItem& item) {
        return routes->IsUpRoute(item.route)
                   ? std::optional(BouncingRoutes::GetAddress(routes->GetPoint(item.route)))
                   : std::nullopt;
    };
}

void
BouncingScheme::ConfigurePackets(const Network& network, PacketMaker& packets) const
{
    Scheme::ConfigurePackets(network, packets);
    packets.SetOuterDestination(GetOuterDestination());
}

void
BouncingScheme::ConfigureNodes(Network& network)
{
    Fabric& fabric = *network.GetFabric();
    m_routes = std::make_shared<BouncingRoutes>(fabric, GetName());
    if (m_routes->GetNPoints() == 0)
    {
        PrintNotice(GetName() +
                    ": no layer of switches above the racks, so packets have one way and go it "
                    "directly");
        SetAttribute("ResequencingTimeout", TimeValue(Time(0))); // they stay in order
        Scheme::ConfigureNodes(network);
        return;
    }
    RefusePaths("");
    CheckBuffers(network);
    Scheme::ConfigureNodes(network);
    InstallDecapsulators(fabric);
    InstallBouncingAgents(fabric);
}

void
BouncingScheme::CheckBuffers(const Network& network) const
{
    uint32_t fullPacket = 0;
    for (uint32_t i = 0; i < network.GetTransports()->GetN(); ++i)
    {
        const auto sizes = network.GetTransports()->Get(i)->GetPacketSizes();
        fullPacket = std::max(fullPacket, sizes.payload + sizes.header + m_outerHeader);
    }
    if (const auto flowControl = network.GetFabric()->GetFlowControl())
    {
        flowControl->CheckPacketSize(fullPacket);
    }
    CheckSharedBuffer(fullPacket, "a full packet of the hosts with the outer header");
    network.GetFabric()->ForEachPort([fullPacket](FabricPort& port) {
        const auto& description = port.GetDescription();
        QueueSizeValue limit;
        if (description.tier < description.peerTier &&
            port.GetQueueDisc().GetAttributeFailSafe("MaxSize", limit) &&
            limit.Get().GetUnit() == QueueSizeUnit::BYTES && limit.Get().GetValue() < fullPacket)
        {
            throw InputError("--scheme queue of " + description.name,
                             limit.SerializeToString(nullptr),
                             "must hold a full packet of the hosts with the outer header, " +
                                 std::to_string(fullPacket) + "B");
        }
    });
}

void
BouncingScheme::InstallBouncingAgents(Fabric& fabric)
{
    fabric.SetAttribute("RouteUpdateDelay", TimeValue(Time::Max())); // tables are static
    const TopologyUpdateSettings settings{m_detection,
                                          m_flooding,
                                          m_helloInterval,
                                          m_advertisementInterval};
    m_update = std::make_unique<TopologyUpdate>(fabric, m_routes, m_updateMode, settings);
    Ptr<BouncingSelector> selector;
    if (!m_selector.IsEmpty())
    {
        selector = CreateFromSpec<BouncingSelector>("--scheme Selector", m_selector);
        selector->SetLayers(m_routes->GetRadices());
    }
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        auto agent = CreateObject<BouncingAgent>();
        agent->Setup({m_routes, selector, m_outerHeader, m_withinRack});
        fabric.GetHost(host).AddEdgeAgent(agent);
        m_update->AddServer(PeekPointer(agent));
    }
}

int64_t
BouncingScheme::AssignStreams(int64_t stream)
{
    if (m_update)
    {
        m_update->SetStream(stream);
    }
    return 1 + Scheme::AssignStreams(stream + 1);
}

void
BouncingScheme::InstallDecapsulators(Fabric& fabric)
{
    std::set<uint32_t> switches;
    for (uint32_t point = 0; point < m_routes->GetNPoints(); ++point)
    {
        switches.insert(m_routes->GetSwitch(point));
    }
    for (const uint32_t index : switches)
    {
        FabricSwitch& node = fabric.GetSwitch(index);
        m_decapsulators.push_back(
            std::make_unique<Decapsulator>(node, fabric, m_routes, m_outerHeader));
        node.AddIngressStage(m_decapsulators.back().get());
    }
}

void
BouncingScheme::ReportResults(const Network& network, Results& results) const
{
    Scheme::ReportResults(network, results);
    const Fabric& fabric = *network.GetFabric();
    results.Add("bouncing_points", m_routes->GetNPoints());
    ReportTables(fabric, results);
    if (m_update && m_update->HasEvents())
    {
        ReportFailures(fabric, results);
    }
}

void
BouncingScheme::ReportFailures(const Fabric& fabric, Results& results) const
{
    uint64_t noPoint = 0;
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        for (const auto& agent : fabric.GetHost(host).GetEdgeAgents())
        {
            const auto bouncing = DynamicCast<BouncingAgent>(agent);
            noPoint += bouncing ? bouncing->GetNoPointDrops() : 0;
        }
    }
    results.Add("dropped_without_point_packets", static_cast<double>(noPoint));
    const auto& changes = m_update->GetChanges();
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        const std::string name = "change" + std::to_string(i + 1);
        results.Add(name + "_s", changes[i].time.GetSeconds());
        if (changes[i].views > 0)
        {
            results.Add(name + "_first_server_told_s", changes[i].firstTold.GetSeconds());
            results.Add(name + "_last_server_told_s", changes[i].lastTold.GetSeconds());
        }
    }
    if (m_update->IsRunning())
    {
        const auto counts = m_update->GetCounts();
        results.Add("hellos_sent", static_cast<double>(counts.hellos));
        results.Add("advertisements_made", static_cast<double>(counts.originated));
        results.Add("advertisements_sent", static_cast<double>(counts.advertisements));
        results.Add("advertisements_repeated",
                    static_cast<double>(counts.duplicates + counts.receivedDuplicates));
        results.Add("advertisements_received_by_servers", static_cast<double>(counts.received));
        results.Add("advertising_switches", counts.originators);
        results.Add("broadcasting_switches", counts.broadcasters);
    }
}

void
BouncingScheme::ReportTables(const Fabric& fabric, Results& results) const
{
    std::map<uint32_t, uint32_t> largest; // by tier
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        uint32_t& entries = largest[fabric.GetSwitch(i).GetTier()];
        entries = std::max(entries, m_routes->GetNEntries(i));
    }
    for (const auto& [tier, entries] : largest)
    {
        results.Add("table_tier" + std::to_string(tier) + "_entries", entries);
    }
}

} // namespace ns3
