/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "quantile.h"

#include "ns3/assert.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace ns3
{

double
Quantile(std::vector<double> values, double q)
{
    NS_ASSERT_MSG(q >= 0 && q <= 1, "a quantile lies between 0 and 1");
    if (values.empty())
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double position = q * static_cast<double>(values.size() - 1);
    const auto below = values.begin() + static_cast<std::ptrdiff_t>(position);
    std::nth_element(values.begin(), below, values.end());
    const double low = *below;
    if (below + 1 == values.end())
    {
        return low;
    }
    const double high = *std::min_element(below + 1, values.end());
    return low + (position - static_cast<double>(below - values.begin())) * (high - low);
}

uint32_t
StreamedQuantiles::GetBin(double value)
{
    // Sign, exponent and ten bits of the fraction: the order of doubles from 0 on.
    return static_cast<uint32_t>(std::bit_cast<uint64_t>(value) >> 42);
}

void
StreamedQuantiles::Count(double value)
{
    NS_ASSERT_MSG(value >= 0, "bins are of values from 0 on");
    Bin& bin = m_bins[GetBin(value)];
    bin.least = bin.count ? std::min(bin.least, value) : value;
    bin.greatest = bin.count ? std::max(bin.greatest, value) : value;
    ++bin.count;
    ++m_count;
}

void
StreamedQuantiles::Want(uint64_t rank)
{
    std::map<uint32_t, Bin*> ascending;
    for (auto& [number, bin] : m_bins)
    {
        ascending.emplace(number, &bin);
    }
    uint64_t below = 0;
    for (const auto& [number, bin] : ascending)
    {
        if (rank < below + bin->count)
        {
            bin->below = below;
            bin->isWanted = true;
            return;
        }
        below += bin->count;
    }
}

void
StreamedQuantiles::Choose(double q)
{
    NS_ASSERT_MSG(q >= 0 && q <= 1, "a quantile lies between 0 and 1");
    if (m_count > 0)
    {
        const auto rank = static_cast<uint64_t>(q * static_cast<double>(m_count - 1));
        Want(rank);
        Want(std::min(rank + 1, m_count - 1));
    }
}

void
StreamedQuantiles::Collect(double value)
{
    Bin& bin = m_bins.at(GetBin(value));
    if (bin.isWanted && bin.least < bin.greatest)
    {
        ++bin.values[value];
    }
}

double
StreamedQuantiles::GetRanked(uint64_t rank) const
{
    const auto found = std::ranges::find_if(m_bins, [rank](const auto& entry) {
        const Bin& bin = entry.second;
        return bin.isWanted && bin.below <= rank && rank < bin.below + bin.count;
    });
    const Bin& bin = found->second;
    if (bin.values.empty())
    {
        return bin.least;
    }
    uint64_t below = bin.below;
    for (const auto& [value, count] : bin.values)
    {
        below += count;
        if (rank < below)
        {
            return value;
        }
    }
    return bin.greatest;
}

double
StreamedQuantiles::Get(double q) const
{
    if (m_count == 0)
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double position = q * static_cast<double>(m_count - 1);
    const auto rank = static_cast<uint64_t>(position);
    const double low = GetRanked(rank);
    if (rank + 1 == m_count)
    {
        return low;
    }
    return low + (position - static_cast<double>(rank)) * (GetRanked(rank + 1) - low);
}

} // namespace ns3
