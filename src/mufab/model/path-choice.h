/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_CHOICE_H
#define PATH_CHOICE_H

#include "ns3/random-variable-stream.h"

#include <cstddef>
#include <cstdint>
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

/**
 * @ingroup mufab
 * @brief A search of a pair for a path (uFAB Section 3.5): the candidates that were asked in
 * parallel, their offers, and the choice among them.
 *
 * From one search to the next it remembers a path that has been better than the pair's own, which
 * is what a migration for work conservation takes (trigger ii).
 */
class PathSearch
{
  public:
    /**
     * @brief Draw candidates at random, of the numbers of paths that may be asked.
     * @param usable the numbers
     * @param isObserving true if a path that has been better is to be asked again
     * @param most most candidates
     * @param random draws
     * @return the candidates
     */
    std::vector<uint16_t> Draw(std::vector<uint16_t> usable,
                               bool isObserving,
                               uint32_t most,
                               UniformRandomVariable& random) const;

    /// @brief Candidates for a place of the pair (MufabPair::Slot) are asked now.
    void Begin(uint32_t slot, const std::vector<uint16_t>& candidates, int64_t now);

    /// @return true if the answer of a path, to a query that left then, is awaited
    bool Awaits(uint16_t path, int64_t sentAt) const;

    /// @brief A path has answered, without an offer if it is down.
    void Add(uint16_t path, const std::optional<PathOffer>& offer);

    /// @return true if all candidates have answered
    bool IsComplete() const
    {
        return m_awaited.empty();
    }

    /// @return place of the pair that the path is for
    uint32_t GetSlot() const
    {
        return m_slot;
    }

    // ---- The choice; each of them gives the number of a path ----

    /// @brief A qualified path; see ns3::ChooseQualified().
    std::optional<uint16_t> ChooseQualified(PathPreference preference,
                                            double least,
                                            UniformRandomVariable& random) const;

    /// @brief The path that promises least beyond what it can keep.
    std::optional<uint16_t> ChooseLeastBad() const;

    /// @brief A path that has not answered.
    std::optional<uint16_t> ChooseSilent() const;

    /**
     * @brief A path that has been better than the pair's own for long enough. Paths that are as
     * good as one that has been better do not take its place: of idle ones, chance would name
     * another each time.
     * @param rate that the pair may hope for on its own path, in bit/s
     * @param gain least ratio of the rates that makes a path better
     * @param time for which it must have been, in time steps
     * @return the path, if it is time to take it
     */
    std::optional<uint16_t> ChooseBetter(double rate, double gain, int64_t time);

  private:
    std::optional<uint16_t> GetPath(const std::optional<std::size_t>& index) const;

    uint32_t m_slot{0};              //!< place that the path is for
    int64_t m_since{0};              //!< time at which candidates were asked
    std::vector<uint16_t> m_awaited; //!< those that have not answered
    std::vector<uint16_t> m_paths;   //!< those that have
    std::vector<PathOffer> m_offers; //!< their offers
    uint16_t m_betterPath{0};        //!< a path that has been better
    int64_t m_betterSince{-1};       //!< since when; below 0: none has
};

} // namespace ns3

#endif /* PATH_CHOICE_H */
