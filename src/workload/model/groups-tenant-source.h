/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROUPS_TENANT_SOURCE_H
#define GROUPS_TENANT_SOURCE_H

#include "tenant-source.h"

#include <unordered_map>

namespace ns3
{

/**
 * @ingroup workload
 * @brief The flows of each group (FlowRequest::group) are a tenant's, with a VM on each host that
 * they use: who rents a network where the user says nothing, for schemes that share between
 * tenants.
 *
 * Tenants and VMs come into being with their first flow. How many a host will have is not known
 * beforehand, so their guarantees are not checked.
 */
class GroupsTenantSource : public TenantSource
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    std::optional<PairId> FindPair(TenantTable& table,
                                   const Fabric& fabric,
                                   const FlowRequest& request) override;

  protected:
    void Fill(TenantTable& table, const Fabric& fabric, const std::string& argument) const override;
    void Check(const TenantTable& table,
               const Fabric& fabric,
               const std::string& argument) const override;

  private:
    /**
     * @brief The VM of a group on a host, made if need be.
     * @param table the tenants
     * @param fabric the network
     * @param group the group
     * @param host the host
     * @return number of the VM
     */
    VmId FindVm(TenantTable& table, const Fabric& fabric, uint32_t group, uint32_t host);

    double m_share;                                   //!< attribute Share
    std::unordered_map<uint32_t, TenantId> m_tenants; //!< by group
    std::unordered_map<uint64_t, VmId> m_vms;         //!< by group and host
};

} // namespace ns3

#endif /* GROUPS_TENANT_SOURCE_H */
