/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ecn-limiter-channel.h"

#include "ns3/uinteger.h"
#include "ns3/work-conserving-pair-controller.h"

#include <cmath>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief ElasticSwitch with Trinity's work-conserving rates (Trinity Figure 7, A-ElasticSwitch): a
 * pair has one limiter for what it is guaranteed and what it may send beyond, and the network does
 * not tell the two apart.
 */
class ElasticSwitchAggressivePairController : public WorkConservingPairController
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        using Self = ElasticSwitchAggressivePairController;
        static TypeId tid =
            TypeId("ns3::ElasticSwitchAggressivePairController")
                .SetParent<WorkConservingPairController>()
                .SetGroupName("Schemes")
                .AddConstructor<ElasticSwitchAggressivePairController>()
                .AddAttribute("BucketDepth",
                              "Most bytes that a pair sends at once, at least the largest packet "
                              "(Trinity's prototype: 32768)",
                              UintegerValue(32768),
                              MakeUintegerAccessor(&Self::m_bucketDepth),
                              MakeUintegerChecker<uint32_t>(1500, MAX_BURST));
        return tid;
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

  protected:
    void SetRates(PairChannel& channel, double guaranteed, double spare) override
    {
        static_cast<LimiterChannel&>(channel).SetRate(
            DataRate(static_cast<uint64_t>(std::llround(guaranteed + spare))));
    }

  private:
    uint32_t m_bucketDepth; //!< attribute BucketDepth
};

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchAggressivePairController);

} // namespace ns3
