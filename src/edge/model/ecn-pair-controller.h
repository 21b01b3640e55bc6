/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ECN_PAIR_CONTROLLER_H
#define ECN_PAIR_CONTROLLER_H

#include "hose-pair-controller.h"

#include "ns3/report-header.h"

namespace ns3
{

/**
 * @ingroup edge
 * @brief A controller whose receivers count ECN marks per interval, tell the sender the share of
 * what was marked, and hide ECN from tenants' stacks that do not use it.
 *
 * What ElasticSwitch and Trinity's shim have in common. Their channels make each item ECN-capable
 * (HideTenantEcn()) when they let it go.
 *
 * Each report has the ReportFields of one interval in PairReport::extra. A report that is lost is
 * not made up for: the next has fresh numbers (Trinity Section 4.1).
 */
class EcnPairController : public HosePairController
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    static constexpr uint8_t ANY_DSCP = 64; //!< receivers count marks of all items

    /// @brief In what the share of marks is counted.
    enum MarkUnit
    {
        BYTES,  //!< bytes, as in Trinity's prototype
        PACKETS //!< packets, as the paper says it
    };

    std::unique_ptr<PairReceiver> CreateReceiver(uint32_t pair) override;
    std::unique_ptr<ItemHeaderWriter> CreateHeaderWriter() const override;

    /**
     * @brief The fields of a report on its interval.
     * @param report of a receiver made here
     * @return the fields
     */
    static ReportFields GetFields(const PairReport& report);

  protected:
    /**
     * @brief The DSCP of the items whose marks are counted.
     * @return the DSCP; ANY_DSCP unless a subclass says otherwise
     */
    virtual uint8_t GetCountedDscp() const;

    bool NeedsReports(uint32_t pair) const override;

  private:
    class MarkReceiver;

    MarkUnit m_markUnit; //!< attribute MarkUnit
};

} // namespace ns3

#endif /* ECN_PAIR_CONTROLLER_H */
