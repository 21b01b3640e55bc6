/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TENANT_TABLE_H
#define TENANT_TABLE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/spec.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class Fabric;

/// @ingroup workload
/// @brief Names a tenant: 0, 1, 2, ... in the order of being added. Flows carry it as their group.
using TenantId = uint32_t;

/// @ingroup workload
/// @brief Names a VM: 0, 1, 2, ... over all tenants, in the order of being added.
using VmId = uint32_t;

/// @ingroup workload
/// @brief Names a VM pair: 0, 1, 2, ... Flows carry it, plus 1, as their pair.
using PairId = uint32_t;

/**
 * @ingroup workload
 * @brief A tenant: a virtual network of its own (uFAB: a virtual fabric; Nimble: a traffic class).
 */
struct Tenant
{
    std::string name{};      //!< unique
    double weight{1};        //!< its share of what nobody is guaranteed, against others'
    uint32_t priority{0};    //!< higher goes first, where a scheme knows priorities
    DataRate limit{};        //!< most that it may send over a link; 0: no limit
    Time joins{};            //!< start of its workloads; Time::Max(): when TenantTable::Join() says
    Time leaves{};           //!< time at which all its traffic is stopped; 0: never
    std::string transport{}; //!< name of its transport; empty: the network's first
    std::vector<Spec> workloads{}; //!< traffic of its VMs, as specifications of a Workload
};

/**
 * @ingroup workload
 * @brief A virtual machine with its hose guarantee: what it may send to, and receive from, the
 * other VMs of its tenant together at least.
 */
struct Vm
{
    TenantId tenant{0}; //!< tenant of the VM
    uint32_t host{0};   //!< host of the VM
    DataRate send{};    //!< hose guarantee of what it sends, in bits of IP datagrams; 0: none
    DataRate receive{}; //!< hose guarantee of what it receives; 0: none
};

/**
 * @ingroup workload
 * @brief Two VMs of one tenant, in the direction of the data.
 */
struct VmPair
{
    VmId from{0};    //!< the VM that sends
    VmId to{0};      //!< the VM that receives
    DataRate pipe{}; //!< pipe guarantee of this pair alone, beside the hoses of its VMs; 0: none
};

/**
 * @ingroup workload
 * @brief The tenants of the network: their VMs on hosts, VM pairs, and guarantees.
 *
 * Tenants and VMs are added before traffic starts. A VM pair comes into being when it is first
 * asked for, together with its reverse; the two numbers differ in the last bit. Guarantees, weights
 * and limits may change during a run; the trace source Changed tells.
 */
class TenantTable : public Object
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    // ---- Tenants and VMs ----

    /**
     * @brief Add a tenant.
     * @param tenant the tenant; its name is new
     * @return its number
     */
    TenantId AddTenant(const Tenant& tenant);

    /**
     * @brief Add a VM.
     * @param vm the VM; its tenant exists
     * @return its number
     */
    VmId AddVm(const Vm& vm);

    /// @brief Number of tenants.
    uint32_t GetNTenants() const;

    /**
     * @brief A tenant.
     * @param tenant its number
     * @return the tenant
     */
    const Tenant& GetTenant(TenantId tenant) const;

    /**
     * @brief Look a tenant up by name.
     * @param name the name
     * @return its number; nothing if there is none of that name
     */
    std::optional<TenantId> FindTenant(const std::string& name) const;

    /// @brief Number of VMs of all tenants.
    uint32_t GetNVms() const;

    /**
     * @brief A VM.
     * @param vm its number
     * @return the VM
     */
    const Vm& GetVm(VmId vm) const;

    /**
     * @brief The VMs of a tenant.
     * @param tenant number of the tenant
     * @return their numbers, rising
     */
    const std::vector<VmId>& GetVmsOf(TenantId tenant) const;

    /**
     * @brief The VMs on a host.
     * @param host number of the host
     * @return their numbers, rising; none if nobody rents there
     */
    const std::vector<VmId>& GetVmsOn(uint32_t host) const;

    // ---- VM pairs ----

    /**
     * @brief The pair of two VMs, which comes into being with its reverse if it is new.
     * @param from the VM that sends
     * @param to another VM of the same tenant
     * @return number of the pair
     */
    PairId GetPair(VmId from, VmId to);

    /**
     * @brief The pair of two VMs, if it was ever asked for.
     * @param from the VM that sends
     * @param to the VM that receives
     * @return number of the pair; nothing if it is not known
     */
    std::optional<PairId> FindPair(VmId from, VmId to) const;

    /**
     * @brief The pair that traffic between two hosts belongs to when it says nothing else: of the
     * first tenant with VMs on both, the first VM on each.
     * @param source sending host
     * @param destination another host
     * @return number of the pair; nothing if no tenant has VMs on both
     */
    std::optional<PairId> GetPairOfHosts(uint32_t source, uint32_t destination);

    /**
     * @brief The same VMs in the other direction.
     * @param pair number of a pair
     * @return number of its reverse
     */
    static PairId Reverse(PairId pair)
    {
        return pair ^ 1;
    }

    /**
     * @brief Number of pairs known, both directions counted.
     * @return number of pairs, even
     */
    uint32_t GetNPairs() const;

    /**
     * @brief A pair's VMs and guarantee.
     * @param pair its number
     * @return the pair
     */
    const VmPair& GetVmPair(PairId pair) const;

    /**
     * @brief Tenant of a pair.
     * @param pair number of the pair
     * @return number of the tenant
     */
    TenantId GetTenantOf(PairId pair) const;

    /**
     * @brief Host that a pair's data come from.
     * @param pair number of the pair
     * @return number of the host
     */
    uint32_t GetSource(PairId pair) const;

    /**
     * @brief Host that a pair's data go to.
     * @param pair number of the pair
     * @return number of the host
     */
    uint32_t GetDestination(PairId pair) const;

    // ---- What may change during a run ----

    /**
     * @brief Change the hose guarantee of a VM.
     * @param vm the VM
     * @param send hose guarantee of sent traffic; 0: none
     * @param receive hose guarantee of received traffic; 0: none
     */
    void SetHose(VmId vm, DataRate send, DataRate receive);

    /**
     * @brief Change the pipe guarantee of a pair, in its direction only.
     * @param pair number of the pair
     * @param rate the guarantee; 0: none
     */
    void SetPipe(PairId pair, DataRate rate);

    /**
     * @brief Change a tenant's weight.
     * @param tenant the tenant
     * @param weight above 0
     */
    void SetWeight(TenantId tenant, double weight);

    /**
     * @brief Change a tenant's limit.
     * @param tenant the tenant
     * @param limit most that it may send over a link; 0: no limit
     */
    void SetLimit(TenantId tenant, DataRate limit);

    /**
     * @brief A tenant is absent until Join() says that it is there.
     * @param tenant the tenant; traffic has not started
     */
    void StartAbsent(TenantId tenant);

    /**
     * @brief Join() will be called once more; until then there is more to come of the tenant.
     * @param tenant the tenant
     */
    void AwaitJoin(TenantId tenant);

    /**
     * @brief The number of times that a tenant is still to join.
     * @param tenant the tenant
     * @return calls of AwaitJoin() less those of Join()
     */
    uint32_t GetAwaitedJoins(TenantId tenant) const;

    /**
     * @brief A tenant joins: its workloads begin. The trace source Joined tells.
     * @param tenant the tenant
     */
    void Join(TenantId tenant);

    /**
     * @brief A tenant leaves: all it sends is stopped. The trace source Left tells.
     * @param tenant the tenant
     */
    void Leave(TenantId tenant);

    // ---- Admission ----

    /**
     * @brief Refuse guarantees that the network cannot keep (see AdmissionControl for the model).
     * @param fabric the network, wired
     * @param share share of each link's rate that may be guaranteed, such as uFAB's 0.95; 0: any
     *        sum is admitted
     * @param argument the setting that the error names
     * @throws InputError naming the most over-subscribed link, the sum and the capacity; or a host
     *         that the network does not have
     */
    void CheckAdmission(const Fabric& fabric, double share, const std::string& argument) const;

    /**
     * @brief Signature of the trace sources Changed, Joined and Left.
     * @param tenant number of the tenant whose guarantee, weight or limit changed, or that joins or
     *        leaves
     */
    typedef void (*ChangedTracedCallback)(TenantId tenant);

  private:
    std::vector<Tenant> m_tenants;                     //!< by number
    std::unordered_map<std::string, TenantId> m_names; //!< tenant by name
    std::vector<std::vector<VmId>> m_vmsOf;            //!< by tenant
    std::vector<Vm> m_vms;                             //!< by number
    std::vector<std::vector<VmId>> m_vmsOn;            //!< by host, up to the last that is rented
    std::map<TenantId, uint32_t> m_awaitedJoins;       //!< by tenant, where there are any
    std::vector<VmPair> m_pairs;                       //!< by number
    std::unordered_map<uint64_t, PairId> m_pairOf;     //!< by both VMs
    TracedCallback<TenantId> m_changed;                //!< a tenant's terms changed
    TracedCallback<TenantId> m_joined;                 //!< a tenant joins
    TracedCallback<TenantId> m_left;                   //!< a tenant leaves
};

} // namespace ns3

#endif /* TENANT_TABLE_H */
