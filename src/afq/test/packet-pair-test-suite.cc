/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Start-up, pacing, the receiver and the bytes of packet-pair flow control.

#include "packet-pair-test.h"

#include "ns3/fixed-window-transport.h"
#include "ns3/input-error.h"
#include "ns3/ipv4-header.h"
#include "ns3/packet-pair-header-writer.h"
#include "ns3/packet.h"
#include "ns3/test.h"
#include "ns3/udp-header.h"

#include <set>

using namespace ns3;

namespace
{

constexpr uint32_t FULL = 1500; //!< its IP datagram

/// Delay of each of four links with which two hosts see a least RTT of 10 us at 10 Gbps: twice
/// 1.2 us for a full packet and twice 32 ns for its acknowledgment come on top.
const StarLink RTT_10_US{"10Gbps", NanoSeconds(1884)};

/**
 * @brief Collects what the trace source Estimate tells.
 */
struct Estimates
{
    /// @brief An estimate as noted.
    struct Entry
    {
        int64_t time;    //!< in ns
        double gap;      //!< in ns
        double linkRate; //!< in bit/s
        double rate;     //!< in bit/s
        int64_t minRtt;  //!< in ns
    };

    /**
     * @brief Connect.
     * @param transport to listen to
     * @param flow to listen to; 0: all
     */
    explicit Estimates(Ptr<PacketPairTransport> transport, FlowId flow = 0)
        : only(flow)
    {
        transport->TraceConnectWithoutContext("Estimate", MakeCallback(&Estimates::Note, this));
    }

    /**
     * @brief Trace sink.
     * @param flow of the sender
     * @param estimator of the sender
     */
    void Note(FlowId flow, const PacketPairEstimator& estimator)
    {
        if (only == 0 || flow == only)
        {
            entries.push_back({Simulator::Now().GetNanoSeconds(),
                               estimator.GetGap(),
                               estimator.GetLinkRate(),
                               estimator.GetRate(),
                               estimator.GetMinRtt()});
        }
    }

    FlowId only;                //!< flow that counts
    std::vector<Entry> entries; //!< estimates noted
};

} // namespace

/**
 * @ingroup afq-tests
 * @brief A flow alone: right rate with the first pair, full use of the link from the second RTT on.
 */
class PacketPairAloneTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param discipline of the ports
     */
    explicit PacketPairAloneTestCase(const std::string& discipline)
        : TestCase("a flow alone, " + discipline),
          m_discipline(discipline)
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreatePacketPair(), {{}, {}}, m_discipline);
        Estimates estimates(star.transport);
        const FlowId flow = star.Send(0, 1, 0);
        // Serialisation adds 2.464 us to 10 us.
        const Time rtt = NanoSeconds(12464);
        Star::RunUntil(2 * rtt);
        const uint64_t before = star.delivered[flow];
        Star::RunUntil(2 * rtt + MilliSeconds(1));
        const double goodput = 8.0 * (star.delivered[flow] - before) / 1e-3;
        NS_TEST_ASSERT_MSG_GT(estimates.entries.size(), 300, "pairs acknowledged");
        const auto& first = estimates.entries.front();
        NS_TEST_EXPECT_MSG_EQ(first.time, 12464 + 1200, "RTT and gap");
        NS_TEST_EXPECT_MSG_EQ(first.gap, 1200, "gap of the first pair");
        NS_TEST_EXPECT_MSG_EQ(first.minRtt, 12464, "without the gap");
        for (const auto& entry : estimates.entries)
        {
            NS_TEST_ASSERT_MSG_EQ_TOL(entry.rate, 10e9, 0.01 * 10e9, "rate");
        }
        const double utilisation = goodput / (10e9 * MSS / FULL);
        NS_TEST_EXPECT_MSG_GT(utilisation, 0.97, "from the second RTT on");
        NS_TEST_EXPECT_MSG_EQ(star.transport->GetRetransmissions(), 0, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(star.GetDrops(1), 0, "nothing is dropped");
        const FlowState state = star.transport->GetStates(flow).at(0);
        NS_TEST_EXPECT_MSG_EQ_TOL(state.rate.value(), 10e9, 0.01 * 10e9, "rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(state.alpha.value(), 0, 1e-12, "no marks");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(state.rtt.value(), rtt.GetSeconds(), "RTT");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(state.window.value(), 10e9 / 8 * rtt.GetSeconds(), "a BDP");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(state.inFlight.value(),
                                    state.window.value() + 2 * FULL,
                                    "the pair that is still sent");
        star.transport->StopFlow(flow);
        NS_TEST_EXPECT_MSG_EQ(star.transport->GetStates(flow).size(), 0, "over");
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 1, "observers know");
        NS_TEST_EXPECT_MSG_EQ(star.finished[0].acknowledged, Simulator::Now(), "stopped now");
        NS_TEST_EXPECT_MSG_EQ((star.transport->GetConnection(flow) == nullptr), true, "forgotten");
        const uint64_t sent = star.stage.Select(false).size();
        Star::RunUntil(Simulator::Now() + MilliSeconds(1));
        NS_TEST_EXPECT_MSG_LT(star.stage.Select(false).size(), sent + 5, "nothing more is sent");
    }

    std::string m_discipline; //!< of the ports
};

/**
 * @ingroup afq-tests
 * @brief Three backlogged flows: the first pair tells the newcomer a quarter of the link.
 */
class PacketPairShareTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param discipline of the ports
     * @param gap expected of the first pair in ns
     */
    PacketPairShareTestCase(const std::string& discipline, int64_t gap)
        : TestCase("first pair among three backlogged flows, " + discipline),
          m_discipline(discipline),
          m_gap(gap)
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreatePacketPair(), std::vector<StarLink>(5), m_discipline);
        star.stage.only = 3;
        auto backlog = CreateObject<FixedWindowTransport>();
        backlog->Attach(star.fabric);
        for (uint32_t host = 0; host < 3; ++host)
        {
            backlog->StartFlow({host, 4, 0, 0});
        }
        Star::RunUntil(MicroSeconds(200));
        Estimates estimates(star.transport);
        const FlowId flow = star.Send(3, 4, 0);
        Star::RunUntil(MicroSeconds(260));
        NS_TEST_ASSERT_MSG_GT(estimates.entries.size(), 1, "pairs acknowledged");
        const auto& first = estimates.entries.front();
        NS_TEST_EXPECT_MSG_EQ(first.gap, m_gap, "gap");
        NS_TEST_EXPECT_MSG_EQ_TOL(first.linkRate, 12000e9 / m_gap, 1, "share");
        const auto data = star.stage.Select(false);
        NS_TEST_ASSERT_MSG_GT(data.size(), 4, "packets sent");
        // Sent on the acknowledgment of the first pair, and a period later.
        NS_TEST_EXPECT_MSG_EQ(data[2].time, first.time + 1200 + 2500, "second pair");
        NS_TEST_EXPECT_MSG_EQ(data[3].time, data[2].time + 1200, "back to back");
        NS_TEST_EXPECT_MSG_EQ(data[4].time, data[2].time + 2 * m_gap, "period of pairs");
        star.transport->StopFlow(flow);
        backlog->Dispose();
    }

    std::string m_discipline; //!< of the ports
    int64_t m_gap;            //!< expected
};

/**
 * @ingroup afq-tests
 * @brief Start-up: two packets, then nothing before the pair's acknowledgment or the initial RTO.
 */
class PacketPairStartupTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param name of the case
     * @param lost data packets that are lost, by number from 0
     * @param lostAnswers acknowledgments that are lost, by number from 0
     */
    PacketPairStartupTestCase(const std::string& name,
                              std::set<std::size_t> lost,
                              std::set<std::size_t> lostAnswers)
        : TestCase("start-up: " + name),
          m_lost(std::move(lost)),
          m_lostAnswers(std::move(lostAnswers))
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreatePacketPair(), {{}, {}});
        Estimates estimates(star.transport);
        star.stage.decide = [&](FabricItem*, const SeenPacket& packet) {
            const std::size_t number = star.stage.Select(packet.isAnswer).size();
            const auto& lost = packet.isAnswer ? m_lostAnswers : m_lost;
            return lost.contains(number) ? WatchingStage::DROP : WatchingStage::PASS;
        };
        star.Send(0, 1, 20 * MSS);
        Star::RunUntil(MilliSeconds(20));
        const auto data = star.stage.Select(false);
        NS_TEST_ASSERT_MSG_GT(data.size(), 3, "packets sent");
        NS_TEST_ASSERT_MSG_EQ(estimates.entries.empty(), false, "estimate");
        // The first pair of packets is at the switch 3.7 us after it is sent.
        NS_TEST_EXPECT_MSG_EQ(data[0].time, 3700, "first packet");
        NS_TEST_EXPECT_MSG_EQ(data[1].time, 4900, "second packet");
        const bool survives = m_lost.empty() && m_lostAnswers.empty();
        // A cumulative acknowledgment on the way starts the time anew.
        const bool progress = !m_lost.contains(0) && !m_lostAnswers.contains(0);
        const int64_t third = survives ? 12464 + 1200 : 2500000 + (progress ? 12464 : 0);
        NS_TEST_EXPECT_MSG_EQ(data[2].time, third + 3700, "third packet");
        NS_TEST_EXPECT_MSG_EQ(data[3].time, data[2].time + 1200, "it is one of a pair");
        NS_TEST_EXPECT_MSG_EQ(estimates.entries.front().gap, 1200, "gap");
        const int64_t answered = data[3].time + 1200 + 2500 + 2 * (32 + 2500);
        NS_TEST_EXPECT_MSG_EQ(estimates.entries.front().time,
                              (survives ? 12464 + 1200 : answered),
                              "of the pair that arrives");
        NS_TEST_EXPECT_MSG_EQ(star.transport->GetTimeouts(), (survives ? 0 : 1), "timeouts");
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 1, "flow completes");
        NS_TEST_EXPECT_MSG_EQ(star.delivered[1], 20 * MSS, "all bytes");
    }

    std::set<std::size_t> m_lost;        //!< data
    std::set<std::size_t> m_lostAnswers; //!< acknowledgments
};

/**
 * @ingroup afq-tests
 * @brief Packets of the first pair that come in the wrong order measure nothing; the next pair is
 * sent at once.
 */
class PacketPairReorderedStartupTestCase : public TestCase
{
  public:
    PacketPairReorderedStartupTestCase()
        : TestCase("start-up: packets of the first pair in the wrong order")
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreatePacketPair(), {{}, {}});
        Estimates estimates(star.transport);
        star.stage.decide = [&](FabricItem*, const SeenPacket& packet) {
            return packet.time == 3700 ? WatchingStage::HOLD : WatchingStage::PASS;
        };
        Simulator::Schedule(NanoSeconds(7000), [&] { star.stage.Release(star.GetSwitch(), 1); });
        star.Send(0, 1, 20 * MSS);
        Star::RunUntil(MilliSeconds(20));
        const auto answers = star.stage.Select(true);
        NS_TEST_ASSERT_MSG_EQ(answers.size(), 20, "one per packet");
        NS_TEST_EXPECT_MSG_EQ(answers[0].segment.gap, 0, "the second packet came first");
        NS_TEST_EXPECT_MSG_EQ(answers[1].segment.gap, 0, "the first packet came last");
        NS_TEST_EXPECT_MSG_EQ(answers[3].segment.gap, 1200, "the second pair");
        NS_TEST_EXPECT_MSG_EQ(star.transport->GetTimeouts(), 0, "no timeout");
        NS_TEST_EXPECT_MSG_EQ(star.transport->GetRetransmissions(), 0, "nothing again");
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 1, "flow completes");
    }
};

/**
 * @ingroup afq-tests
 * @brief The bound on bytes in flight, on a path of 10 us: at 10 Gbps (bound 18750) a pair is sent
 * with 18000 bytes in flight and not with 19500, at 2.5 Gbps (4687.5) with 3000 and not with 6000.
 */
class PacketPairBoundTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param receiver link of the receiver
     * @param answers acknowledgments that pass before the others are withheld
     * @param inFlight bytes in flight when the sender stops
     */
    PacketPairBoundTestCase(const StarLink& receiver, std::size_t answers, uint64_t inFlight)
        : TestCase("bound on bytes in flight: " + std::to_string(inFlight) + ", bottleneck " +
                   receiver.rate),
          m_receiver(receiver),
          m_answers(answers),
          m_inFlight(inFlight)
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreatePacketPair(), {{"10Gbps", m_receiver.delay}, m_receiver});
        star.stage.decide = [&](FabricItem*, const SeenPacket& packet) {
            const bool passes = !packet.isAnswer || star.stage.Select(true).size() < m_answers;
            return passes ? WatchingStage::PASS : WatchingStage::HOLD;
        };
        const FlowId flow = star.Send(0, 1, 0);
        const auto release = [&] { star.stage.Release(star.GetSwitch(), 1); };
        // The least timeout has not passed by the end.
        Star::RunUntil(MicroSeconds(100));
        const PacketPairSender& sender = star.transport->GetConnection(flow)->GetSender();
        NS_TEST_EXPECT_MSG_EQ(sender.GetEstimator().GetMinRtt(), 10000, "least RTT");
        NS_TEST_EXPECT_MSG_EQ(sender.GetBytesInFlight(), m_inFlight, "blocked");
        const std::size_t sent = star.stage.Select(false).size();
        NS_TEST_EXPECT_MSG_EQ(sent, m_answers + m_inFlight / FULL, "packets sent");
        // Acknowledgments of one packet each: until the bound is respected nothing is sent, then a
        // pair, at once.
        uint64_t inFlight = m_inFlight;
        Time last;
        while (inFlight > sender.GetEstimator().GetInFlightBound())
        {
            NS_TEST_EXPECT_MSG_EQ(star.stage.Select(false).size(), sent, "still blocked");
            last = Simulator::Now();
            release();
            inFlight -= FULL;
            Star::RunUntil(last + MicroSeconds(8));
        }
        const auto data = star.stage.Select(false);
        NS_TEST_ASSERT_MSG_EQ(data.size(), sent + 2, "a pair");
        const Time expected = last + NanoSeconds(32 + 1200) + 2 * m_receiver.delay;
        NS_TEST_EXPECT_MSG_EQ(data[sent].time, expected.GetNanoSeconds(), "at once");
        NS_TEST_EXPECT_MSG_EQ(data[sent + 1].time, data[sent].time + 1200, "back to back");
        NS_TEST_EXPECT_MSG_EQ(sender.GetBytesInFlight(), inFlight + 2 * FULL, "in flight now");
        while (Simulator::Now() < MicroSeconds(180))
        {
            star.stage.Release(star.GetSwitch(), 100);
            Star::RunUntil(Simulator::Now() + MicroSeconds(1));
        }
    }

    StarLink m_receiver;   //!< link
    std::size_t m_answers; //!< that pass
    uint64_t m_inFlight;   //!< expected
};

/**
 * @ingroup afq-tests
 * @brief A receiver's answers: gaps, duplicates, odd packets, with either policy.
 */
class PacketPairReceiverTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param policy attribute AckPolicy
     */
    explicit PacketPairReceiverTestCase(const std::string& policy)
        : TestCase("receiver, " + policy),
          m_policy(policy)
    {
    }

  private:
    /// @brief Fields of an acknowledgment that are checked.
    struct Answer
    {
        uint64_t packets; //!< acknowledged
        int64_t gap;      //!< in ns

        bool operator==(const Answer&) const = default;
    };

    /**
     * @brief Send a flow of full packets over a link of 2.5 Gbps.
     * @param packets of the flow
     * @param lost packets that are lost the first time, by number from 0
     * @param answers most acknowledgments to look at
     * @param late packet that the next one but one overtakes, by number from 0
     * @return the acknowledgments
     */
    std::vector<Answer> Run(uint32_t packets,
                            const std::set<uint64_t>& lost,
                            std::size_t answers,
                            std::optional<uint64_t> late = {})
    {
        Star star(CreatePacketPair({{"AckPolicy", m_policy}}), {{}, {"2.5Gbps"}});
        star.stage.decide = [&](FabricItem*, const SeenPacket& packet) {
            const uint64_t number = packet.segment.sequence / MSS;
            if (packet.isAnswer || packet.segment.flags & PacketPairHeader::RETRANSMISSION)
            {
                return WatchingStage::PASS;
            }
            if (late && number == *late + 1)
            {
                Simulator::Schedule(NanoSeconds(1),
                                    [&] { star.stage.Release(star.GetSwitch(), 1); });
            }
            return lost.contains(number) ? WatchingStage::DROP
                   : late == number      ? WatchingStage::HOLD
                                         : WatchingStage::PASS;
        };
        star.Send(0, 1, packets * MSS);
        Star::RunUntil(MilliSeconds(10));
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 1, packets << " packets complete");
        std::vector<Answer> result;
        for (const SeenPacket& packet : star.stage.Select(true))
        {
            if (result.size() < answers)
            {
                result.push_back({packet.segment.sequence / MSS, packet.segment.gap});
            }
        }
        return result;
    }

    void DoRun() override
    {
        const bool every = m_policy == "EveryPacket";
        using Answers = std::vector<Answer>;
        // Three packets: a pair and a single one, three acknowledgments and one sample.
        const Answers three =
            every ? Answers{{1, 0}, {2, 4800}, {3, 0}} : Answers{{2, 4800}, {3, 0}};
        NS_TEST_EXPECT_MSG_EQ((Run(3, {}, 99) == three), true, "three packets");
        NS_TEST_EXPECT_MSG_EQ((Run(1, {}, 99) == Answers{{1, 0}}), true, "one packet");
        // The first packet of the second pair is lost: a duplicate without a sample.
        const Answers first =
            every ? Answers{{1, 0}, {2, 4800}, {2, 0}, {2, 0}} : Answers{{2, 4800}, {2, 0}, {2, 0}};
        NS_TEST_EXPECT_MSG_EQ((Run(8, {2}, first.size()) == first), true, "first packet lost");
        // The second packet of the second pair is lost: no sample, then duplicates. The third pair
        // lies above the gap in sequence, and measures all the same.
        const Answers second = every ? Answers{{1, 0}, {2, 4800}, {3, 0}, {3, 0}, {3, 4800}}
                                     : Answers{{2, 4800}, {3, 0}, {3, 4800}};
        NS_TEST_EXPECT_MSG_EQ((Run(8, {3}, second.size()) == second), true, "second packet lost");
        // A first packet and the second one of the next pair are no pair.
        const Answers both =
            every ? Answers{{1, 0}, {2, 4800}, {3, 0}, {3, 0}} : Answers{{2, 4800}, {3, 0}};
        NS_TEST_EXPECT_MSG_EQ((Run(8, {3, 4}, both.size()) == both), true, "two of two pairs lost");
        // What comes between the packets of a pair spoils its gap.
        const Answers late =
            every ? Answers{{1, 0}, {2, 4800}, {3, 0}, {3, 0}, {5, 0}, {6, 0}, {7, 0}, {8, 4800}}
                  : Answers{{2, 4800}, {3, 0}, {5, 0}, {6, 0}, {8, 4800}};
        NS_TEST_EXPECT_MSG_EQ((Run(8, {}, 99, 3) == late), true, "overtaken");
    }

    std::string m_policy; //!< attribute AckPolicy
};

/**
 * @ingroup afq-tests
 * @brief Congestion experienced by either packet of a pair shows in the corresponding answer.
 */
class PacketPairEchoTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param policy attribute AckPolicy
     */
    explicit PacketPairEchoTestCase(const std::string& policy)
        : TestCase("echo of marks, " + policy),
          m_policy(policy)
    {
    }

  private:
    void DoRun() override
    {
        const bool every = m_policy == "EveryPacket";
        // Packets 4 and 9 are marked: a first and a second one.
        Star star(CreatePacketPair({{"AckPolicy", m_policy}}), {{}, {}});
        star.stage.decide = [&](FabricItem* item, const SeenPacket& packet) {
            const uint64_t number = packet.segment.sequence / MSS;
            if (!packet.isAnswer && (number == 4 || number == 9))
            {
                item->SetEcn(FabricItem::CE);
            }
            return WatchingStage::PASS;
        };
        star.Send(0, 1, 20 * MSS);
        Star::RunUntil(MilliSeconds(10));
        for (const SeenPacket& packet : star.stage.seen)
        {
            NS_TEST_EXPECT_MSG_EQ(+packet.ecn,
                                  +(packet.isAnswer ? FabricItem::NOT_ECT : FabricItem::ECT0),
                                  "data is ECN-capable");
        }
        std::set<uint64_t> echoes;
        const auto answers = star.stage.Select(true);
        for (const SeenPacket& answer : answers)
        {
            if (answer.segment.congestion)
            {
                echoes.insert(answer.segment.sequence / MSS);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(answers.size(), (every ? 20 : 10), "acknowledgments");
        const std::set<uint64_t> expected =
            every ? std::set<uint64_t>{5, 10} : std::set<uint64_t>{6, 10};
        NS_TEST_EXPECT_MSG_EQ((echoes == expected), true, "echoes");
    }

    std::string m_policy; //!< attribute AckPolicy
};

/**
 * @ingroup afq-tests
 * @brief Time is inserted inside each pair when a round has more bytes than a packet.
 */
class PacketPairSpacingTestCase : public TestCase
{
  public:
    PacketPairSpacingTestCase()
        : TestCase("spacing inside pairs")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t bytesPerRound : {1500U, 4500U, 9000U})
        {
            Star star(CreatePacketPair({{"BytesPerRound", std::to_string(bytesPerRound)}}),
                      {{}, {}});
            Estimates estimates(star.transport);
            star.Send(0, 1, 101 * MSS);
            Star::RunUntil(MilliSeconds(5));
            const auto data = star.stage.Select(false);
            NS_TEST_ASSERT_MSG_EQ(data.size(), 101, "packets");
            const int64_t gap = bytesPerRound * 4 / 5; // the spacing and the packet itself
            for (std::size_t i = 0; i < 100; i += 2)
            {
                NS_TEST_EXPECT_MSG_EQ(data[i + 1].time - data[i].time, gap, "inside");
            }
            for (std::size_t i = 4; i < 100; i += 2)
            {
                NS_TEST_EXPECT_MSG_EQ(data[i].time - data[i - 2].time, 2 * gap, "period");
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(estimates.entries.back().linkRate,
                                      10e9 * FULL / bytesPerRound,
                                      1,
                                      "the estimate is capped");
            NS_TEST_EXPECT_MSG_EQ(estimates.entries.back().minRtt, 12464, "from the first packet");
            NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 1, "flow completes");
        }
    }
};

/**
 * @ingroup afq-tests
 * @brief Three pairs are skipped when the estimate falls from 10 to 2.5 Gbps; six packets are
 * injected when it rises again, as far as the bound on bytes in flight permits.
 */
class PacketPairRateChangeTestCase : public TestCase
{
  public:
    /// @brief A variant and what is expected of it.
    struct Variant
    {
        std::string compensation; //!< attribute RateChangeCompensation
        std::string cwndFactor;   //!< attribute CwndFactor
        int64_t pause;            //!< longest time without a packet after the fall in ns; 0: any
        std::size_t injected;     //!< packets sent at the moment of the rise
    };

    /**
     * @brief Set up.
     * @param variant to test
     */
    explicit PacketPairRateChangeTestCase(const Variant& variant)
        : TestCase("change of rate: compensation " + variant.compensation + ", CwndFactor " +
                   variant.cwndFactor),
          m_variant(variant)
    {
    }

  private:
    void DoRun() override
    {
        auto transport = CreatePacketPair({{"Gain", "1"},
                                           {"CwndFactor", m_variant.cwndFactor},
                                           {"RateChangeCompensation", m_variant.compensation}});
        Star star(transport, {RTT_10_US, RTT_10_US});
        // For some time the answers tell of another share than there is.
        const int64_t fall = 100000;
        const int64_t rise = 300000;
        star.stage.decide = [&](FabricItem* item, const SeenPacket& packet) {
            auto& gap = item->As<PacketPairSegment>().gap;
            if (packet.isAnswer && gap > 0 && packet.time >= fall && packet.time < rise)
            {
                gap = 4800;
                item->As<PacketPairSegment>().timestamp -= 4800 - 1200; // the RTT has the gap in it
            }
            return WatchingStage::PASS;
        };
        Estimates estimates(transport);
        const FlowId flow = star.Send(0, 1, 0);
        Star::RunUntil(MicroSeconds(400));
        transport->StopFlow(flow);

        int64_t risen = 0;
        for (const auto& entry : estimates.entries)
        {
            risen = entry.time > rise && entry.gap == 1200 && risen == 0 ? entry.time : risen;
        }
        int64_t pause = 0;
        int64_t last = fall;
        std::size_t injected = 0;
        for (const SeenPacket& packet : star.stage.Select(false))
        {
            if (packet.time > fall && packet.time < rise)
            {
                pause = std::max(pause, packet.time - last);
                last = packet.time;
            }
            injected += packet.segment.timestamp == risen ? 1 : 0;
        }
        if (m_variant.pause)
        {
            NS_TEST_EXPECT_MSG_EQ(pause, m_variant.pause, "pause after the fall");
        }
        NS_TEST_EXPECT_MSG_EQ(injected, m_variant.injected, "sent at the rise");
    }

    Variant m_variant; //!< variant under test
};

/**
 * @ingroup afq-tests
 * @brief As bytes, an item is IPv4, UDP and PacketPairHeader of exactly its size and contents.
 */
class PacketPairBytesOfItemsTestCase : public TestCase
{
  public:
    PacketPairBytesOfItemsTestCase()
        : TestCase("items as bytes")
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreatePacketPair(), {{}, {}});
        const PacketPairHeaderWriter writer;
        std::set<uint32_t> sizes;
        star.stage.decide = [&](FabricItem* item, const SeenPacket& seen) {
            auto packet = writer.MakePacket(*item);
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), item->size, "size");
            sizes.insert(packet->GetSize());
            Ipv4Header ip;
            packet->RemoveHeader(ip);
            UdpHeader udp;
            packet->RemoveHeader(udp);
            PacketPairHeader header;
            packet->RemoveHeader(header);
            const PacketPairSegment& segment = seen.segment;
            NS_TEST_EXPECT_MSG_EQ(+ip.GetProtocol(), 17, "UDP");
            NS_TEST_EXPECT_MSG_EQ(+ip.GetTos(), +item->tos, "ToS");
            NS_TEST_EXPECT_MSG_EQ(udp.GetSourcePort(), segment.sourcePort, "source port");
            NS_TEST_EXPECT_MSG_EQ(udp.GetDestinationPort(), segment.destinationPort, "port");
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), segment.length, "payload");
            NS_TEST_EXPECT_MSG_EQ(header.IsAcknowledgment(), seen.isAnswer, "direction");
            const PacketPairSegment read =
                PacketPairHeaderWriter::ToSegment(header,
                                                  segment.sequence + 1000000,
                                                  Simulator::Now());
            NS_TEST_EXPECT_MSG_EQ(read.sequence, segment.sequence, "sequence");
            NS_TEST_EXPECT_MSG_EQ(read.timestamp, segment.timestamp, "time");
            NS_TEST_EXPECT_MSG_EQ(read.gap, segment.gap, "gap");
            NS_TEST_EXPECT_MSG_EQ(read.pair, segment.pair, "pair");
            NS_TEST_EXPECT_MSG_EQ(+read.flags, +segment.flags, "flags");
            NS_TEST_EXPECT_MSG_EQ(read.blockBegin, segment.blockBegin, "block");
            NS_TEST_EXPECT_MSG_EQ(read.blockEnd, segment.blockEnd, "block");
            NS_TEST_EXPECT_MSG_EQ(read.congestion, segment.congestion, "echo");
            const auto payload = star.fabric->GetPayload(*item);
            NS_TEST_EXPECT_MSG_EQ(payload.has_value(), !seen.isAnswer, "only data has payload");
            NS_TEST_EXPECT_MSG_EQ((seen.isAnswer || payload->begin == segment.sequence),
                                  true,
                                  "at");
            // The loss of the fourth packet makes blocks.
            return seen.segment.pair == 2 && seen.segment.flags == 0 ? WatchingStage::DROP
                                                                     : WatchingStage::PASS;
        };
        // Around the point where the time stamps on the wire wrap.
        Simulator::Schedule(NanoSeconds((1LL << 32) - 20000),
                            [&] { star.Send(0, 1, 9 * MSS + 60); });
        Star::RunUntil(Seconds(5));
        NS_TEST_EXPECT_MSG_EQ((sizes == std::set<uint32_t>{40, 48, 100, 1500}), true, "sizes");
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 1, "flow completes");
    }
};

/**
 * @ingroup afq-tests
 * @brief Many short flows: no two share a 5-tuple, and nothing of them remains.
 */
class PacketPairManyFlowsTestCase : public TestCase
{
  public:
    PacketPairManyFlowsTestCase()
        : TestCase("70000 flows one after another")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        const uint32_t flows = 70000;
        {
            Star star(CreatePacketPair(), {{}, {}});
            std::vector<uint64_t> tuples;
            star.stage.decide = [&](FabricItem* item, const SeenPacket& packet) {
                star.stage.seen.clear();
                if (!packet.isAnswer)
                {
                    tuples.push_back(static_cast<uint64_t>(item->source) << 32 |
                                     packet.segment.sourcePort << 16 |
                                     packet.segment.destinationPort);
                }
                return WatchingStage::PASS;
            };
            for (uint32_t i = 0; i < flows; ++i)
            {
                Simulator::Schedule(i * NanoSeconds(200), [&] { star.Send(0, 1, 60); });
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(star.finished.size(), flows, "all complete");
            NS_TEST_EXPECT_MSG_EQ(tuples.size(), flows, "one packet each");
            const std::set<uint64_t> distinct(tuples.begin(), tuples.end());
            NS_TEST_EXPECT_MSG_EQ(distinct.size(), flows, "5-tuples");
            for (FlowId flow = 1; flow <= flows; ++flow)
            {
                NS_TEST_ASSERT_MSG_EQ((star.transport->GetConnection(flow) == nullptr),
                                      true,
                                      "connection is gone");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
    }
};

/**
 * @ingroup afq-tests
 * @brief Errors of measured gaps: within their limit, the same with the same stream.
 */
class PacketPairJitterTestCase : public TestCase
{
  public:
    PacketPairJitterTestCase()
        : TestCase("errors of measured gaps, and wrong input")
    {
    }

  private:
    std::vector<int64_t> Run(int64_t stream)
    {
        auto transport = CreatePacketPair({{"TimestampJitter", "100ns"}});
        Star star(transport, {{}, {}});
        NS_TEST_EXPECT_MSG_EQ(transport->AssignStreams(stream), 1, "one stream");
        star.Send(0, 1, 2000 * MSS);
        Simulator::Run();
        std::vector<int64_t> gaps;
        for (const SeenPacket& answer : star.stage.Select(true))
        {
            if (answer.segment.gap > 0)
            {
                gaps.push_back(answer.segment.gap);
            }
        }
        return gaps;
    }

    void DoRun() override
    {
        const std::vector<int64_t> gaps = Run(7);
        NS_TEST_ASSERT_MSG_EQ(gaps.size(), 1000, "a gap per pair");
        double sum = 0;
        for (const int64_t gap : gaps)
        {
            NS_TEST_EXPECT_MSG_EQ((gap >= 1200 && gap < 1300), true, gap << " ns");
            sum += gap;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / 1000, 1250, 5, "mean");
        NS_TEST_EXPECT_MSG_EQ((Run(7) == gaps), true, "same stream");
        NS_TEST_EXPECT_MSG_EQ((Run(8) == gaps), false, "another stream");

        bool thrown = false;
        try
        {
            auto wrong = CreatePacketPair({{"MinRto", "1ms"}, {"MaxRto", "100us"}});
            wrong->Attach(CreateObject<Fabric>());
        }
        catch (const InputError&)
        {
            thrown = true;
        }
        NS_TEST_EXPECT_MSG_EQ(thrown, true, "InputError");
    }
};

/**
 * @ingroup afq-tests
 * @brief Persistent connections: which flow takes which, and what of the former it begins with.
 */
class PacketPairPersistenceTestCase : public TestCase
{
  public:
    PacketPairPersistenceTestCase()
        : TestCase("persistent connections: who takes which, what is remembered")
    {
    }

  private:
    /// @brief Observations of three flows, the first two at once, the third one later.
    struct Result
    {
        std::size_t tuples; //!< different source ports
        bool ordered;       //!< true if the second flow began when the first was over
        bool remembers;     //!< true if the third had an estimate before its first answer
        double alpha;       //!< of the third before its first answer
    };

    /**
     * @brief Run the flows.
     * @param attributes of the transport
     * @return the observations
     */
    Result Run(const AttributeList& attributes)
    {
        Star star(CreatePacketPair(attributes), {RTT_10_US, RTT_10_US}, "afq");
        star.stage.decide = [](FabricItem* item, const SeenPacket& packet) {
            if (!packet.isAnswer)
            {
                item->SetEcn(FabricItem::CE);
            }
            return WatchingStage::PASS;
        };
        star.Send(0, 1, 100 * MSS + 1);
        star.Send(0, 1, 50 * MSS);
        Result result{};
        Simulator::Schedule(MilliSeconds(2), [&] {
            const FlowId third = star.Send(0, 1, 60 * MSS);
            const auto& estimator =
                star.transport->GetConnection(third)->GetSender().GetEstimator();
            result.remembers = estimator.IsReady();
            result.alpha = estimator.GetAlpha();
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 3, "all finish");
        NS_TEST_EXPECT_MSG_EQ(star.delivered[1], 100 * MSS + 1, "every byte of the first");
        NS_TEST_EXPECT_MSG_EQ(star.delivered[2], 50 * MSS, "every byte of the second");
        NS_TEST_EXPECT_MSG_EQ(star.delivered[3], 60 * MSS, "every byte of the third");
        std::set<uint16_t> ports;
        for (const SeenPacket& packet : star.stage.Select(false))
        {
            ports.insert(packet.segment.sourcePort);
        }
        result.tuples = ports.size();
        result.ordered =
            star.finished[0].id == 1 && star.finished[1].firstSent == star.finished[0].acknowledged;
        return result;
    }

    void DoRun() override
    {
        const Result perFlow = Run({});
        NS_TEST_EXPECT_MSG_EQ(perFlow.tuples, 3, "one per flow");
        NS_TEST_EXPECT_MSG_EQ(perFlow.ordered, false, "side by side");
        NS_TEST_EXPECT_MSG_EQ(perFlow.remembers, false, "nothing is remembered");
        NS_TEST_EXPECT_MSG_EQ_TOL(perFlow.alpha, 0, 1e-12, "nor are marks");
        const Result idle = Run({{"Persistence", "ReuseIdle"}});
        NS_TEST_EXPECT_MSG_EQ(idle.tuples, 2, "the third flow finds an idle one");
        NS_TEST_EXPECT_MSG_EQ(idle.ordered, false, "side by side");
        NS_TEST_EXPECT_MSG_EQ(idle.remembers, true, "what the first has learned");
        NS_TEST_EXPECT_MSG_GT(idle.alpha, 0, "of marks, too");
        const Result limited = Run({{"Persistence", "ReuseIdle"}, {"MostConnections", "1"}});
        NS_TEST_EXPECT_MSG_EQ(limited.tuples, 1, "no more than allowed");
        NS_TEST_EXPECT_MSG_EQ(limited.ordered, true, "the second flow waits");
        const Result roomy = Run({{"Persistence", "ReuseIdle"}, {"MostConnections", "2"}});
        NS_TEST_EXPECT_MSG_EQ(roomy.tuples, 2, "as many as allowed");
        const Result shared = Run({{"Persistence", "Shared"}});
        NS_TEST_EXPECT_MSG_EQ(shared.tuples, 1, "one for all");
        NS_TEST_EXPECT_MSG_EQ(shared.ordered, true, "one flow after the other");
        const Result stale = Run({{"Persistence", "ReuseIdle"}, {"EstimateLifetime", "1ms"}});
        NS_TEST_EXPECT_MSG_EQ(stale.tuples, 2, "the connection stays");
        NS_TEST_EXPECT_MSG_EQ(stale.remembers, false, "the share does not");
        NS_TEST_EXPECT_MSG_EQ_TOL(stale.alpha, idle.alpha, 1e-12, "marks do");
        CheckRound();
        CheckStop();
    }

    /// A remembered estimate saves the round trip of the first pair.
    void CheckRound()
    {
        Star star(CreatePacketPair({{"Persistence", "ReuseIdle"}}), {RTT_10_US, RTT_10_US}, "afq");
        star.Send(0, 1, 20 * MSS);
        Star::RunUntil(MilliSeconds(1));
        star.Send(0, 1, 20 * MSS);
        Simulator::Run();
        const auto life = [&](std::size_t flow) {
            return star.finished[flow].acknowledged - star.finished[flow].firstSent;
        };
        // A round trip of 10 us and the gap, less the time that the pair takes on the link.
        NS_TEST_EXPECT_MSG_EQ((life(0) - life(1)).GetNanoSeconds(), 8800, "no start-up");
    }

    /// A flow is stopped while it waits, another one while it is under way.
    void CheckStop()
    {
        Star star(CreatePacketPair({{"Persistence", "Shared"}}), {{}, {}});
        const FlowId endless = star.Send(0, 1, 0);
        const FlowId waiting = star.Send(0, 1, MSS);
        const FlowId next = star.Send(0, 1, MSS);
        Star::RunUntil(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ((star.transport->GetConnection(waiting) == nullptr), true, "waits");
        star.transport->StopFlow(waiting);
        NS_TEST_ASSERT_MSG_EQ(star.finished.size(), 1, "observers know");
        NS_TEST_EXPECT_MSG_EQ(star.finished[0].id, waiting, "which");
        star.transport->StopFlow(waiting); // over already
        star.transport->StopFlow(endless);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(star.finished.size(), 3, "the third had its turn");
        NS_TEST_EXPECT_MSG_EQ(star.finished[2].id, next, "the last one");
        NS_TEST_EXPECT_MSG_EQ(star.delivered[next], MSS, "delivered");
        NS_TEST_EXPECT_MSG_EQ(star.delivered.count(waiting), 0, "nothing was sent of the other");
    }
};

/**
 * @ingroup afq-tests
 * @brief Tests of PacketPairTransport without losses.
 */
class PacketPairTestSuite : public TestSuite
{
  public:
    PacketPairTestSuite()
        : TestSuite("packet-pair", Type::UNIT)
    {
        AddTestCase(new PacketPairAloneTestCase("drr:Queues=0"));
        AddTestCase(new PacketPairAloneTestCase("afq"));
        AddTestCase(new PacketPairShareTestCase("drr:Queues=0", 4800));
        AddTestCase(new PacketPairShareTestCase("afq", 4800));
        // A round that holds four packets of a flow holds both packets of a pair.
        AddTestCase(new PacketPairShareTestCase("afq:BytesPerRound=6000", 1200));
        AddTestCase(new PacketPairStartupTestCase("nothing is lost", {}, {}));
        AddTestCase(new PacketPairStartupTestCase("both packets are lost", {0, 1}, {}));
        AddTestCase(new PacketPairStartupTestCase("the first packet is lost", {0}, {}));
        AddTestCase(new PacketPairStartupTestCase("the second packet is lost", {1}, {}));
        AddTestCase(new PacketPairStartupTestCase("the pair's answer is lost", {}, {1}));
        AddTestCase(new PacketPairStartupTestCase("both answers are lost", {}, {0, 1}));
        AddTestCase(new PacketPairReorderedStartupTestCase);
        AddTestCase(new PacketPairBoundTestCase(RTT_10_US, 2, 21000));
        AddTestCase(new PacketPairBoundTestCase(RTT_10_US, 3, 19500));
        AddTestCase(new PacketPairBoundTestCase({"2.5Gbps", NanoSeconds(960)}, 2, 6000));
        AddTestCase(new PacketPairReceiverTestCase("EveryPacket"));
        AddTestCase(new PacketPairReceiverTestCase("PerPair"));
        AddTestCase(new PacketPairEchoTestCase("EveryPacket"));
        AddTestCase(new PacketPairEchoTestCase("PerPair"));
        AddTestCase(new PacketPairSpacingTestCase);
        // Pauses count from the second packet of the pair before, 1.2 us after the first.
        AddTestCase(new PacketPairRateChangeTestCase({"false", "100", 9600 - 1200, 0}));
        AddTestCase(new PacketPairRateChangeTestCase({"true", "100", 2400 + 3 * 9600 - 1200, 6}));
        AddTestCase(new PacketPairRateChangeTestCase({"true", "0.5", 0, 3}));
        AddTestCase(new PacketPairBytesOfItemsTestCase);
        AddTestCase(new PacketPairManyFlowsTestCase);
        AddTestCase(new PacketPairJitterTestCase);
        AddTestCase(new PacketPairPersistenceTestCase);
    }
};

static PacketPairTestSuite g_packetPairTestSuite; //!< registers the suite
