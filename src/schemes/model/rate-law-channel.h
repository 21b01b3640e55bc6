/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATE_LAW_CHANNEL_H
#define RATE_LAW_CHANNEL_H

#include "ecn-limiter-channel.h"
#include "pair-rate-law.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief A limited channel whose rate follows the reports of its receiver.
 */
class RateLawChannel : public EcnLimiterChannel
{
  public:
    /// @brief The signal that counts as congestion.
    enum Signal
    {
        MARKS, //!< bytes that arrive with Congestion Experienced
        LOSSES //!< bytes that do not arrive
    };

    /**
     * @brief Make a channel with a full bucket, and a rate of 0 until there is a guarantee.
     * @param terms of the queues in which items wait
     * @param depth of the bucket in bytes
     * @param signal the signal that counts as congestion
     * @param law says how fast the pair may send
     */
    RateLawChannel(const FlowQueues::Terms& terms,
                   uint32_t depth,
                   Signal signal,
                   std::unique_ptr<PairRateLaw> law);

    /**
     * @brief The guarantee of the pair has changed.
     * @param guarantee in bit/s
     */
    void SetGuarantee(double guarantee);

    /// @brief The pair sends again after a time without traffic.
    void Restart();

    void OnReport(const PairReport& report, int64_t now) override;

  private:
    uint64_t CountLost(const PairReport& report);
    void ApplyRate();

    Signal m_signal;                    //!< signal that counts as congestion
    std::unique_ptr<PairRateLaw> m_law; //!< rate at which the pair may send
    uint64_t m_received{0};             //!< bytes, as the last report said
    uint64_t m_marked{0};               //!< bytes with a mark, as the last report said
    uint64_t m_sent{0};                 //!< bytes sent when the last report came
    uint64_t m_lost{0};                 //!< bytes counted as lost
};

} // namespace ns3

#endif /* RATE_LAW_CHANNEL_H */
