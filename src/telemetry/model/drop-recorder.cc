/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "drop-recorder.h"

#include "ns3/csv-writer.h"
#include "ns3/results.h"

namespace ns3
{

void
DropRecorder::Add(const std::string& port,
                  Kind kind,
                  const std::string& reason,
                  uint64_t packets,
                  uint64_t bytes)
{
    if (packets > 0)
    {
        Count& count = m_counts[{port, kind, reason}];
        count.packets += packets;
        count.bytes += bytes;
    }
}

DropRecorder::Count
DropRecorder::GetTotal(Kind kind) const
{
    Count total;
    for (const auto& [key, count] : m_counts)
    {
        if (std::get<Kind>(key) == kind)
        {
            total.packets += count.packets;
            total.bytes += count.bytes;
        }
    }
    return total;
}

DropRecorder::Count
DropRecorder::GetTotal(Kind kind, const std::string& reason) const
{
    Count total;
    for (const auto& [key, count] : m_counts)
    {
        if (std::get<Kind>(key) == kind && std::get<2>(key) == reason)
        {
            total.packets += count.packets;
            total.bytes += count.bytes;
        }
    }
    return total;
}

void
DropRecorder::Write(const std::string& path) const
{
    CsvWriter csv(path, {"port", "kind", "reason", "packets", "bytes"});
    for (const auto& [key, count] : m_counts)
    {
        const auto& [port, kind, reason] = key;
        csv.Row(port, kind == Kind::DROP ? "drop" : "mark", reason, count.packets, count.bytes);
    }
    csv.Close();
}

void
DropRecorder::ReportResults(Results& results) const
{
    const Count drops = GetTotal(Kind::DROP);
    const Count marks = GetTotal(Kind::MARK);
    results.Add("dropped_packets", drops.packets);
    results.Add("dropped_bytes", drops.bytes);
    results.Add("marked_packets", marks.packets);
    results.Add("marked_bytes", marks.bytes);
}

} // namespace ns3
