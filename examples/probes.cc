/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Probes: how long short flows between two racks take while both racks are busy (DRB, Section 5.2).

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/hot-rack-workload.h"
#include "ns3/probe-workload.h"
#include "ns3/scenario.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;

/**
 * @brief Load of the links up from a rack.
 * @param scenario has run
 * @param host one of the rack's
 * @return share of their capacity, since the beginning
 */
static double
GetRackLoad(const Scenario& scenario, uint32_t host)
{
    const Fabric& fabric = scenario.GetFabric();
    const FabricNode* rack = fabric.GetHost(host).GetNicPort().GetDescription().peer;
    double sent = 0;
    double capacity = 0;
    fabric.ForEachPort([&](const FabricPort& port) {
        const auto& description = port.GetDescription();
        if (description.node == rack && description.peerTier > 0)
        {
            sent += scenario.GetSentBits(port);
            capacity += static_cast<double>(description.rate.GetBitRate());
        }
    });
    return sent / (capacity * Simulator::Now().GetSeconds());
}

int
main(int argc, char* argv[])
{
    Scenario scenario("probes", "short flows between two racks that are busy");
    std::string loads = "0.92,0.9";
    uint32_t outstanding = 0;
    double otherLoad = 0.1;
    Spec sizes = "drb-trace";
    std::string probeSizes = "4096";
    Time interval = MilliSeconds(1);
    Time warmUp = MilliSeconds(20);
    Time duration = MilliSeconds(100);
    Time drain = MilliSeconds(500);
    scenario.AddOption("loads", "payload of each host of racks 0, 1, ..., both ways", loads);
    scenario.AddOption("outstanding",
                       "flows of each such host in each direction at any time; 0: as loads say",
                       outstanding,
                       MakeUintegerChecker<uint32_t>(0, 10'000));
    scenario.AddOption("otherLoad", "payload of the other hosts among themselves", otherLoad);
    scenario.AddSizes("sizes", "sizes of the flows beside the probes", sizes);
    scenario.AddOption("probeSizes", "bytes of the probes, in turn", probeSizes);
    scenario.AddOption("interval", "time from probe to probe", interval);
    scenario.AddOption("warmUp", "time before the first probe", warmUp);
    scenario.AddOption("duration",
                       "time in which probes start",
                       duration,
                       MakeTimeChecker(NanoSeconds(1)));
    scenario.AddOption("drain", "time after that for probes to finish", drain);

    return scenario.Main(argc, argv, [&] {
        const Time end = warmUp + duration;
        scenario.SetDefaultTopology("fat-tree:K=8,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps");
        const Fabric& fabric = scenario.BuildNetwork();
        const uint32_t rackSize = scenario.GetRackSize();
        if (rackSize < 2)
        {
            scenario.RefuseTopology("must have racks of at least 2 hosts");
        }

        const auto background = CreateObject<HotRackWorkload>();
        Scenario::SetAttribute(background, "RackSize", UintegerValue(rackSize), "--topology");
        background->SetAttribute("Loads", StringValue(loads));
        Scenario::SetAttribute(background,
                               "Outstanding",
                               UintegerValue(outstanding),
                               "--outstanding");
        Scenario::SetAttribute(background, "OtherLoad", DoubleValue(otherLoad), "--otherLoad");
        background->SetAttribute(
            "HostRate",
            DataRateValue(fabric.GetHost(0).GetNicPort().GetDescription().rate));
        CreateFlowSizes("--sizes", sizes); // complains under the option's name
        background->SetSizes(sizes);

        const auto probes = CreateObject<ProbeWorkload>();
        probes->SetAttribute("Source", UintegerValue(0));
        probes->SetAttribute("Destination", UintegerValue(rackSize));
        Scenario::SetAttribute(probes, "Interval", TimeValue(interval), "--interval");
        probes->SetAttribute("Sizes", StringValue(probeSizes));
        probes->SetAttribute("Group", UintegerValue(1)); // the background is group 0
        probes->SetAttribute("Start", TimeValue(warmUp));
        probes->SetAttribute("Stop", TimeValue(end));

        scenario.SetMeasuredTime(warmUp, end);
        scenario.Record("flows");
        scenario.StartWorkload(background, Network::WORKLOAD_STREAM + 10);
        scenario.RunFor(probes, end + drain);
        scenario.Report("rack0_load", GetRackLoad(scenario, 0));
        scenario.Report("rack1_load", GetRackLoad(scenario, rackSize));
    });
}
