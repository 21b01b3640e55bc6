/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-state.h"

#include <cmath>
#include <cstdint>

namespace ns3
{

namespace
{

/**
 * @param value not negative
 * @return the nearest integer
 */
uint64_t
ToInteger(double value)
{
    return static_cast<uint64_t>(std::llround(value));
}

} // namespace

LinkState
LinkState::Round(const IntUnits& units) const
{
    const IntRecord record = units.Encode({static_cast<uint64_t>(std::ceil(window)),
                                           static_cast<uint64_t>(std::ceil(tokens)),
                                           ToInteger(rate),
                                           ToInteger(queue),
                                           ToInteger(capacity)});
    const IntValues values = units.Decode(record);
    return {static_cast<double>(values.tokens),
            static_cast<double>(values.window),
            static_cast<double>(values.rate),
            static_cast<double>(values.queue),
            static_cast<double>(values.capacity)};
}

} // namespace ns3
