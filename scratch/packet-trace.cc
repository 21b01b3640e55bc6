/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Packets in callbacks: prints what a port sends first, as ns-3's Packet::Print() shows it, and
// counts what the port drops, by the connection that loses it.
//
//   ./repro scratch packet-trace -- --scheme=dctcp
//   ./repro scratch packet-trace -- --scheme=tcp:EdgeBuffer=30kB --packets=3
//
// src/fabric/doc/fabric.rst, "Packets in callbacks", explains it.

#include "ns3/incast-workload.h"
#include "ns3/ipv4-header.h"
#include "ns3/scenario.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <map>

using namespace ns3;

int
main(int argc, char* argv[])
{
    Packet::EnablePrinting(); // before there is any packet
    Scenario scenario("packet-trace", "prints packets of a port and counts those it drops");
    uint32_t toPrint = 10;
    scenario.AddOption("packets", "how many of the packets that are sent to print", toPrint);

    return scenario.Main(argc, argv, [&] {
        scenario.SetDefaultTopology("single-switch:Hosts=5");
        Fabric& fabric = scenario.BuildNetwork();
        FabricPort& port = fabric.GetSwitch(0).GetPort(0); // to host 0

        const PacketMaker packets = scenario.GetNetwork()->MakePacketMaker();
        const auto print = [&](const FabricItem* item, const FabricPort& /* port */) {
            if (toPrint == 0)
            {
                return; // and no packet is made
            }
            --toPrint;
            std::cout << Simulator::Now().As(Time::US) << " ";
            packets.MakePacket(*item)->Print(std::cout);
            std::cout << std::endl;
        };
        port.AddStage(CreateObject<DepartureStage>(print));

        std::map<Ipv4Address, uint32_t> drops; // packets, by who sent them
        const auto count = [&](const FabricItem* item, const char* /* reason */) {
            Ipv4Header ip;
            packets.MakePacket(*item)->PeekHeader(ip);
            ++drops[ip.GetSource()];
        };
        port.GetQueueDisc().TraceConnectWithoutContext(
            "ItemDrop",
            Callback<void, const FabricItem*, const char*>(count));

        const auto workload = CreateObject<IncastWorkload>();
        workload->SetAttribute("Senders", UintegerValue(4));
        scenario.RunFlows(workload, Seconds(1));
        for (const auto& [source, number] : drops)
        {
            std::cout << number << " packets of " << source << " dropped" << std::endl;
        }
    });
}
