/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/flow-occupancy-recorder.h"
#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <vector>

using namespace ns3;

/**
 * @ingroup telemetry-tests
 * @brief Snapshots of queues that change at known times.
 */
class FlowOccupancyRecorderTestCase : public TestCase
{
  public:
    FlowOccupancyRecorderTestCase()
        : TestCase("packets per flow")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<uint32_t> a{7, 9, 9, 7, 9, 9, 9, 9, 8}; // flows of 2, 6 and 1 packets
        std::vector<uint32_t> b;
        auto recorder =
            CreateObjectWithAttributes<FlowOccupancyRecorder>("Interval",
                                                              TimeValue(MicroSeconds(10)));
        const auto probe = [](const std::vector<uint32_t>& queue) {
            return [&queue](const FlowOccupancyRecorder::Visit& visit) {
                for (const auto flow : queue)
                {
                    visit(flow);
                }
            };
        };
        recorder->AddProbe("up", probe(a));
        recorder->AddProbe("up", probe(b));
        recorder->AddProbe("down", probe(b));
        recorder->Start(MicroSeconds(5), MicroSeconds(25)); // at 5, 15 and 25 us
        Simulator::Schedule(MicroSeconds(6), [&] { a = {5}; });
        Simulator::Schedule(MicroSeconds(7), [&] {
            a = {7};
            b = {7, 7};
        });
        Simulator::Schedule(MicroSeconds(16), [&] {
            a.clear();
            b.clear();
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(25), "the last time is included");

        // At 5 us 2, 6, 1 in a; at 15 us 1 in a and 2 in b (another queue: another count).
        const std::map<uint32_t, uint64_t> up{{1, 2}, {2, 2}, {6, 1}};
        NS_TEST_EXPECT_MSG_EQ((recorder->GetCounts("up") == up), true, "up");
        const std::map<uint32_t, uint64_t> down{{2, 1}};
        NS_TEST_EXPECT_MSG_EQ((recorder->GetCounts("down") == down), true, "down");
        NS_TEST_EXPECT_MSG_EQ(recorder->GetCounts("none").empty(), true, "no such role");
        const std::string path = CreateTempDirFilename("occupancy.csv");
        recorder->Write(path);
        NS_TEST_EXPECT_MSG_EQ(FileText(path),
                              "role,packets,count\ndown,2,1\nup,1,2\nup,2,2\nup,6,1\n",
                              "file");

        Results results;
        recorder->ReportResults(results);
        const auto totals = TotalsByName(results);
        // Of queues that were not empty: 3, 1 and 1 flows.
        NS_TEST_EXPECT_MSG_EQ_TOL(totals.at("queue_flows_mean_up"), 5.0 / 3, 1e-12, "mean");
        NS_TEST_EXPECT_MSG_EQ(totals.at("queue_flows_max_up"), 3, "maximum");
        Simulator::Destroy();
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Flow occupancy.
 */
class FlowOccupancyRecorderTestSuite : public TestSuite
{
  public:
    FlowOccupancyRecorderTestSuite()
        : TestSuite("flow-occupancy-recorder", Type::UNIT)
    {
        AddTestCase(new FlowOccupancyRecorderTestCase);
    }
};

static FlowOccupancyRecorderTestSuite g_flowOccupancyRecorderTestSuite; //!< the suite
