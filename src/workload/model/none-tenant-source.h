/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NONE_TENANT_SOURCE_H
#define NONE_TENANT_SOURCE_H

#include "tenant-source.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Nobody rents the network, also where a scheme would have tenants by default.
 */
class NoneTenantSource : public TenantSource
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
};

} // namespace ns3

#endif /* NONE_TENANT_SOURCE_H */
