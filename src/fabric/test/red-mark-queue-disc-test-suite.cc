/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"

#include "ns3/double.h"
#include "ns3/red-mark-queue-disc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief The probability of a mark by the queue length that a packet finds.
 */
class RedMarkTestCase : public QueueDiscTestCase
{
  public:
    RedMarkTestCase()
        : QueueDiscTestCase("marks grow linearly from Kmin to Kmax, and are certain above")
    {
    }

  private:
    void Check() override
    {
        // The numbers of DCQCN's Figure 14.
        auto standard = CreateObject<RedMarkQueueDisc>();
        NS_TEST_EXPECT_MSG_EQ(standard->GetMarkProbability(5000), 0, "Kmin");
        NS_TEST_EXPECT_MSG_EQ_TOL(standard->GetMarkProbability(102500), 0.005, 1e-12, "half-way");
        NS_TEST_EXPECT_MSG_EQ_TOL(standard->GetMarkProbability(200000), 0.01, 1e-12, "Kmax");
        NS_TEST_EXPECT_MSG_EQ(standard->GetMarkProbability(200001), 1, "above Kmax");

        CheckShare(FabricItem::ECT0, 3, 0);
        CheckShare(FabricItem::ECT0, 4, 0.1);
        CheckShare(FabricItem::ECT1, 6, 0.3);
        CheckShare(FabricItem::ECT0, 8, 0.5);
        CheckShare(FabricItem::ECT0, 9, 1);
        CheckShare(FabricItem::NOT_ECT, 9, 0);
    }

    /**
     * @brief Keep a queue at one length and count marks.
     * @param tos of all packets
     * @param waiting packets of 1000 bytes that each arrival finds
     * @param expected share of the arrivals that is marked
     */
    void CheckShare(uint8_t tos, uint32_t waiting, double expected)
    {
        auto disc = CreateObjectWithAttributes<RedMarkQueueDisc>("MinThreshold",
                                                                 StringValue("3kB"),
                                                                 "MaxThreshold",
                                                                 StringValue("8kB"),
                                                                 "MaxProbability",
                                                                 DoubleValue(0.5));
        disc->AssignStreams(7);
        for (uint32_t i = 0; i < waiting; ++i)
        {
            disc->EnqueueItem(MakeTestItem(i, 1000, FabricItem::NOT_ECT));
        }
        constexpr uint32_t ARRIVALS = 20000;
        for (uint32_t i = 0; i < ARRIVALS; ++i)
        {
            disc->EnqueueItem(MakeTestItem(i, 1000, tos));
            disc->DequeueItem()->Release();
        }
        const double share = static_cast<double>(CountPackets(disc->GetMarkCounts())) / ARRIVALS;
        const double deviation = std::sqrt(expected * (1 - expected) / ARRIVALS);
        NS_TEST_EXPECT_MSG_EQ_TOL(share, expected, 4 * deviation, waiting << " waiting");
        while (FabricItem* item = disc->DequeueItem())
        {
            item->Release();
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief Random marking.
 */
class RedMarkQueueDiscTestSuite : public TestSuite
{
  public:
    RedMarkQueueDiscTestSuite()
        : TestSuite("red-mark-queue-disc", Type::UNIT)
    {
        AddTestCase(new RedMarkTestCase);
    }
};

static RedMarkQueueDiscTestSuite g_redMarkQueueDiscTestSuite; ///< the suite
