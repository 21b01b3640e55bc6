/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-stream.h"

#include "lean-transport.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

void
LeanTcpStream::AddMessage(const FlowRecord& record)
{
    const uint64_t bytes = record.request.bytes ? record.request.bytes : LeanTcpHeader::ENDLESS;
    m_unsent = std::min(m_unsent, m_end);
    m_messages.push_back({record, m_end, m_end + bytes, false});
    m_end += bytes;
    GetSender().SetStreamEnd(m_end);
}

FlowRecord
LeanTcpStream::StopMessage(FlowId flow)
{
    const auto message = std::find_if(m_messages.begin(),
                                      m_messages.end(),
                                      [flow](const Message& m) { return m.record.id == flow; });
    NS_ASSERT(message != m_messages.end());
    FlowRecord record = message->record;
    record.delivered = Simulator::Now();
    record.acknowledged = Simulator::Now();
    // If this message has unsent bytes, those behind have not begun: they move up.
    const uint64_t sent = std::clamp(GetSender().GetNextNew(), message->begin, message->end);
    const uint64_t cut = message->end - sent;
    for (auto behind = message + 1; behind != m_messages.end(); ++behind)
    {
        behind->begin -= cut;
        behind->end -= cut;
    }
    m_messages.erase(message);
    m_end -= cut;
    RecordFirstSent(GetSender().GetNextNew());
    GetSender().SetStreamEnd(m_end);
    return record;
}

void
LeanTcpStream::RecordFirstSent(uint64_t end)
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

inline void
LeanTcpStream::NotifyDelivered(Message& message, uint32_t bytes)
{
    message.record.delivered = TimeStep(DirectEvent::Now());
    m_transport.HandleDelivered(message.record, bytes);
}

void
LeanTcpStream::OnDelivered(uint64_t next)
{
    const uint64_t from = m_delivered;
    m_delivered = next;
    if (from == next)
    {
        return;
    }
    if (!m_messages.empty() && m_messages.front().begin <= from && next <= m_messages.front().end)
    {
        NotifyDelivered(m_messages.front(), static_cast<uint32_t>(next - from)); // as most often
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
            NotifyDelivered(message, static_cast<uint32_t>(bytes));
        }
        if (i < m_messages.size() && m_messages[i].record.id == flow) // else it was stopped
        {
            ++i;
        }
    }
}

void
LeanTcpStream::OnAcknowledged(uint64_t head)
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
