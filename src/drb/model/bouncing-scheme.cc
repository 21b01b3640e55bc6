/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bouncing-scheme.h"

#include "bouncing-agent.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BouncingScheme);

TypeId
BouncingScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::BouncingScheme")
            .SetParent<TcpHostScheme>()
            .SetGroupName("Drb")
            .AddAttribute("OuterHeader",
                          "Bytes of the outer IPv4 header, on every link up to the bouncing switch "
                          "(Section 4; RFC 2003)",
                          UintegerValue(20),
                          MakeUintegerAccessor(&BouncingScheme::m_outerHeader),
                          MakeUintegerChecker<uint16_t>(0, 1000))
            .AddAttribute("WithinRack",
                          "Whether packets within a rack bounce, too (left open by the paper; "
                          "Theorem 1 holds with it)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&BouncingScheme::m_withinRack),
                          MakeBooleanChecker())
            .AddAttribute("MarkThreshold",
                          "Bytes waiting at a 1 Gbit/s port above which it marks, other rates in "
                          "proportion (Section 5.5: 32 KB at 1 Gbit/s, 160 KB at 5 Gbit/s); 0: no "
                          "port marks (Section 5)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&BouncingScheme::m_markThreshold),
                          MakeUintegerChecker<uint32_t>(0, 100'000'000));
    return tid;
}

std::string
BouncingScheme::GetCongestionOps() const
{
    return "ns3::TcpLinuxReno";
}

Time
BouncingScheme::GetDefaultResequencingTimeout() const
{
    return MilliSeconds(10); // Section 5
}

Ptr<FabricQueueDisc>
BouncingScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    if (m_markThreshold == 0 || port.tier == 0)
    {
        return TcpHostScheme::CreateQueueDisc(port, buffer);
    }
    return CreateMarkingQueueDisc(port, buffer, m_markThreshold);
}

Ptr<Transport>
BouncingScheme::CreateTransport(const std::string& spec)
{
    m_hosts = TcpHostScheme::CreateTransport(spec);
    return m_hosts;
}

std::string
BouncingScheme::GetName() const
{
    return GetRegisteredName(GetInstanceTypeId(), Scheme::GetTypeId());
}

void
BouncingScheme::ConfigureNodes(Fabric& fabric)
{
    m_routes = std::make_shared<BouncingRoutes>(fabric, GetName());
    if (m_routes->GetNPoints() == 0)
    {
        std::cerr << GetName() << ": no layer of switches above the racks, so packets have one way "
                  << "and go it directly" << std::endl;
        return; // packets of one way stay in order, so hosts need not restore it
    }
    TcpHostScheme::ConfigureNodes(fabric);
    InstallDecapsulators(fabric);
    auto selector = CreateSelector();
    selector->SetLayers(m_routes->GetRadices());
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        auto agent = CreateObject<BouncingAgent>();
        agent->Setup({m_routes, selector, PeekPointer(m_hosts), m_outerHeader, m_withinRack});
        fabric.GetHost(host).AddEdgeAgent(agent);
    }
    fabric.TraceConnectWithoutContext("LinkState",
                                      MakeCallback(&BouncingScheme::RefuseFailure, this));
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
BouncingScheme::RefuseFailure(uint32_t link, bool /* up */)
{
    // Servers would go on to use the link: they are told of failures by nobody.
    throw InputError("--scheme",
                     GetName(),
                     "bouncing needs links that work; link " + std::to_string(link) + " failed");
}

void
BouncingScheme::ReportResults(const Fabric& fabric,
                              const std::function<void(const std::string&, double)>& report) const
{
    report("bouncing_points", m_routes->GetNPoints());
    ReportTables(fabric, report);
    ResequencingBuffer::Statistics sum;
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        for (const auto& agent : fabric.GetHost(host).GetEdgeAgents())
        {
            if (const auto buffer = DynamicCast<ResequencingBuffer>(agent))
            {
                sum.data += buffer->GetStatistics().data;
                sum.held += buffer->GetStatistics().held;
                sum.expired += buffer->GetStatistics().expired;
                sum.delay += buffer->GetStatistics().delay;
                sum.peak = std::max(sum.peak, buffer->GetStatistics().peak);
            }
        }
    }
    if (sum.data > 0)
    {
        const auto data = static_cast<double>(sum.data);
        report("resequencing_held_share", static_cast<double>(sum.held) / data);
        report("resequencing_delay_mean_us", TimeStep(sum.delay).ToDouble(Time::US) / data);
        report("resequencing_held_peak_packets", sum.peak);
        report("resequencing_expired_gaps", static_cast<double>(sum.expired));
    }
}

void
BouncingScheme::ReportTables(const Fabric& fabric,
                             const std::function<void(const std::string&, double)>& report) const
{
    std::map<uint32_t, uint32_t> largest; // by tier
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        uint32_t& entries = largest[fabric.GetSwitch(i).GetTier()];
        entries = std::max(entries, m_routes->GetNEntries(i));
    }
    for (const auto& [tier, entries] : largest)
    {
        report("table_tier" + std::to_string(tier) + "_entries", entries);
    }
}

void
BouncingScheme::DoDispose()
{
    m_hosts = nullptr;
    TcpHostScheme::DoDispose();
}

} // namespace ns3
