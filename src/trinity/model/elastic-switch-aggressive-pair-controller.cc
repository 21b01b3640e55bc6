/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trinity-rate-control.h"

#include "ns3/ecn-limiter-channel.h"
#include "ns3/hose-pair-controller.h"
#include "ns3/mark-receiver.h"
#include "ns3/report-header-writer.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{

/**
 * @ingroup trinity
 * @brief ElasticSwitch with Trinity's work-conserving rates (Trinity Figure 7, A-ElasticSwitch): a
 * pair has one limiter for what it is guaranteed and what it may send beyond, and the network does
 * not tell the two apart.
 */
class ElasticSwitchAggressivePairController : public HosePairController,
                                              public MarkReceiver::Settings,
                                              public TrinityRateControl::Settings
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        using Self = ElasticSwitchAggressivePairController;
        static TypeId tid =
            TrinityRateControl::Settings::AddAttributes(
                MarkReceiver::Settings::AddAttributes(
                    TypeId("ns3::ElasticSwitchAggressivePairController")
                        .SetParent<HosePairController>()
                        .SetGroupName("Trinity")
                        .AddConstructor<ElasticSwitchAggressivePairController>()))
                .AddAttribute("BucketDepth",
                              "Most bytes that a pair sends at once, at least the largest packet "
                              "(Trinity's prototype: 32768)",
                              UintegerValue(32768),
                              MakeUintegerAccessor(&Self::m_bucketDepth),
                              MakeUintegerChecker<uint32_t>(1500, MAX_BURST));
        return tid;
    }

    ElasticSwitchAggressivePairController()
        : m_rates([](PairChannel& channel, double guaranteed, double spare) {
              static_cast<LimiterChannel&>(channel).SetRate(
                  DataRate(static_cast<uint64_t>(std::llround(guaranteed + spare))));
          })
    {
    }

    std::string GetSummary() const override
    {
        return "ElasticSwitch with Trinity's work-conserving rates, and no colours";
    }

    std::optional<uint32_t> GetBucketDepth() const override
    {
        return m_bucketDepth;
    }

    std::unique_ptr<PairChannel> CreateChannel(uint32_t /* pair */) override
    {
        return std::make_unique<EcnLimiterChannel>(GetChannelTerms(), DataRate(0), m_bucketDepth);
    }

    std::unique_ptr<PairReceiver> CreateReceiver(uint32_t pair) override
    {
        return std::make_unique<MarkReceiver>(pair, MarkReceiver::ANY_DSCP, markUnit);
    }

    std::unique_ptr<ItemHeaderWriter> CreateHeaderWriter() const override
    {
        return std::make_unique<ReportHeaderWriter>();
    }

    void OnActivate(PairChannel& channel, int64_t now) override
    {
        m_rates.Join(channel);
        HosePairController::OnActivate(channel, now); // divides the hose
        m_rates.Start(channel, GetGuarantee(channel.GetPair()));
    }

    void OnReport(PairChannel& channel, const PairReport& report, int64_t now) override
    {
        HosePairController::OnReport(channel, report, now);
        m_rates.HandleReport(channel,
                             MarkReceiver::GetFields(report).congestion,
                             SpareRateLaw::REPORT);
    }

    void OnTermsChanged(uint32_t tenant) override
    {
        m_rates.ForgetReserved();
        HosePairController::OnTermsChanged(tenant);
    }

    void ReportState(const PairChannel& channel,
                     int64_t now,
                     const PairChannel::StateVisitor& visit) const override
    {
        HosePairController::ReportState(channel, now, visit);
        m_rates.ReportState(channel, visit);
    }

  protected:
    void SetGuarantee(PairChannel& channel, double guarantee) override
    {
        m_rates.SetGuarantee(channel, guarantee);
    }

    bool NeedsReports(uint32_t /* pair */) const override
    {
        return true;
    }

    void OnInterval(int64_t /* now */) override
    {
        m_rates.Update();
    }

    void OnDeactivate(PairChannel& channel) override
    {
        m_rates.Leave(channel);
    }

    void DoInstall() override
    {
        HosePairController::DoInstall();
        m_rates.Install(*this, GetEdge(), GetHost());
    }

    void DoDispose() override
    {
        m_rates.Clear();
        HosePairController::DoDispose();
    }

  private:
    uint32_t m_bucketDepth;     //!< attribute BucketDepth
    TrinityRateControl m_rates; //!< control of the pairs' rates
};

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchAggressivePairController);

} // namespace ns3
