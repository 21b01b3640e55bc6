/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIST_TENANT_SOURCE_H
#define LIST_TENANT_SOURCE_H

#include "tenant-source.h"

#include <string>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Tenants as statements on the command line (see AddTenantStatement()):
 * `list:Of={tenant A hosts=0-3 hose=1Gbps; tenant B hosts=4-7}`.
 */
class ListTenantSource : public TenantSource
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    void Fill(TenantTable& table, const Fabric& fabric, const std::string& argument) const override;

    std::string m_statements; //!< attribute Of
};

} // namespace ns3

#endif /* LIST_TENANT_SOURCE_H */
