/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-table.h"

#include "ns3/csv-writer.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FlowTable");

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
    m_sizedStarted += bytes > 0 ? 1 : 0;
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
    m_sizedFinished += record->bytes > 0 ? 1 : 0;
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
