/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dumbbell.h"

/**
 * @file
 * @ingroup examples
 * @brief Trinity's two priorities in an ns-3 program.
 *
 * One TCP flow keeps to its guarantee, 30 Mbit/s, and goes first (Trinity's green packets). All
 * else is in the low queue, which marks beyond 30 kB: TCP that takes what is left, and, with
 * --flood, UDP. FqCoDel, for comparison, gives each flow the same:
 *
 *     stock-trinity
 *     stock-trinity --flood=100Mbps
 *     stock-trinity --flood=100Mbps --discipline=fq-co-del
 *
 * The queue is chosen by a packet filter, so TCP stays ECN-capable in both. By DSCP (attribute
 * DscpMap, no filter), the low queue has to be that of DSCP 0, else TCP in it is not marked:
 *
 *     stock-trinity --by=dscp
 *     stock-trinity --by=dscp --lowDscp=8
 */

using namespace ns3;

namespace
{

constexpr uint16_t HIGH_PORT = 5001;  //!< of what is guaranteed
constexpr uint16_t LOW_PORT = 5002;   //!< of all else
constexpr uint8_t HIGH_TOS = 46 << 2; //!< type of service with DSCP 46, as Trinity has it

/**
 * @brief Make the helper of two priorities, of which the low one marks (Trinity, Section 5).
 * @param byDscp true if the DSCP chooses the queue, false if the port does
 * @return the helper
 */
TrafficControlHelper
MakePriorities(bool byDscp)
{
    TrafficControlHelper control;
    // Limits of their own: a full port drops what comes, however urgent.
    const uint16_t handle = control.SetRootQueueDisc("ns3::StrictPriorityQueueDisc",
                                                     "Queues",
                                                     UintegerValue(2),
                                                     "DscpMap",
                                                     StringValue("46=0,8=1,0=1"),
                                                     "MaxSize",
                                                     StringValue("800kB"),
                                                     "QueueMaxSizes",
                                                     StringValue("400kB"),
                                                     "MarkThresholds",
                                                     StringValue("never,30kB"));
    if (!byDscp)
    {
        // What no filter matches goes to the last queue.
        control.AddPacketFilter(handle,
                                "ns3::Ipv4HeaderFilter",
                                "Class",
                                UintegerValue(0),
                                "DestinationPort",
                                UintegerValue(HIGH_PORT));
    }
    return control;
}

} // namespace

int
main(int argc, char** argv)
{
    std::string discipline = "priorities";
    std::string by = "port";
    uint32_t lowDscp = 0;
    DataRate flood(0);
    Dumbbell::Options options;
    CommandLine cmd(__FILE__);
    cmd.AddValue("discipline", "priorities, or fq-co-del", discipline);
    cmd.AddValue("by", "port, or dscp", by);
    cmd.AddValue("lowDscp", "DSCP of TCP in the low queue with --by=dscp: 0 or 8", lowDscp);
    cmd.AddValue("flood", "what UDP sends to the low queue", flood);
    options.Read(cmd, argc, argv);
    CheckChoice("--discipline", discipline, {"priorities", "fq-co-del"});
    CheckChoice("--by", by, {"port", "dscp"});
    CheckChoice("--lowDscp", std::to_string(lowDscp), {"0", "8"});

    const bool byDscp = by == "dscp";
    TrafficControlHelper control = MakePriorities(byDscp);
    if (discipline == "fq-co-del")
    {
        control = TrafficControlHelper();
        control.SetRootQueueDisc("ns3::FqCoDelQueueDisc");
    }
    Dumbbell network(options, control);
    network.AddPacedTcp(HIGH_PORT, byDscp ? HIGH_TOS : 0, DataRate("30Mbps"));
    for (uint32_t i = 0; i < 2; ++i)
    {
        network.AddTcp(LOW_PORT, byDscp ? static_cast<uint8_t>(lowDscp << 2) : 0);
    }
    if (flood > DataRate(0))
    {
        network.AddUdp(9, flood);
    }
    network.Run();
    return 0;
}
