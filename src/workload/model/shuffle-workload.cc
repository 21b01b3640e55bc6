/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shuffle-workload.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/log.h"
#include "ns3/number-text.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ShuffleWorkload");
NS_OBJECT_ENSURE_REGISTERED(ShuffleWorkload);

TypeId
ShuffleWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ShuffleWorkload")
            .SetParent<SizedWorkload>()
            .SetGroupName("Workload")
            .AddConstructor<ShuffleWorkload>()
            .AddAttribute("Mappers",
                          "So many of the first hosts map, the others reduce (Trinity, Section "
                          "5.3: 8 of 12); 0: all do both.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ShuffleWorkload::m_mappers),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Reducers",
                          "Reducers that a mapper sends to, drawn for each job (Trinity, Section "
                          "5.3, FileStore: 4); 0: all.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ShuffleWorkload::m_reducers),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Connections",
                          "Flows that share the bytes of a mapper and a reducer (Trinity, Section "
                          "5.3: 8 and 2).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ShuffleWorkload::m_connections),
                          MakeUintegerChecker<uint32_t>(1, 10'000))
            .AddAttribute("Parallel",
                          "Flows that a reducer receives at a time, the others wait; 0: all.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ShuffleWorkload::m_parallel),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Jobs",
                          "How many jobs.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ShuffleWorkload::m_jobs),
                          MakeUintegerChecker<uint32_t>(1, 1'000'000))
            .AddAttribute("Interval",
                          "Time from the beginning of a job to that of the next; 0: a job begins "
                          "when the last is over.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&ShuffleWorkload::m_interval),
                          MakeTimeChecker(Time()))
            .AddAttribute("Jitter",
                          "Each flow of a job begins uniformly within so long.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&ShuffleWorkload::m_maxDelay),
                          MakeTimeChecker(Time()));
    return tid;
}

std::string
ShuffleWorkload::GetSummary() const
{
    return "Mappers send to reducers; a job is over when all has arrived";
}

bool
ShuffleWorkload::IsOver() const
{
    const bool last = m_begun == m_jobs || !MayStart(Simulator::Now());
    return last && CountRunningTasks() == 0;
}

UnstartedFlows
ShuffleWorkload::GetUnstarted() const
{
    if (IsHalted() || m_begun == m_jobs)
    {
        return {};
    }
    uint64_t ofJob = 0;
    const uint32_t mappers = m_mappers > 0 ? m_mappers : HostCount();
    for (uint32_t mapper = 0; mapper < mappers; ++mapper)
    {
        ofJob += (m_reducers > 0 ? m_reducers : GetReducers(mapper).size()) * m_connections;
    }
    return {(m_jobs - m_begun) * ofJob, SizedWorkload::GetUnstarted().first};
}

std::vector<uint32_t>
ShuffleWorkload::GetReducers(uint32_t mapper) const
{
    std::vector<uint32_t> reducers;
    for (uint32_t host = m_mappers; host < HostCount(); ++host)
    {
        if (!IsLocal(mapper, host))
        {
            reducers.push_back(host);
        }
    }
    return reducers;
}

void
ShuffleWorkload::DoPrepare()
{
    NS_LOG_FUNCTION(this);
    SizedWorkload::DoPrepare();
    if (m_mappers >= HostCount())
    {
        throw InputError("shuffle:Mappers",
                         std::to_string(m_mappers),
                         "must be below the number of hosts, " + std::to_string(HostCount()));
    }
    const uint32_t mappers = m_mappers > 0 ? m_mappers : HostCount();
    for (uint32_t mapper = 0; mapper < mappers; ++mapper)
    {
        const std::size_t reducers = GetReducers(mapper).size();
        if (reducers < std::max(1U, m_reducers))
        {
            throw InputError("shuffle:Reducers",
                             std::to_string(m_reducers),
                             "mapper " + std::to_string(mapper) + " has " +
                                 std::to_string(reducers) + " on other hosts");
        }
    }
    CheckedSeconds("shuffle:Interval",
                   SecondsText(m_interval) + "s",
                   m_jobs * m_interval.GetSeconds());
    m_begun = 0;
    for (uint32_t job = 0; job < (m_interval.IsZero() ? 1 : m_jobs); ++job)
    {
        Plan({job * m_interval, FlowRequest(), Time()});
    }
}

void
ShuffleWorkload::DoStart()
{
    UseTasks({"shuffle"}, m_parallel);
}

void
ShuffleWorkload::Launch(const FlowArrival& /* arrival */)
{
    RunJob();
}

void
ShuffleWorkload::RunJob()
{
    ++m_begun;
    TaskPlan plan;
    const uint32_t mappers = m_mappers > 0 ? m_mappers : HostCount();
    for (uint32_t mapper = 0; mapper < mappers; ++mapper)
    {
        auto reducers = GetReducers(mapper);
        const auto count = m_reducers > 0 ? m_reducers : static_cast<uint32_t>(reducers.size());
        // In an order of its own, so that not all mappers begin with the same reducer.
        for (const uint32_t reducer : RandomSample(std::move(reducers), count))
        {
            const uint64_t bytes = std::max<uint64_t>(GetSizes()->NextSize(), m_connections);
            for (uint32_t i = 0; i < m_connections; ++i)
            {
                const uint64_t rest = i < bytes % m_connections ? 1 : 0;
                TaskFlow flow{mapper, reducer, bytes / m_connections + rest};
                flow.delay = RandomDelay(m_maxDelay);
                plan.flows.push_back(flow);
            }
        }
    }
    RunTask(std::move(plan));
}

void
ShuffleWorkload::DoTaskFinished(uint32_t /* starter */)
{
    if (m_interval.IsZero() && m_begun < m_jobs && MayStart(Simulator::Now()))
    {
        RunJob();
    }
}

} // namespace ns3
