/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_COUNTERS_H
#define PORT_COUNTERS_H

#include "ns3/data-rate.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief Counters of a port over a run.
 */
struct PortCounters
{
    std::string port;            //!< name of the port
    std::string role;            //!< name of ports of its kind ("leaf-spine")
    DataRate rate;               //!< rate of its link
    uint64_t txPackets{0};       //!< packets transmitted
    uint64_t txBytes{0};         //!< bytes transmitted
    uint64_t maxQueueBytes{0};   //!< most it ever queued, in bytes
    uint64_t maxQueuePackets{0}; //!< most it ever queued, in packets
    uint64_t queuePackets{0};    //!< packets in the queue at the end
};

/**
 * @ingroup telemetry
 * @brief Writes `port,role,rate_bps,tx_packets,tx_bytes,max_queue_bytes,max_queue_packets,
 * queue_packets`.
 * @param path the file
 * @param ports one row for each, in this order
 * @throws InputError naming --out if the file cannot be written
 */
void WritePortCounters(const std::string& path, const std::vector<PortCounters>& ports);

} // namespace ns3

#endif /* PORT_COUNTERS_H */
