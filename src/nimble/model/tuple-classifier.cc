/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tuple-classifier.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

namespace
{

/**
 * @brief The leading bits of a field.
 * @param value the field
 * @param field index of the field
 * @param bits number of bits that count
 * @return the value without the others
 */
uint64_t
GetLeadingBits(uint64_t value, uint32_t field, uint8_t bits)
{
    return value >> (SevenTuple::WIDTHS[field] - bits);
}

} // namespace

uint32_t
TupleRule::CountFields() const
{
    return static_cast<uint32_t>(
        std::ranges::count_if(fields, [](const Match& match) { return match.bits > 0; }));
}

bool
TupleRule::Overlaps(const TupleRule& other) const
{
    for (uint32_t i = 0; i < SevenTuple::FIELDS; ++i)
    {
        const uint8_t bits = std::min(fields[i].bits, other.fields[i].bits);
        if (bits > 0 && GetLeadingBits(fields[i].value, i, bits) !=
                            GetLeadingBits(other.fields[i].value, i, bits))
        {
            return false;
        }
    }
    return true;
}

void
TupleClassifier::Add(const TupleRule& rule)
{
    Bits bits;
    Values values;
    for (uint32_t i = 0; i < SevenTuple::FIELDS; ++i)
    {
        bits[i] = rule.fields[i].bits;
        values[i] = bits[i] > 0 ? GetLeadingBits(rule.fields[i].value, i, bits[i]) : 0;
    }
    auto table = std::ranges::find(m_tables, bits, &Table::bits);
    if (table == m_tables.end())
    {
        m_tables.push_back({bits, rule.CountFields()});
        table = m_tables.end() - 1;
    }
    const Entry entry{rule.priority, rule.trafficClass, m_added++};
    const auto [place, isNew] = table->entries.emplace(values, entry);
    if (!isNew && place->second.priority < rule.priority)
    {
        place->second = entry;
    }
}

uint32_t
TupleClassifier::Find(const SevenTuple& tuple) const
{
    const Entry* best = nullptr;
    uint32_t bestFields = 0;
    for (const Table& table : m_tables)
    {
        Values values{};
        bool complete = true;
        for (uint32_t i = 0; i < SevenTuple::FIELDS && complete; ++i)
        {
            if (table.bits[i] > 0)
            {
                complete = tuple.values[i].has_value();
                values[i] = complete ? GetLeadingBits(*tuple.values[i], i, table.bits[i]) : 0;
            }
        }
        const auto found = complete ? table.entries.find(values) : table.entries.end();
        if (found == table.entries.end())
        {
            continue;
        }
        const Entry& entry = found->second;
        if (!best || std::tuple(entry.priority, table.nFields, best->order) >
                         std::tuple(best->priority, bestFields, entry.order))
        {
            best = &entry;
            bestFields = table.nFields;
        }
    }
    return best ? best->trafficClass : 0;
}

} // namespace ns3
