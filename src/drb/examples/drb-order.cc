/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The orders in which a server visits bouncing switches (DRB, Section 3.1.2 and Theorem 2): how
// soon a link comes again, and how long a queue gets if all servers of a rack start together.
// Orders are walked through, packet by packet; no network.

#include "ns3/bouncing-queue-model.h"
#include "ns3/calculation.h"
#include "ns3/csv-writer.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace ns3;

namespace
{

/// @brief Takes a name and a number.
using Report = std::function<void(const std::string&, double)>;

/**
 * @brief Walk through an order.
 * @param order the order
 * @param radices up-links of a switch in each layer
 * @return the points of two rounds and a packet, so that the end of a round is among them
 */
std::vector<uint32_t>
Walk(BouncingQueueModel::Order order, const std::vector<uint32_t>& radices)
{
    const uint32_t points =
        std::accumulate(radices.begin(), radices.end(), 1U, std::multiplies<>());
    const auto selector = BouncingQueueModel::CreateSelector(order);
    selector->SetLayers(radices);
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    uint16_t turn = 0;
    std::vector<uint32_t> walk(2 * points + 1);
    std::ranges::generate(walk, [&] { return selector->Choose(turn, *random); });
    return walk;
}

/**
 * @brief Report the distances between visits of a link.
 * @param walk the points, in order
 * @param radices up-links of a switch in each layer
 * @param report takes the numbers
 */
void
ReportDistances(const std::vector<uint32_t>& walk,
                const std::vector<uint32_t>& radices,
                const Report& report)
{
    uint32_t shared = 0; // links that a packet has in common with the one before
    auto behind = static_cast<uint32_t>(walk.size() / 2);
    for (std::size_t layer = 0; layer < radices.size(); ++layer)
    {
        behind /= radices[layer];
        std::vector<std::size_t> last(walk.size(), walk.size()); // visit of a link; none yet
        std::size_t least = walk.size();
        std::size_t most = 0;
        uint32_t run = 1;
        uint32_t longest = 1;
        for (std::size_t i = 0; i < walk.size(); ++i)
        {
            std::size_t& before = last[walk[i] / behind];
            if (before < i)
            {
                least = std::min(least, i - before);
                most = std::max(most, i - before);
            }
            run = before + 1 == i ? run + 1 : 1;
            longest = std::max(longest, run);
            shared += before + 1 == i ? 1 : 0;
            before = i;
        }
        const std::string name = "layer" + std::to_string(layer + 1);
        report(name + "_distance_least_packets", static_cast<double>(least));
        report(name + "_distance_most_packets", static_cast<double>(most));
        report(name + "_run_packets", longest);
    }
    report("links_shared_by_successive_packets", shared);
}

/**
 * @brief The queue of an up-link of a rack whose servers all start at the same switch and send all
 * the time.
 * @param order the order
 * @param ports of a switch
 * @param random source of randomness
 * @param report takes the numbers
 */
void
ReportAligned(BouncingQueueModel::Order order,
              uint32_t ports,
              UniformRandomVariable& random,
              const Report& report)
{
    const uint32_t round = ports * ports / 4;
    // The first slots of a round are another round's last.
    const auto result =
        BouncingQueueModel::Simulate({order, ports, 1, 1, true, round, 4 * round}, 1, random);
    report("aligned_queue_max_packets", result.max);
    report("aligned_queue_mean_packets", result.mean);
    report("aligned_backlog_max_packets", result.max - 1.0); // what a departure leaves behind
}

/**
 * @brief Write order.csv.
 * @param out folder
 * @param walk the points, in order
 */
void
WriteOrder(const std::string& out, const std::vector<uint32_t>& walk)
{
    CsvWriter file(out + "/order.csv", {"packet", "point"});
    for (std::size_t packet = 0; packet < walk.size(); ++packet)
    {
        file.Row(packet, walk[packet]);
    }
    file.Close();
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string scheme = "drb";
    uint32_t ports = 4;
    uint32_t d0 = 0;
    Calculation calculation("drb-order", "walks through an order of bouncing switches");
    calculation.AddOption("scheme", "the order: drb or rrb (or rb, which has none)", scheme);
    calculation.AddOption("ports", "ports of a switch above the racks, n or d1", ports);
    calculation.AddOption("uplinks",
                          "up-links of a rack, d0; 0: a fat-tree's, half of the ports",
                          d0);
    return calculation.Main(argc, argv, [&] {
        const auto order = BouncingQueueModel::ReadOrder("--scheme", scheme);
        if (ports < 4 || ports % 2 != 0 || ports > 100)
        {
            throw InputError("--ports", std::to_string(ports), "an even number from 4 to 100");
        }
        if (d0 > 100)
        {
            throw InputError("--uplinks", std::to_string(d0), "at most 100");
        }
        const auto report = [&calculation](const std::string& name, double value) {
            calculation.Report(name, value);
        };
        const std::vector<uint32_t> radices{d0 == 0 ? ports / 2 : d0, ports / 2};
        const auto walk = Walk(order, radices);
        for (uint32_t i = 0; i < 4; ++i)
        {
            report("visit" + std::to_string(i), walk[i]);
        }
        ReportDistances(walk, radices, report);
        if (d0 == 0)
        {
            auto random = CreateObject<UniformRandomVariable>();
            random->SetStream(2);
            ReportAligned(order, ports, *random, report);
        }
        if (!calculation.GetOutputFolder().empty())
        {
            WriteOrder(calculation.GetOutputFolder(), walk);
        }
    });
}
