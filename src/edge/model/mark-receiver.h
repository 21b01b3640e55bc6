/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MARK_RECEIVER_H
#define MARK_RECEIVER_H

#include "hose-pair-controller.h"

#include "ns3/report-header.h"
#include "ns3/type-id.h"

namespace ns3
{

/**
 * @ingroup edge
 * @brief The receiving end of a pair that counts ECN marks per interval, tells the sender the share
 * of what was marked, and hides ECN from a tenant's stack that does not use it.
 *
 * A part of controllers such as ElasticSwitch's and Trinity's. Their channels make each item
 * ECN-capable (HideTenantEcn()) when they let it go.
 *
 * Each report has the ReportFields of one interval in PairReport::extra. A report that is lost is
 * not made up for: the next has fresh numbers (Trinity Section 4.1).
 */
class MarkReceiver : public HosePairController::Receiver
{
  public:
    static constexpr uint8_t ANY_DSCP = 64; //!< marks of all items are counted

    /// @brief In what the share of marks is counted.
    enum Unit
    {
        BYTES,  //!< bytes, as in Trinity's prototype
        PACKETS //!< packets, as the paper says it
    };

    /// @brief The settings of all receivers of a host. A controller that has them as a base has
    /// their attributes.
    struct Settings
    {
        Unit markUnit{BYTES}; //!< attribute MarkUnit

        /**
         * @brief Add the attributes.
         * @param tid of a controller that has the settings as a base
         * @return the same
         */
        static TypeId AddAttributes(TypeId tid);
    };

    /**
     * @brief Make a receiver.
     * @param pair number of the pair
     * @param dscp of the items whose marks are counted; ANY_DSCP: all
     * @param unit in what marks are counted
     */
    MarkReceiver(uint32_t pair, uint8_t dscp, Unit unit);

    void OnReceive(FabricItem& item, int64_t now) override;
    PairReport MakeReport(int64_t now) override;

    /**
     * @brief The fields of a report on its interval.
     * @param report of a receiver of this class
     * @return the fields
     */
    static ReportFields GetFields(const PairReport& report);

  private:
    uint8_t m_dscp;         //!< of the items that count
    Unit m_unit;            //!< of m_counted and m_marked
    uint32_t m_packets{0};  //!< items that count, in this interval
    uint64_t m_bytes{0};    //!< their bytes
    uint64_t m_counted{0};  //!< the same in the unit of marks
    uint64_t m_marked{0};   //!< those with Congestion Experienced
    uint64_t m_reported{0}; //!< bytes of all items until the last report
};

} // namespace ns3

#endif /* MARK_RECEIVER_H */
