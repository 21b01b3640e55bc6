/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ADMISSION_CONTROL_H
#define ADMISSION_CONTROL_H

#include "tenant-table.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class FabricPort;

/**
 * @ingroup workload
 * @brief Tells if a network can keep all guarantees at once, on every link and in both directions.
 *
 * Model: between two racks, traffic is split evenly at each switch over its equal-cost ports, as
 * long flows are by ECMP on average. So a share of what one rack sends to another crosses a given
 * link: 1 in a tree, 1 over the number of spines in a leaf-spine. In any traffic that the hoses of
 * a tenant allow, a link carries at most what its VMs on the near side may send and at most what
 * those on the far side may receive; the smaller of the two sums is reserved, each rack's part
 * multiplied by the largest share that the link gets of its traffic with another rack. That is
 * exact where the shares of a link are all the same, as in trees, leaf-spines and fat-trees, and
 * safe elsewhere. Pipes are added, each with its share. Tenants are added up: they do not send to
 * each other.
 */
class AdmissionControl
{
  public:
    /// @brief Bits per second of each direction of each link: link 0 forth, back, link 1 forth, ...
    using Loads = std::vector<double>;

    /**
     * @param fabric the network, wired; outlives this
     * @param share share of each link's rate that may be guaranteed; 0: any sum is admitted
     */
    AdmissionControl(const Fabric& fabric, double share);

    /**
     * @brief The load of a tenant's guarantees on each link.
     * @param table has the tenant
     * @param tenant its number
     * @param argument the setting that the error names
     * @return bits per second
     * @throws InputError if the network has no host, or no path, that the tenant needs
     */
    Loads GetLoads(const TenantTable& table, TenantId tenant, const std::string& argument) const;

    /**
     * @brief True if there is room for more.
     * @param loads loads to be reserved
     * @return true if no link would be over-subscribed
     */
    bool Fits(const Loads& loads) const;

    /**
     * @brief The share of further loads that there is room for.
     * @param loads loads to be reserved
     * @return the largest share of each load that fits everywhere, at most 1
     */
    double GetFittingShare(const Loads& loads) const;

    /**
     * @brief Reserve, whether it fits or not.
     * @param loads added to what is reserved
     */
    void Reserve(const Loads& loads);

    /**
     * @brief The reserved load of each link.
     * @return bits per second
     */
    const Loads& GetReserved() const;

    /**
     * @brief Refuse reservations that over-subscribe a link.
     * @param argument the setting that the error names
     * @throws InputError naming the most over-subscribed link, the sum and the capacity
     */
    void Check(const std::string& argument) const;

  private:
    /// @brief The guarantees of a tenant's VMs in one place, a host or a rack.
    struct Place
    {
        uint32_t host;     //!< the host, or the first of the rack that has a VM
        double send{0};    //!< bits per second
        double receive{0}; //!< bits per second
    };

    /// @brief Sees the share of some traffic that crosses a link in one direction.
    using Visit = std::function<void(std::size_t direction, double share)>;

    /**
     * @brief The index of a port in Loads.
     * @param port the port
     * @return its index
     */
    std::size_t GetDirection(const FabricPort& port) const;

    /**
     * @brief The port of an index in Loads.
     * @param direction the index
     * @return the port
     */
    const FabricPort& GetPort(std::size_t direction) const;

    /**
     * @brief Largest load that a direction may have.
     * @param direction index in Loads
     * @return bits per second
     */
    double GetCapacity(std::size_t direction) const;

    /**
     * @brief The links between switches that traffic of two racks crosses.
     * @param source a host of the rack that sends
     * @param destination a host of the rack that receives
     * @param argument the setting that the error names
     * @param visit called per switch and port on the way
     */
    void ForEachShare(uint32_t source,
                      uint32_t destination,
                      const std::string& argument,
                      const Visit& visit) const;

    void AddHostLinks(const std::vector<Place>& hosts, Loads& loads) const;
    void AddFabricLinks(const std::vector<Place>& racks,
                        const std::string& argument,
                        Loads& loads) const;
    void AddPipe(uint32_t source,
                 uint32_t destination,
                 double rate,
                 const std::string& argument,
                 Loads& loads) const;

    const Fabric& m_fabric; //!< the network
    double m_share;         //!< share of each link's rate that may be guaranteed
    Loads m_reserved;       //!< sum of what was reserved
};

} // namespace ns3

#endif /* ADMISSION_CONTROL_H */
