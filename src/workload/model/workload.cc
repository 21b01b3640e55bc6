/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Workload");
NS_OBJECT_ENSURE_REGISTERED(Workload);

TypeId
Workload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Workload")
            .SetParent<Object>()
            .SetGroupName("Workload")
            .AddAttribute("Start",
                          "Simulation time at which the workload begins.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&Workload::m_start),
                          MakeTimeChecker(Time()))
            .AddAttribute("Stop",
                          "Simulation time from which on no flow starts; 0: no end.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&Workload::m_stop),
                          MakeTimeChecker(Time()))
            .AddAttribute("Group",
                          "Group of the flows; kinds that use several groups count up from here.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Workload::m_group),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

Workload::Workload()
    : m_intervals(CreateObject<ExponentialRandomVariable>()),
      m_pairs(CreateObject<UniformRandomVariable>()),
      m_jitter(CreateObject<UniformRandomVariable>())
{
}

void
Workload::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_transport = nullptr;
    Object::DoDispose();
}

int64_t
Workload::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_intervals->SetStream(stream);
    m_pairs->SetStream(stream + 1);
    // stream + 2 is for sizes
    m_jitter->SetStream(stream + 3);
    return 4;
}

void
Workload::Prepare(const std::vector<uint32_t>& hosts)
{
    NS_LOG_FUNCTION(this << hosts.size());
    if (hosts.size() < 2)
    {
        throw InputError("hosts", std::to_string(hosts.size()), "a workload needs at least 2");
    }
    m_hosts = hosts;
    m_planned.clear();
    m_taken = 0;
    DoPrepare();
}

std::optional<FlowArrival>
Workload::Next()
{
    auto arrival = DoNext();
    if (!arrival || !MayStart(m_start + arrival->at))
    {
        return std::nullopt;
    }
    return FlowArrival{m_start + arrival->at, Address(arrival->request), arrival->lifetime};
}

void
Workload::Start(Ptr<Transport> transport, const std::vector<uint32_t>& hosts)
{
    NS_LOG_FUNCTION(this << transport);
    Prepare(hosts);
    m_transport = transport;
    DoStart();
    Await();
}

bool
Workload::IsOver() const
{
    return m_event.IsExpired();
}

uint64_t
Workload::GetStarted() const
{
    return m_started;
}

void
Workload::Await()
{
    const auto arrival = DoNext();
    if (arrival && MayStart(m_start + arrival->at))
    {
        m_awaited = *arrival;
        const Time delay = m_start + arrival->at - Simulator::Now();
        m_event = Simulator::Schedule(std::max(delay, Time()), &Workload::Arrive, this);
    }
}

void
Workload::Arrive()
{
    StartFlow(m_awaited.request, m_awaited.lifetime);
    Await();
}

void
Workload::StartFlow(const FlowRequest& request, Time lifetime)
{
    const FlowId flow = m_transport->StartFlow(Address(request));
    ++m_started;
    if (lifetime.IsStrictlyPositive())
    {
        Simulator::Schedule(lifetime, &Transport::StopFlow, m_transport, flow);
    }
    DoStarted(flow, request);
}

FlowRequest
Workload::Address(FlowRequest request) const
{
    request.source = m_hosts[request.source];
    request.destination = m_hosts[request.destination];
    request.group += m_group;
    return request;
}

bool
Workload::MayStart(Time at) const
{
    return m_stop.IsZero() || at < m_stop;
}

std::optional<FlowArrival>
Workload::DoNext()
{
    if (!m_sorted)
    {
        std::stable_sort(m_planned.begin() + m_taken,
                         m_planned.end(),
                         [](const auto& a, const auto& b) { return a.at < b.at; });
        m_sorted = true;
    }
    if (m_taken == m_planned.size())
    {
        m_planned.clear();
        m_taken = 0;
        return std::nullopt;
    }
    const PlannedFlow& flow = m_planned[m_taken++];
    return FlowArrival{TimeStep(flow.at), flow.request, TimeStep(flow.lifetime)};
}

void
Workload::DoStart()
{
}

void
Workload::DoStarted(FlowId /* flow */, const FlowRequest& /* request */)
{
}

void
Workload::Plan(const FlowArrival& arrival)
{
    m_planned.push_back(
        {arrival.at.GetTimeStep(), arrival.request, arrival.lifetime.GetTimeStep()});
    m_sorted = false;
}

Time
Workload::GetStartTime() const
{
    return m_start;
}

uint32_t
Workload::HostCount() const
{
    return m_hosts.size();
}

uint32_t
Workload::RandomHost()
{
    return m_pairs->GetInteger(0, HostCount() - 1);
}

uint32_t
Workload::RandomHostFrom(uint32_t first, uint32_t last)
{
    return m_pairs->GetInteger(first, last);
}

uint32_t
Workload::RandomHostBut(uint32_t host)
{
    const uint32_t other = m_pairs->GetInteger(0, HostCount() - 2);
    return other < host ? other : other + 1;
}

Time
Workload::RandomDelay(Time most)
{
    return TimeStep(std::llround(m_jitter->GetValue() * most.GetTimeStep()));
}

std::vector<uint32_t>
AllHosts(uint32_t count)
{
    std::vector<uint32_t> hosts(count);
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
}

} // namespace ns3
