/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Requests: clients fetch responses from servers across AFQ's prototype (AFQ, Section 6.1, Figure
// 7).

#include "ns3/base-rtt.h"
#include "ns3/double.h"
#include "ns3/request-workload.h"
#include "ns3/scenario.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    Scenario scenario("requests", "clients fetch responses from servers");
    Spec sizes = "enterprise:MaxSize=30e6";
    double load = 0.7;
    DataRate capacity("20Gbps");
    Time warmUp = MilliSeconds(200);
    Time duration = Seconds(2);
    Time drain = Seconds(5);
    scenario.AddSizes("sizes", "sizes of responses: a distribution, a law or a CDF file", sizes);
    scenario.AddOption("load", "payload as a share of the capacity towards the clients", load);
    scenario.AddOption("capacity", "capacity of the links towards the clients", capacity);
    scenario.AddOption("warmUp", "responses that start earlier are not measured", warmUp);
    scenario.AddOption("duration",
                       "time after warmUp in which responses start",
                       duration,
                       MakeTimeChecker(NanoSeconds(1)));
    scenario.AddOption("drain", "time after that for responses to finish", drain);

    return scenario.Main(argc, argv, [&] {
        const Time end = warmUp + duration;
        scenario.SetDefaultTopology("afq-testbed");
        const Fabric& fabric = scenario.BuildNetwork();
        const auto workload = CreateObject<RequestWorkload>();
        workload->SetAttribute("Stop", TimeValue(end));
        CreateFlowSizes("--sizes", sizes); // complains under the option's name
        workload->SetSizes(sizes);
        Scenario::SetAttribute(workload, "Load", DoubleValue(load), "--load");
        Scenario::SetAttribute(workload, "Capacity", DataRateValue(capacity), "--capacity");
        // Of a full packet from a server to a client, and its acknowledgment.
        const Time rtt = GetBaseRtt(fabric, fabric.GetNHosts() - 1, 0, 1500, 40);
        scenario.Report("base_rtt_us", rtt.GetSeconds() * 1e6);
        scenario.Report("flow_rate_per_s", workload->GetFlowRate());
        scenario.SetMeasuredTime(warmUp, end);
        scenario.Record("flows");
        scenario.RunFlows(workload, end + drain);
    });
}
