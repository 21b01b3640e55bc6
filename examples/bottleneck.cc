/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Bottleneck: long flows share one port (AFQ, Section 4: one port of 40 Gbps).

#include "ns3/jain-index.h"
#include "ns3/scenario.h"
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
    Time occupancyInterval;
    scenario.AddOption("flows", "hosts that send, one flow each", flows);
    scenario.AddOption("rate", "rate of every link", rate);
    scenario.AddOption("warmUp", "time before goodput is measured", warmUp);
    scenario.AddOption("duration", "time in which goodput is measured", duration);
    scenario.AddOption("occupancyInterval",
                       "time between snapshots of the packets per flow in queues; 0: none",
                       occupancyInterval);

    return scenario.Main(argc, argv, [&] {
        const Time end = warmUp + duration;
        // A round trip of 20 us over four links at 40 Gbps, serialisation included.
        scenario.SetDefaultTopology(
            "single-switch:LinkDelay=4846ns,HostRate=" + std::to_string(rate.GetBitRate()) +
            "bps,Hosts=" + std::to_string(flows + 1));
        scenario.BuildNetwork();
        const RateRecorder& rates = scenario.RecordRates(duration / 40);
        if (occupancyInterval.IsStrictlyPositive())
        {
            scenario.RecordOccupancy(occupancyInterval, end);
        }
        const auto workload = CreateObject<StaggeredWorkload>();
        Scenario::SetAttribute(workload, "Flows", UintegerValue(flows), "--flows");
        Scenario::SetAttribute(workload, "Sources", UintegerValue(flows), "--flows");
        workload->SetAttribute("Spacing", TimeValue(MicroSeconds(1)));
        workload->SetAttribute("Hold", TimeValue(end));
        scenario.RunFor(workload, end);

        std::vector<double> goodput;
        for (uint32_t group = 0; group < flows; ++group)
        {
            goodput.push_back(rates.Summarize(group, warmUp, end).mean);
        }
        const auto [payload, header, ack] = scenario.GetTransport()->GetPacketSizes();
        const double most = static_cast<double>(rate.GetBitRate()) * payload / (payload + header);
        const double sum = std::accumulate(goodput.begin(), goodput.end(), 0.0);
        scenario.Report("goodput_bps", sum);
        scenario.Report("utilisation", sum / most); // of the link by payload and its headers
        scenario.Report("jain_index", JainIndex(goodput));
    });
}
