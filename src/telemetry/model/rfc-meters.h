/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RFC_METERS_H
#define RFC_METERS_H

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
    /// @brief Get the type ID.
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
    DataRate m_cir;     //!< CIR, attribute CommittedRate
    uint32_t m_cbs;     //!< CBS, attribute CommittedBurst
    uint32_t m_ebs;     //!< EBS, attribute ExcessBurst
    bool m_colourAware; //!< attribute ColourAware
};

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
    /// @brief Get the type ID.
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
    DataRate m_cir;     //!< CIR, attribute CommittedRate
    DataRate m_pir;     //!< PIR, attribute PeakRate
    uint32_t m_cbs;     //!< CBS, attribute CommittedBurst
    uint32_t m_pbs;     //!< PBS, attribute PeakBurst
    bool m_colourAware; //!< attribute ColourAware
};

} // namespace ns3

#endif /* RFC_METERS_H */
