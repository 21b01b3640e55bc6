/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How many limiters a change can concern, and how long it takes to program them all (Nimble, SOSR
// 2021, Section 6.3.3 and Figure 15b): at hosts one per ordered pair and class, in the network one
// per class and output port of a switch. Both are programmed by the same model. Draws delays,
// simulates nothing.

#include "ns3/calculation.h"
#include "ns3/fabric.h"
#include "ns3/object-spec.h"
#include "ns3/topology.h"
#include "ns3/update-delay.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Time until all limiters are programmed.
 * @param spec of the delay of an update
 * @param stream of its draws
 * @param devices the host or switch of each limiter
 * @return ms
 */
double
GetFinish(const std::string& spec, int64_t stream, const std::vector<uint32_t>& devices)
{
    const auto delay = CreateFromSpec<UpdateDelay>("--delay", spec);
    delay->AssignStreams(stream);
    const auto times = delay->Issue(devices);
    return times.empty() ? 0 : std::ranges::max(times).GetSeconds() * 1e3;
}

} // namespace

int
main(int argc, char* argv[])
{
    Spec topology = "leaf-spine:Leaves=10,HostsPerLeaf=10,Spines=5";
    std::string delaySpec = "normal";
    uint32_t classes = 2;
    uint32_t edgeClasses = 1;
    Calculation calculation("nimble-updates", "counts limiters and the time to program them");
    calculation.AddSpecOption<Topology>("topology", "the network", topology);
    calculation.AddOption("classes", "traffic classes whose limiters stand in switches", classes);
    calculation.AddOption("edgeClasses",
                          "traffic classes whose limiters stand at hosts (the paper counts one "
                          "there and two in switches)",
                          edgeClasses);
    calculation.AddOption("delay", "delay of an update, an UpdateDelay", delaySpec);
    return calculation.Main(argc, argv, [&] {
        const auto fabric = CreateObject<Fabric>();
        CreateFromSpec<Topology>("--topology", topology)->AddTo(*fabric);
        fabric->Build();
        const uint32_t hosts = fabric->GetNHosts();
        std::vector<uint32_t> edge;
        for (uint32_t host = 0; host < hosts; ++host)
        {
            edge.insert(edge.end(), (hosts - 1) * edgeClasses, host);
        }
        uint32_t ports = 0;
        std::map<const FabricNode*, uint32_t> switches;
        std::vector<uint32_t> network;
        fabric->ForEachPort([&](const FabricPort& port) {
            const FabricPort::Description& d = port.GetDescription();
            if (d.tier > 0)
            {
                ++ports;
                const auto number = static_cast<uint32_t>(switches.size());
                const uint32_t device = switches.try_emplace(d.node, number).first->second;
                network.insert(network.end(), classes, device);
            }
        });
        const double networkFinish = GetFinish(delaySpec, 1, network);
        const double edgeFinish = GetFinish(delaySpec, 2, edge);
        calculation.Report("servers", hosts);
        calculation.Report("switch_ports", ports);
        calculation.Report("edge_limiters", static_cast<double>(edge.size()));
        calculation.Report("network_limiters", static_cast<double>(network.size()));
        calculation.Report("limiters_ratio",
                           static_cast<double>(edge.size()) / static_cast<double>(network.size()));
        calculation.Report("network_finish_ms", networkFinish);
        calculation.Report("edge_finish_ms", edgeFinish);
        calculation.Report("finish_ratio", edgeFinish / networkFinish);
        fabric->Dispose();
    });
}
