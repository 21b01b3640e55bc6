/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-test.h"

#include "ns3/flow-queues.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <deque>
#include <list>
#include <numeric>

using namespace ns3;

/**
 * @ingroup edge-tests
 * @brief Let items into queues and out.
 */
class TestFlowQueues
{
  public:
    explicit TestFlowQueues(FlowQueues::Order order, QueueLimit limit = QueueLimit())
    {
        queues.SetTerms({limit, order});
    }

    /**
     * @brief Let items in.
     * @param flow their flow
     * @param items number of items
     * @param size of each, in bytes
     * @return number of items kept
     */
    uint32_t Push(uint32_t flow, uint32_t items = 1, uint16_t size = 1500)
    {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < items; ++i)
        {
            FabricItem* item = FabricItem::Create();
            item->flow = flow;
            item->size = size;
            item->As<uint64_t>() = m_number++;
            if (queues.Push(item))
            {
                ++kept;
            }
            else
            {
                item->Release();
            }
        }
        return kept;
    }

    /**
     * @brief Let items out.
     * @param items number of items
     * @return their flows, a digit each
     */
    std::string Pop(uint32_t items)
    {
        std::string flows;
        for (uint32_t i = 0; i < items; ++i)
        {
            const FabricItem* front = queues.Front();
            FabricItem* item = queues.Pop();
            isFront &= front == item;
            flows += item ? static_cast<char>('0' + item->flow) : '-';
            number = item ? item->As<uint64_t>() : 0;
            if (item)
            {
                item->Release();
            }
        }
        return flows;
    }

    FlowQueues queues;  //!< the queues
    uint64_t number{0}; //!< of the item that went last, as they came
    bool isFront{true}; //!< true if all that went had been in front

  private:
    uint64_t m_number{0}; //!< items that came
};

/**
 * @ingroup edge-tests
 * @brief Turns worked by hand.
 */
class FlowTurnsTestCase : public EdgeTestCase
{
  public:
    FlowTurnsTestCase()
        : EdgeTestCase("turns of flows, by packets and not by bytes")
    {
    }

  private:
    void Check() override
    {
        TestFlowQueues test(FlowQueues::ROUND_ROBIN);
        NS_TEST_EXPECT_MSG_EQ(test.Pop(1), "-", "nothing waits");
        test.Push(1, 3, 1500);
        test.Push(2, 2, 64);
        test.Push(3, 1, 9000);
        NS_TEST_EXPECT_MSG_EQ(test.Pop(2), "12", "a packet each");
        test.Push(1); // behind its own
        test.Push(4); // behind the others
        NS_TEST_EXPECT_MSG_EQ(test.Pop(4), "3124", "the third has left");
        test.Push(2); // comes back, after the first
        NS_TEST_EXPECT_MSG_EQ(test.Pop(4), "121-", "what is left");
        NS_TEST_EXPECT_MSG_EQ(test.queues.IsEmpty(), true, "nothing waits");

        TestFlowQueues fifo(FlowQueues::FIFO);
        fifo.Push(1, 3);
        fifo.Push(2, 2);
        fifo.Push(1);
        NS_TEST_EXPECT_MSG_EQ(fifo.Pop(7), "111221-", "as they came");
    }
};

/**
 * @ingroup edge-tests
 * @brief A flow that fills its queue takes no room from others.
 */
class FlowLimitTestCase : public EdgeTestCase
{
  public:
    FlowLimitTestCase()
        : EdgeTestCase("limits, of each flow and of one queue for all")
    {
    }

  private:
    void Check() override
    {
        TestFlowQueues test(FlowQueues::ROUND_ROBIN, QueueSize("5p"));
        NS_TEST_EXPECT_MSG_EQ(test.Push(1, 9), 5, "the first has filled its queue");
        NS_TEST_EXPECT_MSG_EQ(test.Push(2, 3), 3, "not that of the second");
        test.Pop(2);
        NS_TEST_EXPECT_MSG_EQ(test.Push(1, 9), 1, "one has left");
        TestFlowQueues bytes(FlowQueues::ROUND_ROBIN, QueueSize("4000B"));
        NS_TEST_EXPECT_MSG_EQ(bytes.Push(1, 9), 2, "bytes");
        NS_TEST_EXPECT_MSG_EQ(bytes.Push(2, 1, 4001), 0, "never fits");
        NS_TEST_EXPECT_MSG_EQ(bytes.Push(2, 1, 4000), 1, "fits");
        TestFlowQueues large(FlowQueues::ROUND_ROBIN, QueueSize("4000B"));
        NS_TEST_EXPECT_MSG_EQ(large.Push(1, 1, 4001), 0, "never fits, of a flow that is new");
        NS_TEST_EXPECT_MSG_EQ(large.Push(1, 1, 4000), 1, "fits");
        large.Pop(1);
        NS_TEST_EXPECT_MSG_EQ(large.Push(1, 1, 4001), 0, "nor of the flow that was there last");
        NS_TEST_EXPECT_MSG_EQ(large.Pop(1), "-", "nothing was kept");
        TestFlowQueues fifo(FlowQueues::FIFO, QueueSize("5p"));
        NS_TEST_EXPECT_MSG_EQ(fifo.Push(1, 9), 5, "the queue is full");
        NS_TEST_EXPECT_MSG_EQ(fifo.Push(2, 3), 0, "for all");
    }
};

/**
 * @ingroup edge-tests
 * @brief Three finite flows share equally while they last.
 */
class FlowSharesTestCase : public EdgeTestCase
{
  public:
    FlowSharesTestCase()
        : EdgeTestCase("three backlogged flows share equally")
    {
    }

  private:
    void Check() override
    {
        const std::vector<uint32_t> lengths{40, 70, 100};
        TestFlowQueues test(FlowQueues::ROUND_ROBIN);
        for (uint32_t flow = 0; flow < 3; ++flow)
        {
            test.Push(flow, lengths[flow]);
        }
        std::vector<uint32_t> served(3);
        std::vector<uint32_t> ends(3);
        for (uint32_t sent = 1; sent <= 210; ++sent)
        {
            const uint32_t flow = test.Pop(1)[0] - '0';
            ++served[flow];
            ends[flow] = sent;
            const auto [least, most] = std::ranges::minmax(served);
            NS_TEST_ASSERT_MSG_EQ((sent > 120 || most - least <= 1), true, "shares of three");
            const int ahead = static_cast<int>(served[1]) - static_cast<int>(served[2]);
            NS_TEST_ASSERT_MSG_EQ((sent > 180 || std::abs(ahead) <= 1), true, "shares of two");
        }
        NS_TEST_EXPECT_MSG_EQ(ends[0], 3 * 40 - 2, "the first ends in the 40th round");
        NS_TEST_EXPECT_MSG_EQ(ends[1], 3 * 40 + 2 * 30 - 1, "the second 30 rounds of two later");
        NS_TEST_EXPECT_MSG_EQ(ends[2], 210, "the third last");
    }
};

/**
 * @ingroup edge-tests
 * @brief Random arrivals and departures against a slow model.
 */
class FlowModelTestCase : public EdgeTestCase
{
  public:
    FlowModelTestCase()
        : EdgeTestCase("the order of a slow model of round robin, and of one FIFO")
    {
    }

  private:
    /// @brief Flows in the order of their turns, with what waits of each.
    struct Model
    {
        std::list<std::pair<uint32_t, std::deque<uint64_t>>> turns;

        bool Push(uint32_t flow, uint64_t number, uint32_t limit)
        {
            for (auto& [known, waiting] : turns)
            {
                if (known == flow)
                {
                    if (waiting.size() < limit)
                    {
                        waiting.push_back(number);
                        return true;
                    }
                    return false;
                }
            }
            turns.push_back({flow, {number}});
            return true;
        }

        uint64_t Pop()
        {
            auto [flow, waiting] = turns.front();
            turns.pop_front();
            const uint64_t number = waiting.front();
            waiting.pop_front();
            if (!waiting.empty())
            {
                turns.emplace_back(flow, waiting);
            }
            return number;
        }
    };

    void Compare(FlowQueues::Order order, uint32_t nFlows)
    {
        TestFlowQueues test(order, QueueSize("7p"));
        Model model;
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(nFlows);
        uint64_t number = 0;
        uint32_t drops = 0;
        for (int step = 0; step < 20000; ++step)
        {
            // Times of more arrivals and of more departures.
            if (random->GetValue() < (step / 500 % 2 ? 0.3 : 0.7))
            {
                const uint32_t flow = 1 + random->GetInteger(0, nFlows - 1);
                const bool kept = test.Push(flow) == 1;
                const uint32_t modelled = order == FlowQueues::FIFO ? 0 : flow;
                NS_TEST_ASSERT_MSG_EQ(kept, model.Push(modelled, number, 7), "step " << step);
                drops += kept ? 0 : 1;
                ++number;
            }
            else if (!model.turns.empty())
            {
                test.Pop(1);
                NS_TEST_ASSERT_MSG_EQ(test.number, model.Pop(), "step " << step);
            }
            NS_TEST_ASSERT_MSG_EQ(test.queues.IsEmpty(), model.turns.empty(), "step " << step);
            std::vector<uint64_t> expected;
            for (const auto& [flow, waiting] : model.turns)
            {
                expected.insert(expected.end(), waiting.begin(), waiting.end());
            }
            std::vector<uint64_t> seen;
            test.queues.ForEach([&seen](const FabricItem& item) {
                seen.push_back(const_cast<FabricItem&>(item).As<uint64_t>());
            });
            NS_TEST_ASSERT_MSG_EQ((seen == expected), true, "what waits in step " << step);
        }
        NS_TEST_EXPECT_MSG_EQ(test.isFront, true, "who is in front goes");
        NS_TEST_EXPECT_MSG_GT(drops, 100, "limits were met");
    }

    void Check() override
    {
        Compare(FlowQueues::ROUND_ROBIN, 1);
        Compare(FlowQueues::ROUND_ROBIN, 2);
        Compare(FlowQueues::ROUND_ROBIN, 13);
        Compare(FlowQueues::ROUND_ROBIN, 40);
        Compare(FlowQueues::FIFO, 3);
    }
};

/**
 * @ingroup edge-tests
 * @brief A short flow that finds a long one of its pair waiting.
 */
class ShortFlowTestCase : public EdgeTestCase
{
  public:
    ShortFlowTestCase()
        : EdgeTestCase("a short flow beside a long one of its pair")
    {
    }

  private:
    /// @brief The time from the first arrival to the last of 10 packets that come 1 ms after 200 of
    /// another flow.
    static Time Run(const std::string& controller)
    {
        EdgeTestNetwork network(controller);
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1));
        network.tenants->SetPipe(pair, DataRate("1Gbps"));
        network.Build();
        uint32_t longFlow = 0;
        Time first;
        Time last;
        network.onReceive = [&](uint32_t, const FabricItem& item) {
            if (network.arrivals == 1)
            {
                longFlow = item.flow;
                first = Simulator::Now();
            }
            last = item.flow == longFlow ? last : Simulator::Now();
        };
        const auto send = [&](uint32_t flow, int packets) {
            for (int packet = 0; packet < packets; ++packet)
            {
                network.Send(pair, 1500, false, flow);
            }
        };
        send(0, 200);
        Simulator::Schedule(MilliSeconds(1), [&] { send(1, 10); });
        Simulator::Run();
        return last - first;
    }

    void Check() override
    {
        // A packet each 12 us. At 1 ms the 84th of the long flow has left, the turn is its 85th's,
        // and the kth of the short one goes 2 k - 1 packets after that.
        const std::string held = "static:BucketDepth=1500";
        NS_TEST_EXPECT_MSG_EQ(Run(held), MicroSeconds(84 * 12 + 19 * 12), "round robin");
        NS_TEST_EXPECT_MSG_EQ(Run(held + ",FlowOrder=Fifo"), MicroSeconds(209 * 12), "FIFO");
    }
};

/**
 * @ingroup edge-tests
 * @brief Tests of the queues of a pair's flows.
 */
class FlowQueuesTestSuite : public TestSuite
{
  public:
    FlowQueuesTestSuite()
        : TestSuite("flow-queues", Type::UNIT)
    {
        AddTestCase(new FlowTurnsTestCase, Duration::QUICK);
        AddTestCase(new FlowLimitTestCase, Duration::QUICK);
        AddTestCase(new FlowSharesTestCase, Duration::QUICK);
        AddTestCase(new FlowModelTestCase, Duration::QUICK);
        AddTestCase(new ShortFlowTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static FlowQueuesTestSuite g_flowQueuesTestSuite;
