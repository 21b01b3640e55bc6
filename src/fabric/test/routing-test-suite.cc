/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace ns3;

namespace
{

/**
 * @brief A path selector by name.
 * @param name FlowHash, UnseededHash, Random or RoundRobin
 * @return its factory
 */
ObjectFactory
Selector(const std::string& name)
{
    if (name == "FlowHash")
    {
        return ObjectFactory("ns3::FlowHashPathSelector");
    }
    if (name == "UnseededHash")
    {
        return ObjectFactory("ns3::UnseededHashPathSelector");
    }
    return ObjectFactory("ns3::SprayPathSelector", "Mode", StringValue(name));
}

/**
 * @brief Pearson's chi-square test of equal frequencies.
 * @param counts number of times that each outcome came
 * @return the statistic over its 99.9 % quantile: above 1, hardly uniform
 */
double
ChiSquareRatio(const std::vector<uint64_t>& counts)
{
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    const double expected = total / counts.size();
    double statistic = 0;
    for (const uint64_t count : counts)
    {
        statistic += std::pow(count - expected, 2) / expected;
    }
    const boost::math::chi_squared distribution(counts.size() - 1.0);
    return statistic / boost::math::quantile(distribution, 0.999);
}

/**
 * @brief Packets that the ports of a role sent.
 * @param fabric the fabric
 * @param role the role
 * @return the counts of the ports that sent any
 */
std::vector<uint64_t>
CountByPort(const Fabric& fabric, const std::string& role)
{
    std::vector<uint64_t> counts;
    fabric.ForEachPort([&](const FabricPort& port) {
        if (port.GetDescription().role == role && port.GetTxPackets() > 0)
        {
            counts.push_back(port.GetTxPackets());
        }
    });
    return counts;
}

} // namespace

/**
 * @ingroup fabric-tests
 * @brief Whatever the routing, an uncongested network delivers each packet once.
 */
class DeliveryTestCase : public TestCase
{
  public:
    /**
     * @param selector the path selector, or SourceRoute
     */
    explicit DeliveryTestCase(const std::string& selector)
        : TestCase("count in = count out: " + selector),
          m_selector(selector)
    {
    }

  private:
    static constexpr uint32_t HOSTS = 16;     //!< of a fat-tree with k = 4
    static constexpr uint32_t ROUNDS = 20;    //!< packets of each ordered pair of hosts
    static constexpr int64_t INTERVAL = 3000; //!< ns between packets of a host: 40 % load

    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        const bool sourceRoute = m_selector == "SourceRoute";
        TestNetwork network("fat-tree:K=4", Selector(sourceRoute ? "FlowHash" : m_selector));
        network.Build();
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(5);
        m_routes.clear();
        m_routes.reserve(HOSTS * HOSTS * ROUNDS);
        for (uint32_t step = 0; step < ROUNDS * (HOSTS - 1); ++step)
        {
            for (uint32_t host = 0; host < HOSTS; ++host)
            {
                const uint32_t destination = (host + 1 + step % (HOSTS - 1)) % HOSTS;
                const uint16_t* route = nullptr;
                if (sourceRoute)
                {
                    m_routes.push_back(DrawRoute(*network.fabric, host, destination));
                    route = m_routes.back().data();
                }
                const int64_t time = INTERVAL * step + m_random->GetInteger(0, INTERVAL / 2);
                Simulator::Schedule(NanoSeconds(time), [=, &network] {
                    network.Send(host, destination, 1500, 0, route);
                });
            }
        }
        Simulator::Run();
        Check(network);
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "each item is given back");
    }

    /// @param network after the run
    void Check(const TestNetwork& network)
    {
        std::map<std::pair<uint32_t, uint32_t>, std::set<uint64_t>> got;
        for (const auto& arrival : network.recorder.arrivals)
        {
            got[{arrival.source, arrival.destination}].insert(arrival.sequence);
            const auto path = network.fabric->GetPath(arrival.source, arrival.destination);
            NS_TEST_ASSERT_MSG_EQ(arrival.hops + 1u, path.size(), "a shortest path");
        }
        NS_TEST_EXPECT_MSG_EQ(network.sent, ROUNDS * HOSTS * (HOSTS - 1), "all were sent");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), network.sent, "out = in");
        NS_TEST_EXPECT_MSG_EQ(got.size(), HOSTS * (HOSTS - 1), "between all hosts");
        for (const auto& [pair, sequences] : got)
        {
            NS_TEST_EXPECT_MSG_EQ(sequences.size(), ROUNDS, "none lost, none twice");
        }
        NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 0, "no drop");
        NS_TEST_EXPECT_MSG_EQ(network.GetLosses(), 0, "no loss");
    }

    /**
     * @param fabric the fabric
     * @param source a host
     * @param destination another
     * @return a source route along a random shortest path
     */
    std::vector<uint16_t> DrawRoute(const Fabric& fabric, uint32_t source, uint32_t destination)
    {
        const HostLocation location = fabric.GetLocation(destination);
        std::vector<uint16_t> route{0};
        FabricNode* node = fabric.GetHost(source).GetNicPort().GetDescription().peer;
        while (auto s = dynamic_cast<FabricSwitch*>(node))
        {
            const auto hops = s->GetNextHops(location.rack);
            const bool last = s == fabric.GetHost(destination).GetNicPort().GetDescription().peer;
            route.push_back(last ? hops[location.slot]
                                 : hops[m_random->GetInteger(0, hops.size() - 1)]);
            node = s->GetPort(route.back()).GetDescription().peer;
            ++route.front();
        }
        return route;
    }

    std::string m_selector;                      //!< the path selector, or SourceRoute
    Ptr<UniformRandomVariable> m_random;         //!< draws times and routes
    std::vector<std::vector<uint16_t>> m_routes; //!< source routes, until all have arrived
};

/**
 * @ingroup fabric-tests
 * @brief A source route that leads nowhere costs the packet, and is counted where it fails.
 */
class WrongRouteTestCase : public TestCase
{
  public:
    WrongRouteTestCase()
        : TestCase("wrong source routes are counted drops")
    {
    }

  private:
    /// @brief The fate of a packet from host 0 to host 2, in another rack.
    struct Fate
    {
        uint64_t arrivals{0}; //!< packets that arrived
        uint64_t leaf{0};     //!< dropped by host 0's leaf
        uint64_t spine{0};    //!< dropped by the spine
        uint64_t last{0};     //!< dropped by host 2's leaf
        uint64_t strays{0};   //!< came to another host

        bool operator==(const Fate&) const = default;
    };

    void DoRun() override
    {
        // A leaf has hosts at ports 0 and 1 and the spine at port 2; the spine has leaf i at port
        // i.
        Expect({3, 2, 1, 0}, {.arrivals = 1}, "port by port to the host");
        Expect({2, 2, 1}, {.arrivals = 1}, "as far as the last switch, which knows its hosts");
        Expect({0}, {.leaf = 1}, "too short at the first switch");
        Expect({1, 2}, {.spine = 1}, "too short");
        Expect({1, 3}, {.leaf = 1}, "no such port");
        Expect({2, 2, UINT16_MAX}, {.spine = 1}, "no such port by far");
        Expect({3, 2, 1, 1}, {.strays = 1}, "to another host");
        Expect({5, 2, 1, 0, 7, 7}, {.arrivals = 1}, "longer than the way: the rest is not read");
    }

    /**
     * @param route source route
     * @param expected the fate of the packet
     * @param what describes the route
     */
    void Expect(const std::vector<uint16_t>& route, const Fate& expected, const std::string& what)
    {
        const uint64_t live = FabricItem::GetLiveCount();
        TestNetwork network("leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=1");
        network.Build();
        network.Send(0, 2, 1500, 0, route.data());
        Simulator::Run();
        const auto dropped = [&network](uint32_t node) {
            return network.fabric->GetSwitch(node).GetBadRouteDrops();
        };
        const Fate fate{.arrivals = network.recorder.arrivals.size(),
                        .leaf = dropped(network.fabric->GetRackSwitch(0)),
                        .spine = dropped(0),
                        .last = dropped(network.fabric->GetRackSwitch(1)),
                        .strays = network.fabric->GetHost(3).GetStrayItems()};
        NS_TEST_EXPECT_MSG_EQ((fate == expected), true, what);
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, what << ": given back");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Flow ECMP keeps each flow in order even when paths differ in queues; spray does not.
 */
class OrderTestCase : public TestCase
{
  public:
    OrderTestCase()
        : TestCase("flow ECMP never reorders a flow, spray does")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountReordered("FlowHash"), 0, "flow hash");
        NS_TEST_EXPECT_MSG_GT(CountReordered("Random"), 100, "so the paths do differ");
    }

    /**
     * @param selector the path selector
     * @return items that arrived after a later one of their flow
     */
    static uint32_t CountReordered(const std::string& selector)
    {
        TestNetwork network("fat-tree:K=4", Selector(selector));
        network.Build();
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(9);
        for (int64_t time = 0; time < 1000000; time += 1500)
        {
            for (uint32_t host = 0; host < 16; ++host)
            {
                const auto size = static_cast<uint16_t>(random->GetInteger(64, 1500));
                const auto port = static_cast<uint16_t>(random->GetInteger(0, 3));
                network.SendAt(NanoSeconds(time + host), host, (host + 7) % 16, size, port);
            }
        }
        Simulator::Run();
        std::map<uint32_t, uint64_t> latest;
        uint32_t reordered = 0;
        for (const auto& arrival : network.recorder.arrivals)
        {
            uint64_t& sequence = latest[arrival.hash];
            reordered += arrival.sequence < sequence ? 1 : 0;
            sequence = std::max(sequence, arrival.sequence);
        }
        return reordered;
    }
};

/**
 * @ingroup fabric-tests
 * @brief ECMP and spray use equal paths equally, and tiers choose independently.
 */
class UniformityTestCase : public TestCase
{
  public:
    UniformityTestCase()
        : TestCase("uniform choices, independent from tier to tier")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string selector : {"FlowHash", "Random"})
        {
            // Many 5-tuples that differ in one port only, as those of one pair of hosts do.
            const auto spines =
                RunFlows("leaf-spine:Leaves=2,HostsPerLeaf=1,Spines=8", selector, "leaf-spine", 1);
            NS_TEST_EXPECT_MSG_EQ(spines.size(), 8, "every spine is used");
            NS_TEST_EXPECT_MSG_LT(ChiSquareRatio(spines), 1, selector << " over spines");
            const auto cores = RunFlows("fat-tree:K=8", selector, "aggregation-core", 127);
            NS_TEST_EXPECT_MSG_EQ(cores.size(), 16, "every core link of the pod is used");
            NS_TEST_EXPECT_MSG_LT(ChiSquareRatio(cores), 1, selector << " over (agg, core) pairs");
        }
        // All flows that come to an aggregation switch take one of its 4 up-links.
        const auto polarised = RunFlows("fat-tree:K=8", "UnseededHash", "aggregation-core", 127);
        NS_TEST_EXPECT_MSG_EQ(polarised.size(), 4, "one core link per aggregation switch");
        NS_TEST_EXPECT_MSG_LT(ChiSquareRatio(polarised), 1, "over aggregation switches");
        const auto turns =
            RunFlows("leaf-spine:Leaves=2,HostsPerLeaf=1,Spines=8", "RoundRobin", "leaf-spine", 1);
        NS_TEST_EXPECT_MSG_EQ((turns == std::vector<uint64_t>(8, 1250)), true, "in turn");
        StartsAnywhere();
    }

    /// @brief Switches that take turns do not do so in step.
    void StartsAnywhere()
    {
        constexpr uint32_t paths = 8;
        std::vector<uint64_t> starts(paths);
        const FabricItem item{};
        for (int64_t stream = 0; stream < 400; ++stream)
        {
            auto selector = Selector("RoundRobin").Create<SprayPathSelector>();
            selector->AssignStreams(stream);
            const uint32_t start = selector->Choose(item, 3, paths);
            ++starts[start];
            for (uint32_t i = 1; i < 2 * paths; ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(selector->Choose(item, 3, paths),
                                      (start + i) % paths,
                                      "in turn");
            }
            selector->AssignStreams(stream);
            NS_TEST_EXPECT_MSG_EQ(selector->Choose(item, 3, paths), start, "the same stream");
        }
        NS_TEST_EXPECT_MSG_LT(ChiSquareRatio(starts), 1, "any start is as likely");
    }

    /**
     * @brief Send 10,000 packets of different 5-tuples from host 0.
     * @param topology the topology
     * @param selector the path selector
     * @param role of the ports to look at
     * @param destination the receiver
     * @return packets of each port that sent any
     */
    std::vector<uint64_t> RunFlows(const std::string& topology,
                                   const std::string& selector,
                                   const std::string& role,
                                   uint32_t destination)
    {
        TestNetwork network(topology, Selector(selector));
        network.Build();
        for (uint16_t port = 0; port < 10000; ++port)
        {
            network.SendAt(MicroSeconds(2) * port, 0, destination, 1500, port);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 10000, "all arrive");
        return CountByPort(*network.fabric, role);
    }
};

/**
 * @ingroup fabric-tests
 * @brief Switches have seeds of their own, which depend on the run and on nothing else.
 */
class SeedTestCase : public TestCase
{
  public:
    SeedTestCase()
        : TestCase("seeds differ per switch and per run, and repeat")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t run = RngSeedManager::GetRun();
        for (const std::string selector : {"FlowHash", "Random"})
        {
            RngSeedManager::SetRun(1);
            const auto first = Choices(selector, true);
            const auto again = Choices(selector, true);
            const auto automatic = Choices(selector, false);
            RngSeedManager::SetRun(2);
            const auto second = Choices(selector, true);
            NS_TEST_EXPECT_MSG_EQ((first == again), true, "same run, same choices");
            std::set<std::vector<uint32_t>> different(first.begin(), first.end());
            different.insert(second.begin(), second.end());
            different.insert(automatic.begin(), automatic.end());
            NS_TEST_EXPECT_MSG_EQ(different.size(), 3 * first.size(), "all others differ");
        }
        RngSeedManager::SetRun(run);
    }

    /**
     * @param selector the path selector
     * @param assign true if streams are assigned, else ns-3 gives them
     * @return 64 choices of each switch
     */
    static std::vector<std::vector<uint32_t>> Choices(const std::string& selector, bool assign)
    {
        TestNetwork network("fat-tree:K=4", Selector(selector));
        network.fabric->Build();
        if (assign)
        {
            NS_ABORT_IF(network.fabric->AssignStreams(50) != network.fabric->GetNSwitches());
        }
        std::vector<std::vector<uint32_t>> choices;
        FabricItem* item = FabricItem::Create();
        for (uint32_t i = 0; i < network.fabric->GetNSwitches(); ++i)
        {
            choices.emplace_back();
            for (item->hash = 0; item->hash < 64; ++item->hash)
            {
                auto chooser = network.fabric->GetSwitch(i).GetPathSelector();
                choices.back().push_back(chooser->Choose(*item, 1, 4));
            }
        }
        item->Release();
        return choices;
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of routing.
 */
class RoutingTestSuite : public TestSuite
{
  public:
    RoutingTestSuite()
        : TestSuite("routing", Type::UNIT)
    {
        for (const std::string selector : {"FlowHash", "Random", "RoundRobin", "SourceRoute"})
        {
            AddTestCase(new DeliveryTestCase(selector));
        }
        AddTestCase(new WrongRouteTestCase);
        AddTestCase(new OrderTestCase);
        AddTestCase(new UniformityTestCase);
        AddTestCase(new SeedTestCase);
    }
};

static RoutingTestSuite g_routingTestSuite; //!< registers the suite
