/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-receiver.h"

#include "lean-tcp-connection.h"

#include <algorithm>

namespace ns3
{

LeanTcpReceiver::LeanTcpReceiver(LeanTcpConnection& connection)
    : m_connection(connection),
      m_data(connection.GetSettings().LikeNs3()),
      m_delayed(DirectEvent::Call<&LeanTcpReceiver::Acknowledge>,
                this,
                connection.GetDestination().GetContext()),
      m_window(connection.GetSettings().m_rcvWindow),
      m_pending(connection.GetSettings().m_delAckCount - 1)
{
    // The first segment is acknowledged at once (m_pending), to set the sender's clock going.
    if (!connection.GetSettings().m_windowScaling)
    {
        m_window = std::min(m_window, LeanTcpConnection::MAX_UNSCALED_WINDOW);
        return;
    }
    uint32_t shift = 0;
    while (m_window >> shift > LeanTcpConnection::MAX_UNSCALED_WINDOW)
    {
        ++shift;
    }
    m_window = m_window >> shift << shift; // what the 16 bits of the field can say
}

void
LeanTcpReceiver::Close()
{
    m_delayed.Cancel();
}

void
LeanTcpReceiver::ReceiveItem(FabricItem* item)
{
    const auto& header = item->As<LeanTcpHeader>();
    if (header.flags & LeanTcpHeader::SYN) [[unlikely]]
    {
        SendSynAck(header.timestamp);
    }
    else if (header.length > 0) [[likely]] // else the last part of the handshake
    {
        HandleData(header, item->GetEcn() == FabricItem::CE);
    }
    item->Release();
}

void
LeanTcpReceiver::SendSynAck(int64_t timestamp)
{
    FabricItem* item = m_connection.CreateItem(FabricItem::TOWARDS_SENDER);
    auto& header = item->As<LeanTcpHeader>();
    header.flags = LeanTcpHeader::SYN | LeanTcpHeader::ACK;
    header.acknowledgment = m_data.GetNext();
    header.window =
        std::min(m_window, LeanTcpConnection::MAX_UNSCALED_WINDOW); // RFC 7323: unscaled
    header.timestamp = timestamp;
    header.sequence = 0;
    header.length = 0;
    header.sackBlocks = 0;
    item->size = static_cast<uint16_t>(m_connection.GetSynSize());
    m_connection.Send(item);
}

void
LeanTcpReceiver::HandleData(const LeanTcpHeader& header, bool marked)
{
    NoteEcn(marked && IsValidMark(header), header.flags & LeanTcpHeader::CWR);
    if (header.sequence <= m_acknowledged)
    {
        m_timestamp = header.timestamp; // RFC 7323, section 4.3
    }
    const LeanTcpReassembly::Result result =
        m_data.Add(header.sequence, header.sequence + header.length);
    const LeanTcpSettings& settings = m_connection.GetSettings();
    if (result != LeanTcpReassembly::IN_ORDER || ++m_pending >= settings.m_delAckCount)
    {
        Acknowledge(); // RFC 5681, section 4.2: out of order or filling a gap: at once
    }
    else if (!m_delayed.IsPending())
    {
        m_delayed.Set(settings.m_delAckTimeout.GetTimeStep());
    }
    m_connection.HandleDelivered(m_data.GetNext());
}

bool
LeanTcpReceiver::IsValidMark(const LeanTcpHeader& header)
{
    // TcpSocketBase takes a mark only from a segment above all marked ones, so not from one that is
    // late or sent again; RFC 3168, section 6.1.3 knows no such rule.
    const bool valid = header.sequence >= m_marked || !m_connection.GetSettings().LikeNs3();
    m_marked = std::max(m_marked, header.sequence + 1);
    return valid;
}

void
LeanTcpReceiver::NoteEcn(bool marked, bool windowReduced)
{
    if (!m_connection.GetSettings().m_echoPerPacket)
    {
        m_echo = marked || (m_echo && !windowReduced);
    }
    else if (marked != m_echo)
    {
        // RFC 8257, section 3.2: what came before is acknowledged first, with the state it had.
        if (m_delayed.IsPending())
        {
            Acknowledge();
        }
        m_echo = marked;
    }
}

void
LeanTcpReceiver::Acknowledge()
{
    const LeanTcpSettings& settings = m_connection.GetSettings();
    FabricItem* item = m_connection.CreateItem(FabricItem::TOWARDS_SENDER);
    auto& header = item->As<LeanTcpHeader>();
    header.flags = m_echo ? LeanTcpHeader::ACK | LeanTcpHeader::ECE : LeanTcpHeader::ACK;
    header.acknowledgment = m_data.GetNext();
    header.window = m_window;
    header.timestamp = m_timestamp;
    header.sequence = 0;
    header.length = 0;
    header.sackBlocks = 0;
    uint32_t options = settings.m_timestamps ? LeanTcpHeader::TIMESTAMP_OPTION : 0;
    if (settings.m_sack)
    {
        m_data.WriteSack(header, settings.m_timestamps ? 3 : LeanTcpHeader::MAX_SACK_BLOCKS);
        options += LeanTcpHeader::GetSackOptionSize(header.sackBlocks);
    }
    item->size = static_cast<uint16_t>(LeanTcpHeader::GetSize(options));
    m_acknowledged = header.acknowledgment;
    m_pending = 0;
    m_delayed.Cancel();
    ++m_connection.GetStatistics().acknowledgments;
    m_connection.Send(item);
}

} // namespace ns3
