/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PWC_CHANNEL_H
#define PWC_CHANNEL_H

#include "ns3/nanosecond-clock.h"
#include "ns3/swift-window.h"
#include "ns3/token-bucket.h"
#include "ns3/window-channel.h"

#include <optional>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief A channel whose packets go when both the receiver's rate (PicNIC') and the window of a
 * weighted Swift (WCC) let them, or one of the two if there is but one.
 */
class PwcChannel : public WindowChannel
{
  public:
    /// @brief The parts that limit the channel.
    struct Parts
    {
        std::optional<TokenBucket> bucket; //!< PicNIC': filled at the receiver's rate
        std::optional<SwiftWindow> window; //!< WCC
    };

    /**
     * @brief Make a channel.
     * @param terms of the queues in which items wait
     * @param parts its bucket, its window or both
     * @param baseRtt round-trip time without queueing
     * @param timeout time after which what was not reported is lost
     */
    PwcChannel(const FlowQueues::Terms& terms, Parts parts, Time baseRtt, Time timeout);

    /**
     * @brief Change what the pair counts for.
     * @param weight of its Swift
     */
    void SetWeight(double weight);

    int64_t GetReleaseTime(int64_t now) override;
    FabricItem* Dequeue(int64_t now) override;
    void OnReport(const PairReport& report, int64_t now) override;
    void ReportState(int64_t now, const StateVisitor& visit) const override;

    static constexpr uint32_t PACKET = 1500; //!< unit that Swift counts in, in bytes

    /// @brief Element of PairReport::extra with the receiver's rate, in bit/s; 0: says nothing.
    static constexpr int RATE_EXTRA = 2;

  protected:
    void OnAcknowledged(uint64_t bytes, int64_t rtt, int64_t now) override;

  private:
    bool TakeLosses();
    void ApplyWindow();

    NanosecondClock m_clock; //!< the bucket counts nanoseconds
    Parts m_parts;           //!< parts that limit the channel
    int64_t m_rtt;           //!< latest, in time steps
    uint64_t m_lost{0};      //!< bytes that Swift knows to be lost
};

} // namespace ns3

#endif /* PWC_CHANNEL_H */
