/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "clove-edge-agent.h"

#include "base-rtt.h"
#include "link-utilization.h"

#include "ns3/enum.h"
#include "ns3/fabric-host.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/logged-item.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/tenant-ecn.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CloveEdgeAgent");

NS_OBJECT_ENSURE_REGISTERED(CloveEdgeAgent);

namespace
{

/// Time constant in which the utilization of a link fades (CONGA, Section 3.2).
const Time UTILIZATION_TIME = MicroSeconds(160);

} // namespace

TypeId
CloveEdgeAgent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CloveEdgeAgent")
            .SetParent<EdgeAgent>()
            .SetGroupName("Schemes")
            .AddConstructor<CloveEdgeAgent>()
            .AddAttribute("Gap",
                          "Pause after which a flow may take another path (uFAB Section 5.1: 200 "
                          "us, and 36 us in one case)",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&CloveEdgeAgent::m_gap),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Paths",
                          "Paths that a host uses to each rack, drawn at random (a choice: as "
                          "many as uFAB's candidates)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&CloveEdgeAgent::m_nPaths),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Feedback",
                          "What is known of paths: Nothing (Edge-Flowlet), Marks (Clove-ECN) or "
                          "Utilization (Clove-INT, which uFAB Section 5.1 speaks of)",
                          EnumValue(CloveEdgeAgent::UTILIZATION),
                          MakeEnumAccessor<Feedback>(&CloveEdgeAgent::m_feedback),
                          MakeEnumChecker(CloveEdgeAgent::NOTHING,
                                          "Nothing",
                                          CloveEdgeAgent::MARKS,
                                          "Marks",
                                          CloveEdgeAgent::UTILIZATION,
                                          "Utilization"));
    return tid;
}

CloveEdgeAgent::CloveEdgeAgent()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

CloveEdgeAgent::~CloveEdgeAgent() = default;

void
CloveEdgeAgent::DoDispose()
{
    m_racks.clear();
    m_flowlets.clear();
    EdgeAgent::DoDispose();
}

void
CloveEdgeAgent::DoInstall()
{
    Fabric& fabric = GetHost().GetFabric();
    m_fabric = &fabric;
    GetHost().GetNicPort().AddStage(CreateObject<DepartureStage>(
        [this](FabricItem* item, const FabricPort&) { Route(*item); }));
    if (m_feedback == UTILIZATION && GetHost().GetIndex() == 0) // once for the network
    {
        fabric.ForEachPort([](FabricPort& port) {
            if (port.GetDescription().tier > 0)
            {
                port.AddStage(CreateObject<LinkUtilization>(UTILIZATION_TIME));
            }
        });
    }
}

CloveEdgeAgent&
CloveEdgeAgent::GetAgentOf(uint32_t host) const
{
    for (const auto& agent : m_fabric->GetHost(host).GetEdgeAgents())
    {
        if (auto* clove = dynamic_cast<CloveEdgeAgent*>(PeekPointer(agent)))
        {
            return *clove;
        }
    }
    NS_FATAL_ERROR("Clove's agents are at all hosts");
}

int64_t
CloveEdgeAgent::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

CloveEdgeAgent::Rack&
CloveEdgeAgent::GetRack(uint16_t rack, uint32_t host)
{
    const auto [place, isNew] = m_racks.try_emplace(rack);
    Rack& found = place->second;
    if (!isNew)
    {
        return found;
    }
    PathTable& table = m_fabric->GetPathTable();
    const uint32_t own = GetHost().GetIndex();
    const uint16_t from = m_fabric->GetLocation(own).rack;
    std::vector<uint32_t> all(rack == from ? 0 : table.GetNPaths(from, rack));
    std::iota(all.begin(), all.end(), 0);
    for (uint32_t left = std::min<uint32_t>(m_nPaths, all.size()); left > 0; --left)
    {
        const auto drawn = all.begin() + m_random->GetInteger(0, all.size() - 1);
        Candidate candidate{table.Get(from, rack, *drawn), {}};
        all.erase(drawn);
        for (const FabricPort* port : table.GetPorts(candidate.path))
        {
            for (const auto& stage : port->GetStages())
            {
                if (const auto* link = dynamic_cast<const LinkUtilization*>(PeekPointer(stage)))
                {
                    candidate.links.push_back(link);
                }
            }
        }
        found.candidates.push_back(std::move(candidate));
    }
    // A mark counts for a base RTT: until then its path was seen as it is.
    const Time rtt = GetBaseRtt(*m_fabric, own, host, 1500, 46);
    found.weights = std::make_unique<CloveWeights>(std::max<uint32_t>(1, found.candidates.size()),
                                                   rtt.GetTimeStep());
    return found;
}

void
CloveEdgeAgent::Route(FabricItem& item)
{
    if (item.GetClass() != FabricItem::DATA || item.route)
    {
        return;
    }
    if (m_feedback == MARKS)
    {
        HideTenantEcn(item);
    }
    Rack& rack = GetRack(m_fabric->GetLocation(item.destination).rack, item.destination);
    if (rack.candidates.empty())
    {
        return;
    }
    const int64_t now = DirectEvent::Now();
    const uint32_t pair = m_fabric->GetFlowTag(item).pair;
    const uint64_t key = pair > 0 ? uint64_t{1} << 32 | pair : item.hash;
    Flowlet& flowlet = m_flowlets.try_emplace(key, Flowlet{INT64_MIN / 2, nullptr}).first->second;
    if (now - flowlet.last > m_gap.GetTimeStep())
    {
        const uint16_t* route = Choose(rack, now);
        NS_LOG_LOGIC(LoggedItem(item, *m_fabric) << ": new flowlet, by port " << route[1]
                                                 << (route == flowlet.route ? " as before" : ""));
        ++m_nFlowlets;
        m_nMoves += flowlet.route && flowlet.route != route;
        flowlet.route = route;
    }
    flowlet.last = now;
    item.route = flowlet.route;
}

const uint16_t*
CloveEdgeAgent::Choose(Rack& rack, int64_t now)
{
    const PathTable& table = m_fabric->GetPathTable();
    const auto draw = [&]() -> uint32_t {
        switch (m_feedback)
        {
        case MARKS:
            return rack.weights->Choose();
        case UTILIZATION:
            return ChooseLeastUtilized(rack, now);
        default:
            return m_random->GetInteger(0, rack.candidates.size() - 1);
        }
    };
    uint32_t choice = draw();
    // Paths that do not work any more are found by probes in the paper.
    for (std::size_t more = 1; more < rack.candidates.size(); ++more)
    {
        if (table.Works(rack.candidates[choice].path))
        {
            break;
        }
        choice = (choice + 1) % rack.candidates.size();
    }
    return rack.candidates[choice].path.forward;
}

uint32_t
CloveEdgeAgent::ChooseLeastUtilized(const Rack& rack, int64_t now)
{
    const auto start = m_random->GetInteger(0, rack.candidates.size() - 1); // ties at random
    uint32_t best = start;
    double least = INFINITY;
    for (std::size_t i = 0; i < rack.candidates.size(); ++i)
    {
        const auto index = static_cast<uint32_t>((start + i) % rack.candidates.size());
        double most = 0;
        for (const LinkUtilization* link : rack.candidates[index].links)
        {
            most = std::max(most, link->Get(now));
        }
        if (most < least)
        {
            least = most;
            best = index;
        }
    }
    return best;
}

void
CloveEdgeAgent::Incoming(FabricItem* item)
{
    if (item->GetClass() == FabricItem::DATA && m_feedback == MARKS)
    {
        if (item->route && item->GetEcn() == FabricItem::CE)
        {
            RelayMark(*item);
        }
        RestoreTenantEcn(*item);
    }
    DeliverOn(item);
}

void
CloveEdgeAgent::RelayMark(const FabricItem& item)
{
    const int64_t now = DirectEvent::Now();
    const Time rtt = GetBaseRtt(*m_fabric, item.source, item.destination, 1500, 46);
    // Hosts of a rack have the same routes, and each is to hear of its own marks.
    int64_t& last = m_relayed.try_emplace({item.source, item.route}, INT64_MIN / 2).first->second;
    if (now - last < rtt.GetTimeStep() / 2) // once per half a round trip
    {
        return;
    }
    last = now;
    Simulator::Schedule(rtt / 2,
                        &CloveEdgeAgent::HandleMark,
                        &GetAgentOf(item.source),
                        m_fabric->GetLocation(item.destination).rack,
                        item.route);
}

void
CloveEdgeAgent::HandleMark(uint16_t rack, const uint16_t* route)
{
    const auto found = m_racks.find(rack);
    if (found == m_racks.end())
    {
        return;
    }
    Rack& to = found->second;
    const auto marked = std::ranges::find(to.candidates, route, [](const Candidate& candidate) {
        return candidate.path.forward;
    });
    if (marked != to.candidates.end())
    {
        ++m_nMarks;
        to.weights->HandleMark(static_cast<uint32_t>(marked - to.candidates.begin()),
                               DirectEvent::Now());
    }
}

void
CloveEdgeAgent::ReportResults(Results& results) const
{
    results.Add("clove_flowlets", static_cast<double>(m_nFlowlets));
    results.Add("clove_moves", static_cast<double>(m_nMoves));
    if (m_feedback == MARKS)
    {
        results.Add("clove_marks", static_cast<double>(m_nMarks));
    }
}

} // namespace ns3
