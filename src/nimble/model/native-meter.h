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
 * The paper says which colour follows from which bucket being empty, but not which buckets a yellow
 * packet empties, and cites two RFCs that differ. So there are three modes. In mode Occupancy every
 * packet that is not red is charged to both buckets, and the yellow one may go below empty, down to
 * the difference of the bursts. What the red bucket lacks is then what an imagined queue holds: the
 * colours are those of an exact LogicalMeter, which does the work. The RFCs let yellow tokens come
 * back only while the other bucket is full (RFC 2697), or let both run dry together (RFC 2698 with
 * equal rates): TCP that hovers at the rate then finds no yellow any more, and what remains is a
 * policer.
 *
 * The attributes are set when the meter is made.
 */
class NativeMeter final : public Meter
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @brief Rules by which packets are charged to buckets.
    enum Mode
    {
        OCCUPANCY, //!< every admitted packet to both
        RFC2697,   //!< as the Single Rate Three Color Marker
        RFC2698    //!< as the Two Rate Three Color Marker
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
