/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pair-edge.h"

#include "pair-agent.h"
#include "pair-queue-disc.h"
#include "report-carrier.h"

#include "ns3/enum.h"
#include "ns3/flow-hash.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/report-header.h"
#include "ns3/results.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PairEdge");
NS_OBJECT_ENSURE_REGISTERED(PairEdge);

namespace
{

/// Class of reports in the fabric, that of guaranteed traffic (Trinity, Section 4.1).
constexpr uint8_t REPORT_PRIORITY = 0;

/// Bytes by which a packet grows that a report rides on: an IP option (a choice).
constexpr uint16_t REPORT_OPTION = 8;

} // namespace

TypeId
PairEdge::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PairEdge")
            .SetParent<Object>()
            .SetGroupName("Edge")
            .AddConstructor<PairEdge>()
            .AddAttribute(
                "Answers",
                "Which channel the answers to a pair's data use: that of the reverse pair, "
                "whose traffic they are (Trinity Section 3.1), or none, so that they are "
                "neither held nor counted",
                EnumValue(PairEdge::REVERSE_PAIR),
                MakeEnumAccessor<Answers>(&PairEdge::m_answers),
                MakeEnumChecker(PairEdge::REVERSE_PAIR, "ReversePair", PairEdge::NO_PAIR, "NoPair"))
            .AddAttribute("ReportSize",
                          "IP datagram of a report in bytes (Trinity Section 4.1: 64 bytes on the "
                          "wire, 18 of them Ethernet)",
                          UintegerValue(46),
                          MakeUintegerAccessor(&PairEdge::m_reportSize),
                          MakeUintegerChecker<uint16_t>(20, 1500))
            .AddAttribute("ReportDscp",
                          "DSCP of reports; that of network control by default",
                          UintegerValue(48),
                          MakeUintegerAccessor(&PairEdge::m_reportDscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("ReportPatience",
                          "Most that a report waits for a packet of the reverse pair to ride on, "
                          "before it goes as a packet of its own; 0: reports do not ride (as in "
                          "Trinity's prototype; its Section 4.1 says they could)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PairEdge::m_reportPatience),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Report",
                            "A report came that is newer than those before",
                            MakeTraceSourceAccessor(&PairEdge::m_reportTrace),
                            "ns3::PairEdge::ReportTracedCallback");
    return tid;
}

PairEdge::PairEdge() = default;

PairEdge::~PairEdge() = default;

void
PairEdge::DoDispose()
{
    if (m_tenants)
    {
        m_tenants->TraceDisconnectWithoutContext("Changed",
                                                 MakeCallback(&PairEdge::HandleChange, this));
    }
    for (Host& host : m_hosts)
    {
        if (host.controller)
        {
            host.controller->Dispose();
        }
    }
    m_hosts.clear();
    m_pairs.clear();
    m_channels.clear();
    m_makeController = nullptr;
    m_fabric = nullptr;
    m_tenants = nullptr;
    Object::DoDispose();
}

void
PairEdge::Setup(Ptr<Fabric> fabric, ControllerFactory controller)
{
    m_fabric = PeekPointer(fabric);
    m_makeController = std::move(controller);
    m_flow = fabric->AddEndpoints(this, this);
    fabric->AggregateObject(this);
}

void
PairEdge::SetTenants(Ptr<TenantTable> tenants)
{
    m_tenants = tenants;
    tenants->TraceConnectWithoutContext("Changed", MakeCallback(&PairEdge::HandleChange, this));
    for (const Host& host : m_hosts)
    {
        if (host.disc)
        {
            host.disc->UpdateDefaultWeight();
        }
    }
}

void
PairEdge::AddHost(uint32_t host, PairQueueDisc& disc)
{
    m_hosts.resize(std::max<size_t>(m_hosts.size(), host + 1));
    m_hosts[host].disc = &disc;
    m_hosts[host].controller = m_makeController();
    m_hosts[host].controller->Install(*this, host);
    if (m_tenants)
    {
        disc.UpdateDefaultWeight();
    }
}

void
PairEdge::InstallAgents()
{
    for (uint32_t host = 0; host < m_hosts.size(); ++host)
    {
        if (!m_hosts[host].controller)
        {
            continue;
        }
        m_hosts[host].controller->OnBuilt();
        if (m_hosts[host].controller->HasReceivers())
        {
            m_fabric->GetHost(host).AddEdgeAgent(CreateObject<PairAgent>(*this));
            if (m_reportPatience.IsStrictlyPositive())
            {
                auto& carrier = m_hosts[host].carrier;
                carrier = CreateObject<ReportCarrier>(*this, m_reportPatience, REPORT_OPTION);
                m_fabric->GetHost(host).GetNicPort().AddStage(carrier);
            }
        }
    }
}

void
PairEdge::CheckPacketSize(uint32_t bytes) const
{
    for (const Host& host : m_hosts)
    {
        const auto depth = host.controller ? host.controller->GetBucketDepth() : std::nullopt;
        if (depth && bytes > *depth)
        {
            throw InputError("BucketDepth",
                             std::to_string(*depth),
                             "at least the size of every packet; there is one of " +
                                 std::to_string(bytes) + " bytes");
        }
    }
}

int64_t
PairEdge::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const Host& host : m_hosts)
    {
        used += host.controller ? host.controller->AssignStreams(stream + used) : 0;
    }
    return used;
}

PairEdge::Pair&
PairEdge::GetEnds(uint32_t pair)
{
    if (pair >= m_pairs.size()) [[unlikely]]
    {
        m_pairs.resize(m_tenants->GetNPairs());
    }
    return m_pairs.at(pair);
}

std::unique_ptr<PairChannel>
PairEdge::CreateChannel(uint32_t pair)
{
    NS_ASSERT_MSG(!FindChannel(pair), "pair " << pair << " has a channel");
    const VmPair& vms = m_tenants->GetVmPair(pair);
    NS_LOG_LOGIC("channel of pair " << pair << ", VM " << vms.from << " to VM " << vms.to);
    auto channel = GetController(m_tenants->GetVm(vms.from).host).CreateChannel(pair);
    m_channels.resize(std::max<size_t>(m_channels.size(), m_tenants->GetNPairs()));
    m_channels.at(pair) = channel.get();
    return channel;
}

void
PairEdge::Receive(uint32_t pair, FabricItem& item)
{
    Pair& ends = GetEnds(pair);
    PairController& controller = GetController(item.destination);
    if (!ends.receiver) [[unlikely]]
    {
        ends.receiver = controller.CreateReceiver(pair);
    }
    controller.OnReceive(*ends.receiver, item, DirectEvent::Now());
}

void
PairEdge::SendReport(const PairReport& report)
{
    if (const auto& carrier = m_hosts[m_tenants->GetDestination(report.pair)].carrier)
    {
        carrier->Take(report);
    }
    else
    {
        SendReportPacket(report);
    }
}

void
PairEdge::CountRide()
{
    ++m_statistics.sent;
    ++m_statistics.rode;
}

void
PairEdge::UnloadReport(FabricItem& item)
{
    const PairReport report = ReportCarrier::Unload(item, REPORT_OPTION);
    if (report.sequence > 0)
    {
        HandleReport(report, item.destination);
    }
}

void
PairEdge::SendReportPacket(const PairReport& report)
{
    const uint32_t from = m_tenants->GetDestination(report.pair);
    const uint32_t to = m_tenants->GetSource(report.pair);
    FabricItem* item = FabricItem::Create();
    item->SetClass(FabricItem::CONTROL);
    item->kind |= FabricItem::TOWARDS_SENDER;
    item->flow = m_flow;
    item->source = from;
    item->destination = to;
    item->size = m_reportSize;
    item->tos = static_cast<uint8_t>(m_reportDscp << 2 | FabricItem::NOT_ECT);
    item->priority = REPORT_PRIORITY;
    item->hash = HashFiveTuple(from,
                               to,
                               static_cast<uint16_t>(report.pair >> 16),
                               static_cast<uint16_t>(report.pair),
                               ReportHeader::IP_PROTOCOL);
    item->As<PairReport>() = report;
    ++m_statistics.sent;
    GetQueueDisc(from).SendControl(item);
}

void
PairEdge::ReceiveItem(FabricItem* item)
{
    const PairReport report = item->As<PairReport>();
    const uint32_t host = item->destination;
    item->Release();
    HandleReport(report, host);
}

void
PairEdge::HandleReport(const PairReport& report, uint32_t host)
{
    ++m_statistics.received;
    Pair& ends = GetEnds(report.pair);
    if (report.sequence <= ends.lastReport)
    {
        ++m_statistics.stale;
        return;
    }
    ends.lastReport = report.sequence;
    m_reportTrace(report);
    if (PairChannel* channel = FindChannel(report.pair))
    {
        GetController(host).OnReport(*channel, report, DirectEvent::Now());
    }
}

void
PairEdge::ReportState(
    const std::function<void(uint32_t pair, const char* name, double value)>& visit) const
{
    const int64_t now = DirectEvent::Now();
    for (uint32_t pair = 0; pair < m_channels.size(); ++pair)
    {
        if (const PairChannel* channel = m_channels[pair])
        {
            GetController(m_tenants->GetSource(pair))
                .ReportState(*channel, now, [&](const char* name, double value) {
                    visit(pair, name, value);
                });
        }
    }
}

void
PairEdge::ReportResults(Results& results) const
{
    results.Add("pair_reports_sent", static_cast<double>(m_statistics.sent));
    if (m_reportPatience.IsStrictlyPositive())
    {
        results.Add("pair_reports_rode", static_cast<double>(m_statistics.rode));
    }
    results.Add("pair_reports_received", static_cast<double>(m_statistics.received));
    results.Add("pair_reports_stale", static_cast<double>(m_statistics.stale));
    const auto one =
        std::ranges::find_if(m_hosts, [](const Host& host) { return bool(host.controller); });
    if (one != m_hosts.end())
    {
        one->controller->ReportResults(results);
    }
}

void
PairEdge::HandleChange(TenantId tenant)
{
    uint32_t last = UINT32_MAX; // VMs of one host often stand together
    for (VmId vm : m_tenants->GetVmsOf(tenant))
    {
        const uint32_t host = m_tenants->GetVm(vm).host;
        if (host != last && host < m_hosts.size() && m_hosts[host].disc)
        {
            m_hosts[host].disc->UpdateWeight(tenant);
            m_hosts[host].controller->OnTermsChanged(tenant);
        }
        last = host;
    }
}

} // namespace ns3
