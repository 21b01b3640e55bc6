/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "probe-header.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ProbeHeader);

TypeId
ProbeHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ProbeHeader")
                            .SetParent<Header>()
                            .SetGroupName("Telemetry")
                            .AddConstructor<ProbeHeader>();
    return tid;
}

TypeId
ProbeHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

ProbeHeader::ProbeHeader() = default;

ProbeHeader::ProbeHeader(const IntStack& stack)
    : m_type(stack.type),
      m_hops(stack.hops),
      m_room(stack.room),
      m_tokens(stack.tokens)
{
    std::copy_n(stack.records.begin(), m_room, m_records.begin());
}

IntStack
ProbeHeader::GetStack() const
{
    NS_ASSERT_MSG(m_room <= IntStack::MAX_HOPS, "the path is too long for an item");
    IntStack stack{m_tokens, m_type, m_hops, m_room};
    std::copy_n(m_records.begin(), m_room, stack.records.begin());
    return stack;
}

void
ProbeHeader::SetTokenBits(uint32_t bits)
{
    NS_ASSERT(bits == 16 || bits == 24);
    m_tokenBytes = bits / 8;
}

void
ProbeHeader::SetType(Type type)
{
    m_type = type;
}

ProbeHeader::Type
ProbeHeader::GetType() const
{
    return static_cast<Type>(m_type);
}

void
ProbeHeader::SetTokens(uint32_t tokens)
{
    m_tokens = tokens;
}

uint32_t
ProbeHeader::GetTokens() const
{
    return m_tokens;
}

void
ProbeHeader::SetRoom(uint32_t hops, uint16_t window)
{
    NS_ASSERT(hops <= MAX_HOPS);
    m_room = static_cast<uint8_t>(hops);
    m_hops = 0;
    std::fill_n(m_records.begin(), hops, IntRecord{.window = window});
}

void
ProbeHeader::SetWindow(uint32_t hop, uint16_t window)
{
    NS_ASSERT(hop < m_room);
    m_records[hop].window = window;
}

uint32_t
ProbeHeader::GetRoom() const
{
    return m_room;
}

uint32_t
ProbeHeader::GetHops() const
{
    return m_hops;
}

bool
ProbeHeader::Push(const IntRecord& record)
{
    if (m_hops >= m_room)
    {
        return false;
    }
    m_records[m_hops++] = record;
    return true;
}

const IntRecord&
ProbeHeader::GetRecord(uint32_t hop) const
{
    NS_ASSERT(hop < m_room);
    return m_records[hop];
}

void
ProbeHeader::Print(std::ostream& os) const
{
    os << "type=" << +m_type << " hops=" << +m_hops << '/' << +m_room << " tokens=" << m_tokens;
    for (uint32_t hop = 0; hop < m_hops; ++hop)
    {
        const IntRecord& record = m_records[hop];
        os << " [W=" << record.window << " phi=" << record.tokens << " tx=" << record.rate
           << " q=" << record.GetQueue() << " C=" << +record.GetSpeedCode() << ']';
    }
}

uint32_t
ProbeHeader::GetSerializedSize() const
{
    return 1 + m_tokenBytes + m_room * RECORD;
}

void
ProbeHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(static_cast<uint8_t>(m_type << 4 | m_hops));
    const uint32_t most = (1U << (8 * m_tokenBytes)) - 1;
    const uint32_t tokens = std::min(m_tokens, most);
    for (uint32_t byte = m_tokenBytes; byte-- > 0;)
    {
        start.WriteU8(static_cast<uint8_t>(tokens >> (8 * byte)));
    }
    for (uint32_t hop = 0; hop < m_room; ++hop)
    {
        start.WriteHtonU16(m_records[hop].window);
        start.WriteHtonU16(m_records[hop].tokens);
        start.WriteHtonU16(m_records[hop].rate);
        start.WriteHtonU16(m_records[hop].queueAndSpeed);
    }
}

uint32_t
ProbeHeader::Deserialize(Buffer::Iterator start)
{
    const uint8_t first = start.ReadU8();
    m_type = first >> 4;
    m_tokens = 0;
    for (uint32_t byte = 0; byte < m_tokenBytes; ++byte)
    {
        m_tokens = m_tokens << 8 | start.ReadU8();
    }
    m_room = static_cast<uint8_t>(std::min(start.GetRemainingSize() / RECORD, MAX_HOPS));
    m_hops = std::min<uint8_t>(first & 15, m_room);
    for (uint32_t hop = 0; hop < m_room; ++hop)
    {
        m_records[hop].window = start.ReadNtohU16();
        m_records[hop].tokens = start.ReadNtohU16();
        m_records[hop].rate = start.ReadNtohU16();
        m_records[hop].queueAndSpeed = start.ReadNtohU16();
    }
    return GetSerializedSize();
}

} // namespace ns3
