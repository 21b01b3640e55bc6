/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/input-error.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <tuple>

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief Numbers of hosts, switches and links, roles and crossing probabilities.
 */
class TopologyCountTestCase : public TestCase
{
  public:
    TopologyCountTestCase()
        : TestCase("hosts, switches, links, roles, crossing probabilities")
    {
    }

  private:
    void DoRun() override
    {
        Check("leaf-spine", 288, 13, 324, "leaf-spine", 256.0 / 287, 9 * 4 * 40e9);
        Check("leaf-spine:Leaves=3,HostsPerLeaf=16,Spines=2",
              48,
              5,
              54,
              "spine-leaf",
              32.0 / 47,
              3 * 2 * 40e9);
        Check("fat-tree:K=4", 16, 20, 48, "aggregation-core", 12.0 / 15, 16 * 10e9);
        Check("fat-tree:K=4", 16, 20, 48, "edge-aggregation", 14.0 / 15, 16 * 10e9);
        Check("fat-tree:K=4,Pods=3", 12, 16, 36, "core-aggregation", 8.0 / 11, 12 * 10e9);
        Check("fat-tree:K=4,EdgeOversubscription=3,AggregationOversubscription=2,HostRate=1Gbps",
              48,
              18,
              48 + 16 + 8,
              "host-edge",
              1,
              48e9);
        Check("fat-tree:K=24", 3456, 720, 10368, "aggregation-core", 3312.0 / 3455, 3456 * 10e9);
        Check("dumbbell:Left=3,Right=2,BottleneckRate=1Gbps", 5, 2, 6, "switch-switch", 0.6, 2e9);
        Check("single-switch:Hosts=5", 5, 1, 5, "switch-host", 1, 50e9);
        Check("parking-lot:Switches=3,HostsPerSwitch=2,TrunkRate=4Gbps",
              6,
              3,
              6 + 2,
              "switch-switch",
              0.8,
              4 * 4e9);
        Check("three-tier", 8, 10, 8 + 8 + 8, "aggregation-core", 4.0 / 7, 8 * 10e9);
        // The 512 servers of uFAB's simulations: 1:1, and 1:2 at the cores.
        const std::string servers = "three-tier:Pods=16,RacksPerPod=4,HostsPerRack=8,"
                                    "AggregationsPerPod=8,FabricRate=100Gbps,CoreRate=100Gbps,"
                                    "HostRate=100Gbps,";
        Check(servers + "Cores=32,CoreLinks=4",
              512,
              64 + 128 + 32,
              3 * 512,
              "aggregation-core",
              480.0 / 511,
              512 * 100e9);
        Check(servers + "Cores=16,CoreLinks=2",
              512,
              64 + 128 + 16,
              2 * 512 + 256,
              "aggregation-core",
              480.0 / 511,
              256 * 100e9);
        Check("single-switch:Hosts=5", 5, 1, 5, "switch-switch", 0, 0);
    }

    /**
     * @param spec the topology
     * @param hosts expected number of hosts
     * @param switches expected number of switches
     * @param links expected number of links
     * @param role role of a port
     * @param crossing expected probability that a path crosses it
     * @param capacity expected sum of rates of its ports in bit/s
     */
    void Check(const std::string& spec,
               uint32_t hosts,
               uint32_t switches,
               uint32_t links,
               const std::string& role,
               double crossing,
               double capacity)
    {
        TestNetwork network(spec);
        network.Build();
        const Fabric& fabric = *network.fabric;
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNHosts(), hosts, spec << ": hosts");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNSwitches(), switches, spec << ": switches");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNLinks(), links, spec << ": links");
        NS_TEST_EXPECT_MSG_EQ_TOL(fabric.GetCrossingProbability(role), crossing, 1e-12, spec);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(fabric.GetCapacity(role).GetBitRate()),
                                  capacity,
                                  1,
                                  spec << ": capacity of " << role);
        std::set<std::string> names;
        uint32_t ports = 0;
        fabric.ForEachPort([&](const FabricPort& port) {
            names.insert(port.GetDescription().name);
            ++ports;
        });
        NS_TEST_EXPECT_MSG_EQ(ports, 2 * links, spec << ": two ports per link");
        NS_TEST_EXPECT_MSG_EQ(names.size(), ports, spec << ": names are unique");
        const std::string summary = CreateFromSpec<Topology>("topology", spec)->GetSummary();
        NS_TEST_EXPECT_MSG_EQ(summary.find('\n'), std::string::npos, "one line");
        NS_TEST_EXPECT_MSG_NE(summary.find(" hosts at "), std::string::npos, summary);
    }
};

/**
 * @ingroup fabric-tests
 * @brief Random graphs: connected, all switches alike, another one for each stream.
 */
class JellyfishTestCase : public TestCase
{
  public:
    JellyfishTestCase()
        : TestCase("random graphs of switches")
    {
    }

  private:
    /// @brief A link: its ends' names and its delay in ns.
    using Link = std::tuple<std::string, std::string, int64_t>;

    std::vector<Link> Draw(const std::string& spec, int64_t stream)
    {
        const auto topology = CreateFromSpec<Topology>("topology", spec);
        topology->AssignStreams(stream);
        auto fabric = CreateObject<Fabric>();
        topology->AddTo(*fabric);
        fabric->Build();
        std::vector<Link> links;
        m_degrees.clear();
        for (uint32_t i = 0; i < fabric->GetNLinks(); ++i)
        {
            const auto ends = fabric->GetLink(i);
            const auto& from = ends[0]->GetDescription();
            const auto& to = ends[1]->GetDescription();
            links.emplace_back(from.name, to.name, from.delay.GetNanoSeconds());
            if (from.tier > 0 && to.tier > 0)
            {
                ++m_degrees[from.node];
                ++m_degrees[to.node];
            }
        }
        for (uint32_t host = 1; host < fabric->GetNHosts(); ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(fabric->GetPath(0, host).empty(), false, spec << ": connected");
        }
        fabric->Dispose();
        return links;
    }

    void DoRun() override
    {
        const std::string spec = "jellyfish:Switches=12,Degree=3,HostsPerSwitch=2,Spread=0.5";
        std::set<std::vector<Link>> graphs;
        for (int64_t stream = 1; stream <= 20; ++stream)
        {
            const auto links = Draw(spec, stream);
            graphs.insert(links);
            NS_TEST_EXPECT_MSG_EQ(links.size(), 24 + 18, "hosts' links and 12 * 3 / 2");
            NS_TEST_EXPECT_MSG_EQ((links == Draw(spec, stream)), true, "the same again");
            for (const auto& [node, degree] : m_degrees)
            {
                NS_TEST_EXPECT_MSG_EQ(degree, 3, "links of a switch");
            }
            for (const auto& [from, to, delay] : links)
            {
                NS_TEST_EXPECT_MSG_GT_OR_EQ(delay, 500, "half of 1 us");
                NS_TEST_EXPECT_MSG_LT_OR_EQ(delay, 1500, "and half as much again");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(graphs.size(), 20, "all different");
        Draw("jellyfish:Switches=7,Degree=3", 1);
        NS_TEST_EXPECT_MSG_EQ(m_degrees.size(), 7, "one port is left over");
        Draw("jellyfish:Switches=6,Degree=5", 1);
        NS_TEST_EXPECT_MSG_EQ(m_degrees.begin()->second, 5, "each to each other");
    }

    std::map<const FabricNode*, uint32_t> m_degrees; //!< of switches in the last draw
};

/**
 * @ingroup fabric-tests
 * @brief Next hops against a plain search for shortest paths, also on random and broken networks.
 */
class NextHopTestCase : public TestCase
{
  public:
    NextHopTestCase()
        : TestCase("next hops are those of all shortest paths")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string spec : {"fat-tree:K=4",
                                       "fat-tree:K=6,Pods=4,AggregationOversubscription=3",
                                       "leaf-spine:Leaves=5,HostsPerLeaf=3,Spines=4",
                                       "three-tier:Cores=6,AggregationsPerPod=3,CoreLinks=4",
                                       "dumbbell",
                                       "parking-lot",
                                       "jellyfish",
                                       "single-switch:Hosts=4"})
        {
            TestNetwork network(spec);
            network.Build();
            CheckAll(*network.fabric, spec);
        }
        for (uint32_t run = 0; run < 60; ++run)
        {
            CheckRandom(run);
        }
        CheckPathCounts("fat-tree:K=4", 0, 15, 4);
        CheckPathCounts("fat-tree:K=4", 0, 2, 2);
        CheckPathCounts("fat-tree:K=4", 0, 1, 1);
        CheckPathCounts("fat-tree:K=8", 0, 127, 16);
        CheckPathCounts("fat-tree:K=8,AggregationOversubscription=2", 0, 127, 8);
        CheckPathCounts("leaf-spine", 0, 287, 4);
        CheckPathCounts("three-tier", 0, 7, 8); // uFAB's testbed
        CheckPathCounts("three-tier", 0, 2, 2);
        CheckPathCounts("leaf-spine", 0, 31, 1);
    }

    /**
     * @brief A network of random shape, with a few links failed.
     * @param run seed
     */
    void CheckRandom(uint32_t run)
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1000 + run);
        auto fabric = CreateObject<Fabric>();
        fabric->SetTierNames({"host", "switch"});
        const uint32_t nSwitches = random->GetInteger(2, 9);
        std::vector<Fabric::End> switches;
        for (uint32_t i = 0; i < nSwitches; ++i)
        {
            switches.push_back(fabric->AddSwitch(1));
        }
        for (uint32_t i = random->GetInteger(2, 6); i > 0; --i)
        {
            const uint32_t at = random->GetInteger(0, nSwitches - 1);
            fabric->Connect(fabric->AddHost(), switches[at], DataRate("1Gbps"), Time(0));
        }
        uint32_t links = 0;
        for (uint32_t i = 0; i < 2 * nSwitches; ++i) // parallel links may come of it
        {
            const uint32_t a = random->GetInteger(0, nSwitches - 1);
            const uint32_t b = random->GetInteger(0, nSwitches - 1);
            if (a != b)
            {
                fabric->Connect(switches[a], switches[b], DataRate("1Gbps"), Time(0));
                ++links;
            }
        }
        fabric->Build();
        CheckAll(*fabric, "random network " + std::to_string(run));
        const auto failed = Topology::FailLinks(*fabric, std::min(links, 2u), run);
        CheckAll(*fabric, "broken network " + std::to_string(run));
        for (uint32_t link : failed)
        {
            fabric->SetLinkUp(link, true);
        }
        CheckAll(*fabric, "mended network " + std::to_string(run));
        fabric->Dispose();
    }

    /**
     * @brief Distance in links from every node to a host, over links that work; hosts do not
     * forward.
     * @param fabric the fabric
     * @param host the host
     * @return by event context
     */
    static std::map<uint32_t, uint32_t> Distances(const Fabric& fabric, uint32_t host)
    {
        std::map<uint32_t, uint32_t> distance{{fabric.GetHost(host).GetContext(), 0}};
        bool changed = true;
        while (changed) // Bellman-Ford: plain and unlike what the fabric does
        {
            changed = false;
            fabric.ForEachPort([&](const FabricPort& port) {
                const FabricPort::Description& d = port.GetDescription();
                const uint32_t to = d.peer->GetContext();
                const uint32_t from = d.node->GetContext();
                if (!port.IsUp() || !distance.count(to) || (d.peerTier == 0 && distance[to] > 0))
                {
                    return;
                }
                if (!distance.count(from) || distance[from] > distance[to] + 1)
                {
                    distance[from] = distance[to] + 1;
                    changed = true;
                }
            });
        }
        return distance;
    }

    /**
     * @brief Check the next hops of every switch towards every host.
     * @param fabric the fabric
     * @param name for messages
     */
    void CheckAll(const Fabric& fabric, const std::string& name)
    {
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            auto distance = Distances(fabric, host);
            const HostLocation location = fabric.GetLocation(host);
            for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
            {
                const FabricSwitch& s = fabric.GetSwitch(i);
                std::vector<uint16_t> expected;
                for (uint16_t p = 0; p < s.GetNPorts(); ++p)
                {
                    const FabricPort& port = s.GetPort(p);
                    const uint32_t peer = port.GetDescription().peer->GetContext();
                    if (port.IsUp() && distance.count(s.GetContext()) && distance.count(peer) &&
                        distance[peer] + 1 == distance[s.GetContext()])
                    {
                        expected.push_back(p);
                    }
                }
                auto found = s.GetNextHops(location.rack);
                if (distance.count(s.GetContext()) && distance[s.GetContext()] == 1)
                {
                    found = {found.at(location.slot)}; // the rack itself: a port per host
                }
                NS_TEST_EXPECT_MSG_EQ((found == expected),
                                      true,
                                      name << ": " << s.GetName() << " to host " << host);
            }
        }
    }

    /**
     * @brief Count all paths between two hosts.
     * @param spec the topology
     * @param source a host
     * @param destination another
     * @param expected number of paths
     */
    void CheckPathCounts(const std::string& spec,
                         uint32_t source,
                         uint32_t destination,
                         uint32_t expected)
    {
        TestNetwork network(spec);
        network.Build();
        const HostLocation location = network.fabric->GetLocation(destination);
        std::function<uint32_t(FabricNode*)> count = [&](FabricNode* node) -> uint32_t {
            auto s = static_cast<FabricSwitch*>(node);
            const auto hops = s->GetNextHops(location.rack);
            if (s == network.fabric->GetHost(destination).GetNicPort().GetDescription().peer)
            {
                return 1;
            }
            uint32_t paths = 0;
            for (uint16_t hop : hops)
            {
                paths += count(s->GetPort(hop).GetDescription().peer);
            }
            return paths;
        };
        const auto first = network.fabric->GetHost(source).GetNicPort().GetDescription().peer;
        NS_TEST_EXPECT_MSG_EQ(count(first), expected, spec);
        const auto path = network.fabric->GetPath(source, destination);
        NS_TEST_EXPECT_MSG_EQ(path.back()->GetDescription().peer,
                              static_cast<FabricNode*>(&network.fabric->GetHost(destination)),
                              spec << ": GetPath() ends at the destination");
    }
};

/**
 * @ingroup fabric-tests
 * @brief A packet and its answer take the time that arithmetic says (AFQ, section 6.2.1).
 */
class ExchangeTimeTestCase : public TestCase
{
  public:
    ExchangeTimeTestCase()
        : TestCase("1500 B and a 40 B answer through the leaf-spine of AFQ")
    {
    }

  private:
    void DoRun() override
    {
        // Per direction: 2 host links, 2 fabric links between leaves; 0.86 us each.
        NS_TEST_EXPECT_MSG_EQ(Exchange(0, 287),
                              2 * (1200 + 32 + 300 + 8) + 8 * 860,
                              "between leaves");
        NS_TEST_EXPECT_MSG_EQ(Exchange(0, 31), 2 * (1200 + 32) + 4 * 860, "within a leaf");
    }

    /**
     * @param source a host
     * @param destination another
     * @return nanoseconds from sending a packet to having its answer
     */
    int64_t Exchange(uint32_t source, uint32_t destination)
    {
        TestNetwork network("leaf-spine");
        network.Build();
        network.Send(source, destination, 1500);
        Simulator::Run();
        network.Send(destination, source, 40);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 2, "both arrived");
        return network.recorder.arrivals.back().arrived;
    }
};

/**
 * @ingroup fabric-tests
 * @brief A topology that cannot be wired is refused in one line that names the argument.
 */
class TopologyErrorTestCase : public TestCase
{
  public:
    TopologyErrorTestCase()
        : TestCase("bad topologies are input errors")
    {
    }

  private:
    void DoRun() override
    {
        Refuses("fat-tree:K=5", {"fat-tree:K = '5'", "K must be even"});
        Refuses("fat-tree:K=4,Pods=5", {"fat-tree:Pods = '5'", "at most K = 4"});
        Refuses("fat-tree:K=4,EdgeOversubscription=1.3", {"fat-tree:EdgeOversubscription = '1.3'"});
        Refuses("fat-tree:K=4,AggregationOversubscription=4",
                {"AggregationOversubscription = '4'"});
        Refuses("three-tier:CoreLinks=3", {"three-tier:CoreLinks = '3'", "2 cores"});
        Refuses("three-tier:Cores=3,CoreLinks=2", {"three-tier:CoreLinks = '2'", "equally many"});
        Refuses("three-tier:CoreRate=0bps", {"three-tier:CoreRate"});
        Refuses("leaf-spine:HostRate=0bps", {"leaf-spine:HostRate"});
        Refuses("dumbbell:BottleneckRate=0Gbps", {"dumbbell:BottleneckRate"});
        Refuses("parking-lot:TrunkRate=0Gbps", {"parking-lot:TrunkRate"});
        Refuses("parking-lot:Switches=1", {"Switches", "1"});
        Refuses("jellyfish:Switches=4,Degree=4", {"jellyfish:Degree", "4", "2 to 3"});
        Refuses("jellyfish:Degree=1", {"jellyfish:Degree", "1", "2 to 9"});
        Refuses("jellyfish:FabricRate=0bps", {"jellyfish:FabricRate"});
        Refuses("leaf-spine:Leaves=0", {"Leaves", "0"});
        Refuses("leaf-spine:LinkDelay=-1us", {"LinkDelay", "-1us"});
        Refuses("leaf-spine:Levels=3", {"Levels", "Spines"});
        Refuses("leafspine", {"leafspine", "leaf-spine", "fat-tree", "dumbbell", "single-switch"});

        TestNetwork network("leaf-spine:Leaves=3,HostsPerLeaf=2,Spines=2");
        network.Build();
        NS_TEST_EXPECT_MSG_EQ(Topology::FailLinks(*network.fabric, 4, 1).size(), 4, "4 of 6");
        try
        {
            Topology::FailLinks(*network.fabric, 3, 1, "--failures");
            NS_TEST_EXPECT_MSG_EQ(true, false, "more failures than links were accepted");
        }
        catch (const InputError& error)
        {
            const std::string text = error.what();
            NS_TEST_EXPECT_MSG_EQ(text.find("--failures = '3': at most 2"), 0, text);
        }
    }

    /**
     * @param spec a topology
     * @param words texts that the error must contain
     */
    void Refuses(const std::string& spec, const std::vector<std::string>& words)
    {
        try
        {
            auto fabric = CreateObject<Fabric>();
            CreateFromSpec<Topology>("--topology", spec)->AddTo(*fabric);
            NS_TEST_EXPECT_MSG_EQ(true, false, spec << " was accepted");
        }
        catch (const InputError& error)
        {
            const std::string text = error.what();
            NS_TEST_EXPECT_MSG_EQ(text.find('\n'), std::string::npos, "one line: " << text);
            for (const std::string& word : words)
            {
                NS_TEST_EXPECT_MSG_NE(text.find(word), std::string::npos, word << " in: " << text);
            }
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief FailLinks() draws uniformly, from its stream, among links between switches.
 */
class FailLinksTestCase : public TestCase
{
  public:
    FailLinksTestCase()
        : TestCase("random link failures")
    {
    }

  private:
    void DoRun() override
    {
        std::map<uint32_t, uint32_t> times;
        for (int64_t stream = 0; stream < 300; ++stream)
        {
            const auto links = Draw(stream);
            NS_TEST_EXPECT_MSG_EQ((links == Draw(stream)), true, "same stream, same links");
            NS_TEST_EXPECT_MSG_EQ(links.size(), 3, "as many as asked for");
            for (uint32_t link : links)
            {
                ++times[link];
            }
        }
        NS_TEST_EXPECT_MSG_EQ(times.size(), 6, "every link between switches fails sometimes");
        for (const auto& [link, count] : times)
        {
            // Binomial with n = 300, p = 1/2: five standard deviations are 43.
            NS_TEST_EXPECT_MSG_EQ_TOL(count, 150.0, 43.0, "link " << link);
        }
    }

    /**
     * @param stream the random stream
     * @return the links that failed
     */
    std::vector<uint32_t> Draw(int64_t stream)
    {
        TestNetwork network("leaf-spine:Leaves=3,HostsPerLeaf=2,Spines=2");
        network.Build();
        const auto links = Topology::FailLinks(*network.fabric, 3, stream);
        for (uint32_t link : links)
        {
            for (const FabricPort* port : network.fabric->GetLink(link))
            {
                NS_TEST_EXPECT_MSG_EQ(port->IsUp(), false, "failed in both directions");
                NS_TEST_EXPECT_MSG_GT(port->GetDescription().tier, 0, "no host link");
            }
        }
        return links;
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of topologies.
 */
class TopologyTestSuite : public TestSuite
{
  public:
    TopologyTestSuite()
        : TestSuite("topology", Type::UNIT)
    {
        AddTestCase(new TopologyCountTestCase);
        AddTestCase(new JellyfishTestCase);
        AddTestCase(new NextHopTestCase);
        AddTestCase(new ExchangeTimeTestCase);
        AddTestCase(new TopologyErrorTestCase);
        AddTestCase(new FailLinksTestCase);
    }
};

static TopologyTestSuite g_topologyTestSuite; //!< registers the suite
