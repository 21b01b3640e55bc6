/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-recorder.h"

#include "interval-checker.h"

#include "ns3/boolean.h"
#include "ns3/csv-writer.h"
#include "ns3/log.h"
#include "ns3/results.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <set>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QueueRecorder");

NS_OBJECT_ENSURE_REGISTERED(QueueRecorder);

namespace
{

/**
 * @brief Adds the samples of one summary to another.
 * @param sum where to add
 * @param part what to add
 */
void
Merge(QueueSummary& sum, const QueueSummary& part)
{
    sum.samples += part.samples;
    sum.sumBytes += part.sumBytes;
    sum.sumPackets += part.sumPackets;
    sum.maximum.bytes = std::max(sum.maximum.bytes, part.maximum.bytes);
    sum.maximum.packets = std::max(sum.maximum.packets, part.maximum.packets);
}

/**
 * @param sum a sum
 * @param samples of how many
 * @return the mean; NaN of none
 */
double
Mean(uint64_t sum, uint64_t samples)
{
    return samples ? static_cast<double>(sum) / static_cast<double>(samples)
                   : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

double
QueueSummary::GetMeanBytes() const
{
    return Mean(sumBytes, samples);
}

double
QueueSummary::GetMeanPackets() const
{
    return Mean(sumPackets, samples);
}

TypeId
QueueRecorder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QueueRecorder")
            .SetParent<Object>()
            .SetGroupName("Telemetry")
            .AddConstructor<QueueRecorder>()
            .AddAttribute("Interval",
                          "Time between samples.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&QueueRecorder::m_interval),
                          MakeIntervalChecker())
            .AddAttribute("OnlyNonZero",
                          "Leave samples of empty queues out of the file. Averages count them all "
                          "the same.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&QueueRecorder::m_onlyNonZero),
                          MakeBooleanChecker());
    return tid;
}

QueueRecorder::QueueRecorder() = default;

QueueRecorder::~QueueRecorder() = default;

void
QueueRecorder::AddProbe(const std::string& port,
                        const std::string& role,
                        std::function<QueueLength()> probe)
{
    NS_LOG_FUNCTION(this << port << role);
    m_probes.push_back({port, role, std::move(probe), {}});
}

void
QueueRecorder::Start(Time first, Time last, const std::string& path)
{
    NS_LOG_FUNCTION(this << first << last << path);
    NS_ASSERT_MSG(!m_event.IsPending(), "samples are being taken already");
    if (!path.empty())
    {
        m_csv = std::make_unique<CsvWriter>(
            path,
            std::initializer_list<std::string_view>{"time_s", "port", "bytes", "packets"});
    }
    m_last = last;
    if (first <= last)
    {
        m_event = Simulator::Schedule(first - Simulator::Now(), &QueueRecorder::Sample, this);
    }
}

void
QueueRecorder::Sample()
{
    const std::string time = m_csv ? SecondsText(Simulator::Now()) : "";
    for (auto& probe : m_probes)
    {
        const QueueLength length = probe.length();
        Merge(probe.summary, {1, length.bytes, length.packets, length});
        if (m_csv && (length.packets > 0 || !m_onlyNonZero))
        {
            m_csv->Row(time, probe.port, length.bytes, length.packets);
        }
    }
    if (Simulator::Now() + m_interval <= m_last)
    {
        m_event = Simulator::Schedule(m_interval, &QueueRecorder::Sample, this);
    }
}

void
QueueRecorder::Close()
{
    m_event.Cancel();
    if (m_csv)
    {
        m_csv->Close();
        m_csv.reset();
    }
}

QueueSummary
QueueRecorder::SummarizePort(const std::string& port) const
{
    QueueSummary summary;
    for (const auto& probe : m_probes)
    {
        if (probe.port == port)
        {
            Merge(summary, probe.summary);
        }
    }
    return summary;
}

QueueSummary
QueueRecorder::SummarizeRole(const std::string& role) const
{
    QueueSummary summary;
    for (const auto& probe : m_probes)
    {
        if (probe.role == role)
        {
            Merge(summary, probe.summary);
        }
    }
    return summary;
}

void
QueueRecorder::ReportResults(Results& results) const
{
    std::set<std::string> roles;
    for (const auto& probe : m_probes)
    {
        roles.insert(probe.role);
    }
    for (const auto& role : roles)
    {
        const QueueSummary summary = SummarizeRole(role);
        results.Add("queue_mean_bytes_" + role, summary.GetMeanBytes());
        results.Add("queue_mean_packets_" + role, summary.GetMeanPackets());
        const double none = std::numeric_limits<double>::quiet_NaN();
        const QueueLength most = summary.maximum;
        const bool some = summary.samples > 0;
        results.AddMaximum("queue_max_bytes_" + role, some ? most.bytes : none);
        results.AddMaximum("queue_max_packets_" + role, some ? most.packets : none);
    }
}

void
QueueRecorder::DoDispose()
{
    m_event.Cancel();
    m_csv.reset();
    m_probes.clear();
    Object::DoDispose();
}

} // namespace ns3
