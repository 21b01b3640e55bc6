/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bench-case.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <malloc.h>
#include <sys/resource.h>

namespace ns3
{

uint32_t
Scale::Packets(uint32_t count) const
{
    return static_cast<uint32_t>(std::max(20.0, count * m_factor));
}

Time
Scale::Duration(double microseconds) const
{
    return MicroSeconds(static_cast<int64_t>(std::max(200.0, microseconds * m_factor)));
}

uint32_t
GetDestination(uint32_t source, uint32_t hosts)
{
    return (source + hosts / 2 + 7) % hosts;
}

double
GetProcessorSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

std::size_t
GetAllocatedBytes()
{
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void
RunSimulation(Measurement& measurement)
{
    const double start = GetProcessorSeconds();
    Simulator::Run();
    measurement.seconds = GetProcessorSeconds() - start;
    measurement.events = static_cast<double>(Simulator::GetEventCount());
}

Measurement
RunFor(Fabric& fabric, Time duration)
{
    Simulator::Stop(duration);
    Measurement measurement;
    RunSimulation(measurement);
    fabric.ForEachPort([&](const FabricPort& port) { measurement.hops += port.GetTxPackets(); });
    return measurement;
}

} // namespace ns3
