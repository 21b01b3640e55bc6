/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "report-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ReportHeader);

TypeId
ReportHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ReportHeader")
                            .SetParent<Header>()
                            .SetGroupName("Telemetry")
                            .AddConstructor<ReportHeader>();
    return tid;
}

TypeId
ReportHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

ReportHeader::ReportHeader() = default;

ReportHeader::ReportHeader(const ReportFields& fields)
    : m_fields(fields)
{
}

const ReportFields&
ReportHeader::GetFields() const
{
    return m_fields;
}

void
ReportHeader::Print(std::ostream& os) const
{
    os << "interval=" << m_fields.sequence << " congestion=" << m_fields.congestion
       << " rate=" << m_fields.rate << "kbps red=" << m_fields.redRate
       << "kbps share=" << m_fields.share << "kbps red packets=" << m_fields.redPackets;
}

uint32_t
ReportHeader::GetSerializedSize() const
{
    return SIZE;
}

void
ReportHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(VERSION);
    start.WriteU8(m_fields.flags);
    start.WriteHtonU16(m_fields.congestion);
    start.WriteHtonU32(m_fields.sequence);
    start.WriteHtonU32(m_fields.rate);
    start.WriteHtonU32(m_fields.redRate);
    start.WriteHtonU32(m_fields.share);
    start.WriteHtonU32(m_fields.redPackets);
    start.WriteHtonU16(0);
}

uint32_t
ReportHeader::Deserialize(Buffer::Iterator start)
{
    start.ReadU8(); // there is one version
    m_fields.flags = start.ReadU8();
    m_fields.congestion = start.ReadNtohU16();
    m_fields.sequence = start.ReadNtohU32();
    m_fields.rate = start.ReadNtohU32();
    m_fields.redRate = start.ReadNtohU32();
    m_fields.share = start.ReadNtohU32();
    m_fields.redPackets = start.ReadNtohU32();
    start.ReadNtohU16();
    return SIZE;
}

} // namespace ns3
