/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Who gets what by which allocation, in the networks of Nimble's (SOSR 2021) Figures 1, 2, 11 and
// 12: links of 100 Gbit/s, unlimited demand. Simulates nothing.

#include "ns3/calculation.h"
#include "ns3/input-error.h"
#include "ns3/rate-allocation.h"

#include <array>
#include <functional>
#include <numeric>

using namespace ns3;

namespace
{

using Report = std::function<void(const std::string&, double)>; //!< takes a name and a number

constexpr double LINK = 100; //!< Gbit/s

/// @brief The three ways to allocate, and what they are called.
const std::vector<std::pair<std::string, std::function<AllocationResult(const AllocationProblem&)>>>
    ALLOCATIONS{{"local", AllocatePortRates},
                {"global", [](const AllocationProblem& problem) { return AllocateRates(problem); }},
                {"share", [](const AllocationProblem& problem) {
                     return AllocateGlobalShares(problem).result;
                 }}};

/**
 * @brief Figure 1: three demands through an up-link on which 75 are allowed.
 * @param report takes the numbers
 */
void
ReportFigure1(const Report& report)
{
    constexpr std::array<double, 3> DEMANDS{10, 20, 50};
    constexpr double ALLOWED = 75;
    double edge = 0;
    for (const double demand : DEMANDS)
    {
        edge += std::min(demand, ALLOWED / DEMANDS.size());
    }
    const double inside = std::min(ALLOWED, std::accumulate(DEMANDS.begin(), DEMANDS.end(), 0.0));
    report("fig1_edge_gbps", edge);
    report("fig1_network_gbps", inside);
    report("fig1_gain", inside / edge);
}

/**
 * @brief Figure 2: red over two branches, blue over three.
 * @param report takes the numbers
 */
void
ReportFigure2(const Report& report)
{
    AllocationProblem problem;
    problem.capacities = {LINK, LINK, LINK};
    problem.classes = {{1}, {1}};
    problem.paths = {{0, {0}}, {0, {1}}, {1, {0}}, {1, {1}}, {1, {2}}};
    for (const auto& [name, allocate] : ALLOCATIONS)
    {
        const auto rates = allocate(problem).rates;
        report("fig2_" + name + "_red_gbps", rates[0] + rates[1]);
        report("fig2_" + name + "_blue_gbps", rates[2] + rates[3] + rates[4]);
        report("fig2_" + name + "_red_shared_gbps", rates[0]);
        report("fig2_" + name + "_blue_shared_gbps", rates[2]);
        report("fig2_" + name + "_blue_alone_gbps", rates[4]);
    }
}

/**
 * @brief Figures 11 and 12: tenant 1, with two paths, goes first; tenants 2 and 3 have weights 2
 * and 3. In each interval other paths meet; see the chapter on Nimble.
 *
 * Ports: 0 and 1 leave the first leaf by either spine, 2 the second leaf; 3 to 6 leave the spines;
 * 7 and 8 lead to the hosts of the second leaf, 9 to that of the third. The others are the hosts'.
 *
 * @param interval 1 to 4
 * @return paths of tenant 1 (two), 2 and 3
 */
AllocationProblem
MakeInterval(int interval)
{
    AllocationProblem problem;
    problem.capacities.assign(14, LINK);
    problem.classes = {{1, 1}, {2, 0}, {3, 0}};
    const std::vector<uint32_t> toHost1{10, 0, 3, 7};
    const std::vector<uint32_t> toHost2{10, 0, 3, 8};
    const std::vector<uint32_t> toLeaf3{10, 0, 4, 9};
    const std::vector<uint32_t> within{12, 7};
    const std::vector<uint32_t> across{11, 1, 5, 7};
    const std::vector<std::vector<std::vector<uint32_t>>> paths{
        {toHost1, toLeaf3, within, across},
        {toHost2, toLeaf3, within, across},
        {toHost1, toHost2, {13, 2, 4, 9}, across},
        {toHost1, toHost2, within, {11, 1, 6, 9}}};
    constexpr std::array<uint32_t, 4> CLASSES{0, 0, 1, 2};
    for (std::size_t i = 0; i < CLASSES.size(); ++i)
    {
        problem.paths.push_back({CLASSES[i], paths.at(interval - 1)[i]});
    }
    return problem;
}

/**
 * @brief Figure 12, in rates of IP packets.
 * @param report takes the numbers
 */
void
ReportFigure12(const Report& report)
{
    double gains = 0;
    constexpr int INTERVALS = 4;
    for (int interval = 1; interval <= INTERVALS; ++interval)
    {
        std::array<double, 2> totals{};
        for (std::size_t i = 0; i < totals.size(); ++i)
        {
            const auto& [name, allocate] = ALLOCATIONS[i];
            const auto rates = allocate(MakeInterval(interval)).rates;
            const std::string place = "fig12_" + name + std::to_string(interval);
            report(place + "_t1_gbps", rates[0] + rates[1]);
            report(place + "_t2_gbps", rates[2]);
            report(place + "_t3_gbps", rates[3]);
            totals[i] = std::accumulate(rates.begin(), rates.end(), 0.0);
        }
        gains += 100 * (totals[1] / totals[0] - 1);
    }
    report("fig12_gain_percent", gains / INTERVALS);
}

} // namespace

int
main(int argc, char* argv[])
{
    Calculation calculation("nimble-shares", "computes rates of classes by three allocations");
    return calculation.Main(argc, argv, [&] {
        const Report report = [&calculation](const std::string& name, double value) {
            calculation.Report(name, value);
        };
        ReportFigure1(report);
        ReportFigure2(report);
        ReportFigure12(report);
    });
}
