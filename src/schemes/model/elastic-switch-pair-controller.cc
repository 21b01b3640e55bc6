/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "elastic-switch-rate-law.h"
#include "rate-law-pair-controller.h"

namespace ns3
{

namespace
{

/// Share of the host's link beyond which a pair's rate does not grow, but for a last step
/// (Trinity's prototype: 960 of 1000 Mbit/s).
constexpr double TARGET = 0.96;
/// Growth per interval without congestion, as a share of what the rate is below the target
/// (Trinity's prototype).
constexpr double INCREASE = 0.1;
/// Least growth per interval as a share of the link (Trinity's prototype: 10 of 1000 Mbit/s).
constexpr double LEAST_INCREASE = 0.01;

} // namespace

/**
 * @ingroup schemes
 * @brief ElasticSwitch as Trinity's authors measured it: ElasticSwitchRateLaw for each pair.
 */
class ElasticSwitchPairController : public RateLawPairController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ElasticSwitchPairController")
                                .SetParent<RateLawPairController>()
                                .SetGroupName("Schemes")
                                .AddConstructor<ElasticSwitchPairController>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "ElasticSwitch as Trinity's authors measured it: back to the guarantee at any mark";
    }

  protected:
    void DoInstall() override
    {
        RateLawPairController::DoInstall();
        const double link = GetLinkRate();
        m_settings = {TARGET * link, INCREASE, LEAST_INCREASE * link};
    }

    std::unique_ptr<PairRateLaw> CreateLaw() const override
    {
        return std::make_unique<ElasticSwitchRateLaw>(m_settings);
    }

  private:
    ElasticSwitchRateLaw::Settings m_settings; //!< of the law, for this host's link
};

NS_OBJECT_ENSURE_REGISTERED(ElasticSwitchPairController);

} // namespace ns3
