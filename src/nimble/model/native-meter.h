/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NATIVE_METER_H
#define NATIVE_METER_H

#include "ns3/meter.h"

namespace ns3
{

/**
 * @ingroup nimble
 * @brief A switch's own meter as Nimble configures it (SOSR 2021, Section 4.1): one rate with two
 * bursts, or two rates with a burst each.
 *
 * The paper cites RFC 2697 for the former and RFC 2698 for the latter, and a meter is one of these
 * by its letters: with one rate CIR = R, CBS = B_yellow and EBS = B_red - B_yellow, so that B_red
 * bytes are admitted at once; with two CIR = R_yellow, CBS = B_yellow, PIR = R_red, PBS = B_red. In
 * RFC 2697 yellow tokens come back only while the other bucket is full, and in RFC 2698 with equal
 * rates both run dry together: TCP that hovers at the rate then finds no yellow any more, and what
 * remains is a policer.
 *
 * Mode Occupancy is none of the paper's. Every packet that is not red is charged to both buckets,
 * and the yellow one may go below empty, down to the difference of the bursts. What the red bucket
 * lacks is then what an imagined queue holds: the colours are those of an exact LogicalMeter, which
 * does the work.
 *
 * The attributes are set when the meter is made.
 */
class NativeMeter final : public Meter
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /// @brief Rules by which packets are charged to buckets.
    enum Mode
    {
        RFC2697,  //!< as the Single Rate Three Color Marker
        RFC2698,  //!< as the Two Rate Three Color Marker
        OCCUPANCY //!< every admitted packet to both
    };

    using Meter::Mark;

    void Check() const override;
    State Start(int64_t now) const override;
    Colour Mark(State& state, int64_t now, uint32_t bytes, Colour before) const override;
    void Settle(State& state, int64_t now) const override;
    double GetYellowFill(const State& state) const override;
    void ReportState(const State& state, const Report& report) const override;

  protected:
    void NotifyConstructionCompleted() override;
    void Clip(State& state) const override;

  private:
    Ptr<Meter> CreateRule() const;

    Mode m_mode;            //!< attribute Mode
    DataRate m_rate;        //!< attribute Rate
    DataRate m_yellowRate;  //!< attribute YellowRate
    uint32_t m_yellowBurst; //!< attribute YellowBurst
    uint32_t m_redBurst;    //!< attribute RedBurst
    Ptr<Meter> m_rule;      //!< the meter that the mode stands for
};

} // namespace ns3

#endif /* NATIVE_METER_H */
