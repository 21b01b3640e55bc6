/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TWO_RATE_METER_H
#define TWO_RATE_METER_H

#include "meter.h"

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief Two Rate Three Color Marker (RFC 2698).
 *
 * Two buckets fill at rates of their own. A packet is red if the peak bucket does not hold it, else
 * yellow if the committed one does not, and is charged to the peak bucket; a green packet is
 * charged to both.
 */
class TwoRateMeter final : public Meter
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
     * @brief The emptiness of the peak bucket.
     * @param state of a class
     * @return 0 (full) to 1 (empty)
     */
    double GetYellowFill(const State& state) const override;
    void ReportState(const State& state, const Report& report) const override;

  protected:
    void Clip(State& state) const override;

  private:
    DataRate m_committedRate;  //!< attribute CommittedRate (CIR)
    DataRate m_peakRate;       //!< attribute PeakRate (PIR)
    uint32_t m_committedBurst; //!< attribute CommittedBurst (CBS)
    uint32_t m_peakBurst;      //!< attribute PeakBurst (PBS)
    bool m_colourAware;        //!< attribute ColourAware
};

} // namespace ns3

#endif /* TWO_RATE_METER_H */
