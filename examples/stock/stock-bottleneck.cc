/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/input-error.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <iomanip>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup examples
 * @brief A discipline of the suite in an ns-3 program that knows nothing else of it.
 *
 *     tcp 0 ---+
 *     tcp 1 ---+                      1 Gbit/s, 20 us    +--- sink 0
 *      ...     +--- left --- right ----------------------+     ...
 *     udp   ---+    100 Mbit/s, 1 ms                     +--- sink of udp
 *
 * TCP flows share a link with a UDP flow that sends as fast as the link and heeds nothing. A
 * drop-tail queue leaves the link to UDP; one that queues fairly gives each flow its share:
 *
 *     stock-bottleneck --discipline=ns3::AfqQueueDisc
 *     stock-bottleneck --discipline=ns3::PfifoFastQueueDisc
 *     stock-bottleneck --discipline=ns3::DrrQueueDisc --ns3::DrrQueueDisc::Quantum=3000
 */

using namespace ns3;

NS_LOG_COMPONENT_DEFINE("StockBottleneck");

namespace
{

/** @brief What the command line says. */
struct Arguments
{
    std::string discipline = "ns3::AfqQueueDisc"; //!< TypeId of the bottleneck's queue disc
    uint32_t flows = 4;                           //!< TCP flows
    DataRate rate{"100Mbps"};                     //!< of the bottleneck, and of what UDP sends
    Time duration = Seconds(1.5); //!< simulated time; the first third is not counted
};

/** @brief One flow's two ends. */
struct Flow
{
    std::string name;     //!< what is printed
    Ptr<PacketSink> sink; //!< where it arrives
    uint64_t counted = 0; //!< bytes that had arrived when counting began
};

/**
 * @brief Reads the command line.
 * @param argc number of words
 * @param argv the words
 * @return what it says
 */
Arguments
ReadArguments(int argc, char** argv)
{
    Arguments arguments;
    CommandLine cmd(__FILE__);
    cmd.AddValue("discipline", "TypeId of the queue disc of the bottleneck", arguments.discipline);
    cmd.AddValue("flows", "TCP flows", arguments.flows);
    cmd.AddValue("rate", "rate of the bottleneck", arguments.rate);
    cmd.AddValue("duration", "simulated time", arguments.duration);
    cmd.Parse(argc, argv);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(arguments.discipline, &type) ||
        !type.IsChildOf(QueueDisc::GetTypeId()))
    {
        throw InputError("--discipline", arguments.discipline, "the TypeId of a queue disc");
    }
    if (arguments.flows == 0 || arguments.flows > 200)
    {
        throw InputError("--flows", std::to_string(arguments.flows), "1 to 200");
    }
    if (!arguments.duration.IsStrictlyPositive())
    {
        throw InputError("--duration",
                         std::to_string(arguments.duration.GetSeconds()) + "s",
                         "above 0");
    }
    return arguments;
}

/**
 * @brief The routers and the link between them, where the discipline stands.
 * @param arguments its rate and discipline
 * @return left and right
 */
NodeContainer
MakeBottleneck(const Arguments& arguments)
{
    NodeContainer routers(2);
    InternetStackHelper().Install(routers);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(arguments.rate));
    link.SetChannelAttribute("Delay", StringValue("1ms"));
    // One packet on its way out: all others wait in the discipline, which decides.
    link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
    NetDeviceContainer devices = link.Install(routers);
    TrafficControlHelper control;
    control.SetRootQueueDisc(arguments.discipline);
    control.Install(devices.Get(0));
    Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    return routers;
}

/**
 * @brief Gives a router a host of its own.
 * @param router the router
 * @param network the first three numbers of their network's addresses
 * @return the host, and its address
 */
std::pair<Ptr<Node>, Ipv4Address>
AddHost(Ptr<Node> router, const std::string& network)
{
    auto host = CreateObject<Node>();
    InternetStackHelper().Install(host);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    link.SetChannelAttribute("Delay", StringValue("20us"));
    const NetDeviceContainer devices = link.Install(host, router);
    Ipv4AddressHelper addresses((network + ".0").c_str(), "255.255.255.0");
    return {host, addresses.Assign(devices).GetAddress(0)};
}

/**
 * @brief Adds a flow from a host of its own on the left to one on the right.
 * @param routers left and right
 * @param index its number
 * @param udp what UDP sends; nothing for TCP, which sends all it can
 * @param stop when it ends
 * @return the flow
 */
Flow
AddFlow(const NodeContainer& routers, uint32_t index, std::optional<DataRate> udp, Time stop)
{
    const auto left = AddHost(routers.Get(0), "10.1." + std::to_string(index));
    const auto right = AddHost(routers.Get(1), "10.2." + std::to_string(index));
    const std::string factory = udp ? "ns3::UdpSocketFactory" : "ns3::TcpSocketFactory";
    const InetSocketAddress to(right.second, 9);
    ApplicationContainer sender;
    if (udp)
    {
        OnOffHelper helper(factory, to);
        helper.SetConstantRate(*udp, 1400);
        sender = helper.Install(left.first);
    }
    else
    {
        sender = BulkSendHelper(factory, to).Install(left.first);
    }
    sender.Start(MilliSeconds(index)); // so that they do not move in step
    sender.Stop(stop);
    auto sink = PacketSinkHelper(factory, InetSocketAddress(Ipv4Address::GetAny(), 9))
                    .Install(right.first)
                    .Get(0);
    return {udp ? "udp" : "tcp " + std::to_string(index), DynamicCast<PacketSink>(sink)};
}

/**
 * @brief Simulates and prints what each flow received.
 * @param argc number of words of the command line
 * @param argv the words
 */
void
Run(int argc, char** argv)
{
    const Arguments arguments = ReadArguments(argc, argv);
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    const NodeContainer routers = MakeBottleneck(arguments);
    std::vector<Flow> flows;
    for (uint32_t i = 0; i < arguments.flows; ++i)
    {
        flows.push_back(AddFlow(routers, i, std::nullopt, arguments.duration));
    }
    flows.push_back(AddFlow(routers, arguments.flows, arguments.rate, arguments.duration));
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    const Time start = arguments.duration / 3;
    Simulator::Schedule(start, [&flows] {
        for (auto& flow : flows)
        {
            flow.counted = flow.sink->GetTotalRx();
        }
    });
    Simulator::Stop(arguments.duration);
    Simulator::Run();

    std::cout << std::fixed << std::setprecision(2) << "flow,mbps\n";
    for (const auto& flow : flows)
    {
        const auto bits = 8.0 * static_cast<double>(flow.sink->GetTotalRx() - flow.counted);
        const double seconds = (arguments.duration - start).GetSeconds();
        std::cout << flow.name << "," << bits / seconds / 1e6 << "\n";
    }
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char** argv)
{
    Run(argc, argv);
    return 0;
}
