/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATE_BINS_H
#define RATE_BINS_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief A rate over some bins of a RateBins.
 */
struct RateSummary
{
    uint64_t bins{0}; //!< bins in the window
    double mean{0};   //!< mean rate in bit/s; NaN without bins
    double coefficientOfVariation{
        0}; //!< standard deviation / mean over the bins; NaN if the mean is 0
};

/**
 * @ingroup telemetry
 * @brief Rates at which groups (tenants, flows) receive, in bins of equal width.
 *
 * Bin k covers [k, k+1) bin widths since the start of the simulation. Groups should be small
 * numbers: memory is 8 bytes for every group up to the highest and every bin up to a group's last.
 * A group exists from its first Add() on; bins in which it received nothing count as 0.
 */
class RateBins
{
  public:
    /**
     * @brief Make empty bins.
     * @param width of each
     */
    explicit RateBins(Time width);

    /**
     * @brief Counts bytes. Times need not be in order.
     * @param group group of the receiver
     * @param bytes number of bytes
     * @param now time of receipt
     */
    void Add(uint32_t group, uint64_t bytes, Time now)
    {
        const int64_t time = now.GetTimeStep();
        if (time < m_binStart || time >= m_binEnd)
        {
            SelectBin(time);
        }
        if (group >= m_bytes.size())
        {
            m_bytes.resize(group + 1);
        }
        auto& bins = m_bytes[group];
        if (m_bin >= bins.size())
        {
            bins.resize(m_bin + 1);
        }
        bins[m_bin] += bytes;
    }

    /// @return the groups that exist, ascending
    std::vector<uint32_t> GetGroups() const;

    /**
     * @param group a group
     * @param bin number of a bin
     * @return its rate in bit/s; 0 where it received nothing
     */
    double GetRate(uint32_t group, std::size_t bin) const;

    /**
     * @brief Mean and variation of a group's rate over the bins that lie wholly within a window.
     * @param group a group
     * @param from start of the window
     * @param to end of the window
     * @return the summary
     */
    RateSummary Summarize(uint32_t group, Time from, Time to) const;

    /**
     * @brief Writes `time_s,group,rate_bps`: for each bin (time_s: its start) each group, zeros
     * too.
     * @param path the file
     * @param end end of the measurement; a bin that it cuts is not written, for its rate would be
     * too low
     * @throws InputError naming --out if the file cannot be written
     */
    void Write(const std::string& path, Time end) const;

  private:
    /**
     * @brief Makes a bin the current one.
     * @param time a time within it, in time steps
     */
    void SelectBin(int64_t time);

    int64_t m_width;       //!< width of a bin in time steps
    int64_t m_binStart{0}; //!< start of the current bin; an empty range until there is one
    int64_t m_binEnd{0};   //!< its end
    std::size_t m_bin{0};  //!< its number

    std::vector<std::vector<uint64_t>> m_bytes; //!< by group, then by bin
};

} // namespace ns3

#endif /* RATE_BINS_H */
