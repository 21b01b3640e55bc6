/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mark-receiver.h"

#include "tenant-ecn.h"

#include "ns3/enum.h"

#include <cstring>
#include <type_traits>

namespace ns3
{

namespace
{

/**
 * @brief The rate of what came in a time.
 * @param bytes that came
 * @param steps the time, in time steps
 * @return kbit/s
 */
uint32_t
GetKilobits(uint64_t bytes, int64_t steps)
{
    const double seconds = TimeStep(steps).ToDouble(Time::S);
    return seconds > 0 ? static_cast<uint32_t>(8e-3 * static_cast<double>(bytes) / seconds) : 0;
}

} // namespace

TypeId
MarkReceiver::Settings::AddAttributes(TypeId tid)
{
    return tid.AddAttribute("MarkUnit",
                            "Whether the share of marks that a receiver reports is one of bytes, "
                            "as in Trinity's prototype, or of packets (Trinity Section 3.3); the "
                            "same for packets of one size",
                            EnumValue(BYTES),
                            MakeEnumAccessor<Unit>(&Settings::markUnit),
                            MakeEnumChecker(BYTES, "Bytes", PACKETS, "Packets"));
}

MarkReceiver::MarkReceiver(uint32_t pair, uint8_t dscp, Unit unit)
    : Receiver(pair),
      m_dscp(dscp),
      m_unit(unit)
{
}

void
MarkReceiver::OnReceive(FabricItem& item, int64_t now)
{
    Receiver::OnReceive(item, now);
    if (m_dscp == ANY_DSCP || item.tos >> 2 == m_dscp)
    {
        const uint32_t amount = m_unit == BYTES ? item.size : 1;
        ++m_packets;
        m_bytes += item.size;
        m_counted += amount;
        m_marked += item.GetEcn() == FabricItem::CE ? amount : 0;
    }
    RestoreTenantEcn(item);
}

PairReport
MarkReceiver::MakeReport(int64_t now)
{
    ReportFields fields;
    fields.congestion = ReportFields::GetCongestion(m_marked, m_counted);
    fields.sequence = m_report.sequence + 1;
    fields.rate = GetKilobits(m_report.bytes - m_reported, now - m_report.time);
    fields.redRate = GetKilobits(m_bytes, now - m_report.time);
    fields.redPackets = m_packets;
    static_assert(sizeof(fields) <= sizeof(m_report.extra) &&
                  std::is_trivially_copyable_v<ReportFields>);
    std::memcpy(m_report.extra, &fields, sizeof(fields));
    m_reported = m_report.bytes;
    m_packets = 0;
    m_bytes = m_counted = m_marked = 0;
    return Receiver::MakeReport(now);
}

ReportFields
MarkReceiver::GetFields(const PairReport& report)
{
    ReportFields fields;
    std::memcpy(&fields, report.extra, sizeof(fields));
    return fields;
}

} // namespace ns3
