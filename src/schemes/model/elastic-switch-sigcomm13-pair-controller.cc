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
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        using Self = ElasticSwitchSigcomm13PairController;
        static TypeId tid =
            TypeId("ns3::ElasticSwitchSigcomm13PairController")
                .SetParent<RateLawPairController>()
                .SetGroupName("Schemes")
                .AddConstructor<ElasticSwitchSigcomm13PairController>()
                .AddAttribute("Decrease",
                              "Cut at congestion, times the congested share",
                              DoubleValue(0.2),
                              MakeDoubleAccessor(&Self::m_decrease),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("StepGrowth",
                              "A convex step is longer than the last by so many weights",
                              DoubleValue(4),
                              MakeDoubleAccessor(&Self::m_stepGrowth),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("Caution",
                              "Rate-caution: convex steps shrink by this for each guarantee that "
                              "the rate is above the guarantee, to a tenth at most",
                              DoubleValue(0.1),
                              MakeDoubleAccessor(&Self::m_caution),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("ConcaveGain",
                              "A first concave step, as a share of the way to the goal (a choice)",
                              DoubleValue(0.25),
                              MakeDoubleAccessor(&Self::m_concaveGain),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("ConcaveTime",
                              "Time in which concave steps fade out (a choice)",
                              TimeValue(Seconds(1)),
                              MakeTimeAccessor(&Self::m_concaveTime),
                              MakeTimeChecker(TimeStep(1)))
                .AddAttribute("HoldBits",
                              "Hold-increase: after congestion the rate is not increased for so "
                              "many bits at the guarantee (a choice: 100 ms at 100 Mbit/s)",
                              DoubleValue(10e6),
                              MakeDoubleAccessor(&Self::m_holdBits),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("WeightUnit",
                              "Guarantee whose weight is 1, and whose convex steps begin with "
                              "ConvexStep (a choice)",
                              DataRateValue(DataRate("100Mbps")),
                              MakeDataRateAccessor(&Self::m_weightUnit),
                              MakeDataRateChecker())
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
        m_settings.decrease = m_decrease;
        m_settings.stepGrowth = m_stepGrowth;
        m_settings.caution = m_caution;
        m_settings.concaveGain = m_concaveGain;
        m_settings.concaveTime = m_concaveTime.GetSeconds();
        m_settings.holdBits = m_holdBits;
        m_settings.weightUnit = static_cast<double>(m_weightUnit.GetBitRate());
        m_settings.convexStep = static_cast<double>(m_convexStep.GetBitRate());
    }

    std::unique_ptr<PairRateLaw> CreateLaw() const override
    {
        return std::make_unique<WeightedCubicRateLaw>(m_settings);
    }

  private:
    double m_decrease;                         //!< attribute Decrease
    double m_stepGrowth;                       //!< attribute StepGrowth
    double m_caution;                          //!< attribute Caution
    double m_concaveGain;                      //!< attribute ConcaveGain
    Time m_concaveTime;                        //!< attribute ConcaveTime
    double m_holdBits;                         //!< attribute HoldBits
    DataRate m_weightUnit;                     //!< attribute WeightUnit
    DataRate m_convexStep;                     //!< attribute ConvexStep
    WeightedCubicRateLaw::Settings m_settings; //!< of the law, for this host's link
};

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchSigcomm13PairController);

} // namespace ns3
