/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Sizing: the arithmetic by which AFQ's parameters are chosen (AFQ, Sections 3.2, 5 and 6.3).
// Simulates nothing.

#include "ns3/afq-sizing.h"

#include "ns3/calculation.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>

using namespace ns3;

namespace
{

/// @brief Parameters of the computation.
struct Inputs
{
    DataRate rate{"40Gbps"};            //!< of the link
    Time rtt{MicroSeconds(20)};         //!< average round-trip time
    uint32_t queues{32};                //!< FIFO queues of a port
    uint32_t packet{1500};              //!< full packet in bytes
    AfqSizing::Sketch sketch{2, 16384}; //!< rows and columns
    AfqSizing::Sketch small{2, 2048};   //!< rows and columns of a smaller one
    uint32_t cellBits{32};              //!< of a sketch
    uint32_t blockBits{1024 * 112};     //!< of a block of SRAM
    std::string counts{
        "100,100,100"}; //!< of a resource: without AFQ, with it, with the larger sketch
};

/**
 * @brief Read three counts.
 * @param text "187,191,191"
 * @return the counts
 * @throws InputError if these are not three numbers above 0
 */
std::array<double, 3>
ReadCounts(const std::string& text)
{
    std::array<double, 3> counts{};
    std::istringstream stream(text);
    char comma1 = 0;
    char comma2 = 0;
    stream >> counts[0] >> comma1 >> counts[1] >> comma2 >> counts[2];
    if (!stream || comma1 != ',' || comma2 != ',' || stream.peek() != EOF ||
        *std::min_element(counts.begin(), counts.end()) <= 0)
    {
        throw InputError("--counts", text, "three numbers above 0 with commas between them");
    }
    return counts;
}

/**
 * @brief Compute everything.
 * @param in from this
 * @param report takes each number
 */
void
Compute(const Inputs& in, const std::function<void(const std::string&, double)>& report)
{
    const double bytesPerRound = AfqSizing::GetBytesPerRound(in.rate, in.rtt, in.queues);
    const double demand = AfqSizing::GetQueueDemand(in.rate, in.rtt);
    report("bytes_per_round", bytesPerRound);
    report("bytes_per_round_packets", bytesPerRound / in.packet);
    report("queue_demand_bytes", demand);
    report("queue_demand_packets", demand / in.packet);
    report("queue_demand_bdp", demand / (in.rate.GetBitRate() / 8.0 * in.rtt.GetSeconds()));
    report("sketch_memory_bytes", AfqSizing::GetMemory(in.sketch, in.cellBits));
    report("sketch_memory_bits", 8.0 * AfqSizing::GetMemory(in.sketch, in.cellBits));
    const auto blocks = [&in](AfqSizing::Sketch sketch) {
        return 8.0 * AfqSizing::GetMemory(sketch, in.cellBits) / in.blockBits;
    };
    report("sketch_blocks", blocks(in.sketch));
    report("sketch_blocks_difference", blocks(in.sketch) - blocks(in.small));
    const auto [without, with, large] = ReadCounts(in.counts);
    report("increase_percent", 100 * (with / without - 1));
    report("increase_large_percent", 100 * (large / without - 1));
    report("sketch_epsilon", AfqSizing::GetEpsilon(in.sketch.columns));
    report("sketch_delta", AfqSizing::GetDelta(in.sketch.rows));
}

/**
 * @brief Refuse zeros.
 * @param in the user's parameters
 * @throws InputError if one is zero
 */
void
Check(const Inputs& in)
{
    const auto check = [](const std::string& option, bool positive) {
        if (!positive)
        {
            throw InputError(option, "0", "must be above 0");
        }
    };
    check("--rate", in.rate.GetBitRate() > 0);
    check("--rtt", in.rtt.IsStrictlyPositive());
    check("--queues", in.queues > 0);
    check("--packet", in.packet > 0);
    check("--rows", in.sketch.rows > 0);
    check("--columns", in.sketch.columns > 0);
    check("--blockBits", in.blockBits > 0);
    check("--cellBits", in.cellBits > 0);
    ReadCounts(in.counts);
}

} // namespace

int
main(int argc, char* argv[])
{
    Inputs in;
    Calculation calculation("afq-sizing", "computes AFQ's bytes per round and size of sketches");
    calculation.AddOption("rate", "rate of the link", in.rate);
    calculation.AddOption("rtt", "average round-trip time", in.rtt);
    calculation.AddOption("queues", "FIFO queues of a port", in.queues);
    calculation.AddOption("packet", "full packet in bytes", in.packet);
    calculation.AddOption("rows", "rows of the sketch", in.sketch.rows);
    calculation.AddOption("columns", "columns of the sketch", in.sketch.columns);
    calculation.AddOption("smallRows", "rows of a smaller sketch", in.small.rows);
    calculation.AddOption("smallColumns", "columns of a smaller sketch", in.small.columns);
    calculation.AddOption("blockBits", "bits of a block of SRAM", in.blockBits);
    calculation.AddOption("counts",
                          "of a resource: without AFQ, with it, with the larger sketch",
                          in.counts);
    calculation.AddOption("cellBits", "bits of a cell of the sketch", in.cellBits);
    return calculation.Main(argc, argv, [&] {
        Check(in);
        Compute(in, [&calculation](const std::string& name, double value) {
            calculation.Report(name, value);
        });
    });
}
