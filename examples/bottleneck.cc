/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Bottleneck: long flows share one port (AFQ, Section 4: one port of 40 Gbps).

#include "ns3/input-error.h"
#include "ns3/jain-index.h"
#include "ns3/link-use.h"
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
    uint32_t sources = 0;
    Time spacing = MicroSeconds(1);
    DataRate rate("40Gbps");
    Time warmUp = MilliSeconds(1);
    Time duration = MilliSeconds(4);
    scenario.AddOption("flows", "long flows", flows, MakeUintegerChecker<uint32_t>(1, 100'000));
    scenario.AddOption("sources",
                       "hosts that send, in turn; 0: one for each flow",
                       sources,
                       MakeUintegerChecker<uint32_t>(0, 9999));
    scenario.AddOption("spacing",
                       "time from the start of one flow to that of the next",
                       spacing,
                       MakeTimeChecker(NanoSeconds(1)));
    scenario.AddOption("rate", "rate of every link, unless --topology says otherwise", rate);
    scenario.AddOption("warmUp", "time before goodput is measured", warmUp);
    scenario.AddOption("duration",
                       "time in which goodput is measured",
                       duration,
                       MakeTimeChecker(MicroSeconds(40)));

    return scenario.Main(argc, argv, [&] {
        constexpr int BINS = 40; // of the rates
        constexpr uint32_t MOST_SOURCES = 9999;
        const Time end = warmUp + duration;
        const std::string option = sources > 0 ? "--sources" : "--flows";
        if (sources == 0 && flows > MOST_SOURCES)
        {
            throw InputError("--flows",
                             std::to_string(flows),
                             "at most " + std::to_string(MOST_SOURCES) +
                                 " with a host for each; --sources lets them share hosts");
        }
        const uint32_t hosts = sources > 0 ? sources : flows;
        // A round trip of 20 us over four links at 40 Gbps, serialisation included.
        scenario.SetDefaultTopology(
            "single-switch:LinkDelay=4846ns,HostRate=" + std::to_string(rate.GetBitRate()) +
            "bps,Hosts=" + std::to_string(hosts + 1));
        scenario.BuildNetwork();
        const FabricPort& port = scenario.GetBottleneck(hosts, option);
        const auto& place = port.GetDescription();
        const auto use = LinkUse::Watch(place.node->GetPort(place.index));
        Time before; // the shared link was busy for, when goodput begins to be measured
        Simulator::Schedule(warmUp, [&] { before = use->GetBusyTime(); });
        scenario.SetMeasuredTime(warmUp, end);
        const auto rates =
            scenario.Record<RatesRecorder>({{"Bin", SecondsText(duration / BINS) + "s"}});
        const auto workload = CreateObject<StaggeredWorkload>();
        Scenario::SetAttribute(workload, "Flows", UintegerValue(flows), "--flows");
        Scenario::SetAttribute(workload, "Sources", UintegerValue(hosts), option);
        workload->SetAttribute("Spacing", TimeValue(spacing));
        workload->SetAttribute("Hold", TimeValue(end));
        scenario.RunFor(workload, end);

        std::vector<double> goodput;
        for (uint32_t group = 0; group < flows; ++group)
        {
            goodput.push_back(rates->GetRates().Summarize(group, warmUp, end).mean);
        }
        const double sum = std::accumulate(goodput.begin(), goodput.end(), 0.0);
        scenario.Report("goodput_bps", sum);
        const Time busy = use->GetBusyTime() - before;
        scenario.Report("utilisation", busy.GetSeconds() / duration.GetSeconds());
        scenario.Report("jain_index", JainIndex(goodput));
    });
}
