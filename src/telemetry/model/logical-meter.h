/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOGICAL_METER_H
#define LOGICAL_METER_H

#include "approximate-multiplier.h"
#include "meter.h"

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief The logical meter of Nimble (SOSR 2021, Section 4.1): the occupancy of a queue that is
 * only imagined, in two registers.
 *
 * The queue drains at the meter's rate. A packet with which it would hold more than the red
 * threshold is red and does not join it; one with which it holds more than the yellow threshold is
 * yellow. The drained bytes are the rate times the time since the last packet, red ones included,
 * exactly or as a switch would look the product up (ApproximateMultiplier). Draining stops at an
 * empty queue, and comes before the packet is added: LM = max(LM - R * dT, 0) + PktLen.
 *
 * With a yellow rate of its own the meter imagines two queues, and every packet that is not red
 * joins both. Of a State, `excess` is the occupancy of the queue, `committed` that of the one that
 * decides what is yellow.
 */
class LogicalMeter final : public Meter
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    LogicalMeter();

    using Meter::Mark;

    void Check() const override;
    State Start(int64_t now) const override;
    Colour Mark(State& state, int64_t now, uint32_t bytes, Colour before) const override;
    void Settle(State& state, int64_t now) const override;

    /**
     * @brief The fill of the queue against which yellow is decided, between the yellow and the red
     * threshold.
     * @param state of a class
     * @return 0 (at most the yellow one) to 1 (at least the red one)
     */
    double GetYellowFill(const State& state) const override;
    void ReportState(const State& state, const Report& report) const override;

    /**
     * @brief The occupancy of the queue against which red is decided.
     * @param state of a class
     * @return bytes, with their fraction
     */
    static double GetOccupancy(const State& state);

  protected:
    void Clip(State& state) const override;

  private:
    void SetTimeWidth(uint32_t bits);
    uint32_t GetTimeWidth() const;
    void SetSignificantBits(uint32_t bits);
    uint32_t GetSignificantBits() const;
    void CreateMultiplier();
    DataRate GetYellowRate() const;

    DataRate m_rate;                    //!< attribute Rate
    DataRate m_yellowRate;              //!< attribute YellowRate
    uint32_t m_yellowBurst;             //!< attribute YellowBurst
    uint32_t m_redBurst;                //!< attribute RedBurst
    uint32_t m_timeWidth{32};           //!< attribute TimeWidth
    uint32_t m_significantBits{0};      //!< attribute SignificantBits
    ApproximateMultiplier m_multiplier; //!< of the time that has passed
};

} // namespace ns3

#endif /* LOGICAL_METER_H */
