/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-test.h"

#include "ns3/flow-hash.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <type_traits>
#include <utility>

using namespace ns3;

/**
 * @ingroup afq-tests
 * @brief Numbers as text, for comparing lists in one go.
 * @param numbers the numbers
 * @param most largest number of them
 * @return the numbers, separated by spaces
 */
static std::string
Join(const std::vector<uint64_t>& numbers, std::size_t most = SIZE_MAX)
{
    std::ostringstream text;
    for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i)
    {
        text << (i ? " " : "") << numbers[i];
    }
    return text.str();
}

/**
 * @ingroup afq-tests
 * @brief Parameters: their defaults, and what is refused.
 */
class AfqParameterTestCase : public QueueDiscTestCase
{
  public:
    AfqParameterTestCase()
        : QueueDiscTestCase("parameters have the paper's values and nonsense is refused")
    {
    }

  private:
    void Check() override
    {
        TestQueue port("afq");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetRound(), 0, "R at first");
        const uint32_t flow = HashFiveTuple(1, 2, 3, 4, 17);
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid(flow), 0, "the sketch is all zero");
        NS_TEST_EXPECT_MSG_EQ(port.Serve(), "", "nothing waits");
        NS_TEST_EXPECT_MSG_EQ(Get("NumQueues"), "32", "nQ");
        NS_TEST_EXPECT_MSG_EQ(Get("BytesPerRound"), "1500", "BpR");
        NS_TEST_EXPECT_MSG_EQ(Get("SketchRows"), "2", "nH");
        NS_TEST_EXPECT_MSG_EQ(Get("SketchColumns"), "16384", "nB");
        NS_TEST_EXPECT_MSG_EQ(Get("EcnRounds"), "8", "ECN threshold");

        CheckRefused("afq:NumQueues=1", "NumQueues");
        CheckRefused("afq:BytesPerRound=0", "BytesPerRound");
        CheckRefused("afq:SketchRows=0", "SketchRows");
        CheckRefused("afq:SketchRows=9", "SketchRows");
        CheckRefused("afq:SketchColumns=0", "SketchColumns");
        CheckRefused("afq:NumQueues=5,Service=TwoGroups", "NumQueues");
        CheckRefused("afq:Service=TwoGroups,RoundSource=Inferred", "RoundSource");
        CheckRefused("afq:MaxSize=30kB,MarkThreshold=30kB", "MarkThreshold");
        CheckRefused("afq:ShadowSketches=2", "ShadowSketches");
        CheckRefused("afq:ShadowSketches=\"2x1024,0x1\"", "ShadowSketches");
        CheckRefused("afq:ShadowSketches=2xmany", "ShadowSketches");
        CheckCounters();
    }

    /// @brief Bids go on beyond 32 bits, and rounds have as many.
    void CheckCounters()
    {
        static_assert(std::is_same_v<decltype(std::declval<AfqQueueDisc>().GetRound()), uint64_t>);
        constexpr uint64_t PACKETS = 75'000;
        constexpr uint16_t SIZE = 60'000;
        TestQueue port("afq:BytesPerRound=60000");
        for (uint64_t i = 0; i < PACKETS; ++i)
        {
            port.Send('A', SIZE);
            port.disc->DequeueItem()->Release();
        }
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid('A'), PACKETS * SIZE, "bytes, above 2^32");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetRound(), PACKETS, "a packet fills a round");
    }

    /**
     * @brief Default of an attribute.
     * @param name the attribute
     * @return its value as text
     */
    static std::string Get(const std::string& name)
    {
        TypeId::AttributeInformation information;
        AfqQueueDisc::GetTypeId().LookupAttributeByName(name, &information);
        return information.initialValue->SerializeToString(information.checker);
    }

    /**
     * @brief A specification is refused in one line that names the attribute.
     * @param spec the specification
     * @param attribute that is wrong in it
     */
    void CheckRefused(const std::string& spec, const std::string& attribute)
    {
        const std::string error = GetInputError([&spec] { TestQueue port(spec); });
        NS_TEST_EXPECT_MSG_NE(error.find(attribute), std::string::npos, spec << ": " << error);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
    }
};

/**
 * @ingroup afq-tests
 * @brief Bids, rounds and the order of service.
 */
class AfqOrderTestCase : public QueueDiscTestCase
{
  public:
    AfqOrderTestCase()
        : QueueDiscTestCase("packets join the round of their bid and leave round by round")
    {
    }

  private:
    void Check() override
    {
        Interleave();
        CatchUp();
        JoinLate();
        Rotate();
        CheckFigure4();
    }

    /// @brief Bursts of two flows.
    void Interleave()
    {
        TestQueue equal("afq");
        equal.SendBurst('A', 3);
        equal.SendBurst('B', 3);
        NS_TEST_EXPECT_MSG_EQ(equal.Serve(), "A1 B1 A2 B2 A3 B3", "equal packets");
        NS_TEST_EXPECT_MSG_EQ(equal.Afq().GetRound(), 3, "R");

        TestQueue mixed("afq");
        mixed.SendBurst('A', 5);
        mixed.SendBurst('B', 12, 500);
        NS_TEST_EXPECT_MSG_EQ(mixed.Serve(),
                              "B1 B2 A1 B3 B4 B5 A2 B6 B7 B8 A3 B9 B10 B11 A4 B12 A5",
                              "a third of the size");
    }

    /// @brief A flow that was idle starts in the current round.
    void CatchUp()
    {
        TestQueue port("afq");
        port.SendBurst('A', 5);
        port.Serve();
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetRound(), 5, "R");
        port.Send('B');
        port.Send('A');
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid('B'), 9000, "bid of the new flow");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid('A'), 9000, "bid of the flow served before");
        NS_TEST_EXPECT_MSG_EQ(Join({port.rounds.end() - 2, port.rounds.end()}), "6 6", "rounds");
    }

    /// @brief New flows among backlogged ones.
    void JoinLate()
    {
        TestQueue port("afq");
        for (char flow : {'A', 'B', 'C', 'D'})
        {
            port.SendBurst(flow, 5);
        }
        port.Serve(6);
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetRound(), 2, "R");
        port.Send('E');
        port.Send('F', 100);
        NS_TEST_EXPECT_MSG_EQ(Join({port.rounds.end() - 2, port.rounds.end()}), "3 2", "rounds");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid('E'), 4500, "bid of E");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid('F'), 3100, "bid of F");
        NS_TEST_EXPECT_MSG_EQ(port.Serve(8), "C2 D2 F1 A3 B3 C3 D3 E1", "F joins round 2");
        // An acknowledgment is a packet like any other.
        port.Send('a', 40);
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid('a'), 3 * 1500 + 40, "R * BpR + 40");
    }

    /// @brief Rotation of four FIFOs.
    void Rotate()
    {
        TestQueue port("afq:NumQueues=4");
        port.SendBurst('A', 3);
        NS_TEST_EXPECT_MSG_EQ(port.Serve(1), "A1", "round 1");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetRound(), 1, "R");
        NS_TEST_EXPECT_MSG_EQ(port.Send('A'), true, "round 4 has FIFO 0");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid('A'), 6000, "bid of A4");
        NS_TEST_EXPECT_MSG_EQ(port.rounds.back(), 4, "round of A4");
        NS_TEST_EXPECT_MSG_EQ(port.Send('A'), false, "round 5 is four ahead");
        for (uint64_t round = 2; round <= 4; ++round)
        {
            NS_TEST_EXPECT_MSG_EQ(port.Serve(1),
                                  std::string("A").append(std::to_string(round)),
                                  "in order");
            NS_TEST_EXPECT_MSG_EQ(port.Afq().GetRound(), round, "R");
        }
        NS_TEST_EXPECT_MSG_EQ(port.Serve(), "", "empty");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetRound(), 4, "R stands still when nothing waits");

        TestQueue skip("afq:NumQueues=8,BytesPerRound=300");
        skip.Send('A'); // round 5; nothing before it
        NS_TEST_EXPECT_MSG_EQ(skip.Serve(1), "A1", "empty rounds are skipped");
        NS_TEST_EXPECT_MSG_EQ(skip.Afq().GetRound(), 5, "R");
    }

    /// @brief An example like the paper's Fig. 4: order within a round is that of arrival.
    void CheckFigure4()
    {
        TestQueue port("afq:NumQueues=4,BytesPerRound=4");
        port.Send('x', 4); // round 1 begins
        port.Serve();
        for (char flow : {'C', 'D'})
        {
            port.Send(flow, 3);
        }
        port.Send('H', 1);
        NS_TEST_EXPECT_MSG_EQ(Join({port.rounds.begin() + 1, port.rounds.end()}), "1 1 1", "round");
        // E, F and I are the second packets of the flows of C, D and H.
        port.Send('C', 3);
        port.Send('D', 3);
        port.Send('H', 3);
        NS_TEST_EXPECT_MSG_EQ(Join(port.rounds), "1 1 1 1 2 2 2", "next round");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid('C'), 10, "bid of E");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid('H'), 8, "bid of I");
        NS_TEST_EXPECT_MSG_EQ(port.Serve(), "C1 D1 H1 C2 D2 H2", "first come within a round");
    }
};

/**
 * @ingroup afq-tests
 * @brief Drops beyond the horizon and at a full buffer.
 */
class AfqDropTestCase : public QueueDiscTestCase
{
  public:
    AfqDropTestCase()
        : QueueDiscTestCase("horizon and buffer drop what arrives and leave no trace")
    {
    }

  private:
    void Check() override
    {
        CheckHorizon();
        CheckRules();
        CheckBuffer();
        CheckOneCell();
    }

    /// @brief One flow's burst.
    void CheckHorizon()
    {
        TestQueue full("afq");
        NS_TEST_EXPECT_MSG_EQ(full.SendBurst('A', 40), 31, "full packets");
        NS_TEST_EXPECT_MSG_EQ(full.rounds.front(), 1, "first round");
        NS_TEST_EXPECT_MSG_EQ(full.rounds.back(), 31, "last round");
        NS_TEST_EXPECT_MSG_EQ(full.Afq().GetBid('A'), 46'500, "the dropped ones count for nothing");
        NS_TEST_EXPECT_MSG_EQ(full.CountDrops(AfqQueueDisc::HORIZON_DROP), 9, "why");

        TestQueue small("afq");
        NS_TEST_EXPECT_MSG_EQ(small.SendBurst('A', 120, 500), 95, "500 bytes");
        NS_TEST_EXPECT_MSG_EQ(Join(small.rounds, 9), "0 0 1 1 1 2 2 2 3", "their rounds");

        TestQueue middle("afq");
        NS_TEST_EXPECT_MSG_EQ(middle.SendBurst('A', 60, 1000), 47, "1000 bytes");
        NS_TEST_EXPECT_MSG_EQ(Join(middle.rounds, 9), "0 1 2 2 3 4 4 5 6", "their rounds");

        // The printed condition takes one more, which falls into the FIFO being served.
        TestQueue literal("afq:HorizonRule=Literal");
        NS_TEST_EXPECT_MSG_EQ(literal.SendBurst('A', 40), 32, "literal");
        NS_TEST_EXPECT_MSG_EQ(literal.Serve(4), "A32 A1 A2 A3", "the last overtakes all others");
        literal.Serve();
    }

    /// @brief Rounds of packets by each RoundRule.
    void CheckRules()
    {
        const auto check = [this](const std::string& rule,
                                  uint32_t bytesPerRound,
                                  uint16_t size,
                                  const std::string& rounds,
                                  uint32_t accepted) {
            TestQueue port("afq:RoundRule=" + rule +
                           ",BytesPerRound=" + std::to_string(bytesPerRound));
            NS_TEST_EXPECT_MSG_EQ(port.SendBurst('A', 120, size), accepted, rule << " " << size);
            const auto shown =
                static_cast<std::size_t>(std::count(rounds.begin(), rounds.end(), ' ') + 1);
            NS_TEST_EXPECT_MSG_EQ(Join(port.rounds, shown), rounds, rule << " " << size);
        };
        check("EndByte", 1500, 1500, "1 2 3 4", 31);
        check("LastByte", 1500, 1500, "0 1 2 3", 32);
        check("StartByte", 1500, 1500, "0 1 2 3", 32);
        check("EndByte", 1500, 500, "0 0 1 1 1 2", 95);
        check("LastByte", 1500, 500, "0 0 0 1 1 1", 96);
        check("StartByte", 1500, 500, "0 0 0 1 1 1", 96);
        check("EndByte", 1500, 1000, "0 1 2 2 3 4 4", 47);
        check("LastByte", 1500, 1000, "0 1 1 2 3 3 4", 48);
        check("StartByte", 1500, 1000, "0 0 1 2 2 3 4", 48);
        // The rule jumps where a packet fills a round.
        check("EndByte", 1501, 1500, "0 1 2 3", 32);
        check("EndByte",
              1448,
              1500,
              "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 29 30 31",
              30);
    }

    /// @brief One buffer for all FIFOs.
    void CheckBuffer()
    {
        TestQueue port("afq:MaxSize=6000B");
        for (char flow : {'A', 'B', 'C', 'D'})
        {
            NS_TEST_EXPECT_MSG_EQ(port.Send(flow), true, "one FIFO may take the whole buffer");
        }
        NS_TEST_EXPECT_MSG_EQ(Join(port.rounds), "1 1 1 1", "one FIFO");
        NS_TEST_EXPECT_MSG_EQ(port.Send('E'), false, "full");
        NS_TEST_EXPECT_MSG_EQ(port.CountDrops(AfqQueueDisc::BUFFER_DROP), 1, "why");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid('E'), 0, "the sketch has not changed");
        port.Serve(1);
        NS_TEST_EXPECT_MSG_EQ(port.Send('E'), true, "room again");
        // The horizon is looked at first.
        TestQueue both("afq:NumQueues=2,MaxSize=1500B");
        both.SendBurst('A', 2);
        NS_TEST_EXPECT_MSG_EQ(both.CountDrops(AfqQueueDisc::HORIZON_DROP), 1, "horizon first");
        NS_TEST_EXPECT_MSG_EQ(both.CountDrops(AfqQueueDisc::BUFFER_DROP), 0, "not the buffer");
    }

    /// @brief A sketch of one cell makes one flow of all.
    void CheckOneCell()
    {
        TestQueue port("afq:SketchRows=1,SketchColumns=1,AuditSketch=true");
        uint32_t accepted = 0;
        for (uint32_t i = 0; i < 80; ++i)
        {
            accepted += port.Send(i % 2 ? 'B' : 'A') ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(accepted, 31, "one bid counter for both");
        // B's first packet got round 2 instead of 1; from then on all but A's first are late.
        const BidAudit& audit = *port.Afq().GetAudit();
        NS_TEST_EXPECT_MSG_EQ(audit.GetAccepted(), 31, "audited");
        NS_TEST_EXPECT_MSG_EQ(audit.GetErrors().front().misestimated, 30, "mis-estimated");

        TestQueue exact("afq:SketchRows=1,SketchColumns=1,BidSource=Exact,"
                        "ShadowSketches=\"1x1,2x16384\"");
        accepted = 0;
        for (uint32_t i = 0; i < 80; ++i)
        {
            accepted += exact.Send(i % 2 ? 'B' : 'A') ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(accepted, 62, "31 packets of each with a perfect sketch");
        const auto errors = exact.Afq().GetAudit()->GetErrors();
        NS_TEST_EXPECT_MSG_EQ(errors.at(0).misestimated, 0, "exact bids are never late");
        NS_TEST_EXPECT_MSG_EQ(errors.at(1).misestimated, 61, "a single cell");
        NS_TEST_EXPECT_MSG_EQ(errors.at(2).misestimated, 0, "cells enough");
        NS_TEST_EXPECT_MSG_EQ_TOL(errors.at(1).expectedAtMost, 61, 1e-9, "bound of a single cell");

        CheckBounds();
    }

    /// @brief Bounds of a flow's chance to collide, of independent and uniform hashes.
    void CheckBounds()
    {
        struct Bound
        {
            uint32_t others;  //!< flows besides the one that is read
            uint32_t rows;    //!< of the sketch
            uint32_t columns; //!< of the sketch
            double percent;   //!< expected
            double tolerance; //!< half of the last digit
        };

        for (const Bound& bound : {Bound{99, 2, 512, 3.10, 0.005},
                                   Bound{99, 2, 1024, 0.850, 0.0005},
                                   Bound{99, 2, 2048, 0.223, 0.0005},
                                   Bound{99, 2, 16384, 0.0036, 0.00005},
                                   Bound{99, 1, 1024, 9.22, 0.005},
                                   Bound{99, 3, 1024, 0.078, 0.0005},
                                   Bound{99, 4, 1024, 0.0072, 0.00005},
                                   Bound{199, 2, 1024, 3.12, 0.005},
                                   Bound{999, 2, 1024, 38.8, 0.05},
                                   Bound{999, 2, 16384, 0.35, 0.005}})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(
                100 * BidAudit::GetCollisionProbability(bound.others, bound.rows, bound.columns),
                bound.percent,
                bound.tolerance,
                bound.others + 1 << " flows, " << bound.rows << " x " << bound.columns);
        }
    }
};

/**
 * @ingroup afq-tests
 * @brief ECN per flow and per port.
 */
class AfqMarkTestCase : public QueueDiscTestCase
{
  public:
    AfqMarkTestCase()
        : QueueDiscTestCase("a flow is marked for its own backlog, for the port's if asked")
    {
    }

  private:
    void Check() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetMarks("afq", 31, 1500), "9-31", "full packets");
        NS_TEST_EXPECT_MSG_EQ(GetMarks("afq", 30, 500), "25-30", "the threshold counts bytes");
        NS_TEST_EXPECT_MSG_EQ(GetMarks("afq:EcnRounds=32", 31, 1500), "", "never");
        // On departure the flow's newest bid counts: 46500 bytes, and round r begins at 1500 r.
        NS_TEST_EXPECT_MSG_EQ(GetMarks("afq:MarkAt=Dequeue", 31, 1500), "1-22", "on departure");

        NS_TEST_EXPECT_MSG_EQ(CountMarksOfShortFlows("afq"), 0, "a long queue of short flows");
        NS_TEST_EXPECT_MSG_EQ(CountMarksOfShortFlows("afq:MarkThreshold=100p"),
                              27,
                              "packets that find 101 to 127");
        NS_TEST_EXPECT_MSG_EQ(GetMarks("afq:MarkThreshold=20p", 31, 1500),
                              "9-31",
                              "the flow's threshold stays");

        TestQueue mute("afq");
        for (uint32_t i = 0; i < 31; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(mute.Send('A', 1500, FabricItem::NOT_ECT), true, "not dropped");
        }
        NS_TEST_EXPECT_MSG_EQ(CountPackets(mute.disc->GetMarkCounts()), 0, "not marked");
    }

    /**
     * @brief Sixteen flows send eight full packets each, which none is marked for.
     * @param spec the discipline
     * @return marks
     */
    uint64_t CountMarksOfShortFlows(const std::string& spec)
    {
        TestQueue port(spec);
        for (char flow = 'a'; flow < 'a' + 16; ++flow)
        {
            port.SendBurst(flow, 8);
        }
        NS_TEST_EXPECT_MSG_EQ(port.disc->GetWaitingPackets(), 128, "all wait");
        return CountPackets(port.disc->GetMarkCounts());
    }

    /**
     * @brief Send one flow's burst through an idle port.
     * @param spec the discipline
     * @param count packets
     * @param size of each in bytes
     * @return the packets that leave with CE, "first-last"; they are in a row
     */
    std::string GetMarks(const std::string& spec, uint32_t count, uint16_t size)
    {
        TestQueue port(spec);
        port.SendBurst('A', count, size);
        std::vector<uint64_t> marked;
        while (FabricItem* item = port.disc->DequeueItem())
        {
            if (item->GetEcn() == FabricItem::CE)
            {
                marked.push_back(item->source);
            }
            item->Release();
        }
        if (marked.empty())
        {
            return "";
        }
        NS_TEST_EXPECT_MSG_EQ(marked.size(), marked.back() - marked.front() + 1, "in a row");
        return std::to_string(marked.front()) + "-" + std::to_string(marked.back());
    }
};

/**
 * @ingroup afq-tests
 * @brief The current round from which FIFOs are empty (Section 4).
 */
class AfqInferenceTestCase : public QueueDiscTestCase
{
  public:
    AfqInferenceTestCase()
        : QueueDiscTestCase("arrivals infer the round from empty FIFOs")
    {
    }

  private:
    void Check() override
    {
        TestQueue port("afq:NumQueues=4,RoundSource=Inferred");
        TestQueue shared("afq:NumQueues=4");
        for (TestQueue* queue : {&port, &shared})
        {
            queue->SendBurst('A', 3);
            NS_TEST_EXPECT_MSG_EQ(Join(queue->rounds), "1 2 3", "rounds of A");
            queue->Serve(2);
        }
        NS_TEST_EXPECT_MSG_EQ(shared.Afq().GetRound(), 2, "what the departures know");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetRound(), 3, "rounds 1 and 2 are empty");
        port.Send('B');
        shared.Send('B');
        NS_TEST_EXPECT_MSG_EQ(port.rounds.back(), 4, "B's round");
        NS_TEST_EXPECT_MSG_EQ(shared.rounds.back(), 3, "B's round if the state is shared");

        TestQueue drained("afq:NumQueues=4,RoundSource=Inferred");
        drained.SendBurst('A', 3);
        drained.Serve();
        NS_TEST_EXPECT_MSG_EQ(drained.Afq().GetRound(), 4, "above all that were assigned");

        CheckRandom();
    }

    /// @brief The inferred round is the one that is served next, whatever came before.
    void CheckRandom()
    {
        TestQueue port("afq:NumQueues=8,RoundSource=Inferred,MaxSize=30kB");
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(3);
        uint64_t last = 0;
        for (uint32_t i = 0; i < 100'000; ++i)
        {
            if (random->GetValue() < 0.52)
            {
                port.Send(static_cast<char>('a' + random->GetInteger(0, 9)),
                          static_cast<uint16_t>(random->GetInteger(40, 1500)));
            }
            else if (port.disc->GetWaitingPackets() > 0)
            {
                const uint64_t inferred = port.Afq().GetRound();
                FabricItem* item = port.disc->DequeueItem();
                const uint64_t served = RoundScheduler::GetRoundOf(*item);
                NS_TEST_ASSERT_MSG_EQ(inferred, served, "the round served next");
                NS_TEST_ASSERT_MSG_GT_OR_EQ(served, last, "rounds are served in order");
                last = served;
                item->Release();
            }
        }
        NS_TEST_EXPECT_MSG_GT(last, 1000, "the test saw too few rounds");
    }
};

/**
 * @ingroup afq-tests
 * @brief The two emulations of rotating strict priority (Section 4).
 */
class AfqEmulationTestCase : public QueueDiscTestCase
{
  public:
    AfqEmulationTestCase()
        : QueueDiscTestCase("deficit round robin and two swapped groups emulate the rotation")
    {
    }

  private:
    void Check() override
    {
        CompareOrder("afq:Service=DeficitRoundRobin", 100'000, true);
        // 34 queues look 34 rounds ahead at least half the time; the load keeps the horizon away.
        CompareOrder("afq:NumQueues=64,Service=TwoGroups", 100'000, false);
        CheckActivationOrder();
        CheckSmallQuantum();
        CheckSwap();
        CheckSwapWhenEmpty();
        CheckPrintedSwap();
    }

    /**
     * @brief A random trace leaves two disciplines in the same order.
     * @param spec the emulation; the original is the same with rotating priority
     * @param steps arrivals and departures
     * @param overload true if packets may be dropped
     */
    void CompareOrder(const std::string& spec, uint32_t steps, bool overload)
    {
        TestQueue original(overload ? "afq" : "afq:NumQueues=64");
        TestQueue emulation(spec);
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(4);
        uint64_t compared = 0;
        for (uint32_t i = 0; i < steps; ++i)
        {
            const uint32_t waiting = original.disc->GetWaitingPackets();
            if (random->GetValue() < (overload ? 0.6 : waiting > 100 ? 0.1 : 0.55))
            {
                const auto flow = static_cast<char>('A' + random->GetInteger(0, 29));
                const auto size = static_cast<uint16_t>(random->GetInteger(40, 1500));
                const bool accepted = original.Send(flow, size);
                NS_TEST_ASSERT_MSG_EQ(emulation.Send(flow, size), accepted, "same drops");
                NS_TEST_ASSERT_MSG_EQ(accepted || overload, true, "no drops were meant");
            }
            else
            {
                const std::string name = original.Serve(1);
                NS_TEST_ASSERT_MSG_EQ(emulation.Serve(1), name, "same order");
                compared += name.empty() ? 0 : 1;
            }
        }
        NS_TEST_EXPECT_MSG_GT(compared, steps / 3, "the test saw too few departures");
    }

    /// @brief Deficit round robin in the order in which queues fill breaks the order of rounds.
    void CheckActivationOrder()
    {
        TestQueue emulation("afq:Service=DeficitRoundRobin");
        emulation.SendBurst('A', 2);
        emulation.Serve();   // R is 2, A's bid 3000
        emulation.Send('A'); // round 3
        emulation.Send('B', 100);
        NS_TEST_EXPECT_MSG_EQ(Join({emulation.rounds.end() - 2, emulation.rounds.end()}),
                              "3 2",
                              "a later round fills first");
        NS_TEST_EXPECT_MSG_EQ(emulation.Serve(), "B1 A3", "index scan");

        // The same packets in queues that are served in the order of activation.
        TestQueue list("drr:Queues=32,Classify=Priority,Quantum=512000");
        for (uint8_t round : {3, 2})
        {
            list.disc->EnqueueItem(MakeTestItem('0' + round, 100, 0, round));
        }
        NS_TEST_EXPECT_MSG_EQ(list.Serve(), "30 20", "activation order sends round 3 first");
    }

    /// @brief A quantum below what a round holds is no emulation.
    void CheckSmallQuantum()
    {
        TestQueue port("afq:Service=DeficitRoundRobin,Quantum=1500");
        for (char flow : {'A', 'B', 'C'})
        {
            port.SendBurst(flow, 2);
        }
        NS_TEST_EXPECT_MSG_EQ(port.Serve(2), "A1 A2", "round 2 before B's packet of round 1");
        port.Serve();
    }

    /// @brief Two groups of two queues.
    void CheckSwap()
    {
        TestQueue port("afq:NumQueues=4,Service=TwoGroups,SwapRule=AtLook");
        NS_TEST_EXPECT_MSG_EQ(port.SendBurst('A', 5), 3, "rounds 1, 2 and 3");
        NS_TEST_EXPECT_MSG_EQ(port.Serve(1), "A1", "round 1: the high group is empty now");
        NS_TEST_EXPECT_MSG_EQ(port.Send('A'), false, "round 4 before the swap");
        Simulator::Stop(MicroSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(port.Send('A'), true, "round 4 after the swap");
        NS_TEST_EXPECT_MSG_EQ(port.rounds.back(), 4, "its round");
        NS_TEST_EXPECT_MSG_EQ(port.Serve(), "A2 A3 A7", "both groups are served");

        // A look that finds the high group at work does not swap.
        TestQueue busy("afq:NumQueues=4,Service=TwoGroups,SwapRule=AtLook");
        busy.SendBurst('A', 3);
        Simulator::Stop(MicroSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(busy.Send('A'), false, "round 4: not swapped");
        NS_TEST_EXPECT_MSG_EQ(busy.Serve(), "A1 A2 A3", "in order");
    }

    /**
     * @brief A port that serves what arrives packet by packet goes on within a period.
     *
     * A full packet that finds the port empty takes a round for itself, whoever sent it. With looks
     * alone the rounds of a group are used up by that, and everybody's packets are dropped.
     */
    void CheckSwapWhenEmpty()
    {
        uint32_t accepted[2] = {0, 0};
        for (const bool atLook : {false, true})
        {
            TestQueue port(std::string("afq:NumQueues=8,Service=TwoGroups,SwapRule=") +
                           (atLook ? "AtLook" : "WhenEmpty"));
            for (uint32_t i = 0; i < 33; ++i) // what 40 Gbps send in 10 us
            {
                accepted[atLook] += port.Send(static_cast<char>('A' + i % 8)) ? 1 : 0;
                port.Serve();
            }
        }
        NS_TEST_EXPECT_MSG_EQ(accepted[false], 33, "swapped when empty");
        NS_TEST_EXPECT_MSG_EQ(accepted[true], 7, "rounds 1 to 7 until the first look");
    }

    /// @brief The printed rule swaps at a look what is not empty: later rounds leave first.
    void CheckPrintedSwap()
    {
        TestQueue port("afq:NumQueues=4,Service=TwoGroups,SwapRule=WhenEmptyOrAtLook");
        port.SendBurst('A', 3);
        Simulator::Stop(MicroSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(port.Serve(), "A2 A3 A1", "round 1 behind rounds 2 and 3");
    }
};

/**
 * @ingroup afq-tests
 * @brief Flows are told apart by 5-tuple and direction.
 */
class AfqFlowTestCase : public QueueDiscTestCase
{
  public:
    AfqFlowTestCase()
        : QueueDiscTestCase("a flow is one 5-tuple in one direction")
    {
    }

  private:
    void Check() override
    {
        const uint32_t data = HashFiveTuple(1, 2, 1000, 80, 17);
        const uint32_t other = HashFiveTuple(1, 2, 1001, 80, 17);
        const uint32_t reverse = HashFiveTuple(2, 1, 80, 1000, 17);
        TestQueue port("afq");
        for (uint32_t i = 0; i < 20; ++i)
        {
            port.disc->EnqueueItem(MakeTestItem(data, 1500));
        }
        port.disc->EnqueueItem(MakeTestItem(reverse, 40));
        port.disc->EnqueueItem(MakeTestItem(other, 1500));
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid(data), 30'000, "data");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid(reverse), 40, "acknowledgments: R * BpR + 40");
        NS_TEST_EXPECT_MSG_EQ(port.Afq().GetBid(other), 1500, "another source port");
        uint32_t seen = 0;
        port.disc->ForEachWaiting([&seen](const FabricItem&) { ++seen; });
        NS_TEST_EXPECT_MSG_EQ(seen, 22, "packets waiting");

        // Where the sketch counts, a jump over idle time is lost and bids fall behind.
        TestQueue counting("afq:SketchUpdate=Increment");
        counting.SendBurst('A', 5);
        counting.Serve();
        counting.Send('B');
        NS_TEST_EXPECT_MSG_EQ(counting.rounds.back(), 6, "its packet is in round 6");
        NS_TEST_EXPECT_MSG_EQ(counting.Afq().GetBid('B'), 1500, "but the sketch says 1500");
    }
};

/**
 * @ingroup afq-tests
 * @brief Test suite of the AFQ discipline.
 */
class AfqQueueDiscTestSuite : public TestSuite
{
  public:
    AfqQueueDiscTestSuite()
        : TestSuite("afq-queue-disc", Type::UNIT)
    {
        AddTestCase(new AfqParameterTestCase);
        AddTestCase(new AfqFlowTestCase);
        AddTestCase(new AfqOrderTestCase);
        AddTestCase(new AfqDropTestCase);
        AddTestCase(new AfqMarkTestCase);
        AddTestCase(new AfqInferenceTestCase);
        AddTestCase(new AfqEmulationTestCase);
    }
};

/// @brief The suite.
static AfqQueueDiscTestSuite g_afqQueueDiscTestSuite;
