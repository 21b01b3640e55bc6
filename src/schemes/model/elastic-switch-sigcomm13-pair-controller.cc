/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rate-law-pair-controller.h"
#include "weighted-cubic-rate-law.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief ElasticSwitch as published (SIGCOMM 2013): WeightedCubicRateLaw for each pair.
 */
class ElasticSwitchSigcomm13PairController : public RateLawPairController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        using Self = ElasticSwitchSigcomm13PairController;
        static TypeId tid =
            TypeId("ns3::ElasticSwitchSigcomm13PairController")
                .SetParent<RateLawPairController>()
                .SetGroupName("Schemes")
                .AddConstructor<ElasticSwitchSigcomm13PairController>()
                .AddAttribute("HoldBits",
                              "Hold-increase: after congestion the rate is not increased for so "
                              "many bits at the guarantee (a choice: 100 ms at 100 Mbit/s)",
                              DoubleValue(10e6),
                              MakeDoubleAccessor(&Self::m_holdBits),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("ConvexStep",
                              "First convex step of a pair of weight 1 (a choice)",
                              DataRateValue(DataRate("1Mbps")),
                              MakeDataRateAccessor(&Self::m_convexStep),
                              MakeDataRateChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "ElasticSwitch as published: weighted CUBIC, hold-increase, rate-caution";
    }

  protected:
    void DoInstall() override
    {
        RateLawPairController::DoInstall();
        m_settings.mostRate = GetLinkRate();
        m_settings.holdBits = m_holdBits;
        m_settings.convexStep = static_cast<double>(m_convexStep.GetBitRate());
    }

    std::unique_ptr<PairRateLaw> CreateLaw() const override
    {
        return std::make_unique<WeightedCubicRateLaw>(m_settings);
    }

  private:
    double m_holdBits;                         //!< attribute HoldBits
    DataRate m_convexStep;                     //!< attribute ConvexStep
    WeightedCubicRateLaw::Settings m_settings; //!< of the law, for this host's link
};

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchSigcomm13PairController);

} // namespace ns3
