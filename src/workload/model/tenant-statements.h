/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TENANT_STATEMENTS_H
#define TENANT_STATEMENTS_H

#include "tenant-table.h"

#include "ns3/json-object.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Add to a table what one statement says, in one line:
 * @code
 *   tenant A hosts=0-3 hose=1Gbps weight=2 transport=cubic workload=poisson:Load=0.5
 *   vm A hosts=6,7 vms=24 send=300Mbps receive=1Gbps
 *   pair A from=0 to=1-3 pipe=500Mbps
 * @endcode
 *
 * `tenant` begins a tenant. With `hosts` it has VMs: one per host listed, or `vms` of them, in turn
 * over the hosts. `hose` guarantees what each of these VMs sends and receives; `send` and `receive`
 * say them one by one. A tenant `joins` at a time and `leaves` at a time, such as 20ms. `vm` adds
 * more VMs. `pair` guarantees a pipe from each VM in `from` to each other VM in `to`; VMs count
 * from 0 within their tenant. A tenant may have several `workload`s.
 *
 * @param table takes it
 * @param where names the statement, for errors
 * @param statement the statement; blanks separate its words, but for those in brackets or quotes
 * @throws InputError if the statement cannot be read
 */
void AddTenantStatement(TenantTable& table, const std::string& where, const std::string& statement);

/**
 * @ingroup workload
 * @brief A table of the same tenants, in the same order, to which nobody listens.
 * @param table the tenants
 * @return the copy; VMs may have other numbers
 */
Ptr<TenantTable> CopyTenants(const TenantTable& table);

/**
 * @ingroup workload
 * @brief Say a table as statements that make the same table.
 * @param table the tenants
 * @return the statements; VM pairs appear if they are guaranteed something
 */
std::vector<std::string> ToStatements(const TenantTable& table);

/**
 * @ingroup workload
 * @brief Describe a table by the name of each tenant.
 *
 * Of a tenant: its terms; its workloads with their settings; of its VMs, in order, the hosts and
 * the hoses, that of the first one to send also as `hose_bps`; its pairs with a pipe, by the
 * numbers of VMs within the tenant.
 *
 * @param table the tenants
 * @return the tenants, with numbers in SI units
 */
JsonObject DescribeTenants(const TenantTable& table);

} // namespace ns3

#endif /* TENANT_STATEMENTS_H */
