/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reliable-test.h"

#include "ns3/object-spec.h"
#include "ns3/test.h"

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double FULL_SEGMENT = 1000;  //!< payload of a full segment in bytes
constexpr double FULL_DATAGRAM = 1500; //!< full IP datagram of the others in bytes

/**
 * @ingroup transport-tests
 * @brief Two hosts at a switch, 10 Gbps, and an endless flow between them.
 */
class LoneFlow
{
  public:
    /**
     * @brief Constructor.
     * @param spec of the transport
     */
    explicit LoneFlow(const std::string& spec)
        : m_transport(CreateFromSpec<Transport>("transport", spec))
    {
        m_fabric->SetTierNames({"host", "switch"});
        const auto middle = m_fabric->AddSwitch(1);
        for (uint32_t host = 0; host < 2; ++host)
        {
            m_fabric->Connect(m_fabric->AddHost(), middle, DataRate("10Gbps"), MicroSeconds(25));
        }
        m_fabric->Build();
        m_transport->Attach(m_fabric);
        m_flow = m_transport->StartFlow({.source = 0, .destination = 1, .bytes = 0});
    }

    ~LoneFlow()
    {
        m_transport->Dispose();
        Simulator::Destroy();
        m_fabric->Dispose();
    }

    LoneFlow(const LoneFlow&) = delete;
    LoneFlow& operator=(const LoneFlow&) = delete;

    /**
     * @brief Run on.
     * @param duration for so long
     * @return states of the flow then
     */
    std::vector<FlowState> Run(Time duration) const
    {
        Simulator::Stop(duration);
        Simulator::Run();
        return m_transport->GetStates(m_flow);
    }

    /**
     * @brief Stop the flow.
     * @return its states afterwards
     */
    std::vector<FlowState> Stop() const
    {
        m_transport->StopFlow(m_flow);
        return m_transport->GetStates(m_flow);
    }

  private:
    Ptr<Fabric> m_fabric{CreateObject<Fabric>()}; //!< the network
    Ptr<Transport> m_transport;                   //!< the hosts
    FlowId m_flow;                                //!< between them
};

} // namespace

/**
 * @ingroup transport-tests
 * @brief Slow start doubles the window in a round trip, from one segment on (RFC 5681).
 */
class SlowStartStateTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param name of the transport, which is a TCP
     */
    explicit SlowStartStateTestCase(const std::string& name)
        : TestCase("window, threshold, RTT and bytes in flight: " + name),
          m_name(name)
    {
    }

  private:
    void DoRun() override
    {
        const LoneFlow flow(m_name + ":CongestionOps=ns3::TcpLinuxReno,SegmentSize=1000,"
                                     "InitialCwnd=1,DelAckCount=1");
        // Of four links, 25 us each, and up to 2 us for the transmissions of a packet and its
        // answer. There is a handshake first.
        const Time rtt = MicroSeconds(101);
        flow.Run(rtt + rtt / 2);
        for (uint32_t round = 0; round < 6; ++round)
        {
            const auto states = flow.Run(round == 0 ? Time(0) : rtt);
            NS_TEST_ASSERT_MSG_EQ(states.size(), 1, "one connection");
            const double window = FULL_SEGMENT * (1 << round);
            NS_TEST_EXPECT_MSG_EQ_TOL(states[0].window.value(), window, 1e-9, "round " << round);
            NS_TEST_EXPECT_MSG_EQ_TOL(states[0].inFlight.value(), window, 1e-9, "all is used");
            NS_TEST_EXPECT_MSG_EQ(states[0].threshold.has_value(), false, "nothing was lost");
            NS_TEST_EXPECT_MSG_EQ(states[0].alpha.has_value(), false, "Reno has none");
            NS_TEST_EXPECT_MSG_GT(states[0].rtt.value(), 100e-6, "of four links");
            NS_TEST_EXPECT_MSG_LT(states[0].rtt.value(), 102e-6 + 8 * window / 10e9, "and waits");
        }
        NS_TEST_EXPECT_MSG_EQ(flow.Stop().size(), 0, "over");
    }

    std::string m_name; //!< of the transport
};

/**
 * @ingroup transport-tests
 * @brief Without marks DCTCP's alpha, 1 at first, loses a sixteenth in each window (RFC 8257).
 */
class DctcpStateTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param name of the transport, which is a TCP
     * @param congestion DCTCP
     */
    DctcpStateTestCase(const std::string& name, const std::string& congestion)
        : TestCase("DCTCP's alpha: " + name + " with " + congestion),
          m_spec(name + ":InitialSlowStartThreshold=60000,CongestionOps=" + congestion)
    {
    }

  private:
    void DoRun() override
    {
        const LoneFlow flow(m_spec);
        std::vector<double> alphas{1};
        for (uint32_t sample = 0; sample < 400; ++sample)
        {
            const double alpha = flow.Run(MicroSeconds(5)).at(0).alpha.value();
            if (std::abs(alpha - alphas.back()) > 1e-6)
            {
                alphas.push_back(alpha);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(flow.Run(Time(0)).at(0).threshold.value(), 60'000, "as set");
        NS_TEST_ASSERT_MSG_GT(alphas.size(), 10, "it falls");
        for (std::size_t i = 0; i < alphas.size(); ++i)
        {
            const double expected = std::pow(15.0 / 16, static_cast<double>(i));
            NS_TEST_EXPECT_MSG_EQ_TOL(alphas[i], expected, 1e-8, "after " << i << " windows");
        }
    }

    std::string m_spec; //!< of the transport
};

/**
 * @ingroup transport-tests
 * @brief A state for each subflow, none of which has more in flight than its window.
 */
class SubflowStateTestCase : public TestCase
{
  public:
    SubflowStateTestCase()
        : TestCase("states of MPTCP's subflows")
    {
    }

  private:
    void DoRun() override
    {
        const LoneFlow flow("mptcp:Subflows=4");
        NS_TEST_EXPECT_MSG_EQ(flow.Run(MicroSeconds(50)).size(), 1, "the first opens the others");
        for (uint32_t sample = 0; sample < 100; ++sample)
        {
            for (const FlowState& state : flow.Run(MicroSeconds(7)))
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(state.inFlight.value(),
                                            state.window.value(),
                                            "within the window");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(flow.Run(Time(0)).size(), 4, "all are open");
        NS_TEST_EXPECT_MSG_EQ(flow.Stop().size(), 0, "over");
    }
};

/**
 * @ingroup transport-tests
 * @brief DCQCN starts at the rate of the link; the first notification halves it, as alpha is 1.
 */
class DcqcnStateTestCase : public TestCase
{
  public:
    DcqcnStateTestCase()
        : TestCase("DCQCN's rate and alpha")
    {
    }

  private:
    void DoRun() override
    {
        ReliableStar star("dcqcn:Gain=0.5,AlphaPeriod=60us");
        const FlowId flow = star.Send(0, 1, 0);
        star.Run(MicroSeconds(40));
        NS_TEST_EXPECT_MSG_EQ_TOL(GetState(star, flow).rate.value(), 10e9, 1, "of the link");
        bool marked = false;
        star.stage.watch = [&marked](FabricItem& item) {
            if (!marked && item.GetClass() == FabricItem::DATA)
            {
                item.SetEcn(FabricItem::CE);
                marked = true;
            }
            return true;
        };
        star.Run(MicroSeconds(20));
        NS_TEST_EXPECT_MSG_EQ_TOL(GetState(star, flow).rate.value(), 5e9, 1, "halved");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetState(star, flow).alpha.value(), 1, 1e-9, "as at first");
        NS_TEST_EXPECT_MSG_EQ(GetState(star, flow).window.has_value(), false, "has none");
        star.Run(MicroSeconds(60));
        NS_TEST_EXPECT_MSG_EQ_TOL(GetState(star, flow).alpha.value(), 0.5, 1e-9, "decays by Gain");
    }

    /**
     * @brief The state of a flow.
     * @param star has the transport
     * @param flow the flow
     * @return its state
     */
    static FlowState GetState(const ReliableStar& star, FlowId flow)
    {
        return star.transport->GetStates(flow).at(0);
    }
};

/**
 * @ingroup transport-tests
 * @brief Windows and rates that are what attributes or definitions say.
 */
class WindowStateTestCase : public TestCase
{
  public:
    WindowStateTestCase()
        : TestCase("windows and rates of the other transports")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string spec :
             {"swift:InitialWindow=4,AdditiveIncrease=0", "fixed-window:Window=4,SegmentSize=1460"})
        {
            const LoneFlow flow(spec);
            const FlowState state = flow.Run(MicroSeconds(30)).at(0);
            NS_TEST_EXPECT_MSG_EQ_TOL(state.window.value(), 4 * FULL_DATAGRAM, 1e-9, spec);
            NS_TEST_EXPECT_MSG_EQ_TOL(state.inFlight.value(), 4 * FULL_DATAGRAM, 1e-9, spec);
            NS_TEST_EXPECT_MSG_EQ(flow.Stop().size(), 0, spec);
        }
        {
            const LoneFlow flow("hpcc:BaseRtt=120us");
            const FlowState state = flow.Run(MilliSeconds(2)).at(0);
            NS_TEST_EXPECT_MSG_EQ_TOL(8 * state.window.value() / state.rate.value(),
                                      120e-6,
                                      1e-12,
                                      "R = W / T");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(state.inFlight.value(),
                                        state.window.value() + FULL_DATAGRAM,
                                        "a packet more, as the window need not be a multiple");
            NS_TEST_EXPECT_MSG_GT(state.rtt.value(), 100e-6, "four links");
        }
        {
            const LoneFlow flow("udp:Rate=3Gbps");
            const FlowState state = flow.Run(MicroSeconds(30)).at(0);
            NS_TEST_EXPECT_MSG_EQ_TOL(state.rate.value(), 3e9, 1e-9, "Rate");
            NS_TEST_EXPECT_MSG_EQ(state.window.has_value(), false, "has none");
            NS_TEST_EXPECT_MSG_EQ(flow.Stop().size(), 0, "over");
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief Tests of Transport::GetStates().
 */
class FlowStateTestSuite : public TestSuite
{
  public:
    FlowStateTestSuite()
        : TestSuite("flow-state", Type::UNIT)
    {
        for (const std::string name : {"lean", "ns3"})
        {
            AddTestCase(new SlowStartStateTestCase(name), Duration::QUICK);
            AddTestCase(new DctcpStateTestCase(name, "ns3::TcpDctcp"), Duration::QUICK);
        }
        AddTestCase(new DctcpStateTestCase("ns3", "ns3::TcpDctcpRfc8257"), Duration::QUICK);
        AddTestCase(new SubflowStateTestCase, Duration::QUICK);
        AddTestCase(new DcqcnStateTestCase, Duration::QUICK);
        AddTestCase(new WindowStateTestCase, Duration::QUICK);
    }
};

static FlowStateTestSuite g_flowStateTestSuite; //!< Static variable for test initialization
