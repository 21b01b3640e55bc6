/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reliable-test.h"

#include "ns3/input-error.h"
#include "ns3/swift-transport.h"
#include "ns3/test.h"

#include <cmath>
#include <numeric>

using namespace ns3;

namespace
{

/// @brief The numbers of the published model: base target 20 us and 5 times that for flow scaling.
const SwiftWindow::Parameters SWIFT_NUMBERS{1, 0.8, 0.5, 0.001, 1000, 0, 100'000, 0.1, 100, 5};

} // namespace

/**
 * @ingroup transport-tests
 * @brief Algorithm 1 and the target, step by step.
 */
class SwiftWindowTestCase : public TestCase
{
  public:
    SwiftWindowTestCase()
        : TestCase("Algorithm 1: increase, decrease, loss, timeouts; target delay; weights")
    {
    }

  private:
    void DoRun() override
    {
        CheckTarget();
        CheckSteps();
        CheckValidation();
        CheckLosses();
        CheckWeight();
    }

    void CheckTarget()
    {
        // 120 us of flow scaling from 0.1 to 100 packets: a = 39.19 us, b = -3.92 us.
        SwiftWindow::Parameters numbers = SWIFT_NUMBERS;
        numbers.scalingRange = 120'000;
        const auto scaling = [&numbers](double window) {
            return SwiftWindow(numbers, 0, window).GetTarget(0) / 1000;
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(scaling(1), 35.27, 0.01, "a + b");
        NS_TEST_EXPECT_MSG_EQ_TOL(scaling(10), 8.47, 0.01, "10 packets");
        NS_TEST_EXPECT_MSG_EQ_TOL(scaling(100), 0, 1e-9, "nothing from fs_max_cwnd");
        NS_TEST_EXPECT_MSG_EQ_TOL(scaling(1000), 0, 1e-9, "nor above");
        NS_TEST_EXPECT_MSG_EQ_TOL(scaling(0.1), 120, 1e-9, "all at fs_min_cwnd");
        NS_TEST_EXPECT_MSG_EQ_TOL(scaling(0.01), 120, 1e-9, "and below");
        numbers.hopDelay = 1000;
        NS_TEST_EXPECT_MSG_EQ_TOL(SwiftWindow(numbers, 20'000, 100).GetTarget(5),
                                  25'000,
                                  1e-6,
                                  "topology scaling");
        NS_TEST_EXPECT_MSG_EQ_TOL(SwiftWindow(numbers, 20'000, 400, 4).GetTarget(5),
                                  25'000,
                                  1e-6,
                                  "four flows in one");
    }

    void CheckSteps()
    {
        SwiftWindow::Parameters numbers = SWIFT_NUMBERS;
        numbers.scalingRange = 0;
        constexpr int64_t RTT = 25'000;
        int64_t now = 1'000'000;
        SwiftWindow window(numbers, 30'000, 10);
        window.HandleAcknowledged(1, 25'000, 0, RTT, now);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 10.1, 1e-12, "ai / cwnd per packet");
        window.HandleAcknowledged(1, 60'000, 0, RTT, now);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 6.06, 1e-12, "1 - 0.8 * 30 / 60");
        window.HandleAcknowledged(1, 60'000, 0, RTT, now + RTT - 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 6.06, 1e-12, "once per round trip");
        window.HandleAcknowledged(1, 120'000, 0, RTT, now += RTT);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 3.03, 1e-12, "at most half");
        window.HandleAcknowledged(1, 30'000, 0, RTT, now += RTT);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 3.03, 1e-12, "on target");
        window.HandleAcknowledged(3, 29'999, 0, RTT, now);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 3.03 + 3 / 3.03, 1e-12, "three at once");
        NS_TEST_EXPECT_MSG_EQ(window.GetPacingDelay(RTT), 0, "no pacing");

        SwiftWindow small(numbers, 30'000, 0.5);
        NS_TEST_EXPECT_MSG_EQ_TOL(small.GetPacingDelay(24'000), 48'000, 1e-9, "rtt / cwnd");
        small.HandleAcknowledged(1, 25'000, 0, RTT, now);
        NS_TEST_EXPECT_MSG_EQ_TOL(small.GetWindow(), 1.5, 1e-12, "ai per packet");
        for (uint32_t i = 0; i < 100; ++i)
        {
            small.HandleAcknowledged(1, 1e9, 0, RTT, now += RTT);
        }
        NS_TEST_EXPECT_MSG_EQ(small.GetWindow(), 0.001, "min_cwnd");
    }

    void CheckValidation()
    {
        SwiftWindow::Parameters numbers = SWIFT_NUMBERS;
        const SwiftWindow plain(numbers, 30'000, 10);
        NS_TEST_EXPECT_MSG_EQ(plain.CountForGrowth(2, 0), 2, "Algorithm 1: no condition");
        numbers.validation = true;
        const SwiftWindow validated(numbers, 30'000, 10);
        NS_TEST_EXPECT_MSG_EQ(validated.CountForGrowth(2, 7), 0, "there was room for a packet");
        NS_TEST_EXPECT_MSG_EQ(validated.CountForGrowth(2, 7.5), 2, "there was none");
    }

    void CheckLosses()
    {
        constexpr int64_t RTT = 25'000;
        int64_t now = 1'000'000;
        SwiftWindow window(SWIFT_NUMBERS, 30'000, 64);
        window.HandleLoss(RTT, now);
        NS_TEST_EXPECT_MSG_EQ(window.GetWindow(), 32, "fast recovery");
        window.HandleLoss(RTT, now + RTT - 1);
        NS_TEST_EXPECT_MSG_EQ(window.GetWindow(), 32, "once per round trip");
        for (uint32_t timeout = 1; timeout <= 4; ++timeout)
        {
            window.HandleTimeout(RTT, now += RTT);
        }
        NS_TEST_EXPECT_MSG_EQ(window.GetWindow(), 2, "four timeouts");
        window.HandleLoss(RTT, now);
        window.HandleTimeout(RTT, now += RTT);
        NS_TEST_EXPECT_MSG_EQ(window.GetWindow(), 1, "counted from the start again");
        for (uint32_t timeout = 2; timeout <= 5; ++timeout)
        {
            window.HandleTimeout(RTT, now);
        }
        NS_TEST_EXPECT_MSG_EQ(window.GetWindow(), 0.001, "the fifth in a row resets");
    }

    void CheckWeight()
    {
        SwiftWindow::Parameters numbers = SWIFT_NUMBERS;
        numbers.scalingRange = 0;
        SwiftWindow window(numbers, 30'000, 10, 5);
        window.HandleAcknowledged(1, 25'000, 0, 25'000, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 10.5, 1e-12, "five times ai");
    }
};

/**
 * @ingroup transport-tests
 * @brief Flows that share a port rest at the target delay.
 */
class SwiftFixedPointTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param flows number of flows
     */
    explicit SwiftFixedPointTestCase(uint32_t flows)
        : TestCase(std::to_string(flows) + " flows rest at the target delay"),
          m_flows(flows)
    {
    }

  private:
    void DoRun() override
    {
        ReliableStar star("swift:InitialWindow=1", m_flows + 1);
        for (uint32_t source = 1; source <= m_flows; ++source)
        {
            Simulator::Schedule(MicroSeconds(7 * source),
                                [&star, source] { star.Send(source, 0, 0); });
        }
        star.Run(MilliSeconds(20));
        star.delivered.clear();
        double queue = 0;
        constexpr uint32_t SAMPLES = 2000;
        for (uint32_t i = 0; i < SAMPLES; ++i)
        {
            star.Run(NanoSeconds(10'100));
            queue += star.fabric->GetSwitch(0).GetPort(0).GetWaitingBytes();
        }
        const double seconds = 10'100e-9 * SAMPLES;
        double sum = 0;
        for (const auto& [flow, bytes] : star.delivered)
        {
            sum += 8 * static_cast<double>(bytes) / seconds;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, 10e9 * 1460 / 1500, 0.01 * 10e9, "the link is full");
        for (const auto& [flow, bytes] : star.delivered)
        {
            const double rate = 8 * static_cast<double>(bytes) / seconds;
            NS_TEST_EXPECT_MSG_EQ_TOL(rate, sum / m_flows, 0.15 * sum / m_flows, "an equal share");
        }
        const double expected = ComputeQueue(*star.transport);
        // Below one packet a window grows by ai at once, which is much of it.
        const double tolerance = m_flows < 10 ? 0.15 : 0.4;
        NS_TEST_EXPECT_MSG_EQ_TOL(queue / SAMPLES, expected, tolerance * expected, "queue");
    }

    /**
     * @brief The queue at which each flow's delay is its target: each has its share of what fits
     * the link in that time.
     * @param transport the transport
     * @return bytes
     */
    double ComputeQueue(const ReliableTransport& transport) const
    {
        const auto& swift = dynamic_cast<const SwiftTransport&>(transport);
        const Time baseRtt = transport.GetBaseRtt(1, 0);
        const auto base = static_cast<double>(swift.GetBaseTarget(baseRtt).GetTimeStep());
        SwiftWindow::Parameters numbers = SWIFT_NUMBERS;
        numbers.scalingRange = 5 * base;
        double low = 0;
        double high = 1e6; // ns
        for (uint32_t i = 0; i < 60; ++i)
        {
            const double delay = (low + high) / 2;
            const double window = delay / 1200 / m_flows; // packets of 1500 bytes at 10 Gbps
            const bool below = delay < SwiftWindow(numbers, base, window).GetTarget(1);
            (below ? low : high) = delay;
        }
        return (low - static_cast<double>(baseRtt.GetTimeStep())) * 10 / 8;
    }

    uint32_t m_flows; //!< number of flows
};

/**
 * @ingroup transport-tests
 * @brief A slow receiving host, which is no congestion of the fabric.
 */
class SwiftEndpointTestCase : public TestCase
{
  public:
    SwiftEndpointTestCase()
        : TestCase("the window for the endpoint holds where the host is slow")
    {
    }

  private:
    /**
     * @brief Windows of a flow to a host that takes 2 us for a packet.
     * @param settings more of them
     * @return the windows after 10 ms
     */
    static SwiftTransport::Windows Measure(const std::string& settings)
    {
        ReliableStar star("swift:ProcessingTime=2us," + settings);
        const FlowId flow = star.Send(0, 1, 0);
        star.Run(MilliSeconds(10));
        return DynamicCast<SwiftTransport>(star.transport)->GetWindows(flow).value();
    }

    void DoRun() override
    {
        // 6.5 us without load, 2 us per packet.
        const auto near = Measure("EndpointTarget=20us");
        NS_TEST_EXPECT_MSG_EQ_TOL(near.endpoint, 26.5 / 2, 2.5, "another target");
        const auto blind = Measure("EndpointGain=0");
        NS_TEST_EXPECT_MSG_GT(blind.endpoint, 56.5, "a delay of weight 0 is never seen");

        ReliableStar star("swift:ProcessingTime=2us");
        const FlowId flow = star.Send(0, 1, 0);
        star.Run(MilliSeconds(5));
        star.delivered.clear();
        star.Run(MilliSeconds(5));
        const double rate = 8 * static_cast<double>(star.delivered[flow]) / 5e-3;
        NS_TEST_EXPECT_MSG_EQ_TOL(rate, 1460 * 8 / 2e-6, 0.01 * rate, "a packet in 2 us");
        const auto windows = DynamicCast<SwiftTransport>(star.transport)->GetWindows(flow).value();
        NS_TEST_EXPECT_MSG_LT(windows.endpoint, windows.fabric, "which window");
        // 50 us in the host and 6.5 us without load, 2 us per packet.
        NS_TEST_EXPECT_MSG_EQ_TOL(windows.endpoint, 56.5 / 2, 4.0, "delay at its target");
        star.transport->StopFlow(flow);
        star.Run(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 1, "stopped with packets in the host");
    }
};

/**
 * @ingroup transport-tests
 * @brief Times of a flow alone, and windows below one packet.
 */
class SwiftAloneTestCase : public TestCase
{
  public:
    SwiftAloneTestCase()
        : TestCase("a flow alone, ideally and with a small window; bad input")
    {
    }

  private:
    void DoRun() override
    {
        {
            ReliableStar star("swift");
            const FlowRequest request{0, 1, 1460 * 500 + 1};
            star.transport->StartFlow(request);
            star.Run(Seconds(1));
            NS_TEST_ASSERT_MSG_EQ(star.finished.size(), 1, "over");
            NS_TEST_EXPECT_MSG_EQ(star.finished[0].acknowledged - star.finished[0].firstSent,
                                  star.transport->GetIdealCompletionTime(request),
                                  "ideal: the first window is more than the link holds");
        }
        {
            // Neither grows nor shrinks: a packet of 6.464 us each 4 times that.
            ReliableStar star("swift:InitialWindow=0.25,AdditiveIncrease=0");
            star.Send(0, 1, 1460 * 11);
            star.Run(Seconds(1));
            NS_TEST_ASSERT_MSG_EQ(star.finished.size(), 1, "over");
            const Time rtt = star.transport->GetBaseRtt(0, 1);
            NS_TEST_EXPECT_MSG_EQ_TOL(
                (star.finished[0].acknowledged - star.finished[0].firstSent).GetNanoSeconds(),
                (41 * rtt).GetNanoSeconds(),
                11,
                "paced");
        }
        for (const auto& [spec, least, most] :
             {std::tuple("swift:MaxWindow=300", 300.0, 300.0),
              std::tuple("swift:MaxWindow=300,WindowValidation=true", 4.0, 11.0)})
        {
            // The link holds five packets, fewer than the first window.
            ReliableStar star(spec);
            const FlowId flow = star.Send(0, 1, 0);
            star.Run(MilliSeconds(100));
            const auto swift = DynamicCast<SwiftTransport>(star.transport);
            const double window = swift->GetWindows(flow).value().fabric;
            NS_TEST_EXPECT_MSG_GT_OR_EQ(window, least, spec);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(window, most, spec);
        }
        for (const std::string spec :
             {"swift:MinWindow=2,MaxWindow=1.5", "swift:ScalingMinWindow=10,ScalingMaxWindow=10"})
        {
            bool thrown = false;
            try
            {
                ReliableStar star(spec);
            }
            catch (const InputError&)
            {
                thrown = true;
            }
            NS_TEST_EXPECT_MSG_EQ(thrown, true, spec);
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief The window gets the attributes that it computes with.
 */
class SwiftAttributesTestCase : public TestCase
{
  public:
    SwiftAttributesTestCase()
        : TestCase("attributes that the window computes with")
    {
    }

  private:
    void DoRun() override
    {
        auto swift = DynamicCast<SwiftTransport>(
            CreateFromSpec<Transport>("transport",
                                      "swift:BaseTargetFactor=1.5,ScalingFactor=3,HopDelay=2us,"
                                      "MaxDecrease=0.3,ResetAfter=7"));
        NS_TEST_EXPECT_MSG_EQ(swift->GetBaseTarget(MicroSeconds(10)), MicroSeconds(15), "target");
        const auto parameters = swift->GetParameters(MicroSeconds(15));
        NS_TEST_EXPECT_MSG_EQ(parameters.scalingRange, 45000, "three targets");
        NS_TEST_EXPECT_MSG_EQ(parameters.hopDelay, 2000, "of a hop");
        NS_TEST_EXPECT_MSG_EQ(parameters.maxDecrease, 0.3, "most of a decrease");
        NS_TEST_EXPECT_MSG_EQ(parameters.resetAfter, 7, "timeouts");
        swift->Dispose();

        // As in the paper: the same target on all paths, but for their hops.
        swift = DynamicCast<SwiftTransport>(
            CreateFromSpec<Transport>("transport", "swift:BaseTarget=20us,ScalingRange=50us"));
        NS_TEST_EXPECT_MSG_EQ(swift->GetBaseTarget(MicroSeconds(10)), MicroSeconds(20), "target");
        NS_TEST_EXPECT_MSG_EQ(swift->GetBaseTarget(MicroSeconds(90)), MicroSeconds(20), "target");
        NS_TEST_EXPECT_MSG_EQ(swift->GetParameters(MicroSeconds(20)).scalingRange, 50000, "range");
        swift->Dispose();
    }
};

/**
 * @ingroup transport-tests
 * @brief Weights: windows in proportion.
 */
class SwiftWeightTestCase : public TestCase
{
  public:
    SwiftWeightTestCase()
        : TestCase("weights 1 and 5 share a link 1 to 5")
    {
    }

  private:
    void DoRun() override
    {
        // Both transports stand at the same hosts.
        ReliableStar star("swift", 3);
        auto heavy = DynamicCast<ReliableTransport>(
            CreateFromSpec<Transport>("transport", "swift:Weight=5"));
        heavy->Join(*star.transport, 1);
        heavy->Attach(star.fabric);
        heavy->AddObserver(&star);
        const FlowId one = star.Send(1, 0, 0);
        const FlowId five = heavy->StartFlow({2, 0, 0});
        star.Run(MilliSeconds(20));
        star.delivered.clear();
        star.Run(MilliSeconds(50));
        const double ratio =
            static_cast<double>(star.delivered[five]) / static_cast<double>(star.delivered[one]);
        NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 5.0, 1.0, "between 4 and 6");
        heavy->Dispose();
    }
};

/**
 * @ingroup transport-tests
 * @brief Tests of SwiftWindow and SwiftTransport.
 */
class SwiftTransportTestSuite : public TestSuite
{
  public:
    SwiftTransportTestSuite()
        : TestSuite("swift-transport", Type::UNIT)
    {
        AddTestCase(new SwiftWindowTestCase);
        AddTestCase(new SwiftAloneTestCase);
        AddTestCase(new SwiftAttributesTestCase);
        AddTestCase(new SwiftFixedPointTestCase(2));
        AddTestCase(new SwiftFixedPointTestCase(8));
        AddTestCase(new SwiftFixedPointTestCase(50));
        AddTestCase(new SwiftEndpointTestCase);
        AddTestCase(new SwiftWeightTestCase);
        AddTestCase(new ReliableLossTestCase("swift"));
        AddTestCase(new ReliableHostDropTestCase("swift"));
        AddTestCase(new ReliableAcknowledgeTestCase("swift"));
        AddTestCase(new ReliableLossTestCase("swift:AcknowledgeEvery=16"));
        AddTestCase(new ReliableLossTestCase("swift:Recovery=GoBackN,ProcessingTime=1us"));
    }
};

static SwiftTransportTestSuite g_swiftTransportTestSuite; //!< registers the suite
