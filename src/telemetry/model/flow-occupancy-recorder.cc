/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-occupancy-recorder.h"

#include "interval-checker.h"

#include "ns3/csv-writer.h"
#include "ns3/log.h"
#include "ns3/results.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FlowOccupancyRecorder");

NS_OBJECT_ENSURE_REGISTERED(FlowOccupancyRecorder);

TypeId
FlowOccupancyRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FlowOccupancyRecorder")
                            .SetParent<Object>()
                            .SetGroupName("Telemetry")
                            .AddConstructor<FlowOccupancyRecorder>()
                            .AddAttribute("Interval",
                                          "Time between snapshots.",
                                          TimeValue(MicroSeconds(100)),
                                          MakeTimeAccessor(&FlowOccupancyRecorder::m_interval),
                                          MakeIntervalChecker());
    return tid;
}

void
FlowOccupancyRecorder::AddProbe(const std::string& role, Probe probe)
{
    NS_LOG_FUNCTION(this << role);
    m_queues.push_back({std::move(probe), &m_byRole[role]});
}

void
FlowOccupancyRecorder::Start(Time first, Time last)
{
    NS_LOG_FUNCTION(this << first << last);
    NS_ASSERT_MSG(!m_event.IsPending(), "snapshots are being taken already");
    m_last = last;
    if (first <= last)
    {
        m_event =
            Simulator::Schedule(first - Simulator::Now(), &FlowOccupancyRecorder::Sample, this);
    }
}

void
FlowOccupancyRecorder::Sample()
{
    for (const auto& queue : m_queues)
    {
        Count(queue);
    }
    if (Simulator::Now() + m_interval <= m_last)
    {
        m_event = Simulator::Schedule(m_interval, &FlowOccupancyRecorder::Sample, this);
    }
}

void
FlowOccupancyRecorder::Count(const Queue& queue)
{
    m_waiting.clear();
    queue.probe([this](uint32_t flow) { m_waiting.push_back(flow); });
    if (m_waiting.empty())
    {
        return;
    }
    std::sort(m_waiting.begin(), m_waiting.end());
    Summary& summary = *queue.summary;
    uint64_t flows = 0;
    for (auto first = m_waiting.begin(); first != m_waiting.end(); ++flows)
    {
        const auto next = std::upper_bound(first, m_waiting.end(), *first);
        const std::size_t packets = next - first;
        if (summary.counts.size() <= packets)
        {
            summary.counts.resize(packets + 1);
        }
        ++summary.counts[packets];
        first = next;
    }
    ++summary.snapshots;
    summary.flows += flows;
    summary.most = std::max(summary.most, flows);
}

std::map<uint32_t, uint64_t>
FlowOccupancyRecorder::GetCounts(const std::string& role) const
{
    std::map<uint32_t, uint64_t> counts;
    if (const auto found = m_byRole.find(role); found != m_byRole.end())
    {
        for (uint32_t packets = 0; packets < found->second.counts.size(); ++packets)
        {
            if (found->second.counts[packets] > 0)
            {
                counts[packets] = found->second.counts[packets];
            }
        }
    }
    return counts;
}

void
FlowOccupancyRecorder::Write(const std::string& path) const
{
    CsvWriter csv(path, {"role", "packets", "count"});
    for (const auto& entry : m_byRole)
    {
        for (const auto& [packets, count] : GetCounts(entry.first))
        {
            csv.Row(entry.first, packets, count);
        }
    }
    csv.Close();
}

void
FlowOccupancyRecorder::ReportResults(Results& results) const
{
    for (const auto& [role, summary] : m_byRole)
    {
        results.Add("queue_flows_mean_" + role,
                    summary.snapshots ? static_cast<double>(summary.flows) /
                                            static_cast<double>(summary.snapshots)
                                      : std::numeric_limits<double>::quiet_NaN());
        results.AddMaximum("queue_flows_max_" + role, summary.most);
    }
}

void
FlowOccupancyRecorder::DoDispose()
{
    m_event.Cancel();
    m_queues.clear();
    Object::DoDispose();
}

} // namespace ns3
