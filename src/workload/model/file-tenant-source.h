/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FILE_TENANT_SOURCE_H
#define FILE_TENANT_SOURCE_H

#include "tenant-source.h"

#include <string>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Tenants from a file, a statement per line (see AddTenantStatement()); `#` begins a
 * comment: `file:tenants.txt`.
 */
class FileTenantSource : public TenantSource
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

    std::string m_path; //!< attribute Path
};

} // namespace ns3

#endif /* FILE_TENANT_SOURCE_H */
