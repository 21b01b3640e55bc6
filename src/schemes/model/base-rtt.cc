/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "base-rtt.h"

#include "ns3/fabric.h"

namespace ns3
{

Time
GetBaseRtt(const Fabric& fabric,
           uint32_t source,
           uint32_t destination,
           uint32_t data,
           uint32_t answer)
{
    int64_t rtt = 0;
    for (const FabricPort* port : fabric.GetPath(source, destination))
    {
        rtt += port->GetTransmissionSteps(data) + port->GetTransmissionSteps(answer) +
               2 * port->GetDelaySteps();
    }
    return TimeStep(rtt);
}

} // namespace ns3
