/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_HISTOGRAM_H
#define LATENCY_HISTOGRAM_H

#include "ns3/assert.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

class Results;

/**
 * @ingroup telemetry
 * @brief Counts latencies exactly, in bins whose width grows with the latency.
 *
 * Bins are log-linear: each power of two is cut into 128 equal bins, so a bin is at most 1/128
 * (0.78 %) as wide as its lower edge; below 256 time steps (256 ns at the default resolution) every
 * step has its own bin. Count, minimum, maximum and mean are exact; a quantile is the middle of the
 * bin that holds the sample's exact nearest-rank quantile, so it errs by at most 1/256 (0.39 %) of
 * it.
 *
 * All of Time's non-negative range fits, in 57 KB that are allocated once: Add() allocates nothing.
 */
class LatencyHistogram
{
  public:
    LatencyHistogram();

    /**
     * @brief Counts one latency.
     * @param latency a non-negative time
     */
    void Add(Time latency)
    {
        const int64_t steps = latency.GetTimeStep();
        NS_ASSERT_MSG(steps >= 0, "a latency cannot be negative");
        ++m_counts[GetBin(steps)];
        ++m_count;
        m_sum += steps;
        m_min = std::min(m_min, steps);
        m_max = std::max(m_max, steps);
    }

    /**
     * @brief Adds all that another histogram counted.
     * @param other the other one
     */
    void Merge(const LatencyHistogram& other);

    /// @return number of latencies counted
    uint64_t GetCount() const
    {
        return m_count;
    }

    /// @return the least latency, exact; 0 if none was counted
    Time GetMin() const
    {
        return m_count ? Time(m_min) : Time(0);
    }

    /// @return the greatest latency, exact; 0 if none was counted
    Time GetMax() const
    {
        return Time(m_max);
    }

    /// @return the mean latency in nanoseconds, exact but for rounding; NaN if none was counted
    double GetMeanNs() const;

    /**
     * @brief Nearest-rank quantile: the least latency that at least a fraction q does not exceed.
     * @param q the fraction, 0 to 1
     * @return the quantile, within 1/256 of its exact value; 0 if no latency was counted
     */
    Time GetQuantile(double q) const;

    /**
     * @brief Writes the non-empty bins: `low_ns,high_ns,count`, low included, high excluded.
     * @param path the file
     * @throws InputError naming --out if the file cannot be written
     */
    void Write(const std::string& path) const;

    /**
     * @brief Adds count, mean, p50, p99, p99.9 and maximum to a run's results.
     * @param results takes it
     * @param prefix begins each name: "latency" gives latency_mean_ns and so on
     */
    void ReportResults(Results& results, std::string_view prefix) const;

  private:
    static constexpr int BITS = 7; //!< a power of two has 2^BITS bins

    /**
     * @param steps a latency in time steps
     * @return its bin
     */
    static std::size_t GetBin(int64_t steps)
    {
        const auto value = static_cast<uint64_t>(steps);
        const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - (BITS + 1));
        return (static_cast<std::size_t>(shift) << BITS) + (value >> shift);
    }

    /**
     * @param bin a bin
     * @return its least latency in time steps
     */
    static int64_t GetLow(std::size_t bin);

    /**
     * @param bin a bin
     * @return number of time steps that fall into it
     */
    static int64_t GetWidth(std::size_t bin);

    std::vector<uint64_t> m_counts; //!< latencies in each bin
    uint64_t m_count{0};            //!< latencies in all
    __uint128_t m_sum{0};           //!< their sum, beyond 64 bits in picoseconds
    int64_t m_min{std::numeric_limits<int64_t>::max()}; //!< the least
    int64_t m_max{0};                                   //!< the greatest
};

} // namespace ns3

#endif /* LATENCY_HISTOGRAM_H */
