/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tenant-workloads.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/object-spec.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TenantWorkloads");
NS_OBJECT_ENSURE_REGISTERED(TenantWorkloads);

TypeId
TenantWorkloads::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TenantWorkloads").SetParent<Workload>().SetGroupName("Workload");
    return tid;
}

std::string
TenantWorkloads::GetSummary() const
{
    return "What all tenants send";
}

void
TenantWorkloads::DoDispose()
{
    if (m_transports)
    {
        m_table->TraceDisconnectWithoutContext("Joined",
                                               MakeCallback(&TenantWorkloads::Join, this));
        m_table->TraceDisconnectWithoutContext("Left", MakeCallback(&TenantWorkloads::Leave, this));
    }
    m_parts.clear();
    m_table = nullptr;
    Workload::DoDispose();
}

void
TenantWorkloads::SetTenants(Ptr<TenantTable> tenants, const FindTransport& find)
{
    NS_LOG_FUNCTION(this << tenants);
    m_table = tenants;
    m_parts.assign(tenants->GetNTenants(), {});
    for (TenantId id = 0; id < tenants->GetNTenants(); ++id)
    {
        const std::string& transport = tenants->GetTenant(id).transport;
        m_parts[id].transport = transport.empty() ? 0 : find(transport);
        CreateWorkloads(id);
    }
}

void
TenantWorkloads::CreateWorkloads(TenantId id)
{
    const Tenant& tenant = m_table->GetTenant(id);
    for (const auto& spec : tenant.workloads)
    {
        const auto workload = CreateFromSpec<Workload>("workload of tenant " + tenant.name, spec);
        workload->TraceConnectWithoutContext("TaskFinished",
                                             MakeCallback(&TenantWorkloads::NotifyTask, this));
        workload->ShareTaskNumbers(GetTaskNumbers());
        m_parts[id].workloads.push_back(workload);
    }
}

template <typename Action>
void
TenantWorkloads::ForTenant(TenantId id, const Workload& workload, const Action& action) const
{
    try
    {
        action();
    }
    catch (const InputError& error)
    {
        const TypeId kind = workload.GetInstanceTypeId();
        throw InputError("workload " + GetRegisteredName(kind, Workload::GetTypeId()) +
                             " of tenant " + m_table->GetTenant(id).name,
                         error);
    }
}

void
TenantWorkloads::RenewWorkloads(TenantId id)
{
    Part& part = m_parts[id];
    // Those before are kept: what they have scheduled may still be due.
    part.earlier.insert(part.earlier.end(), part.workloads.begin(), part.workloads.end());
    part.workloads.clear();
    CreateWorkloads(id);
    for (const auto& workload : part.workloads)
    {
        ForTenant(id, *workload, [&] {
            if (m_nextStream)
            {
                *m_nextStream += workload->AssignStreams(*m_nextStream);
            }
            workload->Prepare(m_table, id, part.transport);
        });
    }
}

void
TenantWorkloads::ShareTaskNumbers(std::shared_ptr<uint32_t> numbers)
{
    Workload::ShareTaskNumbers(numbers);
    for (const Part& part : m_parts)
    {
        for (const auto& workload : part.workloads)
        {
            workload->ShareTaskNumbers(numbers);
        }
    }
}

int64_t
TenantWorkloads::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    for (TenantId id = 0; id < m_parts.size(); ++id)
    {
        for (const auto& workload : m_parts[id].workloads)
        {
            ForTenant(id, *workload, [&] { stream += workload->AssignStreams(stream); });
        }
    }
    m_nextStream = stream;
    return stream - first;
}

void
TenantWorkloads::DoPrepare()
{
    // Before the run, even if a tenant joins late: bad input is told at once.
    for (TenantId id = 0; id < m_parts.size(); ++id)
    {
        for (const auto& workload : m_parts[id].workloads)
        {
            ForTenant(id, *workload, [&] {
                workload->Prepare(m_table, id, m_parts[id].transport);
            });
        }
    }
}

void
TenantWorkloads::DoStart()
{
    m_transports->AddObserver(this);
    m_table->TraceConnectWithoutContext("Joined", MakeCallback(&TenantWorkloads::Join, this));
    m_table->TraceConnectWithoutContext("Left", MakeCallback(&TenantWorkloads::Leave, this));
    for (TenantId id = 0; id < m_parts.size(); ++id)
    {
        for (const auto& workload : m_parts[id].workloads)
        {
            ForTenant(id, *workload, [&] { workload->CheckTransport(*m_transports); });
        }
        const Tenant& tenant = m_table->GetTenant(id);
        if (tenant.joins < Time::Max())
        {
            m_parts[id].join = Simulator::Schedule(tenant.joins, &TenantWorkloads::Join, this, id);
        }
        if (tenant.leaves.IsStrictlyPositive())
        {
            Simulator::Schedule(tenant.leaves, &TenantWorkloads::Leave, this, id);
        }
    }
}

void
TenantWorkloads::Join(TenantId tenant)
{
    NS_LOG_FUNCTION(this << tenant);
    Part& part = m_parts.at(tenant);
    part.join.Cancel();
    if (part.presence == Presence::PRESENT)
    {
        return;
    }
    if (part.presence == Presence::GONE)
    {
        RenewWorkloads(tenant);
    }
    part.presence = Presence::PRESENT;
    for (const auto& workload : part.workloads)
    {
        workload->StartPrepared(m_transports);
    }
}

void
TenantWorkloads::Leave(TenantId tenant)
{
    NS_LOG_FUNCTION(this << tenant);
    Part& part = m_parts.at(tenant);
    part.join.Cancel();
    part.presence = Presence::GONE;
    for (const auto& workload : part.workloads)
    {
        workload->Halt();
    }
    for (const FlowId flow : std::exchange(part.flows, {}))
    {
        m_transports->StopFlow(flow);
    }
}

void
TenantWorkloads::Halt()
{
    for (const Part& part : m_parts)
    {
        for (const auto& workload : part.workloads)
        {
            workload->Halt();
        }
    }
}

bool
TenantWorkloads::IsOver() const
{
    for (TenantId id = 0; id < m_parts.size(); ++id)
    {
        const Part& part = m_parts[id];
        if (part.presence == Presence::AWAITED || m_table->GetAwaitedJoins(id) > 0 ||
            !std::ranges::all_of(part.workloads,
                                 [](const auto& workload) { return workload->IsOver(); }))
        {
            return false;
        }
    }
    return true;
}

uint64_t
TenantWorkloads::GetStarted() const
{
    uint64_t started = 0;
    for (const Part& part : m_parts)
    {
        for (const auto& workloads : {part.earlier, part.workloads})
        {
            for (const auto& workload : workloads)
            {
                started += workload->GetStarted();
            }
        }
    }
    return started;
}

UnstartedFlows
TenantWorkloads::GetUnstarted() const
{
    UnstartedFlows all;
    for (TenantId id = 0; id < m_parts.size(); ++id)
    {
        const Part& part = m_parts[id];
        // Times of a tenant count from when it joins, which may never be.
        const Time joins = m_table->GetTenant(id).joins;
        const bool isAwaited = part.presence == Presence::AWAITED;
        for (const auto& workload : part.workloads)
        {
            const UnstartedFlows some = workload->GetUnstarted();
            if (some.flows > 0 && !(isAwaited && joins == Time::Max()))
            {
                all.flows += some.flows;
                all.first = std::min(all.first, some.first + (isAwaited ? joins : Time()));
            }
        }
    }
    return all;
}

void
TenantWorkloads::FlowStarted(const FlowRecord& record)
{
    if (record.request.pair > 0)
    {
        m_parts.at(m_table->GetTenantOf(record.request.pair - 1)).flows.insert(record.id);
    }
}

void
TenantWorkloads::FlowFinished(const FlowRecord& record)
{
    if (record.request.pair > 0)
    {
        m_parts.at(m_table->GetTenantOf(record.request.pair - 1)).flows.erase(record.id);
    }
}

} // namespace ns3
