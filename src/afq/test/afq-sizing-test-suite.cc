/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/afq-sizing.h"
#include "ns3/test.h"

using namespace ns3;

/**
 * @ingroup afq-tests
 * @brief The arithmetic of Section 5, Section 3.2 and Section 6.3.
 */
class AfqSizingTestCase : public TestCase
{
  public:
    AfqSizingTestCase()
        : TestCase("bytes per round, size and memory of sketches")
    {
    }

  private:
    void DoRun() override
    {
        CheckRound("40Gbps", 20, 12, 1388.9);
        CheckRound("40Gbps", 20, 10, 1666.7);
        CheckRound("40Gbps", 20, 11, 1515.2);
        CheckRound("40Gbps", 20, 32, 520.8);
        CheckRound("10Gbps", 200, 32, 1302.1);
        NS_TEST_EXPECT_MSG_EQ_TOL(AfqSizing::GetQueueDemand(DataRate("10Gbps"), MicroSeconds(25)),
                                  5208.3,
                                  0.05,
                                  "a sixth of 31250 bytes");

        const AfqSizing::Sketch sketch = AfqSizing::GetSketch(0.001, 0.01);
        NS_TEST_EXPECT_MSG_EQ(sketch.columns, 2719, "nB");
        NS_TEST_EXPECT_MSG_EQ(sketch.rows, 5, "nH");
        NS_TEST_EXPECT_MSG_EQ_TOL(AfqSizing::GetEpsilon(16384), 1.659e-4, 5e-8, "epsilon");
        NS_TEST_EXPECT_MSG_EQ_TOL(AfqSizing::GetEpsilon(1024), 2.655e-3, 5e-7, "epsilon");
        NS_TEST_EXPECT_MSG_EQ_TOL(AfqSizing::GetDelta(2), 0.1353, 5e-5, "delta");

        NS_TEST_EXPECT_MSG_EQ(AfqSizing::GetMemory({2, 1024}), 8192, "2x1024");
        NS_TEST_EXPECT_MSG_EQ(AfqSizing::GetMemory({2, 2048}), 16'384, "2x2048");
        NS_TEST_EXPECT_MSG_EQ(AfqSizing::GetMemory({2, 16384}), 131'072, "2x16384");
        NS_TEST_EXPECT_MSG_EQ(AfqSizing::GetMemory({3, 16384}), 196'608, "3x16384");
        NS_TEST_EXPECT_MSG_EQ(AfqSizing::GetMemory({4, 16384}), 262'144, "4x16384");
    }

    /**
     * @brief Bytes per round.
     * @param rate of the link
     * @param rtt in microseconds
     * @param queues number of FIFO queues
     * @param bytes expected
     */
    void CheckRound(const std::string& rate, uint64_t rtt, uint32_t queues, double bytes)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(
            AfqSizing::GetBytesPerRound(DataRate(rate), MicroSeconds(rtt), queues),
            bytes,
            0.05,
            rate << ", " << rtt << " us, " << queues << " queues");
    }
};

/**
 * @ingroup afq-tests
 * @brief Test suite of AFQ's sizing.
 */
class AfqSizingTestSuite : public TestSuite
{
  public:
    AfqSizingTestSuite()
        : TestSuite("afq-sizing", Type::UNIT)
    {
        AddTestCase(new AfqSizingTestCase);
    }
};

/// @brief The suite.
static AfqSizingTestSuite g_afqSizingTestSuite;
