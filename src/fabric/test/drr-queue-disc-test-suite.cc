/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"

#include "ns3/drr-queue-disc.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <deque>
#include <map>

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief Jain's fairness index.
 * @param shares share of each
 * @return between 1 / number of shares and 1
 */
static double
GetJainIndex(const std::map<uint32_t, uint64_t>& shares)
{
    double sum = 0;
    double squares = 0;
    for (const auto& [flow, share] : shares)
    {
        sum += static_cast<double>(share);
        squares += static_cast<double>(share) * static_cast<double>(share);
    }
    return sum * sum / (static_cast<double>(shares.size()) * squares);
}

/**
 * @ingroup fabric-tests
 * @brief The order of service equals that of the paper's pseudocode, written down literally.
 */
class DrrOrderTestCase : public QueueDiscTestCase
{
  public:
    DrrOrderTestCase()
        : QueueDiscTestCase("order of service under random arrivals equals the pseudocode's")
    {
    }

  private:
    void Check() override
    {
        constexpr uint32_t QUANTUM = 900; // less than some packets: some turns grant too little
        auto disc = CreateObjectWithAttributes<DrrQueueDisc>("Quantum",
                                                             UintegerValue(QUANTUM),
                                                             "MaxSize",
                                                             StringValue("1000MB"));
        disc->SetPort(nullptr);

        struct Model
        {
            std::map<uint32_t, std::deque<uint32_t>> queues;
            std::map<uint32_t, uint32_t> deficit;
            std::deque<uint32_t> activeList;

            void Enqueue(uint32_t flow, uint32_t size)
            {
                if (queues[flow].empty() &&
                    std::find(activeList.begin(), activeList.end(), flow) == activeList.end())
                {
                    activeList.push_back(flow);
                    deficit[flow] = 0;
                }
                queues[flow].push_back(size);
            }
        };

        Model model;
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        uint64_t served = 0;
        // Arrivals come between turns that sent something.
        for (int round = 0; round < 3000; ++round)
        {
            for (uint32_t n = random->GetInteger(0, 3); n > 0; --n)
            {
                const uint32_t flow = random->GetInteger(0, 150);
                const auto size = static_cast<uint16_t>(random->GetInteger(64, 1500));
                model.Enqueue(flow, size);
                disc->EnqueueItem(MakeTestItem(flow, size));
            }
            for (const uint64_t before = served; served == before && !model.activeList.empty();)
            {
                const uint32_t flow = model.activeList.front();
                model.activeList.pop_front();
                auto& queue = model.queues[flow];
                uint32_t& deficit = model.deficit[flow];
                deficit += QUANTUM;
                while (!queue.empty() && queue.front() <= deficit)
                {
                    FabricItem* item = disc->DequeueItem();
                    NS_TEST_ASSERT_MSG_NE(item, nullptr, "a packet is missing");
                    NS_TEST_ASSERT_MSG_EQ(item->hash, flow, "another flow's turn");
                    NS_TEST_ASSERT_MSG_EQ(item->size, queue.front(), "another packet of the flow");
                    item->Release();
                    deficit -= queue.front();
                    queue.pop_front();
                    ++served;
                }
                if (queue.empty())
                {
                    deficit = 0;
                }
                else
                {
                    model.activeList.push_back(flow);
                }
            }
            {
                NS_TEST_ASSERT_MSG_EQ(disc->GetNBackloggedQueues(),
                                      model.activeList.size(),
                                      "queues with packets");
            }
        }
        NS_TEST_EXPECT_MSG_GT(served, 1000, "packets served");
        disc->Dispose();
    }
};

/**
 * @ingroup fabric-tests
 * @brief Shares of backlogged queues.
 */
class DrrFairnessTestCase : public QueueDiscTestCase
{
  public:
    DrrFairnessTestCase()
        : QueueDiscTestCase("bytes are shared evenly, or by weight, whatever the packet sizes")
    {
    }

  private:
    void Check() override
    {
        CheckFlows(0);
        CheckFlows(4096);
        CheckWeights();
    }

    /**
     * @brief Backlogged flows with packets of different sizes, flow i of 100 + 40 * i bytes.
     * @param queues attribute Queues
     */
    void CheckFlows(uint32_t queues)
    {
        constexpr uint32_t FLOWS = 32;
        constexpr uint32_t QUANTUM = 1500;
        auto disc = CreateObjectWithAttributes<DrrQueueDisc>("Queues",
                                                             UintegerValue(queues),
                                                             "Quantum",
                                                             UintegerValue(QUANTUM),
                                                             "MaxSize",
                                                             StringValue("1000MB"));
        disc->SetPort(nullptr);
        const auto send = [&disc](uint32_t flow) {
            disc->EnqueueItem(MakeTestItem(flow * 0x9e3779b9U, // any hash, known to be distinct
                                           static_cast<uint16_t>(100 + 40 * flow)));
        };
        for (uint32_t flow = 0; flow < FLOWS; ++flow)
        {
            for (int i = 0; i < 40; ++i)
            {
                send(flow);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(disc->GetNBackloggedQueues(), FLOWS, "flows share a queue");
        std::map<uint32_t, uint64_t> bytes;
        std::map<uint32_t, uint32_t> number;
        for (uint32_t flow = 0; flow < FLOWS; ++flow)
        {
            number[flow * 0x9e3779b9U] = flow;
        }
        for (int i = 0; i < 20'000; ++i)
        {
            FabricItem* item = disc->DequeueItem();
            bytes[item->hash] += item->size;
            send(number[item->hash]);
            item->Release();
            // Each flow has had the same number of turns, give or take the one under way, and
            // carries over less than a packet.
            uint64_t least = UINT64_MAX;
            uint64_t most = 0;
            for (const auto& [flow, sent] : bytes)
            {
                least = std::min(least, sent);
                most = std::max(most, sent);
            }
            if (bytes.size() == FLOWS)
            {
                NS_TEST_ASSERT_MSG_LT_OR_EQ(most - least, QUANTUM + 100 + 40 * (FLOWS - 1), "gap");
            }
        }
        NS_TEST_EXPECT_MSG_GT(GetJainIndex(bytes), 0.98, "Jain's index");
        disc->Dispose();
    }

    /// @brief Three backlogged classes with weights 4, 2 and 1.
    void CheckWeights()
    {
        auto disc = CreateObjectWithAttributes<DrrQueueDisc>("Queues",
                                                             UintegerValue(3),
                                                             "Classify",
                                                             StringValue("Priority"),
                                                             "Weights",
                                                             StringValue("4,2,1"),
                                                             "MaxSize",
                                                             StringValue("1000MB"));
        disc->SetPort(nullptr);
        const uint16_t sizes[] = {300, 1500, 700};
        std::map<uint32_t, uint64_t> share;
        for (uint8_t priority = 0; priority < 3; ++priority)
        {
            for (int i = 0; i < 100; ++i)
            {
                disc->EnqueueItem(MakeTestItem(1, sizes[priority], 0, priority));
            }
        }
        for (int i = 0; i < 50'000; ++i)
        {
            FabricItem* item = disc->DequeueItem();
            share[item->priority] += item->size;
            disc->EnqueueItem(item);
        }
        const double one = static_cast<double>(share[2]);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(share[0]) / one, 4.0, 0.01, "weight 4");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(share[1]) / one, 2.0, 0.01, "weight 2");
        disc->Dispose();
    }
};

/**
 * @ingroup fabric-tests
 * @brief Stochastic fair queueing: flows hashed to a fixed number of queues.
 */
class DrrSharedQueueTestCase : public QueueDiscTestCase
{
  public:
    DrrSharedQueueTestCase()
        : QueueDiscTestCase("flows that share a queue share its service, until perturbed")
    {
    }

  private:
    void Check() override
    {
        const uint32_t alone = FindFlow(1, false);
        const uint32_t sharing = FindFlow(1, true);
        NS_TEST_EXPECT_MSG_EQ(Serve({1, alone}, 4), "1 2 1 2 ", "strict alternation");
        // Flows 1 and 2 share a queue, flow 3 has one: shares of 1/4, 1/4 and 1/2.
        NS_TEST_EXPECT_MSG_EQ(Serve({1, sharing, alone}, 8), "1 3 2 3 1 3 2 3 ", "one queue");

        for (const auto& [flows, percent] : {std::pair(8, 19.9), {32, 62.6}, {64, 86.5}})
        {
            CheckSharing(static_cast<uint32_t>(flows), percent);
        }
        CheckPerturbation(sharing);
    }

    /**
     * @brief The queue of a flow among 32.
     * @param flow hash of the flow
     * @return number of the queue
     */
    static uint32_t GetQueue(uint32_t flow)
    {
        return ScaleHash(HashFlow(flow, 0), 32);
    }

    /**
     * @brief A flow that does or does not share another's queue.
     * @param flow the other
     * @param same true if it does
     * @return hash of the flow
     */
    static uint32_t FindFlow(uint32_t flow, bool same)
    {
        uint32_t found = flow + 1;
        while ((GetQueue(found) == GetQueue(flow)) != same)
        {
            ++found;
        }
        return found;
    }

    static Ptr<DrrQueueDisc> CreateDisc(Time interval)
    {
        auto disc = CreateObjectWithAttributes<DrrQueueDisc>("Queues",
                                                             UintegerValue(32),
                                                             "PerturbInterval",
                                                             TimeValue(interval));
        disc->SetPort(nullptr);
        return disc;
    }

    /**
     * @brief Serve flows that have ten full packets waiting each.
     * @param flows their hashes
     * @param count packets to serve
     * @return flows served, numbered from 1
     */
    static std::string Serve(const std::vector<uint32_t>& flows, uint32_t count)
    {
        auto disc = CreateDisc(Time(0));
        for (uint32_t i = 0; i < 10; ++i)
        {
            for (uint32_t flow = 0; flow < flows.size(); ++flow)
            {
                FabricItem* item = MakeTestItem(flows[flow], 1500);
                item->source = flow + 1;
                disc->EnqueueItem(item);
            }
        }
        std::ostringstream log;
        for (uint32_t i = 0; i < count; ++i)
        {
            FabricItem* item = disc->DequeueItem();
            log << item->source << ' ';
            item->Release();
        }
        disc->Dispose();
        return log.str();
    }

    /**
     * @brief Check the fraction of flows that share their queue: 1 - (31/32)^(n - 1).
     * @param flows number of flows
     * @param percent expected
     */
    void CheckSharing(uint32_t flows, double percent)
    {
        constexpr uint32_t ROUNDS = 4000;
        uint32_t shared = 0;
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            std::array<uint32_t, 32> load{};
            for (uint32_t flow = 0; flow < flows; ++flow)
            {
                ++load[GetQueue(round * flows + flow)];
            }
            for (uint32_t flow = 0; flow < flows; ++flow)
            {
                shared += load[GetQueue(round * flows + flow)] > 1 ? 1 : 0;
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(100.0 * shared / (ROUNDS * flows), percent, 1.0, flows);
    }

    /**
     * @brief After PerturbInterval flows that shared a queue do so no more than others.
     * @param sharing a flow that shares flow 1's queue at first
     */
    void CheckPerturbation(uint32_t sharing)
    {
        auto disc = CreateDisc(MilliSeconds(1));
        uint32_t together = 0;
        constexpr uint32_t EPOCHS = 320;
        for (uint32_t epoch = 0; epoch < EPOCHS; ++epoch)
        {
            disc->EnqueueItem(MakeTestItem(1));
            disc->EnqueueItem(MakeTestItem(sharing));
            together += disc->GetNBackloggedQueues() == 1 ? 1 : 0;
            uint32_t seen = 0;
            disc->ForEachWaiting([&seen](const FabricItem&) { ++seen; });
            NS_TEST_EXPECT_MSG_EQ(seen, 2, "what waits");
            disc->Flush("test");
            if (epoch == 0)
            {
                NS_TEST_EXPECT_MSG_EQ(together, 1, "at first they share a queue");
            }
            Simulator::Stop(MilliSeconds(1));
            Simulator::Run();
        }
        NS_TEST_EXPECT_MSG_LT(together, EPOCHS / 10, "1 in 32 is expected");
        disc->Dispose();
    }
};

/**
 * @ingroup fabric-tests
 * @brief The packet that goes if one does not fit.
 */
class DrrDropTestCase : public QueueDiscTestCase
{
  public:
    DrrDropTestCase()
        : QueueDiscTestCase("drop policies, marks and wrong attributes")
    {
    }

  private:
    void Check() override
    {
        // Flow 1 fills the buffer; two packets of flow 2 come.
        NS_TEST_EXPECT_MSG_EQ(Overflow("LongestQueue"), "1:2 2:100 1:3 2:101 1:4 ", "longest");
        NS_TEST_EXPECT_MSG_EQ(Overflow("Tail"), "1:0 1:1 1:2 1:3 1:4 ", "tail");

        NS_TEST_EXPECT_MSG_EQ(CountMarks("MarkThreshold"), 4, "2 beyond 3 in each queue");
        NS_TEST_EXPECT_MSG_EQ(CountMarks("PortMarkThreshold"), 7, "7 beyond 3 in the port");
        CheckRefused("MarkThreshold", "20p", "MaxSize", "10p");
        CheckRefused("PortMarkThreshold", "20p", "MaxSize", "10p");

        CheckRefused("Weights", "1,2", "Classify", "Flow");
        CheckRefused("Weights", "1,0", "Classify", "Priority");
        CheckRefused("Weights", "1,x", "Classify", "Priority");
        CheckRefused("Weights", "1,2,3", "Classify", "Priority");
    }

    /**
     * @brief Send ten packets of two flows in turn.
     * @param threshold attribute that is set to two packets
     * @return packets that are marked
     */
    uint64_t CountMarks(const std::string& threshold)
    {
        auto disc = CreateObjectWithAttributes<DrrQueueDisc>(threshold, StringValue("2p"));
        disc->SetPort(nullptr);
        for (uint32_t i = 0; i < 10; ++i)
        {
            disc->EnqueueItem(MakeTestItem(i % 2));
        }
        const uint64_t marks = CountPackets(disc->GetMarkCounts());
        disc->Dispose();
        return marks;
    }

    /**
     * @brief Send packets to a queue of five packets.
     * @param policy attribute DropPolicy
     * @return flow and number of the packets that stay
     */
    std::string Overflow(const std::string& policy)
    {
        auto disc = CreateObjectWithAttributes<DrrQueueDisc>("DropPolicy",
                                                             StringValue(policy),
                                                             "Quantum",
                                                             UintegerValue(1000),
                                                             "MaxSize",
                                                             StringValue("5000B"));
        disc->SetPort(nullptr);
        const auto send = [&disc](uint32_t flow, uint32_t number) {
            FabricItem* item = MakeTestItem(flow);
            item->source = number;
            disc->EnqueueItem(item);
        };
        for (uint32_t i = 0; i < 5; ++i)
        {
            send(1, i);
        }
        send(2, 100);
        send(2, 101);
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetDropCounts()), 2, "drops");
        std::ostringstream log;
        while (FabricItem* item = disc->DequeueItem())
        {
            log << item->hash << ':' << item->source << ' ';
            item->Release();
        }
        return log.str();
    }

    /**
     * @brief Attributes that do not fit are refused by name.
     * @param wrong attribute that the error names
     * @param value its value
     * @param other another attribute
     * @param otherValue its value
     */
    void CheckRefused(const std::string& wrong,
                      const std::string& value,
                      const std::string& other,
                      const std::string& otherValue)
    {
        const std::string error = GetInputError([&] {
            auto disc = CreateObjectWithAttributes<DrrQueueDisc>("Queues",
                                                                 UintegerValue(2),
                                                                 wrong,
                                                                 StringValue(value),
                                                                 other,
                                                                 StringValue(otherValue));
            disc->SetPort(nullptr);
        });
        NS_TEST_EXPECT_MSG_EQ(error.starts_with("ns3::DrrQueueDisc::" + wrong + " = '"),
                              true,
                              value << " gave '" << error << "'");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Deficit round robin.
 */
class DrrQueueDiscTestSuite : public TestSuite
{
  public:
    DrrQueueDiscTestSuite()
        : TestSuite("drr-queue-disc", Type::UNIT)
    {
        AddTestCase(new DrrOrderTestCase);
        AddTestCase(new DrrFairnessTestCase);
        AddTestCase(new DrrSharedQueueTestCase);
        AddTestCase(new DrrDropTestCase);
    }
};

static DrrQueueDiscTestSuite g_drrQueueDiscTestSuite; ///< the suite
