/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/bouncing-routes.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/test.h"
#include "ns3/topology.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @ingroup drb-tests
/// @brief A fabric and its forwarding tables.
struct RoutedFabric
{
    /**
     * @param topology specification of the topology
     */
    explicit RoutedFabric(const std::string& topology)
        : fabric(CreateObject<Fabric>())
    {
        CreateFromSpec<Topology>("--topology", topology)->AddTo(*fabric);
        fabric->Build();
        routes = std::make_unique<BouncingRoutes>(*fabric, "test");
    }

    ~RoutedFabric()
    {
        fabric->Dispose();
    }

    RoutedFabric(const RoutedFabric&) = delete;
    RoutedFabric& operator=(const RoutedFabric&) = delete;

    /**
     * @brief Switches that a packet passes.
     * @param source sending host
     * @param point the point at which it bounces
     * @param destination receiving host
     * @return their names with blanks between them
     */
    std::string GetSwitches(uint32_t source, uint32_t point, uint32_t destination) const
    {
        std::string names;
        for (const FabricPort* port : routes->GetPath(*fabric, source, point, destination))
        {
            const FabricPort::Description& d = port->GetDescription();
            names +=
                d.tier > 0 ? (names.empty() ? "" : " ") + d.name.substr(0, d.name.find(':')) : "";
        }
        return names;
    }

    Ptr<Fabric> fabric;                     //!< the fabric
    std::unique_ptr<BouncingRoutes> routes; //!< its tables
};

} // namespace

/**
 * @ingroup drb-tests
 * @brief Points and paths of the paper's examples (Figs. 1 and 5).
 */
class PathExampleTestCase : public TestCase
{
  public:
    PathExampleTestCase()
        : TestCase("paths of the paper's examples")
    {
    }

  private:
    void DoRun() override
    {
        const RoutedFabric fatTree("fat-tree:K=4");
        NS_TEST_EXPECT_MSG_EQ((fatTree.routes->GetRadices() == std::vector<uint32_t>{2, 2}),
                              true,
                              "");
        CheckPath(fatTree, {0, 0, 15}, "edge0 aggregation0 core0 aggregation6 edge7");
        CheckPath(fatTree, {0, 2, 15}, "edge0 aggregation1 core2 aggregation7 edge7");
        CheckPath(fatTree, {0, 3, 2}, "edge0 aggregation1 core3 aggregation1 edge1");

        const RoutedFabric vl2("vl2");
        const std::vector<std::string> paths{"tor0 aggregation0 spine0 aggregation2 tor3",
                                             "tor0 aggregation0 spine1 aggregation2 tor3",
                                             "tor0 aggregation1 spine0 aggregation3 tor3",
                                             "tor0 aggregation1 spine1 aggregation3 tor3"};
        NS_TEST_EXPECT_MSG_EQ(vl2.routes->GetNPoints(), 4, "virtual spines");
        for (uint32_t point = 0; point < 4; ++point)
        {
            CheckPath(vl2, {0, point, 79}, paths[point]);
        }

        const RoutedFabric large("vl2:D0=4,D1=64,D2=24,FabricRate=5Gbps");
        NS_TEST_EXPECT_MSG_EQ(large.routes->GetNPoints(), 128, "virtual spines");
        for (const uint32_t point : {5, 37, 69, 101})
        {
            NS_TEST_EXPECT_MSG_EQ(large.fabric->GetSwitch(large.routes->GetSwitch(point)).GetName(),
                                  "spine5",
                                  "virtual spine " << point);
        }
        CheckPath(large, {0, 101, 3839}, "tor0 aggregation3 spine5 aggregation23 tor191");

        const RoutedFabric leafSpine("leaf-spine:Leaves=3,HostsPerLeaf=2,Spines=4");
        CheckPath(leafSpine, {0, 3, 5}, "leaf0 spine3 leaf2");
        NS_TEST_EXPECT_MSG_EQ(RoutedFabric("dumbbell").routes->GetNPoints(), 0, "one way only");
        NS_TEST_EXPECT_MSG_EQ(RoutedFabric("single-switch").routes->GetNPoints(), 0, "the same");
    }

    /**
     * @param network the network
     * @param ends source, point, destination
     * @param expected names of the switches
     */
    void CheckPath(const RoutedFabric& network,
                   const std::array<uint32_t, 3>& ends,
                   const std::string& expected)
    {
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitches(ends[0], ends[1], ends[2]), expected, "path");
    }
};

/**
 * @ingroup drb-tests
 * @brief Theorem 3 by enumeration: of all ways up and down, exactly one belongs to a point.
 */
class PathUniquenessTestCase : public TestCase
{
  public:
    PathUniquenessTestCase()
        : TestCase("Theorem 3: one path per bouncing point")
    {
    }

  private:
    void DoRun() override
    {
        Check("fat-tree:K=4", 1, 0);
        Check("fat-tree:K=6", 1, 0);
        Check("fat-tree:K=8,Pods=3", 1, 0);
        Check("fat-tree:K=4,AggregationOversubscription=2", 1, 0);
        Check("vl2", 2, 2);
        Check("vl2:D0=4,D1=8,D2=12,HostRate=10Gbps", 4, 4);
        Check("vl2:D0=3,D1=10,D2=6,HostRate=10Gbps", 3, 5);
    }

    /// @brief A way from rack to rack: the ports of its links, up and down.
    using Way = std::vector<const FabricPort*>;

    /**
     * @brief All ways from a switch: up to the highest layer, then down to a rack's switch.
     * @param node switch that the way has come to
     * @param isDown true if it has begun to go down
     * @param target the rack's switch
     * @param way the links so far
     * @param ways found
     */
    static void Enumerate(const FabricSwitch& node,
                          bool isDown,
                          const FabricSwitch& target,
                          Way& way,
                          std::vector<Way>& ways)
    {
        if (isDown && &node == &target)
        {
            ways.push_back(way);
            return;
        }
        for (uint32_t i = 0; i < node.GetNPorts(); ++i)
        {
            const FabricPort& port = node.GetPort(i);
            const FabricPort::Description& d = port.GetDescription();
            const bool goesDown = d.peerTier < d.tier;
            if (d.peerTier == 0 || (goesDown && !isDown && d.tier < 3) || (!goesDown && isDown))
            {
                continue;
            }
            way.push_back(&port);
            Enumerate(static_cast<const FabricSwitch&>(*d.peer), goesDown, target, way, ways);
            way.pop_back();
        }
    }

    /**
     * @param spec a topology of three layers
     * @param aggregations up-links of a rack that lead to the same switch of the highest layer
     * @param half for virtual spines, number of spines; 0: points are physical
     */
    void Check(const std::string& spec, uint32_t aggregations, uint32_t half)
    {
        const RoutedFabric network(spec);
        const BouncingRoutes& routes = *network.routes;
        const Fabric& fabric = *network.fabric;
        std::vector<uint32_t> first(routes.GetNRacks()); // host of each rack
        for (uint32_t host = fabric.GetNHosts(); host-- > 0;)
        {
            first[fabric.GetLocation(host).rack] = host;
        }
        for (uint16_t from = 0; from < first.size(); ++from)
        {
            for (uint16_t to = 0; to < first.size(); ++to)
            {
                if (from == to)
                {
                    continue;
                }
                Way way;
                std::vector<Way> ways;
                Enumerate(fabric.GetSwitch(routes.GetRackSwitch(from)),
                          false,
                          fabric.GetSwitch(routes.GetRackSwitch(to)),
                          way,
                          ways);
                CheckPoints(network, ways, {first[from], first[to]}, {aggregations, half});
            }
        }
    }

    /**
     * @param network the network
     * @param ways all ways of a pair of racks
     * @param hosts one of each of the racks
     * @param virtualSpines as for Check()
     */
    void CheckPoints(const RoutedFabric& network,
                     const std::vector<Way>& ways,
                     std::array<uint32_t, 2> hosts,
                     std::array<uint32_t, 2> virtualSpines)
    {
        const auto [aggregations, half] = virtualSpines;
        for (uint32_t point = 0; point < network.routes->GetNPoints(); ++point)
        {
            const FabricNode* top = &network.fabric->GetSwitch(network.routes->GetSwitch(point));
            std::vector<Way> through;
            std::ranges::copy_if(ways, std::back_inserter(through), [top](const Way& way) {
                return way[1]->GetDescription().peer == top;
            });
            NS_TEST_EXPECT_MSG_EQ(through.size(), aggregations * aggregations, "without splitting");
            if (half > 0)
            {
                // The physical ports that the paper gives to the virtual spine: those to the
                // aggregation switch number v div (d1/2) of each group.
                std::erase_if(through, [&, d0 = aggregations, half = half](const Way& way) {
                    return way[1]->GetDescription().peerPort % d0 != point / half ||
                           way[2]->GetDescription().index % d0 != point / half;
                });
            }
            NS_TEST_EXPECT_MSG_EQ(through.size(), 1, "point " << point);
            auto path = network.routes->GetPath(*network.fabric, hosts[0], point, hosts[1]);
            path.erase(path.begin());
            path.pop_back();
            NS_TEST_EXPECT_MSG_EQ((through.front() == path), true, "the tables' path");
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief Sizes of forwarding tables (Section 4.1).
 */
class TableSizeTestCase : public TestCase
{
  public:
    TableSizeTestCase()
        : TestCase("Section 4.1: sizes of tables")
    {
    }

  private:
    void DoRun() override
    {
        Check("fat-tree:K=4", {4 + 2, 2 + 2, 8});
        Check("fat-tree:K=24", {144 + 12, 12 + 12, 288});
        Check("vl2", {4 + 20, 2 + 2, 2 * 4});
        Check("vl2:D0=4,D1=64,D2=24,FabricRate=5Gbps", {128 + 20, 32 + 32, 4 * 192});
        Check("leaf-spine:Leaves=3,HostsPerLeaf=2,Spines=4", {4 + 2, 3});
    }

    /**
     * @param spec the topology
     * @param expected entries of a switch of each layer
     */
    void Check(const std::string& spec, const std::vector<uint32_t>& expected)
    {
        const RoutedFabric network(spec);
        for (uint32_t i = 0; i < network.fabric->GetNSwitches(); ++i)
        {
            const FabricSwitch& node = network.fabric->GetSwitch(i);
            NS_TEST_EXPECT_MSG_EQ(network.routes->GetNEntries(i),
                                  expected.at(node.GetTier() - 1),
                                  spec << " " << node.GetName());
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief Networks of other shapes: parallel links are told apart, irregular ones refused.
 */
class OtherShapesTestCase : public TestCase
{
  public:
    OtherShapesTestCase()
        : TestCase("parallel links, irregular networks")
    {
    }

  private:
    /**
     * @brief Two layers wired by hand, with a host per leaf.
     * @param wiring for each leaf the spines that its up-links lead to
     * @return the fabric
     */
    static Ptr<Fabric> Wire(const std::vector<std::vector<uint32_t>>& wiring)
    {
        auto fabric = CreateObject<Fabric>();
        fabric->SetTierNames({"host", "leaf", "spine"});
        const std::vector<Fabric::End> spines{fabric->AddSwitch(2), fabric->AddSwitch(2)};
        for (const auto& upLinks : wiring)
        {
            const Fabric::End leaf = fabric->AddSwitch(1);
            fabric->Connect(fabric->AddHost(), leaf, DataRate("1Gbps"), Time(0));
            for (const uint32_t spine : upLinks)
            {
                fabric->Connect(leaf, spines[spine], DataRate("1Gbps"), Time(0));
            }
        }
        fabric->Build();
        return fabric;
    }

    /**
     * @brief A network is refused.
     * @param wiring as for Wire()
     * @param words words that the error must contain
     */
    void Refuses(const std::vector<std::vector<uint32_t>>& wiring, const std::string& words)
    {
        const auto fabric = Wire(wiring);
        std::string text = "accepted";
        try
        {
            BouncingRoutes(*fabric, "drb");
        }
        catch (const InputError& error)
        {
            text = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(text.find("--scheme = 'drb': "), 0, text);
        NS_TEST_EXPECT_MSG_NE(text.find(words), std::string::npos, text);
        NS_TEST_EXPECT_MSG_EQ(text.find('\n'), std::string::npos, "one line: " << text);
        fabric->Dispose();
    }

    void DoRun() override
    {
        const auto fabric = Wire({{0, 0, 1, 1}, {0, 0, 1, 1}});
        const BouncingRoutes routes(*fabric, "drb");
        NS_TEST_EXPECT_MSG_EQ(routes.GetNPoints(), 4, "two virtual spines each");
        for (uint32_t point = 0; point < 4; ++point)
        {
            NS_TEST_EXPECT_MSG_EQ(routes.GetSwitch(point), point / 2, "spine");
            const auto path = routes.GetPath(*fabric, 0, point, 1);
            NS_TEST_EXPECT_MSG_EQ(path.size(), 4, "links");
            NS_TEST_EXPECT_MSG_EQ(path[1]->GetDescription().index, 1 + point, "up");
            NS_TEST_EXPECT_MSG_EQ(path[2]->GetDescription().peerPort, 1 + point, "down");
        }
        fabric->Dispose();

        Refuses({{0, 1}, {0}}, "leaf1 has 1 up-links");
        Refuses({{0, 1}, {1, 0}}, "lead to spine0 and to spine1");
    }
};

/**
 * @ingroup drb-tests
 * @brief Test suite of forwarding tables.
 */
class BouncingRoutesTestSuite : public TestSuite
{
  public:
    BouncingRoutesTestSuite()
        : TestSuite("bouncing-routes", Type::UNIT)
    {
        AddTestCase(new PathExampleTestCase, Duration::QUICK);
        AddTestCase(new PathUniquenessTestCase, Duration::QUICK);
        AddTestCase(new TableSizeTestCase, Duration::QUICK);
        AddTestCase(new OtherShapesTestCase, Duration::QUICK);
    }
};

/// @ingroup drb-tests
/// Static variable for test initialization.
static BouncingRoutesTestSuite g_bouncingRoutesTestSuite;
