/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SINGLE_RATE_METER_H
#define SINGLE_RATE_METER_H

#include "meter.h"

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief Single Rate Three Color Marker (RFC 2697).
 *
 * Tokens come at one rate and fill a committed bucket first; what does not fit there fills an
 * excess bucket. Packets are green while the first lasts, yellow while the second does, red beyond.
 * With an excess burst of 0 it is a plain policer: green or red.
 */
class SingleRateMeter final : public Meter
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    using Meter::Mark;

    void Check() const override;
    State Start(int64_t now) const override;
    Colour Mark(State& state, int64_t now, uint32_t bytes, Colour before) const override;
    void Settle(State& state, int64_t now) const override;

    /**
     * @brief The emptiness of the excess bucket.
     * @param state of a class
     * @return 0 (full) to 1 (empty)
     */
    double GetYellowFill(const State& state) const override;
    void ReportState(const State& state, const Report& report) const override;

  protected:
    void Clip(State& state) const override;

  private:
    DataRate m_rate;           //!< attribute CommittedRate (CIR)
    uint32_t m_committedBurst; //!< attribute CommittedBurst (CBS)
    uint32_t m_excessBurst;    //!< attribute ExcessBurst (EBS)
    bool m_colourAware;        //!< attribute ColourAware
};

} // namespace ns3

#endif /* SINGLE_RATE_METER_H */
