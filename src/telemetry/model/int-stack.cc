/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "int-stack.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr uint64_t GBPS = 1'000'000'000; //!< bit/s

/// @brief Capacities by code.
constexpr std::array<uint64_t, 9> SPEEDS{0,
                                         1 * GBPS,
                                         10 * GBPS,
                                         25 * GBPS,
                                         40 * GBPS,
                                         50 * GBPS,
                                         100 * GBPS,
                                         200 * GBPS,
                                         400 * GBPS};

/**
 * @brief Count units, and cut what does not fit.
 * @param units number of units
 * @param most that fit
 * @return the lesser
 */
uint16_t
Saturate(uint64_t units, uint16_t most = std::numeric_limits<uint16_t>::max())
{
    return static_cast<uint16_t>(std::min<uint64_t>(units, most));
}

/**
 * @param value a value
 * @param unit a unit
 * @return the value in units, rounded up
 */
uint64_t
RoundUp(uint64_t value, uint64_t unit)
{
    return value / unit + (value % unit > 0);
}

/**
 * @param value a value
 * @param unit a unit
 * @return the value in units, rounded to the nearest, halves up
 */
uint64_t
RoundToNearest(uint64_t value, uint64_t unit)
{
    return value / unit + (value % unit >= unit - unit / 2);
}

} // namespace

IntRecord
IntUnits::Encode(const IntValues& values) const
{
    const uint16_t queued = Saturate(RoundToNearest(values.queue, queue), IntRecord::MAX_QUEUE);
    return {Saturate(RoundUp(values.window, window)),
            Saturate(RoundUp(values.tokens, tokens)),
            Saturate(RoundToNearest(values.rate, rate)),
            static_cast<uint16_t>(queued << 4 | GetSpeedCode(values.capacity))};
}

IntValues
IntUnits::Decode(const IntRecord& record) const
{
    return {uint64_t{record.window} * window,
            uint64_t{record.tokens} * tokens,
            record.rate * rate,
            uint64_t{record.GetQueue()} * queue,
            GetSpeed(record.GetSpeedCode())};
}

uint8_t
IntUnits::GetSpeedCode(uint64_t bitsPerSecond)
{
    const auto speed = std::find(SPEEDS.begin(), SPEEDS.end(), bitsPerSecond);
    return speed == SPEEDS.end() ? 0 : static_cast<uint8_t>(speed - SPEEDS.begin());
}

uint64_t
IntUnits::GetSpeed(uint8_t code)
{
    return code < SPEEDS.size() ? SPEEDS[code] : 0;
}

} // namespace ns3
