/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WEIGHTED_CUBIC_RATE_LAW_H
#define WEIGHTED_CUBIC_RATE_LAW_H

#include "pair-rate-law.h"

namespace ns3
{

/**
 * @ingroup schemes
 * @brief ElasticSwitch's rate allocation (SIGCOMM 2013, Section 5): a pair probes for more than its
 * guarantee like a TCP CUBIC with the guarantee as weight (as in Seawall, NSDI 2011).
 *
 * After congestion the probe is cut, and then
 *  - holds for a time that is shorter for larger guarantees (hold-increase),
 *  - comes back to where it was when congestion came, fast at first (concave),
 *  - and goes on in growing steps (convex), which are the smaller the further the rate is above the
 *    guarantee (rate-caution).
 */
class WeightedCubicRateLaw : public PairRateLaw
{
  public:
    /// @brief Constants.
    struct Settings
    {
        double mostRate{1e9};     //!< the probe grows no further: rate of the host's link
        double decrease{0.2};     //!< cut, of the congested share
        double stepGrowth{4};     //!< a convex step is longer than the last by so many weights
        double caution{0.1};      //!< steps shrink by so much per guarantee above the guarantee
        double leastCaution{0.1}; //!< but not below this share (a choice)
        double concaveGain{0.25}; //!< first concave step, of the gap to the goal (a choice)
        double concaveTime{1};    //!< seconds in which concave steps fade out (a choice)
        double holdBits{10e6};    //!< bits of guarantee for which an increase is held
        double weightUnit{100e6}; //!< guarantee whose weight is 1 (a choice)
        double convexStep{1e6};   //!< a convex step of weight 1, in bit/s
    };

    /**
     * @brief Make a law.
     * @param settings constants; outlive the law
     */
    explicit WeightedCubicRateLaw(const Settings& settings);

    void SetGuarantee(double guarantee) override;
    void Restart() override;
    void Update(double congested, Time now) override;
    double GetRate() const override;

    /**
     * @brief The factor of steps (rate-caution).
     * @return 1 at the guarantee, less above it
     */
    double GetCaution() const;

    /// @brief Until when the rate is not increased (hold-increase).
    Time GetHoldEnd() const;

  private:
    double GetStep() const;
    void Decrease(double congested, Time now);
    void Increase(Time now);

    const Settings& m_settings; //!< constants
    double m_guarantee{0};      //!< guarantee of the pair: the least that it may send
    double m_probe{0};          //!< rate that it probes for
    double m_goal{0};           //!< the probe when congestion came
    double m_steps{1};          //!< length of the next convex step in weights
    Time m_congested;           //!< time at which congestion came
    Time m_holdEnd;             //!< until when the rate is not increased
};

} // namespace ns3

#endif /* WEIGHTED_CUBIC_RATE_LAW_H */
