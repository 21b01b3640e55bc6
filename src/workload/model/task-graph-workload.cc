/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "task-graph-workload.h"

#include "statement.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TaskGraphWorkload");
NS_OBJECT_ENSURE_REGISTERED(TaskGraphWorkload);

namespace
{

/// @brief The grammar of statements on tasks.
const Statement::Grammar TASK_GRAMMAR{
    {"role", {"vms"}},
    {"step", {"from", "to", "bytes", "times", "connections", "after"}}};

} // namespace

TypeId
TaskGraphWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TaskGraphWorkload")
            .SetParent<Workload>()
            .SetGroupName("Workload")
            .AddConstructor<TaskGraphWorkload>()
            .AddAttribute("Of",
                          "Statements, separated by semicolons, in braces or quotes: {role a "
                          "vms=0-3; role b vms=4-7; step write from=a to=b bytes=65536}.",
                          StringValue(""),
                          MakeStringAccessor(&TaskGraphWorkload::m_text),
                          MakeStringChecker())
            .AddAttribute("File",
                          "Path of a file with a statement per line, if Of is empty.",
                          StringValue(""),
                          MakeStringAccessor(&TaskGraphWorkload::m_path),
                          MakeStringChecker())
            .AddAttribute("Interval",
                          "Time from task to task of each host that runs them (uFAB, Section 5.3: "
                          "320 us), from a random phase on; 0: a closed loop.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&TaskGraphWorkload::m_interval),
                          MakeTimeChecker(Time()))
            .AddAttribute("Poisson",
                          "Whether Interval is the mean of exponential times.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TaskGraphWorkload::m_poisson),
                          MakeBooleanChecker())
            .AddAttribute("Outstanding",
                          "Tasks that each host keeps going in a closed loop.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TaskGraphWorkload::m_outstanding),
                          MakeUintegerChecker<uint32_t>(1, 10'000))
            .AddAttribute("ThinkTime",
                          "Mean of the exponential pause between tasks in a closed loop.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&TaskGraphWorkload::m_thinkTime),
                          MakeTimeChecker(Time()))
            .AddAttribute("Jitter",
                          "First tasks of a closed loop start uniformly within so long.",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&TaskGraphWorkload::m_maxDelay),
                          MakeTimeChecker(Time()));
    return tid;
}

std::string
TaskGraphWorkload::GetSummary() const
{
    return "Tasks of steps that begin when others are over";
}

void
TaskGraphWorkload::DoDispose()
{
    m_steps.clear();
    Workload::DoDispose();
}

bool
TaskGraphWorkload::IsOver() const
{
    return !MayStart(Simulator::Now()) && CountRunningTasks() == 0;
}

int64_t
TaskGraphWorkload::AssignStreams(int64_t stream)
{
    Read();
    const int64_t first = stream;
    stream += Workload::AssignStreams(stream);
    for (const Step& step : m_steps)
    {
        stream += step.sizes->AssignStreams(stream);
    }
    return stream - first;
}

void
TaskGraphWorkload::Read()
{
    if (!m_steps.empty())
    {
        return;
    }
    if (m_text.empty() && m_path.empty())
    {
        throw InputError("task-graph", "no steps", "needs Of={...} or File=PATH");
    }
    const auto statements = m_text.empty() ? ReadStatements("task-graph:File", m_path)
                                           : CutStatements("task-graph:Of", m_text);
    for (const auto& [where, text] : statements)
    {
        const Statement statement(TASK_GRAMMAR, where, text);
        statement.GetKind() == "role" ? AddRole(statement) : AddStep(statement);
    }
    if (m_steps.empty())
    {
        throw InputError("task-graph:Of", m_text, "needs at least one step");
    }
}

void
TaskGraphWorkload::AddRole(const Statement& statement)
{
    if (!m_roles.emplace(statement.GetName(), statement.GetNumbers("vms")).second)
    {
        throw InputError(statement.Where("role"), statement.GetName(), "is named twice");
    }
}

void
TaskGraphWorkload::AddStep(const Statement& statement)
{
    Step step;
    step.name = statement.GetName();
    step.from = statement.Need("from");
    step.to = statement.Need("to");
    step.times = std::max(1U, statement.GetCount("times", 1));
    step.connections = std::max(1U, statement.GetCount("connections", 1));
    const std::string bytes = statement.Need("bytes");
    const bool isNumber = bytes.find_first_not_of("0123456789") == std::string::npos;
    step.sizes = CreateFlowSizes(statement.Where("bytes"),
                                 isNumber ? Spec("fixed", {{"Bytes", bytes}}) : Spec(bytes));
    for (const auto& role : {step.from, step.to})
    {
        if (!m_roles.contains(role))
        {
            throw InputError(statement.Where("step"), role, "must be a role that was named before");
        }
    }
    bool isPlayed = m_steps.empty() || step.from == m_steps.front().from;
    for (const Step& earlier : m_steps)
    {
        isPlayed |= earlier.to == step.from;
        if (earlier.name == step.name)
        {
            throw InputError(statement.Where("step"), step.name, "is named twice");
        }
    }
    if (!isPlayed)
    {
        throw InputError(statement.Where("from"),
                         step.from,
                         "must be the first step's, or the to= of an earlier step");
    }
    for (const auto& name : CutList(statement.Get("after").value_or("")))
    {
        const auto earlier = std::ranges::find(m_steps, name, &Step::name);
        if (earlier == m_steps.end())
        {
            throw InputError(statement.Where("after"), name, "must be an earlier step");
        }
        step.after.push_back(static_cast<uint32_t>(earlier - m_steps.begin()));
    }
    m_steps.push_back(step);
}

void
TaskGraphWorkload::CheckRoles() const
{
    for (const auto& [role, hosts] : m_roles)
    {
        const uint32_t last = *std::ranges::max_element(hosts);
        if (last >= HostCount())
        {
            throw InputError("task-graph role " + role,
                             std::to_string(last),
                             "must be below the number of hosts, " + std::to_string(HostCount()));
        }
    }
    for (const Step& step : m_steps)
    {
        for (const uint32_t sender : m_roles.at(step.from))
        {
            if (const auto count = GetCandidates(step, sender).size(); count < step.times)
            {
                throw InputError("task-graph step " + step.name + " times",
                                 std::to_string(step.times),
                                 "host " + std::to_string(sender) + " can choose among " +
                                     std::to_string(count));
            }
        }
    }
}

void
TaskGraphWorkload::DoPrepare()
{
    NS_LOG_FUNCTION(this);
    Read();
    CheckRoles();
    m_due.clear();
    for (const uint32_t starter : m_roles.at(m_steps.front().from))
    {
        for (uint32_t i = 0; i < (m_interval.IsZero() ? m_outstanding : 1); ++i)
        {
            const Time phase = RandomDelay(m_interval.IsZero() ? m_maxDelay : m_interval);
            m_due.emplace(phase.GetTimeStep(), starter);
        }
    }
}

void
TaskGraphWorkload::DoStart()
{
    std::vector<std::string> names;
    for (const Step& step : m_steps)
    {
        names.push_back(step.name);
    }
    UseTasks(names);
}

std::optional<FlowArrival>
TaskGraphWorkload::DoNext()
{
    if (m_due.empty())
    {
        return std::nullopt;
    }
    const auto [at, starter] = *m_due.begin();
    m_due.erase(m_due.begin());
    if (m_interval.IsStrictlyPositive())
    {
        const double wait = m_poisson ? m_intervals->GetValue() : 1;
        m_due.emplace(at + std::llround(wait * m_interval.GetTimeStep()), starter);
    }
    FlowArrival arrival;
    arrival.at = TimeStep(at);
    arrival.request.source = starter;
    return arrival;
}

void
TaskGraphWorkload::Launch(const FlowArrival& arrival)
{
    RunTask(DrawTask(arrival.request.source));
}

std::vector<uint32_t>
TaskGraphWorkload::GetCandidates(const Step& step, uint32_t sender) const
{
    std::vector<uint32_t> candidates;
    for (const uint32_t host : m_roles.at(step.to))
    {
        if (!IsLocal(sender, host))
        {
            candidates.push_back(host);
        }
    }
    return candidates;
}

std::vector<uint32_t>
TaskGraphWorkload::FindPredecessors(const Step& step,
                                    uint32_t sender,
                                    const std::vector<TaskFlow>& flows)
{
    std::vector<uint32_t> own; // that go to the sender
    std::vector<uint32_t> all;
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        if (std::ranges::find(step.after, flows[i].step) != step.after.end())
        {
            all.push_back(i);
            if (flows[i].destination == sender)
            {
                own.push_back(i);
            }
        }
    }
    return own.empty() ? all : own;
}

TaskPlan
TaskGraphWorkload::DrawTask(uint32_t starter)
{
    TaskPlan plan;
    plan.starter = starter;
    std::map<std::string, std::vector<uint32_t>> players{{m_steps.front().from, {starter}}};
    for (uint32_t number = 0; number < m_steps.size(); ++number)
    {
        const Step& step = m_steps[number];
        const bool isPlayed = players.contains(step.to);
        std::vector<TaskFlow> flows;
        std::set<uint32_t> drawn;
        for (const uint32_t sender : players[step.from])
        {
            const auto after = FindPredecessors(step, sender, plan.flows);
            const auto receivers =
                isPlayed ? players[step.to] : RandomSample(GetCandidates(step, sender), step.times);
            for (const uint32_t receiver : receivers)
            {
                drawn.insert(receiver);
                const uint64_t bytes = std::max<uint64_t>(step.sizes->NextSize(), step.connections);
                for (uint32_t i = 0; i < step.connections && !IsLocal(sender, receiver); ++i)
                {
                    const uint64_t rest = i < bytes % step.connections ? 1 : 0;
                    flows.push_back(
                        {sender, receiver, bytes / step.connections + rest, number, after});
                }
            }
        }
        plan.flows.insert(plan.flows.end(), flows.begin(), flows.end());
        if (!isPlayed)
        {
            players[step.to].assign(drawn.begin(), drawn.end());
        }
    }
    return plan;
}

void
TaskGraphWorkload::DoTaskFinished(uint32_t starter)
{
    if (m_interval.IsZero())
    {
        const double pause = m_thinkTime.GetTimeStep() * m_intervals->GetValue();
        Simulator::Schedule(TimeStep(std::llround(pause)),
                            &TaskGraphWorkload::Continue,
                            this,
                            starter);
    }
}

void
TaskGraphWorkload::Continue(uint32_t starter)
{
    if (m_transports && MayStart(Simulator::Now()))
    {
        RunTask(DrawTask(starter));
    }
}

} // namespace ns3
