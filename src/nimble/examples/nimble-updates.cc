/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How many limiters a change can concern, and how long it takes to program them all (Nimble, SOSR
// 2021, Section 6.3.3 and Figure 15b): at hosts one per ordered pair, in the network one per class
// and output port of a switch. Draws delays, simulates nothing.

#include "ns3/calculation.h"
#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/topology.h"
#include "ns3/update-delay.h"

#include <algorithm>

using namespace ns3;

namespace
{

/**
 * @brief Time until all limiters are programmed.
 * @param delay of the updates
 * @param limiters number of limiters
 * @param workers that program limiters at the same time, each one after another
 * @return ms
 */
double
GetFinish(UpdateDelay& delay, uint64_t limiters, uint32_t workers)
{
    std::vector<uint32_t> devices;
    for (uint64_t i = 0; i < limiters; ++i)
    {
        devices.push_back(static_cast<uint32_t>(i % workers));
    }
    const auto times = delay.Issue(devices);
    return std::ranges::max_element(times)->GetSeconds() * 1e3;
}

} // namespace

int
main(int argc, char* argv[])
{
    Spec topology = "leaf-spine:Leaves=10,HostsPerLeaf=10,Spines=5";
    std::string delaySpec = "normal";
    uint32_t classes = 2;
    uint32_t edgeClasses = 1;
    uint32_t workers = 90;
    Calculation calculation("nimble-updates", "counts limiters and the time to program them");
    calculation.AddSpecOption<Topology>("topology", "the network", topology);
    calculation.AddOption("classes", "traffic classes whose limiters stand in switches", classes);
    calculation.AddOption("edgeClasses",
                          "traffic classes whose limiters stand at hosts (the paper counts one "
                          "there and two in switches)",
                          edgeClasses);
    calculation.AddOption("workers",
                          "limiters of hosts that are programmed at the same time; those of "
                          "switches one after another",
                          workers);
    calculation.AddOption("delay", "delay of an update, an UpdateDelay", delaySpec);
    return calculation.Main(argc, argv, [&] {
        if (workers == 0)
        {
            throw InputError("--workers", "0", "must be above 0");
        }
        const auto fabric = CreateObject<Fabric>();
        CreateFromSpec<Topology>("--topology", topology)->AddTo(*fabric);
        fabric->Build();
        uint64_t ports = 0;
        fabric->ForEachPort(
            [&ports](const FabricPort& port) { ports += port.GetDescription().tier > 0; });
        const uint64_t hosts = fabric->GetNHosts();
        const uint64_t edge = hosts * (hosts - 1) * edgeClasses;
        const uint64_t network = ports * classes;
        calculation.Report("servers", static_cast<double>(hosts));
        calculation.Report("switch_ports", static_cast<double>(ports));
        calculation.Report("edge_limiters", static_cast<double>(edge));
        calculation.Report("network_limiters", static_cast<double>(network));
        calculation.Report("limiters_ratio",
                           static_cast<double>(edge) / static_cast<double>(network));
        const auto delay = CreateFromSpec<UpdateDelay>("--delay", delaySpec);
        delay->AssignStreams(1);
        const double networkTime = GetFinish(*delay, network, 1);
        const auto edgeDelay = CreateFromSpec<UpdateDelay>("--delay", delaySpec);
        edgeDelay->AssignStreams(2);
        const double edgeTime = GetFinish(*edgeDelay, edge, workers);
        calculation.Report("network_finish_ms", networkTime);
        calculation.Report("edge_finish_ms", edgeTime);
        calculation.Report("finish_ratio", edgeTime / networkTime);
        fabric->Dispose();
    });
}
