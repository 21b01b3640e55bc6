/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-receiver.h"

#include "lean-tcp-connection.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_BACK_OFF = 16; //!< doublings of the time-out of a SYN-ACK

} // namespace

LeanTcpReceiver::LeanTcpReceiver(LeanTcpConnection& connection)
    : m_connection(connection),
      m_data(connection.GetSettings().LikeNs3()),
      m_delayed(DirectEvent::Call<&LeanTcpReceiver::Acknowledge>,
                this,
                connection.GetDestination().GetContext(),
                connection.GetSettings().LikeNs3()),
      m_opening(DirectEvent::Call<&LeanTcpReceiver::SendSynAck>,
                this,
                connection.GetDestination().GetContext(),
                connection.GetSettings().LikeNs3()),
      m_window(connection.GetSettings().m_rcvWindow),
      m_pending(connection.GetSettings().m_delAckCount - 1)
{
    if (const auto& settings = connection.GetSettings(); !settings.m_coalesceTime.IsZero())
    {
        m_coalescer =
            std::make_unique<LeanTcpCoalescer>(settings,
                                               DirectEvent::Call<&LeanTcpReceiver::HandUp>,
                                               this,
                                               connection.GetDestination().GetContext());
    }
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
    m_opening.Cancel();
    m_coalescer.reset();
}

void
LeanTcpReceiver::ReceiveItem(FabricItem* item)
{
    const auto& header = item->As<LeanTcpHeader>();
    if (header.flags & LeanTcpHeader::SYN) [[unlikely]]
    {
        HandleSyn(header);
    }
    else
    {
        const bool marked = item->GetEcn() == FabricItem::CE;
        if (!m_established) [[unlikely]]
        {
            Establish();
        }
        if (header.length > 0) [[likely]]
        {
            if (m_coalescer)
            {
                Coalesce(item);
                return;
            }
            HandleData(header, marked);
        }
        else if (marked) // the last part of the handshake
        {
            m_marked = std::max<uint64_t>(m_marked, 1); // it has the number of the first byte
        }
    }
    item->Release();
}

void
LeanTcpReceiver::HandleSyn(const LeanTcpHeader& header)
{
    if (m_established && m_connection.GetSettings().LikeNs3())
    {
        return; // TcpSocketBase takes it for an old one
    }
    m_synTimestamp = header.timestamp;
    SendSynAck();
}

void
LeanTcpReceiver::Establish()
{
    m_established = true;
    m_opening.Cancel();
}

void
LeanTcpReceiver::SendSynAck()
{
    FabricItem* item = m_connection.MakeItem(FabricItem::TOWARDS_SENDER);
    auto& header = item->As<LeanTcpHeader>();
    header.flags = LeanTcpHeader::SYN | LeanTcpHeader::ACK;
    header.acknowledgment = m_data.GetNext();
    header.window =
        std::min(m_window, LeanTcpConnection::MAX_UNSCALED_WINDOW); // RFC 7323: unscaled
    header.timestamp = m_synTimestamp;
    header.sequence = 0;
    header.length = 0;
    header.sackBlocks = 0;
    item->size = static_cast<uint16_t>(m_connection.GetSynSize());
    // A lost SYN-ACK is sent again when the SYN is. TcpSocketBase does so by a timer, too, which
    // SYN-ACKs sent meanwhile leave alone, but for the next time-out.
    const LeanTcpSettings& settings = m_connection.GetSettings();
    if (settings.LikeNs3() && !m_opening.IsPending())
    {
        m_opening.Set(settings.m_connTimeout.GetTimeStep() << std::min(m_synAcks, MAX_BACK_OFF));
    }
    ++m_synAcks;
    m_connection.Send(item);
}

void
LeanTcpReceiver::HandleData(const LeanTcpHeader& header, bool marked)
{
    if (m_connection.GetSettings().LikeNs3() && header.sequence + header.length < m_data.GetNext())
    {
        SendAcknowledgment(false); // outside the window TcpSocketBase looks at nothing else
        return;
    }
    const bool inOrder = TakeIn(header, marked);
    ++m_pending;
    Answer(!inOrder);
}

bool
LeanTcpReceiver::TakeIn(const LeanTcpHeader& header, bool marked)
{
    UpdateEcho(marked && IsValidMark(header), header.flags & LeanTcpHeader::CWR);
    if (header.sequence <= m_acknowledged)
    {
        m_timestamp = header.timestamp; // RFC 7323, section 4.3
    }
    const LeanTcpReassembly::Result result =
        m_data.Add(header.sequence, header.sequence + header.length);
    if (m_connection.GetSettings().m_multipath)
    {
        m_connection.OnMappedData(header);
    }
    return result == LeanTcpReassembly::IN_ORDER;
}

void
LeanTcpReceiver::Answer(bool atOnce)
{
    const LeanTcpSettings& settings = m_connection.GetSettings();
    if (atOnce || m_pending >= settings.m_delAckCount)
    {
        Acknowledge(); // RFC 5681, section 4.2: out of order or filling a gap: at once
    }
    else if (!m_delayed.IsPending())
    {
        m_delayed.Set(settings.m_delAckTimeout.GetTimeStep());
    }
    m_connection.OnDelivered(m_data.GetNext());
}

void
LeanTcpReceiver::Coalesce(FabricItem* item)
{
    if (!m_coalescer->Continues(*item))
    {
        HandUp();
    }
    if (!m_coalescer) [[unlikely]] // what was handed up ended the flow
    {
        item->Release();
    }
    else if (m_coalescer->Add(item))
    {
        HandUp();
    }
}

void
LeanTcpReceiver::HandUp()
{
    ItemFifo items = m_coalescer->TakeAll();
    const uint32_t count = m_connection.GetSettings().m_coalescedCountOnce ? 1 : items.GetPackets();
    bool inOrder = true;
    while (FabricItem* item = items.Pop())
    {
        inOrder &= TakeIn(item->As<LeanTcpHeader>(), item->GetEcn() == FabricItem::CE);
        item->Release();
    }
    m_pending += count; // not before: a change of marks may have brought an acknowledgment
    Answer(!inOrder);
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
LeanTcpReceiver::UpdateEcho(bool marked, bool windowReduced)
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
    SendAcknowledgment(m_echo);
}

void
LeanTcpReceiver::SendAcknowledgment(bool echo)
{
    const LeanTcpSettings& settings = m_connection.GetSettings();
    FabricItem* item = m_connection.MakeItem(FabricItem::TOWARDS_SENDER);
    auto& header = item->As<LeanTcpHeader>();
    header.flags = echo ? LeanTcpHeader::ACK | LeanTcpHeader::ECE : LeanTcpHeader::ACK;
    header.acknowledgment = m_data.GetNext();
    header.window = m_window;
    header.timestamp = m_timestamp;
    header.sequence = 0;
    header.length = 0;
    header.sackBlocks = 0;
    if (settings.m_multipath)
    {
        m_connection.AcknowledgeData(header);
    }
    uint32_t options = (settings.m_timestamps ? LeanTcpHeader::TIMESTAMP_OPTION : 0) +
                       settings.m_acknowledgmentOption;
    if (settings.m_sack)
    {
        m_data.WriteSack(header, LeanTcpHeader::GetSackBlockLimit(options));
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
