/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_ROUTING_H
#define FABRIC_ROUTING_H

#include "route-table.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class Fabric;

/**
 * @ingroup fabric
 * @brief Gives the switches of a fabric their routing tables, again after failures.
 *
 * For every rack, a breadth-first search from its switch over the links that work; at each switch
 * all ports one step nearer to the rack are equal.
 */
class FabricRouting
{
  public:
    /**
     * @brief Compute the tables with all links.
     * @param fabric the fabric, wired; outlives the routing
     */
    explicit FabricRouting(const Fabric& fabric);

    /**
     * @brief Take note of the links that work now, and compute the tables from that.
     * @param delay time until the tables are in use; Time::Max(): never, tables are static
     */
    void Update(Time delay);

  private:
    /**
     * @brief Compute the tables, and let switches in like places share one.
     * @param linkUp by link: whether it works
     */
    void Compute(const std::vector<bool>& linkUp);

    /**
     * @brief Compute what leads to a rack.
     * @param rack the rack
     * @param linkUp by link: whether it works
     * @param [in,out] tables by switch
     * @param [in,out] distance scratch memory
     */
    void ComputeTo(uint16_t rack,
                   const std::vector<bool>& linkUp,
                   std::vector<std::shared_ptr<RouteTable>>& tables,
                   std::vector<uint32_t>& distance) const;

    const Fabric& m_fabric; //!< the fabric
};

} // namespace ns3

#endif /* FABRIC_ROUTING_H */
