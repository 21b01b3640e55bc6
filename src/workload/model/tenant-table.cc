/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tenant-table.h"

#include "admission-control.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TenantTable");
NS_OBJECT_ENSURE_REGISTERED(TenantTable);

namespace
{

/**
 * @brief The key by which a pair is found.
 * @param from the VM that sends
 * @param to the VM that receives
 * @return both in one number
 */
uint64_t
PairKey(VmId from, VmId to)
{
    return uint64_t{from} << 32 | to;
}

} // namespace

TypeId
TenantTable::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TenantTable")
            .SetParent<Object>()
            .SetGroupName("Workload")
            .AddConstructor<TenantTable>()
            .AddTraceSource("Changed",
                            "A guarantee, the weight or the limit of a tenant changed",
                            MakeTraceSourceAccessor(&TenantTable::m_changed),
                            "ns3::TenantTable::ChangedTracedCallback")
            .AddTraceSource("Joined",
                            "A tenant's workloads begin",
                            MakeTraceSourceAccessor(&TenantTable::m_joined),
                            "ns3::TenantTable::ChangedTracedCallback")
            .AddTraceSource("Left",
                            "All that a tenant sends is stopped",
                            MakeTraceSourceAccessor(&TenantTable::m_left),
                            "ns3::TenantTable::ChangedTracedCallback");
    return tid;
}

TenantId
TenantTable::AddTenant(const Tenant& tenant)
{
    NS_LOG_FUNCTION(this << tenant.name);
    const auto id = static_cast<TenantId>(m_tenants.size());
    const bool isNew = m_names.emplace(tenant.name, id).second;
    NS_ASSERT_MSG(isNew, "there is a tenant " << tenant.name);
    m_tenants.push_back(tenant);
    m_vmsOf.emplace_back();
    return id;
}

VmId
TenantTable::AddVm(const Vm& vm)
{
    const auto id = static_cast<VmId>(m_vms.size());
    m_vms.push_back(vm);
    m_vmsOf.at(vm.tenant).push_back(id);
    if (vm.host >= m_vmsOn.size())
    {
        m_vmsOn.resize(vm.host + 1);
    }
    m_vmsOn[vm.host].push_back(id);
    return id;
}

uint32_t
TenantTable::GetNTenants() const
{
    return static_cast<uint32_t>(m_tenants.size());
}

const Tenant&
TenantTable::GetTenant(TenantId tenant) const
{
    return m_tenants.at(tenant);
}

std::optional<TenantId>
TenantTable::FindTenant(const std::string& name) const
{
    const auto found = m_names.find(name);
    return found == m_names.end() ? std::nullopt : std::optional(found->second);
}

uint32_t
TenantTable::GetNVms() const
{
    return static_cast<uint32_t>(m_vms.size());
}

const Vm&
TenantTable::GetVm(VmId vm) const
{
    return m_vms.at(vm);
}

const std::vector<VmId>&
TenantTable::GetVmsOf(TenantId tenant) const
{
    return m_vmsOf.at(tenant);
}

const std::vector<VmId>&
TenantTable::GetVmsOn(uint32_t host) const
{
    static const std::vector<VmId> NONE;
    return host < m_vmsOn.size() ? m_vmsOn[host] : NONE;
}

PairId
TenantTable::GetPair(VmId from, VmId to)
{
    NS_ASSERT_MSG(from != to && GetVm(from).tenant == GetVm(to).tenant,
                  "VMs " << from << " and " << to << " are no pair");
    const auto id = static_cast<PairId>(m_pairs.size());
    const auto [pair, isNew] = m_pairOf.emplace(PairKey(from, to), id);
    if (isNew)
    {
        m_pairOf.emplace(PairKey(to, from), Reverse(id));
        m_pairs.push_back({from, to, DataRate(0)});
        m_pairs.push_back({to, from, DataRate(0)});
        return id;
    }
    return pair->second;
}

std::optional<PairId>
TenantTable::GetPairOfHosts(uint32_t source, uint32_t destination)
{
    std::optional<VmPair> first;
    for (const VmId from : GetVmsOn(source))
    {
        for (const VmId to : GetVmsOn(destination))
        {
            const TenantId tenant = GetVm(from).tenant;
            if (tenant == GetVm(to).tenant && (!first || tenant < GetVm(first->from).tenant))
            {
                first = VmPair{from, to};
            }
        }
    }
    return first ? std::optional(GetPair(first->from, first->to)) : std::nullopt;
}

std::optional<PairId>
TenantTable::FindPair(VmId from, VmId to) const
{
    const auto pair = m_pairOf.find(PairKey(from, to));
    return pair == m_pairOf.end() ? std::nullopt : std::optional(pair->second);
}

uint32_t
TenantTable::GetNPairs() const
{
    return static_cast<uint32_t>(m_pairs.size());
}

const VmPair&
TenantTable::GetVmPair(PairId pair) const
{
    return m_pairs.at(pair);
}

TenantId
TenantTable::GetTenantOf(PairId pair) const
{
    return m_vms[m_pairs.at(pair).from].tenant;
}

uint32_t
TenantTable::GetSource(PairId pair) const
{
    return m_vms[m_pairs.at(pair).from].host;
}

uint32_t
TenantTable::GetDestination(PairId pair) const
{
    return m_vms[m_pairs.at(pair).to].host;
}

void
TenantTable::SetHose(VmId vm, DataRate send, DataRate receive)
{
    NS_LOG_FUNCTION(this << vm << send << receive);
    m_vms.at(vm).send = send;
    m_vms[vm].receive = receive;
    m_changed(m_vms[vm].tenant);
}

void
TenantTable::SetPipe(PairId pair, DataRate rate)
{
    NS_LOG_FUNCTION(this << pair << rate);
    m_pairs.at(pair).pipe = rate;
    m_changed(GetTenantOf(pair));
}

void
TenantTable::SetWeight(TenantId tenant, double weight)
{
    NS_LOG_FUNCTION(this << tenant << weight);
    NS_ASSERT_MSG(weight > 0, "a weight is above 0");
    m_tenants.at(tenant).weight = weight;
    m_changed(tenant);
}

void
TenantTable::SetLimit(TenantId tenant, DataRate limit)
{
    NS_LOG_FUNCTION(this << tenant << limit);
    m_tenants.at(tenant).limit = limit;
    m_changed(tenant);
}

void
TenantTable::StartAbsent(TenantId tenant)
{
    m_tenants.at(tenant).joins = Time::Max();
}

void
TenantTable::AwaitJoin(TenantId tenant)
{
    ++m_awaitedJoins[tenant];
}

uint32_t
TenantTable::GetAwaitedJoins(TenantId tenant) const
{
    const auto found = m_awaitedJoins.find(tenant);
    return found == m_awaitedJoins.end() ? 0 : found->second;
}

void
TenantTable::Join(TenantId tenant)
{
    NS_LOG_FUNCTION(this << tenant);
    const auto awaited = m_awaitedJoins.find(tenant);
    if (awaited != m_awaitedJoins.end() && awaited->second > 0)
    {
        --awaited->second;
    }
    m_joined(tenant);
}

void
TenantTable::Leave(TenantId tenant)
{
    NS_LOG_FUNCTION(this << tenant);
    m_left(tenant);
}

void
TenantTable::CheckAdmission(const Fabric& fabric, double share, const std::string& argument) const
{
    AdmissionControl admission(fabric, share);
    for (TenantId tenant = 0; tenant < GetNTenants(); ++tenant)
    {
        admission.Reserve(admission.GetLoads(*this, tenant, argument));
    }
    admission.Check(argument);
}

} // namespace ns3
