/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "results.h"

#include "csv-writer.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

Results::Sum*
Results::AddRow(const std::string& name, double value, Rule rule)
{
    m_rows.push_back({m_source, name, value});
    if (!m_source.inTotals)
    {
        return nullptr;
    }
    const auto [known, isNew] = m_indices.emplace(name, m_sums.size());
    if (isNew)
    {
        m_sums.push_back({m_source.kind, name, rule, rule == Rule::MAXIMUM ? value : 0});
    }
    Sum& sum = m_sums[known->second];
    NS_ASSERT_MSG(sum.rule == rule, name << " is a sum here and a maximum or ratio there");
    return &sum;
}

void
Results::Add(const std::string& name, double value)
{
    if (Sum* sum = AddRow(name, value, Rule::SUM))
    {
        sum->dividend += value;
    }
}

void
Results::AddMaximum(const std::string& name, double value)
{
    if (Sum* sum = AddRow(name, value, Rule::MAXIMUM))
    {
        sum->dividend = std::fmax(sum->dividend, value); // a NaN is nothing
    }
}

void
Results::AddRatio(const std::string& name, double dividend, double divisor)
{
    if (divisor == 0)
    {
        return;
    }
    if (Sum* sum = AddRow(name, dividend / divisor, Rule::RATIO))
    {
        sum->dividend += dividend;
        sum->divisor += divisor;
    }
}

std::vector<Results::Total>
Results::GetTotals() const
{
    std::vector<Total> totals;
    for (const Sum& sum : m_sums)
    {
        totals.push_back({sum.kind,
                          sum.name,
                          sum.rule == Rule::RATIO ? sum.dividend / sum.divisor : sum.dividend});
    }
    return totals;
}

void
Results::Write(const std::string& path) const
{
    CsvWriter file(path, {"kind", "source", "name", "value"});
    for (const Row& row : m_rows)
    {
        file.Row(row.source.kind, row.source.name, row.name, row.value);
    }
    file.Close();
}

} // namespace ns3
