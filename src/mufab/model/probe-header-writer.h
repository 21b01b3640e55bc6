/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROBE_HEADER_WRITER_H
#define PROBE_HEADER_WRITER_H

#include "ns3/packet-maker.h"

namespace ns3
{

/**
 * @ingroup mufab
 * @brief Turns probes and responses into bytes (uFAB, Appendix G): an IPv4 header, the source
 * route, a ProbeHeader, zeros up to the item's size.
 *
 * The source route is a byte with the number of switches and a byte for each: the port that it
 * sends the packet to, or 255 for a host of its own. The paper names no protocol number: it is 254
 * here, one of those for experiments (RFC 3692).
 */
class ProbeHeaderWriter : public ItemHeaderWriter
{
  public:
    static constexpr uint8_t IP_PROTOCOL = 254; //!< of probes and responses

    Ptr<Packet> MakePacket(const FabricItem& item) const override;
};

} // namespace ns3

#endif /* PROBE_HEADER_WRITER_H */
