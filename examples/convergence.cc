/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Convergence: long flows join and leave one link (AFQ, Appendix B, Figure 14).

#include "ns3/scenario.h"
#include "ns3/staggered-workload.h"
#include "ns3/uinteger.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    Scenario scenario("convergence", "long flows join and leave one link, one after the other");
    uint32_t flows = 5;
    uint32_t sources = 1;
    Time spacing = Seconds(1);
    Time jitter;
    scenario.AddOption("flows",
                       "number of flows",
                       flows,
                       MakeUintegerChecker<uint32_t>(1, 100'000));
    scenario.AddOption("sources",
                       "hosts that send, in turn",
                       sources,
                       MakeUintegerChecker<uint32_t>(1, 9999));
    scenario.AddOption("spacing",
                       "time from start to start, and from stop to stop",
                       spacing,
                       MakeTimeChecker(NanoSeconds(1)));
    scenario.AddOption("jitter", "flows start later by up to so long, at random", jitter);

    return scenario.Main(argc, argv, [&] {
        // Sending hosts have faster links, so that the queue forms in the switch and not in them.
        scenario.SetDefaultTopology("dumbbell:Right=1,LeftRate=40Gbps,BottleneckRate=10Gbps,"
                                    "RightRate=40Gbps,Left=" +
                                    std::to_string(sources));
        scenario.BuildNetwork();
        scenario.Record("rates", {{"Bin", "10ms"}});
        const auto workload = CreateObject<StaggeredWorkload>();
        Scenario::SetAttribute(workload, "Flows", UintegerValue(flows), "--flows");
        Scenario::SetAttribute(workload, "Sources", UintegerValue(sources), "--sources");
        Scenario::SetAttribute(workload, "Spacing", TimeValue(spacing), "--spacing");
        workload->SetAttribute("Jitter", TimeValue(jitter));
        workload->Prepare(scenario.GetHosts());
        scenario.RunFor(workload, workload->GetEnd());
    });
}
