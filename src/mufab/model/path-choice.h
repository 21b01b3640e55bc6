/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_CHOICE_H
#define PATH_CHOICE_H

#include "ns3/random-variable-stream.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup mufab
 * @brief A path that a pair might take, as its query found it.
 */
struct PathOffer
{
    bool qualified;   //!< true if all promises can be kept with the pair
    double headroom;  //!< rest of the least link then, in bit/s; below 0: so much is missing
    double predicted; //!< rate that the pair may hope for, in bit/s
};

/// @ingroup mufab
/// @brief Choice of a pair among qualified paths.
enum class PathPreference
{
    HEADROOM, //!< at random, in proportion to what is left
    MOST,     //!< the one with most left
    UNIFORM   //!< at random, each alike
};

/**
 * @ingroup mufab
 * @brief Choose a qualified path at random "with a preference to the path with minimum bandwidth
 * subscription" (uFAB Section 3.5).
 * @param offers the paths
 * @param preference reading of the preference
 * @param least weight of a path with nothing left, in bit/s
 * @param random draws
 * @return index of the path; nothing if none is qualified
 */
std::optional<std::size_t> ChooseQualified(const std::vector<PathOffer>& offers,
                                           PathPreference preference,
                                           double least,
                                           UniformRandomVariable& random);

/**
 * @ingroup mufab
 * @brief The path that promises least beyond what it can keep.
 * @param offers the paths
 * @return index of the path; nothing if there is none
 */
std::optional<std::size_t> ChooseLeastBad(const std::vector<PathOffer>& offers);

/**
 * @ingroup mufab
 * @brief The qualified path with the highest predicted rate, for work conservation.
 * @param offers the paths
 * @return index of the path; nothing if none is qualified
 */
std::optional<std::size_t> ChooseFastest(const std::vector<PathOffer>& offers);

} // namespace ns3

#endif /* PATH_CHOICE_H */
