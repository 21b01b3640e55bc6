/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef APPROXIMATE_MULTIPLIER_H
#define APPROXIMATE_MULTIPLIER_H

#include <bit>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief Multiplication by table look-up, as in a switch that cannot multiply (Nimble, SOSR 2021,
 * Section 4.1, Algorithm 1).
 *
 * The table of a constant knows the product only for groups of factors that agree in their most
 * significant bits, the leading one included. A group stands for its mean, so that the product is
 * the constant times GetMean(x). Entries match on ternary bits:
 * @verbatim
     exact:        every v < 2^b
     (v, j):       x with v 2^j <= x < (v + 1) 2^j    for 2^(b-1) <= v < 2^b and 1 <= j <= i - b
   @endverbatim
 * for b significant bits of factors of i bits: 2^b + (i - b) 2^(b-1) entries. (The printed loop,
 * `while s <= j`, does not end; this is what gives the count in the paper's text.) The relative
 * error is at most 2^-b.
 */
class ApproximateMultiplier
{
  public:
    static constexpr uint32_t MAX_WIDTH = 62; //!< most bits of a factor: twice a mean fits 64

    /// @brief Factors that the table does not tell apart.
    struct Entry
    {
        uint64_t first;       //!< the least of them
        uint64_t last;        //!< the greatest of them
        uint64_t doubledMean; //!< twice their mean
    };

    /**
     * @param width bits of a factor (i), 1 to MAX_WIDTH; a greater factor counts as the greatest
     * @param significant bits that are looked at (b), at most width; 0: all, exactly
     */
    ApproximateMultiplier(uint32_t width, uint32_t significant)
        : m_greatest((uint64_t{1} << width) - 1),
          m_significant(significant == 0 ? width : significant)
    {
    }

    /**
     * @brief Twice the value that a factor counts as.
     * @param x the factor
     * @return twice the mean of its group, which is a whole number
     */
    uint64_t GetDoubledMean(uint64_t x) const
    {
        x = x < m_greatest ? x : m_greatest;
        const auto length = static_cast<uint32_t>(std::bit_width(x));
        if (length <= m_significant)
        {
            return 2 * x;
        }
        const uint32_t unknown = length - m_significant;
        return ((x >> unknown) << (unknown + 1)) + (uint64_t{1} << unknown) - 1;
    }

    /**
     * @brief The value that a factor counts as.
     * @param x the factor
     * @return the mean of its group
     */
    double GetMean(uint64_t x) const
    {
        return static_cast<double>(GetDoubledMean(x)) / 2;
    }

    /**
     * @brief Entries that a table takes for each constant.
     * @param width bits of a factor (i)
     * @param significant bits that are looked at (b), 1 to i
     * @return number of entries
     */
    static uint64_t CountEntries(uint32_t width, uint32_t significant)
    {
        return (width - significant + 2) * (uint64_t{1} << (significant - 1));
    }

    /**
     * @brief The table itself, for a look at it: GetDoubledMean() does without.
     * @return the entries in the order of their factors
     */
    std::vector<Entry> ListEntries() const;

  private:
    uint64_t m_greatest;    //!< greatest factor
    uint32_t m_significant; //!< bits that are looked at
};

} // namespace ns3

#endif /* APPROXIMATE_MULTIPLIER_H */
