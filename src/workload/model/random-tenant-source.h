/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANDOM_TENANT_SOURCE_H
#define RANDOM_TENANT_SOURCE_H

#include "tenant-source.h"

#include "ns3/random-variable-stream.h"
#include "ns3/spec.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Tenants drawn at random so that the network can keep their guarantees.
 *
 * Tenant by tenant: draw how many VMs it has and what each is guaranteed, place the VMs, and keep
 * the tenant if its guarantees fit beside those before it; else draw it again. Tenants are called
 * t0, t1, ...
 */
class RandomTenantSource : public TenantSource
{
  public:
    /// @brief The placement of VMs.
    enum class Placement
    {
        RANDOM, //!< any host with room, if possible one without a VM of the same tenant
        SPREAD, //!< a host with the fewest VMs
        PACK    //!< the first host with room
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    RandomTenantSource();

    std::string GetSummary() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    void Fill(TenantTable& table, const Fabric& fabric, const std::string& argument) const override;

    /**
     * @brief Make the random variable of a tenant's number of VMs.
     * @param argument the setting that errors name
     * @return the random variable
     */
    Ptr<RandomVariableStream> CreateSizes(const std::string& argument) const;

    /**
     * @brief Read the guarantees that are drawn from.
     * @param argument the setting that errors name
     * @return the rates, at least one
     */
    std::vector<DataRate> ReadGuarantees(const std::string& argument) const;

    /**
     * @brief Draw a tenant.
     * @param size number of its VMs
     * @param hose guarantee of each
     * @param used VMs on each host so far; counts those of this tenant, too
     * @return a table with this tenant alone; null if the hosts are full
     */
    Ptr<TenantTable> Draw(uint32_t size, DataRate hose, std::vector<uint32_t>& used) const;

    /**
     * @brief Add a tenant to others.
     * @param drawn the tenant, alone
     * @param table takes it
     */
    void Append(const TenantTable& drawn, TenantTable& table) const;

    /**
     * @brief Choose the host of a tenant's next VM.
     * @param used VMs on each host so far
     * @param own by host, true if it has a VM of this tenant
     * @return number of the host; nothing if all are full
     */
    std::optional<uint32_t> ChooseHost(const std::vector<uint32_t>& used,
                                       const std::vector<bool>& own) const;

    /**
     * @brief Draw one of some hosts.
     * @param hosts the hosts
     * @return one of them; nothing if there are none
     */
    std::optional<uint32_t> Pick(const std::vector<uint32_t>& hosts) const;

    uint32_t m_tenants;       //!< number of tenants
    std::string m_vms;        //!< VMs of a tenant: a number or a random variable
    std::string m_guarantees; //!< list of hose guarantees
    Placement m_placement;    //!< placement of VMs
    uint32_t m_vmsPerHost;    //!< room on a host
    std::string m_transport;  //!< of all tenants
    Spec m_workload;          //!< of all tenants

    Ptr<UniformRandomVariable> m_random; //!< guarantees and hosts
    int64_t m_sizeStream;                //!< stream of the number of VMs
};

} // namespace ns3

#endif /* RANDOM_TENANT_SOURCE_H */
