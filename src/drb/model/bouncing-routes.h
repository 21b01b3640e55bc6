/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BOUNCING_ROUTES_H
#define BOUNCING_ROUTES_H

#include "ns3/fabric.h"
#include "ns3/ipv4-address.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief The static forwarding tables of bouncing (Sections 3.2 and 4.1), built from a fabric.
 *
 * A bouncing point is what a packet is addressed to on its way up: a switch of the highest layer,
 * or one of its virtual switches. Its number says how to get there from any rack, a digit per
 * layer, the first layer's in front: which of its up-links each switch uses. In a fat-tree of
 * n-port switches point a * n/2 + k is core a * n/2 + k. In VL2 point a * d1/2 + s is virtual spine
 * a * d1/2 + s, which is part of the physical spine s and is joined to the aggregation switch
 * number a of every group. Where racks have several ways to a switch of the highest layer, as in
 * VL2, virtual switches come of that by themselves, and the path through a point is unique (Theorem
 * 3).
 *
 * From a point down, a packet takes the reverse of the way that the destination's rack has up.
 */
class BouncingRoutes
{
  public:
    /**
     * @brief Build the tables.
     * @param fabric is built; all links work
     * @param scheme name of the scheme, for errors
     * @throws InputError if the switches above the racks do not have equally many up-links within a
     *         layer, or if these do not lead every rack to the same switch
     */
    BouncingRoutes(const Fabric& fabric, const std::string& scheme);

    /// @brief Bouncing points; 0 if there is no layer of switches above the racks.
    uint32_t GetNPoints() const
    {
        return static_cast<uint32_t>(m_switches.size());
    }

    /**
     * @brief Up-links of each switch of a layer, from the racks up.
     * @return numbers, whose product is the number of points
     */
    const std::vector<uint32_t>& GetRadices() const
    {
        return m_radices;
    }

    /**
     * @brief Racks of the fabric.
     * @return their number
     */
    uint32_t GetNRacks() const
    {
        return static_cast<uint32_t>(m_racks.size());
    }

    /**
     * @brief The switch of a rack.
     * @param rack the rack
     * @return number of the switch in the fabric
     */
    uint32_t GetRackSwitch(uint16_t rack) const
    {
        return m_racks[rack];
    }

    /**
     * @brief The switch that a point is, or is a part of.
     * @param point the point
     * @return number of the switch in the fabric
     */
    uint32_t GetSwitch(uint32_t point) const
    {
        return m_switches[point];
    }

    /**
     * @brief The switch at the other end of a port.
     * @param fabric the fabric
     * @param port a port that leads to a switch
     * @return its number in the fabric
     */
    static uint32_t GetPeer(const Fabric& fabric, const FabricPort& port);

    /**
     * @brief The address of a point, which no host and no other point has (Sections 3.2 and 4).
     * @param point the point
     * @return an address of 172.16.0.0/12
     */
    static Ipv4Address GetAddress(uint32_t point)
    {
        return Ipv4Address(FIRST_ADDRESS + point);
    }

    /**
     * @brief Route of the way up: an output port per layer, then the point.
     * @param rack the rack at which the way begins
     * @param point the point at which it ends
     * @return a source route (FabricItem::route), with the point's number behind it
     */
    const uint16_t* GetUpRoute(uint16_t rack, uint32_t point) const
    {
        return &m_up[(rack * m_switches.size() + point) * m_stride];
    }

    /**
     * @brief The links of the way up, which is also the point's way down to the rack.
     * @param fabric the fabric of which the tables are
     * @param rack one end of the way
     * @param point the other end
     * @return their numbers in the fabric, from the rack up
     */
    std::vector<uint32_t> GetUpLinks(const Fabric& fabric, uint16_t rack, uint32_t point) const;

    /**
     * @brief True if a source route is one of GetUpRoute(), so that its packet is encapsulated.
     * @param route the route, or nullptr
     * @return true if it is
     */
    bool IsUpRoute(const uint16_t* route) const
    {
        return route && !std::less<>()(route, m_up.data()) &&
               std::less<>()(route, m_up.data() + m_up.size());
    }

    /**
     * @brief Point to which a source route of GetUpRoute() leads.
     * @param route the route
     * @return the point
     */
    uint32_t GetPoint(const uint16_t* route) const
    {
        return route[m_stride - 1];
    }

    /**
     * @brief Output port at a point's switch.
     * @param point the point
     * @param rack the rack that the packet goes to
     * @return the port
     */
    uint16_t GetDownPort(uint32_t point, uint16_t rack) const
    {
        return m_down[point * m_racks.size() + rack];
    }

    /**
     * @brief Entries in the forwarding table of a switch.
     * @param index number of the switch in the fabric
     * @return points above it that it forwards to, racks below it and servers at it; for a switch
     * of the highest layer, racks for each of its points
     */
    uint32_t GetNEntries(uint32_t index) const
    {
        return m_entries[index];
    }

    /**
     * @brief The way of a packet.
     * @param fabric the fabric of which the tables are
     * @param source sending host
     * @param point the point at which the packet bounces
     * @param destination receiving host
     * @return the ports, from the source's NIC to the last switch's
     */
    std::vector<const FabricPort*> GetPath(const Fabric& fabric,
                                           uint32_t source,
                                           uint32_t point,
                                           uint32_t destination) const;

  private:
    static constexpr uint32_t FIRST_ADDRESS = 0xac100000; //!< of a point; hosts are in 10.0.0.0/8

    /// @brief Ports of a switch that lead up, by switch.
    using UpLinks = std::vector<std::vector<uint16_t>>;

    void FindRacks(const Fabric& fabric);
    UpLinks FindUpLinks(const Fabric& fabric);
    void AddRoute(const Fabric& fabric, const UpLinks& upLinks, uint16_t rack, uint32_t point);
    void CountEntries(const Fabric& fabric);

    /**
     * @brief Refuse the topology.
     * @param reason defect of the topology
     */
    [[noreturn]] void Refuse(const std::string& reason) const;

    std::string m_scheme;             //!< name of the scheme
    std::vector<uint32_t> m_racks;    //!< switch of each rack
    std::vector<uint32_t> m_radices;  //!< up-links of each layer
    std::vector<uint32_t> m_switches; //!< switch of each point
    std::size_t m_stride{0};          //!< numbers per route in m_up
    std::vector<uint16_t> m_up;       //!< by rack and point
    std::vector<uint16_t> m_down;     //!< by point and rack
    std::vector<uint32_t> m_entries;  //!< by switch
};

} // namespace ns3

#endif /* BOUNCING_ROUTES_H */
