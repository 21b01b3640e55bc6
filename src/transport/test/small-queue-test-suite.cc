/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-test.h"

#include "ns3/random-variable-stream.h"
#include "ns3/udp-transport.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

constexpr uint32_t PACKET = 1500; //!< IP datagram of a full segment

} // namespace

/**
 * @ingroup transport-tests
 * @brief No flow has more than the limit in its port, and the link stays full.
 */
class SmallQueueLimitTestCase : public TestCase
{
  public:
    /**
     * @param flows that share the port
     * @param limit Backlog in bytes
     */
    SmallQueueLimitTestCase(uint32_t flows, uint32_t limit)
        : TestCase(std::to_string(flows) + " flows, " + std::to_string(limit) + " bytes of each"),
          m_flows(flows),
          m_limit(limit)
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t bytes = 4'000'000 / m_flows;
        // A window far above the bandwidth-delay product of 25 kB; no timeout while the port fills.
        HostStar star(CreateLean({{"Backlog", std::to_string(m_limit) + "B"},
                                  {"InitialCwnd", "400"},
                                  {"MinRto", "10ms"},
                                  {"Handshake", "false"}}));
        for (uint32_t flow = 0; flow < m_flows; ++flow)
        {
            star.Send(0, bytes);
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(star.finished, m_flows, "all are over");
        const auto& peak = star.GetWatch().peak;
        NS_TEST_ASSERT_MSG_EQ(peak.size(), m_flows, "each sent");
        for (const auto& [flow, most] : peak)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(most, m_limit, "flow " << flow);
            // The item that leaves is counted out, and another one comes in behind it.
            NS_TEST_EXPECT_MSG_GT(most + PACKET, m_limit - PACKET, "flow " << flow << " uses it");
        }
        // 1460 of 1500 bytes at 10 Gbps, and the packets' first way through: no time is lost.
        const uint64_t packets = (bytes + 1459) / 1460 * m_flows;
        const Time ideal = NanoSeconds(packets * 1200 + 10'000 + 1200);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(star.last, ideal, "the link is never idle");
    }

    uint32_t m_flows; //!< that share the port
    uint32_t m_limit; //!< Backlog in bytes
};

/**
 * @ingroup transport-tests
 * @brief Flows with small queues take turns at the port; without, one waits behind all of another.
 */
class SmallQueueTurnsTestCase : public TestCase
{
  public:
    SmallQueueTurnsTestCase()
        : TestCase("a small flow need not wait behind all of a large one")
    {
    }

  private:
    Time RunWith(const std::string& limit)
    {
        HostStar star(
            CreateLean({{"Backlog", limit}, {"InitialCwnd", "400"}, {"Handshake", "false"}}));
        star.Send(0, 400 * 1460);
        const FlowId small = star.Send(0, 1460);
        Time arrived;
        while (star.delivered[small] == 0)
        {
            Simulator::Stop(MicroSeconds(1));
            Simulator::Run();
            arrived = Simulator::Now();
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        return arrived;
    }

    void DoRun() override
    {
        // 400 packets of 1.2 us first, or the one that leaves at once and four behind it.
        NS_TEST_EXPECT_MSG_EQ(RunWith("never"), MicroSeconds(493), "behind all");
        NS_TEST_EXPECT_MSG_EQ(RunWith("6000B"), MicroSeconds(19), "behind five");
        NS_TEST_EXPECT_MSG_EQ(RunWith("4p"), MicroSeconds(19), "in packets");
        NS_TEST_EXPECT_MSG_EQ(RunWith("4800ns"), MicroSeconds(19), "as time at 10 Gbps");
    }
};

/**
 * @ingroup transport-tests
 * @brief The limit as time at the pacing rate, between two packets and the fixed limit.
 */
class SmallQueueTimeTestCase : public TestCase
{
  public:
    SmallQueueTimeTestCase()
        : TestCase("the limit follows the pacing rate")
    {
    }

  private:
    uint32_t GetPeak(const Attributes& more)
    {
        Attributes attributes{{"Backlog", "128KiB"}, {"MaxWindow", "146000"}};
        attributes.insert(attributes.end(), more.begin(), more.end());
        HostStar star(CreateLean(attributes));
        star.Send(0, 3'000'000);
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        return star.finished == 1 ? star.GetWatch().peak.begin()->second : 0;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetPeak({{"SmallQueueTime", "1ns"}}), 2 * PACKET, "two packets");
        NS_TEST_EXPECT_MSG_EQ(GetPeak({{"MaxPacingRate", "100Mbps"}, {"SmallQueueTime", "1ms"}}),
                              12'500 / PACKET * PACKET,
                              "1 ms at 100 Mbps");
        const uint32_t most = GetPeak({{"SmallQueueTime", "1s"}});
        NS_TEST_EXPECT_MSG_GT(most, 100'000, "no less than the window leaves");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(most, 131072, "the fixed limit");
    }
};

/**
 * @ingroup transport-tests
 * @brief Packets dropped in the host leave its port as well: nothing stands still.
 */
class SmallQueueDropTestCase : public TestCase
{
  public:
    SmallQueueDropTestCase()
        : TestCase("drops in the host's port count as departures")
    {
    }

  private:
    void DoRun() override
    {
        // Eight flows of 9000 bytes into a port of 30 kB, whose link fails for a while as well.
        HostStar star(CreateLean({{"Backlog", "9000B"}, {"InitialCwnd", "50"}}), "30kB");
        for (uint32_t flow = 0; flow < 8; ++flow)
        {
            star.Send(0, 500'000);
        }
        Simulator::Schedule(MicroSeconds(300), &Fabric::SetLinkUp, &star.GetFabric(), 0, false);
        Simulator::Schedule(MicroSeconds(900), &Fabric::SetLinkUp, &star.GetFabric(), 0, true);
        Simulator::Stop(Seconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(star.finished, 8, "all are over");
        const auto& drops = star.GetFabric().GetHost(0).GetNicPort().GetQueueDisc().GetDropCounts();
        NS_TEST_EXPECT_MSG_EQ(drops.size(), 2, "for want of room, and on failure");
    }
};

/**
 * @ingroup transport-tests
 * @brief A UDP flow above the link's rate is pulled: nothing is lost, the port stays small.
 */
class SmallQueueUdpTestCase : public TestCase
{
  public:
    SmallQueueUdpTestCase()
        : TestCase("UDP above the link's rate waits for its port")
    {
    }

  private:
    void DoRun() override
    {
        auto transport = CreateObject<UdpTransport>();
        transport->SetAttribute("Rate", StringValue("40Gbps"));
        transport->SetAttribute("SendBuffer", QueueLimitValue(QueueLimit("3p")));
        HostStar star(transport, "100kB");
        const uint64_t bytes = 1'000 * (PACKET - 28);
        star.Send(0, bytes);
        const FlowId endless = star.Send(0, 0);
        Simulator::Stop(MicroSeconds(2430));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(star.finished, 1, "the first is over");
        // Both have half of the link.
        NS_TEST_EXPECT_MSG_EQ_TOL(star.last, MicroSeconds(2400 + 11), MicroSeconds(5), "at half");
        NS_TEST_EXPECT_MSG_EQ_TOL(star.delivered[endless], bytes, 30U * PACKET, "the other half");
        for (const auto& [flow, most] : star.GetWatch().peak)
        {
            NS_TEST_EXPECT_MSG_EQ(most, 3 * PACKET, "flow " << flow);
        }
        transport->StopFlow(endless);
        NS_TEST_EXPECT_MSG_LT(transport->GetLostPackets(), 20, "but for those on the way");
    }
};

/**
 * @ingroup transport-tests
 * @brief A UDP flow that waited goes on at its rate: it does not catch up in a burst.
 */
class SmallQueueUdpRateTestCase : public TestCase
{
  public:
    SmallQueueUdpRateTestCase()
        : TestCase("UDP that waited goes on at its rate")
    {
    }

  private:
    void DoRun() override
    {
        auto transport = CreateObject<UdpTransport>();
        transport->SetAttribute("Rate", StringValue("5Gbps"));
        transport->SetAttribute("SendBuffer", QueueLimitValue(QueueLimit("2p")));
        HostStar star(transport);
        star.Send(0, 200 * (PACKET - 28));
        // A burst of another sender's packets keeps the port busy for 120 us.
        Simulator::Schedule(MicroSeconds(50), [&star] {
            for (uint32_t i = 0; i < 100; ++i)
            {
                FabricItem* item = FabricItem::Create();
                item->destination = 2;
                item->size = PACKET;
                star.GetFabric().GetHost(0).Send(item);
            }
        });
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        int64_t before = 0;
        uint32_t backToBack = 0;
        uint32_t sent = 0;
        for (const auto& [time, flow] : star.GetWatch().departures)
        {
            if (flow != 0)
            {
                backToBack += sent > 0 && time - before < 2400;
                before = time;
                ++sent;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(sent, 200, "all");
        // Two waited in the port and two more came before the link was idle again. Those that were
        // not sent in the 120 us are 50.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(backToBack, 4, "no burst");
    }
};

/**
 * @ingroup transport-tests
 * @brief Random limits, windows, sizes and buffers, with losses: all bytes are delivered.
 */
class SmallQueuePropertyTestCase : public TestCase
{
  public:
    SmallQueuePropertyTestCase()
        : TestCase("random settings: every byte arrives")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        const auto draw = [&random](uint32_t low, uint32_t high) {
            return random->GetInteger(low, high);
        };
        for (uint32_t run = 0; run < 60; ++run)
        {
            const Attributes attributes{
                {"Backlog", std::to_string(draw(1, 40'000)) + "B"},
                {"SmallQueueTime", draw(0, 1) ? std::to_string(draw(1, 100)) + "us" : "0us"},
                {"InitialCwnd", std::to_string(draw(1, 100))},
                {"Sack", draw(0, 1) ? "true" : "false"},
                {"Pacing", draw(0, 3) == 0 ? "true" : "false"},
                {"DelAckCount", std::to_string(draw(1, 3))}};
            const uint64_t live = FabricItem::GetLiveCount();
            {
                HostStar star(CreateLean(attributes), std::to_string(draw(5, 200)) + "kB");
                uint64_t sum = 0;
                const uint32_t flows = draw(1, 6);
                for (uint32_t flow = 0; flow < flows; ++flow)
                {
                    const uint64_t bytes = draw(1, 300'000);
                    sum += bytes;
                    star.Send(draw(0, 1), bytes);
                }
                Simulator::Stop(Seconds(20));
                Simulator::Run();
                NS_TEST_EXPECT_MSG_EQ(star.finished, flows, "run " << run);
                uint64_t got = 0;
                for (const auto& [flow, bytes] : star.delivered)
                {
                    got += bytes;
                }
                NS_TEST_EXPECT_MSG_EQ(got, sum, "run " << run);
            }
            NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief The suite.
 */
class SmallQueueTestSuite : public TestSuite
{
  public:
    SmallQueueTestSuite()
        : TestSuite("small-queue", Type::UNIT)
    {
        for (const uint32_t flows : {1, 2, 3, 8})
        {
            for (const uint32_t limit : {2 * PACKET, 10 * PACKET, 128 * 1024U})
            {
                AddTestCase(new SmallQueueLimitTestCase(flows, limit), Duration::QUICK);
            }
        }
        AddTestCase(new SmallQueueTurnsTestCase, Duration::QUICK);
        AddTestCase(new SmallQueueTimeTestCase, Duration::QUICK);
        AddTestCase(new SmallQueueDropTestCase, Duration::QUICK);
        AddTestCase(new SmallQueueUdpTestCase, Duration::QUICK);
        AddTestCase(new SmallQueueUdpRateTestCase, Duration::QUICK);
        AddTestCase(new SmallQueuePropertyTestCase, Duration::QUICK);
    }
};

static SmallQueueTestSuite g_smallQueueTestSuite; //!< the suite
