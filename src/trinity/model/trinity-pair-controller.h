/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRINITY_PAIR_CONTROLLER_H
#define TRINITY_PAIR_CONTROLLER_H

#include "trinity-channel.h"

#include "ns3/work-conserving-pair-controller.h"

namespace ns3
{

/**
 * @ingroup trinity
 * @brief Trinity's shim at one host: coloured channels and their rate controller (Section 3.3).
 */
class TrinityPairController : public WorkConservingPairController
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    std::optional<uint32_t> GetBucketDepth() const override;
    std::unique_ptr<PairChannel> CreateChannel(uint32_t pair) override;
    void ReportResults(Results& results) const override;

  protected:
    uint8_t GetCountedDscp() const override;
    void SetRates(PairChannel& channel, double guaranteed, double spare) override;
    SpareRateLaw::News Judge(PairChannel& channel, const PairReport& report, int64_t now) override;
    void OnChannelInterval(PairChannel& channel, int64_t now) override;
    void DoInstall() override;

  private:
    uint64_t m_threshold;               //!< attribute FlowThreshold
    uint32_t m_greenDepth;              //!< attribute GreenBucketDepth
    uint32_t m_redDepth;                //!< attribute RedBucketDepth
    Time m_idleReset;                   //!< attribute FlowIdleReset
    Time m_tau;                         //!< attribute Tau
    Time m_tick;                        //!< attribute TickInterval
    Time m_baseRtt;                     //!< attribute BaseRtt
    bool m_detectTrapping;              //!< attribute DetectTrapping
    uint32_t m_trapIntervals;           //!< attribute TrapConfirmIntervals
    TrinityChannel::Settings m_channel; //!< of all channels
};

} // namespace ns3

#endif /* TRINITY_PAIR_CONTROLLER_H */
