/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/drop-recorder.h"
#include "ns3/flow-recorder.h"
#include "ns3/latency-histogram.h"
#include "ns3/queue-recorder.h"
#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <map>
#include <string>

using namespace ns3;

/**
 * @ingroup telemetry-tests
 * @brief Recorders add their summaries to the results.
 */
class RecorderResultsTestCase : public TestCase
{
  public:
    RecorderResultsTestCase()
        : TestCase("summaries of recorders")
    {
    }

  private:
    void DoRun() override
    {
        Results results;
        auto flows = CreateObject<FlowRecorder>();
        flows->Started(1, 0, 0, 1, 20'000, Time(0), MicroSeconds(10));
        flows->Finished(1, MicroSeconds(30));
        flows->ReportResults(results);
        auto queues = CreateObject<QueueRecorder>();
        queues->AddProbe("p", "up", [] { return QueueLength{3000, 2}; });
        queues->Start(Time(0), Time(0));
        LatencyHistogram latency;
        latency.Add(NanoSeconds(200));
        latency.ReportResults(results, "latency");
        DropRecorder drops;
        drops.Add("p", DropRecorder::Kind::MARK, "threshold", 2, 3000);
        drops.ReportResults(results);
        Simulator::Run();
        queues->ReportResults(results);
        Simulator::Destroy();

        const auto totals = TotalsByName(results);
        const std::map<std::string, double> expected{{"flows_started", 1},
                                                     {"flows_unfinished", 0},
                                                     {"flows_excluded", 0},
                                                     {"fct_mean_ns_all", 30000},
                                                     {"fct_p99_ns_short", 30000},
                                                     {"slowdown_mean_10KB_to_100KB", 3},
                                                     {"latency_count", 1},
                                                     {"latency_p99_ns", 200},
                                                     {"dropped_packets", 0},
                                                     {"marked_bytes", 3000},
                                                     {"queue_mean_bytes_up", 3000},
                                                     {"queue_max_packets_up", 2}};
        for (const auto& [name, value] : expected)
        {
            NS_TEST_ASSERT_MSG_EQ(totals.contains(name), true, name);
            NS_TEST_EXPECT_MSG_EQ(totals.at(name), value, name);
        }
        NS_TEST_EXPECT_MSG_EQ(totals.contains("fct_mean_ns_above_10MB"), false, "no such flow");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Tests of what recorders report.
 */
class RecorderResultsTestSuite : public TestSuite
{
  public:
    RecorderResultsTestSuite()
        : TestSuite("recorder-results", Type::UNIT)
    {
        AddTestCase(new RecorderResultsTestCase);
    }
};

static RecorderResultsTestSuite
    g_recorderResultsTestSuite; //!< Static variable for test initialization
