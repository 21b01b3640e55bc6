/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RTT_ESTIMATE_H
#define RTT_ESTIMATE_H

#include <cstdint>
#include <cstdlib>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Smoothed round-trip time and its variation (RFC 6298, rules 2.2 and 2.3, with its gains of
 * 1/8 and 1/4), in integers as in Jacobson and Karels, "Congestion avoidance and control",
 * appendix A.
 *
 * The same numbers as those of ns3::RttMeanDeviation with its default gains, step for step. That
 * one is an object of its own, which reads its gains from two floating-point attributes at every
 * sample; a connection that has a sample per acknowledgment notices both.
 */
class RttEstimate
{
  public:
    /**
     * @brief Take a sample in.
     * @param rtt time steps, not negative
     */
    void Add(int64_t rtt)
    {
        if (m_samples++ == 0)
        {
            m_smoothed = rtt;
            m_variation = rtt / 2;
            return;
        }
        const int64_t error = rtt - m_smoothed;
        m_smoothed = ((m_smoothed << 3) + error) >> 3;
        m_variation = ((m_variation << 2) + std::abs(error) - m_variation) >> 2;
    }

    /**
     * @brief Samples so far.
     * @return their number
     */
    uint64_t GetSamples() const
    {
        return m_samples;
    }

    /// @brief SRTT, in time steps; there must have been a sample.
    int64_t GetSmoothed() const
    {
        return m_smoothed;
    }

    /// @brief RTTVAR, in time steps; there must have been a sample.
    int64_t GetVariation() const
    {
        return m_variation;
    }

  private:
    uint64_t m_samples{0};  //!< number of samples
    int64_t m_smoothed{0};  //!< SRTT in time steps
    int64_t m_variation{0}; //!< RTTVAR in time steps
};

} // namespace ns3

#endif /* RTT_ESTIMATE_H */
