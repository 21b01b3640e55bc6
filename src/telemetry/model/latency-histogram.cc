/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-histogram.h"

#include "ns3/csv-writer.h"
#include "ns3/results.h"

#include <cmath>
#include <functional>

namespace ns3
{

LatencyHistogram::LatencyHistogram()
    : m_counts(GetBin(std::numeric_limits<int64_t>::max()) + 1)
{
}

int64_t
LatencyHistogram::GetWidth(std::size_t bin)
{
    const int shift = std::max(0, static_cast<int>(bin >> BITS) - 1);
    return int64_t{1} << shift;
}

int64_t
LatencyHistogram::GetLow(std::size_t bin)
{
    const int shift = std::max(0, static_cast<int>(bin >> BITS) - 1);
    const auto mantissa = bin - (static_cast<std::size_t>(shift) << BITS);
    return static_cast<int64_t>(mantissa) << shift;
}

void
LatencyHistogram::Merge(const LatencyHistogram& other)
{
    std::transform(m_counts.begin(),
                   m_counts.end(),
                   other.m_counts.begin(),
                   m_counts.begin(),
                   std::plus<>());
    m_count += other.m_count;
    m_sum += other.m_sum;
    m_min = std::min(m_min, other.m_min);
    m_max = std::max(m_max, other.m_max);
}

double
LatencyHistogram::GetMeanNs() const
{
    return m_count ? static_cast<double>(m_sum) / static_cast<double>(m_count) *
                         Time(1).ToDouble(Time::NS)
                   : std::numeric_limits<double>::quiet_NaN();
}

Time
LatencyHistogram::GetQuantile(double q) const
{
    NS_ASSERT_MSG(q >= 0 && q <= 1, "a quantile lies between 0 and 1");
    if (m_count == 0)
    {
        return Time(0);
    }
    // q and the product are rounded: 0.07 * 100 must not become rank 8.
    const double position = q * static_cast<double>(m_count) * (1 - 0x1p-51);
    const auto rank = std::max<uint64_t>(1, static_cast<uint64_t>(std::ceil(position)));
    uint64_t seen = 0;
    std::size_t bin = 0;
    while ((seen += m_counts[bin]) < rank)
    {
        ++bin;
    }
    const int64_t middle = GetLow(bin) + (GetWidth(bin) - 1) / 2;
    return Time(std::clamp(middle, m_min, m_max));
}

void
LatencyHistogram::Write(const std::string& path) const
{
    CsvWriter csv(path, {"low_ns", "high_ns", "count"});
    for (std::size_t bin = 0; bin < m_counts.size(); ++bin)
    {
        if (m_counts[bin] > 0)
        {
            const bool last = bin + 1 == m_counts.size(); // its end is 2^63, no int64_t
            const int64_t high = last ? std::numeric_limits<int64_t>::max() : GetLow(bin + 1);
            csv.Row(NanosecondsText(Time(GetLow(bin))), NanosecondsText(Time(high)), m_counts[bin]);
        }
    }
    csv.Close();
}

void
LatencyHistogram::ReportResults(Results& results, std::string_view prefix) const
{
    const std::string name(prefix);
    const auto nanoseconds = [this](Time time) {
        return m_count ? time.ToDouble(Time::NS) : std::numeric_limits<double>::quiet_NaN();
    };
    results.Add(name + "_count", m_count);
    results.Add(name + "_mean_ns", GetMeanNs());
    results.Add(name + "_p50_ns", nanoseconds(GetQuantile(0.5)));
    results.Add(name + "_p99_ns", nanoseconds(GetQuantile(0.99)));
    results.Add(name + "_p999_ns", nanoseconds(GetQuantile(0.999)));
    results.AddMaximum(name + "_max_ns", nanoseconds(GetMax()));
}

} // namespace ns3
