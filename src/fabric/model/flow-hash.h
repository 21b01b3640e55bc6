/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_HASH_H
#define FLOW_HASH_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Hash of a 5-tuple, the value of FabricItem::hash.
 *
 * Every bit of the result depends on every bit of the 5-tuple, and equal 5-tuples have equal hashes
 * wherever the item was made.
 *
 * @param source sending host
 * @param destination receiving host
 * @param sourcePort transport port at the source
 * @param destinationPort transport port at the destination
 * @param protocol IP protocol number
 * @return the hash
 */
inline uint32_t
HashFiveTuple(uint32_t source,
              uint32_t destination,
              uint16_t sourcePort,
              uint16_t destinationPort,
              uint8_t protocol)
{
    // The finaliser of MurmurHash3 after each half of the tuple.
    const auto mix = [](uint64_t x) {
        x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
        x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
        return x ^ (x >> 33);
    };
    const uint64_t hosts = static_cast<uint64_t>(source) << 32 | destination;
    const uint64_t ports =
        static_cast<uint64_t>(sourcePort) << 24 | destinationPort << 8 | protocol;
    return static_cast<uint32_t>(mix(mix(hosts) + ports));
}

} // namespace ns3

#endif /* FLOW_HASH_H */
