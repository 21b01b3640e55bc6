/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATE_ALLOCATION_H
#define RATE_ALLOCATION_H

#include "allocation-problem.h"

#include <set>
#include <type_traits>

namespace ns3
{

/**
 * @ingroup nimble
 * @brief Network-wide rates for traffic classes (Nimble, SOSR 2021, Section 4.2, Algorithm 2).
 *
 * The port and the class are found whose share, divided by its paths there, is the smallest; these
 * paths have that rate, and the search begins again. Classes are limited where their paths got
 * their rates, nowhere else. Priorities are dealt with level by level over the whole network.
 *
 * The printed algorithm is mended where it cannot work: the search begins with an infinite rate; a
 * port stays until no class waits there (else the last class of the example in Section 6.3.2 would
 * get 100 of a port that has 30 left); what a class holds at a port is subtracted from its share;
 * a class counts as settled at a port when its paths through that port are, wherever else it has
 * paths; only one level of priority is looked at at a time; a limit covers all paths of its class
 * through the port, since the meter sees them all.
 *
 * One run is still not work-conserving: the smallest path rate need not be the tightest class (two
 * paths of a class that come first with 25 each may leave 16.7 that a third path, limited at
 * its host, cannot use). With work conservation what is left is shared again, until nothing is.
 *
 * A hard limit is reserved at each port where it applies before anything else, evenly over the
 * class's paths there, and configured as it is. A local priority holds at its port; a path is dealt
 * with at the lowest priority that it has at any of its ports.
 *
 * @tparam T type of rates and weights: double, or an exact number
 */
template <class T>
class RateAllocation
{
  public:
    static constexpr uint32_t MOST_PASSES = 64; //!< of a level, in case rounding never ends

    /**
     * @brief Allocate.
     * @param problem ports, classes and paths
     * @param workConserving true to share again what one run leaves, which Fig. 16 needs; false: as
     *        printed
     * @return rates of paths, and limits of classes at ports
     */
    static AllocationResult<T> Allocate(const AllocationProblem<T>& problem,
                                        bool workConserving = true)
    {
        RateAllocation allocation(problem);
        for (const uint32_t priority : allocation.m_levels)
        {
            uint32_t passes = 0;
            do
            {
                allocation.RunPass(priority, passes == 0);
                ++passes;
            } while (workConserving && allocation.m_largestStep > GetLeastStep() &&
                     passes < MOST_PASSES);
            allocation.m_result.passes = std::max(allocation.m_result.passes, passes);
        }
        allocation.ListLimits();
        return allocation.m_result;
    }

  private:
    /// @brief A class at a port.
    struct Member
    {
        uint32_t trafficClass;       //!< index of the class
        const ShareRule<T>* rule;    //!< its policy here
        std::vector<uint32_t> paths; //!< p.paths(c): its paths through the port
        uint32_t unassignedPaths{0}; //!< number of them without a rate, in this pass
        T used{0};                   //!< used(p, c): rates of all of them, of earlier passes
        T added{0};                  //!< the same of this pass
    };

    /// @brief A port.
    struct Port
    {
        std::vector<Member> members{}; //!< by class
        T reserved{0};                 //!< hard limits
        bool changed{true};            //!< true if its bottleneck must be found again
        std::optional<T> pathRate{};   //!< least of its classes' paths; none: all have a rate
        uint32_t member{0};            //!< index of that class among the members
    };

    explicit RateAllocation(const AllocationProblem<T>& problem)
        : m_problem(problem),
          m_ports(problem.capacities.size()),
          m_priorities(problem.paths.size(), UINT32_MAX)
    {
        const std::size_t paths = problem.paths.size();
        m_result.rates.assign(paths, T{0});
        m_result.bottlenecks.assign(paths, AllocationResult<T>::NOWHERE);
        for (uint32_t path = 0; path < paths; ++path)
        {
            for (const uint32_t port : problem.paths[path].ports)
            {
                Member& member = FindMember(port, problem.paths[path].trafficClass);
                member.paths.push_back(path);
                m_priorities[path] = std::min(m_priorities[path], member.rule->priority);
            }
            m_levels.insert(m_priorities[path]);
        }
        for (Port& port : m_ports)
        {
            std::ranges::sort(port.members, {}, &Member::trafficClass);
            for (const Member& member : port.members)
            {
                port.reserved += IsHard(member) ? *member.rule->limit : T{0};
            }
        }
    }

    static bool IsHard(const Member& member)
    {
        return member.rule->hard && member.rule->limit;
    }

    /// @brief A step that is no step but rounding.
    static T GetLeastStep()
    {
        return std::is_floating_point_v<T> ? static_cast<T>(1e-6) : T{0};
    }

    /// @brief True if a rate is less than another by more than rounding.
    static bool IsLess(const T& a, const T& b)
    {
        if constexpr (std::is_floating_point_v<T>)
        {
            return a < b * (1 - 1e-9);
        }
        return a < b;
    }

    Member& FindMember(uint32_t port, uint32_t trafficClass)
    {
        auto& members = m_ports.at(port).members;
        const auto found = std::ranges::find(members, trafficClass, &Member::trafficClass);
        if (found != members.end())
        {
            return *found;
        }
        members.push_back({trafficClass, &m_problem.GetRule(port, trafficClass), {}});
        return members.back();
    }

    /// @brief Assign a rate to all paths of a level, once.
    void RunPass(uint32_t priority, bool first)
    {
        m_unassigned = 0;
        m_largestStep = T{0};
        m_steps.assign(m_result.rates.size(), std::nullopt);
        for (Port& port : m_ports)
        {
            port.changed = true;
            for (Member& member : port.members)
            {
                member.added = T{0};
                member.unassignedPaths = static_cast<uint32_t>(
                    std::ranges::count_if(member.paths, [this, priority](uint32_t path) {
                        return m_priorities[path] == priority;
                    }));
            }
        }
        m_priority = priority;
        m_unassigned = static_cast<uint32_t>(std::ranges::count(m_priorities, priority));
        while (m_unassigned > 0)
        {
            AssignBottleneck(first);
        }
        for (Port& port : m_ports)
        {
            for (Member& member : port.members)
            {
                member.used += member.added;
            }
        }
    }

    /// @brief main() of the paper: find_bottleneck(), and its paths get the bottleneck_rate.
    void AssignBottleneck(bool first)
    {
        Port* bottleneck = nullptr;
        for (Port& port : m_ports)
        {
            if (port.changed)
            {
                FindPathRate(port);
            }
            if (port.pathRate && (!bottleneck || IsLess(*port.pathRate, *bottleneck->pathRate)))
            {
                bottleneck = &port;
            }
        }
        const auto number = static_cast<uint32_t>(bottleneck - m_ports.data());
        const T bottleneckRate = *bottleneck->pathRate;
        const std::vector<uint32_t> paths = bottleneck->members[bottleneck->member].paths;
        for (const uint32_t path : paths)
        {
            if (m_priorities[path] == m_priority && !m_steps[path])
            {
                Assign(path, bottleneckRate, number, first);
            }
        }
    }

    /// @brief Find the class of a port whose unassigned paths would get the least: class_rate is
    /// its share of what is unallocated, path_rate a path's part of that.
    void FindPathRate(Port& port)
    {
        port.changed = false;
        port.pathRate.reset();
        const auto number = static_cast<uint32_t>(&port - m_ports.data());
        T free = m_problem.capacities[number]; // p.rate - used_total(p), in the end
        free = port.reserved < free ? T{free - port.reserved} : T{0};
        std::vector<ShareClaim<T>> claims;
        for (const Member& member : port.members)
        {
            if (IsHard(member))
            {
                continue;
            }
            free -= member.used;
            if (member.unassignedPaths == 0)
            {
                free -= member.added;
                continue;
            }
            std::optional<T> limit;
            if (member.rule->limit)
            {
                const T left = *member.rule->limit - member.used;
                limit = left > T{0} ? left : T{0};
            }
            claims.push_back({member.rule->weight, member.rule->priority, limit});
        }
        ShareByPolicy(free > T{0} ? free : T{0}, claims);
        auto claim = claims.begin();
        for (uint32_t i = 0; i < port.members.size(); ++i)
        {
            const Member& member = port.members[i];
            if (member.unassignedPaths == 0)
            {
                continue;
            }
            const T classRate =
                IsHard(member) ? T{*member.rule->limit - member.used} : (claim++)->share;
            const T left = classRate - member.added;
            const T pathRate = left > T{0} ? T{left / member.unassignedPaths} : T{0};
            if (!port.pathRate || IsLess(pathRate, *port.pathRate))
            {
                port.pathRate = pathRate;
                port.member = i;
            }
        }
    }

    /// @brief A path has its rate r(w), for this pass.
    void Assign(uint32_t path, const T& rate, uint32_t bottleneck, bool first)
    {
        m_steps[path] = rate;
        m_result.rates[path] += rate;
        if (m_largestStep < rate)
        {
            m_largestStep = rate;
        }
        if (first || rate > GetLeastStep())
        {
            m_result.bottlenecks[path] = bottleneck;
        }
        --m_unassigned;
        for (const uint32_t port : m_problem.paths[path].ports)
        {
            Member& member = FindMember(port, m_problem.paths[path].trafficClass);
            --member.unassignedPaths;
            member.added += rate;
            m_ports[port].changed = true;
        }
    }

    /// @brief Limit classes where their paths got their rates, and where a hard limit says so.
    void ListLimits()
    {
        for (uint32_t port = 0; port < m_ports.size(); ++port)
        {
            for (const Member& member : m_ports[port].members)
            {
                const bool decides = std::ranges::any_of(member.paths, [this, port](uint32_t path) {
                    return m_result.bottlenecks[path] == port;
                });
                if (IsHard(member) || decides)
                {
                    m_result.limits.push_back({port,
                                               member.trafficClass,
                                               IsHard(member) ? *member.rule->limit : member.used});
                }
            }
        }
    }

    const AllocationProblem<T>& m_problem;               //!< ports, classes and paths
    std::vector<Port> m_ports;                           //!< by index
    std::vector<uint32_t> m_priorities;                  //!< by path: its level
    std::set<uint32_t, std::greater<uint32_t>> m_levels; //!< of priority, the highest first
    AllocationResult<T> m_result;                        //!< so far
    uint32_t m_priority{0};                              //!< level of this pass
    uint32_t m_unassigned{0};                            //!< paths without a rate, in this pass
    std::vector<std::optional<T>> m_steps;               //!< by path: what this pass has added
    T m_largestStep{0};                                  //!< of this pass
};

/**
 * @ingroup nimble
 * @brief The comparison: each port shares its rate among the classes present, blind to all other
 * ports, and limits each of them (Nimble, SOSR 2021, Section 6.3.2).
 * @param problem ports, classes and paths
 * @return limits at all ports; a path has the least that any port grants it
 */
template <class T>
AllocationResult<T>
AllocateLocally(const AllocationProblem<T>& problem)
{
    std::vector<std::map<uint32_t, uint32_t>> present(problem.capacities.size()); // paths by class
    for (const RoutingPath& path : problem.paths)
    {
        for (const uint32_t port : path.ports)
        {
            ++present.at(port)[path.trafficClass];
        }
    }
    AllocationResult<T> result;
    std::map<std::pair<uint32_t, uint32_t>, T> granted; // to a path, by port and class
    for (uint32_t port = 0; port < present.size(); ++port)
    {
        T free = problem.capacities[port];
        std::vector<ShareClaim<T>> claims;
        for (const auto& [trafficClass, paths] : present[port])
        {
            const ShareRule<T>& rule = problem.GetRule(port, trafficClass);
            if (rule.hard && rule.limit)
            {
                free = *rule.limit < free ? T{free - *rule.limit} : T{0};
            }
            else
            {
                claims.push_back({rule.weight, rule.priority, rule.limit});
            }
        }
        ShareByPolicy(free, claims);
        auto claim = claims.begin();
        for (const auto& [trafficClass, paths] : present[port])
        {
            const ShareRule<T>& rule = problem.GetRule(port, trafficClass);
            const T share = rule.hard && rule.limit ? *rule.limit : (claim++)->share;
            result.limits.push_back({port, trafficClass, share});
            granted[{port, trafficClass}] = share / paths;
        }
    }
    for (const RoutingPath& path : problem.paths)
    {
        const auto least = std::ranges::min_element(path.ports, {}, [&](uint32_t port) {
            return granted.at({port, path.trafficClass});
        });
        result.rates.push_back(granted.at({*least, path.trafficClass}));
        result.bottlenecks.push_back(*least);
    }
    return result;
}

} // namespace ns3

#endif /* RATE_ALLOCATION_H */
