/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-counters.h"

#include "ns3/csv-writer.h"

namespace ns3
{

void
WritePortCounters(const std::string& path, const std::vector<PortCounters>& ports)
{
    CsvWriter csv(path,
                  {"port",
                   "role",
                   "rate_bps",
                   "tx_packets",
                   "tx_bytes",
                   "max_queue_bytes",
                   "max_queue_packets",
                   "queue_packets"});
    for (const auto& port : ports)
    {
        csv.Row(port.port,
                port.role,
                port.rate.GetBitRate(),
                port.txPackets,
                port.txBytes,
                port.maxQueueBytes,
                port.maxQueuePackets,
                port.queuePackets);
    }
    csv.Close();
}

} // namespace ns3
