/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "probe-exchange.h"

#include "ns3/results.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ProbeExchange);

namespace
{

constexpr uint8_t PROBE_TOS = 48 << 2; //!< network control (RFC 4594)

/**
 * @param port a port
 * @return time that its link adds to a base RTT, both directions
 */
int64_t
GetLinkRtt(const FabricPort& port)
{
    return port.GetTransmissionSteps(ProbeExchange::DATA_SIZE) +
           port.GetTransmissionSteps(ProbeExchange::ACKNOWLEDGMENT_SIZE) + 2 * port.GetDelaySteps();
}

} // namespace

TypeId
ProbeExchange::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ProbeExchange").SetParent<Object>().SetGroupName("Mufab");
    return tid;
}

Ptr<ProbeExchange>
ProbeExchange::Of(Fabric& fabric)
{
    auto exchange = fabric.GetObject<ProbeExchange>();
    if (!exchange)
    {
        exchange = CreateObject<ProbeExchange>();
        exchange->m_fabric = &fabric;
        exchange->m_flow = fabric.AddEndpoints(PeekPointer(exchange), PeekPointer(exchange));
        fabric.AggregateObject(exchange);
    }
    return exchange;
}

void
ProbeExchange::DoDispose()
{
    m_hosts.clear();
    m_fabric = nullptr;
    Object::DoDispose();
}

void
ProbeExchange::SetHost(uint32_t host, Host* edge)
{
    m_hosts.resize(std::max<size_t>(m_hosts.size(), host + 1));
    m_hosts[host] = edge;
}

FabricItem*
ProbeExchange::MakeControlItem(uint32_t source,
                               uint32_t destination,
                               const uint16_t* route,
                               uint16_t size) const
{
    FabricItem* item = FabricItem::Create();
    item->SetClass(FabricItem::CONTROL);
    item->flow = m_flow;
    item->source = source;
    item->destination = destination;
    item->route = route;
    item->size = size;
    item->tos = PROBE_TOS;
    return item;
}

FabricItem*
ProbeExchange::MakeItem(MufabProbe* probe,
                        uint32_t source,
                        uint32_t destination,
                        const uint16_t* route,
                        uint16_t size)
{
    ++m_statistics.probes;
    m_statistics.probeBytes += size;
    m_statistics.finishes += probe->type == ProbeHeader::FINISH;
    m_statistics.queries += probe->type == ProbeHeader::QUERY;
    FabricItem* item = MakeControlItem(source, destination, route, size);
    item->hash = probe->pair;
    item->extension = probe;
    return item;
}

FabricItem*
ProbeExchange::MakeItem(const PathAcknowledgment& acknowledgment,
                        uint32_t source,
                        uint32_t destination,
                        const uint16_t* route,
                        uint16_t size)
{
    ++m_statistics.acknowledgments;
    FabricItem* item = MakeControlItem(source, destination, route, size);
    item->hash = acknowledgment.pair;
    item->As<PathAcknowledgment>() = acknowledgment;
    return item;
}

FabricItem*
ProbeExchange::MakeFailureNotice(const FabricItem& data) const
{
    const bool isAtLastSwitch = data.route && data.hops > data.route[0]; // no path goes round it
    if (data.GetClass() != FabricItem::DATA || !data.route || isAtLastSwitch)
    {
        return nullptr;
    }
    const uint32_t pair = m_fabric->GetFlowTag(data).pair;
    const auto found = FindPath(data);
    if (pair == 0 || !found)
    {
        return nullptr;
    }
    auto* probe = new MufabProbe;
    probe->type = ProbeHeader::FAILURE;
    probe->path = found->index;
    probe->pair = pair - 1;
    const uint16_t* back = found->path.back;
    FabricItem* item =
        MakeControlItem(data.destination, data.source, back, ProbeExchange::ACKNOWLEDGMENT_SIZE);
    item->hash = probe->pair;
    item->extension = probe;
    item->hops = static_cast<uint8_t>(back[0] + 1 - data.hops); // see MufabPortStage::TurnBack()
    return item;
}

uint32_t
ProbeExchange::GetNPaths(uint32_t source, uint32_t destination) const
{
    return m_fabric->GetPathTable().GetNPaths(m_fabric->GetLocation(source).rack,
                                              m_fabric->GetLocation(destination).rack);
}

ProbeExchange::Route
ProbeExchange::GetRoute(uint32_t source, uint32_t destination, uint16_t index) const
{
    PathTable& table = m_fabric->GetPathTable();
    Route route{table.Get(m_fabric->GetLocation(source).rack,
                          m_fabric->GetLocation(destination).rack,
                          index),
                {}};
    route.ports = table.GetPorts(route.path);
    route.ports.insert(route.ports.begin(), &m_fabric->GetHost(source).GetNicPort());
    const auto& last = m_fabric->GetHost(destination).GetNicPort().GetDescription();
    route.ports.push_back(&last.peer->GetPort(last.peerPort));
    return route;
}

std::optional<ProbeExchange::NumberedPath>
ProbeExchange::FindPath(const FabricItem& item) const
{
    PathTable& table = m_fabric->GetPathTable();
    const uint16_t from = m_fabric->GetLocation(item.source).rack;
    const uint16_t to = m_fabric->GetLocation(item.destination).rack;
    const uint32_t n = table.GetNPaths(from, to);
    for (uint32_t index = 0; index < n; ++index)
    {
        const PathTable::Path path = table.Get(from, to, index);
        if (path.forward == item.route)
        {
            return NumberedPath{path, static_cast<uint16_t>(index)};
        }
    }
    return std::nullopt;
}

void
ProbeExchange::Respond(FabricItem* item, Host& edge)
{
    auto& probe = static_cast<MufabProbe&>(*item->extension);
    probe.type = ProbeHeader::RESPONSE;
    std::swap(item->source, item->destination);
    item->route = probe.back;
    item->hops = 0;
    m_statistics.responseBytes += item->size;
    edge.SendControl(item);
}

void
ProbeExchange::ReceiveItem(FabricItem* item)
{
    if (item->destination >= m_hosts.size() || !m_hosts[item->destination])
    {
        item->Release(); // a switch answers whoever's packet meets a failed link
        return;
    }
    Host& edge = *m_hosts[item->destination];
    MufabProbe* probe = MufabProbe::Find(*item);
    if (!probe)
    {
        edge.OnAcknowledgment(item->As<PathAcknowledgment>());
        item->Release();
        return;
    }
    if (probe->type != ProbeHeader::RESPONSE && probe->type != ProbeHeader::FAILURE)
    {
        edge.OnProbe(*probe);
        Respond(item, edge);
        return;
    }
    m_statistics.failures += probe->type == ProbeHeader::FAILURE;
    edge.OnResponse(*probe);
    item->Release();
}

int64_t
ProbeExchange::GetBaseRtt(const std::vector<FabricPort*>& ports)
{
    int64_t rtt = 0;
    for (const FabricPort* port : ports)
    {
        rtt += GetLinkRtt(*port);
    }
    return rtt;
}

int64_t
ProbeExchange::GetLargestBaseRtt()
{
    if (m_largestRtt > 0)
    {
        return m_largestRtt;
    }
    // The slowest two links of hosts in each rack, and the slowest path between racks.
    std::vector<std::array<int64_t, 2>> access(m_fabric->GetNRacks());
    std::vector<uint32_t> hosts(m_fabric->GetNRacks());
    for (uint32_t host = 0; host < m_fabric->GetNHosts(); ++host)
    {
        const uint16_t rack = m_fabric->GetLocation(host).rack;
        const int64_t rtt = GetLinkRtt(m_fabric->GetHost(host).GetNicPort());
        auto& [first, second] = access[rack];
        second = std::max(second, std::min(rtt, first));
        first = std::max(first, rtt);
        hosts[rack] = host;
    }
    for (uint32_t from = 0; from < access.size(); ++from)
    {
        m_largestRtt = std::max(m_largestRtt, access[from][0] + access[from][1]);
        for (uint32_t to = from + 1; to < access.size(); ++to)
        {
            const auto path = m_fabric->GetPath(hosts[from], hosts[to]);
            int64_t between = 0;
            for (std::size_t hop = 1; hop + 1 < path.size(); ++hop)
            {
                between += GetLinkRtt(*path[hop]);
            }
            m_largestRtt = std::max(m_largestRtt, access[from][0] + between + access[to][0]);
        }
    }
    return m_largestRtt;
}

void
ProbeExchange::ReportResults(Results& results) const
{
    const auto add = [&results](const char* name, uint64_t value) {
        results.Add(name, static_cast<double>(value));
    };
    add("mufab_probes_sent", m_statistics.probes);
    add("mufab_probe_bytes", m_statistics.probeBytes);
    add("mufab_finish_probes", m_statistics.finishes);
    add("mufab_queries", m_statistics.queries);
    add("mufab_response_bytes", m_statistics.responseBytes);
    add("mufab_acknowledgments", m_statistics.acknowledgments);
    add("mufab_lost_probes", m_statistics.lostProbes);
    add("mufab_failure_responses", m_statistics.failures);
    add("mufab_failed_paths", m_statistics.failedPaths);
    add("mufab_migrations", m_statistics.migrations);
    add("mufab_lost_bytes", m_statistics.lostBytes);
    results.AddMaximum("mufab_largest_base_rtt_us", Time(m_largestRtt).GetNanoSeconds() / 1e3);
    if (m_rtts.GetCount() > 0)
    {
        results.AddMaximum("mufab_rtt_p50_us", m_rtts.GetQuantile(0.5).GetNanoSeconds() / 1e3);
        results.AddMaximum("mufab_rtt_p99_us", m_rtts.GetQuantile(0.99).GetNanoSeconds() / 1e3);
        results.AddMaximum("mufab_rtt_max_us", m_rtts.GetMax().GetNanoSeconds() / 1e3);
    }
}

} // namespace ns3
