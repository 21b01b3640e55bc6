/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ALLOCATION_PROBLEM_H
#define ALLOCATION_PROBLEM_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Network policy of a traffic class (Nimble, SOSR 2021, Section 3.2).
 * @tparam T type of rates and weights: double, or an exact number
 */
template <class T>
struct ShareRule
{
    T weight{1};              //!< its part against classes of the same priority, larger than 0
    uint32_t priority{0};     //!< the larger is served first
    std::optional<T> limit{}; //!< rate limit at a port; none: no limit
    bool hard{false};         //!< true if the limit is reserved, and configured whatever is free
};

/**
 * @ingroup nimble
 * @brief A way through the network that a class uses: the output ports along it.
 */
struct RoutingPath
{
    uint32_t trafficClass;       //!< index of the class
    std::vector<uint32_t> ports; //!< indices of the ports, at least one

    auto operator<=>(const RoutingPath&) const = default;
};

/**
 * @ingroup nimble
 * @brief Input of an allocation of rates.
 * @tparam T type of rates and weights
 */
template <class T>
struct AllocationProblem
{
    std::vector<T> capacities;         //!< by port; ties go to the port that stands first
    std::vector<ShareRule<T>> classes; //!< the global policy, by class
    std::map<std::pair<uint32_t, uint32_t>, ShareRule<T>> local; //!< by port and class: instead
    std::vector<RoutingPath> paths;                              //!< in use

    /**
     * @brief Policy of a class at a port.
     * @param port index of the port
     * @param trafficClass index of the class
     * @return the local policy, or else the global one
     */
    const ShareRule<T>& GetRule(uint32_t port, uint32_t trafficClass) const
    {
        const auto found = local.find({port, trafficClass});
        return found == local.end() ? classes.at(trafficClass) : found->second;
    }
};

/**
 * @ingroup nimble
 * @brief A limit of a class at a port.
 * @tparam T type of rates
 */
template <class T>
struct PortLimit
{
    uint32_t port;         //!< index of the port
    uint32_t trafficClass; //!< index of the class
    T rate;                //!< of all paths of the class through the port together

    bool operator==(const PortLimit&) const = default;
};

/**
 * @ingroup nimble
 * @brief Result of an allocation.
 * @tparam T type of rates
 */
template <class T>
struct AllocationResult
{
    static constexpr uint32_t NOWHERE = UINT32_MAX; //!< no port

    std::vector<T> rates;              //!< by path
    std::vector<uint32_t> bottlenecks; //!< by path: the port that decided
    std::vector<PortLimit<T>> limits;  //!< by port, then class
    uint32_t passes{0};                //!< most passes that a level of priority took
};

/**
 * @ingroup nimble
 * @brief A class that takes part in sharing a port.
 * @tparam T type of rates and weights
 */
template <class T>
struct ShareClaim
{
    T weight;               //!< its part
    uint32_t priority;      //!< the larger first
    std::optional<T> limit; //!< most that it can take
    T share{0};             //!< the share that it gets
};

/**
 * @ingroup nimble
 * @brief Share a rate: strictly by priority, by weight among equals; what a limited class cannot
 * take goes to the others (water filling).
 * @param free the rate to share
 * @param claims get their shares
 */
template <class T>
void
ShareByPolicy(T free, std::vector<ShareClaim<T>>& claims)
{
    std::vector<ShareClaim<T>*> left;
    for (ShareClaim<T>& claim : claims)
    {
        left.push_back(&claim);
    }
    while (!left.empty())
    {
        uint32_t top = 0;
        for (const ShareClaim<T>* claim : left)
        {
            top = std::max(top, claim->priority);
        }
        T weights{0};
        for (const ShareClaim<T>* claim : left)
        {
            weights += claim->priority == top ? claim->weight : T{0};
        }
        const T level = weights > T{0} ? T{free / weights} : T{0};
        const auto isLimited = [&](const ShareClaim<T>* claim) {
            return claim->priority == top && claim->limit && *claim->limit < level * claim->weight;
        };
        const bool anyLimited = std::any_of(left.begin(), left.end(), isLimited);
        std::vector<ShareClaim<T>*> rest;
        for (ShareClaim<T>* claim : left)
        {
            if (claim->priority != top || (anyLimited && !isLimited(claim)))
            {
                rest.push_back(claim);
                continue;
            }
            claim->share = anyLimited ? *claim->limit : level * claim->weight;
            free -= claim->share;
        }
        left.swap(rest);
        if (free < T{0}) // rounding
        {
            free = T{0};
        }
    }
}

} // namespace ns3

#endif /* ALLOCATION_PROBLEM_H */
