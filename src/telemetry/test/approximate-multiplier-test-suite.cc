/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/approximate-multiplier.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace ns3;

/**
 * @ingroup telemetry-tests
 * @brief The number of entries that a table takes, by the formula and by making it.
 */
class MultiplierEntriesTestCase : public TestCase
{
  public:
    MultiplierEntriesTestCase()
        : TestCase("entries are as many as the paper says, and cover every factor once")
    {
    }

  private:
    void DoRun() override
    {
        const auto count = ApproximateMultiplier::CountEntries;
        NS_TEST_EXPECT_MSG_EQ(count(8, 1), 9, "e(8,1)");
        NS_TEST_EXPECT_MSG_EQ(count(8, 2), 16, "e(8,2)");
        NS_TEST_EXPECT_MSG_EQ(count(8, 3), 28, "e(8,3)");
        NS_TEST_EXPECT_MSG_EQ(count(8, 4), 48, "e(8,4)");
        NS_TEST_EXPECT_MSG_EQ(count(16, 4), 112, "e(16,4)");
        NS_TEST_EXPECT_MSG_EQ(count(18, 4), 128, "e(18,4)");
        NS_TEST_EXPECT_MSG_EQ(6 * count(18, 4), 768, "six rates; the paper says 764");
        NS_TEST_EXPECT_MSG_EQ(count(26, 4), 192, "e(26,4)");
        NS_TEST_EXPECT_MSG_EQ(count(48, 4), 368, "e(48,4)");
        const std::vector<std::pair<uint32_t, uint64_t>> figure17{{1, 33},
                                                                  {2, 64},
                                                                  {3, 124},
                                                                  {4, 240},
                                                                  {5, 464},
                                                                  {6, 896},
                                                                  {8, 3328},
                                                                  {10, 12288},
                                                                  {12, 45056},
                                                                  {15, 311296},
                                                                  {20, 7340032},
                                                                  {25, 150994944},
                                                                  {28, 805306368},
                                                                  {30, 2147483648},
                                                                  {31, 3221225472},
                                                                  {32, 4294967296}};
        for (const auto& [bits, entries] : figure17)
        {
            NS_TEST_EXPECT_MSG_EQ(count(32, bits), entries, "e(32," << bits << ")");
        }
        for (uint32_t width = 1; width <= 14; ++width)
        {
            for (uint32_t bits = 1; bits <= width; ++bits)
            {
                CheckTable(width, bits);
            }
        }
    }

    /**
     * @brief Make a table and look at all of it.
     * @param width bits of a factor
     * @param bits that are looked at
     */
    void CheckTable(uint32_t width, uint32_t bits)
    {
        const ApproximateMultiplier multiplier(width, bits);
        const auto entries = multiplier.ListEntries();
        NS_TEST_EXPECT_MSG_EQ(entries.size(),
                              ApproximateMultiplier::CountEntries(width, bits),
                              "entries for " << width << " bits, " << bits << " significant");
        uint64_t next = 0;
        for (const auto& entry : entries)
        {
            NS_TEST_ASSERT_MSG_EQ(entry.first, next, "a gap or an overlap");
            for (next = entry.first; next <= entry.last; ++next)
            {
                NS_TEST_ASSERT_MSG_EQ(multiplier.GetDoubledMean(next), entry.doubledMean, next);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(next, uint64_t{1} << width, "factors that are covered");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief The values that factors count as, and the errors.
 */
class MultiplierErrorTestCase : public TestCase
{
  public:
    MultiplierErrorTestCase()
        : TestCase("means and errors")
    {
    }

  private:
    void DoRun() override
    {
        const ApproximateMultiplier four(32, 4);
        const std::vector<std::pair<uint64_t, double>> means{{0, 0},
                                                             {15, 15},
                                                             {16, 16.5},
                                                             {17, 16.5},
                                                             {100, 99.5},
                                                             {120, 123.5},
                                                             {127, 123.5},
                                                             {128, 135.5},
                                                             {143, 135.5},
                                                             {144, 151.5},
                                                             {1000, 991.5},
                                                             {1023, 991.5},
                                                             {1024, 1087.5},
                                                             {4095, 3967.5}};
        for (const auto& [x, mean] : means)
        {
            NS_TEST_EXPECT_MSG_EQ(four.GetMean(x), mean, "A(" << x << ")");
        }
        NS_TEST_EXPECT_MSG_EQ(four.GetMean(uint64_t{1} << 40),
                              four.GetMean((uint64_t{1} << 32) - 1),
                              "a factor that is too long");
        for (const uint64_t x : {1, 255, 65535})
        {
            NS_TEST_EXPECT_MSG_EQ(ApproximateMultiplier(32, 16).GetMean(x), x, "all bits are seen");
            NS_TEST_EXPECT_MSG_EQ(ApproximateMultiplier(32, 0).GetMean(x), x, "exact");
        }
        CheckErrors(4, 0.0624990, -0.0555548);
        for (const uint32_t bits : {1, 2, 3, 5, 6, 8, 10})
        {
            const double scale = std::ldexp(1, static_cast<int>(bits));
            // The least group that is not exact is the worst underestimate; the greatest, the worst
            // overestimate.
            CheckErrors(bits,
                        (1 - std::ldexp(1, static_cast<int>(bits) - WIDTH)) / scale,
                        std::numeric_limits<double>::quiet_NaN());
        }
    }

    static constexpr int WIDTH = 20; //!< bits of the factors tried

    /**
     * @brief Try all factors.
     * @param bits that are looked at
     * @param largest relative error above
     * @param least relative error below; NaN: any that is no worse than 1/(2^b + 2)
     */
    void CheckErrors(uint32_t bits, double largest, double least)
    {
        const ApproximateMultiplier multiplier(WIDTH, bits);
        double above = 0;
        double below = 0;
        for (uint64_t x = 1; x < uint64_t{1} << WIDTH; ++x)
        {
            const double error = multiplier.GetMean(x) / static_cast<double>(x) - 1;
            above = std::max(above, error);
            below = std::min(below, error);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(above, largest, 1e-7, bits << " bits, above");
        if (std::isnan(least))
        {
            NS_TEST_EXPECT_MSG_GT(below, -1 / (std::ldexp(1, static_cast<int>(bits)) + 2), "below");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(below, least, 1e-7, bits << " bits, below");
        }
    }
};

/**
 * @ingroup telemetry-tests
 * @brief The multiplication table.
 */
class ApproximateMultiplierTestSuite : public TestSuite
{
  public:
    ApproximateMultiplierTestSuite()
        : TestSuite("approximate-multiplier", Type::UNIT)
    {
        AddTestCase(new MultiplierEntriesTestCase);
        AddTestCase(new MultiplierErrorTestCase);
    }
};

static ApproximateMultiplierTestSuite g_approximateMultiplierTestSuite; ///< the suite
