/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "input-parse.h"

#include "input-error.h"

#include <charconv>
#include <cmath>
#include <iomanip>
#include <limits>
#include <map>
#include <sstream>
#include <string_view>

namespace ns3
{

namespace
{

/**
 * Read a number at the start of a text.
 * @param text the text
 * @param number takes the number
 * @return number of characters it has, 0 if there is none or it is not finite
 */
std::size_t
ReadNumber(std::string_view text, double& number)
{
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    const bool good = error == std::errc{} && std::isfinite(number);
    return good ? static_cast<std::size_t>(stop - text.data()) : 0;
}

/**
 * @param unit the text after a rate's number
 * @return bit/s per unit, 0 if it is none of those that DataRate knows, nor Tbps
 */
double
GetRateUnit(std::string_view unit)
{
    const bool slash = unit.ends_with("/s");
    if (!slash && !unit.ends_with("ps"))
    {
        return 0;
    }
    unit.remove_suffix(2);
    if (!unit.ends_with('b') && !unit.ends_with('B'))
    {
        return 0;
    }
    const double bits = unit.back() == 'B' ? 8 : 1;
    unit.remove_suffix(1);
    static const std::map<std::string_view, double> decimal{{"", 1},
                                                            {"k", 1e3},
                                                            {"K", 1e3},
                                                            {"M", 1e6},
                                                            {"G", 1e9},
                                                            {"T", 1e12}};
    static const std::map<std::string_view, double> binary{{"Ki", 0x1p10},
                                                           {"Mi", 0x1p20},
                                                           {"Gi", 0x1p30}};
    if (const auto found = decimal.find(unit); found != decimal.end())
    {
        return bits * found->second;
    }
    const auto found = binary.find(unit);
    return slash && found != binary.end() ? bits * found->second : 0;
}

/**
 * @param unit the text after a time's number
 * @return seconds per unit, 0 if it is none of those that Time knows
 */
double
GetTimeUnit(std::string_view unit)
{
    static const std::map<std::string_view, double> seconds{{"y", 365 * 86400.0},
                                                            {"d", 86400},
                                                            {"h", 3600},
                                                            {"min", 60},
                                                            {"s", 1},
                                                            {"ms", 1e-3},
                                                            {"us", 1e-6},
                                                            {"ns", 1e-9},
                                                            {"ps", 1e-12},
                                                            {"fs", 1e-15}};
    const auto found = seconds.find(unit);
    return found == seconds.end() ? 0 : found->second;
}

} // namespace

DataRate
ParseRate(const std::string& argument, const std::string& text)
{
    double number = 0;
    const auto digits = ReadNumber(text, number);
    const double rate = number * (digits ? GetRateUnit(std::string_view(text).substr(digits)) : 0);
    constexpr double maxRate = 0x1p63;
    if (!(rate >= 1 && rate < maxRate))
    {
        throw InputError(argument, text, "not a positive rate with its unit, such as 10Gbps");
    }
    return DataRate(static_cast<uint64_t>(std::llround(rate)));
}

Time
ParseTime(const std::string& argument, const std::string& text)
{
    double number = 0;
    const auto digits = ReadNumber(text, number);
    const double unit = digits ? GetTimeUnit(std::string_view(text).substr(digits)) : 0;
    if (unit == 0 || number < 0)
    {
        throw InputError(argument, text, "not a time with its unit, 0s or more, such as 100us");
    }
    CheckedSeconds(argument, text, number * unit);
    return Time(text);
}

Time
GetLongestTime()
{
    return TimeStep(std::numeric_limits<int64_t>::max() / 16);
}

Time
CheckedSeconds(const std::string& argument, const std::string& text, double seconds)
{
    if (!(seconds >= 0 && seconds <= GetLongestTime().GetSeconds()))
    {
        std::ostringstream longest;
        longest << std::setprecision(3) << GetLongestTime().GetSeconds();
        throw InputError(argument,
                         text,
                         "longer than the longest simulation, " + longest.str() + " s");
    }
    return Seconds(seconds);
}

QueueSize
ParseQueueSize(const std::string& argument, const std::string& text)
{
    static const std::map<std::string_view, double> prefixes{{"", 1},
                                                             {"k", 1e3},
                                                             {"K", 1e3},
                                                             {"M", 1e6},
                                                             {"Ki", 0x1p10},
                                                             {"Mi", 0x1p20}};
    double number = 0;
    const auto digits = ReadNumber(text, number);
    auto unit = std::string_view(text).substr(digits);
    const bool packets = unit.ends_with('p');
    const bool known = digits > 0 && (packets || unit.ends_with('B'));
    unit.remove_suffix(known ? 1 : 0);
    const auto prefix = prefixes.find(unit);
    const bool readable = known && prefix != prefixes.end();
    const double value = readable ? number * prefix->second : -1;
    if (!(value >= 0 && value < 0x1p32))
    {
        throw InputError(
            argument,
            text,
            "not a length in bytes or packets, such as 512kB, 64KiB or 100p, below 4 GiB");
    }
    return QueueSize(packets ? QueueSizeUnit::PACKETS : QueueSizeUnit::BYTES,
                     static_cast<uint32_t>(value));
}

double
ParseNumber(const std::string& argument, const std::string& text)
{
    double number = 0;
    if (text.empty() || ReadNumber(text, number) != text.size())
    {
        throw InputError(argument, text, "not a number, such as 0.7");
    }
    return number;
}

uint64_t
ParseCount(const std::string& argument, const std::string& text)
{
    uint64_t count = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    if (error != std::errc{} || stop != end)
    {
        throw InputError(argument, text, "not a count: digits only, below 2^64");
    }
    return count;
}

std::vector<std::string>
CutList(const std::string& list, char separator)
{
    constexpr const char* blanks = " \t\r\n"; // a list may stand on several lines of a file
    std::vector<std::string> entries;
    std::istringstream stream(list);
    for (std::string entry; std::getline(stream, entry, separator);)
    {
        const auto first = entry.find_first_not_of(blanks);
        const auto last = entry.find_last_not_of(blanks);
        entries.push_back(first == std::string::npos ? "" : entry.substr(first, last - first + 1));
    }
    return entries;
}

} // namespace ns3
