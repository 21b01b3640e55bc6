/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-receiver.h"

#include "packet-pair-connection.h"

#include "ns3/direct-event.h"

namespace ns3
{

PacketPairReceiver::PacketPairReceiver(PacketPairConnection& connection)
    : m_connection(connection)
{
}

void
PacketPairReceiver::ReceiveItem(FabricItem* item)
{
    const PacketPairSegment data = item->As<PacketPairSegment>();
    m_marked |= item->GetEcn() == FabricItem::CE;
    item->Release();
    const auto result = m_data.Add(data.sequence, data.sequence + data.length);
    const bool first = data.flags & PacketPairHeader::FIRST;
    int64_t gap = 0;
    int64_t echo = data.timestamp;
    if (first)
    {
        m_firstArrival = DirectEvent::Now();
        m_firstSent = data.timestamp;
        m_firstEnd = data.sequence + data.length;
        m_firstPair = data.pair;
    }
    else
    {
        gap = MeasureGap(data);
        echo = gap > 0 ? m_firstSent : echo;
    }
    m_awaitsSecond = first;
    // Fig. 13 acknowledges second packets only. Then the loss of a second packet and a single last
    // packet would never be acknowledged, and the sender could not tell a loss by duplicates.
    const bool perPair = m_connection.GetSettings().m_ackPolicy == PacketPairSettings::PER_PAIR;
    if (!perPair || !first || result != LeanTcpReassembly::IN_ORDER)
    {
        Acknowledge(echo, gap);
    }
    m_connection.HandleDelivered(m_data.GetNext());
}

std::optional<ItemSink::Payload>
PacketPairReceiver::GetPayload(FabricItem& item) const
{
    const auto& data = item.As<PacketPairSegment>();
    return Payload{data.sequence, data.length};
}

int64_t
PacketPairReceiver::MeasureGap(const PacketPairSegment& data) const
{
    // Fig. 13 takes any packet for the second one of the pair: after the loss of a first packet the
    // gap would count from a stale time. Retransmissions are sent alone, under numbers of their
    // own.
    if (!m_awaitsSecond || data.pair != m_firstPair || data.sequence != m_firstEnd)
    {
        return 0;
    }
    return m_connection.Perturb(DirectEvent::Now() - m_firstArrival);
}

void
PacketPairReceiver::Acknowledge(int64_t echo, int64_t gap)
{
    FabricItem* item = m_connection.MakeItem(FabricItem::TOWARDS_SENDER);
    auto& answer = item->As<PacketPairSegment>();
    answer.sequence = m_data.GetNext();
    answer.timestamp = echo;
    answer.gap = gap;
    answer.congestion = m_marked;
    answer.length = 0;
    answer.pair = 0;
    answer.flags = 0;
    LeanTcpHeader header{};
    m_data.WriteSack(header, 1);
    const bool hasBlock = header.sackBlocks > 0;
    answer.blockBegin = hasBlock ? header.sack[0].begin : 0;
    answer.blockEnd = hasBlock ? header.sack[0].end : 0;
    item->size = PacketPairSegment::HEADERS + (hasBlock ? PacketPairHeader::BLOCK : 0);
    m_marked = false;
    m_connection.GetDestination().Send(item);
}

} // namespace ns3
