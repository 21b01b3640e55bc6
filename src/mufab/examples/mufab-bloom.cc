/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How often a switch takes a new VM pair for one it knows (uFAB, SIGCOMM 2022, Sections 3.6 and
// 4.2): random keys in the Bloom filter of the suite. Simulates nothing.

#include "ns3/bloom-filter.h"
#include "ns3/calculation.h"
#include "ns3/input-error.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    uint32_t bytes = 20480;
    uint32_t hashes = 2;
    uint32_t cellBits = 1;
    uint32_t pairs = 20000;
    uint32_t queries = 200000;
    Calculation calculation("mufab-bloom", "counts false positives of the filter of VM pairs");
    calculation.AddOption("bytes",
                          "memory of the filter",
                          bytes,
                          MakeUintegerChecker<uint32_t>(8, 1 << 28));
    calculation.AddOption("hashes",
                          "hashes, each with a bank of its own",
                          hashes,
                          MakeUintegerChecker<uint32_t>(1, 8));
    calculation.AddOption("cellBits", "bits of a cell: 1, 2, 4 or 8", cellBits);
    calculation.AddOption("pairs",
                          "pairs that join",
                          pairs,
                          MakeUintegerChecker<uint32_t>(1, 10000000));
    calculation.AddOption("queries",
                          "other pairs that are looked for",
                          queries,
                          MakeUintegerChecker<uint32_t>(1, 100000000));
    return calculation.Main(argc, argv, [&] {
        if (cellBits != 1 && cellBits != 2 && cellBits != 4 && cellBits != 8)
        {
            throw InputError("--cellBits", std::to_string(cellBits), "1, 2, 4 or 8");
        }
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        const auto draw = [&random] {
            return static_cast<uint64_t>(random->GetInteger(0, UINT32_MAX)) << 32 |
                   random->GetInteger(0, UINT32_MAX);
        };
        BloomFilter filter(bytes, hashes, cellBits);
        uint32_t omitted = 0;
        for (uint32_t i = 0; i < pairs; ++i)
        {
            omitted += !filter.Add(draw());
        }
        uint32_t found = 0;
        for (uint32_t i = 0; i < queries; ++i)
        {
            found += filter.Contains(draw());
        }
        calculation.Report("false_positive_percent", 100.0 * found / queries);
        calculation.Report("theory_percent", 100 * filter.GetFalsePositiveRate(pairs));
        calculation.Report("fill_percent", 100 * filter.GetFill(0));
        calculation.Report("omitted_pairs", omitted);
        // With tokens alike, Phi and W are too small by as much.
        calculation.Report("omitted_percent", 100.0 * omitted / pairs);
    });
}
