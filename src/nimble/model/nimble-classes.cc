/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nimble-classes.h"

#include <algorithm>

namespace ns3
{

NimbleClasses::NimbleClasses(NimblePolicy policy)
    : m_policy(std::move(policy)),
      m_hasPolicy(true)
{
}

NimbleClasses::NimbleClasses(const NimbleRule& rule, Ptr<TenantTable> tenants)
    : m_rule(rule),
      m_tenants(tenants)
{
}

std::optional<uint32_t>
NimbleClasses::Find(const std::string& name) const
{
    if (m_hasPolicy || m_tenants)
    {
        const std::optional<uint32_t> index =
            m_hasPolicy ? m_policy.Find(name) : m_tenants->FindTenant(name);
        return index ? std::optional(*index + 1) : std::nullopt;
    }
    constexpr std::size_t MOST_DIGITS = 7;
    const bool isNumber = !name.empty() && name.size() <= MOST_DIGITS &&
                          std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    const auto number = static_cast<uint32_t>(isNumber ? std::stoul(name) : 0);
    return number > 0 ? std::optional(number) : std::nullopt;
}

uint32_t
NimbleClasses::Count() const
{
    if (m_hasPolicy)
    {
        return static_cast<uint32_t>(m_policy.GetClasses().size());
    }
    const uint32_t known = m_tenants ? m_tenants->GetNTenants() : 0;
    return m_limits.empty() ? known : std::max(known, m_limits.rbegin()->first);
}

void
NimbleClasses::SetLimit(uint32_t number, DataRate limit)
{
    m_limits[number] = limit;
}

NimbleRule
NimbleClasses::GetRule(uint32_t number) const
{
    NimbleRule rule = m_hasPolicy ? m_policy.GetClasses().at(number - 1).rule : m_rule;
    if (m_tenants && number <= m_tenants->GetNTenants())
    {
        const Tenant& tenant = m_tenants->GetTenant(number - 1);
        rule.weight = tenant.weight;
        rule.priority = tenant.priority;
        rule.limit.rate = tenant.limit.GetBitRate() > 0 ? tenant.limit : rule.limit.rate;
    }
    // Where a class has limits in some places only, those are the ones that change.
    const bool isLimitedElsewhere =
        rule.limit.rate.GetBitRate() == 0 &&
        std::ranges::any_of(m_policy.GetLocalRules(), [number](const NimbleLocalRule& local) {
            return local.trafficClass + 1 == number && local.rule.limit.rate.GetBitRate() > 0;
        });
    const auto changed = m_limits.find(number);
    if (changed != m_limits.end() && !isLimitedElsewhere)
    {
        rule.limit.rate = changed->second;
    }
    return rule;
}

NimbleRule
NimbleClasses::Amend(uint32_t number, NimbleRule rule) const
{
    const auto changed = m_limits.find(number);
    if (changed != m_limits.end() && rule.limit.rate.GetBitRate() > 0)
    {
        rule.limit.rate = changed->second;
    }
    return rule;
}

} // namespace ns3
