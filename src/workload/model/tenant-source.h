/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TENANT_SOURCE_H
#define TENANT_SOURCE_H

#include "tenant-table.h"

#include "ns3/flow.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup workload
 * @brief The origin of tenants, such as a list, a file or a draw.
 *
 * A kind of source is known to users by its name and attributes: `random:Tenants=20,Vms=10`.
 */
class TenantSource : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief A description of the source, for `--tenants=help`.
     * @return one line
     */
    virtual std::string GetSummary() const = 0;

    /**
     * @brief Make the tenants.
     * @param fabric the network, wired
     * @param argument the setting that errors name
     * @return the tenants
     * @throws InputError if they cannot be read, or the network cannot keep their guarantees
     */
    Ptr<TenantTable> CreateTable(const Fabric& fabric, const std::string& argument) const;

    /// @brief Share of each link that may be guaranteed; 0: guarantees are not checked.
    double GetAdmission() const;

    /**
     * @brief The VM pair of a flow whose request names none, made if need be.
     * @param table the tenants that CreateTable() gave
     * @param fabric the network
     * @param request the flow
     * @return number of the pair; by default, that of its hosts (TenantTable::GetPairOfHosts())
     */
    virtual std::optional<PairId> FindPair(TenantTable& table,
                                           const Fabric& fabric,
                                           const FlowRequest& request);

    /**
     * @brief Assign fixed random variable stream numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    /**
     * @brief Put the tenants into an empty table.
     * @param table takes them
     * @param fabric the network, wired
     * @param argument the setting that errors name
     */
    virtual void Fill(TenantTable& table,
                      const Fabric& fabric,
                      const std::string& argument) const = 0;

    /**
     * @brief Refuse guarantees that the network cannot keep, unless Fill() has seen to that.
     * @param table the tenants
     * @param fabric the network, wired
     * @param argument the setting that errors name
     */
    virtual void Check(const TenantTable& table,
                       const Fabric& fabric,
                       const std::string& argument) const;

  private:
    double m_admission; //!< attribute Admission
};

} // namespace ns3

#endif /* TENANT_SOURCE_H */
