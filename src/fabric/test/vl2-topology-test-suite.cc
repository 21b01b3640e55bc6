/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-network.h"

#include "ns3/input-error.h"
#include "ns3/test.h"

#include <map>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief Numbers of switches and servers, and where server 79 of DRB's Fig. 1(b) is.
 */
class Vl2CountTestCase : public TestCase
{
  public:
    Vl2CountTestCase()
        : TestCase("VL2: spines, aggregations, racks, servers")
    {
    }

  private:
    void DoRun() override
    {
        Check("vl2", {2, 4, 4, 80});
        Check("vl2:D0=2,D1=4,D2=4,HostRate=1Gbps,FabricRate=10Gbps", {2, 4, 4, 80});
        Check("vl2:D0=4,D1=64,D2=24,FabricRate=5Gbps", {32, 24, 192, 3840});
        Check("vl2:D0=4,D1=64,D2=24,FabricRate=10Gbps", {32, 24, 192, 7680});
        Check("vl2:D0=4,D1=64,D2=24,FabricRate=5Gbps,Oversubscription=2", {32, 24, 192, 7680});
        Check("vl2:D0=4,D1=64,D2=24,FabricRate=5Gbps,Groups=2", {32, 8, 64, 1280});
        Check("vl2:Oversubscription=0.5", {2, 4, 4, 40});

        TestNetwork network("vl2");
        network.Build();
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetLocation(79).rack, 3, "server 79 is under 1.3");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetLocation(79).slot, 19, "the last one there");
    }

    /// @brief Numbers of a topology.
    struct Numbers
    {
        uint32_t spines;       //!< spine switches
        uint32_t aggregations; //!< aggregation switches
        uint32_t racks;        //!< rack switches
        uint32_t hosts;        //!< servers
    };

    /**
     * @param spec the topology
     * @param expected its numbers
     */
    void Check(const std::string& spec, const Numbers& expected)
    {
        TestNetwork network(spec);
        network.Build();
        const Fabric& fabric = *network.fabric;
        std::map<uint32_t, uint32_t> switches; // by tier
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            ++switches[fabric.GetSwitch(i).GetTier()];
        }
        NS_TEST_EXPECT_MSG_EQ(switches[1], expected.racks, spec);
        NS_TEST_EXPECT_MSG_EQ(switches[2], expected.aggregations, spec);
        NS_TEST_EXPECT_MSG_EQ(switches[3], expected.spines, spec);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetNHosts(), expected.hosts, spec);
        const std::string summary = CreateFromSpec<Topology>("topology", spec)->GetSummary();
        NS_TEST_EXPECT_MSG_EQ(summary.find('\n'), std::string::npos, "one line");
        NS_TEST_EXPECT_MSG_NE(summary.find(" hosts at "), std::string::npos, summary);
    }
};

/**
 * @ingroup fabric-tests
 * @brief Every aggregation switch has one link to every spine, at the port that the paper says.
 */
class Vl2WiringTestCase : public TestCase
{
  public:
    Vl2WiringTestCase()
        : TestCase("VL2: degrees and ports")
    {
    }

  private:
    void DoRun() override
    {
        Check("vl2", 2, 2);
        Check("vl2:D0=4,D1=16,D2=12,FabricRate=5Gbps", 4, 8);
    }

    /**
     * @param spec the topology
     * @param d0 up-links of a rack
     * @param half up-links of an aggregation switch: number of spines
     */
    void Check(const std::string& spec, uint32_t d0, uint32_t half)
    {
        TestNetwork network(spec);
        network.Build();
        std::map<uint32_t, std::vector<std::string>> names; // by tier, in order
        for (uint32_t i = 0; i < network.fabric->GetNSwitches(); ++i)
        {
            const FabricSwitch& s = network.fabric->GetSwitch(i);
            std::vector<std::string>& peers = names[s.GetTier()];
            const auto place = static_cast<uint32_t>(peers.size());
            peers.push_back(s.GetName());
            const auto peer = [&s](uint32_t port) {
                return static_cast<const FabricSwitch*>(s.GetPort(port).GetDescription().peer)
                    ->GetName();
            };
            for (uint32_t k = 0; s.GetTier() == 2 && k < half; ++k)
            {
                NS_TEST_EXPECT_MSG_EQ(peer(half + k), "spine" + std::to_string(k), s.GetName());
                const uint32_t back = s.GetPort(half + k).GetDescription().peerPort;
                NS_TEST_EXPECT_MSG_EQ(back, place, s.GetName() << " is at port " << back);
            }
            for (uint32_t a = 0; s.GetTier() == 1 && a < d0; ++a)
            {
                const uint32_t group = place / half;
                NS_TEST_EXPECT_MSG_EQ(peer(s.GetNPorts() - d0 + a),
                                      "aggregation" + std::to_string(group * d0 + a),
                                      s.GetName());
            }
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief A packet takes as long as arithmetic says.
 */
class Vl2DelayTestCase : public TestCase
{
  public:
    Vl2DelayTestCase()
        : TestCase("VL2: 1500 B from group to group")
    {
    }

  private:
    void DoRun() override
    {
        // 41.6 us from the first switch's last bit in to the last switch's last bit out; 17 us more
        // from the first bit at the source to the first switch, and 5 us to the destination.
        TestNetwork network("vl2:D0=4,D1=8,D2=8,FabricRate=5Gbps");
        network.Build();
        network.Send(0, network.fabric->GetNHosts() - 1, 1500);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.recorder.arrivals.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals[0].arrived, 41600 + 17000 + 5000, "ns");
        NS_TEST_EXPECT_MSG_EQ(+network.recorder.arrivals[0].hops, 5, "switches");
    }
};

/**
 * @ingroup fabric-tests
 * @brief A topology that cannot be wired is refused by name.
 */
class Vl2ErrorTestCase : public TestCase
{
  public:
    Vl2ErrorTestCase()
        : TestCase("VL2: bad input")
    {
    }

  private:
    void DoRun() override
    {
        Refuses("vl2:D1=5", "vl2:D1 = '5'");
        Refuses("vl2:D0=3,D2=4", "vl2:D2 = '4'");
        Refuses("vl2:Groups=3", "vl2:Groups = '3'");
        Refuses("vl2:HostRate=3Gbps", "vl2:Oversubscription = '1'");
        Refuses("vl2:HostRate=0bps", "vl2:HostRate");
        Refuses("vl2:FabricRate=0bps", "vl2:FabricRate");
        Refuses("vl2:D0=0", "D0");
    }

    /**
     * @param spec a topology
     * @param words texts that the error must contain
     */
    void Refuses(const std::string& spec, const std::string& words)
    {
        std::string text = "accepted";
        try
        {
            CreateFromSpec<Topology>("--topology", spec)->AddTo(*CreateObject<Fabric>());
        }
        catch (const InputError& error)
        {
            text = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(text.find(words), std::string::npos, spec << ": " << text);
        NS_TEST_EXPECT_MSG_EQ(text.find('\n'), std::string::npos, "one line: " << text);
    }
};

/**
 * @ingroup fabric-tests
 * @brief Test suite of the VL2 topology.
 */
class Vl2TopologyTestSuite : public TestSuite
{
  public:
    Vl2TopologyTestSuite()
        : TestSuite("vl2-topology", Type::UNIT)
    {
        AddTestCase(new Vl2CountTestCase, Duration::QUICK);
        AddTestCase(new Vl2WiringTestCase, Duration::QUICK);
        AddTestCase(new Vl2DelayTestCase, Duration::QUICK);
        AddTestCase(new Vl2ErrorTestCase, Duration::QUICK);
    }
};

/// @ingroup fabric-tests
/// Static variable for test initialization.
static Vl2TopologyTestSuite g_vl2TopologyTestSuite;
