/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rate-write-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RateWriteHeader);

TypeId
RateWriteHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RateWriteHeader")
                            .SetParent<Header>()
                            .SetGroupName("Telemetry")
                            .AddConstructor<RateWriteHeader>();
    return tid;
}

TypeId
RateWriteHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

RateWriteHeader::RateWriteHeader(const RateWriteFields& fields)
    : m_fields(fields)
{
}

const RateWriteFields&
RateWriteHeader::GetFields() const
{
    return m_fields;
}

void
RateWriteHeader::Print(std::ostream& os) const
{
    os << "switch=" << m_fields.node << " limiter=" << m_fields.limiter << " rate=" << m_fields.rate
       << "bps";
}

uint32_t
RateWriteHeader::GetSerializedSize() const
{
    return SIZE;
}

void
RateWriteHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_fields.node);
    start.WriteHtonU32(m_fields.limiter);
    start.WriteHtonU64(m_fields.rate);
}

uint32_t
RateWriteHeader::Deserialize(Buffer::Iterator start)
{
    m_fields.node = start.ReadNtohU32();
    m_fields.limiter = start.ReadNtohU32();
    m_fields.rate = start.ReadNtohU64();
    return SIZE;
}

} // namespace ns3
