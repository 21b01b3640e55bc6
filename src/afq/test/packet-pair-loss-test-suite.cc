/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What packet-pair flow control does about losses.

#include "packet-pair-test.h"

#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <set>

using namespace ns3;

namespace
{

constexpr int64_t RTT = 12464;                 //!< least RTT of a star in ns
const std::vector<StarLink> TWO_HOSTS{{}, {}}; //!< links of a star

/// @brief A transmission of data: packet number from 0, and which transmission of it from 1.
using Transmission = std::pair<uint64_t, uint32_t>;

} // namespace

/**
 * @ingroup afq-tests
 * @brief Scripted losses: what is sent again, after how long.
 */
class PacketPairScriptedLossTestCase : public TestCase
{
  public:
    /// @brief Losses and what is expected.
    struct Script
    {
        std::string name;            //!< of the case
        uint32_t packets;            //!< of the flow
        std::set<Transmission> lost; //!< data
        uint64_t retransmissions;    //!< expected
        uint64_t timeouts;           //!< expected
        int64_t least;               //!< least increase of the completion time in ns
        int64_t most;                //!< largest
    };

    /**
     * @brief Set up.
     * @param script losses and what is expected
     * @param policy attribute AckPolicy
     */
    PacketPairScriptedLossTestCase(const Script& script, const std::string& policy)
        : TestCase(script.name + ", " + policy),
          m_script(script),
          m_policy(policy)
    {
    }

  private:
    /**
     * @brief Send the flow.
     * @param lost data
     * @return its completion time
     */
    Time Run(const std::set<Transmission>& lost)
    {
        Star star(CreatePacketPair({{"AckPolicy", m_policy}}), TWO_HOSTS);
        std::map<uint64_t, uint32_t> transmissions;
        star.stage.decide = [&](FabricItem*, const SeenPacket& packet) {
            if (packet.isAnswer)
            {
                return WatchingStage::PASS;
            }
            const uint64_t number = packet.segment.sequence / MSS;
            const uint32_t transmission = ++transmissions[number];
            NS_TEST_EXPECT_MSG_EQ(((packet.segment.flags & PacketPairHeader::RETRANSMISSION) != 0),
                                  (transmission > 1),
                                  "flag of retransmissions");
            NS_TEST_EXPECT_MSG_EQ(
                (transmission > 1 && packet.segment.flags & PacketPairHeader::FIRST),
                false,
                "what is sent again is sent alone");
            NS_TEST_EXPECT_MSG_EQ(((packet.segment.flags & PacketPairHeader::LAST) != 0),
                                  (number == m_script.packets - 1),
                                  "flag of the last packet");
            return lost.contains({number, transmission}) ? WatchingStage::DROP
                                                         : WatchingStage::PASS;
        };
        uint64_t again = 0;
        std::vector<std::pair<int64_t, uint64_t>> believed; // bytes in flight at some times
        star.transport->TraceConnectWithoutContext(
            "Retransmission",
            Callback<void, FlowId, uint64_t>([&](FlowId flow, uint64_t) {
                ++again;
                const auto& sender = star.transport->GetConnection(flow)->GetSender();
                believed.emplace_back(Simulator::Now().GetNanoSeconds(), sender.GetBytesInFlight());
            }));
        uint64_t timeouts = 0;
        star.transport->TraceConnectWithoutContext("Timeout", Callback<void, FlowId>([&](FlowId) {
                                                       ++timeouts;
                                                   }));
        star.Send(0, 1, uint64_t{m_script.packets} * MSS);
        Star::RunUntil(Seconds(1));
        if (!lost.empty())
        {
            NS_TEST_EXPECT_MSG_EQ(again, m_script.retransmissions, "retransmissions");
            NS_TEST_EXPECT_MSG_EQ(timeouts, m_script.timeouts, "timeouts");
        }
        if (m_policy == "EveryPacket" && m_script.timeouts == 0)
        {
            CheckBelief(star.stage, lost, believed);
            CheckFastRetransmit(star.stage);
        }
        NS_TEST_EXPECT_MSG_EQ(star.transport->GetRetransmissions(), again, "trace");
        NS_TEST_EXPECT_MSG_EQ(star.transport->GetTimeouts(), timeouts, "trace");
        NS_TEST_EXPECT_MSG_EQ(star.delivered[1], uint64_t{m_script.packets} * MSS, "all bytes");
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 1, "flow completes");
        return star.finished.empty() ? Time(0)
                                     : star.finished[0].acknowledged - star.finished[0].firstSent;
    }

    /**
     * @brief Never is more in flight than the sender believes.
     * @param stage with the packets seen
     * @param lost data
     * @param believed times and bytes
     */
    void CheckBelief(const WatchingStage& stage,
                     const std::set<Transmission>& lost,
                     const std::vector<std::pair<int64_t, uint64_t>>& believed)
    {
        for (const auto& [time, bytes] : believed)
        {
            std::map<uint64_t, uint32_t> transmissions;
            int64_t packets = 0;
            for (const SeenPacket& packet : stage.seen)
            {
                if (packet.isAnswer)
                {
                    packets -= packet.time + 32 + 2500 <= time ? 1 : 0; // it has come
                    continue;
                }
                const uint64_t number = packet.segment.sequence / MSS;
                const bool arrives = !lost.contains({number, ++transmissions[number]});
                packets += arrives && packet.segment.timestamp < time ? 1 : 0;
            }
            NS_TEST_EXPECT_MSG_EQ((static_cast<int64_t>(bytes) >= packets * 1500),
                                  true,
                                  packets << " packets in flight, " << bytes << " bytes believed");
        }
    }

    /**
     * @brief The first packet lost is sent again at the moment that the third packet above it is
     * known to have arrived.
     * @param stage with the packets seen
     */
    void CheckFastRetransmit(const WatchingStage& stage)
    {
        uint32_t above = 0;
        int64_t third = 0;
        int64_t again = 0;
        for (const SeenPacket& packet : stage.seen)
        {
            if (packet.isAnswer && packet.segment.blockEnd > 0 && ++above == 3)
            {
                third = packet.time + 38 + 2500; // when the sender gets its 48 bytes
            }
            if (packet.segment.flags & PacketPairHeader::RETRANSMISSION && !packet.isAnswer &&
                again == 0)
            {
                again = packet.segment.timestamp;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(again, third, "fast retransmit");
    }

    void DoRun() override
    {
        const int64_t increase = (Run(m_script.lost) - Run({})).GetNanoSeconds();
        NS_TEST_EXPECT_MSG_EQ((increase >= m_script.least && increase <= m_script.most),
                              true,
                              "completion time increases by " << increase << " ns");
    }

    Script m_script;      //!< losses and what is expected
    std::string m_policy; //!< attribute AckPolicy
};

/**
 * @ingroup afq-tests
 * @brief Random losses of data and acknowledgments: every byte is delivered once, in order.
 */
class PacketPairRandomLossTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param policy attribute AckPolicy
     * @param loss probability, of data and of acknowledgments
     * @param seed stream of the losses
     */
    PacketPairRandomLossTestCase(const std::string& policy, double loss, int64_t seed)
        : TestCase("random loss of " + std::to_string(loss) + ", " + policy + ", stream " +
                   std::to_string(seed)),
          m_policy(policy),
          m_loss(loss),
          m_seed(seed)
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        {
            Star star(CreatePacketPair({{"AckPolicy", m_policy}}), std::vector<StarLink>(4), "afq");
            auto random = CreateObject<UniformRandomVariable>();
            random->SetStream(m_seed);
            uint64_t lost = 0;
            uint64_t passed = 0;
            star.stage.decide = [&](FabricItem*, const SeenPacket&) {
                star.stage.seen.clear();
                const bool drop = random->GetValue() < m_loss;
                ++(drop ? lost : passed);
                return drop ? WatchingStage::DROP : WatchingStage::PASS;
            };
            // Sizes with and without a short last packet; also many that are start-up alone.
            std::vector<uint64_t> sizes{3000000, 1000 * MSS, 777777};
            for (uint64_t i = 1; i <= 200; ++i)
            {
                sizes.push_back(i * 97 % 5000 + 1);
            }
            for (std::size_t i = 0; i < sizes.size(); ++i)
            {
                Simulator::Schedule(MicroSeconds(i * 20), [&star, &sizes, i] {
                    star.Send(static_cast<uint32_t>(i % 3), 3, sizes[i]);
                });
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_GT(lost, m_loss * passed / 2, "packets are lost");
            NS_TEST_EXPECT_MSG_EQ(star.finished.size(), sizes.size(), "all flows complete");
            for (std::size_t i = 0; i < sizes.size(); ++i)
            {
                // Reassembly delivers in order; the sum tells that nothing came twice or not.
                NS_TEST_EXPECT_MSG_EQ(star.delivered[i + 1], sizes[i], "bytes of flow " << i + 1);
            }
            NS_TEST_EXPECT_MSG_GT(star.transport->GetRetransmissions(), 0, "sent again");
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
    }

    std::string m_policy; //!< attribute AckPolicy
    double m_loss;        //!< probability
    int64_t m_seed;       //!< stream
};

/**
 * @ingroup afq-tests
 * @brief A short last packet is the third one above the loss: fast retransmit, no timeout.
 */
class PacketPairShortThirdTestCase : public TestCase
{
  public:
    PacketPairShortThirdTestCase()
        : TestCase("fast retransmit by a short packet")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t above : {2U, 3U})
        {
            Star star(CreatePacketPair(), TWO_HOSTS);
            const uint64_t lost = 20 - above;
            star.stage.decide = [&](FabricItem*, const SeenPacket& packet) {
                const bool drop = !packet.isAnswer && packet.segment.sequence == (lost - 1) * MSS &&
                                  !(packet.segment.flags & PacketPairHeader::RETRANSMISSION);
                return drop ? WatchingStage::DROP : WatchingStage::PASS;
            };
            star.Send(0, 1, 19 * MSS + 100);
            Star::RunUntil(MilliSeconds(10));
            NS_TEST_EXPECT_MSG_EQ(star.transport->GetRetransmissions(), 1, "once");
            NS_TEST_EXPECT_MSG_EQ(star.transport->GetTimeouts(), (above == 3 ? 0 : 1), "timeout");
            NS_TEST_EXPECT_MSG_EQ(star.delivered[1], 19 * MSS + 100, "all bytes");
        }
    }
};

/**
 * @ingroup afq-tests
 * @brief The timeout doubles until there is progress.
 */
class PacketPairBackoffTestCase : public TestCase
{
  public:
    PacketPairBackoffTestCase()
        : TestCase("timeout: least value, backing off, limit")
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreatePacketPair({{"MaxRto", "1ms"}}), TWO_HOSTS);
        // The last of 10 packets is lost six times.
        std::vector<int64_t> times;
        star.stage.decide = [&](FabricItem*, const SeenPacket& packet) {
            if (packet.isAnswer || packet.segment.sequence != 9 * MSS)
            {
                return WatchingStage::PASS;
            }
            times.push_back(packet.time);
            return times.size() <= 6 ? WatchingStage::DROP : WatchingStage::PASS;
        };
        star.Send(0, 1, 10 * MSS);
        Star::RunUntil(Seconds(1));
        NS_TEST_ASSERT_MSG_EQ(times.size(), 7, "transmissions");
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 1, "flow completes");
        // The first timeout counts from the last acknowledgment, that of packet 8, which was sent
        // just before packet 9.
        NS_TEST_EXPECT_MSG_EQ(times[1] - times[0], 200000 + RTT - 1200, "least timeout");
        const int64_t expected[] = {400000, 800000, 1000000, 1000000, 1000000};
        for (int i = 0; i < 5; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(times[i + 2] - times[i + 1], expected[i], "timeout " << i);
        }
    }
};

/**
 * @ingroup afq-tests
 * @brief Tests of PacketPairTransport with losses.
 */
class PacketPairLossTestSuite : public TestSuite
{
  public:
    PacketPairLossTestSuite()
        : TestSuite("packet-pair-loss", Type::UNIT)
    {
        const int64_t rto = 200000;
        const PacketPairScriptedLossTestCase::Script scripts[] = {
            {"one packet in the middle", 100, {{50, 1}}, 1, 0, 0, 3 * RTT},
            {"a second packet in the middle", 100, {{51, 1}}, 1, 0, 0, 3 * RTT},
            {"three packets of a window", 100, {{50, 1}, {52, 1}, {55, 1}}, 3, 0, 0, 3 * RTT},
            {"a whole pair", 100, {{50, 1}, {51, 1}}, 2, 0, 0, 3 * RTT},
            {"the last pair", 100, {{98, 1}, {99, 1}}, 2, 1, rto, rto + 3 * RTT},
            {"every other packet of a window",
             100,
             {{50, 1}, {52, 1}, {54, 1}, {56, 1}, {58, 1}},
             5,
             0,
             0,
             3 * RTT},
            // By the timeout all else has arrived, and is not sent again.
            {"a retransmission", 100, {{50, 1}, {50, 2}}, 2, 1, rto / 2, rto},
            {"a retransmission twice", 100, {{50, 1}, {50, 2}, {50, 3}}, 3, 2, 2 * rto, 3 * rto},
            // The second timeout is not doubled, for there was progress.
            {"two retransmissions",
             200,
             {{50, 1}, {50, 2}, {150, 1}, {150, 2}, {150, 3}},
             5,
             2,
             rto,
             2 * rto - rto / 2},
        };
        for (const auto& script : scripts)
        {
            AddTestCase(new PacketPairScriptedLossTestCase(script, "EveryPacket"));
            AddTestCase(new PacketPairScriptedLossTestCase(script, "PerPair"));
        }
        // If pairs are acknowledged, the packet before has not been, and is sent again as well.
        AddTestCase(new PacketPairScriptedLossTestCase(
            {"the last packet", 100, {{99, 1}}, 1, 1, rto, rto + 2 * RTT},
            "EveryPacket"));
        AddTestCase(new PacketPairScriptedLossTestCase(
            {"the last packet", 100, {{99, 1}}, 2, 1, rto, rto + 2 * RTT},
            "PerPair"));
        AddTestCase(new PacketPairShortThirdTestCase);
        AddTestCase(new PacketPairBackoffTestCase);
        for (int64_t seed = 1; seed <= 5; ++seed)
        {
            AddTestCase(new PacketPairRandomLossTestCase("EveryPacket", 0.01, seed));
            AddTestCase(new PacketPairRandomLossTestCase("PerPair", 0.01, seed));
        }
        AddTestCase(new PacketPairRandomLossTestCase("EveryPacket", 0.2, 6));
        AddTestCase(new PacketPairRandomLossTestCase("PerPair", 0.2, 7));
    }
};

static PacketPairLossTestSuite g_packetPairLossTestSuite; //!< registers the suite
