/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_METER_H
#define SHARED_METER_H

#include "meter.h"

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief One limiter for all that use it, at whatever port: what is remembered is the meter's own,
 * and the states of its users are not looked at (Nimble, SOSR 2021, Section 4.1: a limiter index
 * that several rules share).
 */
class SharedMeter : public Meter
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Use a profile from now on; the first one begins now. What happened until now counts
     * by the one before.
     * @param profile says rates and bursts
     * @param now the time in ns
     */
    void SetProfile(Ptr<const Meter> profile, int64_t now);

    using Meter::Mark;

    void Check() const override;
    State Start(int64_t now) const override;
    Colour Mark(State& state, int64_t now, uint32_t bytes, Colour before) const override;
    void Settle(State& state, int64_t now) const override;
    State GetSettled(const State& state, int64_t now) const override;
    void Refund(State& state, const State& before, int64_t now) const override;
    void ReportState(const State& state, const Report& report) const override;
    double GetYellowFill(const State& state) const override;

  protected:
    void Clip(State& state) const override;

  private:
    Ptr<const Meter> m_profile; //!< rates and bursts
    mutable State m_state{};    //!< of all users
    mutable State m_before{};   //!< the same before the last packet
};

} // namespace ns3

#endif /* SHARED_METER_H */
