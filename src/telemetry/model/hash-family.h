/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HASH_FAMILY_H
#define HASH_FAMILY_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup telemetry
 * @brief A hash of a flow: one of a family of independent functions.
 *
 * Unlike any function by which switches choose paths: otherwise flows that share a port would share
 * what that port spreads them over, too.
 *
 * @param flow hash of the 5-tuple
 * @param function chooses the function, by its lower 32 bits; as wide as what is hashed, so that a
 * loop over functions adds to that
 * @return 32 well-mixed bits
 */
inline uint32_t
HashFlow(uint32_t flow, uint64_t function)
{
    uint64_t x = (function << 32) + flow + 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
    return static_cast<uint32_t>(x >> 32);
}

/**
 * @ingroup telemetry
 * @brief A hash of a key of 64 bits: one of a family of independent functions.
 * @param key the key
 * @param function chooses the function
 * @return 32 well-mixed bits
 */
inline uint32_t
HashKey(uint64_t key, uint32_t function)
{
    uint64_t x = key + (function + 1) * 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
    return static_cast<uint32_t>(x >> 32);
}

/**
 * @ingroup telemetry
 * @brief Map a hash to one of some buckets, without a division.
 * @param hash 32 well-mixed bits
 * @param buckets number of buckets
 * @return a bucket, less than their number
 */
inline uint32_t
ScaleHash(uint32_t hash, uint32_t buckets)
{
    return static_cast<uint32_t>((static_cast<uint64_t>(hash) * buckets) >> 32);
}

} // namespace ns3

#endif /* HASH_FAMILY_H */
