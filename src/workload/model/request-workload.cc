/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "request-workload.h"

#include "ns3/attribute-form.h"
#include "ns3/input-error.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RequestWorkload);

TypeId
RequestWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RequestWorkload")
            .SetParent<PoissonWorkload>()
            .SetGroupName("Workload")
            .AddConstructor<RequestWorkload>()
            .AddAttribute("Clients",
                          "So many of the first hosts are clients, the others servers; 0: half of "
                          "them (AFQ, Section 6.1: 4 of 8).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RequestWorkload::m_clients),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RequestSizes",
                          "Sizes of requests, as Sizes are those of responses; empty: requests are "
                          "not simulated.",
                          SpecValue(""),
                          MakeSpecAccessor(&RequestWorkload::m_requestSpec),
                          MakeSpecChecker<FlowSizeDistribution>())
            .AddAttribute("FanOut",
                          "Servers that a request goes to; 0: all (Trinity, Section 5.3: 8 of 8).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RequestWorkload::m_fanOut),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Outstanding",
                          "Requests that each client keeps going in a closed loop; 0: an open loop "
                          "at the rate of FlowRate or Load.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RequestWorkload::m_outstanding),
                          MakeUintegerChecker<uint32_t>(0, 10'000))
            .AddAttribute("ThinkTime",
                          "Mean of the exponential pause of a client between two requests in a "
                          "closed loop.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&RequestWorkload::m_thinkTime),
                          MakeTimeChecker(Time()))
            .AddAttribute("Jitter",
                          "First requests of a closed loop start uniformly within so long.",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&RequestWorkload::m_maxDelay),
                          MakeTimeChecker(Time()));
    return tid;
}

std::string
RequestWorkload::GetSummary() const
{
    return "Clients ask servers, in an open loop (Poisson) or a closed one";
}

void
RequestWorkload::DoDispose()
{
    m_requestSizes = nullptr;
    PoissonWorkload::DoDispose();
}

bool
RequestWorkload::IsOver() const
{
    if (m_outstanding == 0)
    {
        return PoissonWorkload::IsOver();
    }
    return !MayStart(Simulator::Now()) && CountRunningTasks() == 0;
}

int64_t
RequestWorkload::AssignStreams(int64_t stream)
{
    const int64_t used = PoissonWorkload::AssignStreams(stream);
    return used + (GetRequestSizes() ? GetRequestSizes()->AssignStreams(stream + used) : 0);
}

Ptr<FlowSizeDistribution>
RequestWorkload::GetRequestSizes() const
{
    if (!m_requestSizes && !m_requestSpec.IsEmpty())
    {
        m_requestSizes = CreateFlowSizes("RequestSizes", m_requestSpec);
    }
    return m_requestSizes;
}

uint32_t
RequestWorkload::GetClientCount() const
{
    return m_clients > 0 ? m_clients : HostCount() / 2;
}

LoadedLinks
RequestWorkload::GetLoadedLinks(Fabric& fabric, const std::string& role) const
{
    // Hosts of a rack are alike: how many of its hosts are clients and servers.
    struct Rack
    {
        double clients{0};
        double servers{0};
    };

    const uint32_t hosts = fabric.GetNHosts();
    CheckClients(hosts);
    const uint32_t clients = m_clients > 0 ? m_clients : hosts / 2;
    std::vector<Rack> racks(fabric.GetNRacks());
    for (uint32_t host = 0; host < hosts; ++host)
    {
        Rack& rack = racks[fabric.GetLocation(host).rack];
        ++(host < clients ? rack.clients : rack.servers);
    }
    // By port: how many of all pairs of a server and a client cross it, shared among paths.
    std::map<const FabricPort*, double> shares;
    PathTable& paths = fabric.GetPathTable();
    for (uint16_t from = 0; from < racks.size(); ++from)
    {
        for (uint16_t to = 0; to < racks.size(); ++to)
        {
            const double pairs = racks[from].servers * racks[to].clients;
            const uint32_t count = pairs > 0 && from != to ? paths.GetNPaths(from, to) : 0;
            for (uint32_t path = 0; path < count; ++path)
            {
                for (const FabricPort* port : paths.GetPorts(paths.Get(from, to, path)))
                {
                    shares[port] += pairs / count;
                }
            }
        }
    }
    const double serverCount = hosts - clients;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        const bool isClient = host < clients;
        const FabricPort* up = &fabric.GetHost(host).GetNicPort();
        const FabricPort* down = fabric.GetPath(host == 0 ? 1 : 0, host).back();
        shares[isClient ? down : up] += isClient ? serverCount : clients;
    }
    LoadedLinks busiest{DataRate(1), 0};
    for (const auto& [port, pairs] : shares)
    {
        const auto& link = port->GetDescription();
        const double crossing = pairs / (clients * serverCount);
        const auto load = [](double share, DataRate rate) {
            return share / static_cast<double>(rate.GetBitRate());
        };
        if (link.role == role &&
            load(crossing, link.rate) > load(busiest.crossing, busiest.capacity))
        {
            busiest = {link.rate, crossing};
        }
    }
    return busiest;
}

std::vector<uint32_t>
RequestWorkload::GetServers(uint32_t client) const
{
    std::vector<uint32_t> servers;
    for (uint32_t server = GetClientCount(); server < HostCount(); ++server)
    {
        if (!IsLocal(client, server))
        {
            servers.push_back(server);
        }
    }
    return servers;
}

void
RequestWorkload::CheckClients(uint32_t hosts) const
{
    if (m_clients >= hosts)
    {
        throw InputError("request:Clients",
                         std::to_string(m_clients),
                         "must be below the number of hosts, " + std::to_string(hosts));
    }
}

void
RequestWorkload::DoPrepare()
{
    CheckClients(HostCount());
    for (uint32_t client = 0; client < GetClientCount(); ++client)
    {
        if (const auto servers = GetServers(client).size(); servers < std::max(1U, m_fanOut))
        {
            throw InputError("request:FanOut",
                             std::to_string(m_fanOut),
                             "client " + std::to_string(client) + " has " +
                                 std::to_string(servers) + " servers on other hosts");
        }
    }
    if (m_outstanding == 0)
    {
        PoissonWorkload::DoPrepare();
        return;
    }
    SizedWorkload::DoPrepare();
    for (uint32_t client = 0; client < GetClientCount(); ++client)
    {
        for (uint32_t i = 0; i < m_outstanding; ++i)
        {
            Plan({RandomDelay(m_maxDelay), Draw(client), Time()});
        }
    }
}

void
RequestWorkload::DoStart()
{
    UseTasks({"request"});
}

void
RequestWorkload::DrawPair(FlowRequest& request)
{
    const uint32_t clients = GetClientCount();
    do
    {
        request.source = RandomHostFrom(clients, HostCount() - 1);
        request.destination = RandomHostFrom(0, clients - 1);
    } while (IsLocal(request.source, request.destination));
}

FlowRequest
RequestWorkload::Draw(uint32_t client)
{
    FlowRequest response;
    do
    {
        response.source = RandomHostFrom(GetClientCount(), HostCount() - 1);
    } while (IsLocal(response.source, client));
    response.destination = client;
    response.bytes = GetSizes()->NextSize();
    return response;
}

std::optional<FlowArrival>
RequestWorkload::DoNext()
{
    return m_outstanding == 0 ? PoissonWorkload::DoNext() : Workload::DoNext();
}

void
RequestWorkload::Launch(const FlowArrival& arrival)
{
    Ask(arrival.request);
}

void
RequestWorkload::Ask(const FlowRequest& response)
{
    const uint32_t client = response.destination;
    std::vector<uint32_t> servers{response.source};
    if (m_fanOut != 1)
    {
        auto others = GetServers(client);
        std::erase(others, response.source);
        const uint32_t count = m_fanOut > 0 ? m_fanOut - 1 : static_cast<uint32_t>(others.size());
        others = RandomSample(std::move(others), count);
        servers.insert(servers.end(), others.begin(), others.end());
    }
    TaskPlan plan;
    plan.starter = client;
    for (const uint32_t server : servers)
    {
        TaskFlow answer{server, client, response.bytes};
        if (server != response.source)
        {
            answer.bytes = GetSizes()->NextSize();
        }
        if (GetRequestSizes())
        {
            plan.flows.push_back({client, server, GetRequestSizes()->NextSize()});
            answer.after.push_back(static_cast<uint32_t>(plan.flows.size() - 1));
        }
        plan.flows.push_back(answer);
    }
    RunTask(std::move(plan));
}

void
RequestWorkload::DoTaskFinished(uint32_t client)
{
    if (m_outstanding > 0)
    {
        const double pause = m_thinkTime.GetTimeStep() * m_intervals->GetValue();
        Simulator::Schedule(TimeStep(std::llround(pause)),
                            &RequestWorkload::Continue,
                            this,
                            client);
    }
}

void
RequestWorkload::Continue(uint32_t client)
{
    if (m_transports && MayStart(Simulator::Now()))
    {
        Ask(Draw(client));
    }
}

} // namespace ns3
