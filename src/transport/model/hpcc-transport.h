/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HPCC_TRANSPORT_H
#define HPCC_TRANSPORT_H

#include "hpcc-window.h"
#include "reliable-transport.h"

#include "ns3/fabric-item.h"

namespace ns3
{

/**
 * @ingroup transport
 * @brief Telemetry that a data packet of HPCC carries, and the acknowledgment brings back.
 */
struct HpccTelemetry : public ItemExtension
{
    HpccPath path; //!< records of the switches
};

/**
 * @ingroup transport
 * @brief HPCC (Li et al., SIGCOMM 2019): windows by what switches write into each packet.
 *
 * Switches put queue length, bytes sent, time and rate of the link into data packets as they leave;
 * acknowledgments bring it back (HpccWindow). A flow starts at line rate and paces at window / T.
 */
class HpccTransport : public ReliableTransport
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    HpccTransport();

    std::string GetSummary() const override;

  protected:
    void DoAttach() override;
    std::unique_ptr<ReliableFlow> CreateFlow(const FlowRecord& record) override;

  private:
    class Flow;

    /**
     * @brief See that a packet has room for all switches on its way, whichever hosts send.
     * @throws InputError if it has not
     */
    void CheckPaths() const;

    double m_utilization;  //!< attribute Utilization
    uint32_t m_mostAdding; //!< attribute MostAdding
    double m_flows;        //!< attribute ConcurrentFlows
    Time m_baseRtt;        //!< attribute BaseRtt
};

} // namespace ns3

#endif /* HPCC_TRANSPORT_H */
