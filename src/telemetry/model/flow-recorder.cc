/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-recorder.h"

#include "quantile.h"

#include "ns3/csv-input.h"
#include "ns3/csv-writer.h"
#include "ns3/log.h"
#include "ns3/results.h"

#include <limits>
#include <numeric>
#include <optional>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FlowRecorder");

NS_OBJECT_ENSURE_REGISTERED(FlowRecorder);

namespace
{

/**
 * @param values a sample
 * @return its mean; NaN if it is empty
 */
double
Mean(const std::vector<double>& values)
{
    return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
}

} // namespace

TypeId
FlowRecorder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FlowRecorder")
            .SetParent<Object>()
            .SetGroupName("Telemetry")
            .AddConstructor<FlowRecorder>()
            .AddAttribute("WarmUp",
                          "Flows that start before this time are not measured (time since the "
                          "start of the simulation).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FlowRecorder::m_warmUp),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("End",
                          "Flows that start at this time or later are not measured (time since "
                          "the start of the simulation).",
                          TimeValue(Time::Max()),
                          MakeTimeAccessor(&FlowRecorder::m_end),
                          MakeTimeChecker(Time(0)));
    return tid;
}

double
FlowRecorder::Record::GetSlowdown() const
{
    return ideal > 0 ? static_cast<double>(GetFct()) / static_cast<double>(ideal)
                     : std::numeric_limits<double>::quiet_NaN();
}

FlowRecorder::Record*
FlowRecorder::Find(uint64_t id)
{
    NS_ASSERT_MSG(id < m_records.size(), "flow " << id << " has not started");
    Record& record = m_records[id];
    return record.start == NEVER ? nullptr : &record;
}

void
FlowRecorder::Started(uint64_t id,
                      uint32_t group,
                      uint32_t source,
                      uint32_t destination,
                      uint64_t bytes,
                      Time start,
                      Time ideal)
{
    NS_LOG_FUNCTION(this << id << group << source << destination << bytes << start << ideal);
    if (id >= m_records.size())
    {
        m_records.resize(id + 1);
    }
    if (start < m_warmUp || start >= m_end)
    {
        ++m_excluded;
        return;
    }
    Record& record = m_records[id];
    NS_ASSERT_MSG(record.start == NEVER, "flow " << id << " starts twice");
    record.bytes = bytes;
    record.start = start.GetTimeStep();
    record.ideal = ideal.GetTimeStep();
    record.group = group;
    record.source = source;
    record.destination = destination;
    ++m_started;
}

void
FlowRecorder::FirstSent(uint64_t id, Time time)
{
    Record* record = Find(id);
    if (record && record->firstSent == NEVER)
    {
        record->firstSent = time.GetTimeStep();
    }
}

void
FlowRecorder::Finished(uint64_t id, Time time)
{
    NS_LOG_FUNCTION(this << id << time);
    Record* record = Find(id);
    if (!record)
    {
        return;
    }
    NS_ASSERT_MSG(record->finished == NEVER, "flow " << id << " finishes twice");
    if (record->firstSent == NEVER)
    {
        record->firstSent = record->start;
    }
    record->finished = time.GetTimeStep();
    ++m_finished;
}

void
FlowRecorder::Lost(uint64_t id, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << id << bytes);
    if (Find(id))
    {
        m_lost[id] = bytes;
    }
}

std::vector<FlowSizeClass>
FlowRecorder::ReadSizeClasses()
{
    constexpr uint64_t ANY = std::numeric_limits<uint64_t>::max();
    CsvInput file(TELEMETRY_DATA_FOLDER "/size-classes.csv",
                  {"name", "lowest_bytes", "highest_bytes"});
    std::vector<FlowSizeClass> classes;
    while (file.Next())
    {
        classes.push_back(
            {file.Text(0), file.Count(1, ANY), file.Text(2).empty() ? ANY : file.Count(2, ANY)});
    }
    return classes;
}

const std::vector<FlowSizeClass>&
FlowRecorder::GetSizeClasses()
{
    static const auto classes = ReadSizeClasses();
    return classes;
}

FlowSummary
FlowRecorder::Summarize(const FlowSizeClass& sizes) const
{
    FlowSummary summary;
    std::vector<double> fct;
    std::vector<double> ideal;
    std::vector<double> slowdown;
    for (const auto& record : m_records)
    {
        if (record.start == NEVER || record.bytes == 0 || record.bytes < sizes.lowest ||
            record.bytes >= sizes.highest)
        {
            continue;
        }
        ++summary.started;
        if (record.finished == NEVER)
        {
            continue;
        }
        ++summary.finished;
        fct.push_back(Time(record.GetFct()).ToDouble(Time::NS));
        if (record.ideal > 0)
        {
            ideal.push_back(Time(record.ideal).ToDouble(Time::NS));
            slowdown.push_back(record.GetSlowdown());
        }
    }
    summary.meanFctNs = Mean(fct);
    summary.p50FctNs = Quantile(fct, 0.5);
    summary.p99FctNs = Quantile(fct, 0.99);
    summary.meanIdealNs = Mean(ideal);
    summary.meanSlowdown = Mean(slowdown);
    summary.p99Slowdown = Quantile(slowdown, 0.99);
    return summary;
}

void
FlowRecorder::Write(const std::string& path) const
{
    CsvWriter csv(path,
                  {"flow",
                   "group",
                   "source",
                   "destination",
                   "bytes",
                   "start_ns",
                   "first_sent_ns",
                   "fct_ns",
                   "ideal_ns",
                   "slowdown",
                   "finished",
                   "lost_bytes"});
    const auto ifAny = [](bool exists, int64_t steps) {
        return exists ? NanosecondsText(Time(steps)) : std::string();
    };
    for (std::size_t id = 0; id < m_records.size(); ++id)
    {
        const Record& record = m_records[id];
        if (record.start == NEVER)
        {
            continue;
        }
        const bool finished = record.finished != NEVER;
        const auto lost = m_lost.find(id);
        csv.Row(id,
                record.group,
                record.source,
                record.destination,
                record.bytes,
                NanosecondsText(Time(record.start)),
                ifAny(record.firstSent != NEVER, record.firstSent),
                ifAny(finished, record.GetFct()),
                ifAny(record.ideal > 0, record.ideal),
                finished ? record.GetSlowdown() : std::numeric_limits<double>::quiet_NaN(),
                finished,
                lost == m_lost.end() ? 0 : lost->second);
    }
    csv.Close();
}

void
FlowRecorder::ReportResults(Results& results) const
{
    results.Add("flows_started", GetStarted());
    results.Add("flows_finished", GetFinished());
    results.Add("flows_unfinished", GetUnfinished());
    results.Add("flows_excluded", GetExcluded());
    for (const auto& sizes : GetSizeClasses())
    {
        const FlowSummary summary = Summarize(sizes);
        if (summary.started == 0)
        {
            continue;
        }
        const std::string& name = sizes.name;
        results.Add("flows_started_" + name, summary.started);
        results.Add("flows_finished_" + name, summary.finished);
        results.Add("fct_mean_ns_" + name, summary.meanFctNs);
        results.Add("fct_p50_ns_" + name, summary.p50FctNs);
        results.Add("fct_p99_ns_" + name, summary.p99FctNs);
        results.Add("ideal_mean_ns_" + name, summary.meanIdealNs);
        results.Add("slowdown_mean_" + name, summary.meanSlowdown);
        results.Add("slowdown_p99_" + name, summary.p99Slowdown);
    }
}

} // namespace ns3
