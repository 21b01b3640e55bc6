/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dumbbell.h"

/**
 * @file
 * @ingroup examples
 * @brief Weighted fair queueing (deficit round robin) of two classes in an ns-3 program.
 *
 * TCP, all flows together, has a queue of weight 3 and UDP, which sends as fast as the link, one of
 * weight 1: three quarters of the link for TCP, however few or many flows it is. FqCoDel, for
 * comparison, gives each flow the same:
 *
 *     stock-drr
 *     stock-drr --weights=1,1 --flows=8
 *     stock-drr --discipline=fq-co-del
 */

using namespace ns3;

namespace
{

constexpr uint8_t PROTOCOL_TCP = 6; //!< IP protocol number

/**
 * @brief Make the helper of a queue for TCP and one for all else.
 * @param weights of both
 * @return the helper
 */
TrafficControlHelper
MakeWeights(const std::string& weights)
{
    TrafficControlHelper control;
    const uint16_t handle = control.SetRootQueueDisc("ns3::DrrQueueDisc",
                                                     "Classify",
                                                     StringValue("Priority"),
                                                     "Queues",
                                                     UintegerValue(2),
                                                     "Weights",
                                                     StringValue(weights),
                                                     "MarkThreshold",
                                                     StringValue("30kB"));
    // What no filter matches goes to the last queue.
    control.AddPacketFilter(handle,
                            "ns3::Ipv4HeaderFilter",
                            "Class",
                            UintegerValue(0),
                            "Protocol",
                            UintegerValue(PROTOCOL_TCP));
    return control;
}

} // namespace

int
main(int argc, char** argv)
{
    std::string discipline = "drr";
    std::string weights = "3,1";
    uint32_t flows = 2;
    Dumbbell::Options options;
    CommandLine cmd(__FILE__);
    cmd.AddValue("discipline", "drr, or fq-co-del", discipline);
    cmd.AddValue("weights", "of TCP and of UDP", weights);
    cmd.AddValue("flows", "TCP flows", flows);
    options.Read(cmd, argc, argv);
    CheckChoice("--discipline", discipline, {"drr", "fq-co-del"});
    CheckCount("--flows", flows, 1, 200);

    TrafficControlHelper control = MakeWeights(weights);
    if (discipline == "fq-co-del")
    {
        control = TrafficControlHelper();
        control.SetRootQueueDisc("ns3::FqCoDelQueueDisc");
    }
    Dumbbell network(options, control);
    for (uint32_t i = 0; i < flows; ++i)
    {
        network.AddTcp(5001);
    }
    network.AddUdp(9, options.rate);
    network.Run();
    return 0;
}
