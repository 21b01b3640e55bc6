/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/drop-recorder.h"
#include "ns3/port-counters.h"
#include "ns3/test.h"

using namespace ns3;

/**
 * @ingroup telemetry
 * @defgroup telemetry-tests Telemetry tests
 */

/**
 * @ingroup telemetry-tests
 * @brief Counts add up by port, kind and reason.
 */
class DropRecorderTestCase : public TestCase
{
  public:
    DropRecorderTestCase()
        : TestCase("drops and marks by port and reason")
    {
    }

  private:
    void DoRun() override
    {
        using Kind = DropRecorder::Kind;
        DropRecorder recorder;
        recorder.Add("spine-0:2", Kind::MARK, "threshold", 7, 10500);
        recorder.Add("leaf-1:0", Kind::DROP, "queue full", 2, 3000);
        recorder.Add("leaf-1:0", Kind::DROP, "link down", 1, 40);
        recorder.Add("leaf-1:0", Kind::DROP, "queue full", 3, 4500);
        recorder.Add("leaf-1:0", Kind::MARK, "queue full", 1, 1500);
        recorder.Add("leaf-0:0", Kind::DROP, "queue full", 4, 6000);
        recorder.Add("leaf-0:1", Kind::DROP, "queue full", 0, 0);

        NS_TEST_EXPECT_MSG_EQ(recorder.GetTotal(Kind::DROP).packets, 10, "2 + 1 + 3 + 4");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTotal(Kind::DROP).bytes, 13540, "bytes of the same");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTotal(Kind::MARK).packets, 8, "7 + 1");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTotal(Kind::DROP, "queue full").packets, 9, "2 + 3 + 4");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetTotal(Kind::DROP, "no such").packets, 0, "none");

        const std::string path = CreateTempDirFilename("drops.csv");
        recorder.Write(path);
        NS_TEST_EXPECT_MSG_EQ(FileText(path),
                              "port,kind,reason,packets,bytes\n"
                              "leaf-0:0,drop,queue full,4,6000\n"
                              "leaf-1:0,drop,link down,1,40\n"
                              "leaf-1:0,drop,queue full,5,7500\n"
                              "leaf-1:0,mark,queue full,1,1500\n"
                              "spine-0:2,mark,threshold,7,10500\n",
                              "sorted; a count of nothing has no row");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief One row for each port.
 */
class PortCountersTestCase : public TestCase
{
  public:
    PortCountersTestCase()
        : TestCase("counters of ports")
    {
    }

  private:
    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("ports.csv");
        WritePortCounters(path,
                          {{"leaf-0:0", "host", DataRate("10Gbps"), 3, 4500, 3000, 2, 1},
                           {"leaf-0:1", "leaf-up", DataRate("100Gbps"), 0, 0, 0, 0, 0}});
        NS_TEST_EXPECT_MSG_EQ(FileText(path),
                              "port,role,rate_bps,tx_packets,tx_bytes,max_queue_bytes,"
                              "max_queue_packets,queue_packets\n"
                              "leaf-0:0,host,10000000000,3,4500,3000,2,1\n"
                              "leaf-0:1,leaf-up,100000000000,0,0,0,0,0\n",
                              "in the order given");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Tests of DropRecorder and PortCounters.
 */
class DropRecorderTestSuite : public TestSuite
{
  public:
    DropRecorderTestSuite()
        : TestSuite("drop-recorder", Type::UNIT)
    {
        AddTestCase(new DropRecorderTestCase);
        AddTestCase(new PortCountersTestCase);
    }
};

static DropRecorderTestSuite g_dropRecorderTestSuite; //!< Static variable for test initialization
