/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"

#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/string.h"

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief The packets of a burst that are marked.
 */
class StepTestCase : public QueueDiscTestCase
{
  public:
    StepTestCase()
        : QueueDiscTestCase("exactly the packets beyond the step are marked")
    {
    }

  private:
    void Check() override
    {
        // Arrival i finds i packets of 1000 bytes; departure i leaves 9 - i behind.
        CheckMarks("Enqueue", "4p", FabricItem::ECT0, "0000011111");
        CheckMarks("Enqueue", "4000B", FabricItem::ECT1, "0000011111");
        CheckMarks("Enqueue", "3999B", FabricItem::ECT0, "0000111111");
        CheckMarks("Dequeue", "4p", FabricItem::ECT0, "1111100000");
        CheckMarks("Dequeue", "0p", FabricItem::ECT0, "1111111110");
        CheckMarks("Enqueue", "4p", FabricItem::NOT_ECT, "0000000000");
    }

    /**
     * @brief Fill a queue with ten packets and empty it.
     * @param markAt attribute MarkAt
     * @param threshold attribute MarkThreshold
     * @param tos of all packets
     * @param expected '1' for each packet that leaves with a mark
     */
    void CheckMarks(const std::string& markAt,
                    const std::string& threshold,
                    uint8_t tos,
                    const std::string& expected)
    {
        auto disc = CreateObjectWithAttributes<StepMarkQueueDisc>("MarkAt",
                                                                  StringValue(markAt),
                                                                  "MarkThreshold",
                                                                  StringValue(threshold));
        for (uint32_t i = 0; i < expected.size(); ++i)
        {
            disc->EnqueueItem(MakeTestItem(i, 1000, tos));
        }
        std::string marks;
        while (FabricItem* item = disc->DequeueItem())
        {
            marks += item->GetEcn() == FabricItem::CE ? '1' : '0';
            item->Release();
        }
        NS_TEST_EXPECT_MSG_EQ(marks, expected, markAt << " above " << threshold);
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetMarkCounts()),
                              static_cast<uint64_t>(std::count(marks.begin(), marks.end(), '1')),
                              "counted marks");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetDropCounts()), 0, "nothing is dropped");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Step marking.
 */
class StepMarkQueueDiscTestSuite : public TestSuite
{
  public:
    StepMarkQueueDiscTestSuite()
        : TestSuite("step-mark-queue-disc", Type::UNIT)
    {
        AddTestCase(new StepTestCase);
    }
};

static StepMarkQueueDiscTestSuite g_stepMarkQueueDiscTestSuite; ///< the suite
