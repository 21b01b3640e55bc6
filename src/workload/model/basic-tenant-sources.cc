/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Tenants that are not drawn at random.

#include "admission-control.h"
#include "statement.h"
#include "tenant-source.h"
#include "tenant-statements.h"

#include "ns3/double.h"
#include "ns3/fabric.h"
#include "ns3/string.h"

#include <string>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Nobody rents the network, also where a scheme would have tenants by default.
 */
class NoneTenantSource : public TenantSource
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::NoneTenantSource")
                                .SetParent<TenantSource>()
                                .SetGroupName("Workload")
                                .AddConstructor<NoneTenantSource>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "Nobody, also where a scheme would have tenants by default";
    }

  protected:
    void Fill(TenantTable& /* table */,
              const Fabric& /* fabric */,
              const std::string& /* argument */) const override
    {
    }
};

NS_OBJECT_ENSURE_REGISTERED(NoneTenantSource);

/**
 * @ingroup workload
 * @brief Every host is a VM of one tenant, with the same share of its link as a hose guarantee: who
 * rents a network where the user says nothing, so that a scheme for tenants has something to
 * protect.
 */
class HostsTenantSource : public TenantSource
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::HostsTenantSource")
                .SetParent<TenantSource>()
                .SetGroupName("Workload")
                .AddConstructor<HostsTenantSource>()
                .AddAttribute(
                    "Share",
                    "Share of what can be guaranteed to all hosts at once that each of them "
                    "is guaranteed (a choice: half, so that there is something guaranteed "
                    "and something to compete for).",
                    DoubleValue(0.5),
                    MakeDoubleAccessor(&HostsTenantSource::m_share),
                    MakeDoubleChecker<double>(0, 1));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "One tenant with a VM on each host, guaranteed a share of the host's link";
    }

  protected:
    void Fill(TenantTable& table, const Fabric& fabric, const std::string& argument) const override
    {
        Tenant tenant;
        tenant.name = "hosts";
        const TenantId id = table.AddTenant(tenant);
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            const DataRate link = fabric.GetHost(host).GetPort(0).GetDescription().rate;
            table.AddVm({id, host, link, link});
        }
        const AdmissionControl admission(fabric, GetAdmission());
        const double share =
            m_share * admission.GetFittingShare(admission.GetLoads(table, id, argument));
        for (const VmId vm : table.GetVmsOf(id))
        {
            const DataRate hose(static_cast<uint64_t>(share * table.GetVm(vm).send.GetBitRate()));
            table.SetHose(vm, hose, hose);
        }
    }

    void Check(const TenantTable& /* table */,
               const Fabric& /* fabric */,
               const std::string& /* argument */) const override
    {
        // All are guaranteed what fits.
    }

  private:
    double m_share; //!< attribute Share
};

NS_OBJECT_ENSURE_REGISTERED(HostsTenantSource);

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
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::GroupsTenantSource")
                .SetParent<TenantSource>()
                .SetGroupName("Workload")
                .AddConstructor<GroupsTenantSource>()
                .AddAttribute("Share",
                              "Share of its host's link that each VM is guaranteed, to send and to "
                              "receive; not checked, since VMs come with their flows (a choice: a "
                              "tenth, so that ten groups fit on a host).",
                              DoubleValue(0.1),
                              MakeDoubleAccessor(&GroupsTenantSource::m_share),
                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "A tenant per group of flows, with a VM on each host that the group uses";
    }

    std::optional<PairId> FindPair(TenantTable& table,
                                   const Fabric& fabric,
                                   const FlowRequest& request) override
    {
        const VmId from = FindVm(table, fabric, request.group, request.source);
        const VmId to = FindVm(table, fabric, request.group, request.destination);
        return table.GetPair(from, to);
    }

  protected:
    void Fill(TenantTable& /* table */,
              const Fabric& /* fabric */,
              const std::string& /* argument */) const override
    {
        // Tenants come with their flows.
    }

    void Check(const TenantTable& /* table */,
               const Fabric& /* fabric */,
               const std::string& /* argument */) const override
    {
    }

  private:
    /**
     * @brief The VM of a group on a host, made if need be.
     * @param table the tenants
     * @param fabric the network
     * @param group the group
     * @param host the host
     * @return number of the VM
     */
    VmId FindVm(TenantTable& table, const Fabric& fabric, uint32_t group, uint32_t host)
    {
        const auto [vm, isNew] = m_vms.try_emplace(uint64_t{group} << 32 | host);
        if (isNew)
        {
            const auto [tenant, isFirst] = m_tenants.try_emplace(group);
            if (isFirst)
            {
                Tenant named;
                named.name = "group" + std::to_string(group);
                tenant->second = table.AddTenant(named);
            }
            const DataRate link = fabric.GetHost(host).GetPort(0).GetDescription().rate;
            const DataRate hose(static_cast<uint64_t>(m_share * link.GetBitRate()));
            vm->second = table.AddVm({tenant->second, host, hose, hose});
        }
        return vm->second;
    }

    double m_share;                                   //!< attribute Share
    std::unordered_map<uint32_t, TenantId> m_tenants; //!< by group
    std::unordered_map<uint64_t, VmId> m_vms;         //!< by group and host
};

NS_OBJECT_ENSURE_REGISTERED(GroupsTenantSource);

/**
 * @ingroup workload
 * @brief Tenants as statements on the command line (see AddTenantStatement()):
 * `list:Of={tenant A hosts=0-3 hose=1Gbps; tenant B hosts=4-7}`.
 */
class ListTenantSource : public TenantSource
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ListTenantSource")
                .SetParent<TenantSource>()
                .SetGroupName("Workload")
                .AddConstructor<ListTenantSource>()
                .AddAttribute(
                    "Of",
                    "Statements, separated by semicolons, in braces or quotes: {tenant A "
                    "hosts=0-3 hose=1Gbps; tenant B hosts=4-7 workload=poisson:Load=0.5}.",
                    StringValue(""),
                    MakeStringAccessor(&ListTenantSource::m_statements),
                    MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "Tenants as statements: tenant, vm, pair";
    }

  private:
    void Fill(TenantTable& table,
              const Fabric& /* fabric */,
              const std::string& argument) const override
    {
        for (const auto& [where, statement] : CutStatements(argument, m_statements))
        {
            AddTenantStatement(table, where, statement);
        }
    }

    std::string m_statements; //!< attribute Of
};

NS_OBJECT_ENSURE_REGISTERED(ListTenantSource);

/**
 * @ingroup workload
 * @brief Tenants from a file, a statement per line (see AddTenantStatement()); `#` begins a
 * comment: `file:tenants.txt`.
 */
class FileTenantSource : public TenantSource
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::FileTenantSource")
                .SetParent<TenantSource>()
                .SetGroupName("Workload")
                .AddConstructor<FileTenantSource>()
                .AddAttribute("Path",
                              "Path of a file with a statement per line; # begins a comment.",
                              StringValue(""),
                              MakeStringAccessor(&FileTenantSource::m_path),
                              MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "Tenants from a file, a statement per line: tenant, vm, pair";
    }

  private:
    void Fill(TenantTable& table,
              const Fabric& /* fabric */,
              const std::string& argument) const override
    {
        for (const auto& [where, statement] : ReadStatements(argument + " file:Path", m_path))
        {
            AddTenantStatement(table, where, statement);
        }
    }

    std::string m_path; //!< attribute Path
};

NS_OBJECT_ENSURE_REGISTERED(FileTenantSource);

} // namespace ns3
