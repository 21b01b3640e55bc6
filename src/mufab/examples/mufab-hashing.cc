/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What happens to the uplinks of an aggregation switch when it chooses among them by the hash by
// which the switches below chose it (uFAB, SIGCOMM 2022, Section 2.1 and Figure 3): flows of one
// size, no packets.

#include "ns3/calculation.h"
#include "ns3/hash-family.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string hashes = "same";
    uint32_t flows = 1000000;
    uint32_t lower = 4;
    uint32_t upper = 24;
    Calculation calculation("mufab-hashing", "loads of an aggregation switch's uplinks");
    calculation.AddOption("hashes",
                          "same (both tiers use one hash) or independent (each its own)",
                          hashes);
    calculation.AddOption("flows",
                          "flows that reach the racks' switches",
                          flows,
                          MakeUintegerChecker<uint32_t>(1, 1000000000));
    calculation.AddOption("lower",
                          "aggregation switches that a rack's switch chooses among",
                          lower,
                          MakeUintegerChecker<uint32_t>(1, 1000));
    calculation.AddOption("upper",
                          "uplinks of an aggregation switch",
                          upper,
                          MakeUintegerChecker<uint32_t>(1, 1000));
    return calculation.Main(argc, argv, [&] {
        if (hashes != "same" && hashes != "independent")
        {
            throw InputError("--hashes", hashes, "same or independent");
        }
        std::vector<double> loads(upper);
        for (uint32_t flow = 0; flow < flows; ++flow)
        {
            const uint32_t below = HashKey(flow, 0);
            const uint32_t here = hashes == "same" ? below : HashKey(flow, 1);
            if (below % lower == 0)
            {
                ++loads[here % upper];
            }
        }
        const double most = std::ranges::max(loads);
        const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
        calculation.Report(
            "uplinks_used",
            static_cast<double>(std::ranges::count_if(loads, [](double x) { return x > 0; })));
        calculation.Report("most_over_mean", most * upper / sum);
        calculation.Report("least_over_mean", std::ranges::min(loads) * upper / sum);
    });
}
