/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/latency-histogram.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>

using namespace ns3;

/**
 * @ingroup telemetry-tests
 * @param sorted latencies in nanoseconds, ascending
 * @param percent number of the percentile
 * @return the nearest-rank percentile
 */
static int64_t
NearestRank(const std::vector<int64_t>& sorted, std::size_t percent)
{
    const std::size_t rank = std::max<std::size_t>(1, (percent * sorted.size() + 99) / 100);
    return sorted[rank - 1];
}

/**
 * @ingroup telemetry-tests
 * @brief Latencies of all magnitudes against a sorted list.
 */
class HistogramQuantileTestCase : public TestCase
{
  public:
    HistogramQuantileTestCase()
        : TestCase("quantiles against a sorted list")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> exponent(0, 40);
        std::vector<int64_t> all(20'000);
        LatencyHistogram one;
        LatencyHistogram other;
        for (auto& value : all)
        {
            value = static_cast<int64_t>(std::exp2(exponent(random)));
            (random() % 3 ? one : other).Add(NanoSeconds(value));
        }
        const uint64_t part = one.GetCount();
        one.Merge(other);
        NS_TEST_EXPECT_MSG_EQ(one.GetCount(), part + other.GetCount(), "all of both");
        NS_TEST_EXPECT_MSG_EQ(one.GetCount(), all.size(), "every latency is counted");

        std::sort(all.begin(), all.end());
        for (std::size_t percent = 0; percent <= 100; ++percent)
        {
            const auto exact = static_cast<double>(NearestRank(all, percent));
            const auto value =
                static_cast<double>(one.GetQuantile(percent / 100.0).GetNanoSeconds());
            NS_TEST_EXPECT_MSG_EQ_TOL(value, exact, exact / 256, percent << " %");
        }
        const double mean =
            std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
        NS_TEST_EXPECT_MSG_EQ_TOL(one.GetMeanNs(), mean, mean * 1e-12, "the mean is exact");
        NS_TEST_EXPECT_MSG_EQ(one.GetMin().GetNanoSeconds(), all.front(), "exact");
        NS_TEST_EXPECT_MSG_EQ(one.GetMax().GetNanoSeconds(), all.back(), "exact");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Bins tile the time axis without a gap, none wider than 1 % of its lower edge.
 */
class HistogramBinsTestCase : public TestCase
{
  public:
    HistogramBinsTestCase()
        : TestCase("bins tile the axis")
    {
    }

  private:
    void DoRun() override
    {
        // Three latencies per bin and octave, and the ends of the axis.
        std::vector<int64_t> values{0, std::numeric_limits<int64_t>::max()};
        for (int octave = 0; octave < 62; ++octave)
        {
            for (int64_t i = 0; i < 384; ++i)
            {
                values.push_back(
                    (int64_t{1} << octave) +
                    static_cast<int64_t>(std::ldexp(static_cast<double>(i) / 384, octave)));
            }
        }
        LatencyHistogram histogram;
        for (const int64_t value : values)
        {
            histogram.Add(NanoSeconds(value));
        }
        std::sort(values.begin(), values.end());

        const std::string path = CreateTempDirFilename("latency.csv");
        histogram.Write(path);
        std::istringstream file(FileText(path));
        std::string line;
        std::getline(file, line);
        NS_TEST_ASSERT_MSG_EQ(line, "low_ns,high_ns,count", "header");
        auto next = values.begin();
        int64_t end = 0;
        int64_t low = 0;
        int64_t high = 0;
        int64_t count = 0;
        char comma;
        while (file >> low >> comma >> high >> comma >> count)
        {
            NS_TEST_ASSERT_MSG_GT_OR_EQ(low, end, "bins do not overlap");
            NS_TEST_ASSERT_MSG_LT_OR_EQ(high - low,
                                        std::max<int64_t>(1, low / 100),
                                        "width at " << low);
            end = high;
            NS_TEST_ASSERT_MSG_GT_OR_EQ(*next, low, "no latency between bins");
            while (count-- > 0)
            {
                const bool last = high == std::numeric_limits<int64_t>::max();
                NS_TEST_ASSERT_MSG_EQ((*next >= low && (*next < high || last)), true, "in " << low);
                ++next;
            }
        }
        NS_TEST_EXPECT_MSG_EQ((next == values.end()), true, "every latency is in a bin");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Small samples worked out by hand.
 */
class HistogramExactTestCase : public TestCase
{
  public:
    HistogramExactTestCase()
        : TestCase("exact below 256 steps, and by hand")
    {
    }

  private:
    void DoRun() override
    {
        LatencyHistogram histogram;
        NS_TEST_EXPECT_MSG_EQ(histogram.GetQuantile(0.5), Time(0), "of nothing");
        NS_TEST_EXPECT_MSG_EQ(histogram.GetMin(), Time(0), "of nothing");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(histogram.GetMeanNs()), true, "of nothing");
        for (int64_t value = 1; value <= 100; ++value)
        {
            histogram.Add(NanoSeconds(value));
        }
        for (int percent = 1; percent <= 100; ++percent)
        {
            NS_TEST_EXPECT_MSG_EQ(histogram.GetQuantile(percent / 100.0).GetNanoSeconds(),
                                  percent,
                                  "nearest rank of 1..100, without an error of rounding");
        }
        LatencyHistogram thousand;
        for (int64_t value = 1; value <= 1000; ++value)
        {
            thousand.Add(NanoSeconds(value));
        }
        NS_TEST_EXPECT_MSG_EQ(thousand.GetQuantile(0.99).GetNanoSeconds(),
                              989,
                              "990 is in [988, 992), of which 988 + (4 - 1) / 2");
        histogram.Add(NanoSeconds(1001));
        const std::string path = CreateTempDirFilename("exact.csv");
        histogram.Write(path);
        const std::string text = FileText(path);
        NS_TEST_EXPECT_MSG_EQ(text.substr(0, 33),
                              "low_ns,high_ns,count\n1,2,1\n2,3,1\n",
                              "1 ns wide");
        // 1001 is in [512, 1024), cut into 128 bins of 4
        NS_TEST_EXPECT_MSG_EQ(text.substr(text.size() - 12), "1000,1004,1\n", "4 ns wide");
        NS_TEST_EXPECT_MSG_EQ(histogram.GetQuantile(1).GetNanoSeconds(),
                              1001,
                              "1000 + (4 - 1) / 2");
        histogram.Merge(LatencyHistogram());
        NS_TEST_EXPECT_MSG_EQ(histogram.GetMin().GetNanoSeconds(), 1, "nothing changes nothing");
        NS_TEST_EXPECT_MSG_EQ_TOL(histogram.GetMeanNs(),
                                  6051.0 / 101,
                                  1e-12,
                                  "(5050 + 1001) / 101");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Tests of LatencyHistogram.
 */
class LatencyHistogramTestSuite : public TestSuite
{
  public:
    LatencyHistogramTestSuite()
        : TestSuite("latency-histogram", Type::UNIT)
    {
        AddTestCase(new HistogramQuantileTestCase);
        AddTestCase(new HistogramBinsTestCase);
        AddTestCase(new HistogramExactTestCase);
    }
};

/// Static variable for test initialization
static LatencyHistogramTestSuite g_latencyHistogramTestSuite;
