/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-header-writer.h"

#include <cstring>

namespace ns3
{

PacketPairHeader
PacketPairHeaderWriter::ToHeader(const PacketPairSegment& segment, bool isAnswer)
{
    PacketPairHeader header;
    const Time time = TimeStep(segment.timestamp);
    if (isAnswer)
    {
        header.SetAcknowledgment(segment.sequence, time, TimeStep(segment.gap), segment.congestion);
        if (segment.blockEnd > 0)
        {
            header.SetBlock(segment.sequence + segment.blockBegin,
                            segment.sequence + segment.blockEnd);
        }
    }
    else
    {
        header.SetData(segment.sequence, time, segment.pair, segment.flags);
    }
    return header;
}

PacketPairSegment
PacketPairHeaderWriter::ToSegment(const PacketPairHeader& header, uint64_t sequence, Time time)
{
    PacketPairSegment segment{};
    segment.sequence = PacketPairHeader::Unwrap(header.GetSequence(), sequence);
    const uint64_t sent = PacketPairHeader::Unwrap(header.GetTimestamp(), time.GetNanoSeconds());
    segment.timestamp = NanoSeconds(sent).GetTimeStep();
    segment.gap = header.GetGap().GetTimeStep();
    if (header.HasBlock())
    {
        segment.blockBegin = header.GetBlockBegin() - header.GetSequence();
        segment.blockEnd = header.GetBlockEnd() - header.GetSequence();
    }
    segment.pair = header.GetPair();
    segment.flags = header.GetFlags();
    segment.congestion = header.HasCongestionEcho();
    return segment;
}

Ptr<Packet>
PacketPairHeaderWriter::MakePacket(const FabricItem& item) const
{
    PacketPairSegment segment;
    std::memcpy(&segment, item.transport, sizeof(segment));
    auto packet = Create<Packet>(segment.length);
    packet->AddHeader(ToHeader(segment, item.kind & FabricItem::TOWARDS_SENDER));
    AddUdpHeader(packet, item, segment.sourcePort, segment.destinationPort);
    return packet;
}

} // namespace ns3
