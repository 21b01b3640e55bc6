/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRINITY_PAIR_CONTROLLER_H
#define TRINITY_PAIR_CONTROLLER_H

#include "trinity-channel.h"
#include "trinity-rate-control.h"

#include "ns3/hose-pair-controller.h"
#include "ns3/mark-receiver.h"

#include <utility>

namespace ns3
{

/**
 * @ingroup trinity
 * @brief Trinity's shim at one host (Section 3.3), put together from guarantees by hoses
 * (HosePairController), receivers that count red packets and their marks (MarkReceiver), coloured
 * channels (TrinityChannel) and the control of their rates (TrinityRateControl).
 */
class TrinityPairController : public HosePairController,
                              public MarkReceiver::Settings,
                              public TrinityRateControl::Settings
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    TrinityPairController();

    std::string GetSummary() const override;
    std::optional<uint32_t> GetBucketDepth() const override;
    std::unique_ptr<PairChannel> CreateChannel(uint32_t pair) override;
    std::unique_ptr<PairReceiver> CreateReceiver(uint32_t pair) override;
    std::unique_ptr<ItemHeaderWriter> CreateHeaderWriter() const override;
    void OnActivate(PairChannel& channel, int64_t now) override;
    void OnReport(PairChannel& channel, const PairReport& report, int64_t now) override;
    void OnTermsChanged(uint32_t tenant) override;
    void ReportState(const PairChannel& channel,
                     int64_t now,
                     const PairChannel::StateVisitor& visit) const override;
    void ReportResults(Results& results) const override;

    /// @brief The control of the pairs' rates.
    const TrinityRateControl& GetRates() const
    {
        return m_rates;
    }

  protected:
    /**
     * @brief Use another law of R_W than the paper's. Once the controller is installed.
     * @param law the law
     */
    void SetLaw(TrinityRateControl::Law law)
    {
        m_rates.SetLaw(std::move(law));
    }

    void SetGuarantee(PairChannel& channel, double guarantee) override;
    bool NeedsReports(uint32_t pair) const override;
    void OnInterval(int64_t now) override;
    void OnDeactivate(PairChannel& channel) override;
    void DoInstall() override;
    void DoDispose() override;

  private:
    SpareRateLaw::Feedback Judge(TrinityChannel& channel, const ReportFields& fields, int64_t now);

    TrinityRateControl m_rates;         //!< control of the pairs' rates
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
