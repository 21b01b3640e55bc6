/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"

#include "ns3/network.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/timeline.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief A network to which things happen.
 * @return the network, built
 */
Ptr<Network>
CreateTree()
{
    auto network = CreateObject<Network>();
    network->SetTopology("fat-tree:K=4");
    network->SetScheme("tcp");
    network->Build();
    return network;
}

/**
 * @brief The links between two nodes.
 * @param fabric the fabric
 * @param a begins the name of a port of one
 * @param b begins the name of a port of the other
 * @return their numbers
 */
std::vector<uint32_t>
FindLinks(const Fabric& fabric, const std::string& a, const std::string& b)
{
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < fabric.GetNLinks(); ++link)
    {
        const auto ports = fabric.GetLink(link);
        const std::string& one = ports[0]->GetDescription().name;
        const std::string& other = ports[1]->GetDescription().name;
        if ((one.starts_with(a + ":") && other.starts_with(b + ":")) ||
            (one.starts_with(b + ":") && other.starts_with(a + ":")))
        {
            links.push_back(link);
        }
    }
    return links;
}

} // namespace

/**
 * @ingroup schemes-tests
 * @brief An event with settings, as a user of the suite would add it.
 */
class NoteTimelineEvent : public TimelineEvent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::NoteTimelineEvent")
                                .SetParent<TimelineEvent>()
                                .AddConstructor<NoteTimelineEvent>()
                                .AddAttribute("Number",
                                              "noted",
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&NoteTimelineEvent::m_number),
                                              MakeUintegerChecker<uint32_t>(0, 9));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a number is noted";
    }

    void Resolve(Network& /* network */, const std::string& /* argument */) override
    {
    }

    void Apply(Network& /* network */) override
    {
        g_noted.push_back(m_number);
    }

    static std::vector<uint32_t> g_noted; //!< so far

  private:
    uint32_t m_number{0}; //!< attribute Number
};

std::vector<uint32_t> NoteTimelineEvent::g_noted;

NS_OBJECT_ENSURE_REGISTERED(NoteTimelineEvent);

/**
 * @ingroup schemes-tests
 * @brief An event happens at its time and place, and is written down.
 */
class TimelineTestCase : public TestCase
{
  public:
    TimelineTestCase()
        : TestCase("what happens when")
    {
    }

  private:
    /// @brief A change that was seen.
    struct Change
    {
        int64_t time;  //!< in ms
        uint32_t link; //!< number of the link
        bool up;       //!< true if it works now

        bool operator==(const Change&) const = default; //!< @return true if equal
    };

    void DoRun() override
    {
        const auto network = CreateTree();
        Fabric& fabric = *network->GetFabric();
        Timeline timeline(*network,
                          "--events",
                          "20ms repair-switch core1; 5ms fail-link aggregation2:edge3;"
                          "10ms fail-switch core1;\n  30ms\trepair-link edge3:aggregation2 ; "
                          "40ms fail-link host0:edge0; 40ms note number=7; 50ms note");
        NS_TEST_ASSERT_MSG_EQ(timeline.GetEntries().size(), 7, "events");
        NS_TEST_EXPECT_MSG_EQ(timeline.GetEntries()[0].kind, "fail-link", "the first");
        NS_TEST_EXPECT_MSG_EQ(timeline.GetEntries()[0].details, "aggregation2:edge3", "its link");
        const auto link = FindLinks(fabric, "edge3", "aggregation2");
        NS_TEST_ASSERT_MSG_EQ(link.size(), 1, "between two switches");
        const auto access = FindLinks(fabric, "host0", "edge0");
        NS_TEST_ASSERT_MSG_EQ(access.size(), 1, "of a host");

        std::vector<Change> expected{{5, link[0], false}};
        for (const bool up : {false, true})
        {
            for (uint32_t pod = 0; pod < 4; ++pod) // core 1 is at the first of each pod's two
            {
                const auto uplink =
                    FindLinks(fabric, "core1", "aggregation" + std::to_string(2 * pod));
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
        timeline.Start();
        Simulator::Stop(MilliSeconds(45));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((seen == expected), true, "each change at its time, none besides");
        NS_TEST_EXPECT_MSG_EQ((NoteTimelineEvent::g_noted == std::vector<uint32_t>{7}),
                              true,
                              "setting");

        const std::string path = CreateTempDirFilename("events.csv");
        timeline.Write(path);
        NS_TEST_EXPECT_MSG_EQ(FileText(path),
                              "time_s,event,details\n"
                              "0.005,fail-link,aggregation2:edge3\n"
                              "0.01,fail-switch,core1\n"
                              "0.02,repair-switch,core1\n"
                              "0.03,repair-link,edge3:aggregation2\n"
                              "0.04,fail-link,host0:edge0\n"
                              "0.04,note,number=7\n",
                              "what has happened");

        const Timeline none(*network, "--events", "");
        NS_TEST_EXPECT_MSG_EQ(none.GetEntries().size(), 0, "nothing happens");
        network->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup schemes-tests
 * @brief A timeline that has no meaning is refused in one line.
 */
class BadTimelineTestCase : public TestCase
{
  public:
    BadTimelineTestCase()
        : TestCase("timelines that are refused")
    {
    }

  private:
    void DoRun() override
    {
        m_network = CreateTree();
        for (const std::string text : {"core0", "4s", "4s;", ";4s fail-switch core0", "4s core0"})
        {
            Expect(text, "");
        }
        Expect("fail-switch core0", "'fail-switch'");
        Expect("4 fail-switch core0", "--events = '4'");
        Expect("-4s fail-switch core0", "--events = '-4s'");
        Expect("4s break-switch core0", "fail-switch");
        Expect("4s fail-switch", "core0 to core3");
        Expect("4s fail-switch core4", "core0 to core3");
        Expect("4s fail-switch core4", "edge0 to edge7");
        Expect("4s fail-switch host0", "a switch");
        Expect("4s fail-switch core0 core1", "twice");
        Expect("4s fail-switch core0 until=5s", "Until");
        Expect("4s fail-link core0:core1", "a link");
        Expect("4s fail-link edge0:edge0", "a link");
        Expect("4s fail-link core0", "a link");
        Expect("4s note 7", "settings");
        Expect("4s note number=10", "from 0 to 9");
        Expect("4s repair-switch core0", "changes nothing at 4s");
        Expect("4s fail-switch core0; 5s fail-switch core0", "changes nothing at 5s");
        Expect("4s fail-link edge0:aggregation0; 5s fail-link aggregation0:edge0",
               "changes nothing at 5s");
        Expect("6s fail-switch core0; 5s repair-switch core0", "changes nothing at 5s");
        m_network->Dispose();
        m_network = nullptr;
        Simulator::Destroy();
    }

    /**
     * @param text a timeline
     * @param words texts of the error
     */
    void Expect(const std::string& text, const std::string& words)
    {
        const std::string error =
            ErrorText([&] { const Timeline timeline(*m_network, "--events", text); });
        NS_TEST_EXPECT_MSG_EQ(error.find("--events"), 0, text << ": " << error);
        NS_TEST_EXPECT_MSG_NE(error.find(words), std::string::npos, text << ": " << error);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line");
    }

    Ptr<Network> m_network; //!< to which it would happen
};

/**
 * @ingroup schemes-tests
 * @brief Tests of Timeline.
 */
class TimelineTestSuite : public TestSuite
{
  public:
    TimelineTestSuite()
        : TestSuite("timeline", Type::UNIT)
    {
        AddTestCase(new TimelineTestCase, Duration::QUICK);
        AddTestCase(new BadTimelineTestCase, Duration::QUICK);
    }
};

static TimelineTestSuite g_timelineTestSuite; //!< Static variable for test initialization
