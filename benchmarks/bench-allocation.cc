/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bench-case.h"

#include "ns3/random-variable-stream.h"
#include "ns3/rate-allocation.h"

namespace ns3
{

namespace
{

constexpr uint32_t LEAVES = 50;
constexpr uint32_t HOSTS_PER_LEAF = 10;
constexpr uint32_t SPINES = 5;
constexpr uint32_t HOSTS = LEAVES * HOSTS_PER_LEAF;

/**
 * @brief Two classes of equals on the 500 servers of Nimble's Figure 15(b), each server with paths
 * to ten others.
 * @return ports in the order up-links, down-links, those to hosts, hosts' own
 */
AllocationProblem
MakeProblem()
{
    constexpr uint32_t PEERS = 10;
    constexpr uint32_t LINKS = LEAVES * SPINES;
    auto random = CreateObject<UniformRandomVariable>();
    AllocationProblem problem;
    problem.capacities.assign(2 * LINKS + 2 * HOSTS, 100e9);
    problem.classes.assign(2, {1});
    for (uint32_t source = 0; source < HOSTS; ++source)
    {
        for (uint32_t i = 0; i < PEERS; ++i)
        {
            const uint32_t destination = (source + random->GetInteger(1, HOSTS - 1)) % HOSTS;
            const uint32_t spine = random->GetInteger(0, SPINES - 1);
            RoutingPath path{i % 2, {2 * LINKS + HOSTS + source, 2 * LINKS + destination}};
            if (source / HOSTS_PER_LEAF != destination / HOSTS_PER_LEAF)
            {
                path.ports.push_back(source / HOSTS_PER_LEAF * SPINES + spine);
                path.ports.push_back(LINKS + destination / HOSTS_PER_LEAF * SPINES + spine);
            }
            problem.paths.push_back(path);
        }
    }
    return problem;
}

/**
 * @brief Run Algorithm 2 again and again, as a controller does.
 * @param workConserving true to share again what one run leaves
 * @param runs number of runs
 * @return each path counts as a hop
 */
Measurement
RunAllocation(bool workConserving, uint32_t runs)
{
    const auto problem = MakeProblem();
    Measurement measurement;
    const double start = GetProcessorSeconds();
    for (uint32_t i = 0; i < runs; ++i)
    {
        const auto result = AllocateRates(problem, workConserving);
        measurement.hops += static_cast<double>(result.rates.size());
    }
    measurement.seconds = GetProcessorSeconds() - start;
    return measurement;
}

} // namespace

std::vector<Case>
GetAllocationCases(const Scale& scale)
{
    const auto allocate = [scale](bool workConserving) {
        return [=] { return RunAllocation(workConserving, std::max(1U, scale.Packets(20) / 4)); };
    };
    return {
        {"Algorithm 2, 500 servers, as printed (paths)", allocate(false), {}},
        {"Algorithm 2, 500 servers (paths)", allocate(true), {}},
    };
}

} // namespace ns3
