/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOKEN_BUCKET_H
#define TOKEN_BUCKET_H

#include "ns3/data-rate.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup telemetry
 * @defgroup tokens Tokens without rounding
 * @brief The arithmetic of token buckets and meters, in whole numbers.
 *
 * A rate in bit/s times a time in ns is a whole number of 10^-9 bit. Tokens are counted in that
 * unit: 8 x 10^9 of them stand for one byte. So the tokens that a bucket has earned do not depend
 * on how often anyone looked, no fraction of a byte is ever lost, and 64 bits hold more than 1 GB.
 * Times are whole nanoseconds, whatever the resolution of Time is (NanosecondClock); a fraction of
 * one is not lost either, because a later look counts it.
 */

/// @ingroup tokens
/// @brief Tokens of one byte.
constexpr int64_t TOKENS_PER_BYTE = 8'000'000'000;

/// @ingroup tokens
/// @brief Most bytes a bucket or a threshold may have: sums of two still fit 64 bits.
constexpr uint32_t MAX_BURST = 1U << 28;

/**
 * @ingroup tokens
 * @brief Tokens that come in some time, as far as there is room for them.
 * @param rate tokens per nanosecond, not negative: a rate in bit/s
 * @param nanoseconds the time, not negative
 * @param room most tokens that can be kept
 * @return the lesser of rate * nanoseconds, which need not fit 64 bits, and room
 */
inline int64_t
EarnTokens(int64_t rate, int64_t nanoseconds, int64_t room)
{
    int64_t earned;
    return __builtin_mul_overflow(rate, nanoseconds, &earned) ? room : std::min(earned, room);
}

/**
 * @ingroup tokens
 * @brief A bucket of tokens that fills at a rate, for shapers, limiters and pacing.
 *
 * It never polls: tokens are counted when someone looks, and GetReleaseTime() says when a packet
 * may go, to the nanosecond.
 */
class TokenBucket
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no point in time

    /**
     * @brief A full bucket.
     * @param rate at which it fills
     * @param depth most it holds in bytes, at most MAX_BURST
     * @param now the time in ns
     */
    TokenBucket(DataRate rate, uint32_t depth, int64_t now = 0);

    /**
     * @brief Change the rate. What was earned until now was earned at the old one.
     * @param now the time in ns, not before that of any other call
     * @param rate the new rate
     */
    void SetRate(int64_t now, DataRate rate);

    /**
     * @brief Change the depth. What does not fit a smaller one is lost.
     * @param now the time in ns
     * @param depth most it holds in bytes, at most MAX_BURST
     */
    void SetDepth(int64_t now, uint32_t depth);

    /**
     * @brief Throw away all tokens.
     * @param now the time in ns
     */
    void Empty(int64_t now);

    /**
     * @brief Count what was earned.
     * @param now the time in ns
     */
    void Settle(int64_t now)
    {
        m_tokens += EarnTokens(m_rate, now - m_last, m_depth - m_tokens);
        m_last = now;
    }

    /**
     * @brief Take the tokens of a packet if they are all there.
     * @param now the time in ns
     * @param bytes the packet
     * @return false if they are not, and none was taken
     */
    bool Take(int64_t now, uint32_t bytes)
    {
        Settle(now);
        const int64_t needed = bytes * TOKENS_PER_BYTE;
        if (m_tokens < needed)
        {
            return false;
        }
        m_tokens -= needed;
        return true;
    }

    /**
     * @brief The time at which the tokens of a packet will all be there.
     * @param now the time in ns
     * @param bytes the packet
     * @return the earliest time in ns, not before now, if nothing changes; NEVER if the bucket is
     * not as deep, or does not fill
     */
    int64_t GetReleaseTime(int64_t now, uint32_t bytes);

    /**
     * @brief Tokens in the bucket.
     * @param now the time in ns
     * @return bytes, with their fraction
     */
    double GetBytes(int64_t now);

    /// @brief The rate at which the bucket fills.
    DataRate GetRate() const
    {
        return DataRate(static_cast<uint64_t>(m_rate));
    }

    /// @brief Most it holds, in bytes.
    uint32_t GetDepth() const
    {
        return static_cast<uint32_t>(m_depth / TOKENS_PER_BYTE);
    }

  private:
    int64_t m_rate;   //!< tokens per ns
    int64_t m_depth;  //!< most tokens
    int64_t m_tokens; //!< tokens at the time m_last
    int64_t m_last;   //!< time of the last count, in ns
};

} // namespace ns3

#endif /* TOKEN_BUCKET_H */
