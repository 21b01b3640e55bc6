/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NUMBER_TEXT_H
#define NUMBER_TEXT_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup support
 * Numbers as text, the same on every machine: no locale, no rounding by stream flags.
 */

namespace ns3
{

/**
 * @ingroup support
 * @brief The shortest decimal text that reads back as the same number.
 * @param value any number
 * @return without an exponent between 1e-6 and 1e15; "nan", "inf" or "-inf" for what is no number
 */
std::string NumberText(double value);

/**
 * @ingroup support
 * @brief A fixed-point number as exact decimal text.
 * @param value the number times 10^decimals
 * @param decimals digits after the point, 0 to 18
 * @return all decimals are written, trailing zeros too
 */
std::string DecimalText(int64_t value, int decimals);

/**
 * @ingroup support
 * @brief A time in nanoseconds, exact.
 * @param time the time
 * @return an integer, or with 3 decimals if Time's resolution is a picosecond, 6 if a femtosecond
 */
std::string NanosecondsText(Time time);

/**
 * @ingroup support
 * @brief A time in seconds, exact, without trailing zeros.
 * @param time the time
 * @return for example "0.0015"
 */
std::string SecondsText(Time time);

/**
 * @ingroup support
 * @brief A time as people write it.
 * @param time the time
 * @return in the largest unit in which it is 1 or more, such as "24us" or "1.5ms"; "0s"
 */
std::string TimeText(Time time);

/**
 * @ingroup support
 * @brief NanosecondsText for a given resolution.
 * @param steps the time in units of the resolution
 * @param resolution one of S, MS, US, NS, PS, FS
 * @return the time in nanoseconds
 */
std::string NanosecondsText(int64_t steps, Time::Unit resolution);

/**
 * @ingroup support
 * @brief SecondsText for a given resolution.
 * @param steps the time in units of the resolution
 * @param resolution one of S, MS, US, NS, PS, FS
 * @return the time in seconds
 */
std::string SecondsText(int64_t steps, Time::Unit resolution);

} // namespace ns3

#endif /* NUMBER_TEXT_H */
