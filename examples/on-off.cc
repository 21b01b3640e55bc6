/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// On-off: senders with flows of one size share one link, with pauses (AFQ, Appendix B, Figure 16).

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/number-text.h"
#include "ns3/on-off-workload.h"
#include "ns3/scenario.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

using namespace ns3;

constexpr double MAX_FLOW_RATE = 1e9; // flows per second; they do not wait for each other

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
    bool ideal = false;
    scenario.AddOption("flows",
                       "hosts that send, a flow each at a time; with --topology, all but the last",
                       flows,
                       MakeUintegerChecker<uint32_t>(1, 9999));
    scenario.AddOption("bytes",
                       "size of every flow in bytes",
                       bytes,
                       MakeDoubleChecker<double>(1, 1e15));
    scenario.AddOption("off",
                       "mean pause is avgFCT off / (1 + off), see avgFCT below",
                       off,
                       MakeDoubleChecker<double>(0, 1e9));
    scenario.AddOption("rate",
                       "rate of every link, unless --topology says otherwise; avgFCT is 8 bytes "
                       "flows / rate of the link that flows share",
                       rate);
    scenario.AddOption("least",
                       "flows are measured for at least so long",
                       least,
                       MakeTimeChecker(MicroSeconds(1)));
    scenario.AddOption("cycles",
                       "and for at least so many avgFCT, after a quarter of it",
                       cycles,
                       MakeDoubleChecker<double>(0, 1e9));

    scenario.AddOption("ideal",
                       "flows start when they would if all present shared the link equally at any "
                       "instant, the same for every scheme; measured from the first on",
                       ideal);

    return scenario.Main(argc, argv, [&] {
        // A round trip of 25 us with a packet of 1500 B there and one of 40 B back over two links.
        scenario.SetDefaultTopology(
            "single-switch:LinkDelay=5634ns,HostRate=" + std::to_string(rate.GetBitRate()) +
            "bps,Hosts=" + std::to_string(flows + 1));
        const uint32_t senders = scenario.BuildNetwork().GetNHosts() - 1;
        const DataRate shared = scenario.GetBottleneck(senders, "--topology").GetDescription().rate;
        const double fct = 8 * bytes * senders / static_cast<double>(shared.GetBitRate());
        const Time average = CheckedSeconds("--bytes", NumberText(bytes), fct);
        const Time duration =
            std::max(least, CheckedSeconds("--cycles", NumberText(cycles), cycles * fct));
        const Time warmUp = ideal ? Time() : duration / 4;
        const Time end = warmUp + duration;
        Ptr<SizedWorkload> workload = CreateObject<OnOffWorkload>();
        if (ideal)
        {
            if (senders / fct > MAX_FLOW_RATE)
            {
                throw InputError("--bytes",
                                 NumberText(bytes),
                                 "with --ideal the link takes more than 1e9 flows per second of "
                                 "this size");
            }
            // What the largest packets of such flows leave of the link for payload.
            const auto sizes = scenario.GetNetwork()->GetTransports()->Get(0)->GetPacketSizes();
            const double payload = std::min<double>(bytes, sizes.payload);
            const double share = payload / (payload + sizes.header);
            workload = CreateObject<FairOnOffWorkload>();
            workload->SetAttribute(
                "Rate",
                DataRateValue(DataRate(std::llround(share * shared.GetBitRate()))));
        }
        workload->SetSizes(Spec("fixed", {{"Bytes", std::to_string(std::llround(bytes))}}));
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
