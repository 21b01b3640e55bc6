/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ELASTIC_SWITCH_RATE_LAW_H
#define ELASTIC_SWITCH_RATE_LAW_H

#include "pair-rate-law.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief ElasticSwitch's rate as Trinity's authors measured it: part of the way to the link's rate
 * in each interval without congestion, back to the guarantee at any.
 */
class ElasticSwitchRateLaw : public PairRateLaw
{
  public:
    /// @brief Constants.
    struct Settings
    {
        double target{960e6};       //!< the rate does not grow beyond, but for a last step
        double increase{0.1};       //!< of the gap to the target, per report
        double leastIncrease{10e6}; //!< per report
    };

    /**
     * @brief Make a law.
     * @param settings constants; outlive the law
     */
    explicit ElasticSwitchRateLaw(const Settings& settings);

    void SetGuarantee(double guarantee) override;
    void Restart() override;
    void Update(double congested, Time now) override;
    double GetRate() const override;

  private:
    const Settings& m_settings; //!< constants
    double m_guarantee{0};      //!< guarantee of the pair
    double m_rate{0};           //!< rate at which it may send
};

} // namespace ns3

#endif /* ELASTIC_SWITCH_RATE_LAW_H */
