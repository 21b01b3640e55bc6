/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUANTILE_H
#define QUANTILE_H

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief Quantile of a sample, with linear interpolation between order statistics.
 *
 * Hyndman and Fan's definition 7, the default of NumPy, pandas and R, so that a figure's numbers
 * and a run's own summary agree.
 *
 * @param values the sample, in any order
 * @param q which quantile, 0 (minimum) to 1 (maximum)
 * @return the quantile; NaN if the sample is empty
 */
double Quantile(std::vector<double> values, double q);

/**
 * @ingroup telemetry
 * @brief Quantiles of a sample that is gone through twice and not kept: the same to the last bit as
 * Quantile() gives.
 *
 * The first time values are counted in bins of 0.1 % of a value; then the quantiles are chosen; the
 * second time those values are kept that are in their bins.
 */
class StreamedQuantiles
{
  public:
    /**
     * @brief Count a value, the first time.
     * @param value at least 0
     */
    void Count(double value);

    /**
     * @brief Choose a quantile, between the first time and the second.
     * @param q which one, 0 to 1
     */
    void Choose(double q);

    /**
     * @brief Look at a value again, the second time.
     * @param value one that was counted
     */
    void Collect(double value);

    /**
     * @brief A quantile, in the end.
     * @param q one that was chosen
     * @return the quantile; NaN if the sample is empty
     */
    double Get(double q) const;

  private:
    /// @brief Values that are close to each other.
    struct Bin
    {
        uint64_t count{0};                   //!< their number
        double least{0};                     //!< the least of them
        double greatest{0};                  //!< the greatest of them
        uint64_t below{0};                   //!< values in lower bins; known once isWanted
        bool isWanted{false};                //!< whether they are kept
        std::map<double, uint64_t> values{}; //!< if they are, and are not all equal: how often each
    };

    /**
     * @param value at least 0
     * @return number of its bin; higher for higher values
     */
    static uint32_t GetBin(double value);

    /**
     * @brief Have the values kept that are in the bin of a rank.
     * @param rank from 0 for the least value
     */
    void Want(uint64_t rank);

    /**
     * @param rank from 0 for the least value, in a bin that is wanted
     * @return the value
     */
    double GetRanked(uint64_t rank) const;

    std::unordered_map<uint32_t, Bin> m_bins; //!< those that have values
    uint64_t m_count{0};                      //!< values in all
};

} // namespace ns3

#endif /* QUANTILE_H */
