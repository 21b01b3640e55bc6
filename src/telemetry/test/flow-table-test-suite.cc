/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/flow-table.h"
#include "ns3/number-text.h"
#include "ns3/quantile.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <malloc.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup telemetry-tests
 * @brief A few flows whose numbers are worked out by hand.
 */
class FlowTableTestCase : public TestCase
{
  public:
    FlowTableTestCase()
        : TestCase("rows, counts and the measured window")
    {
    }

  private:
    void DoRun() override
    {
        FlowTable table(MicroSeconds(10), MilliSeconds(1));
        const auto us = [](int64_t time) { return MicroSeconds(time); };
        table.Started(1, 0, 3, 4, 5'000, us(9), us(10));       // warm-up
        table.Started(2, 7, 0, 1, 5'000, us(10), us(10));      // FCT 20 us, slowdown 2
        table.Started(3, 7, 1, 2, 50'000, us(20), us(80));     // FCT 100 us, slowdown 1.25
        table.Started(4, 8, 2, 0, 99'999, us(30), us(90));     // never sends
        table.Started(5, 8, 2, 1, 2'000'000, us(40), Time(0)); // sends, does not finish
        table.Started(7, 9, 5, 6, 0, us(50), Time(0));         // long-lived, stopped
        table.Started(6, 9, 5, 6, 1'000, us(1000), us(8));     // after the end of arrivals
        for (uint64_t flow : {1, 2})
        {
            table.FirstSent(flow, us(12));
        }
        table.FirstSent(2, us(25)); // not the first
        table.FirstSent(5, us(45));
        table.FirstSent(7, us(50));
        table.Finished(1, us(30));
        table.Finished(2, us(32));
        table.Finished(3, us(120)); // no first transmission told: counts from its start
        table.Finished(6, us(1010));
        table.Finished(7, us(900));
        table.Lost(5, 1'999'000); // over, with most of it dropped
        table.Lost(1, 1);         // not measured

        NS_TEST_EXPECT_MSG_EQ(table.GetStarted(), 5, "flows 2, 3, 4, 5, 7");
        NS_TEST_EXPECT_MSG_EQ(table.GetFinished(), 3, "flows 2, 3, 7");
        NS_TEST_EXPECT_MSG_EQ(table.GetUnfinished(), 2, "flows 4, 5");
        NS_TEST_EXPECT_MSG_EQ(table.GetExcluded(), 2, "flows 1, 6");

        const std::string path = CreateTempDirFilename("flows.csv");
        table.Write(path);
        NS_TEST_EXPECT_MSG_EQ(FileText(path),
                              "flow,group,source,destination,bytes,start_ns,first_sent_ns,fct_ns,"
                              "ideal_ns,slowdown,finished,lost_bytes\n"
                              "2,7,0,1,5000,10000,12000,20000,10000,2,1,0\n"
                              "3,7,1,2,50000,20000,20000,100000,80000,1.25,1,0\n"
                              "4,8,2,0,99999,30000,,,90000,,0,0\n"
                              "5,8,2,1,2000000,40000,45000,,,,0,1999000\n"
                              "7,9,5,6,0,50000,50000,850000,,,1,0\n",
                              "measured flows only");

        const FlowSummary all = table.Summarize({{"", 1, 1'000'000'000}}).front();
        NS_TEST_EXPECT_MSG_EQ(all.started, 4, "a flow without a size is in no class");
        NS_TEST_EXPECT_MSG_EQ(all.finished, 2, "flows 2 and 3");
        NS_TEST_EXPECT_MSG_EQ_TOL(all.meanFctNs, 60'000, 1e-6, "(20 + 100) / 2 us");
        NS_TEST_EXPECT_MSG_EQ_TOL(all.p50FctNs, 60'000, 1e-6, "halfway");
        NS_TEST_EXPECT_MSG_EQ_TOL(all.p99FctNs, 99'200, 1e-6, "20 + 0.99 * 80 us");
        NS_TEST_EXPECT_MSG_EQ_TOL(all.meanIdealNs, 45'000, 1e-6, "(10 + 80) / 2 us");
        NS_TEST_EXPECT_MSG_EQ_TOL(all.meanSlowdown, 1.625, 1e-12, "(2 + 1.25) / 2");

        const FlowSummary none = table.Summarize({{"", 1'000'000, 10'000'000}}).front();
        NS_TEST_EXPECT_MSG_EQ(none.started, 1, "flow 5");
        NS_TEST_EXPECT_MSG_EQ(none.finished, 0, "flow 5 does not finish");
        NS_TEST_EXPECT_MSG_EQ((std::isnan(none.meanFctNs) && std::isnan(none.p99FctNs)),
                              true,
                              "no flow, no statistics");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Many random flows against sorted lists.
 */
class FlowSummaryTestCase : public TestCase
{
  public:
    FlowSummaryTestCase()
        : TestCase("statistics by size class against sorted lists")
    {
    }

  private:
    /**
     * @param sorted a sample in ascending order
     * @param q which quantile
     * @return the quantile by its definition
     */
    static double SlowQuantile(const std::vector<double>& sorted, double q)
    {
        const double position = q * (sorted.size() - 1);
        const auto below = static_cast<std::size_t>(std::floor(position));
        const auto above = static_cast<std::size_t>(std::ceil(position));
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    void DoRun() override
    {
        // A size on each side of each boundary, and where it belongs.
        const std::vector<uint64_t>
            sizes{1, 9'999, 10'000, 99'999, 100'000, 999'999, 1'000'000, 9'999'999, 10'000'000};
        const std::vector<std::vector<int>>
            members{{0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 2, 3}, {0, 1}, {2, 3}, {4, 5}, {6, 7}, {8}};
        FlowTable table(Time(0), Time::Max());
        std::mt19937 random(1);
        std::vector<std::vector<double>> fct(sizes.size());
        std::vector<std::vector<double>> ideal(sizes.size());
        for (uint64_t id = 0; id < 5000; ++id)
        {
            const std::size_t size = random() % sizes.size();
            const int64_t start = random() % 1'000'000;
            const int64_t took = 1 + random() % 100'000;
            const int64_t best = 1 + random() % 1'000;
            table.Started(id, 0, 0, 1, sizes[size], NanoSeconds(start), NanoSeconds(best));
            table.FirstSent(id, NanoSeconds(start + 5));
            table.Finished(id, NanoSeconds(start + 5 + took));
            fct[size].push_back(took);
            ideal[size].push_back(best);
        }

        const auto& classes = FlowTable::GetSizeClasses();
        NS_TEST_ASSERT_MSG_EQ(classes.size(), members.size(), "all, short and five classes");
        for (std::size_t c = 0; c < classes.size(); ++c)
        {
            std::vector<double> times;
            std::vector<double> slowdowns;
            double sum = 0;
            double sumIdeal = 0;
            for (const int size : members[c])
            {
                for (std::size_t i = 0; i < fct[size].size(); ++i)
                {
                    times.push_back(fct[size][i]);
                    slowdowns.push_back(fct[size][i] / ideal[size][i]);
                    sum += fct[size][i];
                    sumIdeal += ideal[size][i];
                }
            }
            std::sort(times.begin(), times.end());
            std::sort(slowdowns.begin(), slowdowns.end());
            const FlowSummary summary = table.Summarize({classes[c]}).front();
            const std::string name = classes[c].name;
            const auto n = static_cast<double>(times.size());
            NS_TEST_ASSERT_MSG_EQ(summary.started, times.size(), name);
            NS_TEST_ASSERT_MSG_EQ(summary.finished, times.size(), name);
            NS_TEST_EXPECT_MSG_EQ_TOL(summary.meanFctNs, sum / n, 1e-6, name);
            NS_TEST_EXPECT_MSG_EQ_TOL(summary.p50FctNs, SlowQuantile(times, 0.5), 1e-6, name);
            NS_TEST_EXPECT_MSG_EQ_TOL(summary.p99FctNs, SlowQuantile(times, 0.99), 1e-6, name);
            NS_TEST_EXPECT_MSG_EQ_TOL(summary.meanIdealNs, sumIdeal / n, 1e-6, name);
            NS_TEST_EXPECT_MSG_EQ_TOL(summary.p99Slowdown,
                                      SlowQuantile(slowdowns, 0.99),
                                      1e-6,
                                      name);
        }
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Flows that are over leave memory, and are still there in the end.
 */
class FlowMemoryTestCase : public TestCase
{
  public:
    FlowMemoryTestCase()
        : TestCase("flows that are over take no memory")
    {
    }

  private:
    /// @return bytes that are allocated now
    static std::size_t GetAllocated()
    {
        const auto info = mallinfo2();
        return info.uordblks + info.hblkhd;
    }

    void DoRun() override
    {
        constexpr uint64_t FLOWS = 300'000;
        FlowTable table(Time(0), Time::Max());
        const auto start = [&table](uint64_t id) {
            table.Started(id, 1, 2, 3, 1000, NanoSeconds(id), NanoSeconds(5));
        };
        const auto end = [&table](uint64_t id) {
            table.FirstSent(id, NanoSeconds(id + 1));
            table.Finished(id, NanoSeconds(id + 11 + id % 7));
        };
        start(0); // lasts
        const std::size_t before = GetAllocated();
        for (uint64_t id = 1; id < FLOWS; ++id)
        {
            start(id);
            if (id % 1000 == 500)
            {
                table.Lost(id, id);
            }
            else if (id % 1000 != 501) // those do not end, each in a block of its own
            {
                end(id);
            }
        }
        NS_TEST_EXPECT_MSG_LT(GetAllocated(),
                              before + 300 * 256 * 64 * 11 / 10,
                              "blocks of flows that are not over");
        for (uint64_t id = 501; id < FLOWS; id += 1000)
        {
            end(id);
        }
        NS_TEST_EXPECT_MSG_LT(GetAllocated(), before + FLOWS / 2, "half a byte a flow");
        end(0);

        const std::string path = CreateTempDirFilename("flows.csv");
        table.Write(path);
        std::ifstream file(path);
        std::string line;
        std::getline(file, line);
        for (uint64_t id = 0; id < FLOWS; ++id)
        {
            std::getline(file, line);
            const std::string number = std::to_string(id);
            const std::string fct = std::to_string(10 + id % 7);
            const std::string slowdown = NumberText((10.0 + static_cast<double>(id % 7)) / 5);
            std::string expected = number + ",1,2,3,1000," + number;
            expected += id % 1000 == 500
                            ? ",,,5,,0," + number
                            : "," + std::to_string(id + 1) + "," + fct + ",5," + slowdown + ",1,0";
            NS_TEST_ASSERT_MSG_EQ(line, expected, "row");
        }
        NS_TEST_EXPECT_MSG_EQ(table.GetFinished(), FLOWS - FLOWS / 1000, "finished");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Quantiles of samples that are gone through twice.
 */
class StreamedQuantilesTestCase : public TestCase
{
  public:
    StreamedQuantilesTestCase()
        : TestCase("streamed quantiles")
    {
    }

  private:
    void Check(const std::vector<double>& values)
    {
        const std::vector<double> wanted{0, 0.3, 0.5, 0.99, 1};
        StreamedQuantiles streamed;
        std::ranges::for_each(values, [&](double value) { streamed.Count(value); });
        std::ranges::for_each(wanted, [&](double q) { streamed.Choose(q); });
        std::ranges::for_each(values, [&](double value) { streamed.Collect(value); });
        for (const double q : wanted)
        {
            NS_TEST_EXPECT_MSG_EQ(streamed.Get(q), Quantile(values, q), values.size() << " " << q);
        }
    }

    void DoRun() override
    {
        Check({0});
        Check({3, 1});
        Check({7, 7, 7, 7, 7});
        std::mt19937 random(1);
        for (const std::size_t size : {3, 10, 101, 1000, 20'000})
        {
            std::vector<double> wide(size);  // over many orders of magnitude
            std::vector<double> dense(size); // many in one bin, and many alike
            for (std::size_t i = 0; i < size; ++i)
            {
                wide[i] = std::exp(random() % 1000 / 50.0);
                dense[i] = 1000 + random() % 50 / 25.0;
            }
            Check(wide);
            Check(dense);
        }
        StreamedQuantiles none;
        none.Choose(0.5);
        NS_TEST_EXPECT_MSG_EQ(std::isnan(none.Get(0.5)), true, "of no values");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Quantiles of small samples.
 */
class QuantileTestCase : public TestCase
{
  public:
    QuantileTestCase()
        : TestCase("quantiles")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(std::isnan(Quantile({}, 0.5)), true, "of nothing");
        NS_TEST_EXPECT_MSG_EQ(Quantile({3}, 0.99), 3, "of one");
        NS_TEST_EXPECT_MSG_EQ(Quantile({4, 1, 3, 2}, 0), 1, "minimum");
        NS_TEST_EXPECT_MSG_EQ(Quantile({4, 1, 3, 2}, 1), 4, "maximum");
        NS_TEST_EXPECT_MSG_EQ(Quantile({4, 1, 3, 2}, 0.5), 2.5, "median of an even sample");
        NS_TEST_EXPECT_MSG_EQ_TOL(Quantile({4, 1, 3, 2}, 0.9), 3.7, 1e-12, "1 + 0.9 * 3");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Tests of FlowTable.
 */
class FlowTableTestSuite : public TestSuite
{
  public:
    FlowTableTestSuite()
        : TestSuite("flow-table", Type::UNIT)
    {
        AddTestCase(new FlowTableTestCase);
        AddTestCase(new FlowSummaryTestCase);
        AddTestCase(new FlowMemoryTestCase);
        AddTestCase(new StreamedQuantilesTestCase);
        AddTestCase(new QuantileTestCase);
    }
};

static FlowTableTestSuite g_flowTableTestSuite; //!< Static variable for test initialization
