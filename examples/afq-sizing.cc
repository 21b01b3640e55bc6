/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Sizing: the arithmetic by which AFQ's parameters are chosen (AFQ, Sections 3.2, 5 and 6.3).
// Simulates nothing.

#include "ns3/afq-sizing.h"

#include "ns3/input-error.h"
#include "ns3/output-file.h"
#include "ns3/scenario-options.h"

#include <iostream>

using namespace ns3;

namespace
{

/// @brief What the numbers are computed from.
struct Inputs
{
    DataRate rate{"40Gbps"};            //!< of the link
    Time rtt{MicroSeconds(20)};         //!< average round-trip time
    uint32_t queues{32};                //!< FIFO queues of a port
    uint32_t packet{1500};              //!< full packet in bytes
    AfqSizing::Sketch sketch{2, 16384}; //!< rows and columns
    uint32_t cellBits{32};              //!< of a sketch
};

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
    report("sketch_epsilon", AfqSizing::GetEpsilon(in.sketch.columns));
    report("sketch_delta", AfqSizing::GetDelta(in.sketch.rows));
}

/**
 * @brief Refuse zeros.
 * @param in what the user gave
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
    check("--cellBits", in.cellBits > 0);
}

} // namespace

int
main(int argc, char* argv[])
{
    Inputs in;
    std::string out;
    ScenarioOptions options("afq-sizing", "computes AFQ's bytes per round and size of sketches");
    options.Add("rate", "rate of the link", in.rate);
    options.Add("rtt", "average round-trip time", in.rtt);
    options.Add("queues", "FIFO queues of a port", in.queues);
    options.Add("packet", "full packet in bytes", in.packet);
    options.Add("rows", "rows of the sketch", in.sketch.rows);
    options.Add("columns", "columns of the sketch", in.sketch.columns);
    options.Add("cellBits", "bits of a cell of the sketch", in.cellBits);
    options.Add("out", "folder for run.json; empty: it is not written", out);
    try
    {
        options.Parse(argc, argv);
        Check(in);
        RunManifest manifest("afq-sizing", "");
        manifest.SetCommand(argc, argv);
        Compute(in, [&manifest](const std::string& name, double value) {
            manifest.SetResult(name, value);
            std::cout << name << " = " << value << "\n";
        });
        if (!out.empty())
        {
            PrepareOutputDirectory("--out", out);
            options.Record(manifest);
            manifest.Write(out + "/run.json");
        }
        return 0;
    }
    catch (const InputError& error)
    {
        std::cerr << "afq-sizing: " << error.what() << std::endl;
        return 1;
    }
}
