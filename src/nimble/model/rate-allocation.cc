/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rate-allocation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace ns3
{

const ShareRule&
AllocationProblem::GetRule(uint32_t port, uint32_t trafficClass) const
{
    const auto found = local.find({port, trafficClass});
    return found == local.end() ? classes.at(trafficClass) : found->second;
}

void
ShareByPolicy(double free, std::vector<ShareClaim>& claims)
{
    std::vector<ShareClaim*> left;
    for (ShareClaim& claim : claims)
    {
        left.push_back(&claim);
    }
    while (!left.empty())
    {
        uint32_t top = 0;
        for (const ShareClaim* claim : left)
        {
            top = std::max(top, claim->priority);
        }
        double weights = 0;
        for (const ShareClaim* claim : left)
        {
            weights += claim->priority == top ? claim->weight : 0;
        }
        const double level = weights > 0 ? free / weights : 0;
        const auto isLimited = [&](const ShareClaim* claim) {
            return claim->priority == top && claim->limit && *claim->limit < level * claim->weight;
        };
        const bool anyLimited = std::ranges::any_of(left, isLimited);
        std::vector<ShareClaim*> rest;
        for (ShareClaim* claim : left)
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
        free = std::max(free, 0.0); // rounding
    }
}

namespace
{

constexpr double LEAST_STEP = 1e-6; //!< of a path's rate; a smaller one is rounding

/**
 * @brief True if a rate is less than another by more than rounding.
 * @param a the rate
 * @param b the other
 * @return false if they are as good as equal
 */
bool
IsLess(double a, double b)
{
    return a < b * (1 - 1e-9);
}

/// @brief Algorithm 2, in the paper's words: p is a port, c a class, w a path.
class RateAllocation
{
  public:
    explicit RateAllocation(const AllocationProblem& problem)
        : m_problem(problem),
          m_ports(problem.capacities.size()),
          m_priorities(problem.paths.size(), UINT32_MAX)
    {
        const std::size_t paths = problem.paths.size();
        m_result.rates.assign(paths, 0);
        m_result.bottlenecks.assign(paths, AllocationResult::NOWHERE);
        for (uint32_t w = 0; w < paths; ++w)
        {
            for (const uint32_t p : problem.paths[w].ports)
            {
                PortClass& c = FindClass(p, problem.paths[w].trafficClass);
                c.paths.push_back(w);
                m_priorities[w] = std::min(m_priorities[w], c.rule->priority);
            }
            m_levels.insert(m_priorities[w]);
        }
        for (Port& p : m_ports)
        {
            std::ranges::sort(p.classes, {}, &PortClass::trafficClass);
            for (const PortClass& c : p.classes)
            {
                p.reserved += c.IsHard() ? *c.rule->limit : 0;
            }
        }
    }

    /// @brief Allocate level by level, and again what a run leaves.
    AllocationResult Run(bool workConserving)
    {
        for (const uint32_t priority : m_levels)
        {
            uint32_t passes = 0;
            do
            {
                RunMain(priority, passes == 0);
                ++passes;
            } while (workConserving && m_largestStep > LEAST_STEP &&
                     passes < MOST_ALLOCATION_PASSES);
            m_result.passes = std::max(m_result.passes, passes);
        }
        ListLimits();
        return m_result;
    }

  private:
    /// @brief A class at a port.
    struct PortClass
    {
        uint32_t trafficClass;       //!< index of the class
        const ShareRule* rule;       //!< its policy here
        std::vector<uint32_t> paths; //!< p.paths(c)
        uint32_t unassignedPaths{0}; //!< size of p.unassigned_paths(c), in this pass
        double used{0};              //!< used(p, c), of earlier passes
        double added{0};             //!< the same of this pass

        bool IsHard() const
        {
            return rule->hard && rule->limit;
        }
    };

    /// @brief A port.
    struct Port
    {
        std::vector<PortClass> classes{}; //!< p.classes()
        double reserved{0};               //!< hard limits
        bool changed{true};               //!< true if what follows must be found again
        std::optional<double> pathRate{}; //!< least path_rate; none: all paths have a rate
        uint32_t tightest{0};             //!< index of that class
    };

    PortClass& FindClass(uint32_t port, uint32_t trafficClass)
    {
        auto& classes = m_ports.at(port).classes;
        const auto found = std::ranges::find(classes, trafficClass, &PortClass::trafficClass);
        if (found != classes.end())
        {
            return *found;
        }
        classes.push_back({trafficClass, &m_problem.GetRule(port, trafficClass), {}});
        return classes.back();
    }

    /// @brief main(), for one level: the paths of each bottleneck get its rate, until all have one.
    void RunMain(uint32_t priority, bool first)
    {
        Initialize(priority);
        while (m_unassigned > 0)
        {
            const uint32_t bottleneckPort = FindBottleneck();
            const Port& p = m_ports[bottleneckPort];
            const double bottleneckRate = *p.pathRate;
            for (const uint32_t w : p.classes[p.tightest].paths)
            {
                if (m_priorities[w] == priority && !m_isAssigned[w])
                {
                    Assign(w, bottleneckRate, bottleneckPort, first);
                }
            }
        }
        for (Port& p : m_ports)
        {
            for (PortClass& c : p.classes)
            {
                c.used += c.added;
            }
        }
    }

    /// @brief Take away the rates that the paths of a level had of this pass.
    void Initialize(uint32_t priority)
    {
        m_largestStep = 0;
        m_isAssigned.assign(m_result.rates.size(), false);
        m_unassigned = static_cast<uint32_t>(std::ranges::count(m_priorities, priority));
        for (Port& p : m_ports)
        {
            p.changed = true;
            for (PortClass& c : p.classes)
            {
                c.added = 0;
                c.unassignedPaths = static_cast<uint32_t>(
                    std::ranges::count_if(c.paths, [this, priority](uint32_t w) {
                        return m_priorities[w] == priority;
                    }));
            }
        }
    }

    /// @brief find_bottleneck(): the port whose tightest class has the least path_rate.
    uint32_t FindBottleneck()
    {
        const Port* bottleneck = nullptr;
        for (Port& p : m_ports)
        {
            if (p.changed)
            {
                FindPathRate(p);
            }
            if (p.pathRate && (!bottleneck || IsLess(*p.pathRate, *bottleneck->pathRate)))
            {
                bottleneck = &p;
            }
        }
        return static_cast<uint32_t>(bottleneck - m_ports.data());
    }

    /// @brief Find the tightest class of a port: class_rate is its share of what is unallocated,
    /// path_rate the part of it that an unassigned path has.
    void FindPathRate(Port& p)
    {
        p.changed = false;
        p.pathRate.reset();
        double free =
            m_problem.capacities[&p - m_ports.data()]; // p.rate - used_total(p), in the end
        free = std::max(free - p.reserved, 0.0);
        std::vector<ShareClaim> claims;
        for (const PortClass& c : p.classes)
        {
            if (c.IsHard())
            {
                continue;
            }
            free -= c.used;
            if (c.unassignedPaths == 0)
            {
                free -= c.added;
                continue;
            }
            std::optional<double> limit;
            if (c.rule->limit)
            {
                limit = std::max(*c.rule->limit - c.used, 0.0);
            }
            claims.push_back({c.rule->weight, c.rule->priority, limit});
        }
        ShareByPolicy(std::max(free, 0.0), claims);
        auto claim = claims.begin();
        for (uint32_t i = 0; i < p.classes.size(); ++i)
        {
            const PortClass& c = p.classes[i];
            if (c.unassignedPaths == 0)
            {
                continue;
            }
            const double classRate = c.IsHard() ? *c.rule->limit - c.used : (claim++)->share;
            const double pathRate = std::max(classRate - c.added, 0.0) / c.unassignedPaths;
            if (!p.pathRate || IsLess(pathRate, *p.pathRate))
            {
                p.pathRate = pathRate;
                p.tightest = i;
            }
        }
    }

    /// @brief Give a path its rate r(w), for this pass.
    void Assign(uint32_t w, double rate, uint32_t bottleneckPort, bool first)
    {
        m_isAssigned[w] = true;
        m_result.rates[w] += rate;
        m_largestStep = std::max(m_largestStep, rate);
        if (first || rate > LEAST_STEP)
        {
            m_result.bottlenecks[w] = bottleneckPort;
        }
        --m_unassigned;
        for (const uint32_t p : m_problem.paths[w].ports)
        {
            PortClass& c = FindClass(p, m_problem.paths[w].trafficClass);
            --c.unassignedPaths;
            c.added += rate;
            m_ports[p].changed = true;
        }
    }

    /// @brief Limit classes where their paths got their rates, and where a hard limit says so.
    void ListLimits()
    {
        for (uint32_t p = 0; p < m_ports.size(); ++p)
        {
            for (const PortClass& c : m_ports[p].classes)
            {
                const bool decides = std::ranges::any_of(c.paths, [this, p](uint32_t w) {
                    return m_result.bottlenecks[w] == p;
                });
                if (c.IsHard() || decides)
                {
                    m_result.limits.push_back(
                        {p, c.trafficClass, c.IsHard() ? *c.rule->limit : c.used});
                }
            }
        }
    }

    const AllocationProblem& m_problem;                  //!< ports, classes and paths
    std::vector<Port> m_ports;                           //!< by index
    std::vector<uint32_t> m_priorities;                  //!< by path: its level
    std::set<uint32_t, std::greater<uint32_t>> m_levels; //!< of priority, the highest first
    AllocationResult m_result;                           //!< so far
    std::vector<bool> m_isAssigned;                      //!< by path, in this pass
    uint32_t m_unassigned{0};                            //!< paths without a rate, in this pass
    double m_largestStep{0};                             //!< of this pass
};

} // namespace

AllocationResult
AllocateRates(const AllocationProblem& problem, bool workConserving)
{
    return RateAllocation(problem).Run(workConserving);
}

AllocationResult
AllocatePortRates(const AllocationProblem& problem)
{
    std::vector<std::map<uint32_t, uint32_t>> present(problem.capacities.size()); // paths by class
    for (const RoutingPath& path : problem.paths)
    {
        for (const uint32_t port : path.ports)
        {
            ++present.at(port)[path.trafficClass];
        }
    }
    AllocationResult result;
    std::map<std::pair<uint32_t, uint32_t>, double> granted; // to a path, by port and class
    for (uint32_t port = 0; port < present.size(); ++port)
    {
        double free = problem.capacities[port];
        std::vector<ShareClaim> claims;
        for (const auto& [trafficClass, paths] : present[port])
        {
            const ShareRule& rule = problem.GetRule(port, trafficClass);
            if (rule.hard && rule.limit)
            {
                free = std::max(free - *rule.limit, 0.0);
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
            const ShareRule& rule = problem.GetRule(port, trafficClass);
            const double share = rule.hard && rule.limit ? *rule.limit : (claim++)->share;
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

namespace
{

constexpr uint32_t MOST_ROUNDS = 100;     //!< of Algorithm 2
constexpr double LARGEST_FACTOR = 1024;   //!< of a weight; its inverse is the smallest
constexpr double TOTAL_TOLERANCE = 0.001; //!< of a total, relative to its target

/**
 * @brief Sum up the rates of each class's paths.
 * @param problem has the paths
 * @param rates of the paths
 * @return totals by class
 */
std::vector<double>
SumByClass(const AllocationProblem& problem, const std::vector<double>& rates)
{
    std::vector<double> totals(problem.classes.size());
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        totals[problem.paths[i].trafficClass] += rates[i];
    }
    return totals;
}

/**
 * @brief Rates that the classes should have.
 * @param classes the policy
 * @param totals rates that they have; 0: the class takes no part
 * @return the weighted share of what all classes of the same priority have
 */
std::vector<double>
GetTargets(const std::vector<ShareRule>& classes, const std::vector<double>& totals)
{
    std::map<uint32_t, double> sums; // of totals, by priority
    std::map<uint32_t, double> weights;
    for (std::size_t i = 0; i < classes.size(); ++i)
    {
        if (totals[i] > 0)
        {
            sums[classes[i].priority] += totals[i];
            weights[classes[i].priority] += classes[i].weight;
        }
    }
    std::vector<double> targets(classes.size());
    for (std::size_t i = 0; i < classes.size(); ++i)
    {
        const uint32_t priority = classes[i].priority;
        targets[i] = totals[i] > 0 ? sums[priority] * classes[i].weight / weights[priority] : 0;
    }
    return targets;
}

} // namespace

GlobalShares
AllocateGlobalShares(AllocationProblem problem)
{
    const auto policy = problem.classes;
    const auto localPolicy = problem.local;
    std::vector<double> factors(policy.size(), 1);
    GlobalShares outcome;
    for (uint32_t round = 0; round < MOST_ROUNDS; ++round)
    {
        outcome.result = AllocateRates(problem);
        const auto totals = SumByClass(problem, outcome.result.rates);
        const auto targets = GetTargets(policy, totals);
        bool reached = true;
        bool stalled = !outcome.totals.empty();
        for (std::size_t i = 0; i < totals.size(); ++i)
        {
            reached = reached && std::abs(totals[i] - targets[i]) <= TOTAL_TOLERANCE * targets[i];
            stalled = stalled && std::abs(totals[i] - outcome.totals.back()[i]) <=
                                     TOTAL_TOLERANCE / 1000 * targets[i];
        }
        outcome.totals.push_back(totals);
        if (reached || stalled)
        {
            break;
        }
        for (std::size_t i = 0; i < totals.size(); ++i)
        {
            const double factor = totals[i] > 0 ? factors[i] * targets[i] / totals[i] : 1;
            factors[i] = std::clamp(factor, 1 / LARGEST_FACTOR, LARGEST_FACTOR);
            problem.classes[i].weight = policy[i].weight * factors[i];
        }
        for (auto& [place, rule] : problem.local)
        {
            rule.weight = localPolicy.at(place).weight * factors[place.second];
        }
    }
    return outcome;
}

} // namespace ns3
