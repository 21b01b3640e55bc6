/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The queue model of Digit-Reversal Bouncing (DRB, Section 3.1.3 and Appendix B): how long one
// output queue of a fat-tree is if servers bounce their packets in this order or that. Slots, no
// packets.

#include "ns3/bouncing-network-model.h"
#include "ns3/bouncing-queue-model.h"
#include "ns3/calculation.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <array>
#include <functional>

using namespace ns3;

namespace
{

/**
 * @brief Refuse what the model does not have.
 * @param settings settings of the model
 * @param runs number of runs
 */
void
Check(const BouncingQueueModel::Settings& settings, uint32_t runs)
{
    if (settings.ports < 2 || settings.ports % 2 != 0 || settings.ports > 1000)
    {
        throw InputError("--ports",
                         std::to_string(settings.ports),
                         "an even number from 2 to 1000");
    }
    if (!(settings.load >= 0 && settings.load <= 1))
    {
        throw InputError("--load", std::to_string(settings.load), "from 0 to 1");
    }
    if (settings.hop > 3)
    {
        throw InputError("--hop", std::to_string(settings.hop), "0, 1, 2 or 3");
    }
    if (settings.hop == 0 && (settings.ports < 4 || settings.ports > 64))
    {
        throw InputError("--ports", std::to_string(settings.ports), "4 to 64 with --hop=0");
    }
    if (settings.slots == 0)
    {
        throw InputError("--slots", "0", "must be above 0");
    }
    if (runs == 0)
    {
        throw InputError("--runs", "0", "must be above 0");
    }
}

/// @brief Takes a name and a number.
using Report = std::function<void(const std::string&, double)>;

/**
 * @brief Model one queue.
 * @param settings settings of the model
 * @param runs number of runs
 * @param random source of randomness
 * @param report takes the results
 */
void
ModelQueue(const BouncingQueueModel::Settings& settings,
           uint32_t runs,
           UniformRandomVariable& random,
           const Report& report)
{
    const auto result = BouncingQueueModel::Simulate(settings, runs, random);
    report("queue_mean_packets", result.mean);
    report("queue_variance_packets2", result.variance);
    report("queue_max_packets", result.max);
    if (settings.order == BouncingQueueModel::RANDOM && settings.hop == 1 && settings.load < 1)
    {
        report("queue_exact_mean_packets",
               BouncingQueueModel::GetRandomMean(settings.ports, settings.load));
        report("queue_exact_variance_packets2",
               BouncingQueueModel::GetRandomVariance(settings.ports, settings.load));
    }
}

/**
 * @brief Model all queues of a network.
 * @param settings settings of the model
 * @param runs number of runs
 * @param random source of randomness
 * @param report takes the results
 */
void
ModelNetwork(const BouncingQueueModel::Settings& settings,
             uint32_t runs,
             UniformRandomVariable& random,
             const Report& report)
{
    std::array<BouncingQueueModel::Result, BouncingNetworkModel::HOPS> pooled{};
    for (uint32_t run = 0; run < runs; ++run)
    {
        const auto results = BouncingNetworkModel::Simulate(settings, random);
        for (std::size_t hop = 0; hop < results.size(); ++hop)
        {
            const double mean = results[hop].mean;
            pooled[hop].mean += mean / runs;
            pooled[hop].variance += (results[hop].variance + mean * mean) / runs;
            pooled[hop].max = std::max(pooled[hop].max, results[hop].max);
        }
    }
    double pathMean = 0;
    double pathVariance = 0;
    for (std::size_t hop = 0; hop < pooled.size(); ++hop)
    {
        const std::string name = "queue_hop" + std::to_string(hop + 1);
        const double mean = pooled[hop].mean;
        const double variance = pooled[hop].variance - mean * mean;
        report(name + "_mean_packets", mean);
        report(name + "_variance_packets2", variance);
        report(name + "_max_packets", pooled[hop].max);
        pathMean += mean;
        pathVariance += variance;
    }
    report("queue_path_mean_packets", pathMean); // sums over the hops
    report("queue_path_variance_packets2", pathVariance);
}

} // namespace

int
main(int argc, char* argv[])
{
    BouncingQueueModel::Settings settings;
    std::string scheme = "drb";
    uint32_t runs = 10;
    Calculation calculation("drb-queue-model", "models an output queue of a fat-tree in slots");
    calculation.AddOption("scheme", "how servers choose bouncing switches: drb, rrb, rb", scheme);
    calculation.AddOption("ports", "ports of a switch, n", settings.ports);
    calculation.AddOption("load", "packets that a server generates per slot", settings.load);
    calculation.AddOption(
        "hop",
        "which queue: 1 up from the rack, 2 up to the core, 3 down; 0: all five of a whole network",
        settings.hop);
    calculation.AddOption("aligned",
                          "all servers start at the same bouncing switch",
                          settings.isAligned);
    calculation.AddOption(
        "ordered",
        "packets that come to a queue in one slot are queued in a fixed order; --hop=0",
        settings.isOrdered);
    calculation.AddOption("warmUp",
                          "slots of a run before the queue is looked at",
                          settings.warmUp);
    calculation.AddOption("slots", "slots of a run in which it is looked at", settings.slots);
    calculation.AddOption("runs", "runs, each from an empty network", runs);
    return calculation.Main(argc, argv, [&] {
        settings.order = BouncingQueueModel::ReadOrder("--scheme", scheme);
        Check(settings, runs);
        const auto report = [&calculation](const std::string& name, double value) {
            calculation.Report(name, value);
        };
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        (settings.hop == 0 ? ModelNetwork : ModelQueue)(settings, runs, *random, report);
    });
}
