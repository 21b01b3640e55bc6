/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rate-bins.h"

#include "ns3/csv-writer.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RateBins");

RateBins::RateBins(Time width)
    : m_width(width.GetTimeStep())
{
}

void
RateBins::SelectBin(int64_t time)
{
    NS_ASSERT_MSG(time >= 0, "the simulation starts at time 0");
    m_bin = static_cast<std::size_t>(time / m_width);
    m_binStart = static_cast<int64_t>(m_bin) * m_width;
    m_binEnd = m_binStart + m_width;
}

std::vector<uint32_t>
RateBins::GetGroups() const
{
    std::vector<uint32_t> groups;
    for (uint32_t group = 0; group < m_bytes.size(); ++group)
    {
        if (!m_bytes[group].empty())
        {
            groups.push_back(group);
        }
    }
    return groups;
}

double
RateBins::GetRate(uint32_t group, std::size_t bin) const
{
    const bool received = group < m_bytes.size() && bin < m_bytes[group].size();
    const double bits = received ? 8.0 * static_cast<double>(m_bytes[group][bin]) : 0.0;
    // Nanoseconds in the divisor keep whole rates whole: 1 s / 1e9 would round.
    return bits * 1e9 / Time(m_width).ToDouble(Time::NS);
}

RateSummary
RateBins::Summarize(uint32_t group, Time from, Time to) const
{
    const auto first = static_cast<std::size_t>((from.GetTimeStep() + m_width - 1) / m_width);
    const auto last = static_cast<std::size_t>(to.GetTimeStep() / m_width);
    RateSummary summary;
    summary.bins = last > first ? last - first : 0;
    double sum = 0;
    for (auto bin = first; bin < last; ++bin)
    {
        sum += GetRate(group, bin);
    }
    const auto n = static_cast<double>(summary.bins);
    summary.mean = summary.bins ? sum / n : std::numeric_limits<double>::quiet_NaN();
    double squares = 0;
    for (auto bin = first; bin < last; ++bin)
    {
        squares += std::pow(GetRate(group, bin) - summary.mean, 2);
    }
    summary.coefficientOfVariation = summary.mean > 0 ? std::sqrt(squares / n) / summary.mean
                                                      : std::numeric_limits<double>::quiet_NaN();
    return summary;
}

void
RateBins::Write(const std::string& path, Time end) const
{
    NS_LOG_FUNCTION(this << path << end);
    CsvWriter csv(path, {"time_s", "group", "rate_bps"});
    const auto groups = GetGroups();
    const auto bins = end.GetTimeStep() / m_width;
    for (int64_t bin = 0; bin < bins; ++bin)
    {
        const std::string time = SecondsText(Time(bin * m_width));
        for (const auto group : groups)
        {
            csv.Row(time, group, GetRate(group, static_cast<std::size_t>(bin)));
        }
    }
    csv.Close();
}

} // namespace ns3
