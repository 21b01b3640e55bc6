/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/flow-backlog.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>

using namespace ns3;

/**
 * @ingroup scenario-tests
 * @brief Bytes that flows are asked for and have not delivered, at two times.
 */
class FlowBacklogTestCase : public TestCase
{
  public:
    FlowBacklogTestCase()
        : TestCase("backlog half-way and at the end")
    {
    }

  private:
    /**
     * @brief Schedule the life of a flow.
     * @param backlog is told
     * @param start time of its request
     * @param bytes bytes asked for; 0: no stated size
     * @param step from then on 1000 bytes arrive each step
     * @param stop time at which it is stopped; 0: when all has arrived
     */
    static void Schedule(FlowBacklog& backlog,
                         Time start,
                         uint64_t bytes,
                         Time step,
                         Time stop = {})
    {
        FlowRecord record;
        record.request.bytes = bytes;
        Simulator::Schedule(start, [&backlog, record] { backlog.FlowStarted(record); });
        const Time end = stop.IsZero() ? Time::Max() : stop;
        Time now = start + step;
        for (; now < end && (bytes == 0 || record.deliveredBytes < bytes); now += step)
        {
            record.deliveredBytes += 1000;
            Simulator::Schedule(now, [&backlog, record] { backlog.FlowDelivered(record, 1000); });
        }
        Simulator::Schedule(std::min(now, end),
                            [&backlog, record] { backlog.FlowFinished(record); });
    }

    /**
     * @brief Compare a sample.
     * @param sample the sample
     * @param time its time
     * @param bytes asked for and not delivered
     * @param flows of so many
     */
    void Expect(const FlowBacklog::Sample& sample, Time time, uint64_t bytes, uint64_t flows)
    {
        NS_TEST_EXPECT_MSG_EQ(sample.time, time, "time");
        NS_TEST_EXPECT_MSG_EQ(sample.bytes, bytes, "bytes");
        NS_TEST_EXPECT_MSG_EQ(sample.flows, flows, "flows");
    }

    void DoRun() override
    {
        FlowBacklog backlog;
        backlog.SetEnd(MilliSeconds(12)); // half-way from the first flow on: 7 ms
        Schedule(backlog, MilliSeconds(2), 10'000, MicroSeconds(750));       // 6 of 10 kB by 7 ms
        Schedule(backlog, MilliSeconds(2), 0, MicroSeconds(10), Seconds(1)); // has no size
        Schedule(backlog, MilliSeconds(3), 5'000, Seconds(1), MilliSeconds(5)); // given up
        Schedule(backlog, MilliSeconds(10), 3'000, MicroSeconds(1999)); // 1 of 3 kB by 12 ms
        Schedule(backlog, MilliSeconds(12), 1'000, MilliSeconds(5));    // not before the end
        Simulator::Stop(MilliSeconds(6));
        Simulator::Run();
        Expect(backlog.GetHalfway(), MilliSeconds(6), 5'000, 1);
        Simulator::Run();
        Expect(backlog.GetHalfway(), MilliSeconds(7), 4'000, 1);
        Expect(backlog.GetEnd(), MilliSeconds(12), 2'000, 1);
        Simulator::Destroy();
    }
};

/**
 * @ingroup scenario-tests
 * @brief Tests of FlowBacklog.
 */
class FlowBacklogTestSuite : public TestSuite
{
  public:
    FlowBacklogTestSuite()
        : TestSuite("flow-backlog", Type::UNIT)
    {
        AddTestCase(new FlowBacklogTestCase);
    }
};

static FlowBacklogTestSuite g_flowBacklogTestSuite; //!< registers the suite
