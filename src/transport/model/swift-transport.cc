/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "swift-transport.h"

#include "reliable-flow.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SwiftTransport);

/// @brief A flow with its two windows.
class SwiftTransport::Flow : public ReliableFlow
{
  public:
    Flow(SwiftTransport& transport, const FlowRecord& record)
        : ReliableFlow(transport, record),
          m_endpointGain(transport.m_endpointGain),
          m_fabric(MakeFabricWindow(transport)),
          m_endpoint(MakeEndpointWindow(transport))
    {
    }

    Windows GetWindows() const
    {
        return {m_fabric.GetWindow(), m_endpoint.GetWindow()};
    }

    FlowState GetState() const override
    {
        FlowState state = ReliableFlow::GetState();
        state.window = GetSmallerWindow().GetWindow() * GetFullPacketSize();
        return state;
    }

  protected:
    int64_t GetReleaseTime(int64_t now) override
    {
        const SwiftWindow& window = GetSmallerWindow();
        const auto inFlight = static_cast<double>(GetInFlight());
        if (window.GetWindow() >= 1)
        {
            return inFlight + 1 <= window.GetWindow() ? now : NEVER;
        }
        return inFlight > 0
                   ? NEVER
                   : m_lastSent +
                         static_cast<int64_t>(std::ceil(window.GetPacingDelay(GetSmoothedRtt())));
    }

    void OnSent(uint32_t /* size */, int64_t now) override
    {
        m_lastSent = now;
    }

    void OnAnswer(const ReliableHeader& header, uint64_t acknowledged, int64_t now) override
    {
        // Section 3.2: what the receiving host adds to the round trip is its own affair.
        const int64_t rtt = now - header.sent;
        const auto atReceiver = static_cast<double>(header.atReceiver);
        m_endpointDelay += m_endpointGain * (atReceiver - m_endpointDelay);
        const auto added = static_cast<double>(acknowledged);
        const auto inFlight = static_cast<double>(GetInFlight());
        m_fabric.HandleAcknowledged(m_fabric.CountForGrowth(added, inFlight),
                                    static_cast<double>(rtt) - atReceiver,
                                    header.hops,
                                    rtt,
                                    now);
        m_endpoint.HandleAcknowledged(m_endpoint.CountForGrowth(added, inFlight),
                                      m_endpointDelay,
                                      header.hops,
                                      rtt,
                                      now);
    }

    void OnLoss(int64_t now) override
    {
        m_fabric.HandleLoss(GetSmoothedRtt(), now);
    }

    void OnTimeout(int64_t now) override
    {
        m_fabric.HandleTimeout(GetSmoothedRtt(), now);
    }

  private:
    const SwiftWindow& GetSmallerWindow() const
    {
        return m_fabric.GetWindow() <= m_endpoint.GetWindow() ? m_fabric : m_endpoint;
    }

    SwiftWindow MakeFabricWindow(const SwiftTransport& transport) const
    {
        const Time target = transport.GetBaseTarget(GetBaseRtt());
        return {transport.GetParameters(target),
                static_cast<double>(target.GetTimeStep()),
                transport.m_initialWindow,
                transport.m_weight};
    }

    SwiftWindow MakeEndpointWindow(const SwiftTransport& transport) const
    {
        SwiftWindow::Parameters parameters = transport.GetParameters(Time(0));
        parameters.hopDelay = 0;
        parameters.scalingRange = 0;
        return {parameters,
                static_cast<double>(transport.m_endpointTarget.GetTimeStep()),
                transport.m_initialWindow,
                transport.m_weight};
    }

    double m_endpointGain;             //!< weight of the latest sample
    SwiftWindow m_fabric;              //!< fcwnd
    SwiftWindow m_endpoint;            //!< ecwnd
    double m_endpointDelay{0};         //!< smoothed, in time steps
    int64_t m_lastSent{INT64_MIN / 4}; //!< departure of the last packet
};

TypeId
SwiftTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SwiftTransport")
            .SetParent<ReliableTransport>()
            .SetGroupName("Transport")
            .AddConstructor<SwiftTransport>()
            .AddAttribute("AdditiveIncrease",
                          "ai: packets that a window grows by in a round trip below the target "
                          "(Swift, SIGCOMM 2020, Algorithm 1; 1 in published models)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&SwiftTransport::m_increase),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("DecreaseGain",
                          "beta: share of the excess delay that a window loses (Algorithm 1; 0.8 "
                          "in published models)",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&SwiftTransport::m_decrease),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("MaxDecrease",
                          "max_mdf: most that a window loses in a round trip (Algorithm 1; 0.5 in "
                          "published models)",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&SwiftTransport::m_maxDecrease),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("InitialWindow",
                          "First window of a flow in packets. The paper gives none; as lean TCP's "
                          "(RFC 6928)",
                          DoubleValue(10),
                          MakeDoubleAccessor(&SwiftTransport::m_initialWindow),
                          MakeDoubleChecker<double>(0.001))
            .AddAttribute("MinWindow",
                          "min_cwnd: least window in packets, paced",
                          DoubleValue(0.001),
                          MakeDoubleAccessor(&SwiftTransport::m_minWindow),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("MaxWindow",
                          "max_cwnd: largest window in packets. The paper gives none; 1000 full "
                          "packets are 120 us at 100 Gbps",
                          DoubleValue(1000),
                          MakeDoubleAccessor(&SwiftTransport::m_maxWindow),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("BaseTarget",
                          "Target delay in the fabric without hops and flow scaling (Section 3.1). "
                          "0: BaseTargetFactor times the round-trip time of the flow's own path "
                          "without load, in which its hops are contained",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&SwiftTransport::m_baseTarget),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("BaseTargetFactor",
                          "With BaseTarget=0: target over the round-trip time without load. A "
                          "choice: a quarter of that time may be spent in queues",
                          DoubleValue(1.25),
                          MakeDoubleAccessor(&SwiftTransport::m_baseTargetFactor),
                          MakeDoubleChecker<double>(1.0))
            .AddAttribute("HopDelay",
                          "Topology scaling: what each switch on the path adds to the target "
                          "(Section 3.1); for use with BaseTarget",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&SwiftTransport::m_hopDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ScalingRange",
                          "fs_range: most that flow scaling adds to the target (Section 3.1). 0: "
                          "ScalingFactor times the base target",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&SwiftTransport::m_scalingRange),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ScalingFactor",
                          "With ScalingRange=0: fs_range over the base target; 0: no flow scaling "
                          "(5 in the published model of csg-htsim)",
                          DoubleValue(5),
                          MakeDoubleAccessor(&SwiftTransport::m_scalingFactor),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("ScalingMinWindow",
                          "fs_min_cwnd: window in packets down to which flow scaling adds (Section "
                          "3.1; 0.1 in published models)",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&SwiftTransport::m_scalingMinWindow),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("ScalingMaxWindow",
                          "fs_max_cwnd: window in packets from which flow scaling adds nothing "
                          "(Section 3.1; 100 in published models)",
                          DoubleValue(100),
                          MakeDoubleAccessor(&SwiftTransport::m_scalingMaxWindow),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("EndpointTarget",
                          "Target delay in the receiving host (Section 3.2). The paper gives none; "
                          "a choice",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&SwiftTransport::m_endpointTarget),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute(
                "EndpointGain",
                "Weight of the latest sample in the delay of the receiving host, which is "
                "smoothed (Section 3.2). The paper gives none; as SRTT's (RFC 6298)",
                DoubleValue(0.125),
                MakeDoubleAccessor(&SwiftTransport::m_endpointGain),
                MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute(
                "ResetAfter",
                "RETX_RESET_THRESHOLD: timeouts in a row that set the window to MinWindow "
                "(Algorithm 1; 5 in published models)",
                UintegerValue(5),
                MakeUintegerAccessor(&SwiftTransport::m_resetAfter),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("WindowValidation",
                          "Whether a window grows only while it is used up (congestion window "
                          "validation, RFC 7661). Neither Algorithm 1 nor the published model of "
                          "csg-htsim asks for it",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SwiftTransport::m_validation),
                          MakeBooleanChecker())
            .AddAttribute("Weight",
                          "Weight of each flow: it behaves as so many together. Not in the paper",
                          DoubleValue(1),
                          MakeDoubleAccessor(&SwiftTransport::m_weight),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("PayloadSize",
                          "Payload of a full packet in bytes. The paper gives none; as lean TCP's",
                          UintegerValue(1460),
                          MakeUintegerAccessor(&SwiftTransport::m_payload),
                          MakeUintegerChecker<uint32_t>(1, 65000))
            .AddAttribute(
                "AcknowledgmentSize",
                "IP datagram of an acknowledgment in bytes. The paper gives none; as lean "
                "TCP's",
                UintegerValue(40),
                MakeUintegerAccessor(&SwiftTransport::m_acknowledgment),
                MakeUintegerChecker<uint32_t>(20, 1500))
            .AddAttribute("Recovery",
                          "What is sent again after a loss: what is missing (Selective), or all "
                          "from there (GoBackN)",
                          EnumValue(LossRecovery::SELECTIVE),
                          MakeEnumAccessor<LossRecovery::Kind>(&SwiftTransport::m_recovery),
                          MakeEnumChecker(LossRecovery::GO_BACK_N,
                                          "GoBackN",
                                          LossRecovery::SELECTIVE,
                                          "Selective"))
            .AddAttribute(
                "MinTimeout",
                "Least time without an acknowledgment after which what is under way is "
                "sent again; doubled at each timeout. The paper gives none; as lean TCP's "
                "MinRto",
                TimeValue(MicroSeconds(200)),
                MakeTimeAccessor(&SwiftTransport::m_minTimeout),
                MakeTimeChecker(TimeStep(1)));
    return tid;
}

SwiftTransport::SwiftTransport()
{
    // The paper gives no size of headers; as lean TCP's.
    m_header = 40;
}

std::string
SwiftTransport::GetSummary() const
{
    return "Swift: windows that keep delay at a target";
}

void
SwiftTransport::DoAttach()
{
    ReliableTransport::DoAttach();
    const auto check = [this](const char* less, double a, const char* more, double b) {
        if (a >= b)
        {
            std::ostringstream given;
            given << a;
            std::ostringstream allowed;
            allowed << "less than " << more << ", " << b;
            throw InputError(GetInstanceTypeId().GetName() + "::" + less,
                             given.str(),
                             allowed.str());
        }
    };
    check("MinWindow", m_minWindow, "MaxWindow", m_maxWindow);
    check("ScalingMinWindow", m_scalingMinWindow, "ScalingMaxWindow", m_scalingMaxWindow);
}

Time
SwiftTransport::GetBaseTarget(Time baseRtt) const
{
    if (!m_baseTarget.IsZero())
    {
        return m_baseTarget;
    }
    return TimeStep(std::llround(m_baseTargetFactor * static_cast<double>(baseRtt.GetTimeStep())));
}

SwiftWindow::Parameters
SwiftTransport::GetParameters(Time baseTarget) const
{
    const double range = m_scalingRange.IsZero()
                             ? m_scalingFactor * static_cast<double>(baseTarget.GetTimeStep())
                             : static_cast<double>(m_scalingRange.GetTimeStep());
    return {m_increase,
            m_decrease,
            m_maxDecrease,
            m_minWindow,
            m_maxWindow,
            static_cast<double>(m_hopDelay.GetTimeStep()),
            range,
            m_scalingMinWindow,
            m_scalingMaxWindow,
            m_resetAfter,
            m_validation};
}

std::unique_ptr<ReliableFlow>
SwiftTransport::CreateFlow(const FlowRecord& record)
{
    return std::make_unique<Flow>(*this, record);
}

std::optional<SwiftTransport::Windows>
SwiftTransport::GetWindows(FlowId flow) const
{
    const ReliableFlow* found = FindFlow(flow);
    return found ? std::optional(static_cast<const Flow*>(found)->GetWindows()) : std::nullopt;
}

} // namespace ns3
