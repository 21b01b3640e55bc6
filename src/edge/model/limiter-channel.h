/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIMITER_CHANNEL_H
#define LIMITER_CHANNEL_H

#include "pair-channel.h"

#include "ns3/nanosecond-clock.h"
#include "ns3/token-bucket.h"

namespace ns3
{

/**
 * @ingroup edge
 * @brief A channel with a rate: one token bucket (Trinity Section 3.2, Token Bucket 1).
 */
class LimiterChannel : public PairChannel
{
  public:
    /**
     * @brief Make a channel with a full bucket.
     * @param terms of the queues in which items wait
     * @param rate in bits of IP datagrams
     * @param depth of the bucket in bytes
     */
    LimiterChannel(const FlowQueues::Terms& terms, DataRate rate, uint32_t depth);

    /**
     * @brief Change the rate. Tokens earned until now were earned at the old one.
     * @param rate in bits of IP datagrams
     */
    void SetRate(DataRate rate);

    /// @brief The rate.
    DataRate GetRate() const
    {
        return m_bucket.GetRate();
    }

    /**
     * @brief An item wants to go.
     * @param item the item
     * @param now the current time, in time steps
     * @return true if there was room
     * @throws InputError if the bucket can never hold the item's tokens
     */
    bool Enqueue(FabricItem* item, int64_t now) override;
    int64_t GetReleaseTime(int64_t now) override;
    FabricItem* Dequeue(int64_t now) override;
    void ReportState(int64_t now, const StateVisitor& visit) const override;
    void ReportResults(Results& results) const override;

  private:
    NanosecondClock m_clock; //!< the bucket counts nanoseconds
    TokenBucket m_bucket;    //!< bucket of the rate limit
};

} // namespace ns3

#endif /* LIMITER_CHANNEL_H */
