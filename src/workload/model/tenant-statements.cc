/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tenant-statements.h"

#include "statement.h"
#include "workload.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/number-text.h"
#include "ns3/object-settings.h"

namespace ns3
{

namespace
{

/// @brief The grammar of statements on tenants.
const Statement::Grammar TENANT_GRAMMAR{{"tenant",
                                         {"hosts",
                                          "vms",
                                          "hose",
                                          "send",
                                          "receive",
                                          "weight",
                                          "priority",
                                          "limit",
                                          "transport",
                                          "joins",
                                          "leaves",
                                          "workload"}},
                                        {"vm", {"hosts", "vms", "hose", "send", "receive"}},
                                        {"pair", {"from", "to", "pipe"}}};

/**
 * @brief Find the tenant that a statement is about.
 * @param table has it
 * @param statement the statement
 * @return its number
 */
TenantId
NeedTenant(const TenantTable& table, const Statement& statement)
{
    const auto tenant = table.FindTenant(statement.GetName());
    if (!tenant)
    {
        throw InputError(statement.Where(statement.GetKind()),
                         statement.GetName(),
                         "must be a tenant that was named before");
    }
    return *tenant;
}

/**
 * @brief Add the VMs that a statement lists.
 * @param table takes them
 * @param tenant the tenant of the VMs
 * @param statement the statement
 */
void
AddVms(TenantTable& table, TenantId tenant, const Statement& statement)
{
    const auto hosts = statement.GetNumbers("hosts");
    const uint32_t count = statement.GetCount("vms", hosts.size());
    const DataRate hose = statement.GetRate("hose");
    const DataRate send = statement.GetRate("send", hose);
    const DataRate receive = statement.GetRate("receive", hose);
    for (uint32_t i = 0; i < count; ++i)
    {
        table.AddVm({tenant, hosts[i % hosts.size()], send, receive});
    }
}

/**
 * @brief Add a tenant.
 * @param table takes it
 * @param statement says what it is
 */
void
AddTenant(TenantTable& table, const Statement& statement)
{
    if (table.FindTenant(statement.GetName()))
    {
        throw InputError(statement.Where("tenant"), statement.GetName(), "is named twice");
    }
    Tenant tenant;
    tenant.name = statement.GetName();
    if (const auto weight = statement.Get("weight"))
    {
        tenant.weight = ParseNumber(statement.Where("weight"), *weight);
        if (tenant.weight <= 0)
        {
            throw InputError(statement.Where("weight"), *weight, "must be above 0");
        }
    }
    tenant.priority = statement.GetCount("priority", 0);
    tenant.limit = statement.GetRate("limit");
    if (const auto joins = statement.Get("joins"))
    {
        tenant.joins = ParseTime(statement.Where("joins"), *joins);
    }
    if (const auto leaves = statement.Get("leaves"))
    {
        tenant.leaves = ParseTime(statement.Where("leaves"), *leaves);
        if (tenant.leaves <= tenant.joins)
        {
            throw InputError(statement.Where("leaves"), *leaves, "must be after joins");
        }
    }
    tenant.transport = statement.Get("transport").value_or("");
    const auto workloads = statement.GetAll("workload");
    tenant.workloads.assign(workloads.begin(), workloads.end());
    const TenantId id = table.AddTenant(tenant);
    if (statement.Get("hosts"))
    {
        AddVms(table, id, statement);
        return;
    }
    for (const auto* key : {"vms", "hose", "send", "receive"})
    {
        if (const auto value = statement.Get(key))
        {
            throw InputError(statement.Where(key), *value, "needs hosts=");
        }
    }
}

/**
 * @brief Guarantee pipes.
 * @param table has the VMs
 * @param tenant the tenant of the VMs
 * @param statement says which
 */
void
SetPipes(TenantTable& table, TenantId tenant, const Statement& statement)
{
    const auto vms = table.GetVmsOf(tenant);
    const auto list = [&](const std::string& key) {
        const auto numbers = statement.GetNumbers(key);
        for (const uint32_t number : numbers)
        {
            if (number >= vms.size())
            {
                throw InputError(statement.Where(key),
                                 std::to_string(number),
                                 "tenant " + statement.GetName() + " has " +
                                     std::to_string(vms.size()) + " VMs, counted from 0");
            }
        }
        return numbers;
    };
    const auto from = list("from");
    const auto to = list("to");
    const DataRate pipe = ParseRate(statement.Where("pipe"), statement.Need("pipe"));
    if (from.size() == 1 && to == from)
    {
        throw InputError(statement.Where("to"), statement.Need("to"), "must be another VM");
    }
    for (const uint32_t a : from)
    {
        for (const uint32_t b : to)
        {
            if (a != b)
            {
                table.SetPipe(table.GetPair(vms[a], vms[b]), pipe);
            }
        }
    }
}

/**
 * @brief A rate as ParseRate() reads it, to the last bit.
 * @param rate the rate
 * @return such as "1500Mbps"
 */
std::string
RateText(DataRate rate)
{
    uint64_t value = rate.GetBitRate();
    const char* unit = "bps";
    for (const auto* larger : {"kbps", "Mbps", "Gbps"})
    {
        if (value == 0 || value % 1000 != 0)
        {
            break;
        }
        value /= 1000;
        unit = larger;
    }
    return std::to_string(value) + unit;
}

/**
 * @brief Say a rate, unless it is 0.
 * @param key its key
 * @param rate the rate
 * @return a word with a blank before it, or nothing
 */
std::string
RateWord(const std::string& key, DataRate rate)
{
    return rate.GetBitRate() > 0 ? ' ' + key + '=' + RateText(rate) : "";
}

/**
 * @brief Say a time, unless it is 0.
 * @param key its key
 * @param time the time
 * @return a word with a blank before it, or nothing
 */
std::string
TimeWord(const std::string& key, Time time)
{
    return time.IsZero() ? "" : ' ' + key + '=' + std::to_string(time.GetPicoSeconds()) + "ps";
}

/**
 * @brief Say a tenant without its VMs.
 * @param tenant the tenant
 * @return a statement
 */
std::string
TenantStatement(const Tenant& tenant)
{
    std::string text = "tenant " + tenant.name;
    if (tenant.weight != 1)
    {
        text += " weight=" + NumberText(tenant.weight);
    }
    if (tenant.priority != 0)
    {
        text += " priority=" + std::to_string(tenant.priority);
    }
    text += RateWord("limit", tenant.limit);
    if (!tenant.transport.empty())
    {
        text += " transport=" + tenant.transport;
    }
    text += TimeWord("joins", tenant.joins) + TimeWord("leaves", tenant.leaves);
    for (const auto& workload : tenant.workloads)
    {
        text += " workload=" + workload.ToString();
    }
    return text;
}

/**
 * @brief Add a number to a list.
 * @param list such as "0-3"
 * @param first first number of the list's last range
 * @param last the list's last number
 * @return the list with its last range
 */
std::string
AddRange(const std::string& list, uint32_t first, uint32_t last)
{
    return list + (list.empty() ? "" : ",") + std::to_string(first) +
           (last > first ? '-' + std::to_string(last) : "");
}

/**
 * @brief Say the VMs of a tenant, those in a row with the same guarantees together.
 * @param table has the VMs
 * @param tenant the tenant
 * @param statements takes the statements
 */
void
SayVms(const TenantTable& table, TenantId tenant, std::vector<std::string>& statements)
{
    const auto& vms = table.GetVmsOf(tenant);
    for (std::size_t i = 0; i < vms.size();)
    {
        const Vm& first = table.GetVm(vms[i]);
        std::string hosts;
        std::size_t next = i;
        const auto isAlike = [&] {
            return next < vms.size() && table.GetVm(vms[next]).send == first.send &&
                   table.GetVm(vms[next]).receive == first.receive;
        };
        while (isAlike())
        {
            const uint32_t begin = table.GetVm(vms[next]).host;
            uint32_t end = begin;
            for (++next; isAlike() && table.GetVm(vms[next]).host == end + 1; ++next)
            {
                ++end;
            }
            hosts = AddRange(hosts, begin, end);
        }
        statements.push_back("vm " + table.GetTenant(tenant).name + " hosts=" + hosts +
                             RateWord("send", first.send) + RateWord("receive", first.receive));
        i = next;
    }
}

/**
 * @param tenant a tenant
 * @return its terms, workloads included, but for its VMs
 */
JsonObject
DescribeTerms(const Tenant& tenant)
{
    JsonObject terms;
    terms.Set("weight", tenant.weight);
    terms.Set("priority", tenant.priority);
    terms.Set("limit_bps", tenant.limit.GetBitRate());
    AddSetting(terms, "joins", TimeValue(tenant.joins), MakeTimeChecker());
    AddSetting(terms, "leaves", TimeValue(tenant.leaves), MakeTimeChecker());
    terms.Set("transport", tenant.transport);
    std::vector<JsonObject> workloads;
    for (const Spec& spec : tenant.workloads)
    {
        workloads.push_back(DescribeSpec(spec, Workload::GetTypeId()));
    }
    terms.Set("workloads", workloads);
    return terms;
}

} // namespace

void
AddTenantStatement(TenantTable& table, const std::string& where, const std::string& statement)
{
    const Statement parts(TENANT_GRAMMAR, where, statement, "workload");
    if (parts.GetKind() == "tenant")
    {
        AddTenant(table, parts);
    }
    else if (parts.GetKind() == "vm")
    {
        AddVms(table, NeedTenant(table, parts), parts);
    }
    else
    {
        SetPipes(table, NeedTenant(table, parts), parts);
    }
}

Ptr<TenantTable>
CopyTenants(const TenantTable& table)
{
    auto copy = CreateObject<TenantTable>();
    for (const std::string& statement : ToStatements(table))
    {
        AddTenantStatement(*copy, "copy", statement);
    }
    return copy;
}

std::vector<std::string>
ToStatements(const TenantTable& table)
{
    std::vector<std::string> statements;
    std::vector<uint32_t> place(table.GetNVms()); // of each VM within its tenant
    for (TenantId tenant = 0; tenant < table.GetNTenants(); ++tenant)
    {
        statements.push_back(TenantStatement(table.GetTenant(tenant)));
        SayVms(table, tenant, statements);
        for (uint32_t i = 0; i < table.GetVmsOf(tenant).size(); ++i)
        {
            place[table.GetVmsOf(tenant)[i]] = i;
        }
    }
    for (PairId id = 0; id < table.GetNPairs(); ++id)
    {
        const VmPair& pair = table.GetVmPair(id);
        if (pair.pipe.GetBitRate() > 0)
        {
            statements.push_back("pair " + table.GetTenant(table.GetTenantOf(id)).name +
                                 " from=" + std::to_string(place[pair.from]) + " to=" +
                                 std::to_string(place[pair.to]) + RateWord("pipe", pair.pipe));
        }
    }
    return statements;
}

JsonObject
DescribeTenants(const TenantTable& table)
{
    std::vector<uint32_t> place(table.GetNVms()); // of each VM within its tenant
    std::vector<JsonObject> tenants;
    for (TenantId id = 0; id < table.GetNTenants(); ++id)
    {
        std::vector<uint32_t> hosts;
        std::vector<uint64_t> send;
        std::vector<uint64_t> receive;
        for (const VmId vm : table.GetVmsOf(id))
        {
            place[vm] = hosts.size();
            hosts.push_back(table.GetVm(vm).host);
            send.push_back(table.GetVm(vm).send.GetBitRate());
            receive.push_back(table.GetVm(vm).receive.GetBitRate());
        }
        tenants.push_back(DescribeTerms(table.GetTenant(id)));
        tenants.back().Set("hose_bps", send.empty() ? 0 : send.front());
        tenants.back().Set("hosts", hosts);
        tenants.back().Set("send_bps", send);
        tenants.back().Set("receive_bps", receive);
    }
    std::vector<std::vector<JsonObject>> pairs(tenants.size());
    for (PairId id = 0; id < table.GetNPairs(); ++id)
    {
        if (const VmPair& pair = table.GetVmPair(id); pair.pipe.GetBitRate() > 0)
        {
            JsonObject described;
            described.Set("from", place[pair.from]);
            described.Set("to", place[pair.to]);
            described.Set("pipe_bps", pair.pipe.GetBitRate());
            pairs[table.GetTenantOf(id)].push_back(described);
        }
    }
    JsonObject all;
    for (TenantId id = 0; id < tenants.size(); ++id)
    {
        tenants[id].Set("pairs", pairs[id]);
        all.Set(table.GetTenant(id).name, tenants[id]);
    }
    return all;
}

} // namespace ns3
