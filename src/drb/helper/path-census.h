/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_CENSUS_H
#define PATH_CENSUS_H

#include "ns3/bouncing-routes.h"

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief Counts the ways between racks by trying them all: up to a switch of the highest layer,
 * then down to every other rack (Section 2.1 and Theorem 3 of DRB).
 *
 * A point owns the ports of its switch by which the tables send packets to it or from it. A way
 * belongs to a point if it comes in and goes out by ports that are the point's own.
 */
class PathCensus
{
  public:
    /// @brief The least and the most of something that was counted.
    struct Range
    {
        uint32_t least{std::numeric_limits<uint32_t>::max()}; //!< least
        uint32_t most{0};                                     //!< most

        /**
         * @brief Take a number into account.
         * @param count the number
         */
        void Add(uint32_t count);
    };

    /**
     * @param fabric the fabric
     * @param routes its tables, with at least one point
     */
    PathCensus(const Fabric& fabric, const BouncingRoutes& routes);

    /**
     * @brief Ways between two racks by way of one switch of the highest layer, over all pairs of
     * different racks and all such switches.
     * @return their number
     */
    Range GetWaysPerSwitch() const
    {
        return m_waysPerSwitch;
    }

    /**
     * @brief Ways between two racks by way of one point, over all pairs of different racks and all
     * points.
     * @return their number
     */
    Range GetWaysPerPoint() const
    {
        return m_waysPerPoint;
    }

    /**
     * @brief Ports that a point owns, over all points.
     * @return their number
     */
    Range GetPortsPerPoint() const
    {
        return m_portsPerPoint;
    }

  private:
    /// @brief A switch of the highest layer.
    struct Top
    {
        std::vector<uint32_t> points;               //!< that it is
        std::vector<uint32_t> owners;               //!< place in points of each port's owner
        std::vector<std::vector<uint16_t>> reached; //!< racks below each port, once per way
    };

    /// @brief Ports by which ways come to the highest layer, by switch.
    using Entrances = std::map<uint32_t, std::vector<uint16_t>>;

    void FindOwners(const Fabric& fabric, const BouncingRoutes& routes);
    void Descend(const Fabric& fabric, const FabricPort& port, std::vector<uint16_t>& racks) const;
    void Climb(const Fabric& fabric, uint32_t node, Entrances& entrances) const;
    void Count(uint16_t rack, const Top& top, const std::vector<uint16_t>& entrances);

    std::map<uint32_t, Top> m_tops;        //!< by number of the switch
    std::map<uint32_t, uint16_t> m_rackOf; //!< by number of the rack's switch
    std::size_t m_racks;                   //!< number of racks
    Range m_waysPerSwitch;                 //!< see GetWaysPerSwitch()
    Range m_waysPerPoint;                  //!< see GetWaysPerPoint()
    Range m_portsPerPoint;                 //!< see GetPortsPerPoint()
};

} // namespace ns3

#endif /* PATH_CENSUS_H */
