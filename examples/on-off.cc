/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// On-off: senders with flows of one size share one link, with pauses (AFQ, Appendix B, Figure 16).

#include "ns3/input-error.h"
#include "ns3/number-text.h"
#include "ns3/on-off-workload.h"
#include "ns3/scenario.h"

#include <algorithm>
#include <cmath>

using namespace ns3;

namespace
{

/**
 * @brief Refuse a number that is too small.
 * @param option the option, with dashes
 * @param value what the user gave
 * @param least the least that is allowed
 * @throws InputError if it is less, or no number
 */
void
CheckLeast(const std::string& option, double value, double least)
{
    if (!(value >= least))
    {
        throw InputError(option, NumberText(value), "at least " + NumberText(least));
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario("on-off", "on-off senders share one link");
    uint32_t flows = 16;
    double bytes = 100'000;
    double off = 0.5;
    DataRate rate("10Gbps");
    Time least = MilliSeconds(250);
    double cycles = 20;
    scenario.AddOption("flows", "hosts that send, a flow each at a time", flows);
    scenario.AddOption("bytes", "size of every flow in bytes", bytes);
    scenario.AddOption("off", "mean pause is avgFCT off / (1 + off), see avgFCT below", off);
    scenario.AddOption("rate", "rate of every link; avgFCT is 8 bytes flows / rate", rate);
    scenario.AddOption("least", "flows are measured for at least so long", least);
    scenario.AddOption("cycles", "and for at least so many avgFCT, after a quarter of it", cycles);

    return scenario.Main(argc, argv, [&] {
        CheckLeast("--flows", flows, 1);
        CheckLeast("--bytes", bytes, 1);
        CheckLeast("--off", off, 0);
        CheckLeast("--cycles", cycles, 0);
        // A round trip of 25 us with a packet of 1500 B there and one of 40 B back over two links.
        scenario.SetDefaultTopology(
            "single-switch:LinkDelay=5634ns,HostRate=" + std::to_string(rate.GetBitRate()) +
            "bps,Hosts=" + std::to_string(flows + 1));
        scenario.BuildNetwork();
        const Time average = Seconds(8 * bytes * flows / rate.GetBitRate());
        const Time duration = std::max(least, cycles * average);
        const Time warmUp = duration / 4;
        const Time end = warmUp + duration;
        const auto workload = CreateObject<OnOffWorkload>();
        workload->SetSizes("fixed:Bytes=" + std::to_string(std::llround(bytes)));
        workload->SetAttribute("Stop", TimeValue(end));
        workload->SetAttribute("Jitter", TimeValue(average)); // senders are not in step
        Scenario::SetAttribute(workload,
                               "ThinkTime",
                               TimeValue(average * (off / (1 + off))),
                               "--off");
        scenario.SetMeasuredTime(warmUp, end);
        scenario.Record("flows");
        scenario.RunFlows(workload, end + Seconds(10));
    });
}
