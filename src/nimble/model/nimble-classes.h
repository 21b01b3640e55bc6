/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NIMBLE_CLASSES_H
#define NIMBLE_CLASSES_H

#include "nimble-policy.h"

#include "ns3/tenant-table.h"

#include <map>

namespace ns3
{

/// @ingroup nimble
/// @brief Least rate of a limiter in bit/s: with 0 not even a handshake would get through. Not in
/// the paper.
inline constexpr uint64_t LEAST_LIMITER_RATE = 10'000'000;

/// @ingroup nimble
/// @brief Relative change of a limiter's rate that switches and hosts are not told of. Not in the
/// paper.
inline constexpr double RATE_TOLERANCE = 0.001;

/**
 * @ingroup nimble
 * @brief The classes of a run and their global policies as they are now. Classes are numbered from
 * 1.
 *
 * They are those of a policy; or the tenants, with their weights, priorities and limits; or,
 * without either, any group of senders, all alike.
 */
class NimbleClasses
{
  public:
    NimbleClasses() = default;

    /**
     * @brief The classes of a policy.
     * @param policy the policy
     */
    explicit NimbleClasses(NimblePolicy policy);

    /**
     * @brief Tenants, or groups of senders.
     * @param rule policy of all classes
     * @param tenants the tenants; nullptr: groups
     */
    NimbleClasses(const NimbleRule& rule, Ptr<TenantTable> tenants);

    /**
     * @brief Find a class.
     * @param name its name, or that of its tenant; with groups its number
     * @return its number; nothing if there is none
     */
    std::optional<uint32_t> Find(const std::string& name) const;

    /**
     * @brief Classes that are known whether they send or not.
     * @return number of the last
     */
    uint32_t Count() const;

    /**
     * @brief Change the limit of a class.
     * @param number of the class
     * @param limit most that it may have at a port; 0: there is no limit
     */
    void SetLimit(uint32_t number, DataRate limit);

    /**
     * @brief The global policy of a class.
     * @param number of the class
     * @return the policy
     */
    NimbleRule GetRule(uint32_t number) const;

    /**
     * @brief Put a changed limit into a local policy that has one.
     * @param number of the class
     * @param rule its local policy
     * @return the policy as it is now
     */
    NimbleRule Amend(uint32_t number, NimbleRule rule) const;

    /// @brief Policy that the user set; empty: nothing.
    const NimblePolicy& GetPolicy() const
    {
        return m_policy;
    }

    /// @brief The tenants that are the classes; nullptr: others are.
    Ptr<TenantTable> GetTenants() const
    {
        return m_tenants;
    }

  private:
    NimblePolicy m_policy;                 //!< the user's policy
    bool m_hasPolicy{false};               //!< true if classes are those of the policy
    NimbleRule m_rule;                     //!< without: what holds of all
    Ptr<TenantTable> m_tenants;            //!< without: the tenants, or nullptr
    std::map<uint32_t, DataRate> m_limits; //!< changed since, by number of class
};

} // namespace ns3

#endif /* NIMBLE_CLASSES_H */
