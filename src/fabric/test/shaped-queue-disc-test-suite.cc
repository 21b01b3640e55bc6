/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"

#include "ns3/object-spec.h"
#include "ns3/random-variable-stream.h"
#include "ns3/shaped-queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/token-bucket.h"

#include <algorithm>
#include <vector>

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief A shaped discipline on a link of 100 Gbps, and what came through.
 */
class ShapedLink
{
  public:
    /// @brief A packet that came through.
    struct Arrival
    {
        int64_t time;  //!< begin of its transmission, in ns
        uint32_t flow; //!< hash of its flow
        uint16_t size; //!< its bytes
        uint8_t ecn;   //!< its codepoint
    };

    /**
     * @param attributes of the discipline
     */
    explicit ShapedLink(const std::string& attributes)
        : disc(StaticCast<ShapedQueueDisc>(
              CreateFromSpec<FabricQueueDisc>("queue", "shaped:" + attributes))),
          m_link(disc, "100Gbps")
    {
        m_link.onReceive = [this](const FabricItem& item) {
            const int64_t sent =
                Simulator::Now().GetNanoSeconds() - 1000 - (item.size * 8 + 50) / 100;
            arrivals.push_back({sent, item.hash, item.size, static_cast<uint8_t>(item.GetEcn())});
        };
    }

    ~ShapedLink()
    {
        disc->Dispose();
        Simulator::Destroy();
    }

    /**
     * @brief Send packets at a time.
     * @param time in ns
     * @param count number of packets
     * @param priority of each, which is its flow as well
     * @param size of each
     */
    void SendAt(int64_t time, int count, uint8_t priority, uint16_t size = 1500)
    {
        Simulator::Schedule(NanoSeconds(time) - Simulator::Now(), [this, count, priority, size] {
            for (int i = 0; i < count; ++i)
            {
                m_link.port.Send(MakeTestItem(priority, size, FabricItem::ECT0, priority));
            }
        });
    }

    /// @return the link's port
    FabricPort& GetPort()
    {
        return m_link.port;
    }

    Ptr<ShapedQueueDisc> disc;     //!< the discipline
    std::vector<Arrival> arrivals; //!< packets that came through

  private:
    TestLink m_link; //!< the link
};

/**
 * @ingroup fabric-tests
 * @brief Departures to the nanosecond.
 */
class ShapedRateTestCase : public QueueDiscTestCase
{
  public:
    ShapedRateTestCase()
        : QueueDiscTestCase("departures to the nanosecond, at rates that change")
    {
    }

  private:
    void Check() override
    {
        {
            // 50 Gbps: two packets of the bucket at once, then one every 240 ns, less what came
            // while the first one was on the wire.
            ShapedLink link("Rates=50Gbps,Inner=\"drop-tail:MaxSize=4MB\"");
            link.SendAt(0, 1000, 0);
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(link.arrivals.size(), 1000, "all come through");
            NS_TEST_EXPECT_MSG_EQ(link.arrivals[1].time, 120, "the bucket");
            for (int64_t i = 2; i < 1000; ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(link.arrivals[i].time, (i - 1) * 240, "packet " << i);
            }
        }
        {
            // Both at 50 Gbps fill the link in turns.
            ShapedLink link("Rates=\"50Gbps,50Gbps\",Classifier=(table:Map=(0=1,1=2))");
            link.SendAt(0, 200, 0);
            link.SendAt(0, 200, 1);
            Simulator::Run();
            for (int64_t i = 4; i < 399; ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(link.arrivals[i].flow, 1 - link.arrivals[i - 1].flow, i);
                NS_TEST_ASSERT_MSG_EQ(link.arrivals[i].time, 120 * i, "no gap");
            }
        }
        {
            // Rates change while packets wait; 0 stops them.
            ShapedLink link("Rates=1Gbps,Depth=1500");
            link.SendAt(0, 5, 0);
            Simulator::Schedule(NanoSeconds(6'000),
                                [&link] { link.disc->SetRate(1, DataRate("2Gbps")); });
            Simulator::Schedule(NanoSeconds(10'000),
                                [&link] { link.disc->SetRate(1, DataRate(0)); });
            Simulator::Schedule(NanoSeconds(100'000),
                                [&link] { link.disc->SetRate(1, DataRate("1Gbps")); });
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(link.arrivals.size(), 5, "all come through");
            // 750 bytes at 1 Gbps and 750 at 2 Gbps; 250 bytes are earned before the stop.
            NS_TEST_EXPECT_MSG_EQ(link.arrivals[1].time, 9'000, "faster");
            NS_TEST_EXPECT_MSG_EQ(link.arrivals[2].time, 110'000, "after a stop");
            NS_TEST_EXPECT_MSG_EQ(link.arrivals[3].time, 122'000, "then every 12 us");
        }
        {
            // The queue's own marks, and packets that can never leave.
            ShapedLink link("Rates=1Gbps,Inner=\"step-mark:MaxSize=409600B,MarkThreshold=81920B\"");
            link.SendAt(0, 60, 0);
            link.SendAt(0, 1, 0, 3001);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(link.arrivals.size(), 60, "too long a packet is dropped");
            // All but the first wait: the 57th is the first to find 55 packets, 82500 bytes.
            const auto marked = [](const ShapedLink::Arrival& arrival) {
                return arrival.ecn == FabricItem::CE;
            };
            NS_TEST_EXPECT_MSG_EQ(std::find_if(link.arrivals.begin(), link.arrivals.end(), marked) -
                                      link.arrivals.begin(),
                                  56,
                                  "first mark");
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief Random packets of many classes against token buckets.
 */
class ShapedModelTestCase : public QueueDiscTestCase
{
  public:
    ShapedModelTestCase()
        : QueueDiscTestCase("random classes keep to their buckets and waste nothing")
    {
    }

  private:
    static constexpr uint32_t CLASSES = 20;

    void Check() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        std::string rates;
        std::string map;
        std::vector<DataRate> rateOf(1);
        for (uint32_t i = 1; i <= CLASSES; ++i)
        {
            const uint32_t mbps = random->GetInteger(10, 2000);
            rateOf.emplace_back(uint64_t{mbps} * 1'000'000);
            rates += (i > 1 ? "," : "") + std::to_string(mbps) + "Mbps";
            map += (i > 1 ? "," : "") + std::to_string(i) + "=" + std::to_string(i);
        }
        ShapedLink link("Rates=\"" + rates + "\",Classifier=(table:Map=(" + map +
                        ")),Inner=\"drop-tail:MaxSize=1MB\"");
        std::vector<uint64_t> sent(CLASSES + 1);
        for (int i = 0; i < 5000; ++i)
        {
            const auto number = static_cast<uint8_t>(random->GetInteger(0, CLASSES));
            const auto size = static_cast<uint16_t>(random->GetInteger(64, 1500));
            link.SendAt(random->GetInteger(0, 1'000'000), 1, number, size);
            sent[number] += size;
        }
        std::vector<TokenBucket> buckets;
        for (const DataRate& rate : rateOf)
        {
            buckets.emplace_back(rate, 3000);
        }
        Simulator::Run();
        std::vector<uint64_t> received(CLASSES + 1);
        std::vector<double> last(CLASSES + 1);
        uint32_t early = 0;
        for (const auto& [time, number, size, ecn] : link.arrivals)
        {
            early += number > 0 && !buckets[number].Take(time, size);
            received[number] += size;
            last[number] = static_cast<double>(time);
        }
        NS_TEST_EXPECT_MSG_EQ(early, 0, "packets before their time");
        NS_TEST_EXPECT_MSG_EQ((received == sent), true, "all bytes come through");
        uint32_t backlogged = 0;
        for (uint32_t i = 1; i <= CLASSES; ++i)
        {
            if (last[i] < 1'500'000)
            {
                continue;
            }
            // It had a backlog to the end, and so has used nearly all that its bucket earned.
            const double earned = static_cast<double>(rateOf[i].GetBitRate()) * last[i] / 8e9;
            NS_TEST_EXPECT_MSG_GT(static_cast<double>(sent[i]), earned * 0.95, "class " << i);
            ++backlogged;
        }
        NS_TEST_EXPECT_MSG_GT(backlogged, 5, "some had a backlog");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Failures, timers, what waits.
 */
class ShapedHomeTestCase : public QueueDiscTestCase
{
  public:
    ShapedHomeTestCase()
        : QueueDiscTestCase("flushing, snapshots, nested shapers; no timer while idle")
    {
    }

  private:
    void Check() override
    {
        {
            ShapedLink link("Rates=1Gbps");
            link.SendAt(0, 10, 0);
            Simulator::Stop(NanoSeconds(1));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(link.disc->GetWaitingPackets(), 9, "one is on the wire");
            Simulator::Stop(NanoSeconds(12'500));
            Simulator::Run();
            uint32_t visited = 0;
            link.disc->ForEachWaiting([&visited](const FabricItem&) { ++visited; });
            NS_TEST_EXPECT_MSG_EQ(visited, link.disc->GetWaitingPackets(), "items seen");
            const uint32_t waiting = link.disc->GetWaitingPackets();
            link.GetPort().SetUp(false);
            NS_TEST_EXPECT_MSG_EQ(link.disc->GetWaitingPackets(), 0, "nothing waits");
            NS_TEST_EXPECT_MSG_EQ(CountPackets(link.disc->GetDropCounts()), waiting, "flushed");
            link.GetPort().SetUp(true);
            Simulator::Run();
            link.arrivals.clear();
            link.SendAt(100'000, 3, 0);
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(link.arrivals.size(), 3, "works again");
            NS_TEST_EXPECT_MSG_EQ(link.arrivals[0].time, 100'000, "at once");
        }
        {
            // 1 Gbps within 500 Mbps: the inner one lets packets go later than the outer one asks.
            ShapedLink link("Rates=1Gbps,Depth=1500,Inner=\"shaped:Rates=500Mbps,Depth=1500\"");
            link.SendAt(0, 4, 0);
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(link.arrivals.size(), 4, "all come through");
            NS_TEST_EXPECT_MSG_EQ(link.arrivals[3].time, 72'000, "every 24 us");
        }
        {
            // Two meters of 30 Gbps before one shaper of 50 Gbps (Nimble).
            auto disc = CreateFromSpec<FabricQueueDisc>(
                "queue",
                "metered:Classifier=(table:Map=(0=1,1=2)),Red=Drop,Meters=\"logical:Rate=30Gbps,"
                "YellowBurst=9000,RedBurst=9000;logical:Rate=30Gbps,YellowBurst=9000,RedBurst="
                "9000\","
                "Inner=(shaped:Rates=50Gbps,Inner=(drop-tail:MaxSize=409600B))");
            TestLink link(disc, "100Gbps");
            uint64_t received = 0;
            link.onReceive = [&received](const FabricItem& item) { received += item.size; };
            for (int64_t time = 0; time < 3'000'000; time += 300) // 40 Gbps each
            {
                Simulator::Schedule(NanoSeconds(time), [&link] {
                    link.port.Send(MakeTestItem(1, 1500, FabricItem::ECT0, 0));
                    link.port.Send(MakeTestItem(2, 1500, FabricItem::ECT0, 1));
                });
            }
            Simulator::Stop(NanoSeconds(3'000'000));
            Simulator::Run();
            const double expected = 3e6 * 50 / 8;
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(received), expected, 5000, "50 Gbps");
            Simulator::Run();
            disc->Dispose();
            Simulator::Destroy();
        }
        // With nothing to shape there is no event but transmission and arrival.
        ShapedLink link("Rates=1Gbps");
        for (int64_t i = 0; i < 100; ++i)
        {
            link.SendAt(20'000 * i, 1, 0);
        }
        const uint64_t before = Simulator::GetEventCount();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount() - before, 200, "sends and arrivals");

        NS_TEST_EXPECT_MSG_EQ(GetInputError([] { ShapedLink("Rates=fast"); }).substr(0, 38),
                              "ns3::ShapedQueueDisc::Rates = 'fast': ",
                              "no rate");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Shaped disciplines.
 */
class ShapedQueueDiscTestSuite : public TestSuite
{
  public:
    ShapedQueueDiscTestSuite()
        : TestSuite("shaped-queue-disc", Type::UNIT)
    {
        AddTestCase(new ShapedRateTestCase);
        AddTestCase(new ShapedModelTestCase);
        AddTestCase(new ShapedHomeTestCase);
    }
};

static ShapedQueueDiscTestSuite g_shapedQueueDiscTestSuite; ///< the suite
