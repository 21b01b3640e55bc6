/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_BUFFER_CHECK_H
#define SHARED_BUFFER_CHECK_H

#include <cstdint>
#include <string>

namespace ns3
{

class PortQueueScheme;

/**
 * @ingroup schemes
 * @brief Refuse memory shared by a switch's ports that leaves none of them room for a full packet,
 * even where nothing else waits.
 * @param scheme has the attributes SharedBuffer and SharedBufferAlpha
 * @param fullPacket size of such a packet, in bytes
 * @param what the error calls it
 * @throws InputError if there is such memory and it is too small
 */
void CheckSharedBuffer(const PortQueueScheme& scheme, uint32_t fullPacket, const std::string& what);

} // namespace ns3

#endif /* SHARED_BUFFER_CHECK_H */
