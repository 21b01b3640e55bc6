/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/number-text.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

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
                          MakeUintegerChecker<uint32_t>(0, MAX_GROUP))
            .AddAttribute("Transport",
                          "Which of the network's transports carries the flows, by its name; "
                          "empty: the first.",
                          StringValue(""),
                          MakeStringAccessor(&Workload::m_transportName),
                          MakeStringChecker())
            .AddTraceSource("TaskFinished",
                            "A task (a request, a job), or a step of one, is over",
                            MakeTraceSourceAccessor(&Workload::m_taskFinished),
                            "ns3::Workload::TaskTracedCallback");
    return tid;
}

Workload::Workload()
    : m_intervals(CreateObject<ExponentialRandomVariable>()),
      m_pairs(CreateObject<UniformRandomVariable>()),
      m_jitter(CreateObject<UniformRandomVariable>()),
      m_taskNumbers(std::make_shared<uint32_t>(0))
{
}

void
Workload::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_transports = nullptr;
    m_tenants = nullptr;
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
    m_plans = 0;
    m_arrivals = 0;
    DoPrepare();
}

void
Workload::Prepare(Ptr<TenantTable> tenants, TenantId tenant, uint8_t transport)
{
    NS_LOG_FUNCTION(this << tenants << tenant);
    m_tenants = tenants;
    m_tenant = tenant;
    m_carrier = transport;
    std::vector<uint32_t> hosts;
    for (const VmId vm : tenants->GetVmsOf(tenant))
    {
        hosts.push_back(tenants->GetVm(vm).host);
    }
    if (std::ranges::adjacent_find(hosts, std::not_equal_to<>()) == hosts.end())
    {
        throw InputError("tenant " + tenants->GetTenant(tenant).name,
                         std::to_string(hosts.size()) + " VMs",
                         "a workload needs VMs on at least 2 hosts");
    }
    Prepare(hosts);
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
Workload::Start(Ptr<Transports> transports, const std::vector<uint32_t>& hosts)
{
    NS_LOG_FUNCTION(this << transports);
    Prepare(hosts);
    m_transports = transports;
    Begin();
}

void
Workload::Start(Ptr<Transports> transports,
                Ptr<TenantTable> tenants,
                TenantId tenant,
                uint8_t number)
{
    NS_LOG_FUNCTION(this << transports << tenant);
    Prepare(tenants, tenant, number);
    m_transports = transports;
    Begin();
}

void
Workload::StartPrepared(Ptr<Transports> transports)
{
    NS_LOG_FUNCTION(this << transports);
    m_start += Simulator::Now();
    if (m_stop.IsStrictlyPositive())
    {
        m_stop += Simulator::Now();
    }
    m_transports = transports;
    Begin();
}

void
Workload::CheckTransport(const Transports& transports) const
{
    if (!m_transportName.empty())
    {
        transports.Require("Transport", m_transportName);
    }
}

void
Workload::Begin()
{
    if (!m_transportName.empty())
    {
        m_transport = m_transports->Require("Transport", m_transportName);
    }
    DoStart();
    Await();
}

void
Workload::Halt()
{
    NS_LOG_FUNCTION(this);
    m_halted = true;
    m_event.Cancel();
    if (m_tasks)
    {
        m_tasks->Cancel();
    }
}

void
Workload::ShareTaskNumbers(std::shared_ptr<uint32_t> numbers)
{
    m_taskNumbers = std::move(numbers);
}

bool
Workload::IsOver() const
{
    return m_event.IsExpired() && CountRunningTasks() == 0;
}

uint64_t
Workload::GetStarted() const
{
    return m_started;
}

UnstartedFlows
Workload::GetUnstarted() const
{
    if (m_halted || m_plans <= m_arrivals)
    {
        return {};
    }
    return {m_plans - m_arrivals, m_start + m_awaited.at};
}

void
Workload::Await()
{
    const auto arrival = DoNext();
    if (!arrival)
    {
        return;
    }
    m_awaited = *arrival;
    if (MayStart(m_start + arrival->at))
    {
        const Time delay = m_start + arrival->at - Simulator::Now();
        m_event = Simulator::Schedule(std::max(delay, Time()), &Workload::Arrive, this);
    }
}

void
Workload::Arrive()
{
    ++m_arrivals;
    Launch(m_awaited);
    Await();
}

void
Workload::Launch(const FlowArrival& arrival)
{
    StartFlow(arrival.request, arrival.lifetime);
}

void
Workload::UseTasks(const std::vector<std::string>& steps, uint32_t parallel)
{
    m_tasks = std::make_unique<TaskRunner>(
        [this](const FlowRequest& request) { return StartFlow(request); },
        [this](TaskRecord record, bool isWhole) {
            const uint32_t starter = record.starter;
            record.starter = m_hosts[starter];
            record.group = m_tenants ? m_tenant : m_group;
            NotifyTask(record);
            if (isWhole)
            {
                DoTaskFinished(starter);
            }
        },
        steps,
        parallel);
    m_tasks->ShareNumbers(m_taskNumbers);
    m_transports->AddObserver(m_tasks.get());
}

void
Workload::RunTask(TaskPlan plan)
{
    m_tasks->Run(std::move(plan));
}

std::size_t
Workload::CountRunningTasks() const
{
    return m_tasks ? m_tasks->GetRunning() : 0;
}

void
Workload::DoTaskFinished(uint32_t /* starter */)
{
}

void
Workload::NotifyTask(const TaskRecord& record)
{
    m_taskFinished(record);
}

FlowId
Workload::StartFlow(const FlowRequest& request, Time lifetime)
{
    const FlowId flow = m_transports->StartFlow(Address(request));
    ++m_started;
    if (lifetime.IsStrictlyPositive())
    {
        Simulator::Schedule(lifetime, &Transports::StopFlow, m_transports, flow);
    }
    DoStarted(flow, request);
    return flow;
}

FlowRequest
Workload::Address(FlowRequest request) const
{
    if (m_tenants)
    {
        const auto& vms = m_tenants->GetVmsOf(m_tenant);
        request.pair = m_tenants->GetPair(vms[request.source], vms[request.destination]) + 1;
        request.group = m_tenant;
        request.transport = m_transportName.empty() ? m_carrier : m_transport;
    }
    else
    {
        request.group += m_group;
        request.transport = m_transportName.empty() ? request.transport : m_transport;
    }
    request.source = m_hosts[request.source];
    request.destination = m_hosts[request.destination];
    return request;
}

bool
Workload::MayStart(Time at) const
{
    return !m_halted && (m_stop.IsZero() || at < m_stop);
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
    ++m_plans;
    m_planned.push_back(
        {arrival.at.GetTimeStep(), arrival.request, arrival.lifetime.GetTimeStep()});
    m_sorted = false;
}

void
Workload::CheckHostLimit() const
{
    const uint8_t place = m_transportName.empty() ? (m_tenants ? m_carrier : 0) : m_transport;
    const auto limit = m_transports->Get(place)->GetHostLimit();
    if (!limit)
    {
        return;
    }
    std::map<uint32_t, std::vector<int64_t>> starts; // by host
    for (const PlannedFlow& flow : m_planned)
    {
        starts[m_hosts[flow.request.source]].push_back(flow.at);
    }
    for (auto& [host, times] : starts)
    {
        std::ranges::sort(times);
        for (std::size_t i = limit->flows; i < times.size(); ++i)
        {
            const Time first = TimeStep(times[i - limit->flows]);
            if (TimeStep(times[i]) - first < limit->held)
            {
                throw InputError("flows from host " + std::to_string(host) + " within " +
                                     SecondsText(limit->held) + " s from " + SecondsText(first) +
                                     " s on",
                                 "more than " + std::to_string(limit->flows),
                                 "with transport " + m_transports->GetName(place) +
                                     " a host can send that many at a time");
            }
        }
    }
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

bool
Workload::IsLocal(uint32_t a, uint32_t b) const
{
    return m_hosts[a] == m_hosts[b];
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
    uint32_t other;
    do
    {
        other = m_pairs->GetInteger(0, HostCount() - 2);
        other += other < host ? 0 : 1;
    } while (IsLocal(host, other));
    return other;
}

std::vector<uint32_t>
Workload::RandomSample(std::vector<uint32_t> candidates, uint32_t count)
{
    // The first steps of a Fisher-Yates shuffle.
    for (uint32_t i = 0; i < count; ++i)
    {
        std::swap(candidates[i], candidates[m_pairs->GetInteger(i, candidates.size() - 1)]);
    }
    candidates.resize(count);
    return candidates;
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
