/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOSTS_TENANT_SOURCE_H
#define HOSTS_TENANT_SOURCE_H

#include "tenant-source.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Every host is a VM of one tenant, with the same share of its link as a hose guarantee: who
 * rents a network where the user says nothing, so that a scheme for tenants has something to
 * protect.
 */
class HostsTenantSource : public TenantSource
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  protected:
    void Fill(TenantTable& table, const Fabric& fabric, const std::string& argument) const override;
    void Check(const TenantTable& table,
               const Fabric& fabric,
               const std::string& argument) const override;

  private:
    double m_share; //!< attribute Share
};

} // namespace ns3

#endif /* HOSTS_TENANT_SOURCE_H */
