/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcqcn-transport.h"

#include "reliable-flow.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/results.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{

namespace
{

/// Least rate of a flow in bit/s. The paper gives none; this is ConnectX cards' (rpg_min_rate).
constexpr double MIN_RATE = 1e6;
/// N: least time from one notification of a flow to the next (Section 3.1).
const Time NOTIFICATION_INTERVAL = MicroSeconds(50);
/// IP datagram of a notification in bytes (RoCEv2, InfiniBand Architecture Annex A17: IPv4 and UDP
/// 28, base header 12, reserved 16, CRC 4).
constexpr uint32_t NOTIFICATION_SIZE = 60;
/// Class of notifications in the fabric, the most urgent (Section 3.3: a high priority).
constexpr uint8_t NOTIFICATION_PRIORITY = 0;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DcqcnTransport);

/// @brief A flow, with its reaction point at the sender and its notification point at the receiver.
class DcqcnTransport::QueuePair : public ReliableFlow
{
  public:
    QueuePair(DcqcnTransport& transport, const FlowRecord& record)
        : ReliableFlow(transport, record),
          m_transport(transport),
          m_lineRate(static_cast<double>(GetPort().GetDescription().rate.GetBitRate())),
          m_reactionPoint(transport.m_parameters, m_lineRate)
    {
    }

    const DcqcnReactionPoint& GetReactionPoint() const
    {
        return m_reactionPoint;
    }

    FlowState GetState() const override
    {
        FlowState state = ReliableFlow::GetState();
        state.rate = m_reactionPoint.GetRate();
        state.alpha = m_reactionPoint.GetAlpha(DirectEvent::Now());
        return state;
    }

  protected:
    int64_t GetReleaseTime(int64_t now) override
    {
        if (!m_reactionPoint.IsLimited())
        {
            return now; // the port is the limit
        }
        return static_cast<int64_t>(std::ceil(m_lastSent + GetGap()));
    }

    void OnSent(uint32_t size, int64_t now) override
    {
        // What is rounded up to a time step is not lost, but what was missed is.
        const double due = m_lastSent + GetGap();
        const auto time = static_cast<double>(now);
        m_lastSent = time - due < 1 ? due : time;
        m_lastWireTime = static_cast<double>(GetPort().GetTransmissionSteps(size));
        m_reactionPoint.HandleSent(size);
    }

    void OnNotification(int64_t now) override
    {
        m_reactionPoint.HandleNotification(now);
    }

    int64_t GetDeadline() const override
    {
        return m_reactionPoint.GetNextTick();
    }

    void OnDeadline(int64_t now) override
    {
        m_reactionPoint.HandleTimer(now);
    }

    void OnData(const FabricItem& item, int64_t now) override
    {
        // Figure 6.
        if (item.GetEcn() == FabricItem::CE && now >= m_mayNotify)
        {
            m_mayNotify = now + NOTIFICATION_INTERVAL.GetTimeStep();
            ++m_transport.m_notifications;
            SendNotification(NOTIFICATION_SIZE, NOTIFICATION_PRIORITY);
        }
    }

  private:
    /**
     * @brief Time from the last packet to the next one. A packet takes the share of the link that
     * its flow's rate has of the link's rate, whatever there is around packets on the link.
     * @return time steps
     */
    double GetGap() const
    {
        return m_lastWireTime * m_lineRate / m_reactionPoint.GetRate();
    }

    DcqcnTransport& m_transport;        //!< settings
    double m_lineRate;                  //!< of the sender's link, in bit/s
    DcqcnReactionPoint m_reactionPoint; //!< the rate
    double m_lastSent{0};               //!< due time of the last packet, in time steps
    double m_lastWireTime{0};           //!< time that it took on the link, in time steps
    int64_t m_mayNotify{0};             //!< at the receiver: when a CNP may be sent again
};

TypeId
DcqcnTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcqcnTransport")
            .SetParent<ReliableTransport>()
            .SetGroupName("Transport")
            .AddConstructor<DcqcnTransport>()
            .AddAttribute("Gain",
                          "g: weight of the latest notification in alpha (DCQCN, SIGCOMM 2015, "
                          "Figure 14: 1/256)",
                          DoubleValue(1.0 / 256),
                          MakeDoubleAccessor(&DcqcnTransport::m_gain),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("AlphaPeriod",
                          "K: time without a notification after which alpha decays, longer than "
                          "the 50 us between two notifications (Section 3.1: 55 us)",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&DcqcnTransport::m_alphaPeriod),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("Timer",
                          "T: time from one increase of the rate to the next (Figure 14: 55 us)",
                          TimeValue(MicroSeconds(55)),
                          MakeTimeAccessor(&DcqcnTransport::m_timer),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("ByteCounter",
                          "B: bytes sent from one increase of the rate to the next (Figure 14: 10 "
                          "MB)",
                          UintegerValue(10'000'000),
                          MakeUintegerAccessor(&DcqcnTransport::m_byteCounter),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("FastRecovery",
                          "F: ticks of timer or byte counter that recover half of what was lost "
                          "(Section 3.1: 5)",
                          UintegerValue(5),
                          MakeUintegerAccessor(&DcqcnTransport::m_fastRecovery),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveRate",
                          "R_AI: step of additive increase; 0: a thousandth of the rate of the "
                          "flow's own link, which at 40 Gbps is the paper's 40 Mbps (Section 5.2)",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&DcqcnTransport::m_additiveRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "HyperRate",
                "R_HAI: step of hyper increase; 0: ten times the additive step. The paper gives "
                "none; QCN (IEEE 802.1Qau) has that, 50 Mbps to 5 Mbps",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&DcqcnTransport::m_hyperRate),
                MakeDataRateChecker())
            .AddAttribute("PayloadSize",
                          "Payload of a full packet in bytes: 1024 is the largest of InfiniBand's "
                          "path MTUs that fits Ethernet's 1500 bytes",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&DcqcnTransport::m_payload),
                          MakeUintegerChecker<uint32_t>(1, 65000))
            .AddAttribute(
                "AcknowledgmentSize",
                "IP datagram of an acknowledgment in bytes, positive or negative (RoCEv2: "
                "as data without payload, and 4 bytes of acknowledgment header)",
                UintegerValue(48),
                MakeUintegerAccessor(&DcqcnTransport::m_acknowledgment),
                MakeUintegerChecker<uint32_t>(20, 1500))
            .AddAttribute("Recovery",
                          "What is sent again after a loss: all from there (GoBackN, as network "
                          "cards of the paper's time do), or what is missing (Selective)",
                          EnumValue(LossRecovery::GO_BACK_N),
                          MakeEnumAccessor<LossRecovery::Kind>(&DcqcnTransport::m_recovery),
                          MakeEnumChecker(LossRecovery::GO_BACK_N,
                                          "GoBackN",
                                          LossRecovery::SELECTIVE,
                                          "Selective"))
            .AddAttribute("MinTimeout",
                          "Least time without an acknowledgment after which what is under way is "
                          "sent again; doubled at each timeout. The paper gives none: InfiniBand "
                          "has 4.096 us times a power of two, this is the eighth",
                          TimeValue(NanoSeconds(1'048'576)),
                          MakeTimeAccessor(&DcqcnTransport::m_minTimeout),
                          MakeTimeChecker(TimeStep(1)));
    return tid;
}

DcqcnTransport::DcqcnTransport()
{
    // RoCEv2: IPv4 and UDP 28 bytes, base header 12, CRC 4.
    m_header = 44;
}

std::string
DcqcnTransport::GetSummary() const
{
    return "RoCEv2 with DCQCN: a rate per flow, cut by congestion notifications";
}

void
DcqcnTransport::DoAttach()
{
    ReliableTransport::DoAttach();
    m_parameters = {m_gain,
                    m_alphaPeriod.GetTimeStep(),
                    m_timer.GetTimeStep(),
                    m_byteCounter,
                    m_fastRecovery,
                    static_cast<double>(m_additiveRate.GetBitRate()),
                    static_cast<double>(m_hyperRate.GetBitRate()),
                    MIN_RATE};
}

std::unique_ptr<ReliableFlow>
DcqcnTransport::CreateFlow(const FlowRecord& record)
{
    return std::make_unique<QueuePair>(*this, record);
}

const DcqcnReactionPoint*
DcqcnTransport::GetReactionPoint(FlowId flow) const
{
    const ReliableFlow* found = FindFlow(flow);
    return found ? &static_cast<const QueuePair*>(found)->GetReactionPoint() : nullptr;
}

void
DcqcnTransport::ReportResults(Results& results) const
{
    ReliableTransport::ReportResults(results);
    results.Add("congestion_notifications", static_cast<double>(m_notifications));
}

} // namespace ns3
