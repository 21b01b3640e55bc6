/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BASE_RTT_H
#define BASE_RTT_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

class Fabric;

/**
 * @ingroup schemes
 * @brief Round-trip time without load: a packet of data there, a short answer back.
 * @param fabric the network, built
 * @param source sending host
 * @param destination receiving host
 * @param data IP datagram of the packet in bytes
 * @param answer IP datagram of the answer in bytes
 * @return the time, on a shortest path; 0 if there is none
 */
Time GetBaseRtt(const Fabric& fabric,
                uint32_t source,
                uint32_t destination,
                uint32_t data,
                uint32_t answer);

} // namespace ns3

#endif /* BASE_RTT_H */
