/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-connection.h"

#include "lean-transport.h"

#include "ns3/assert.h"
#include "ns3/flow-hash.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint16_t SERVER_PORT = 5001;       //!< that all connections are opened to
constexpr uint8_t TCP_PROTOCOL = 6;          //!< in the 5-tuple
constexpr uint64_t ENDLESS = UINT64_MAX / 4; //!< bytes of a flow that goes on until stopped

} // namespace

LeanTcpConnection::LeanTcpConnection(LeanTransport& transport,
                                     uint32_t source,
                                     uint32_t destination,
                                     uint16_t port)
    : m_transport(transport),
      m_settings(transport.GetSettings()),
      m_source(transport.GetFabric().GetHost(source)),
      m_destination(transport.GetFabric().GetHost(destination)),
      m_dataHash(HashFiveTuple(source, destination, port, SERVER_PORT, TCP_PROTOCOL)),
      m_acknowledgmentHash(HashFiveTuple(destination, source, SERVER_PORT, port, TCP_PROTOCOL)),
      m_controlTos(static_cast<uint8_t>(m_settings.m_dscp << 2)),
      m_sender(*this),
      m_receiver(*this)
{
    // RFC 3168 knows ECT on new data only; DCTCP's networks drop what is not ECT (RFC 8257,
    // section 3.4).
    const uint8_t ect = m_sender.GetState()->m_ectCodePoint;
    m_dataTos = m_controlTos | (m_settings.m_useEcn ? ect : 0);
    if (m_settings.m_dctcp)
    {
        m_controlTos = m_dataTos;
    }
    m_flow = transport.GetFabric().AddEndpoints(&m_receiver, &m_sender);
}

void
LeanTcpConnection::Close()
{
    m_sender.Close();
    m_receiver.Close();
    m_transport.GetFabric().RemoveEndpoints(m_flow);
}

uint32_t
LeanTcpConnection::GetSynSize() const
{
    return LeanTcpHeader::GetSize(
        (m_settings.m_windowScaling ? LeanTcpHeader::WINDOW_SCALE_OPTION : 0) +
        (m_settings.m_sack ? LeanTcpHeader::SACK_PERMITTED_OPTION : 0) +
        (m_settings.m_timestamps ? LeanTcpHeader::TIMESTAMP_OPTION : 0));
}

FabricItem*
LeanTcpConnection::CreateItem(uint8_t kind) const
{
    const bool toSender = kind & FabricItem::TOWARDS_SENDER;
    FabricItem* item = FabricItem::Create();
    item->hash = toSender ? m_acknowledgmentHash : m_dataHash;
    item->flow = m_flow;
    item->source = (toSender ? m_destination : m_source).GetIndex();
    item->destination = (toSender ? m_source : m_destination).GetIndex();
    item->kind = kind;
    item->tos = m_controlTos;
    return item;
}

void
LeanTcpConnection::AddMessage(const FlowRecord& record)
{
    const uint64_t bytes = record.request.bytes ? record.request.bytes : ENDLESS;
    m_unsent = std::min(m_unsent, m_end);
    m_messages.push_back({record, m_end, m_end + bytes, false});
    m_end += bytes;
    m_sender.SetStreamEnd(m_end);
}

FlowRecord
LeanTcpConnection::StopMessage(FlowId flow)
{
    const auto message = std::find_if(m_messages.begin(),
                                      m_messages.end(),
                                      [flow](const Message& m) { return m.record.id == flow; });
    NS_ASSERT(message != m_messages.end());
    FlowRecord record = message->record;
    record.delivered = Simulator::Now();
    record.acknowledged = Simulator::Now();
    // If this message has unsent bytes, those behind have not begun: they move up.
    const uint64_t sent = std::clamp(m_sender.GetNextNew(), message->begin, message->end);
    const uint64_t cut = message->end - sent;
    for (auto behind = message + 1; behind != m_messages.end(); ++behind)
    {
        behind->begin -= cut;
        behind->end -= cut;
    }
    m_messages.erase(message);
    m_end -= cut;
    NoteFirstSent(m_sender.GetNextNew());
    m_sender.SetStreamEnd(m_end);
    return record;
}

void
LeanTcpConnection::NoteFirstSent(uint64_t end)
{
    m_unsent = UINT64_MAX;
    for (Message& message : m_messages)
    {
        if (message.begun)
        {
            continue;
        }
        if (message.begin >= end)
        {
            m_unsent = message.begin;
            return;
        }
        message.begun = true;
        message.record.firstSent = Simulator::Now();
    }
}

void
LeanTcpConnection::HandleDelivered(uint64_t next)
{
    const uint64_t from = m_delivered;
    m_delivered = next;
    if (from == next)
    {
        return;
    }
    std::size_t i = 0;
    while (i < m_messages.size() && m_messages[i].begin < next)
    {
        Message& message = m_messages[i];
        const FlowId flow = message.record.id;
        if (message.end > from)
        {
            const uint64_t bytes = std::min(message.end, next) - std::max(message.begin, from);
            message.record.delivered = Simulator::Now();
            m_transport.HandleDelivered(message.record, static_cast<uint32_t>(bytes));
        }
        if (i < m_messages.size() && m_messages[i].record.id == flow) // else it was stopped
        {
            ++i;
        }
    }
}

void
LeanTcpConnection::HandleAcknowledged(uint64_t head)
{
    while (!m_messages.empty() && m_messages.front().end <= head)
    {
        FlowRecord record = m_messages.front().record;
        m_messages.pop_front();
        record.acknowledged = Simulator::Now();
        m_transport.HandleFinished(*this, record);
    }
}

} // namespace ns3
