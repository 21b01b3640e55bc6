/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "number-text.h"

#include "ns3/assert.h"

#include <charconv>
#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param resolution a unit of time
 * @return n such that the unit is 10^-n seconds
 */
int
DecimalsOfSecond(Time::Unit resolution)
{
    NS_ASSERT_MSG(resolution >= Time::S && resolution < Time::LAST, "not a decimal unit of time");
    return 3 * (static_cast<int>(resolution) - static_cast<int>(Time::S));
}

} // namespace

std::string
NumberText(double value)
{
    char text[32];
    const double magnitude = std::fabs(value);
    const bool plain = magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e15);
    const auto result =
        std::to_chars(text,
                      text + sizeof(text),
                      value,
                      plain ? std::chars_format::fixed : std::chars_format::scientific);
    NS_ASSERT(result.ec == std::errc());
    return {text, result.ptr};
}

std::string
DecimalText(int64_t value, int decimals)
{
    std::string digits = std::to_string(value);
    const std::size_t sign = value < 0 ? 1 : 0;
    const std::size_t least = sign + decimals + 1; // at least one digit before the point
    if (digits.size() < least)
    {
        digits.insert(sign, least - digits.size(), '0');
    }
    if (decimals > 0)
    {
        digits.insert(digits.size() - decimals, 1, '.');
    }
    return digits;
}

std::string
NanosecondsText(int64_t steps, Time::Unit resolution)
{
    const int decimals = DecimalsOfSecond(resolution) - 9;
    // A resolution coarser than a nanosecond appends zeros to the digits.
    return decimals >= 0 ? DecimalText(steps, decimals)
                         : DecimalText(steps, 0) + std::string(steps ? -decimals : 0, '0');
}

std::string
SecondsText(int64_t steps, Time::Unit resolution)
{
    std::string text = DecimalText(steps, DecimalsOfSecond(resolution));
    if (text.find('.') != std::string::npos)
    {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
        {
            text.pop_back();
        }
    }
    return text;
}

std::string
TimeText(Time time)
{
    const int decimals = DecimalsOfSecond(Time::GetResolution());
    const auto steps = static_cast<double>(time.GetTimeStep());
    double stepsPerUnit = std::pow(10, decimals);
    for (const char* unit : {"s", "ms", "us", "ns", "ps", "fs"})
    {
        if (time.IsZero() || std::fabs(steps) >= stepsPerUnit || stepsPerUnit <= 1)
        {
            return NumberText(steps / stepsPerUnit) + unit;
        }
        stepsPerUnit /= 1000;
    }
    return "0s";
}

std::string
NanosecondsText(Time time)
{
    return NanosecondsText(time.GetTimeStep(), Time::GetResolution());
}

std::string
SecondsText(Time time)
{
    return SecondsText(time.GetTimeStep(), Time::GetResolution());
}

} // namespace ns3
