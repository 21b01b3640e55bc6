/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATE_LAW_PAIR_CONTROLLER_H
#define RATE_LAW_PAIR_CONTROLLER_H

#include "rate-law-channel.h"

#include "ns3/mark-receiver.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief Each pair may send at its guarantee at least, and faster as a law of its own says by what
 * its reports say of congestion.
 */
class RateLawPairController : public HosePairController, public MarkReceiver::Settings
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::optional<uint32_t> GetBucketDepth() const override;
    std::unique_ptr<PairChannel> CreateChannel(uint32_t pair) override;
    std::unique_ptr<PairReceiver> CreateReceiver(uint32_t pair) override;
    std::unique_ptr<ItemHeaderWriter> CreateHeaderWriter() const override;
    void OnActivate(PairChannel& channel, int64_t now) override;

  protected:
    /// @brief Make the law of a pair.
    virtual std::unique_ptr<PairRateLaw> CreateLaw() const = 0;

    /// @brief Rate of this host's link, in bit/s.
    double GetLinkRate() const;

    void SetGuarantee(PairChannel& channel, double guarantee) override;
    bool NeedsReports(uint32_t pair) const override;

  private:
    uint32_t m_bucketDepth;          //!< attribute BucketDepth
    RateLawChannel::Signal m_signal; //!< attribute Signal
};

} // namespace ns3

#endif /* RATE_LAW_PAIR_CONTROLLER_H */
