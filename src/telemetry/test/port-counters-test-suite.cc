/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/port-counters.h"
#include "ns3/test.h"

using namespace ns3;

/**
 * @ingroup telemetry
 * @defgroup telemetry-tests Telemetry tests
 */

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
 * @brief Tests of PortCounters.
 */
class PortCountersTestSuite : public TestSuite
{
  public:
    PortCountersTestSuite()
        : TestSuite("port-counters", Type::UNIT)
    {
        AddTestCase(new PortCountersTestCase);
    }
};

static PortCountersTestSuite g_portCountersTestSuite; //!< Static variable for test initialization
