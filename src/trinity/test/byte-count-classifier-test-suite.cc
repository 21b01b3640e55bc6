/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/byte-count-classifier.h"
#include "ns3/test.h"

using namespace ns3;

/**
 * @ingroup trinity-tests
 * @brief Packets that count as long.
 */
class ByteCountTestCase : public TestCase
{
  public:
    ByteCountTestCase()
        : TestCase("short flows become long by their bytes")
    {
    }

  private:
    /**
     * @brief Packets of one flow.
     * @param threshold of long flows
     * @param payload of each packet
     * @param packets most there are
     * @return number of short ones, all of them before the first long one
     */
    uint32_t CountShort(uint64_t threshold, uint32_t payload, uint32_t packets)
    {
        ByteCountClassifier classifier;
        ByteCountClassifier::Settings settings;
        settings.threshold = threshold;
        FabricItem item{};
        item.flow = 1;
        uint32_t count = 0;
        for (uint32_t i = 0; i < packets; ++i)
        {
            const bool isLong = classifier.Classify(settings, item, payload, i);
            NS_TEST_EXPECT_MSG_EQ(isLong || count == i, true, "once long, always long");
            count += isLong ? 0 : 1;
        }
        return count;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountShort(102400, 1448, 100), 70, "the default threshold");
        NS_TEST_EXPECT_MSG_EQ(CountShort(0, 0, 10), 0, "0: all are long, with payload or without");
        NS_TEST_EXPECT_MSG_EQ(CountShort(UINT64_MAX, 1U << 31, 10), 10, "no threshold");
        NS_TEST_EXPECT_MSG_EQ(CountShort(102400, 0, 1000000), 1000000, "acknowledgments");
        NS_TEST_EXPECT_MSG_EQ(CountShort(UINT32_MAX, 1U << 31, 10), 1, "the counter stays");

        for (const auto& [threshold, expected] : {std::pair{20480, 14}, std::pair{20481, 15}})
        {
            ByteCountClassifier classifier;
            ByteCountClassifier::Settings settings;
            settings.threshold = threshold;
            FabricItem item{};
            int count = 0;
            for (int i = 0; i < 15; ++i)
            {
                count += !classifier.Classify(settings, item, i < 14 ? 1448 : 208, 0);
            }
            NS_TEST_EXPECT_MSG_EQ(count, expected, "threshold " << threshold);
            item.hash = 1; // another source port
            classifier.Classify(settings, item, 100, 0);
            NS_TEST_EXPECT_MSG_EQ(classifier.GetBytes(item), 100, "flows count apart");
        }
    }
};

/**
 * @ingroup trinity-tests
 * @brief Flows that are idle.
 */
class IdleResetTestCase : public TestCase
{
  public:
    IdleResetTestCase()
        : TestCase("idle flows are short again, or forgotten")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t MS = 1'000'000;
        FabricItem item{};
        item.flow = 1;
        ByteCountClassifier::Settings settings;
        settings.idleReset = 10 * MS;
        ByteCountClassifier classifier;
        for (int i = 0; i < 100; ++i)
        {
            classifier.Classify(settings, item, 1500, 0);
        }
        NS_TEST_EXPECT_MSG_EQ(classifier.GetBytes(item), 150000, "bytes");
        const int64_t pause = 99 * MS / 10;
        NS_TEST_EXPECT_MSG_EQ(classifier.Classify(settings, item, 1448, pause), true, "9.9 ms");
        NS_TEST_EXPECT_MSG_EQ(classifier.Classify(settings, item, 1448, pause + 101 * MS / 10),
                              false,
                              "10.1 ms");
        NS_TEST_EXPECT_MSG_EQ(classifier.GetBytes(item), 1448, "its own size");

        settings.idleReset = 0;
        for (int i = 0; i < 100; ++i)
        {
            classifier.Classify(settings, item, 1500, 0);
        }
        NS_TEST_EXPECT_MSG_EQ(classifier.Classify(settings, item, 1, 10000 * MS), true, "10 s");

        // A flow that waits is not forgotten, the other idle ones are.
        settings.forget = 60000 * MS;
        classifier.Hold(item);
        for (uint32_t flow = 2; flow < 64; ++flow)
        {
            item.flow = flow;
            classifier.Classify(settings, item, 1, 20000 * MS);
        }
        NS_TEST_EXPECT_MSG_EQ(classifier.GetNFlows(), 63, "all known");
        item.flow = 64;
        classifier.Classify(settings, item, 1, 90000 * MS);
        item.flow = 65;
        classifier.Classify(settings, item, 1, 90000 * MS);
        NS_TEST_EXPECT_MSG_EQ(classifier.GetNFlows(), 3, "the old ones are forgotten");
        item.flow = 1;
        NS_TEST_EXPECT_MSG_EQ(classifier.GetBytes(item), 151449, "but not the one that waits");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Trinity's classifier.
 */
class ByteCountClassifierTestSuite : public TestSuite
{
  public:
    ByteCountClassifierTestSuite()
        : TestSuite("byte-count-classifier", Type::UNIT)
    {
        AddTestCase(new ByteCountTestCase, Duration::QUICK);
        AddTestCase(new IdleResetTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static ByteCountClassifierTestSuite g_byteCountClassifierTestSuite;
