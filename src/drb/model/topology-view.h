/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_VIEW_H
#define TOPOLOGY_VIEW_H

#include "bouncing-routes.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief View of the network at a server that has heard of failures (Section 4.3): the baseline
 * topology without some links. It never changes, and servers that believe the same share it; see
 * TopologyViews.
 */
class TopologyView
{
  public:
    /**
     * @brief True if a point can be bounced at: all links up from one rack and down to the other
     * work.
     * @param from the source's rack
     * @param to the destination's rack
     * @param point the point
     * @return true if all of the way works
     */
    bool IsUsable(uint16_t from, uint16_t to, uint32_t point) const
    {
        const std::size_t word = point / BITS;
        const uint64_t bit = 1ULL << (point % BITS);
        return ((m_cut[from * m_words + word] | m_cut[to * m_words + word]) & bit) == 0;
    }

    /**
     * @brief True if any point can be bounced at.
     * @param from the source's rack
     * @param to the destination's rack
     * @return false if none can
     */
    bool HasUsable(uint16_t from, uint16_t to) const;

    /**
     * @brief The links that do not work.
     * @return their numbers in the fabric, in rising order
     */
    const std::vector<uint32_t>& GetDownLinks() const
    {
        return m_down;
    }

  private:
    friend class TopologyViews;

    static constexpr std::size_t BITS = 64; //!< of a word

    TopologyView() = default;

    std::vector<uint32_t> m_down; //!< links that do not work
    std::size_t m_words{0};       //!< words per rack
    std::vector<uint64_t> m_cut;  //!< a row of words per rack, a bit per point: cannot be reached
};

/**
 * @ingroup drb
 * @brief Makes views. Equal ones are made once and live as long as a server holds them, so that
 * servers by the thousand need little memory.
 */
class TopologyViews
{
  public:
    /**
     * @brief Set up.
     * @param fabric the fabric
     * @param routes its tables
     */
    TopologyViews(const Fabric& fabric, const BouncingRoutes& routes);

    /**
     * @brief The network without some links.
     * @param down their numbers, in rising order
     * @return the view; nullptr if there are none
     */
    std::shared_ptr<const TopologyView> Get(const std::vector<uint32_t>& down);

  private:
    /// @brief The way from a rack up to a point, which is also the point's way down to the rack.
    struct Way
    {
        uint16_t rack;  //!< its lower end
        uint16_t point; //!< its upper end
    };

    std::shared_ptr<const TopologyView> Make(const std::vector<uint32_t>& down) const;

    std::vector<std::vector<Way>> m_ways; //!< by link: the ways over it
    std::size_t m_racks;                  //!< number of racks
    std::size_t m_points;                 //!< number of points
    std::map<std::vector<uint32_t>, std::weak_ptr<const TopologyView>> m_known; //!< by down links
};

} // namespace ns3

#endif /* TOPOLOGY_VIEW_H */
