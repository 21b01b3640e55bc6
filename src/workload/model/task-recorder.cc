/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "task-recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/number-text.h"
#include "ns3/quantile.h"
#include "ns3/results.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TaskRecorder);

TypeId
TaskRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TaskRecorder")
                            .SetParent<Object>()
                            .SetGroupName("Workload")
                            .AddConstructor<TaskRecorder>()
                            .AddAttribute("WarmUp",
                                          "Tasks that start earlier are not recorded.",
                                          TimeValue(Time()),
                                          MakeTimeAccessor(&TaskRecorder::m_warmUp),
                                          MakeTimeChecker(Time()));
    return tid;
}

void
TaskRecorder::Watch(Ptr<Workload> workload)
{
    workload->TraceConnectWithoutContext("TaskFinished", MakeCallback(&TaskRecorder::Note, this));
}

void
TaskRecorder::Note(const TaskRecord& record)
{
    if (record.started >= m_warmUp)
    {
        m_records.push_back(record);
    }
}

const std::vector<TaskRecord>&
TaskRecorder::GetRecords() const
{
    return m_records;
}

void
TaskRecorder::ReportResults(Results& results) const
{
    std::map<std::string, std::vector<double>> durations;
    std::map<std::string, uint32_t> incomplete; // over, but with bytes lost
    for (const TaskRecord& record : m_records)
    {
        if (record.missing > 0)
        {
            ++incomplete[record.step];
            continue;
        }
        durations[record.step].push_back((record.finished - record.started).ToDouble(Time::US));
    }
    for (const auto& [step, count] : incomplete)
    {
        results.Add(step + "_incomplete_count", count);
    }
    for (const auto& [step, times] : durations)
    {
        results.Add(step + "_count", times.size());
        results.AddRatio(step + "_mean_us",
                         std::accumulate(times.begin(), times.end(), 0.0),
                         times.size());
        results.Add(step + "_p99_us", Quantile(times, 0.99));
        results.AddMaximum(step + "_max_us", *std::ranges::max_element(times));
    }
}

void
TaskRecorder::Write(const std::string& path) const
{
    CsvWriter csv(path,
                  {"task",
                   "step",
                   "group",
                   "starter",
                   "start_ns",
                   "duration_ns",
                   "flows",
                   "bytes",
                   "lost_bytes"});
    for (const TaskRecord& record : m_records)
    {
        csv.Row(record.task,
                record.step,
                record.group,
                record.starter,
                NanosecondsText(record.started),
                NanosecondsText(record.finished - record.started),
                record.flows,
                record.bytes,
                record.missing);
    }
    csv.Close();
}

} // namespace ns3
