/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STATIC_PAIR_CONTROLLER_H
#define STATIC_PAIR_CONTROLLER_H

#include "hose-pair-controller.h"

namespace ns3
{

/**
 * @ingroup edge
 * @brief Each pair may send at its guarantee and no faster, whoever else is silent (static
 * reservation, as in Oktopus, SIGCOMM 2011).
 */
class StaticPairController : public HosePairController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    std::optional<uint32_t> GetBucketDepth() const override;
    std::unique_ptr<PairChannel> CreateChannel(uint32_t pair) override;

  protected:
    void SetGuarantee(PairChannel& channel, double guarantee) override;

  private:
    uint32_t m_bucketDepth; //!< attribute BucketDepth
};

} // namespace ns3

#endif /* STATIC_PAIR_CONTROLLER_H */
