/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bouncing-test.h"

#include "ns3/digit-reversal.h"
#include "ns3/input-error.h"
#include "ns3/test.h"
#include "ns3/topology-message.h"
#include "ns3/topology-update.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Counts = std::map<std::string, uint32_t>; //!< messages by role of the port that sends them

constexpr const char* TREE_4 = "fat-tree:K=4";
constexpr const char* TREE_6 = "fat-tree:K=6";

/// Advertisements only when something changes, which is found at once: each one can be counted.
constexpr const char* QUIET = "FailureDetection=LinkDown,AdvertisementInterval=0s";

/**
 * @brief Number of a switch.
 * @param fabric the fabric
 * @param name the switch's name
 * @return its number
 */
uint32_t
FindSwitch(const Fabric& fabric, const std::string& name)
{
    uint32_t index = 0;
    while (fabric.GetSwitch(index).GetName() != name)
    {
        ++index;
    }
    return index;
}

/// @brief A network whose messages of the protocol are all seen.
class ObservedNetwork : public BouncingTestNetwork
{
  public:
    /**
     * @param scheme specification of the scheme
     * @param topology specification of the topology
     * @param events failures and repairs, as for Timeline
     */
    ObservedNetwork(const std::string& scheme,
                    const std::string& topology,
                    const std::string& events)
        : BouncingTestNetwork(scheme, topology),
          m_timeline(*m_network, "events", events)
    {
        TapAll();
        m_timeline.Start();
        for (uint32_t host = 0; host < m_fabric->GetNHosts(); ++host)
        {
            auto record = [this, host](uint32_t down) {
                m_views[host].emplace_back(Simulator::Now(), down);
            };
            GetAgent(host)->TraceConnectWithoutContext("View", Callback<void, uint32_t>(record));
        }
    }

    /**
     * @brief Let time pass.
     * @param end end of that time, from the beginning
     */
    void RunUntil(Time end)
    {
        Simulator::Stop(end - Simulator::Now());
        Simulator::Run();
    }

    void Watch(FabricItem* item, const FabricPort& port) override
    {
        const TopologyMessage* message = TopologyMessage::Find(*item);
        if (!message)
        {
            return;
        }
        m_bytes[message->advertisement ? message->advertisement->ports.size() : 0] = item->size;
        if (!message->advertisement)
        {
            ++m_hellos;
            return;
        }
        const uint32_t origin = message->advertisement->origin;
        const auto& description = port.GetDescription();
        ++m_messages[m_fabric->GetSwitch(origin).GetName()][description.role];
        if (auto host = dynamic_cast<FabricHost*>(description.peer))
        {
            ++m_heard[host->GetIndex()][m_fabric->GetSwitch(origin).GetName()];
        }
    }

    /**
     * @brief The agent of a server.
     * @param host the server
     * @return the agent
     */
    Ptr<BouncingAgent> GetAgent(uint32_t host) const
    {
        return DynamicCast<BouncingAgent>(m_fabric->GetHost(host).GetEdgeAgents().back());
    }

    /**
     * @brief Copies of a switch's advertisements.
     * @param origin the switch
     * @return their number on all links
     */
    uint32_t CountMessages(const std::string& origin) const
    {
        uint32_t sum = 0;
        if (const auto copies = m_messages.find(origin); copies != m_messages.end())
        {
            for (const auto& [role, count] : copies->second)
            {
                sum += count;
            }
        }
        return sum;
    }

    std::map<std::string, Counts> m_messages; //!< copies sent, by origin and role of the port
    std::map<uint32_t, Counts> m_heard;       //!< copies sent to each host, by origin
    std::map<std::size_t, uint16_t> m_bytes;  //!< size of a message, by ports in it; 0: a hello
    uint64_t m_hellos{0};                     //!< hellos sent
    Timeline m_timeline;                      //!< failures and repairs
    std::map<uint32_t, std::vector<std::pair<Time, uint32_t>>> m_views; //!< by host: when, how many
};

} // namespace

/**
 * @ingroup drb-tests
 * @brief Number of messages that an advertisement makes, who hears it, and who does not (the three
 * rules of Section 4.3).
 */
class AdvertisementScopeTestCase : public TestCase
{
  public:
    AdvertisementScopeTestCase()
        : TestCase("copies of an advertisement")
    {
    }

  private:
    void DoRun() override
    {
        CheckAggregationLink();
        CheckRackLink();
        CheckRepair(TREE_4, 4, 8, 16);
        CheckRepair("fat-tree:K=24", 24, 288, 3456); // 3768
        CheckServerIsIgnored();
        CheckUnrestricted();
        CheckEachHears();
    }

    /// @brief Link 2.0-3.1 of the paper's example fails.
    void CheckAggregationLink()
    {
        ObservedNetwork network(std::string("drb:") + QUIET,
                                TREE_4,
                                "1ms fail-link aggregation0:core1");
        network.RunUntil(Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(network.m_messages.size(), 2, "originators: both ends");
        const Counts low{{"aggregation-core", 1},
                         {"aggregation-edge", 2 + 6},
                         {"edge-host", 4 + 12},
                         {"core-aggregation", 3}};
        const Counts high{{"core-aggregation", 3}, {"aggregation-edge", 6}, {"edge-host", 12}};
        NS_TEST_EXPECT_MSG_EQ((network.m_messages["aggregation0"] == low), true, "rule 3");
        NS_TEST_EXPECT_MSG_EQ((network.m_messages["core1"] == high), true, "a tree");
        NS_TEST_EXPECT_MSG_EQ(network.CountMessages("aggregation0"), 28, "messages");
        NS_TEST_EXPECT_MSG_EQ(network.CountMessages("core1"), 21, "messages");
        for (uint32_t host = 0; host < 16; ++host)
        {
            const Counts both{{"aggregation0", 1}, {"core1", 1}};
            const Counts one{{"aggregation0", 1}};
            NS_TEST_EXPECT_MSG_EQ((network.m_heard[host] == (host < 4 ? one : both)), true, host);
        }
        const auto report = network.GetReport();
        NS_TEST_EXPECT_MSG_EQ(report.at("advertisements_sent"), 28 + 21, "as reported");
        NS_TEST_EXPECT_MSG_EQ(report.at("advertisements_made"), 2, "as reported");
        NS_TEST_EXPECT_MSG_EQ(report.at("advertisements_repeated"), 0, "as reported");
        NS_TEST_EXPECT_MSG_EQ(report.at("advertisements_received_by_servers"), 28, "as reported");
        NS_TEST_EXPECT_MSG_EQ(report.at("broadcasting_switches"), 2, "as reported");
        NS_TEST_EXPECT_MSG_EQ(report.at("hellos_sent"), 0, "detection needs none");
        NS_TEST_EXPECT_MSG_EQ(network.m_bytes.at(4), 40 + 4 * 8, "bytes, of four ports");
    }

    /// @brief Link 1.0-2.0 fails.
    void CheckRackLink()
    {
        ObservedNetwork network(std::string("drb:") + QUIET,
                                TREE_4,
                                "1ms fail-link edge0:aggregation0");
        network.RunUntil(Seconds(1));
        const Counts low{{"edge-host", 2}};
        NS_TEST_EXPECT_MSG_EQ((network.m_messages["edge0"] == low), true, "rule 2");
        NS_TEST_EXPECT_MSG_EQ(network.CountMessages("aggregation0"), 29, "messages");
        NS_TEST_EXPECT_MSG_EQ(network.m_messages["aggregation0"]["core-aggregation"],
                              6,
                              "two each");
        const auto report = network.GetReport();
        NS_TEST_EXPECT_MSG_EQ(report.at("advertisements_repeated"), 3, "one each");
        NS_TEST_EXPECT_MSG_EQ(report.at("advertising_switches"), 2, "both ends");
        NS_TEST_EXPECT_MSG_EQ(report.at("broadcasting_switches"), 1, "the rack's is not heard");
        for (uint32_t host = 0; host < 16; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(network.m_heard[host].size(), 1, "each server hears of it");
            NS_TEST_EXPECT_MSG_EQ(network.m_views[host].size(), 1, "and believes it");
        }
    }

    /**
     * @brief After a repair a core tells of it over all of its links.
     * @param topology specification of the topology
     * @param down copies from the core
     * @param further copies to racks
     * @param servers copies to servers
     */
    void CheckRepair(const std::string& topology, uint32_t down, uint32_t further, uint32_t servers)
    {
        ObservedNetwork network(
            std::string("drb:") + QUIET,
            topology,
            "1ms fail-link aggregation0:core0; 2ms repair-link aggregation0:core0");
        network.RunUntil(MicroSeconds(1999));
        network.m_messages.clear();
        network.m_heard.clear();
        network.RunUntil(Seconds(1));
        const Counts expected{{"core-aggregation", down},
                              {"aggregation-edge", further},
                              {"edge-host", servers}};
        NS_TEST_EXPECT_MSG_EQ((network.m_messages["core0"] == expected), true, "a tree");
        NS_TEST_EXPECT_MSG_EQ(network.CountMessages("core0"), down + further + servers, "messages");
        for (uint32_t host = 0; host < servers; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(network.m_heard[host]["core0"], 1, "exactly once");
            NS_TEST_EXPECT_MSG_EQ(network.m_views[host].size(), 2, "failed, repaired");
            NS_TEST_EXPECT_MSG_EQ(network.m_views[host].back().second, 0, "all is well");
        }
    }

    /// @brief Messages of a server go nowhere (rule 1).
    void CheckServerIsIgnored()
    {
        ObservedNetwork network(std::string("drb:") + QUIET,
                                TREE_4,
                                "1ms fail-link aggregation0:core1");
        network.RunUntil(Seconds(1));
        auto forged = std::make_shared<LinkStateAdvertisement>();
        forged->origin = FindSwitch(*network.m_fabric, "core0");
        forged->sequence = 1000;
        forged->ports = {{0, false}};
        FabricItem* item = FabricItem::Create();
        item->extension = new TopologyMessage(forged);
        item->size = 48;
        network.m_fabric->GetHost(0).GetNicPort().Send(item);
        network.RunUntil(Seconds(2));
        const Counts own{{"host-edge", 1}};
        NS_TEST_EXPECT_MSG_EQ((network.m_messages["core0"] == own), true, "no further");
        NS_TEST_EXPECT_MSG_EQ(network.m_views[1].size(), 1, "nobody believes it");
    }

    /// @brief Without the rules every switch sends each advertisement over all links but one.
    void CheckUnrestricted()
    {
        ObservedNetwork network(std::string("drb:Flooding=Unrestricted,") + QUIET,
                                TREE_4,
                                "1ms fail-link edge0:aggregation0");
        network.RunUntil(Seconds(1));
        // 8 racks with 2 ends of links, 8 and 4 switches with 4 each; of these 2 ends are dead, and
        // 19 switches do not send back. 16 servers.
        const uint32_t expected = 8 * 2 + 12 * 4 - 2 - 19 + 16;
        NS_TEST_EXPECT_MSG_EQ(network.CountMessages("edge0"), expected, "from the rack");
        NS_TEST_EXPECT_MSG_EQ(network.CountMessages("aggregation0"),
                              expected,
                              "from the other end");
        NS_TEST_EXPECT_MSG_EQ(network.GetReport().at("broadcasting_switches"), 2, "both ends");
    }

    /// @brief A server hears each advertisement as long as there is a way within the rules.
    void CheckEachHears()
    {
        // The first aggregation switch of pod 2 is dead, pod 3's first rack is cut off from its
        // own, and of the cores that are left to these switches only number 2 works.
        ObservedNetwork network(
            std::string("drb:") + QUIET,
            TREE_6,
            "0s fail-switch core0; 0s fail-switch aggregation6; 0s fail-link edge9:aggregation9; "
            "1ms fail-link aggregation0:core1");
        network.RunUntil(Seconds(1));
        for (uint32_t host = 0; host < 54; ++host)
        {
            const bool cutOff = (host >= 18 && host < 27) || (host >= 27 && host < 30);
            NS_TEST_EXPECT_MSG_EQ(network.m_heard[host]["aggregation0"], (cutOff ? 0 : 1), host);
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief Failures and repairs are found by hellos, and by these alone.
 */
class HelloDetectionTestCase : public TestCase
{
  public:
    HelloDetectionTestCase()
        : TestCase("detection by hellos")
    {
    }

  private:
    void DoRun() override
    {
        const std::set<Time> times{CheckTimes(1), CheckTimes(2), CheckTimes(3)};
        NS_TEST_EXPECT_MSG_EQ(times.size(), 3, "timers are spread at random");
        NS_TEST_EXPECT_MSG_EQ(times.contains(CheckTimes(1)), true, "the same for the same stream");
        CheckShortFailure();
        CheckSteadyState();
        CheckNothingFails();
        CheckInstantUpdates();
    }

    /**
     * @param stream spreads the timers
     * @return time at which the first server heard of the failure
     */
    Time CheckTimes(int64_t stream)
    {
        ObservedNetwork network("drb", TREE_6, "2s fail-switch core4; 5s repair-switch core4");
        network.m_scheme->AssignStreams(stream);
        network.RunUntil(Seconds(7));
        std::set<Time> first;
        for (uint32_t host = 0; host < 54; ++host)
        {
            const auto& views = network.m_views[host];
            NS_TEST_EXPECT_MSG_EQ(views.empty(), false, "heard of it");
            if (views.empty())
            {
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(views.back().second, 0, "all is well at the end");
            Time last;
            for (const auto& [time, down] : views)
            {
                last = time < Seconds(5) ? time : last;
                const Time since = time - (time < Seconds(5) ? Seconds(2) : Seconds(5));
                const Time earliest = time < Seconds(5) ? MilliSeconds(200) : Time(0);
                const Time latest = time < Seconds(5) ? MilliSeconds(300) : MilliSeconds(100);
                NS_TEST_EXPECT_MSG_GT_OR_EQ(since, earliest, "3 hellos missed");
                NS_TEST_EXPECT_MSG_LT(since, latest + MicroSeconds(100), "and no more");
            }
            const auto before = std::count_if(views.begin(), views.end(), [](const auto& view) {
                return view.first < Seconds(5);
            });
            NS_TEST_EXPECT_MSG_EQ(views.at(before - 1).second, 6, "all links of the core");
            first.insert(views.front().first);
        }
        return first.empty() ? Time(0) : *first.begin();
    }

    /// @brief A failure that makes a neighbour miss one hello is not noticed.
    void CheckShortFailure()
    {
        ObservedNetwork network("drb:AdvertisementInterval=0s",
                                TREE_4,
                                "1s fail-switch core3; 1090ms repair-switch core3");
        network.RunUntil(Seconds(3));
        NS_TEST_EXPECT_MSG_EQ(network.m_views.size(), 0, "no server noticed");
        NS_TEST_EXPECT_MSG_EQ(network.m_messages.size(), 0, "no switch either");
        NS_TEST_EXPECT_MSG_GT(network.m_hellos, 0, "which they all watched");
    }

    /// @brief Cost of the protocol if nothing fails.
    void CheckSteadyState()
    {
        ObservedNetwork network("rrb:TopologyUpdate=Always", TREE_4, "");
        network.RunUntil(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ(network.m_hellos, 2 * 32 * 100, "10 per second and end of a link");
        NS_TEST_EXPECT_MSG_EQ(network.m_bytes.at(0), 40, "bytes of a hello");
        for (const std::string core : {"core0", "core3"})
        {
            NS_TEST_EXPECT_MSG_EQ(network.CountMessages(core), 10 * 28, "once per second");
        }
        NS_TEST_EXPECT_MSG_EQ(network.CountMessages("edge5"), 10 * 2, "to its own servers");
        NS_TEST_EXPECT_MSG_EQ(network.m_views.size(), 0, "nothing has changed");
        const auto report = network.GetReport();
        NS_TEST_EXPECT_MSG_EQ(report.at("advertising_switches"), 20, "all switches");
        NS_TEST_EXPECT_MSG_EQ(report.at("broadcasting_switches"), 12, "all but the racks'");
    }

    /// @brief A run in which nothing fails is as if there were no protocol.
    void CheckNothingFails()
    {
        for (const std::string events : {"", "0s fail-switch core0", "1s fail-link host3:edge1"})
        {
            ObservedNetwork network("drb", TREE_4, events);
            Simulator::Run(); // to the end: nothing goes on for ever
            NS_TEST_EXPECT_MSG_EQ(network.m_hellos, 0, "no hellos");
            NS_TEST_EXPECT_MSG_EQ(network.m_messages.size(), 0, "no advertisements");
            const auto report = network.GetReport();
            NS_TEST_EXPECT_MSG_EQ(report.count("hellos_sent"), 0, "no report");
            const bool isKnown = events.ends_with("core0");
            NS_TEST_EXPECT_MSG_EQ(report.count("dropped_without_point_packets"), isKnown, events);
            NS_TEST_EXPECT_MSG_EQ(network.m_views.size(), (isKnown ? 16 : 0), "servers know");
        }
    }

    /// @brief Without a protocol all servers know at once.
    void CheckInstantUpdates()
    {
        ObservedNetwork network(
            "rb:TopologyUpdate=AtOnce",
            TREE_4,
            "1s fail-switch core2; 2s fail-link edge1:aggregation1; 3s repair-switch core2");
        Simulator::Run();
        using Views = std::vector<std::pair<Time, uint32_t>>;
        for (uint32_t host = 0; host < 16; ++host)
        {
            const Views& views = network.m_views[host]; // a core has four links, told one by one
            NS_TEST_ASSERT_MSG_EQ(views.size(), 4 + 1 + 4, "changes");
            NS_TEST_EXPECT_MSG_EQ((views[3] == Views::value_type{Seconds(1), 4}), true, "the core");
            NS_TEST_EXPECT_MSG_EQ((views[4] == Views::value_type{Seconds(2), 5}), true, "the link");
            NS_TEST_EXPECT_MSG_EQ((views[8] == Views::value_type{Seconds(3), 1}), true, "repaired");
        }
        NS_TEST_EXPECT_MSG_EQ(network.m_hellos + network.m_messages.size(), 0, "no messages");
    }
};

/**
 * @ingroup drb-tests
 * @brief Points that servers choose once they know of failures.
 */
class AvailablePointsTestCase : public TestCase
{
  public:
    AvailablePointsTestCase()
        : TestCase("points in use under failures")
    {
    }

  private:
    void DoRun() override
    {
        CheckOrder(TREE_4, "0s fail-switch core0", {2, 1, 3});
        CheckOrder(TREE_6, "0s fail-switch core0", {3, 6, 1, 4, 7, 2, 5, 8});
        CheckOrder(TREE_6, "0s fail-switch core0; 0s fail-switch core1", {3, 6, 4, 7, 2, 5, 8});
        CheckOrder(TREE_6,
                   "0s fail-switch core0; 0s repair-switch core0",
                   {0, 3, 6, 1, 4, 7, 2, 5, 8});
        CheckLoads("0s fail-switch core0", {0.75, 1.125, 1.125}, 48.0 / 54);
        CheckLoads("0s fail-switch core0; 0s fail-switch core1",
                   {3.0 / 7, 9.0 / 7, 9.0 / 7},
                   42.0 / 54);
        CheckRackLink();
        CheckRestoration();
        CheckNoPoint();
        CheckStaticTables();
    }

    /**
     * @brief The full order without some.
     * @param topology specification of the topology
     * @param events failures
     * @param order points in the order of visits, over and over
     */
    void CheckOrder(const std::string& topology,
                    const std::string& events,
                    const std::vector<uint32_t>& order)
    {
        BouncingTestNetwork network("drb", topology);
        Fail(network, events);
        const uint32_t last = network.m_fabric->GetNHosts() - 1;
        for (uint64_t i = 0; i < 40; ++i)
        {
            network.Send(0, last, BouncingTestNetwork::Data(i));
        }
        const auto& visited = network.m_points.at({0, last, 1});
        std::size_t turn = std::find(order.begin(), order.end(), visited[0]) - order.begin();
        for (const uint32_t point : visited)
        {
            NS_TEST_EXPECT_MSG_EQ(point, order.at(turn), events << ", the " << turn << "th");
            turn = (turn + 1) % order.size();
        }
    }

    /**
     * @param network the network
     * @param events failures at time 0
     */
    static void Fail(BouncingTestNetwork& network, const std::string& events)
    {
        Timeline timeline(*network.m_network, "events", events);
        timeline.Start();
        Simulator::Run();
    }

    /**
     * @brief Loads of the up-links of racks if each server sends at the rate of its link, n = 6.
     * @param events failures
     * @param expected loads over capacity, by up-link
     * @param rate largest rate at which no link is overloaded
     */
    void CheckLoads(const std::string& events, const std::vector<double>& expected, double rate)
    {
        BouncingTestNetwork network("drb", TREE_6);
        Fail(network, events);
        constexpr uint32_t PACKETS = 7 * 8 * 9;
        constexpr uint32_t HOSTS = 54;
        std::map<std::string, double> loads; // by name of the port
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            const uint32_t peer = (host + HOSTS / 2) % HOSTS;
            for (uint64_t i = 0; i < PACKETS; ++i)
            {
                network.Send(host, peer, BouncingTestNetwork::Data(i));
            }
            for (const uint32_t point : network.m_points.at({host, peer, 1}))
            {
                for (const FabricPort* port :
                     network.GetRoutes().GetPath(*network.m_fabric, host, point, peer))
                {
                    loads[port->GetDescription().name] += 1.0 / PACKETS;
                }
            }
        }
        double highest = 0;
        for (const auto& [port, load] : loads)
        {
            highest = std::max(highest, load);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(1 / highest, rate, 1e-9, "largest rate");
        for (uint32_t rack = 0; rack < 18; ++rack)
        {
            for (uint32_t uplink = 0; uplink < 3; ++uplink)
            {
                const std::string port = "edge" + std::to_string(rack) + ":" +
                                         std::to_string(3 + uplink); // behind three servers' ports
                NS_TEST_EXPECT_MSG_EQ_TOL(loads[port], expected[uplink], 1e-9, port);
            }
        }
    }

    /// @brief A link of a rack concerns that rack's pairs alone.
    void CheckRackLink()
    {
        BouncingTestNetwork network("rrb", TREE_4);
        Fail(network, "0s fail-link edge0:aggregation0");
        for (uint32_t source = 0; source < 16; ++source)
        {
            for (uint32_t destination = 0; destination < 16; ++destination)
            {
                if (source / 2 == destination / 2)
                {
                    continue;
                }
                for (uint64_t i = 0; i < 8; ++i)
                {
                    network.Send(source, destination, BouncingTestNetwork::Data(i));
                }
                const auto& visited = network.m_points.at({source, destination, 1});
                const std::set<uint32_t> points(visited.begin(), visited.end());
                const bool concerned = source / 2 == 0 || destination / 2 == 0;
                const std::set<uint32_t> expected =
                    concerned ? std::set<uint32_t>{2, 3} : std::set<uint32_t>{0, 1, 2, 3};
                NS_TEST_EXPECT_MSG_EQ((points == expected), true, source << " to " << destination);
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.m_arrivals.size(), 16 * 14 * 8, "none is lost");
    }

    /// @brief After a repair the order is the full one again, and goes on where it was.
    void CheckRestoration()
    {
        ObservedNetwork network(std::string("drb:") + QUIET,
                                TREE_6,
                                "1ms fail-switch core4; 3ms repair-switch core4");
        const auto send = [&network](uint64_t count) {
            for (uint64_t i = 0; i < count; ++i)
            {
                network.Send(0, 53, BouncingTestNetwork::Data(i));
            }
        };
        network.RunUntil(MilliSeconds(2));
        send(20);
        network.RunUntil(MilliSeconds(4));
        const auto before = network.m_points.at({0, 53, 1});
        NS_TEST_EXPECT_MSG_EQ(std::count(before.begin(), before.end(), 4),
                              0,
                              "not while it is down");
        send(20);
        auto after = network.m_points.at({0, 53, 1});
        after.erase(after.begin(), after.begin() + 19);
        uint32_t turn = ReverseDigits(after[0], {3, 3});
        for (std::size_t i = 0; i < after.size(); ++i, ++turn)
        {
            const uint32_t point = ReverseDigits(turn % 9, {3, 3});
            if (i == 1 && point == 4)
            {
                ++turn; // the turn was passed over before the repair
            }
            NS_TEST_EXPECT_MSG_EQ(after[i], ReverseDigits(turn % 9, {3, 3}), "turn " << i);
        }
    }

    /// @brief Packets that cannot get through are dropped and counted at the server.
    void CheckNoPoint()
    {
        BouncingTestNetwork network("rb", TREE_4);
        Fail(network, "0s fail-link edge0:aggregation0; 0s fail-link edge7:aggregation7");
        for (uint64_t i = 0; i < 10; ++i)
        {
            network.Send(
                0,
                15,
                BouncingTestNetwork::Data(i)); // one end has points 2 and 3, the other 0 and 1
            network.Send(0, 8, BouncingTestNetwork::Data(i));
            network.Send(0, 1, BouncingTestNetwork::Data(i));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.m_arrivals.size(), 20, "those with a way");
        NS_TEST_EXPECT_MSG_EQ(network.GetReport().at("dropped_without_point_packets"),
                              10,
                              "those without");
    }

    /// @brief Until servers know, what goes to a dead link is lost: switches have static tables.
    void CheckStaticTables()
    {
        ObservedNetwork network("drb:ResequencingTimeout=0s",
                                TREE_4,
                                "1ms fail-link edge7:aggregation7");
        network.RunUntil(MilliSeconds(2));
        const auto send = [&network] {
            for (uint64_t i = 0; i < 40; ++i)
            {
                network.Send(0, 15, BouncingTestNetwork::Data(i));
            }
        };
        send();
        network.RunUntil(MilliSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(network.m_arrivals.size(), 20, "half of the points are cut off");
        network.RunUntil(MilliSeconds(500));
        network.m_arrivals.clear();
        send();
        network.RunUntil(MilliSeconds(600));
        NS_TEST_EXPECT_MSG_EQ(network.m_arrivals.size(), 40, "the other half gets all");
        const auto wrong = std::count_if(network.m_arrivals.begin(),
                                         network.m_arrivals.end(),
                                         [](const auto& arrival) { return arrival.hops != 5; });
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, "switches found no ways of their own");
    }
};

/**
 * @ingroup drb-tests
 * @brief Views of the network: equal ones are one, and they are right in every word of their bits.
 */
class TopologyViewTestCase : public TestCase
{
  public:
    TopologyViewTestCase()
        : TestCase("views")
    {
    }

  private:
    void DoRun() override
    {
        const BouncingTestNetwork network("drb",
                                          "fat-tree:K=24,Pods=2"); // 144 points: 64 + 64 + 16
        const BouncingRoutes& routes = network.GetRoutes();
        TopologyViews views(*network.m_fabric, routes);
        NS_TEST_EXPECT_MSG_EQ((views.Get({}) == nullptr), true, "nothing has failed");

        // What leads from rack 0's pod to the points, each of which is a link of its own.
        std::vector<uint32_t> cores;
        for (uint32_t point = 0; point < routes.GetNPoints(); ++point)
        {
            cores.push_back(routes.GetUpLinks(*network.m_fabric, 0, point).at(1));
        }
        const auto sorted = [](std::vector<uint32_t> links) {
            std::sort(links.begin(), links.end());
            return links;
        };
        for (const uint32_t left : {0U, 63U, 64U, 128U, 143U})
        {
            auto down = cores;
            down.erase(down.begin() + left);
            const auto view = views.Get(sorted(down));
            NS_TEST_EXPECT_MSG_EQ((view == views.Get(sorted(down))), true, "the same object");
            NS_TEST_EXPECT_MSG_EQ(view->GetDownLinks().size(), 143, "links");
            for (uint32_t point = 0; point < routes.GetNPoints(); ++point)
            {
                NS_TEST_EXPECT_MSG_EQ(view->IsUsable(0, 12, point), (point == left), point);
                NS_TEST_EXPECT_MSG_EQ(view->IsUsable(12, 0, point), (point == left), point);
                NS_TEST_EXPECT_MSG_EQ(view->IsUsable(12, 23, point), true, "the other pod's own");
            }
            NS_TEST_EXPECT_MSG_EQ(view->HasUsable(0, 12), true, "one is left");
        }
        const auto none = views.Get(sorted(cores));
        NS_TEST_EXPECT_MSG_EQ(none->HasUsable(0, 12), false, "none is left");
        NS_TEST_EXPECT_MSG_EQ(none->HasUsable(12, 11), false, "nor the other way");
        NS_TEST_EXPECT_MSG_EQ(none->HasUsable(12, 23), true, "others do not need them");
    }
};

/**
 * @ingroup drb-tests
 * @brief TCP goes on through failures and repairs: all is delivered, once and in order.
 */
class FailingTcpTestCase : public TestCase
{
  public:
    /**
     * @param scheme specification of the scheme
     * @param events failures and repairs
     */
    FailingTcpTestCase(const std::string& scheme, const std::string& events)
        : TestCase("TCP of " + scheme + " through " + events),
          m_scheme(scheme),
          m_events(events)
    {
    }

  private:
    /// @brief Counts what is delivered, which a transport does in order.
    class Observer : public FlowObserver
    {
      public:
        void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
        {
            m_bytes[record.id] += bytes;
        }

        void FlowFinished(const FlowRecord& /* record */) override
        {
            ++m_finished;
        }

        std::map<FlowId, uint64_t> m_bytes; //!< of payload, by flow
        uint32_t m_finished{0};             //!< flows
    };

    void DoRun() override
    {
        constexpr uint64_t BYTES = 2'000'000; // 16 ms alone
        ObservedNetwork network(
            m_scheme + ":Transport=\"lean:MaxWindow=65535,MinRto=10ms\",HelloInterval=2ms",
            "fat-tree:K=4,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps",
            m_events);
        Observer observer;
        network.m_transport->AddObserver(&observer);
        for (uint32_t host = 0; host < 16; ++host)
        {
            network.m_transport->StartFlow({host, (host + 6) % 16, BYTES, 0});
        }
        network.RunUntil(Seconds(3));
        NS_TEST_EXPECT_MSG_EQ(observer.m_finished, 16, "flows over");
        NS_TEST_EXPECT_MSG_EQ(observer.m_bytes.size(), 16, "flows");
        for (const auto& [flow, bytes] : observer.m_bytes)
        {
            NS_TEST_EXPECT_MSG_EQ(bytes, BYTES, "each byte once");
        }
        if (!m_events.starts_with("0s"))
        {
            NS_TEST_EXPECT_MSG_GT(*network.m_transport->CountRetransmissions(),
                                  0,
                                  "what was lost is sent again");
        }
    }

    std::string m_scheme; //!< specification of the scheme
    std::string m_events; //!< failures and repairs
};

/**
 * @ingroup drb-tests
 * @brief Test suite of failures and of the topology update protocol.
 */
class TopologyUpdateTestSuite : public TestSuite
{
  public:
    TopologyUpdateTestSuite()
        : TestSuite("topology-update", Type::UNIT)
    {
        AddTestCase(new AdvertisementScopeTestCase, Duration::QUICK);
        AddTestCase(new HelloDetectionTestCase, Duration::QUICK);
        AddTestCase(new TopologyViewTestCase, Duration::QUICK);
        AddTestCase(new AvailablePointsTestCase, Duration::QUICK);
        for (const std::string scheme : {"drb", "rrb", "rb"})
        {
            for (const std::string events :
                 {"0s fail-switch core1",
                  "5ms fail-switch core1; 30ms repair-switch core1",
                  "5ms fail-link edge2:aggregation3; 9ms fail-switch core0"})
            {
                AddTestCase(new FailingTcpTestCase(scheme, events), Duration::QUICK);
            }
        }
    }
};

/// @ingroup drb-tests
/// Static variable for test initialization.
static TopologyUpdateTestSuite g_topologyUpdateTestSuite;
