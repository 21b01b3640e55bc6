/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INPUT_PARSE_H
#define INPUT_PARSE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup support
 * @brief Read a rate strictly, where ns-3 takes "10" for 10 bit/s and ends the program on others.
 * @param argument what was set, for the error
 * @param text a decimal number and one of ns-3's units, such as "10Gbps" or "1.25GB/s"
 * @return the rate, at least 1 bit/s
 * @throws InputError if the text is anything else
 */
DataRate ParseRate(const std::string& argument, const std::string& text);

/**
 * @ingroup support
 * @brief Read a time strictly, where ns-3 takes "10" for 10 s and ends the program on others.
 * @param argument what was set, for the error
 * @param text a number and one of the units y, d, h, min, s, ms, us, ns, ps, fs
 * @return the time, not negative
 * @throws InputError if the text is anything else, or longer than Time can hold
 */
Time ParseTime(const std::string& argument, const std::string& text);

/**
 * @ingroup support
 * @brief Read a number strictly: the whole text, and finite.
 * @param argument what was set, for the error
 * @param text a decimal number, such as "0.7", "-3" or "1e-3"
 * @return the number
 * @throws InputError if the text is anything else
 */
double ParseNumber(const std::string& argument, const std::string& text);

/**
 * @ingroup support
 * @brief Read a count strictly: the whole text, without sign, point or exponent.
 * @param argument what was set, for the error
 * @param text decimal digits
 * @return the count
 * @throws InputError if the text is anything else, or above 2^64 - 1
 */
uint64_t ParseCount(const std::string& argument, const std::string& text);

/**
 * @ingroup support
 * @brief Cut a list.
 * @param list entries
 * @param separator what stands between them
 * @return the entries, without blanks around them; none if the list is empty
 */
std::vector<std::string> CutList(const std::string& list, char separator = ',');

} // namespace ns3

#endif /* INPUT_PARSE_H */
