/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCQCN_TRANSPORT_H
#define DCQCN_TRANSPORT_H

#include "dcqcn-reaction-point.h"
#include "reliable-transport.h"

#include "ns3/data-rate.h"

namespace ns3
{

/**
 * @ingroup transport
 * @brief RoCEv2 with DCQCN (Zhu et al., SIGCOMM 2015): a rate per flow, cut by congestion
 * notifications (DcqcnReactionPoint), which a receiver sends for marked packets.
 *
 * Each flow is a message on a queue pair of its own. There is no window and no handshake.
 */
class DcqcnTransport : public ReliableTransport
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    DcqcnTransport();

    std::string GetSummary() const override;
    void ReportResults(Results& results) const override;

    /**
     * @brief Congestion notifications sent.
     * @return number of packets
     */
    uint64_t GetNotifications() const
    {
        return m_notifications;
    }

    /**
     * @brief The rate control of a flow under way, for tests and recorders.
     * @param flow the flow
     * @return nullptr if it is over
     */
    const DcqcnReactionPoint* GetReactionPoint(FlowId flow) const;

  protected:
    void DoAttach() override;
    std::unique_ptr<ReliableFlow> CreateFlow(const FlowRecord& record) override;

  private:
    class QueuePair;

    double m_gain;               //!< attribute Gain
    Time m_alphaPeriod;          //!< attribute AlphaPeriod
    Time m_timer;                //!< attribute Timer
    uint64_t m_byteCounter;      //!< attribute ByteCounter
    uint32_t m_fastRecovery;     //!< attribute FastRecovery
    DataRate m_additiveRate;     //!< attribute AdditiveRate
    DataRate m_hyperRate;        //!< attribute HyperRate
    uint64_t m_notifications{0}; //!< see GetNotifications()

    DcqcnReactionPoint::Parameters m_parameters; //!< the constants, as flows need them
};

} // namespace ns3

#endif /* DCQCN_TRANSPORT_H */
