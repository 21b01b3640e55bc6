/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "global-share.h"

#include "rate-allocation.h"

#include <cmath>

namespace ns3
{

namespace
{

using Problem = AllocationProblem<double>;

/**
 * @brief Sum up what the paths of each class have.
 * @param problem has the paths
 * @param rates of the paths
 * @return totals by class
 */
std::vector<double>
SumByClass(const Problem& problem, const std::vector<double>& rates)
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
GetTargets(const std::vector<ShareRule<double>>& classes, const std::vector<double>& totals)
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

GlobalShare::Outcome
GlobalShare::Allocate(Problem problem)
{
    const auto policy = problem.classes;
    const auto localPolicy = problem.local;
    std::vector<double> factors(policy.size(), 1);
    Outcome outcome;
    for (uint32_t round = 0; round < MOST_ROUNDS; ++round)
    {
        outcome.result = RateAllocation<double>::Allocate(problem);
        const auto totals = SumByClass(problem, outcome.result.rates);
        const auto targets = GetTargets(policy, totals);
        bool reached = true;
        bool stalled = !outcome.totals.empty();
        for (std::size_t i = 0; i < totals.size(); ++i)
        {
            reached = reached && std::abs(totals[i] - targets[i]) <= TOLERANCE * targets[i];
            stalled = stalled && std::abs(totals[i] - outcome.totals.back()[i]) <=
                                     TOLERANCE / 1000 * targets[i];
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
