/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ecn-pair-controller.h"

#include "report-header-writer.h"
#include "tenant-ecn.h"

#include "ns3/enum.h"

#include <cstring>
#include <type_traits>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EcnPairController);

/// @brief Counts the marks of one interval.
class EcnPairController::MarkReceiver : public HosePairController::Receiver
{
  public:
    /**
     * @brief Make a receiver.
     * @param pair number of the pair
     * @param dscp of the items that count; ANY_DSCP: all
     * @param unit in what marks are counted
     */
    MarkReceiver(uint32_t pair, uint8_t dscp, MarkUnit unit)
        : Receiver(pair),
          m_dscp(dscp),
          m_unit(unit)
    {
    }

    void OnReceive(FabricItem& item, int64_t now) override
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

    PairReport MakeReport(int64_t now) override
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

  private:
    static uint32_t GetKilobits(uint64_t bytes, int64_t steps)
    {
        const double seconds = TimeStep(steps).ToDouble(Time::S);
        return seconds > 0 ? static_cast<uint32_t>(8e-3 * static_cast<double>(bytes) / seconds) : 0;
    }

    uint8_t m_dscp;         //!< of the items that count
    MarkUnit m_unit;        //!< of m_counted and m_marked
    uint32_t m_packets{0};  //!< items that count, in this interval
    uint64_t m_bytes{0};    //!< their bytes
    uint64_t m_counted{0};  //!< the same in the unit of marks
    uint64_t m_marked{0};   //!< thereof with Congestion Experienced
    uint64_t m_reported{0}; //!< bytes of all items until the last report
};

TypeId
EcnPairController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EcnPairController")
            .SetParent<HosePairController>()
            .SetGroupName("Edge")
            .AddAttribute("MarkUnit",
                          "Whether the share of marks that a receiver reports is one of bytes, as "
                          "in Trinity's prototype, or of packets (Trinity Section 3.3); the same "
                          "for packets of one size",
                          EnumValue(EcnPairController::BYTES),
                          MakeEnumAccessor<MarkUnit>(&EcnPairController::m_markUnit),
                          MakeEnumChecker(EcnPairController::BYTES,
                                          "Bytes",
                                          EcnPairController::PACKETS,
                                          "Packets"));
    return tid;
}

std::unique_ptr<PairReceiver>
EcnPairController::CreateReceiver(uint32_t pair)
{
    return std::make_unique<MarkReceiver>(pair, GetCountedDscp(), m_markUnit);
}

std::unique_ptr<ItemHeaderWriter>
EcnPairController::CreateHeaderWriter() const
{
    return std::make_unique<ReportHeaderWriter>();
}

ReportFields
EcnPairController::GetFields(const PairReport& report)
{
    ReportFields fields;
    std::memcpy(&fields, report.extra, sizeof(fields));
    return fields;
}

uint8_t
EcnPairController::GetCountedDscp() const
{
    return ANY_DSCP;
}

bool
EcnPairController::NeedsReports(uint32_t /* pair */) const
{
    return true;
}

} // namespace ns3
