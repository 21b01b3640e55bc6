/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/flow-table.h"
#include "ns3/number-text.h"
#include "ns3/test.h"

#include <cmath>
#include <fstream>
#include <malloc.h>
#include <string>

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
 * @brief Tests of FlowTable.
 */
class FlowTableTestSuite : public TestSuite
{
  public:
    FlowTableTestSuite()
        : TestSuite("flow-table", Type::UNIT)
    {
        AddTestCase(new FlowTableTestCase);
        AddTestCase(new FlowMemoryTestCase);
    }
};

static FlowTableTestSuite g_flowTableTestSuite; //!< Static variable for test initialization
