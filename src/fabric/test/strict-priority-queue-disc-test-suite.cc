/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"

#include "ns3/strict-priority-queue-disc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief Order of service, limits and marks of each queue.
 */
class StrictPriorityTestCase : public QueueDiscTestCase
{
  public:
    StrictPriorityTestCase()
        : QueueDiscTestCase("order, limits, marks and counters per queue")
    {
    }

  private:
    void Check() override
    {
        auto disc =
            CreateObjectWithAttributes<StrictPriorityQueueDisc>("Queues",
                                                                UintegerValue(3),
                                                                "MaxSize",
                                                                StringValue("10p"),
                                                                "QueueMaxSizes",
                                                                StringValue("2p,100kB,100p"),
                                                                "MarkThresholds",
                                                                StringValue("never,1p,never"));
        disc->SetPort(nullptr);
        // Least urgent first, six rounds of one packet per queue; priority 9 joins the last queue.
        for (uint32_t i = 0; i < 6; ++i)
        {
            for (uint8_t priority : {9, 1, 0})
            {
                disc->EnqueueItem(MakeTestItem(i, 1000, FabricItem::ECT0, priority));
            }
        }
        // Queue 0 takes 2 and refuses 1; after 10 packets the port is full.
        NS_TEST_EXPECT_MSG_EQ(disc->GetQueuePackets(0), 2, "limit of queue 0");
        NS_TEST_EXPECT_MSG_EQ(disc->GetQueuePackets(1), 4, "queue 1");
        NS_TEST_EXPECT_MSG_EQ(disc->GetQueuePackets(2), 4, "queue 2");
        NS_TEST_EXPECT_MSG_EQ(disc->GetQueueBytes(1), 4000, "bytes of queue 1");
        NS_TEST_EXPECT_MSG_EQ(disc->GetQueueStats(0).droppedPackets, 4, "drops in queue 0");
        NS_TEST_EXPECT_MSG_EQ(disc->GetQueueStats(1).droppedBytes, 2000, "drops in queue 1");
        NS_TEST_EXPECT_MSG_EQ(disc->GetQueueStats(1).markedPackets, 2, "marks in queue 1");
        NS_TEST_EXPECT_MSG_EQ(disc->GetQueueStats(2).enqueuedPackets, 4, "arrivals in queue 2");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetDropCounts()), 8, "drops in all");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetMarkCounts()), 2, "marks in all");

        NS_TEST_EXPECT_MSG_EQ(TakeOut(*disc, 4), "0:0 0:1 1:0 1:1 ", "order");
        disc->EnqueueItem(MakeTestItem(7)); // overtakes all
        NS_TEST_EXPECT_MSG_EQ(TakeOut(*disc, 99), "0:7 1:2* 1:3* 9:0 9:1 9:2 9:3 ", "order");
    }

    /**
     * @brief Take packets out.
     * @param disc the discipline
     * @param count at most so many
     * @return their priorities and flows, with a star for a mark
     */
    std::string TakeOut(FabricQueueDisc& disc, int count)
    {
        std::ostringstream log;
        for (FabricItem* item = nullptr; count > 0 && (item = disc.DequeueItem()); --count)
        {
            log << +item->priority << ':' << item->hash
                << (item->GetEcn() == FabricItem::CE ? "* " : " ");
            item->Release();
        }
        return log.str();
    }
};

/**
 * @ingroup fabric-tests
 * @brief Paused priorities wait, and others go before them.
 */
class PausedPrioritiesTestCase : public QueueDiscTestCase
{
  public:
    PausedPrioritiesTestCase()
        : QueueDiscTestCase("paused priorities")
    {
    }

  private:
    void Check() override
    {
        NS_TEST_EXPECT_MSG_EQ(Serve(8, 0x00), "0123456789", "none");
        NS_TEST_EXPECT_MSG_EQ(Serve(8, 0x05), "13456789", "0 and 2");
        NS_TEST_EXPECT_MSG_EQ(Serve(8, 0x80), "0123456", "7 and above share a queue");
        NS_TEST_EXPECT_MSG_EQ(Serve(12, 0x80), "0123456", "7 stands for those above");
        NS_TEST_EXPECT_MSG_EQ(Serve(12, 0x40), "012345789", "6");
        NS_TEST_EXPECT_MSG_EQ(Serve(3, 0x08), "01", "2 and above share a queue");
        NS_TEST_EXPECT_MSG_EQ(Serve(3, 0x02), "023456789", "1");
        NS_TEST_EXPECT_MSG_EQ(Serve(8, 0x05, "Dscp"), "0123456789", "not by priority");
    }

    /**
     * @param queues number of queues
     * @param paused bit i: priority i is paused
     * @param classify attribute Classify: Priority, Dscp or Flow
     * @return those of one packet of each priority from 0 to 9 that leave, in this order
     */
    std::string Serve(uint32_t queues, uint8_t paused, const std::string& classify = "Priority")
    {
        auto disc = CreateObjectWithAttributes<StrictPriorityQueueDisc>("Queues",
                                                                        UintegerValue(queues),
                                                                        "Classify",
                                                                        StringValue(classify));
        disc->SetPort(nullptr);
        disc->SetPausedPriorities(0xff);
        disc->SetPausedPriorities(paused); // replaces what was paused before
        for (uint8_t priority = 0; priority < 10; ++priority)
        {
            disc->EnqueueItem(MakeTestItem(1, 1000, FabricItem::ECT0, priority));
        }
        std::string served;
        while (FabricItem* item = disc->DequeueItem())
        {
            served += std::to_string(item->priority);
            item->Release();
        }
        NS_TEST_EXPECT_MSG_EQ(disc->GetWaitingPackets(), 10 - served.size(), "the others wait");
        disc->Dispose(); // what is paused is given back, too
        return served;
    }
};

/**
 * @ingroup fabric-tests
 * @brief DSCPs find their queue, and wrong attributes are refused.
 */
class DscpTestCase : public QueueDiscTestCase
{
  public:
    DscpTestCase()
        : QueueDiscTestCase("DSCP map and wrong attributes")
    {
    }

  private:
    void Check() override
    {
        // CS7, expedited forwarding (class selector 5), AF11 (1), best effort; DSCP 46 is EF.
        NS_TEST_EXPECT_MSG_EQ(GetQueues("", 8, {56, 46, 10, 0}), "0267", "class selectors");
        NS_TEST_EXPECT_MSG_EQ(GetQueues("", 2, {56, 46, 10, 0}), "0011", "two queues");
        NS_TEST_EXPECT_MSG_EQ(GetQueues("46=0,0=1", 3, {56, 46, 10, 0}), "0021", "a map");
        for (const char* bad : {"64=0", "0=8", "46", "=", "46=", "a=0", "46=0;0=1", "46=0,46=1"})
        {
            const auto error = GetInputError([this, bad] { GetQueues(bad, 8, {}); });
            NS_TEST_EXPECT_MSG_EQ(error.starts_with("ns3::StrictPriorityQueueDisc::DscpMap = '"),
                                  true,
                                  "'" << bad << "' gave '" << error << "'");
        }
        const auto error = GetInputError([] {
            auto disc = CreateObjectWithAttributes<StrictPriorityQueueDisc>("MarkThresholds",
                                                                            StringValue("20p,30p"));
            disc->SetPort(nullptr);
        });
        NS_TEST_EXPECT_MSG_EQ(
            error.starts_with("ns3::StrictPriorityQueueDisc::MarkThresholds = '20p,30p'"),
            true,
            "two thresholds for eight queues gave '" << error << "'");
    }

    /**
     * @brief Find the queues of some DSCPs.
     * @param map attribute DscpMap
     * @param queues attribute Queues
     * @param dscps the DSCPs
     * @return a digit for each
     */
    std::string GetQueues(const std::string& map,
                          uint32_t queues,
                          const std::vector<uint8_t>& dscps)
    {
        auto disc = CreateObjectWithAttributes<StrictPriorityQueueDisc>("Queues",
                                                                        UintegerValue(queues),
                                                                        "Classify",
                                                                        StringValue("Dscp"),
                                                                        "DscpMap",
                                                                        StringValue(map));
        disc->SetPort(nullptr);
        std::string result;
        for (uint8_t dscp : dscps)
        {
            disc->EnqueueItem(MakeTestItem(1, 1000, static_cast<uint8_t>(dscp << 2 | 2)));
            for (uint32_t queue = 0; queue < queues; ++queue)
            {
                result += disc->GetQueuePackets(queue) ? std::to_string(queue) : "";
            }
            disc->DequeueItem()->Release();
        }
        return result;
    }
};

/**
 * @ingroup fabric-tests
 * @brief Strict priority.
 */
class StrictPriorityQueueDiscTestSuite : public TestSuite
{
  public:
    StrictPriorityQueueDiscTestSuite()
        : TestSuite("strict-priority-queue-disc", Type::UNIT)
    {
        AddTestCase(new StrictPriorityTestCase);
        AddTestCase(new PausedPrioritiesTestCase);
        AddTestCase(new DscpTestCase);
    }
};

static StrictPriorityQueueDiscTestSuite g_strictPriorityQueueDiscTestSuite; ///< the suite
