/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"

#include "ns3/double.h"
#include "ns3/random-loss-queue-disc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief The rate of losses, their independence, and the packets that are spared.
 */
class RandomLossTestCase : public QueueDiscTestCase
{
  public:
    RandomLossTestCase()
        : QueueDiscTestCase("losses are as frequent as asked for, and independent")
    {
    }

  private:
    void Check() override
    {
        CheckLosses(0.1, 1500, 0.1);
        CheckLosses(0.1, 99, 0);
        CheckLosses(0.1, 100, 0.1);
        CheckLosses(0, 1500, 0);
        CheckLosses(1, 1500, 1);
        CheckLimit();
    }

    /**
     * @brief Send packets to an idle queue.
     * @param rate attribute LossRate
     * @param size of the packets, in bytes; Smallest is 100
     * @param expected share of them that is lost
     */
    void CheckLosses(double rate, uint16_t size, double expected)
    {
        auto disc = CreateObjectWithAttributes<RandomLossQueueDisc>("LossRate",
                                                                    DoubleValue(rate),
                                                                    "Smallest",
                                                                    UintegerValue(100));
        disc->AssignStreams(7);
        constexpr uint32_t ARRIVALS = 20000;
        uint32_t lost = 0;
        uint32_t pairs = 0; // both a packet and the one before it are lost
        bool before = false;
        for (uint32_t i = 0; i < ARRIVALS; ++i)
        {
            const bool now = !disc->EnqueueItem(MakeTestItem(i, size));
            lost += now ? 1 : 0;
            pairs += now && before ? 1 : 0;
            before = now;
            if (!now)
            {
                disc->DequeueItem()->Release();
            }
        }
        const auto deviation = [](double share) {
            return std::sqrt(share * (1 - share) * ARRIVALS);
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(lost,
                                  expected * ARRIVALS,
                                  4 * deviation(expected),
                                  rate << ": packets lost");
        const double both = expected * expected;
        NS_TEST_EXPECT_MSG_EQ_TOL(pairs,
                                  both * (ARRIVALS - 1),
                                  5 * deviation(both),
                                  rate << ": two in a row");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(disc->GetDropCounts()), lost, "counted");
    }

    /// @brief A packet that is not lost at random is held against the limit.
    void CheckLimit()
    {
        auto disc = CreateObjectWithAttributes<RandomLossQueueDisc>("MaxSize", StringValue("2p"));
        for (uint32_t i = 0; i < 3; ++i)
        {
            const bool kept = disc->EnqueueItem(MakeTestItem(i, 1500));
            NS_TEST_EXPECT_MSG_EQ(kept, (i < 2), "2 fit");
        }
        while (FabricItem* item = disc->DequeueItem())
        {
            item->Release();
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief Random losses.
 */
class RandomLossQueueDiscTestSuite : public TestSuite
{
  public:
    RandomLossQueueDiscTestSuite()
        : TestSuite("random-loss-queue-disc", Type::UNIT)
    {
        AddTestCase(new RandomLossTestCase);
    }
};

static RandomLossQueueDiscTestSuite g_randomLossQueueDiscTestSuite; ///< the suite
