/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme-test-network.h"

#include "ns3/dcqcn-transport.h"
#include "ns3/jain-index.h"
#include "ns3/priority-flow-control.h"
#include "ns3/test.h"

#include <cmath>
#include <functional>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Packets dropped at all ports.
 * @param fabric the fabric
 * @return number of packets
 */
uint64_t
CountFabricDrops(Fabric& fabric)
{
    uint64_t drops = 0;
    fabric.ForEachPort([&drops](FabricPort& port) {
        for (const auto& count : port.GetQueueDisc().GetDropCounts())
        {
            drops += count.packets;
        }
    });
    return drops;
}

/// @brief The fixed point of DCQCN's fluid model (Zhu et al., SIGCOMM 2015, Equations 5 to 9).
struct FixedPoint
{
    double probability;   //!< of a mark
    double queue;         //!< bytes
    double notifications; //!< of each flow, per second
};

/**
 * @brief Solve the fluid model for its fixed point, with the standard parameters.
 * @param flows number of flows
 * @param capacity packets per second
 * @param size of a packet in bytes
 * @return the fixed point
 */
FixedPoint
SolveFluidModel(double flows, double capacity, double size)
{
    constexpr double TAU = 50e-6;    // from notification to notification
    constexpr double PERIOD = 55e-6; // of alpha and of the timer
    constexpr double F = 5;
    const double counter = 10e6 / size;    // B in packets
    const double step = 40e6 / (8 * size); // R_AI in packets per second
    const double rate = capacity / flows;  // R_C
    const double timer = PERIOD * rate;    // T R_C in packets
    const auto excess = [&](double p) {
        const double cut = 1 - std::pow(1 - p, TAU * rate);
        const double alpha = 1 - std::pow(1 - p, PERIOD * rate);
        const double byBytes = p / (std::pow(1 - p, -counter) - 1);
        const double byTime = p / (std::pow(1 - p, -timer) - 1);
        const double difference = alpha * cut / (TAU * (byBytes + byTime)); // R_T - R_C, Equation 9
        const double raised =
            step * rate *
            (std::pow(1 - p, F * counter) * byBytes + std::pow(1 - p, F * timer) * byTime);
        return difference * cut / TAU - raised; // Equation 8
    };
    double low = 1e-7;
    double high = 0.5;
    for (uint32_t i = 0; i < 100; ++i)
    {
        const double middle = std::sqrt(low * high);
        (excess(middle) > 0 ? high : low) = middle;
    }
    return {low, 5000 + low / 0.01 * 195000, (1 - std::pow(1 - low, TAU * rate)) / TAU};
}

} // namespace

/**
 * @ingroup schemes-tests
 * @brief Two flows share a port, around the fixed point of the fluid model.
 */
class DcqcnFixedPointTestCase : public TestCase
{
  public:
    DcqcnFixedPointTestCase()
        : TestCase("two flows at 40 Gbps rest where the fluid model does")
    {
    }

  private:
    void DoRun() override
    {
        SchemeTestNetwork network("dcqcn",
                                  "single-switch:Hosts=3,HostRate=40Gbps,LinkDelay=1us",
                                  "");
        auto transport = DynamicCast<DcqcnTransport>(network.m_transport);
        transport->StartFlow({0, 2, 0});
        Simulator::Stop(MilliSeconds(5)); // the second one finds the link full
        Simulator::Run();
        transport->StartFlow({1, 2, 0});
        Simulator::Stop(MilliSeconds(40));
        Simulator::Run();
        network.m_delivered.clear();
        const uint64_t before = transport->GetNotifications();
        double queue = 0;
        uint32_t samples = 0;
        const FabricPort& port = network.m_fabric->GetSwitch(0).GetPort(2);
        const Time duration = MilliSeconds(40);
        for (Time time; time < duration; time += MicroSeconds(10), ++samples)
        {
            Simulator::Stop(MicroSeconds(10));
            Simulator::Run();
            queue += port.GetWaitingBytes();
        }
        queue /= samples;
        const double seconds = duration.GetSeconds();
        const double notifications =
            static_cast<double>(transport->GetNotifications() - before) / 2 / seconds;
        const double goodput =
            8 * static_cast<double>(network.m_delivered[1] + network.m_delivered[2]) / seconds;
        const FixedPoint expected = SolveFluidModel(2, 40e9 / 8 / 1068, 1068);
        NS_TEST_EXPECT_MSG_EQ_TOL(expected.probability, 0.83e-3, 0.01e-3, "solved");
        NS_TEST_EXPECT_MSG_EQ_TOL(notifications,
                                  expected.notifications,
                                  0.15 * expected.notifications,
                                  "notifications per second");
        // Its swing is larger than the queue, which cannot be negative: on average it is longer.
        NS_TEST_EXPECT_MSG_EQ_TOL(queue, expected.queue, 0.4 * expected.queue, "queue in bytes");
        NS_TEST_EXPECT_MSG_GT(goodput, 0.98 * 40e9 * 1024 / 1068, "the link is full");
        const std::vector<double> shares{static_cast<double>(network.m_delivered[1]),
                                         static_cast<double>(network.m_delivered[2])};
        NS_TEST_EXPECT_MSG_GT(JainIndex(shares), 0.99, "fair");
        NS_TEST_EXPECT_MSG_EQ(CountFabricDrops(*network.m_fabric), 0, "nothing is lost");
    }
};

/**
 * @ingroup schemes-tests
 * @brief An incast at full rate: flow control, or go-back-N, brings every byte home.
 */
class DcqcnIncastTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param scheme specification
     * @param lossless true if nothing may be lost
     */
    DcqcnIncastTestCase(const std::string& scheme, bool lossless)
        : TestCase("incast, " + scheme),
          m_scheme(scheme),
          m_lossless(lossless)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t SENDERS = 20;
        SchemeTestNetwork network(m_scheme,
                                  "single-switch:Hosts=21,HostRate=10Gbps,LinkDelay=1us",
                                  "");
        auto transport = DynamicCast<DcqcnTransport>(network.m_transport);
        for (uint32_t sender = 0; sender < SENDERS; ++sender)
        {
            transport->StartFlow({sender, SENDERS, 200'000});
        }
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.m_finished, SENDERS, "all are over");
        for (const auto& [flow, bytes] : network.m_delivered)
        {
            NS_TEST_EXPECT_MSG_EQ(bytes, 200'000, "all bytes, once");
        }
        const uint64_t again = transport->CountRetransmissions().value();
        NS_TEST_EXPECT_MSG_EQ((CountFabricDrops(*network.m_fabric) == 0), m_lossless, "losses");
        NS_TEST_EXPECT_MSG_EQ((again == 0), m_lossless, "sent again");
        const auto control = DynamicCast<PriorityFlowControl>(network.m_fabric->GetFlowControl());
        NS_TEST_EXPECT_MSG_EQ((control && control->GetPauses() > 0), m_lossless, "pauses");
    }

    std::string m_scheme; //!< specification
    bool m_lossless;      //!< true if nothing may be lost
};

/**
 * @ingroup schemes-tests
 * @brief Tests of DCQCN in a network.
 */
class DcqcnSchemeTestSuite : public TestSuite
{
  public:
    DcqcnSchemeTestSuite()
        : TestSuite("dcqcn-scheme", Type::SYSTEM)
    {
        AddTestCase(new DcqcnFixedPointTestCase);
        AddTestCase(new DcqcnIncastTestCase("dcqcn:FlowControl=(priority:Buffer=30000B)", true));
        AddTestCase(new DcqcnIncastTestCase("dcqcn:FlowControl=none", false));
    }
};

static DcqcnSchemeTestSuite g_dcqcnSchemeTestSuite; //!< registers the suite
