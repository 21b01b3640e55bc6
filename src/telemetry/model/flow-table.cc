/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-table.h"

#include "quantile.h"

#include "ns3/csv-input.h"
#include "ns3/csv-writer.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FlowTable");

namespace
{

/// @brief The mean of values that are given one by one.
class RunningMean
{
  public:
    /// @param value one of them
    void Add(double value)
    {
        m_sum += value;
        ++m_count;
    }

    /// @return their mean; NaN if there are none
    double Get() const
    {
        return m_count ? m_sum / static_cast<double>(m_count)
                       : std::numeric_limits<double>::quiet_NaN();
    }

  private:
    double m_sum{0};     //!< of the values
    uint64_t m_count{0}; //!< their number
};

} // namespace

FlowTable::FlowTable(Time from, Time to)
    : m_from(from),
      m_to(to)
{
}

double
FlowTable::Record::GetSlowdown() const
{
    return ideal > 0 ? static_cast<double>(GetFct()) / static_cast<double>(ideal)
                     : std::numeric_limits<double>::quiet_NaN();
}

struct FlowTable::Tally
{
    FlowSummary summary;         //!< numbers of flows
    RunningMean fct;             //!< in ns
    RunningMean ideal;           //!< in ns
    RunningMean slowdown;        //!< where the ideal time is known
    StreamedQuantiles fcts;      //!< in ns
    StreamedQuantiles slowdowns; //!< where the ideal time is known

    /// @return the summary, whole
    FlowSummary Get() const
    {
        FlowSummary whole = summary;
        whole.meanFctNs = fct.Get();
        whole.p50FctNs = fcts.Get(0.5);
        whole.p99FctNs = fcts.Get(0.99);
        whole.meanIdealNs = ideal.Get();
        whole.meanSlowdown = slowdown.Get();
        whole.p99Slowdown = slowdowns.Get(0.99);
        return whole;
    }
};

FlowTable::Records&
FlowTable::Load(uint64_t index)
{
    Block& block = m_blocks[index];
    if (!block.records)
    {
        block.records = std::make_unique<Records>();
        if (block.inFile)
        {
            m_file.Read(index * sizeof(Records), block.records.get(), sizeof(Records));
        }
    }
    return *block.records;
}

void
FlowTable::Store(uint64_t index)
{
    Block& block = m_blocks[index];
    const bool isPast = index + 1 < m_blocks.size();
    if (isPast && block.records && block.present == 0 &&
        m_file.Write(index * sizeof(Records), block.records.get(), sizeof(Records)))
    {
        block.inFile = true;
        block.records.reset();
    }
}

void
FlowTable::End(uint64_t id)
{
    const uint64_t index = id / std::tuple_size_v<Records>;
    --m_blocks[index].present;
    Store(index);
}

void
FlowTable::ForEach(const std::function<void(uint64_t, const Record&)>& visit) const
{
    const auto stored = std::make_unique<Records>();
    for (uint64_t index = 0; index < m_blocks.size(); ++index)
    {
        const Block& block = m_blocks[index];
        if (!block.records && !block.inFile)
        {
            continue;
        }
        if (!block.records)
        {
            m_file.Read(index * sizeof(Records), stored.get(), sizeof(Records));
        }
        const Records& records = block.records ? *block.records : *stored;
        for (std::size_t i = 0; i < records.size(); ++i)
        {
            if (records[i].start != NEVER)
            {
                visit(index * records.size() + i, records[i]);
            }
        }
    }
}

FlowTable::Record*
FlowTable::Find(uint64_t id)
{
    const uint64_t index = id / std::tuple_size_v<Records>;
    NS_ASSERT_MSG(index < m_blocks.size(), "flow " << id << " has not started");
    if (!m_blocks[index].records && !m_blocks[index].inFile)
    {
        return nullptr;
    }
    Record& record = Load(index)[id % std::tuple_size_v<Records>];
    return record.start == NEVER ? nullptr : &record;
}

void
FlowTable::Started(uint64_t id,
                   uint32_t group,
                   uint32_t source,
                   uint32_t destination,
                   uint64_t bytes,
                   Time start,
                   Time ideal)
{
    NS_LOG_FUNCTION(this << id << group << source << destination << bytes << start << ideal);
    const uint64_t index = id / std::tuple_size_v<Records>;
    while (index >= m_blocks.size())
    {
        m_blocks.emplace_back();
        if (m_blocks.size() > 1)
        {
            Store(m_blocks.size() - 2);
        }
    }
    if (start < m_from || start >= m_to)
    {
        ++m_excluded;
        return;
    }
    Record& record = Load(index)[id % std::tuple_size_v<Records>];
    NS_ASSERT_MSG(record.start == NEVER, "flow " << id << " starts twice");
    record.bytes = bytes;
    record.start = start.GetTimeStep();
    record.ideal = ideal.GetTimeStep();
    record.group = group;
    record.source = source;
    record.destination = destination;
    ++m_blocks[index].present;
    ++m_started;
}

void
FlowTable::FirstSent(uint64_t id, Time time)
{
    Record* record = Find(id);
    if (record && record->firstSent == NEVER)
    {
        record->firstSent = time.GetTimeStep();
    }
}

void
FlowTable::LowerIdeal(uint64_t id, Time ideal)
{
    NS_LOG_FUNCTION(this << id << ideal);
    if (Record* record = Find(id))
    {
        record->ideal = std::min(record->ideal, ideal.GetTimeStep());
    }
}

void
FlowTable::Finished(uint64_t id, Time time)
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
    End(id);
}

void
FlowTable::Lost(uint64_t id, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << id << bytes);
    if (Record* record = Find(id))
    {
        record->lost = bytes;
        End(id);
    }
}

std::vector<FlowSizeClass>
FlowTable::ReadSizeClasses()
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
FlowTable::GetSizeClasses()
{
    static const auto classes = ReadSizeClasses();
    return classes;
}

std::vector<FlowSummary>
FlowTable::Summarize(const std::vector<FlowSizeClass>& classes) const
{
    std::vector<Tally> tallies(classes.size());
    const auto forEachOfClass = [&](const auto& visit) {
        ForEach([&](uint64_t /* id */, const Record& record) {
            for (std::size_t i = 0; i < classes.size(); ++i)
            {
                if (record.bytes > 0 && record.bytes >= classes[i].lowest &&
                    record.bytes < classes[i].highest)
                {
                    visit(tallies[i], record, Time(record.GetFct()).ToDouble(Time::NS));
                }
            }
        });
    };
    forEachOfClass([](Tally& tally, const Record& record, double fct) {
        ++tally.summary.started;
        if (record.finished == NEVER)
        {
            return;
        }
        ++tally.summary.finished;
        tally.fct.Add(fct);
        tally.fcts.Count(fct);
        if (record.ideal > 0)
        {
            tally.ideal.Add(Time(record.ideal).ToDouble(Time::NS));
            tally.slowdown.Add(record.GetSlowdown());
            tally.slowdowns.Count(record.GetSlowdown());
        }
    });
    for (Tally& tally : tallies)
    {
        tally.fcts.Choose(0.5);
        tally.fcts.Choose(0.99);
        tally.slowdowns.Choose(0.99);
    }
    forEachOfClass([](Tally& tally, const Record& record, double fct) {
        if (record.finished != NEVER)
        {
            tally.fcts.Collect(fct);
            if (record.ideal > 0)
            {
                tally.slowdowns.Collect(record.GetSlowdown());
            }
        }
    });
    std::vector<FlowSummary> summaries;
    for (const Tally& tally : tallies)
    {
        summaries.push_back(tally.Get());
    }
    return summaries;
}

void
FlowTable::Write(const std::string& path) const
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
    ForEach([&](uint64_t id, const Record& record) {
        const bool finished = record.finished != NEVER;
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
                record.lost);
    });
    csv.Close();
}

} // namespace ns3
