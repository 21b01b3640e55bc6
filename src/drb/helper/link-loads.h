/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_LOADS_H
#define LINK_LOADS_H

#include "ns3/bouncing-routes.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief The load of every directed link when known rates of traffic bounce at known points
 * (Theorem 1 and Appendix A of DRB). Nothing is simulated: rates are added up along paths.
 */
class LinkLoads
{
  public:
    /**
     * @param fabric the fabric, which outlives the object
     * @param routes its tables, which outlive the object
     */
    LinkLoads(const Fabric& fabric, const BouncingRoutes& routes);

    /**
     * @brief Add traffic. Packets within a rack bounce as well, which is the worst case.
     * @param source sending host
     * @param destination receiving host
     * @param rate over that of the source's link
     * @param shares part of the traffic that takes each point, by number of the point
     */
    void Add(uint32_t source, uint32_t destination, double rate, const std::vector<double>& shares);

    /**
     * @brief Load of a link in the direction that a port feeds.
     * @param port the port
     * @return rate over that of the port's own link; above 1 is too much
     */
    double GetLoad(const FabricPort& port) const;

    /**
     * @brief Number of the link of a path that a port feeds.
     * @param port the port
     * @return number of the link, counted from the source's (0), as in Appendix A
     */
    uint32_t GetLink(const FabricPort& port) const;

    /**
     * @brief Links of a path.
     * @return their number
     */
    uint32_t GetNLinks() const
    {
        return static_cast<uint32_t>(2 * m_routes.GetRadices().size() + 2);
    }

    /// @brief Forget all traffic.
    void Clear();

  private:
    /// @brief Ports by their places in m_loads.
    using Links = std::vector<uint32_t>;

    const Fabric& m_fabric;                                  //!< the fabric
    const BouncingRoutes& m_routes;                          //!< its tables
    std::unordered_map<const FabricPort*, uint32_t> m_place; //!< of a port in m_loads
    std::vector<Links> m_up;     //!< by rack and point: from the rack to the point
    std::vector<Links> m_down;   //!< by rack and point: from the point to the rack
    std::vector<Links> m_hosts;  //!< by host: from it, to it
    std::vector<double> m_loads; //!< bit/s
};

} // namespace ns3

#endif /* LINK_LOADS_H */
