/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INPUT_PARSE_H
#define INPUT_PARSE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup support
 * @brief Read a rate strictly, where ns-3 takes "10" for 10 bit/s and ends the program on others.
 * @param argument the setting that the error names
 * @param text a decimal number and one of ns-3's units, such as "10Gbps" or "1.25GB/s", or Tbps
 * @return the rate, at least 1 bit/s
 * @throws InputError if the text is anything else
 */
DataRate ParseRate(const std::string& argument, const std::string& text);

/**
 * @ingroup support
 * @brief Read a time strictly, where ns-3 takes "10" for 10 s and ends the program on others.
 * @param argument the setting that the error names
 * @param text a number and one of the units y, d, h, min, s, ms, us, ns, ps, fs
 * @return the time, not negative
 * @throws InputError if the text is anything else, or longer than GetLongestTime()
 */
Time ParseTime(const std::string& argument, const std::string& text);

/**
 * @ingroup support
 * @brief The longest time that a user may give: a few of them add up to what Time can hold.
 * @return 6.6 days where Time counts picoseconds, 18 years where it counts nanoseconds
 */
Time GetLongestTime();

/**
 * @ingroup support
 * @brief A computed time, where ns-3's Seconds() ends the program if it is too long.
 * @param argument the setting that the error names
 * @param text the text it was set to
 * @param seconds the time that follows
 * @return the time
 * @throws InputError if the time is no number, negative or longer than GetLongestTime()
 */
Time CheckedSeconds(const std::string& argument, const std::string& text, double seconds);

/**
 * @ingroup support
 * @brief Read the length of a queue strictly, where ns-3 takes "4294967296B" for 0.
 * @param argument the setting that the error names
 * @param text a decimal number and one of ns-3's units, such as "512kB" or "100p"
 * @return the length
 * @throws InputError if the text is anything else, or 2^32 or more
 */
QueueSize ParseQueueSize(const std::string& argument, const std::string& text);

/**
 * @ingroup support
 * @brief Read a number strictly: the whole text, and finite.
 * @param argument the setting that the error names
 * @param text a decimal number, such as "0.7", "-3" or "1e-3"
 * @return the number
 * @throws InputError if the text is anything else
 */
double ParseNumber(const std::string& argument, const std::string& text);

/**
 * @ingroup support
 * @brief Read a count strictly: the whole text, without sign, point or exponent.
 * @param argument the setting that the error names
 * @param text decimal digits
 * @return the count
 * @throws InputError if the text is anything else, or above 2^64 - 1
 */
uint64_t ParseCount(const std::string& argument, const std::string& text);

/**
 * @ingroup support
 * @brief Cut a list.
 * @param list entries
 * @param separator character between them
 * @return the entries, without blanks and line breaks around them; none if the list is empty
 */
std::vector<std::string> CutList(const std::string& list, char separator = ',');

} // namespace ns3

#endif /* INPUT_PARSE_H */
