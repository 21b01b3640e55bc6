/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_HEADER_WRITER_H
#define PACKET_PAIR_HEADER_WRITER_H

#include "packet-pair-segment.h"

#include "ns3/packet-maker.h"

namespace ns3
{

/**
 * @ingroup packet-pair
 * @brief Turns packet-pair items into bytes: IPv4, UDP, PacketPairHeader, zeros.
 *
 * For ports where all items without a packet are a PacketPairTransport's.
 */
class PacketPairHeaderWriter : public ItemHeaderWriter
{
  public:
    Ptr<Packet> MakePacket(const FabricItem& item) const override;

    /**
     * @brief The header that stands for an item's.
     * @param segment the item's header
     * @param isAnswer true if the item is an acknowledgment
     * @return the header
     */
    static PacketPairHeader ToHeader(const PacketPairSegment& segment, bool isAnswer);

    /**
     * @brief The item's header that a header stands for; ports and length are not in it.
     * @param header the header
     * @param sequence a sequence number of the flow less than 2 GiB away
     * @param time a point in time less than 2.1 s away
     * @return the item's header
     */
    static PacketPairSegment ToSegment(const PacketPairHeader& header,
                                       uint64_t sequence,
                                       Time time);
};

} // namespace ns3

#endif /* PACKET_PAIR_HEADER_WRITER_H */
