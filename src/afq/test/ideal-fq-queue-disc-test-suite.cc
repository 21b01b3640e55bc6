/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-test.h"

#include "ns3/ideal-fq-queue-disc.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <deque>

using namespace ns3;

/**
 * @ingroup afq-tests
 * @brief Let time pass.
 * @param time to let pass
 */
static void
Wait(Time time)
{
    Simulator::Stop(time);
    Simulator::Run();
}

/**
 * @ingroup afq-tests
 * @brief Bids, order, discards and marks in small examples.
 */
class IdealFqExampleTestCase : public QueueDiscTestCase
{
  public:
    IdealFqExampleTestCase()
        : QueueDiscTestCase("examples of the paper and the specification")
    {
    }

  private:
    void Check() override
    {
        CheckFigure1();
        CheckVirtualTime();
        CheckDiscard();
        CheckFigure4();
        CheckMarks();
        const std::string error = GetInputError([] { TestQueue port("ideal-fq"); });
        NS_TEST_EXPECT_MSG_NE(error.find("LinkRate"), std::string::npos, error);
    }

    /**
     * @brief A flow's last bid.
     * @param port the port
     * @param flow the flow
     * @return the bid in bytes
     */
    static double GetBid(const TestQueue& port, char flow)
    {
        return dynamic_cast<IdealFqQueueDisc&>(*port.disc).GetBid(static_cast<uint8_t>(flow));
    }

    /// @brief Fig. 1, at one byte per second; packets A and C of the picture are of flow R here.
    void CheckFigure1()
    {
        TestQueue port("ideal-fq:LinkRate=8bps");
        port.Send('B', 3);
        port.Send('G', 4);
        port.Send('R', 6);
        Wait(Seconds(1));
        port.Send('B', 2);
        NS_TEST_EXPECT_MSG_EQ_TOL(GetBid(port, 'B'), 5, 1e-9, "blue: 3 + 2");
        Wait(Seconds(1));
        port.Send('G', 4);
        NS_TEST_EXPECT_MSG_EQ_TOL(GetBid(port, 'G'), 8, 1e-9, "green: 4 + 4");
        NS_TEST_EXPECT_MSG_EQ(port.Serve(), "B1 G1 B2 R1 G2", "by bid");
    }

    /// @brief 10 Gbit/s, one flow's packets, another's 0.6 us later.
    void CheckVirtualTime()
    {
        for (const std::string order : {"Exact", "SelfClocked"})
        {
            TestQueue port("ideal-fq:LinkRate=10Gbps,VirtualTime=" + order);
            port.SendBurst('A', 3);
            NS_TEST_EXPECT_MSG_EQ_TOL(GetBid(port, 'A'), 4500, 1e-9, "bids 1500, 3000, 4500");
            NS_TEST_EXPECT_MSG_EQ(port.Serve(1), "A1", "on the wire");
            Wait(NanoSeconds(600));
            port.Send('B', 500);
            // Exact: V is 750. Self-clocked: V is the bid of A1.
            const double bid = order == "Exact" ? 1250 : 2000;
            NS_TEST_EXPECT_MSG_EQ_TOL(GetBid(port, 'B'), bid, 1e-6, "B's bid");
            NS_TEST_EXPECT_MSG_EQ(port.Serve(), "B1 A2 A3", "order");
        }
        // V stands still while nobody is backlogged in the emulated system, and starts anew.
        TestQueue port("ideal-fq:LinkRate=10Gbps");
        port.Send('A');
        port.Serve();
        Wait(MicroSeconds(5));
        port.Send('A');
        port.Send('B');
        NS_TEST_EXPECT_MSG_EQ_TOL(GetBid(port, 'A') - GetBid(port, 'B'), 0, 1e-9, "no credit");
    }

    /// @brief The greatest bid is discarded, even if it has been waiting.
    void CheckDiscard()
    {
        TestQueue port("ideal-fq:LinkRate=10Gbps,MaxSize=4500B");
        port.SendBurst('A', 3);
        NS_TEST_EXPECT_MSG_EQ(port.Send('B'), true, "B's bid of 1500 is less than A's of 4500");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetBid(port, 'A'), 3000, 1e-9, "A's last bid");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(port.disc->GetDropCounts()), 1, "one packet went");
        NS_TEST_EXPECT_MSG_EQ(port.Send('A'), false, "A's next bid is the greatest itself");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetBid(port, 'A'), 3000, 1e-9, "and leaves no trace");
        NS_TEST_EXPECT_MSG_EQ(port.Serve(), "A1 B1 A2", "equal bids in order of arrival");
    }

    /// @brief The example for Fig. 4 of afq-queue-disc, in ideal order.
    void CheckFigure4()
    {
        TestQueue port("ideal-fq:LinkRate=10Gbps");
        port.Send('C', 3);
        port.Send('D', 3);
        port.Send('H', 1);
        port.Send('C', 3);
        port.Send('D', 3);
        port.Send('H', 3);
        NS_TEST_EXPECT_MSG_EQ(port.Serve(), "H1 C1 D1 H2 C2 D2", "H C D I E F");
    }

    /// @brief ECN per flow, the same eight packets as in AFQ.
    void CheckMarks()
    {
        TestQueue port("ideal-fq:LinkRate=10Gbps");
        port.SendBurst('A', 10);
        port.SendBurst('B', 8);
        NS_TEST_EXPECT_MSG_EQ(CountPackets(port.disc->GetMarkCounts()), 2, "A's 9th and 10th");
    }
};

/**
 * @ingroup afq-tests
 * @brief Bids and order against a slow model that empties each flow bit by bit.
 */
class IdealFqModelTestCase : public QueueDiscTestCase
{
  public:
    IdealFqModelTestCase()
        : QueueDiscTestCase("bids, order and discards equal those of a fluid model")
    {
    }

  private:
    /// @brief A packet of the model.
    struct Packet
    {
        uint32_t flow;
        uint32_t size;
        double bid;
        uint64_t number;

        bool operator<(const Packet& other) const
        {
            return bid != other.bid ? bid < other.bid : number < other.number;
        }
    };

    /// @brief Byte-by-byte round robin as a fluid: what each flow has left, nothing else.
    struct Fluid
    {
        std::map<uint32_t, double> left; //!< bytes of each backlogged flow
        double virtualTime{0};           //!< bytes each backlogged flow has sent

        void Pass(double bytes)
        {
            while (bytes > 0 && !left.empty())
            {
                double least = INFINITY;
                for (const auto& [flow, rest] : left)
                {
                    least = std::min(least, rest);
                }
                const double each = std::min(least, bytes / static_cast<double>(left.size()));
                bytes -= each * static_cast<double>(left.size());
                virtualTime += each;
                for (auto entry = left.begin(); entry != left.end();)
                {
                    entry->second -= each;
                    entry = entry->second < 1e-7 ? left.erase(entry) : std::next(entry);
                }
            }
        }
    };

    void Check() override
    {
        CheckTrace(0.7, "1000MB");
        CheckTrace(1.4, "40kB");
    }

    /**
     * @brief Random arrivals of some flows.
     * @param load of the link
     * @param buffer of the port
     */
    void CheckTrace(double load, const std::string& buffer)
    {
        constexpr double RATE = 1.25e9; // bytes per second
        constexpr uint32_t FLOWS = 12;
        TestQueue port("ideal-fq:LinkRate=10Gbps,MaxSize=" + buffer);
        auto& disc = dynamic_cast<IdealFqQueueDisc&>(*port.disc);
        const uint64_t limit = buffer == "1000MB" ? 1'000'000'000 : 40'000;
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(5);
        Fluid fluid;
        std::vector<Packet> waiting;
        uint64_t bytes = 0;
        uint64_t discards = 0;
        uint64_t served = 0;
        int64_t free = 0; // when the link is free, in ns
        int64_t now = 0;
        for (uint64_t number = 0; number < 60'000; ++number)
        {
            const auto arrival = now + static_cast<int64_t>(-std::log(1 - random->GetValue()) *
                                                            770 / RATE * 1e9 / load);
            while (free <= arrival && !waiting.empty())
            {
                Advance(fluid, now, std::max(free, now));
                FabricItem* item = disc.DequeueItem();
                const auto first =
                    std::find_if(waiting.begin(), waiting.end(), [item](const Packet& packet) {
                        return packet.number == item->source;
                    });
                item->Release();
                NS_TEST_ASSERT_MSG_EQ((first != waiting.end()), true, "a packet that waits");
                NS_TEST_ASSERT_MSG_LT(first->bid,
                                      std::min_element(waiting.begin(), waiting.end())->bid + 1e-5,
                                      "order of service");
                free = now + static_cast<int64_t>(first->size / RATE * 1e9);
                bytes -= first->size;
                waiting.erase(first);
                ++served;
            }
            Advance(fluid, now, arrival);
            // A few heavy flows and many light ones.
            const uint32_t flow = random->GetInteger(0, random->GetInteger(0, FLOWS - 1));
            const uint32_t size = random->GetInteger(40, 1500);
            const double ahead = fluid.left.count(flow) ? fluid.left.at(flow) : 0;
            FabricItem* item = MakeTestItem(flow, static_cast<uint16_t>(size));
            item->source = static_cast<uint32_t>(number);
            const bool kept = disc.EnqueueItem(item);
            waiting.push_back({flow, size, fluid.virtualTime + ahead + size, number});
            fluid.left[flow] += size;
            bytes += size;
            bool keep = true;
            while (bytes > limit)
            {
                const auto last = std::max_element(waiting.begin(), waiting.end());
                ++discards;
                keep = keep && last->number != number;
                bytes -= last->size;
                fluid.left[last->flow] -= last->size;
                if (fluid.left[last->flow] < 1e-7)
                {
                    fluid.left.erase(last->flow);
                }
                waiting.erase(last);
            }
            NS_TEST_ASSERT_MSG_EQ(kept, keep, "what was discarded");
            NS_TEST_ASSERT_MSG_EQ(disc.GetWaitingBytes(), bytes, "bytes");
        }
        NS_TEST_EXPECT_MSG_GT(served, 30'000, "served");
        NS_TEST_EXPECT_MSG_EQ((discards > 1000), (limit == 40'000), "discards");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc.GetDropCounts()), discards, "all discards");
    }

    /**
     * @brief Let time pass, in the model too.
     * @param fluid the model
     * @param now time in ns; changed
     * @param then time to be, in ns
     */
    static void Advance(Fluid& fluid, int64_t& now, int64_t then)
    {
        if (then > now)
        {
            fluid.Pass(static_cast<double>(then - now) * 1.25);
            Wait(NanoSeconds(then - now));
            now = then;
        }
    }
};

/**
 * @ingroup afq-tests
 * @brief Backlogged flows share the link.
 */
class IdealFqShareTestCase : public QueueDiscTestCase
{
  public:
    IdealFqShareTestCase()
        : QueueDiscTestCase("backlogged flows are never more than a packet apart")
    {
    }

  private:
    void Check() override
    {
        CheckShares({1500, 1500, 1500, 1500, 1500, 1500, 1500}, 1500);
        CheckShares({1500, 500}, 1500);
    }

    /**
     * @brief Serve flows that always have packets waiting.
     * @param sizes packet size of each flow in bytes
     * @param apart most that the bytes served of two flows may differ by
     */
    void CheckShares(const std::vector<uint16_t>& sizes, uint64_t apart)
    {
        TestQueue port("ideal-fq:LinkRate=10Gbps,MarkThreshold=never");
        std::vector<uint64_t> served(sizes.size());
        for (uint32_t flow = 0; flow < sizes.size(); ++flow)
        {
            port.disc->EnqueueItem(MakeTestItem(flow, sizes[flow]));
            port.disc->EnqueueItem(MakeTestItem(flow, sizes[flow]));
        }
        for (uint32_t i = 0; i < 20'000; ++i)
        {
            FabricItem* item = port.disc->DequeueItem();
            Wait(NanoSeconds(item->size * 8 / 10));
            served[item->hash] += item->size;
            port.disc->EnqueueItem(MakeTestItem(item->hash, item->size));
            item->Release();
            const auto [least, most] = std::minmax_element(served.begin(), served.end());
            NS_TEST_ASSERT_MSG_LT_OR_EQ(*most - *least, apart, "apart");
        }
    }
};

/**
 * @ingroup afq-tests
 * @brief Test suite of ideal fair queueing.
 */
class IdealFqQueueDiscTestSuite : public TestSuite
{
  public:
    IdealFqQueueDiscTestSuite()
        : TestSuite("ideal-fq-queue-disc", Type::UNIT)
    {
        AddTestCase(new IdealFqExampleTestCase);
        AddTestCase(new IdealFqShareTestCase);
        AddTestCase(new IdealFqModelTestCase);
    }
};

/// @brief The suite.
static IdealFqQueueDiscTestSuite g_idealFqQueueDiscTestSuite;
