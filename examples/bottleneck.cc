/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Bottleneck: long flows share one port (AFQ, Section 4: one port of 40 Gbps).

#include "ns3/jain-index.h"
#include "ns3/number-text.h"
#include "ns3/rates-recorder.h"
#include "ns3/scenario.h"
#include "ns3/simulator.h"
#include "ns3/staggered-workload.h"
#include "ns3/uinteger.h"

#include <numeric>

using namespace ns3;

int
main(int argc, char* argv[])
{
    Scenario scenario("bottleneck", "long flows share one port");
    uint32_t flows = 4;
    DataRate rate("40Gbps");
    Time warmUp = MilliSeconds(1);
    Time duration = MilliSeconds(4);
    scenario.AddOption("flows",
                       "hosts that send, one flow each",
                       flows,
                       MakeUintegerChecker<uint32_t>(1, 9999));
    scenario.AddOption("rate", "rate of every link, unless --topology says otherwise", rate);
    scenario.AddOption("warmUp", "time before goodput is measured", warmUp);
    scenario.AddOption("duration",
                       "time in which goodput is measured",
                       duration,
                       MakeTimeChecker(MicroSeconds(40)));

    return scenario.Main(argc, argv, [&] {
        constexpr int BINS = 40; // of the rates
        const Time end = warmUp + duration;
        // A round trip of 20 us over four links at 40 Gbps, serialisation included.
        scenario.SetDefaultTopology(
            "single-switch:LinkDelay=4846ns,HostRate=" + std::to_string(rate.GetBitRate()) +
            "bps,Hosts=" + std::to_string(flows + 1));
        scenario.BuildNetwork();
        const FabricPort& port = scenario.GetBottleneck(flows, "--flows");
        double before = 0; // bits sent by the shared port when goodput begins to be measured
        Simulator::Schedule(warmUp, [&] { before = scenario.GetSentBits(port); });
        scenario.SetMeasuredTime(warmUp, end);
        const auto rates =
            scenario.Record<RatesRecorder>({{"Bin", SecondsText(duration / BINS) + "s"}});
        const auto workload = CreateObject<StaggeredWorkload>();
        Scenario::SetAttribute(workload, "Flows", UintegerValue(flows), "--flows");
        Scenario::SetAttribute(workload, "Sources", UintegerValue(flows), "--flows");
        workload->SetAttribute("Spacing", TimeValue(MicroSeconds(1)));
        workload->SetAttribute("Hold", TimeValue(end));
        scenario.RunFor(workload, end);

        std::vector<double> goodput;
        for (uint32_t group = 0; group < flows; ++group)
        {
            goodput.push_back(rates->GetRates().Summarize(group, warmUp, end).mean);
        }
        const double sum = std::accumulate(goodput.begin(), goodput.end(), 0.0);
        scenario.Report("goodput_bps", sum);
        const double sent = scenario.GetSentBits(port) - before;
        const DataRate capacity = port.GetDescription().rate;
        scenario.Report("utilisation", sent / duration.GetSeconds() / capacity.GetBitRate());
        scenario.Report("jain_index", JainIndex(goodput));
    });
}
