/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NEAR_NAMES_H
#define NEAR_NAMES_H

#include <string>
#include <vector>

/**
 * @file
 * @ingroup support
 * Guesses of the name that a user meant by one that does not exist.
 */

namespace ns3
{

/**
 * @ingroup support
 * @param word the name the user wrote
 * @param names the names that exist
 * @return these, the nearest first: that with the fewest characters to insert, delete or replace
 */
std::vector<std::string> SortByNearness(const std::string& word, std::vector<std::string> names);

/**
 * @ingroup support
 * @param word the name the user wrote
 * @param names the names that exist
 * @return " (did you mean 'NAME'?)", or nothing if more than a third of every name would have to
 * change
 */
std::string SuggestName(const std::string& word, const std::vector<std::string>& names);

} // namespace ns3

#endif /* NEAR_NAMES_H */
