/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/fabric.h"
#include "ns3/link-loads.h"
#include "ns3/object-spec.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/topology.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @ingroup drb-tests
/// @brief A fabric, and traffic over it.
class LoadedFabric
{
  public:
    /**
     * @param topology specification of the topology
     */
    explicit LoadedFabric(const std::string& topology)
        : m_fabric(CreateObject<Fabric>())
    {
        CreateFromSpec<Topology>("--topology", topology)->AddTo(*m_fabric);
        m_fabric->Build();
        m_routes = std::make_unique<BouncingRoutes>(*m_fabric, "test");
        m_loads = std::make_unique<LinkLoads>(*m_fabric, *m_routes);
    }

    ~LoadedFabric()
    {
        m_fabric->Dispose();
    }

    LoadedFabric(const LoadedFabric&) = delete;
    LoadedFabric& operator=(const LoadedFabric&) = delete;

    /**
     * @brief Host i sends to host i + shift.
     * @param shift the shift
     * @param rate of each
     * @param shares of the points
     */
    void Shift(uint32_t shift, double rate, const std::vector<double>& shares)
    {
        for (uint32_t i = 0; i < m_fabric->GetNHosts(); ++i)
        {
            m_loads->Add(i, (i + shift) % m_fabric->GetNHosts(), rate, shares);
        }
    }

    /**
     * @brief All points alike.
     * @return shares
     */
    std::vector<double> GetEvenShares() const
    {
        return std::vector<double>(m_routes->GetNPoints(), 1.0 / m_routes->GetNPoints());
    }

    /**
     * @brief Loads of all links.
     * @return by name of the port
     */
    std::map<std::string, double> GetLoads() const
    {
        std::map<std::string, double> loads;
        m_fabric->ForEachPort([this, &loads](const FabricPort& port) {
            loads[port.GetDescription().name] = m_loads->GetLoad(port);
        });
        return loads;
    }

    /**
     * @brief The largest load.
     * @return of any link
     */
    double GetLargest() const
    {
        double largest = 0;
        m_fabric->ForEachPort([this, &largest](const FabricPort& port) {
            largest = std::max(largest, m_loads->GetLoad(port));
        });
        return largest;
    }

    Ptr<Fabric> m_fabric;                     //!< the fabric
    std::unique_ptr<BouncingRoutes> m_routes; //!< its tables
    std::unique_ptr<LinkLoads> m_loads;       //!< the traffic
};

} // namespace

/**
 * @ingroup drb-tests
 * @brief Loads that can be told by hand.
 */
class LinkLoadExampleTestCase : public TestCase
{
  public:
    LinkLoadExampleTestCase()
        : TestCase("loads of links: examples")
    {
    }

  private:
    void DoRun() override
    {
        LoadedFabric tree("fat-tree:K=4");
        tree.Shift(4, 1, tree.GetEvenShares());
        for (const auto& [port, load] : tree.GetLoads())
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(load, 1, 1e-9, port);
        }
        tree.m_loads->Clear();
        tree.Shift(4, 1, {1, 0, 0, 0}); // all pairs by way of core 3.0
        auto loads = tree.GetLoads();
        NS_TEST_EXPECT_MSG_EQ_TOL(loads.at("edge0:2"), 2, 1e-9, "1.0 to 2.0");
        NS_TEST_EXPECT_MSG_EQ_TOL(loads.at("edge0:3"), 0, 1e-9, "1.0 to 2.1");
        NS_TEST_EXPECT_MSG_EQ_TOL(loads.at("aggregation0:2"), 4, 1e-9, "2.0 to 3.0");
        NS_TEST_EXPECT_MSG_EQ_TOL(loads.at("core0:1"), 4, 1e-9, "3.0 to pod 1");
        tree.m_loads->Clear();
        tree.Shift(4, 1, {0, 1.0 / 3, 1.0 / 3, 1.0 / 3}); // core 3.0 is gone
        loads = tree.GetLoads();
        NS_TEST_EXPECT_MSG_EQ_TOL(loads.at("edge0:2"), 2.0 / 3, 1e-9, "1.0 to 2.0");
        NS_TEST_EXPECT_MSG_EQ_TOL(loads.at("edge0:3"), 4.0 / 3, 1e-9, "1.0 to 2.1");
        NS_TEST_EXPECT_MSG_EQ(tree.m_loads->GetNLinks(), 6, "links of a path");
        CheckLinks(tree);
        CheckSurvivors();
        CheckOversubscription();
    }

    /**
     * @brief Ports know their place on a path.
     * @param tree a fat-tree
     */
    void CheckLinks(const LoadedFabric& tree)
    {
        const std::map<std::string, uint32_t> links{{"host-edge", 0},
                                                    {"edge-aggregation", 1},
                                                    {"aggregation-core", 2},
                                                    {"core-aggregation", 3},
                                                    {"aggregation-edge", 4},
                                                    {"edge-host", 5}};
        tree.m_fabric->ForEachPort([&](const FabricPort& port) {
            const FabricPort::Description& description = port.GetDescription();
            NS_TEST_EXPECT_MSG_EQ(tree.m_loads->GetLink(port),
                                  links.at(description.role),
                                  description.name);
        });
    }

    /// @brief n = 6 without one and two of the nine cores: how much each up-link of a rack gets.
    void CheckSurvivors()
    {
        LoadedFabric tree("fat-tree:K=6");
        std::vector<double> shares(9, 1.0 / 8);
        shares[0] = 0;
        tree.Shift(9, 1, shares);
        CheckUpLinks(tree, {0.75, 1.125, 1.125});
        tree.m_loads->Clear();
        shares.assign(9, 1.0 / 7);
        shares[0] = shares[1] = 0;
        tree.Shift(9, 1, shares);
        CheckUpLinks(tree, {3.0 / 7, 9.0 / 7, 9.0 / 7});
        NS_TEST_EXPECT_MSG_EQ_TOL(1 / tree.GetLargest(), 7.0 / 9, 1e-9, "rate that all can have");
    }

    /**
     * @param tree a fat-tree with 6 ports
     * @param expected load of each up-link of each rack
     */
    void CheckUpLinks(const LoadedFabric& tree, const std::vector<double>& expected)
    {
        const auto loads = tree.GetLoads();
        for (uint32_t rack = 0; rack < 18; ++rack)
        {
            for (uint32_t i = 0; i < 3; ++i)
            {
                const std::string port =
                    "edge" + std::to_string(rack) + ":" + std::to_string(3 + i);
                NS_TEST_EXPECT_MSG_EQ_TOL(loads.at(port), expected[i], 1e-9, port);
            }
        }
    }

    /// @brief Twice as many servers at half the rate fill all up-links, and twice theirs do not
    /// fit.
    void CheckOversubscription()
    {
        for (const std::string spec : {"fat-tree:K=4,EdgeOversubscription=2",
                                       "fat-tree:K=8,EdgeOversubscription=2",
                                       "vl2:Oversubscription=2",
                                       "vl2:D0=2,D1=4,D2=4,Oversubscription=2,FabricRate=10Gbps"})
        {
            LoadedFabric network(spec);
            network.Shift(network.m_fabric->GetNHosts() / 2, 0.5, network.GetEvenShares());
            network.m_fabric->ForEachPort([&](const FabricPort& port) {
                const FabricPort::Description& description = port.GetDescription();
                const bool isHost = description.tier == 0 || description.peerTier == 0;
                NS_TEST_EXPECT_MSG_EQ_TOL(network.m_loads->GetLoad(port),
                                          (isHost ? 0.5 : 1),
                                          1e-9,
                                          spec << ", " << description.name);
            });
        }
        const LoadedFabric example("vl2:D0=2,D1=4,D2=4,Oversubscription=2"); // Section 3.3
        NS_TEST_EXPECT_MSG_EQ(example.m_fabric->GetNHosts() / example.m_routes->GetNRacks(),
                              40,
                              "1GbE servers at two 10GbE up-links");
    }
};

/**
 * @ingroup drb-tests
 * @brief Theorem 1: what is feasible at hosts overloads no link when spread evenly.
 */
class FeasibleTrafficTestCase : public TestCase
{
  public:
    /**
     * @param spec a topology with full bisection bandwidth
     * @param matrices number of random matrices
     */
    FeasibleTrafficTestCase(const std::string& spec, uint32_t matrices)
        : TestCase("Theorem 1: random feasible matrices over " + spec),
          m_spec(spec),
          m_matrices(matrices)
    {
    }

  private:
    /// @brief Rates by source and destination, over those of the hosts' links.
    using Matrix = std::vector<std::vector<double>>;

    /**
     * @brief A random matrix of which no row's and no column's sum is above 1.
     * @param hosts number of hosts
     * @param random source of randomness
     * @return the matrix
     */
    static Matrix Draw(uint32_t hosts, UniformRandomVariable& random)
    {
        Matrix matrix(hosts, std::vector<double>(hosts));
        std::vector<double> rows(hosts);
        std::vector<double> columns(hosts);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            for (uint32_t j = 0; j < hosts; ++j)
            {
                const double value = random.GetValue();
                matrix[i][j] = i == j ? 0 : std::pow(value, 8); // few large, many small
                rows[i] += matrix[i][j];
                columns[j] += matrix[i][j];
            }
        }
        const double most =
            std::max(*std::ranges::max_element(rows), *std::ranges::max_element(columns));
        for (auto& row : matrix)
        {
            std::ranges::transform(row, row.begin(), [most](double x) { return x / most; });
        }
        return matrix;
    }

    void DoRun() override
    {
        LoadedFabric network(m_spec);
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        const auto shares = network.GetEvenShares();
        const uint32_t hosts = network.m_fabric->GetNHosts();
        double largest = 0;
        for (uint32_t i = 0; i < m_matrices; ++i)
        {
            const Matrix matrix = Draw(hosts, *random);
            network.m_loads->Clear();
            for (uint32_t source = 0; source < hosts; ++source)
            {
                for (uint32_t destination = 0; destination < hosts; ++destination)
                {
                    network.m_loads->Add(source, destination, matrix[source][destination], shares);
                }
            }
            largest = std::max(largest, network.GetLargest());
            if (i == 0)
            {
                CheckSums(network, matrix);
            }
        }
        NS_TEST_EXPECT_MSG_LT(largest, 1 + 1e-9, m_spec);
        NS_TEST_EXPECT_MSG_GT(largest, 0.99, "some link is used to the full");
    }

    /**
     * @brief Appendix A: a link carries an equal part of what all hosts send (receive) to which it
     * leads up (down).
     * @param network the network, loaded
     * @param matrix the traffic
     */
    void CheckSums(const LoadedFabric& network, const Matrix& matrix)
    {
        const Fabric& fabric = *network.m_fabric;
        std::vector<double> egress(network.m_routes->GetNRacks());
        std::vector<double> ingress(egress.size());
        for (uint32_t i = 0; i < matrix.size(); ++i)
        {
            for (uint32_t j = 0; j < matrix.size(); ++j)
            {
                egress[fabric.GetLocation(i).rack] += matrix[i][j];
                ingress[fabric.GetLocation(j).rack] += matrix[i][j];
            }
        }
        const auto rate = [&](const FabricPort& port) {
            return network.m_loads->GetLoad(port) *
                   static_cast<double>(port.GetDescription().rate.GetBitRate()) /
                   static_cast<double>(
                       fabric.GetHost(0).GetNicPort().GetDescription().rate.GetBitRate());
        };
        for (uint16_t rack = 0; rack < egress.size(); ++rack)
        {
            const FabricSwitch& node = fabric.GetSwitch(network.m_routes->GetRackSwitch(rack));
            const uint32_t upLinks = network.m_routes->GetRadices()[0];
            for (uint32_t i = 0; i < node.GetNPorts(); ++i)
            {
                const FabricPort& port = node.GetPort(i);
                if (port.GetDescription().peerTier < node.GetTier())
                {
                    continue;
                }
                NS_TEST_EXPECT_MSG_EQ_TOL(rate(port), egress[rack] / upLinks, 1e-9, rack);
                const auto& peer = static_cast<const FabricSwitch&>(*port.GetDescription().peer);
                const FabricPort& down = peer.GetPort(port.GetDescription().peerPort);
                NS_TEST_EXPECT_MSG_EQ_TOL(rate(down), ingress[rack] / upLinks, 1e-9, rack);
            }
        }
    }

    std::string m_spec;  //!< the topology
    uint32_t m_matrices; //!< number of random matrices
};

/**
 * @ingroup drb-tests
 * @brief Test suite of loads of links.
 */
class LinkLoadsTestSuite : public TestSuite
{
  public:
    LinkLoadsTestSuite()
        : TestSuite("link-loads", Type::UNIT)
    {
        AddTestCase(new LinkLoadExampleTestCase, Duration::QUICK);
        AddTestCase(new FeasibleTrafficTestCase("fat-tree:K=4", 1000), Duration::QUICK);
        AddTestCase(new FeasibleTrafficTestCase("fat-tree:K=8", 50), Duration::QUICK);
        AddTestCase(new FeasibleTrafficTestCase("fat-tree:K=8", 1000), Duration::EXTENSIVE);
        AddTestCase(new FeasibleTrafficTestCase("vl2:FabricRate=2Gbps", 100), Duration::QUICK);
    }
};

/// @ingroup drb-tests
/// Static variable for test initialization.
static LinkLoadsTestSuite g_linkLoadsTestSuite;
