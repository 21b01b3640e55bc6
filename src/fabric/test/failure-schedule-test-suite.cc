/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/failure-schedule.h"
#include "ns3/input-error.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr const char* TREE = "fat-tree:K=4";

} // namespace

/**
 * @ingroup fabric-tests
 * @brief What a schedule says happens then and there.
 */
class ScheduledFailuresTestCase : public TestCase
{
  public:
    ScheduledFailuresTestCase()
        : TestCase("scheduled failures and repairs")
    {
    }

  private:
    /// @brief A change that was seen.
    struct Change
    {
        int64_t time;  //!< in ms
        uint32_t link; //!< number of the link
        bool up;       //!< whether it works now

        bool operator==(const Change&) const = default; //!< @return true if equal
    };

    void DoRun() override
    {
        TestNetwork network(TREE);
        network.Build();
        Fabric& fabric = *network.fabric;
        const FailureSchedule schedule(fabric,
                                       "--events",
                                       "core1:up@20ms,aggregation2-edge3:down@5ms,core1:down@10ms,"
                                       "edge3-aggregation2:up@30ms,host0-edge0:down@40ms");
        NS_TEST_ASSERT_MSG_EQ(schedule.GetEvents().size(), 5, "events");
        NS_TEST_EXPECT_MSG_EQ(schedule.GetEvents()[0].name, "aggregation2-edge3", "the first");
        NS_TEST_EXPECT_MSG_EQ(schedule.GetEvents()[1].isSwitch, true, "core1");
        const auto link = FailureSchedule::FindLinks(fabric, "edge3", "aggregation2");
        NS_TEST_ASSERT_MSG_EQ(link.size(), 1, "between two switches");
        const auto access = FailureSchedule::FindLinks(fabric, "host0", "edge0");
        NS_TEST_ASSERT_MSG_EQ(access.size(), 1, "of a host");

        std::vector<Change> expected{{5, link[0], false}};
        for (const bool up : {false, true})
        {
            for (uint32_t pod = 0; pod < 4; ++pod) // core 1 is at the first of each pod's two
            {
                const auto uplink =
                    FailureSchedule::FindLinks(fabric,
                                               "core1",
                                               "aggregation" + std::to_string(2 * pod));
                NS_TEST_ASSERT_MSG_EQ(uplink.size(), 1, "one per pod");
                expected.push_back({up ? 20 : 10, uplink[0], up});
            }
        }
        expected.push_back({30, link[0], true});
        expected.push_back({40, access[0], false});
        std::vector<Change> seen;
        auto record = [&seen](uint32_t number, bool up) {
            seen.push_back({Simulator::Now().GetMilliSeconds(), number, up});
        };
        fabric.TraceConnectWithoutContext("LinkState", Callback<void, uint32_t, bool>(record));
        schedule.Start(network.fabric);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((seen == expected), true, "each change at its time, none besides");

        const FailureSchedule none(fabric, "--events", "");
        NS_TEST_EXPECT_MSG_EQ(none.GetEvents().size(), 0, "nothing fails");
    }
};

/**
 * @ingroup fabric-tests
 * @brief What cannot be meant is refused in one line.
 */
class BadScheduleTestCase : public TestCase
{
  public:
    BadScheduleTestCase()
        : TestCase("schedules that are refused")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network(TREE);
        network.Build();
        m_fabric = network.fabric;
        for (const std::string text : {"core0",
                                       "core0:down",
                                       "core0@4s",
                                       "core0:off@4s",
                                       "core0:down@4s,",
                                       ",core0:down@4s",
                                       "core0 :down@4s",
                                       "core0:down@ 4s",
                                       ":down@4s"})
        {
            Expect(text, "");
        }
        Expect("core0:down@4", "--events = '4'");
        Expect("core0:down@-4s", "--events = '-4s'");
        Expect("core4:down@4s", "core0 to core3");
        Expect("core4:down@4s", "edge0 to edge7");
        Expect("host0:down@4s", "a switch (");
        Expect("core0-core1:down@4s", "or a link (");
        Expect("edge0-edge0:down@4s", "or a link (");
        Expect("core0:up@4s", "it works already at 4s");
        Expect("core0:down@4s,core0:down@5s", "it is down already at 5s");
        Expect("edge0-aggregation0:down@4s,aggregation0-edge0:down@5s", "it is down already at 5s");
        Expect("core0:down@6s,core0:up@5s", "it works already at 5s");
        m_fabric = nullptr;
    }

    /**
     * @param text a schedule
     * @param words what the error says
     */
    void Expect(const std::string& text, const std::string& words)
    {
        std::string error = "accepted";
        try
        {
            const FailureSchedule schedule(*m_fabric, "--events", text);
        }
        catch (const InputError& thrown)
        {
            error = thrown.what();
        }
        NS_TEST_EXPECT_MSG_EQ(error.find("--events = '"), 0, text << ": " << error);
        NS_TEST_EXPECT_MSG_NE(error.find(words), std::string::npos, text << ": " << error);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
    }

    Ptr<Fabric> m_fabric; //!< whose parts fail
};

/**
 * @ingroup fabric-tests
 * @brief Test suite of scheduled failures.
 */
class FailureScheduleTestSuite : public TestSuite
{
  public:
    FailureScheduleTestSuite()
        : TestSuite("failure-schedule", Type::UNIT)
    {
        AddTestCase(new ScheduledFailuresTestCase, Duration::QUICK);
        AddTestCase(new BadScheduleTestCase, Duration::QUICK);
    }
};

/// @ingroup fabric-tests
/// Static variable for test initialization.
static FailureScheduleTestSuite g_failureScheduleTestSuite;
