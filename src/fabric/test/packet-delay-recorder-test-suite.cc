/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/packet-delay-recorder.h"
#include "ns3/test.h"

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief Delays of lone packets and of packets that meet, computed by hand.
 */
class PacketDelayTestCase : public TestCase
{
  public:
    /// @param forwarding time that a switch takes to forward
    explicit PacketDelayTestCase(Time forwarding)
        : TestCase("network latency and queueing delays, forwarding in " +
                   std::to_string(forwarding.GetMicroSeconds()) + " us"),
          m_forwarding(forwarding)
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork net(
            "fat-tree:K=4,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps,LinkDelay=5us");
        net.fabric->SetAttribute("ForwardingDelay", TimeValue(m_forwarding));
        net.Build();
        const PacketDelayRecorder recorder(*net.fabric, MilliSeconds(1), MilliSeconds(2));
        net.SendAt(Time(0), 0, 15); // outside the measured time
        net.SendAt(MilliSeconds(1), 0, 15);
        net.SendAt(MicroSeconds(1500), 4, 15); // these two meet at the last port only
        net.SendAt(MicroSeconds(1500), 8, 15);
        net.SendAt(MilliSeconds(2), 0, 15); // outside
        Simulator::Run();

        // Five transmissions of 12 us and four links of 5 us between the first and the last switch,
        // and five switches.
        const Time alone = MicroSeconds(80) + 5 * m_forwarding;
        const LatencyHistogram& latency = recorder.GetNetworkLatency();
        NS_TEST_EXPECT_MSG_EQ(latency.GetCount(), 3, "packets in the measured time");
        NS_TEST_EXPECT_MSG_EQ(latency.GetMin(), alone, "lone packet");
        NS_TEST_EXPECT_MSG_EQ(latency.GetMax(), alone + MicroSeconds(12), "behind another one");
        const auto& queueing = recorder.GetQueueingDelays();
        NS_TEST_EXPECT_MSG_EQ(queueing.at("edge-host").GetMax(), MicroSeconds(12), "behind it");
        NS_TEST_EXPECT_MSG_EQ(queueing.at("edge-host").GetMeanNs(), 4000, "one of three");
        for (const std::string role :
             {"edge-aggregation", "aggregation-core", "core-aggregation", "aggregation-edge"})
        {
            NS_TEST_EXPECT_MSG_EQ(queueing.at(role).GetCount(), 3, role);
            NS_TEST_EXPECT_MSG_EQ(queueing.at(role).GetMax(), Time(0), role);
        }
        NS_TEST_EXPECT_MSG_EQ(queueing.contains("host-edge"), false, "hosts do not count");
    }

    Time m_forwarding; //!< time that a switch takes to forward
};

/**
 * @ingroup fabric-tests
 * @brief Packets sent in the order 0 to 5 that arrive in the order 0, 2, 3, 4, 1, 5.
 */
class PacketDisorderTestCase : public TestCase
{
  public:
    PacketDisorderTestCase()
        : TestCase("order of arrival")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork net("leaf-spine:Leaves=2,HostsPerLeaf=6,Spines=2,HostRate=1Gbps,"
                        "FabricRate=1Gbps");
        net.Build();
        const PacketDelayRecorder recorder(*net.fabric, Time(0), Seconds(1));
        const uint16_t host6[] = {3, 6, 1, 0};     // by spine 0
        const uint16_t host6Late[] = {3, 7, 1, 0}; // by spine 1
        const uint16_t others[] = {3, 7, 1, 1};
        // The port to spine 1 is busy for four packets and a third.
        for (uint32_t host = 1; host <= 5; ++host)
        {
            net.Send(host, 7, host == 5 ? 500 : 1500, 0, others);
        }
        for (uint32_t i = 0; i < 6; ++i)
        {
            net.Send(0, 6, 1500, 0, i == 1 ? host6Late : host6);
        }
        Simulator::Run();

        std::vector<uint32_t> order;
        for (const auto& arrival : net.recorder.arrivals)
        {
            if (arrival.destination == 6)
            {
                order.push_back(arrival.sequence - 5);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((order == std::vector<uint32_t>{0, 2, 3, 4, 1, 5}), true, "order");
        const auto& disorder = recorder.GetDisorder();
        NS_TEST_EXPECT_MSG_EQ(disorder.packets, 11, "packets");
        NS_TEST_EXPECT_MSG_EQ(disorder.displacedByThree, 1, "packet 1 is three places late");
        NS_TEST_EXPECT_MSG_EQ(disorder.overtakenByThree, 1, "2, 3 and 4 came before it");
        NS_TEST_EXPECT_MSG_EQ(disorder.displacement, 3, "distance");
    }
};

/**
 * @ingroup fabric-tests
 * @brief All tests.
 */
class PacketDelayRecorderTestSuite : public TestSuite
{
  public:
    PacketDelayRecorderTestSuite()
        : TestSuite("packet-delay-recorder", Type::UNIT)
    {
        AddTestCase(new PacketDelayTestCase(Time(0)));
        AddTestCase(new PacketDelayTestCase(MicroSeconds(25)));
        AddTestCase(new PacketDisorderTestCase);
    }
};

static PacketDelayRecorderTestSuite g_packetDelayRecorderTestSuite; //!< the suite
