/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUTE_TABLE_H
#define ROUTE_TABLE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief A set of equal-cost ports. Nearly always they are neighbours, which need no list.
 */
struct NextHops
{
    uint16_t first{0};  //!< first port, or place of the list in RouteTable::lists
    uint16_t count{0};  //!< number of ports; 0: the rack cannot be reached
    uint16_t set{0};    //!< number of the set, for the path selector
    bool listed{false}; //!< true if the ports stand in RouteTable::lists

    bool operator==(const NextHops&) const = default; //!< @return true if equal
};

/**
 * @ingroup fabric
 * @brief A switch's next hops to the hosts of other racks.
 */
struct RouteTable
{
    /**
     * @brief A table in which no rack can be reached.
     * @param nRacks number of racks
     */
    explicit RouteTable(std::size_t nRacks);

    /**
     * @brief Set the equal-cost ports towards a rack.
     * @param rack the rack
     * @param ports port numbers in rising order; the same ports for another rack are the same set
     */
    void SetNextHops(uint16_t rack, const std::vector<uint16_t>& ports);

    std::vector<NextHops> racks;             //!< by rack
    std::vector<uint16_t> lists;             //!< ports of the sets that are not neighbours
    std::vector<std::vector<uint16_t>> sets; //!< the different sets of next hops; 0: none

    bool operator==(const RouteTable&) const = default; //!< @return true if equal
};

} // namespace ns3

#endif /* ROUTE_TABLE_H */
