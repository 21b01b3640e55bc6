/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "support-test.h"

#include "ns3/results.h"
#include "ns3/test.h"

#include <cmath>

using namespace ns3;

/**
 * @ingroup support-tests
 * @brief Rows keep who said what; totals add up by their rule.
 */
class ResultsTestCase : public TestCase
{
  public:
    ResultsTestCase()
        : TestCase("rows and totals")
    {
    }

  private:
    void DoRun() override
    {
        Results results;
        results.SetSource({"switch-port", "leaf0:0"});
        results.Add("drops_packets", 3);
        results.AddMaximum("peak_bytes", -7);
        results.AddRatio("wrong_share", 1, 2);
        results.SetSource({"switch-port", "leaf0:1"});
        results.Add("drops_packets", 4);
        results.AddMaximum("peak_bytes", -9);
        results.AddRatio("wrong_share", 1, 6);
        results.AddRatio("wrong_share", 0, 0);
        results.ReportPart("queue1", [&results] { results.Add("drops_packets", 10); });
        results.Add("late_s", NAN);
        results.SetSource({"host-port", "host0:0", false});
        results.Add("drops_packets", 100);
        results.Add("own_packets", 100);

        const auto totals = TotalsByName(results);
        NS_TEST_EXPECT_MSG_EQ(totals.at("drops_packets"), 17, "sum");
        NS_TEST_EXPECT_MSG_EQ(totals.at("peak_bytes"), -7, "maximum, of negative ones too");
        NS_TEST_EXPECT_MSG_EQ(totals.at("wrong_share"), 0.25, "ratio of the sums");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(totals.at("late_s")), true, "does not exist");
        NS_TEST_EXPECT_MSG_EQ(totals.contains("own_packets"), false, "not in totals");
        NS_TEST_EXPECT_MSG_EQ(totals.size(), 4, "a total per name");
        NS_TEST_EXPECT_MSG_EQ(results.GetTotals()[1].name, "peak_bytes", "as they came up");
        NS_TEST_EXPECT_MSG_EQ(results.GetTotals()[1].kind, "switch-port", "kind of the first");

        const std::string path = CreateTempDirFilename("results.csv");
        results.Write(path);
        NS_TEST_EXPECT_MSG_EQ(FileText(path),
                              "kind,source,name,value\n"
                              "switch-port,leaf0:0,drops_packets,3\n"
                              "switch-port,leaf0:0,peak_bytes,-7\n"
                              "switch-port,leaf0:0,wrong_share,0.5\n"
                              "switch-port,leaf0:1,drops_packets,4\n"
                              "switch-port,leaf0:1,peak_bytes,-9\n"
                              "switch-port,leaf0:1,wrong_share,0.16666666666666666\n"
                              "switch-port,leaf0:1/queue1,drops_packets,10\n"
                              "switch-port,leaf0:1,late_s,\n"
                              "host-port,host0:0,drops_packets,100\n"
                              "host-port,host0:0,own_packets,100\n",
                              "the file");
    }
};

/**
 * @ingroup support-tests
 * @brief Tests of Results.
 */
class ResultsTestSuite : public TestSuite
{
  public:
    ResultsTestSuite()
        : TestSuite("results", Type::UNIT)
    {
        AddTestCase(new ResultsTestCase);
    }
};

static ResultsTestSuite g_resultsTestSuite; //!< Static variable for test initialization
