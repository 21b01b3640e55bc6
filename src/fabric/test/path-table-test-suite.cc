/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/path-table.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <algorithm>
#include <set>

using namespace ns3;

namespace
{

/// @brief Ports by which packets leave switches, from one switch to another.
using Way = std::vector<const FabricPort*>;

/**
 * @brief All ways with as few links as possible, by trying every way of that many links.
 * @param fabric the fabric
 * @param from number of a switch
 * @param to number of another or the same
 * @return the ways
 */
std::set<Way>
FindWays(const Fabric& fabric, uint32_t from, uint32_t to)
{
    std::vector<std::pair<uint32_t, Way>> reached{{from, {}}};
    for (uint32_t links = 0; links < fabric.GetNSwitches(); ++links)
    {
        std::set<Way> ways;
        for (const auto& [node, way] : reached)
        {
            if (node == to)
            {
                ways.insert(way);
            }
        }
        if (!ways.empty())
        {
            return ways;
        }
        std::vector<std::pair<uint32_t, Way>> further;
        for (const auto& [node, way] : reached)
        {
            const FabricSwitch& s = fabric.GetSwitch(node);
            for (uint32_t i = 0; i < s.GetNPorts(); ++i)
            {
                const FabricPort::Description& port = s.GetPort(i).GetDescription();
                if (port.peerTier > 0)
                {
                    Way longer = way;
                    longer.push_back(&s.GetPort(i));
                    further.emplace_back(fabric.GetSwitchIndex(*port.peer), longer);
                }
            }
        }
        reached = std::move(further);
    }
    return {};
}

} // namespace

/**
 * @ingroup fabric-tests
 * @brief The table has all shortest paths, the same links there and back, against a plain search.
 */
class PathSearchTestCase : public TestCase
{
  public:
    PathSearchTestCase()
        : TestCase("all shortest paths, there and back")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string spec : {"fat-tree:K=4",
                                       "leaf-spine:Leaves=3,HostsPerLeaf=2,Spines=4",
                                       "three-tier",
                                       "vl2",
                                       "dumbbell",
                                       "parking-lot",
                                       "single-switch:Hosts=4"})
        {
            TestNetwork network(spec);
            network.Build();
            Check(*network.fabric, spec);
        }
        for (int64_t run = 0; run < 40; ++run)
        {
            CheckRandom(run);
        }
    }

    /// @param run seed of a network that may have parallel links and parts without a way
    void CheckRandom(int64_t run)
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(run);
        TestNetwork network([&random](Fabric& fabric) {
            fabric.SetTierNames({"host", "switch"});
            std::vector<Fabric::End> switches;
            for (uint32_t i = random->GetInteger(2, 6); i > 0; --i)
            {
                switches.push_back(fabric.AddSwitch(1));
                fabric.Connect(fabric.AddHost(), switches.back(), DataRate("1Gbps"), Time(0));
            }
            for (std::size_t i = 0; i < 2 * switches.size(); ++i)
            {
                const uint32_t a = random->GetInteger(0, switches.size() - 1);
                const uint32_t b = random->GetInteger(0, switches.size() - 1);
                if (a != b)
                {
                    fabric.Connect(switches[a], switches[b], DataRate("1Gbps"), Time(0));
                }
            }
        });
        network.Build();
        Check(*network.fabric, "random network " + std::to_string(run));
    }

    /**
     * @param fabric the fabric
     * @param name for messages
     */
    void Check(const Fabric& fabric, const std::string& name)
    {
        PathTable table(fabric);
        for (uint16_t from = 0; from < fabric.GetNRacks(); ++from)
        {
            for (uint16_t to = 0; to < fabric.GetNRacks(); ++to)
            {
                const auto expected =
                    FindWays(fabric, fabric.GetRackSwitch(from), fabric.GetRackSwitch(to));
                std::set<Way> ways;
                const uint32_t count = table.GetNPaths(from, to);
                for (uint32_t i = 0; i < count; ++i)
                {
                    const PathTable::Path path = table.Get(from, to, i);
                    const auto ports = table.GetPorts(path);
                    ways.emplace(ports.begin(), ports.end());
                    CheckBack(table, path, i);
                }
                NS_TEST_EXPECT_MSG_EQ(count, ways.size(), name << ": no path twice");
                NS_TEST_EXPECT_MSG_EQ((ways == expected), true, name << ": the shortest, all");
            }
        }
    }

    /**
     * @brief The way back has the same links in turn, and the same number.
     * @param table the table
     * @param path a path
     * @param index its number
     */
    void CheckBack(PathTable& table, const PathTable::Path& path, uint32_t index)
    {
        const PathTable::Path back = table.Get(path.to, path.from, index);
        NS_TEST_EXPECT_MSG_EQ((path.from == path.to || back.forward == path.back), true, "back");
        NS_TEST_EXPECT_MSG_EQ((path.from == path.to || back.back == path.forward), true, "forward");
        NS_TEST_ASSERT_MSG_EQ(path.forward[0], path.back[0], "lengths");
        auto there = table.GetPorts(path);
        auto here = table.GetPorts({path.to, path.from, path.back, path.forward});
        std::reverse(here.begin(), here.end());
        for (std::size_t i = 0; i < there.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(there[i]->GetDescription().link,
                                  here[i]->GetDescription().link,
                                  "the same links");
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief Packets take the path they are given, there and back, to any host of the rack.
 */
class PathTravelTestCase : public TestCase
{
  public:
    PathTravelTestCase()
        : TestCase("packets take the path they are given")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network("fat-tree:K=4");
        network.Build();
        Fabric& fabric = *network.fabric;
        PathTable& table = fabric.GetPathTable();
        std::multiset<std::pair<uint32_t, uint32_t>> expected; // (link, packets) that they cross
        std::map<uint32_t, uint64_t> crossings;
        for (uint32_t source = 0; source < fabric.GetNHosts(); ++source)
        {
            for (uint32_t destination = 0; destination < fabric.GetNHosts(); ++destination)
            {
                const uint16_t from = fabric.GetLocation(source).rack;
                const uint16_t to = fabric.GetLocation(destination).rack;
                for (uint32_t i = 0; source != destination && i < table.GetNPaths(from, to); ++i)
                {
                    const PathTable::Path path = table.Get(from, to, i);
                    network.Send(source, destination, 1000, 0, path.forward);
                    network.Send(destination, source, 1000, 0, path.back);
                    for (const FabricPort* port : table.GetPorts(path))
                    {
                        crossings[port->GetDescription().link] += 2;
                    }
                    Simulator::Run();
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), network.sent, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(network.GetLosses() + network.GetDrops(), 0, "none is lost");
        for (const auto& [link, packets] : crossings)
        {
            const auto ports = fabric.GetLink(link);
            NS_TEST_EXPECT_MSG_EQ(ports[0]->GetTxPackets() + ports[1]->GetTxPackets(),
                                  packets,
                                  "link " << link);
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief A failure takes no path away, but says which ones do not work.
 */
class PathFailureTestCase : public TestCase
{
  public:
    PathFailureTestCase()
        : TestCase("which paths work")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network("fat-tree:K=4");
        network.Build();
        Fabric& fabric = *network.fabric;
        PathTable table(fabric);
        NS_TEST_EXPECT_MSG_EQ(CountWorking(table, 0, 7), 4, "between pods");
        NS_TEST_EXPECT_MSG_EQ(CountWorking(table, 0, 1), 2, "in a pod");
        NS_TEST_EXPECT_MSG_EQ(CountWorking(table, 0, 0), 1, "in a rack");
        const FabricPort& port = *table.GetPorts(table.Get(0, 7, 0))[1]; // aggregation to core
        const uint32_t core = fabric.GetSwitchIndex(*port.GetDescription().peer);
        fabric.SetLinkUp(port.GetDescription().link, false);
        NS_TEST_EXPECT_MSG_EQ(table.Works(table.Get(0, 7, 0)), false, "the first of them");
        NS_TEST_EXPECT_MSG_EQ(table.Works(table.Get(7, 0, 0)), false, "and back");
        NS_TEST_EXPECT_MSG_EQ(CountWorking(table, 0, 7), 3, "one link, one path");
        NS_TEST_EXPECT_MSG_EQ(CountWorking(table, 7, 0), 3, "and back");
        NS_TEST_EXPECT_MSG_EQ(CountWorking(table, 0, 1), 2, "the pod is whole");
        NS_TEST_EXPECT_MSG_EQ(table.GetNPaths(0, 7), 4, "numbers stay");
        NS_TEST_EXPECT_MSG_EQ(CountWorking(table, 1, 6), 3, "asked for after the failure");
        NS_TEST_EXPECT_MSG_EQ(table.GetNPaths(1, 6), 4, "as wired all the same");
        fabric.SetSwitchUp(core, false);
        fabric.SetLinkUp(port.GetDescription().link, true);
        NS_TEST_EXPECT_MSG_EQ(CountWorking(table, 0, 7), 3, "through the other cores");
        fabric.SetSwitchUp(core, true);
        NS_TEST_EXPECT_MSG_EQ(CountWorking(table, 0, 7), 4, "all again");
    }

    /**
     * @param table the table
     * @param from rack
     * @param to rack
     * @return number of paths that work
     */
    static uint32_t CountWorking(PathTable& table, uint16_t from, uint16_t to)
    {
        uint32_t working = 0;
        for (uint32_t i = 0; i < table.GetNPaths(from, to); ++i)
        {
            working += table.Works(table.Get(from, to, i));
        }
        return working;
    }
};

/**
 * @ingroup fabric-tests
 * @brief Numbers and memory in networks of the papers' size.
 */
class PathScaleTestCase : public TestCase
{
  public:
    PathScaleTestCase()
        : TestCase("numbers and memory of paths")
    {
    }

  private:
    void DoRun() override
    {
        Check("fat-tree:K=24", 0, 287, 144);
        Check("fat-tree:K=24", 0, 11, 12);
        // uFAB's testbed and the two networks of its simulations.
        Check("three-tier", 0, 3, 8);
        Check("three-tier", 0, 1, 2);
        const std::string servers = "three-tier:Pods=16,RacksPerPod=4,HostsPerRack=8,"
                                    "AggregationsPerPod=8,";
        Check(servers + "Cores=32,CoreLinks=4", 0, 63, 32);
        Check(servers + "Cores=16,CoreLinks=2", 0, 63, 16);
    }

    /**
     * @param spec the topology
     * @param from rack
     * @param to rack
     * @param paths expected number of paths
     */
    void Check(const std::string& spec, uint16_t from, uint16_t to, uint32_t paths)
    {
        TestNetwork network(spec);
        network.Build();
        PathTable table(*network.fabric);
        NS_TEST_EXPECT_MSG_EQ(table.GetBytes(), 0, "nothing before it is asked for");
        NS_TEST_EXPECT_MSG_EQ(table.GetNPaths(from, to), paths, spec);
        const auto length = table.Get(from, to, 0).forward[0];
        // Two routes each of a length and as many ports, 2 bytes each; 64 bytes for the pair.
        NS_TEST_EXPECT_MSG_LT(table.GetBytes(), paths * 4 * (length + 1U) + 64, spec);
        const std::size_t bytes = table.GetBytes();
        table.Get(to, from, paths - 1);
        NS_TEST_EXPECT_MSG_EQ(table.GetBytes(), bytes, "there and back are kept once");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of the path table.
 */
class PathTableTestSuite : public TestSuite
{
  public:
    PathTableTestSuite()
        : TestSuite("path-table", Type::UNIT)
    {
        AddTestCase(new PathSearchTestCase);
        AddTestCase(new PathTravelTestCase);
        AddTestCase(new PathFailureTestCase);
        AddTestCase(new PathScaleTestCase);
    }
};

static PathTableTestSuite g_pathTableTestSuite; //!< registers the suite
