/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/jain-index.h"
#include "ns3/rate-bins.h"
#include "ns3/test.h"

#include <cmath>

using namespace ns3;

/**
 * @ingroup telemetry-tests
 * @brief The fairness index of the AFQ paper's examples, and of none.
 */
class JainIndexTestCase : public TestCase
{
  public:
    JainIndexTestCase()
        : TestCase("Jain's fairness index")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(JainIndex({1, 1, 1, 1}), 1, "all equal");
        NS_TEST_EXPECT_MSG_EQ(1 - JainIndex({1, 0, 0, 0}), 0.75, "one has it all");
        NS_TEST_EXPECT_MSG_EQ_TOL(1 - JainIndex({1, 2, 3, 4}), 1.0 / 6, 1e-12, "1 - 100 / 120");
        NS_TEST_EXPECT_MSG_EQ_TOL(JainIndex({1e10, 2e10}), 0.9, 1e-12, "any unit: 9 / 10");
        NS_TEST_EXPECT_MSG_EQ(JainIndex({0, 0}), 1, "nobody is worse off");
        NS_TEST_EXPECT_MSG_EQ(JainIndex({}), 1, "nobody is worse off");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Bytes fall into bins; rates, means and variations by hand.
 */
class RateBinsTestCase : public TestCase
{
  public:
    RateBinsTestCase()
        : TestCase("rates in bins")
    {
    }

  private:
    void DoRun() override
    {
        RateBins rates(MicroSeconds(100));
        const auto us = [](int64_t time) { return MicroSeconds(time); };
        rates.Add(1, 1000, us(0));
        rates.Add(1, 250, us(100) - NanoSeconds(1)); // still in bin 0
        rates.Add(1, 3750, us(100));                 // first of bin 1
        rates.Add(3, 1250, us(250));                 // group 3 has nothing before bin 2
        rates.Add(1, 1250, us(50));                  // late news of bin 0
        rates.Add(1, 9999, us(310));                 // in a bin that the end cuts

        NS_TEST_EXPECT_MSG_EQ((rates.GetGroups() == std::vector<uint32_t>{1, 3}), true, "1, 3");
        NS_TEST_EXPECT_MSG_EQ(rates.GetRate(1, 0), 2e8, "2500 B in 100 us");
        NS_TEST_EXPECT_MSG_EQ(rates.GetRate(3, 7), 0, "nothing yet");
        NS_TEST_EXPECT_MSG_EQ(rates.GetRate(99, 0), 0, "no such group");

        const std::string path = CreateTempDirFilename("rates.csv");
        rates.Write(path, us(350));
        NS_TEST_EXPECT_MSG_EQ(FileText(path),
                              "time_s,group,rate_bps\n"
                              "0,1,200000000\n"
                              "0,3,0\n"
                              "0.0001,1,300000000\n"
                              "0.0001,3,0\n"
                              "0.0002,1,0\n"
                              "0.0002,3,100000000\n",
                              "zeros too, but no bin that is cut");

        // 2e8 and 3e8: mean 2.5e8, deviation 0.5e8
        const RateSummary two = rates.Summarize(1, us(0), us(200));
        NS_TEST_EXPECT_MSG_EQ(two.bins, 2, "bins 0 and 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(two.mean, 2.5e8, 1e-3, "(2 + 3) / 2");
        NS_TEST_EXPECT_MSG_EQ_TOL(two.coefficientOfVariation, 0.2, 1e-12, "0.5 / 2.5");
        const RateSummary within = rates.Summarize(1, us(1), us(299));
        NS_TEST_EXPECT_MSG_EQ(within.bins, 1, "only bin 1 lies wholly within");
        NS_TEST_EXPECT_MSG_EQ_TOL(within.mean, 3e8, 1e-3, "bin 1");
        const RateSummary none = rates.Summarize(1, us(10), us(20));
        NS_TEST_EXPECT_MSG_EQ(std::isnan(none.mean), true, "no bin");
        const RateSummary idle = rates.Summarize(3, us(0), us(200));
        NS_TEST_EXPECT_MSG_EQ(idle.mean, 0, "two empty bins");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(idle.coefficientOfVariation), true, "0 / 0");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Tests of RateBins.
 */
class RateBinsTestSuite : public TestSuite
{
  public:
    RateBinsTestSuite()
        : TestSuite("rate-bins", Type::UNIT)
    {
        AddTestCase(new JainIndexTestCase);
        AddTestCase(new RateBinsTestCase);
    }
};

static RateBinsTestSuite g_rateBinsTestSuite; //!< Static variable for test initialization
