/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-test.h"

#include "ns3/ideal-fq-queue-disc.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

using namespace ns3;

/**
 * @ingroup afq-tests
 * @brief A million random arrivals at one AFQ port: what must hold at every step.
 */
class AfqInvariantTestCase : public QueueDiscTestCase
{
  public:
    /**
     * @param spec the discipline
     * @param queues its number of FIFOs
     * @param bytesPerRound its BpR
     */
    AfqInvariantTestCase(const std::string& spec, uint32_t queues, uint32_t bytesPerRound)
        : QueueDiscTestCase("invariants over random arrivals: " + spec),
          m_spec(spec),
          m_queues(queues),
          m_bytesPerRound(bytesPerRound)
    {
    }

  private:
    static constexpr uint32_t FLOWS = 24;     //!< flows that send
    static constexpr uint32_t LARGEST = 1500; //!< packet in bytes

    /// @brief A packet as the test remembers it.
    struct Waiting
    {
        uint64_t bid;
        uint64_t round;
        uint32_t flow;
        uint32_t size;
    };

    void Check() override
    {
        TestQueue port(m_spec);
        port.Afq().TraceConnectWithoutContext("ItemEnqueue",
                                              MakeCallback(&AfqInvariantTestCase::Note, this));
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(6);
        std::vector<uint64_t> held(FLOWS);     // bytes of each flow
        std::vector<uint32_t> expected(FLOWS); // number of its next packet to leave
        std::vector<uint32_t> lastNumber(FLOWS);
        std::vector<std::set<uint32_t>> dropped(FLOWS);
        uint64_t accepted = 0;
        uint64_t served = 0;
        uint64_t lastRound = 0;
        constexpr uint64_t ARRIVALS = 1'000'000;
        for (uint64_t arrivals = 0; arrivals < ARRIVALS;)
        {
            // Bursts and droughts: the port runs full and runs empty.
            const bool busy = arrivals / 5000 % 2 == 0;
            if (random->GetValue() < (busy ? 0.56 : 0.46))
            {
                const uint32_t flow = random->GetInteger(0, random->GetInteger(0, FLOWS - 1));
                FabricItem* item =
                    MakeTestItem(flow, static_cast<uint16_t>(random->GetInteger(40, LARGEST)));
                const uint32_t size = item->size;
                item->source = ++lastNumber[flow];
                ++arrivals;
                if (port.disc->EnqueueItem(item))
                {
                    ++accepted;
                    held[flow] += size;
                    m_waiting.push_back({m_bid, m_round, flow, size});
                    // Its bids span nQ rounds, and its first packet may have begun before them.
                    NS_TEST_ASSERT_MSG_LT(held[flow],
                                          m_queues * m_bytesPerRound + LARGEST,
                                          "a flow's share of the buffer (Section 3.4)");
                    NS_TEST_ASSERT_MSG_LT(m_round,
                                          port.Afq().GetRound() + m_queues,
                                          "no round shares a FIFO");
                }
                else
                {
                    dropped[flow].insert(lastNumber[flow]);
                }
            }
            else if (FabricItem* item = port.disc->DequeueItem())
            {
                ++served;
                CheckOrder(*item, lastRound);
                lastRound = RoundScheduler::GetRoundOf(*item);
                held[item->hash] -= item->size;
                uint32_t next = expected[item->hash] + 1;
                while (dropped[item->hash].erase(next))
                {
                    ++next;
                }
                NS_TEST_ASSERT_MSG_EQ(item->source, next, "a flow's packets stay in order");
                expected[item->hash] = next;
                item->Release();
            }
            NS_TEST_ASSERT_MSG_EQ(accepted - served,
                                  port.disc->GetWaitingPackets(),
                                  "conservation of packets");
        }
        const uint64_t drops = CountPackets(port.disc->GetDropCounts());
        NS_TEST_EXPECT_MSG_EQ(accepted + drops, ARRIVALS, "accepted or dropped, once");
        NS_TEST_EXPECT_MSG_GT(drops, 1000, "the test saw too few drops");
        NS_TEST_EXPECT_MSG_LT(drops, ARRIVALS / 5, "the test saw too many drops");
        NS_TEST_EXPECT_MSG_GT(m_mostOvertaken, m_bytesPerRound, "the test saw little reordering");
        m_waiting.clear();
    }

    void Note(const FabricItem* /* item */, uint64_t bid, uint64_t round)
    {
        m_bid = bid;
        m_round = round;
    }

    /**
     * @brief Hold a packet that leaves against those that stay.
     * @param item the packet
     * @param lastRound round of the packet that left before
     */
    void CheckOrder(const FabricItem& item, uint64_t lastRound)
    {
        const uint64_t round = RoundScheduler::GetRoundOf(item);
        NS_TEST_ASSERT_MSG_GT_OR_EQ(round, lastRound, "rounds are served in order");
        const auto self =
            std::find_if(m_waiting.begin(), m_waiting.end(), [&item](const Waiting& packet) {
                return packet.flow == item.hash;
            });
        NS_TEST_ASSERT_MSG_EQ(self->round, round, "the round of a packet does not change");
        for (const Waiting& packet : m_waiting)
        {
            NS_TEST_ASSERT_MSG_EQ((packet.bid >= self->bid || packet.round == round),
                                  true,
                                  "overtaken by a packet of another round");
        }
        if (round != lastRound)
        {
            CheckRound();
            m_servedRound.clear();
        }
        m_servedRound.push_back(*self);
        m_waiting.erase(self);
    }

    /// @brief Bytes by which packets of the round just over overtook each other (Section 3.4).
    void CheckRound()
    {
        for (std::size_t late = 0; late < m_servedRound.size(); ++late)
        {
            uint64_t overtaking = 0; // bytes beyond the bid of the late packet that left before it
            for (std::size_t early = 0; early < late; ++early)
            {
                const Waiting& other = m_servedRound[early];
                if (other.bid > m_servedRound[late].bid)
                {
                    overtaking +=
                        std::min<uint64_t>(other.size, other.bid - m_servedRound[late].bid);
                }
            }
            m_mostOvertaken = std::max(m_mostOvertaken, overtaking);
            NS_TEST_ASSERT_MSG_LT_OR_EQ(overtaking,
                                        uint64_t{FLOWS} * m_bytesPerRound,
                                        "a round's bytes of each flow");
        }
    }

    std::string m_spec;                 //!< the discipline
    uint32_t m_queues;                  //!< its FIFOs
    uint32_t m_bytesPerRound;           //!< its BpR
    uint64_t m_bid{0};                  //!< of the packet accepted last
    uint64_t m_round{0};                //!< of the packet accepted last
    std::vector<Waiting> m_waiting;     //!< in order of arrival
    std::vector<Waiting> m_servedRound; //!< of the round being served, in order of departure
    uint64_t m_mostOvertaken{0};        //!< bytes that overtook one packet, at most
};

/**
 * @ingroup afq-tests
 * @brief AFQ beside ideal fair queueing: the same million packets over two links of one rate.
 */
class AfqAgainstIdealTestCase : public QueueDiscTestCase
{
  public:
    AfqAgainstIdealTestCase()
        : QueueDiscTestCase("service of each flow and delay of each packet beside ideal queueing")
    {
    }

  private:
    static constexpr uint32_t FLOWS = 16;             //!< flows that send
    static constexpr uint32_t LARGEST = 1500;         //!< packet in bytes
    static constexpr uint32_t BYTES_PER_ROUND = 1500; //!< BpR
    static constexpr uint32_t ARRIVALS = 1'000'000;   //!< packets

    /// @brief A link with its discipline, and what it has served.
    struct Home
    {
        explicit Home(const std::string& spec)
            : disc(CreateFromSpec<FabricQueueDisc>("test", spec)),
              link(disc, "10Gbps"),
              served(FLOWS),
              departure(ARRIVALS)
        {
            link.onReceive = [this](const FabricItem& item) {
                served[item.hash] += item.size;
                departure[item.source] = Simulator::Now().GetNanoSeconds();
            };
        }

        Ptr<FabricQueueDisc> disc;
        TestLink link;
        std::vector<int64_t> served;    //!< bytes of each flow
        std::vector<int64_t> departure; //!< of each packet in ns
    };

    void Check() override
    {
        Home afq("afq:NumQueues=4096,MaxSize=100MB");
        Home ideal("ideal-fq:MaxSize=100MB");
        m_homes = {&afq, &ideal};
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(7);
        Simulator::ScheduleNow(&AfqAgainstIdealTestCase::Arrive, this);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(CountPackets(afq.disc->GetDropCounts()), 0, "no drops were meant");
        int64_t latest = 0;
        for (uint32_t i = 0; i < ARRIVALS; ++i)
        {
            NS_TEST_ASSERT_MSG_GT(std::min(afq.departure[i], ideal.departure[i]), 0, "lost");
            latest = std::max(latest, afq.departure[i] - ideal.departure[i]);
        }
        // Work-conserving both: all bytes are served by the same time.
        NS_TEST_EXPECT_MSG_EQ(*std::max_element(afq.departure.begin(), afq.departure.end()),
                              *std::max_element(ideal.departure.begin(), ideal.departure.end()),
                              "end of the last busy period");
        NS_TEST_EXPECT_MSG_GT(m_mostActive, FLOWS / 2, "the test saw few flows at a time");
        // A round's bytes of each flow, and the packets that cross its borders.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(m_apart, 2 * (BYTES_PER_ROUND + LARGEST), "bytes of a flow");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(latest,
                                    FLOWS * (BYTES_PER_ROUND + LARGEST) * 8 / 10,
                                    "delay of a packet in ns");
        NS_TEST_EXPECT_MSG_GT(m_apart, BYTES_PER_ROUND / 2, "the test saw no difference");
        afq.disc->Dispose();
        ideal.disc->Dispose();
    }

    /// @brief The next burst of a flow comes.
    void Arrive()
    {
        const uint32_t flow = m_random->GetInteger(0, FLOWS - 1);
        const uint32_t burst = m_random->GetInteger(1, 12);
        for (uint32_t i = 0; i < burst && m_sent < ARRIVALS; ++i, ++m_sent)
        {
            const auto size = static_cast<uint16_t>(m_random->GetInteger(40, LARGEST));
            for (Home* home : m_homes)
            {
                FabricItem* item = MakeTestItem(flow, size);
                item->source = m_sent;
                home->link.port.Send(item);
            }
        }
        std::set<uint32_t> active;
        m_homes[0]->disc->ForEachWaiting(
            [&active](const FabricItem& item) { active.insert(item.hash); });
        m_mostActive = std::max<uint32_t>(m_mostActive, active.size());
        for (uint32_t f = 0; f < FLOWS; ++f)
        {
            m_apart = std::max(m_apart, std::abs(m_homes[0]->served[f] - m_homes[1]->served[f]));
        }
        if (m_sent < ARRIVALS)
        {
            // 95 per cent of the link on average.
            const double gap = -std::log(1 - m_random->GetValue()) * 6.5 * 770 * 0.8 / 0.95;
            Simulator::Schedule(NanoSeconds(static_cast<int64_t>(gap)),
                                &AfqAgainstIdealTestCase::Arrive,
                                this);
        }
    }

    std::vector<Home*> m_homes;          //!< AFQ, ideal
    Ptr<UniformRandomVariable> m_random; //!< arrivals
    uint32_t m_sent{0};                  //!< packets so far
    uint32_t m_mostActive{0};            //!< flows that waited at a time
    int64_t m_apart{0};                  //!< bytes served of a flow, at most
};

/**
 * @ingroup afq-tests
 * @brief Flows that always have packets waiting get the same.
 */
class AfqBackloggedTestCase : public QueueDiscTestCase
{
  public:
    AfqBackloggedTestCase()
        : QueueDiscTestCase("backlogged flows share the link whatever their packet sizes")
    {
    }

  private:
    void Check() override
    {
        constexpr uint32_t FLOWS = 20;
        TestQueue port("afq");
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(8);
        std::vector<uint64_t> held(FLOWS);
        std::vector<uint64_t> served(FLOWS);
        // Flow f sends packets of 70 f + 60 bytes or less and always has six rounds waiting.
        const auto refill = [&](uint32_t flow) {
            while (held[flow] < 6 * 1500)
            {
                const auto size = static_cast<uint16_t>(random->GetInteger(40, 70 * flow + 60));
                NS_TEST_ASSERT_MSG_EQ(port.disc->EnqueueItem(MakeTestItem(flow, size)),
                                      true,
                                      "no drops were meant");
                held[flow] += size;
            }
        };
        for (uint32_t flow = 0; flow < FLOWS; ++flow)
        {
            refill(flow);
        }
        for (uint32_t i = 0; i < 200'000; ++i)
        {
            FabricItem* item = port.disc->DequeueItem();
            served[item->hash] += item->size;
            held[item->hash] -= item->size;
            refill(item->hash);
            item->Release();
            const auto [least, most] = std::minmax_element(served.begin(), served.end());
            // Each flow sends a round's bytes per round, give or take a packet at either border.
            NS_TEST_ASSERT_MSG_LT_OR_EQ(*most - *least, 2 * (1500 + 1500), "apart");
        }
    }
};

/**
 * @ingroup afq-tests
 * @brief Test suite of AFQ's properties.
 */
class AfqPropertyTestSuite : public TestSuite
{
  public:
    AfqPropertyTestSuite()
        : TestSuite("afq-property", Type::UNIT)
    {
        AddTestCase(new AfqInvariantTestCase("afq:BidSource=Exact,MaxSize=60kB", 32, 1500));
        AddTestCase(new AfqInvariantTestCase(
            "afq:NumQueues=8,BytesPerRound=4000,MaxSize=60kB,BidSource=Exact",
            8,
            4000));
        AddTestCase(new AfqBackloggedTestCase);
        AddTestCase(new AfqAgainstIdealTestCase);
    }
};

/// @brief The suite.
static AfqPropertyTestSuite g_afqPropertyTestSuite;
