/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_SEGMENT_H
#define PACKET_PAIR_SEGMENT_H

#include "ns3/packet-pair-header.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup packet-pair
 * @brief UDP and packet-pair header of an item, in FabricItem::transport.
 *
 * PacketPairHeader says what it is in bytes. Here numbers have 64 bits and never wrap; times are in
 * time steps.
 */
struct PacketPairSegment
{
    static constexpr uint32_t HEADERS = PacketPairHeader::TOTAL; //!< bytes, IP and UDP included

    uint64_t sequence;        //!< data: first byte of payload; answer: next byte expected
    int64_t timestamp;        //!< data: when it was sent; answer: such a time, echoed
    int64_t gap;              //!< answer: between the packets of a pair; 0: not measured
    uint32_t pair;            //!< data: number of the pair
    uint32_t blockBegin;      //!< answer: latest block above a gap, from #sequence on
    uint32_t blockEnd;        //!< answer: first byte behind it, from #sequence on; 0: no block
    uint16_t length;          //!< data: payload in bytes
    uint16_t sourcePort;      //!< of UDP
    uint16_t destinationPort; //!< of UDP
    uint8_t flags;            //!< data: PacketPairHeader::Flag
    bool congestion;          //!< answer: the data was marked
};

static_assert(sizeof(PacketPairSegment) <= 64);

} // namespace ns3

#endif /* PACKET_PAIR_SEGMENT_H */
