/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-header.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PacketPairHeader);

namespace
{

// Bits of the third word.
constexpr uint32_t ACKNOWLEDGMENT = 1U << 31; //!< set in an acknowledgment, not in data
constexpr uint32_t CONGESTION = 1U << 30;     //!< of an acknowledgment
constexpr uint32_t FLAGS_SHIFT = 28;          //!< of data

} // namespace

TypeId
PacketPairHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PacketPairHeader")
                            .SetParent<Header>()
                            .SetGroupName("Telemetry")
                            .AddConstructor<PacketPairHeader>();
    return tid;
}

TypeId
PacketPairHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
PacketPairHeader::SetData(uint64_t sequence, Time sent, uint32_t pair, uint8_t flags)
{
    NS_ASSERT(flags <= (FIRST | RETRANSMISSION | LAST));
    m_sequence = static_cast<uint32_t>(sequence);
    m_timestamp = static_cast<uint32_t>(sent.GetNanoSeconds());
    m_begin = 0;
    m_end = 0;
    m_measure = static_cast<uint32_t>(flags) << FLAGS_SHIFT | (pair & MAX_PAIR);
}

void
PacketPairHeader::SetAcknowledgment(uint64_t next, Time echo, Time gap, bool congestion)
{
    NS_ASSERT(!gap.IsStrictlyNegative());
    m_sequence = static_cast<uint32_t>(next);
    m_timestamp = static_cast<uint32_t>(echo.GetNanoSeconds());
    m_begin = 0;
    m_end = 0;
    m_measure = ACKNOWLEDGMENT | (congestion ? CONGESTION : 0) |
                static_cast<uint32_t>(std::min(gap.GetNanoSeconds(), MAX_GAP));
}

void
PacketPairHeader::SetBlock(uint64_t begin, uint64_t end)
{
    NS_ASSERT(IsAcknowledgment() && begin < end);
    m_begin = static_cast<uint32_t>(begin);
    m_end = static_cast<uint32_t>(end);
}

bool
PacketPairHeader::HasBlock() const
{
    return m_begin != m_end;
}

uint32_t
PacketPairHeader::GetBlockBegin() const
{
    return m_begin;
}

uint32_t
PacketPairHeader::GetBlockEnd() const
{
    return m_end;
}

bool
PacketPairHeader::IsAcknowledgment() const
{
    return m_measure & ACKNOWLEDGMENT;
}

uint32_t
PacketPairHeader::GetSequence() const
{
    return m_sequence;
}

uint32_t
PacketPairHeader::GetTimestamp() const
{
    return m_timestamp;
}

uint32_t
PacketPairHeader::GetPair() const
{
    return IsAcknowledgment() ? 0 : m_measure & MAX_PAIR;
}

uint8_t
PacketPairHeader::GetFlags() const
{
    return IsAcknowledgment() ? 0 : static_cast<uint8_t>(m_measure >> FLAGS_SHIFT);
}

Time
PacketPairHeader::GetGap() const
{
    return NanoSeconds(IsAcknowledgment() ? m_measure & MAX_GAP : 0);
}

bool
PacketPairHeader::HasCongestionEcho() const
{
    return IsAcknowledgment() && m_measure & CONGESTION;
}

uint64_t
PacketPairHeader::Unwrap(uint32_t low, uint64_t reference)
{
    // As serial number arithmetic (RFC 1982): the signed distance of the low halves.
    return reference + static_cast<int32_t>(low - static_cast<uint32_t>(reference));
}

void
PacketPairHeader::Print(std::ostream& os) const
{
    if (IsAcknowledgment())
    {
        os << "ack=" << m_sequence << " echo=" << m_timestamp << " gap=" << GetGap().As(Time::NS)
           << (HasCongestionEcho() ? " ECE" : "");
        if (HasBlock())
        {
            os << " block=" << m_begin << ":" << m_end;
        }
        return;
    }
    const uint8_t flags = GetFlags();
    os << "seq=" << m_sequence << " sent=" << m_timestamp << " pair=" << GetPair()
       << (flags & FIRST ? " first" : "") << (flags & RETRANSMISSION ? " again" : "")
       << (flags & LAST ? " last" : "");
}

uint32_t
PacketPairHeader::GetSerializedSize() const
{
    return HasBlock() ? SIZE + BLOCK : SIZE;
}

void
PacketPairHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_sequence);
    start.WriteHtonU32(m_timestamp);
    start.WriteHtonU32(m_measure);
    if (HasBlock())
    {
        start.WriteHtonU32(m_begin);
        start.WriteHtonU32(m_end);
    }
}

uint32_t
PacketPairHeader::Deserialize(Buffer::Iterator start)
{
    m_sequence = start.ReadNtohU32();
    m_timestamp = start.ReadNtohU32();
    m_measure = start.ReadNtohU32();
    const bool hasBlock = IsAcknowledgment() && start.GetRemainingSize() >= BLOCK;
    m_begin = hasBlock ? start.ReadNtohU32() : 0;
    m_end = hasBlock ? start.ReadNtohU32() : 0;
    return hasBlock ? SIZE + BLOCK : SIZE;
}

} // namespace ns3
