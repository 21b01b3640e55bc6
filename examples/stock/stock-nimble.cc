/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dumbbell.h"

/**
 * @file
 * @ingroup examples
 * @brief Nimble's meters, or its virtual queues, limit classes in an ns-3 program.
 *
 * TCP may have 50 Mbit/s of a link, and UDP that sends as fast as the link 40. Meters mark the
 * packets of TCP that are beyond (ECN-shaping) and drop those of UDP; virtual queues hold packets
 * back. FqCoDel, for comparison, shares among flows and knows no limits:
 *
 *     stock-nimble --limiter=meters
 *     stock-nimble --limiter=virtual-queues
 *     stock-nimble --limiter=none
 *
 * Packet filters tell classes apart by port. By DSCP it would be a single attribute, but then TCP
 * is not marked: ns-3's sockets send as Not-ECT whatever has a type of service other than 0. See
 * the drops:
 *
 *     stock-nimble --by=dscp
 */

using namespace ns3;

namespace
{

constexpr uint16_t TCP_PORT = 5001; //!< of class 1
constexpr uint16_t UDP_PORT = 9;    //!< of class 2
constexpr uint8_t TOS = 46 << 2;    //!< type of service with DSCP 46

/**
 * @brief Make the helper of the discipline.
 * @param limiter mechanism that limits the classes
 * @param byDscp true if the DSCP tells classes apart, false if the port does
 * @return the helper
 */
TrafficControlHelper
MakeControl(const std::string& limiter, bool byDscp)
{
    TrafficControlHelper control;
    const StringValue classifier(byDscp ? "table:Key=Dscp,Map=\"46=1,*=2\""
                                        : "table:Key=Priority,Map=\"1=1,2=2\"");
    uint16_t handle = 0;
    if (limiter == "meters")
    {
        handle = control.SetRootQueueDisc("ns3::MeteredQueueDisc",
                                          "Meters",
                                          StringValue("logical:Rate=50Mbps; logical:Rate=40Mbps"),
                                          "Classifier",
                                          classifier);
    }
    else if (limiter == "virtual-queues")
    {
        handle = control.SetRootQueueDisc("ns3::ShapedQueueDisc",
                                          "Rates",
                                          StringValue("50Mbps,40Mbps"),
                                          "Inner",
                                          StringValue("step-mark:MaxSize=100kB,MarkThreshold=16kB"),
                                          "Classifier",
                                          classifier);
    }
    else
    {
        control.SetRootQueueDisc("ns3::FqCoDelQueueDisc");
        return control;
    }
    for (const auto& [number, port] : {std::pair{1, TCP_PORT}, std::pair{2, UDP_PORT}})
    {
        if (!byDscp)
        {
            control.AddPacketFilter(handle,
                                    "ns3::Ipv4HeaderFilter",
                                    "Class",
                                    UintegerValue(number),
                                    "DestinationPort",
                                    UintegerValue(port));
        }
    }
    return control;
}

} // namespace

int
main(int argc, char** argv)
{
    std::string limiter = "meters";
    std::string by = "port";
    uint32_t flows = 1;
    DataRate flood("100Mbps");
    Dumbbell::Options options;
    CommandLine cmd(__FILE__);
    cmd.AddValue("limiter", "meters, virtual-queues, or none (FqCoDel)", limiter);
    cmd.AddValue("by", "port, or dscp", by);
    cmd.AddValue("flows", "TCP flows", flows);
    cmd.AddValue("flood", "what UDP sends; 0bps: there is none", flood);
    options.Read(cmd, argc, argv);
    CheckChoice("--limiter", limiter, {"meters", "virtual-queues", "none"});
    CheckChoice("--by", by, {"port", "dscp"});
    CheckCount("--flows", flows, 1, 200);

    auto control = MakeControl(limiter, by == "dscp");
    Dumbbell network(options, control);
    for (uint32_t i = 0; i < flows; ++i)
    {
        network.AddTcp(TCP_PORT, by == "dscp" ? TOS : 0);
    }
    if (flood > DataRate(0))
    {
        network.AddUdp(UDP_PORT, flood);
    }
    network.Run();
    return 0;
}
