/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEGMENT_SIZE_H
#define SEGMENT_SIZE_H

#include <cstdint>

namespace ns3
{

/// Least payload of a full segment in bytes (Linux: tcp_min_snd_mss). With one byte per packet, a
/// flow of a megabyte would be a million packets.
constexpr uint32_t LEAST_SEGMENT = 48;

} // namespace ns3

#endif /* SEGMENT_SIZE_H */
