/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/fabric.h"
#include "ns3/object-spec.h"
#include "ns3/path-census.h"
#include "ns3/test.h"
#include "ns3/topology.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup drb-tests
 * @brief The paper's networks: how many switches, ways and table entries there are.
 */
class PathCensusTestCase : public TestCase
{
  public:
    PathCensusTestCase()
        : TestCase("switches, servers, ways and tables of the paper's networks")
    {
    }

  private:
    /// @brief Numbers to be found.
    struct Expected
    {
        std::vector<uint32_t> nodes; //!< servers, then switches of each tier
        uint32_t ways;               //!< between two racks by way of a switch of the highest layer
        uint32_t ports;              //!< of a point
        uint32_t bound;              //!< of table entries: racks and points
    };

    /**
     * @brief In a fat-tree there are as many links between any two layers as servers.
     * @param fabric a fat-tree
     */
    void CheckLinks(const Fabric& fabric)
    {
        std::vector<uint32_t> links(3); // by the lower end's tier
        for (uint32_t i = 0; i < fabric.GetNLinks(); ++i)
        {
            const FabricPort::Description& end = fabric.GetLink(i)[0]->GetDescription();
            ++links.at(std::min(end.tier, end.peerTier));
        }
        for (const uint32_t count : links)
        {
            NS_TEST_EXPECT_MSG_EQ(count, fabric.GetNHosts(), "links between two layers");
        }
    }

    void DoRun() override
    {
        // Sec. 4.1's example counts n = 48, too: 1152 + 576 = 1728 (experiment drb-sec4-1).
        Check("fat-tree:K=4", {{16, 8, 8, 4}, 1, 4, 12});
        Check("fat-tree:K=6", {{54, 18, 18, 9}, 1, 6, 27});
        Check("fat-tree:K=8", {{128, 32, 32, 16}, 1, 8, 48});
        Check("fat-tree:K=24", {{3456, 288, 288, 144}, 1, 24, 432});
        Check("fat-tree:K=24,Pods=2", {{288, 24, 24, 144}, 1, 2, 168});
        Check("fat-tree:K=4,EdgeOversubscription=2", {{32, 8, 8, 4}, 1, 4, 12});
        Check("fat-tree:K=24,EdgeOversubscription=2", {{6912, 288, 288, 144}, 1, 24, 432});
        Check("vl2", {{80, 4, 4, 2}, 4, 2, 8});
        Check("vl2:D0=4,D1=64,D2=24,FabricRate=5Gbps", {{3840, 192, 24, 32}, 16, 6, 320});
        Check("vl2:D0=3,D1=10,D2=6,HostRate=10Gbps", {{30, 10, 6, 5}, 9, 2, 25});
        Check("leaf-spine:Leaves=3,HostsPerLeaf=2,Spines=4", {{6, 3, 4}, 1, 3, 7});
        CheckSplitPort();
    }

    /**
     * @param spec a topology
     * @param expected numbers to be found
     */
    void Check(const std::string& spec, const Expected& expected)
    {
        const auto fabric = CreateObject<Fabric>();
        CreateFromSpec<Topology>("--topology", spec)->AddTo(*fabric);
        fabric->Build();
        const BouncingRoutes routes(*fabric, "test");
        std::vector<uint32_t> nodes(expected.nodes.size());
        nodes[0] = fabric->GetNHosts();
        uint32_t entries = 0;
        for (uint32_t i = 0; i < fabric->GetNSwitches(); ++i)
        {
            ++nodes.at(fabric->GetSwitch(i).GetTier());
            entries = std::max(entries, routes.GetNEntries(i));
        }
        NS_TEST_EXPECT_MSG_EQ((nodes == expected.nodes), true, spec);
        const PathCensus census(*fabric, routes);
        CheckRange(census.GetWaysPerSwitch(), expected.ways, spec + ", by way of a switch");
        CheckRange(census.GetWaysPerPoint(), 1, spec + ", by way of a point");
        CheckRange(census.GetPortsPerPoint(), expected.ports, spec + ", ports of a point");
        NS_TEST_EXPECT_MSG_EQ(routes.GetNRacks() + routes.GetNPoints(), expected.bound, spec);
        if (expected.nodes == std::vector<uint32_t>{16, 8, 8, 4} ||
            expected.nodes == std::vector<uint32_t>{3456, 288, 288, 144})
        {
            CheckLinks(*fabric);
        }
        if (expected.ways == 1) // a switch is one point, with one table
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(entries, expected.bound, spec);
        }
        fabric->Dispose();
    }

    /// @brief Check a spine with three links to each leaf: nine ways, of which a point has one.
    void CheckSplitPort()
    {
        const auto fabric = CreateObject<Fabric>();
        fabric->SetTierNames({"host", "leaf", "spine"});
        const Fabric::End spine = fabric->AddSwitch(2);
        for (uint32_t i = 0; i < 2; ++i)
        {
            const Fabric::End leaf = fabric->AddSwitch(1);
            fabric->Connect(fabric->AddHost(), leaf, DataRate("1Gbps"), Time(0));
            for (uint32_t link = 0; link < 3; ++link)
            {
                fabric->Connect(leaf, spine, DataRate("1Gbps"), Time(0));
            }
        }
        fabric->Build();
        const BouncingRoutes routes(*fabric, "test");
        const PathCensus census(*fabric, routes);
        CheckRange(census.GetWaysPerSwitch(), 9, "three links up, three down");
        CheckRange(census.GetWaysPerPoint(), 1, "of a virtual spine");
        CheckRange(census.GetPortsPerPoint(), 2, "of a virtual spine");
        fabric->Dispose();
    }

    /**
     * @param range least and most of the numbers counted
     * @param expected everywhere
     * @param what it is
     */
    void CheckRange(PathCensus::Range range, uint32_t expected, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(range.least, expected, "least " << what);
        NS_TEST_EXPECT_MSG_EQ(range.most, expected, "most " << what);
    }
};

/**
 * @ingroup drb-tests
 * @brief Test suite of counting ways.
 */
class PathCensusTestSuite : public TestSuite
{
  public:
    PathCensusTestSuite()
        : TestSuite("path-census", Type::UNIT)
    {
        AddTestCase(new PathCensusTestCase, Duration::QUICK);
    }
};

/// @ingroup drb-tests
/// Static variable for test initialization.
static PathCensusTestSuite g_pathCensusTestSuite;
