/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dumbbell.h"

/**
 * @file
 * @ingroup examples
 * @brief A discipline of the suite in an ns-3 program that knows nothing else of it.
 *
 * TCP flows share a link with UDP flows that send as fast as the link and heed nothing. A drop-tail
 * queue leaves the link to UDP; one that queues fairly gives each flow its share:
 *
 *     stock-bottleneck --discipline=ns3::PfifoFastQueueDisc
 *     stock-bottleneck --discipline=ns3::AfqQueueDisc
 *     stock-bottleneck --discipline=ns3::DrrQueueDisc --ns3::DrrQueueDisc::Quantum=3000
 *     stock-bottleneck --discipline=ns3::FqCoDelQueueDisc
 *
 * AFQ never drops what waits, so it needs room for all flows, see the module's page:
 *
 *     stock-bottleneck --flows=16 --floods=4 --tcp=ns3::TcpCubic --buffer=1MB
 */

using namespace ns3;

int
main(int argc, char** argv)
{
    std::string discipline = "ns3::AfqQueueDisc";
    std::string buffer;
    uint32_t flows = 4;
    uint32_t floods = 1;
    Dumbbell::Options options;
    CommandLine cmd(__FILE__);
    cmd.AddValue("discipline", "TypeId of the queue disc of the bottleneck", discipline);
    cmd.AddValue("buffer", "its attribute MaxSize, such as 1MB", buffer);
    cmd.AddValue("flows", "TCP flows", flows);
    cmd.AddValue("floods", "UDP flows that send as fast as the link", floods);
    options.Read(cmd, argc, argv);
    CheckType("--discipline", discipline, QueueDisc::GetTypeId());
    CheckCount("--flows", flows, 1, 200);
    CheckCount("--floods", floods, 0, 50);

    TrafficControlHelper control;
    control.SetRootQueueDisc(discipline);
    if (!buffer.empty() &&
        !Config::SetDefaultFailSafe(discipline + "::MaxSize", StringValue(buffer)))
    {
        throw InputError("--buffer", buffer, "a size such as 1MB, of a discipline with MaxSize");
    }
    Dumbbell network(options, control);
    for (uint32_t i = 0; i < flows; ++i)
    {
        network.AddTcp(5001);
    }
    for (uint32_t i = 0; i < floods; ++i)
    {
        network.AddUdp(9, options.rate);
    }
    network.Run();
    return 0;
}
