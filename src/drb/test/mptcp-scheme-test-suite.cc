/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/lean-tcp-header.h"
#include "ns3/mptcp-scheme.h"
#include "ns3/network.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @ingroup drb-tests
 * @brief Notes which packets leave a switch.
 */
class PassingStage : public PortStage
{
  public:
    void Depart(FabricItem* item, const FabricPort& /* port */) override
    {
        // The packets of a subflow in one direction have a hash of their own.
        ++packets[{item->source, item->destination}][item->hash];
    }

    /// @brief Packets by source and destination, then by hash.
    std::map<std::pair<uint32_t, uint32_t>, std::map<uint32_t, uint32_t>> packets;
};

/**
 * @ingroup drb-tests
 * @brief A network under the scheme mptcp.
 */
class MptcpNetwork : public FlowObserver
{
  public:
    /**
     * @param scheme specification of the scheme
     * @param topology specification of the topology
     * @param transport specification of the transport
     */
    MptcpNetwork(const std::string& scheme,
                 const std::string& topology,
                 const std::string& transport)
        : m_network(CreateObject<Network>()),
          m_fabric(m_network->GetFabric())
    {
        m_network->SetTopology(topology);
        m_network->SetScheme(scheme);
        m_network->SetTransports(transport);
        m_network->Build();
        m_network->GetTransports()->AddObserver(this);
        uint32_t highest = 0;
        for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
        {
            highest = std::max(highest, m_fabric->GetSwitch(i).GetTier());
        }
        for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
        {
            FabricSwitch& node = m_fabric->GetSwitch(i);
            if (node.GetTier() < highest)
            {
                continue;
            }
            m_stages.push_back(CreateObject<PassingStage>());
            for (uint16_t port = 0; port < node.GetNPorts(); ++port)
            {
                node.GetPort(port).AddStage(m_stages.back());
            }
        }
    }

    ~MptcpNetwork() override
    {
        m_network->Dispose();
        Simulator::Destroy();
    }

    /**
     * @brief Send.
     * @param source sending host
     * @param destination receiving host
     * @param bytes payload
     */
    void Send(uint32_t source, uint32_t destination, uint64_t bytes)
    {
        FlowRequest request;
        request.source = source;
        request.destination = destination;
        request.bytes = bytes;
        m_network->GetTransports()->StartFlow(request);
    }

    /**
     * @brief Run.
     * @param until end of the simulation
     */
    static void Run(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    /**
     * @brief Switches of the highest layer by what passed them.
     * @param source sending host
     * @param destination receiving host
     * @return by hash, that is by subflow: switches
     */
    std::map<uint32_t, std::set<uint32_t>> GetSwitches(uint32_t source, uint32_t destination) const
    {
        std::map<uint32_t, std::set<uint32_t>> switches;
        for (uint32_t i = 0; i < m_stages.size(); ++i)
        {
            const auto passed = m_stages[i]->packets.find({source, destination});
            if (passed != m_stages[i]->packets.end())
            {
                for (const auto& [hash, count] : passed->second)
                {
                    switches[hash].insert(i);
                }
            }
        }
        return switches;
    }

    void FlowDelivered(const FlowRecord& /* record */, uint32_t bytes) override
    {
        delivered += bytes;
    }

    void FlowFinished(const FlowRecord& /* record */) override
    {
        ++finished;
    }

    Ptr<Network> m_network; //!< all of it
    Ptr<Fabric> m_fabric;   //!< its fabric
    uint64_t delivered{0};  //!< bytes
    uint32_t finished{0};   //!< flows

  private:
    std::vector<Ptr<PassingStage>> m_stages; //!< at switches of the highest layer
};

/**
 * @ingroup drb-tests
 * @brief Each subflow keeps to one switch of the highest layer, another one than the others while
 * there are any.
 */
class MptcpPathsTestCase : public TestCase
{
  public:
    MptcpPathsTestCase()
        : TestCase("subflows on paths of their own")
    {
    }

  private:
    /**
     * @param topology specification
     * @param last the destination, in another rack
     * @param subflows their number
     * @param used switches that they use
     */
    void Check(const std::string& topology, uint32_t last, uint32_t subflows, uint32_t used)
    {
        MptcpNetwork network("mptcp", topology, "mptcp:Subflows=" + std::to_string(subflows));
        network.Send(0, last, 3'000'000);
        MptcpNetwork::Run(Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(network.finished, 1, topology << ": over");
        NS_TEST_EXPECT_MSG_EQ(network.delivered, 3'000'000, topology << ": all of it");
        std::vector<std::multiset<uint32_t>> chosen;
        for (const auto& [from, to] : {std::pair{0U, last}, std::pair{last, 0U}})
        {
            const auto switches = network.GetSwitches(from, to);
            NS_TEST_EXPECT_MSG_EQ(switches.size(), subflows, topology << ": 5-tuples");
            chosen.emplace_back();
            for (const auto& [hash, set] : switches)
            {
                NS_TEST_EXPECT_MSG_EQ(set.size(), 1, topology << ": keeps to one");
                chosen.back().insert(*set.begin());
            }
            const std::set<uint32_t> different(chosen.back().begin(), chosen.back().end());
            NS_TEST_EXPECT_MSG_EQ(different.size(), used, topology << ": different ones");
        }
        NS_TEST_EXPECT_MSG_EQ((chosen[0] == chosen[1]), true, "back the same way");
    }

    void DoRun() override
    {
        Check("fat-tree:K=4", 15, 3, 3);
        Check("fat-tree:K=4", 15, 4, 4);
        Check("fat-tree:K=4", 15, 8, 4); // twice round
        Check("fat-tree:K=4", 2, 4, 4);  // another rack of the pod: by the cores, too
        Check("fat-tree:K=8", 127, 16, 16);
        Check("leaf-spine:Leaves=2,Spines=3,HostsPerLeaf=2", 3, 3, 3);
    }
};

/**
 * @ingroup drb-tests
 * @brief Flows draw different sets of paths, each switch as likely as any.
 */
class MptcpDrawTestCase : public TestCase
{
  public:
    MptcpDrawTestCase()
        : TestCase("paths are drawn at random for each flow")
    {
    }

  private:
    /**
     * @return flows by the switch that a single subflow uses
     */
    static std::map<uint32_t, uint32_t> Draw()
    {
        MptcpNetwork network("mptcp", "fat-tree:K=4", "mptcp:Subflows=1,Handshake=false");
        std::map<uint32_t, uint32_t> drawn;
        for (uint32_t i = 0; i < 400; ++i)
        {
            network.Send(0, 15, 1000);
        }
        MptcpNetwork::Run(Seconds(1));
        for (const auto& [hash, set] : network.GetSwitches(0, 15))
        {
            ++drawn[*set.begin()];
        }
        return drawn;
    }

    void DoRun() override
    {
        const auto drawn = Draw();
        NS_TEST_EXPECT_MSG_EQ(drawn.size(), 4, "all switches");
        for (const auto& [index, count] : drawn)
        {
            // 4 standard deviations of 400 draws with probability 1/4 are 35.
            NS_TEST_EXPECT_MSG_EQ_TOL(count, 100, 35, "switch " << index);
        }
        NS_TEST_EXPECT_MSG_EQ((drawn == Draw()), true, "the same seed, the same draws");
    }
};

/**
 * @ingroup drb-tests
 * @brief Routing decides if there are no paths to choose, and after a failure.
 */
class MptcpFallbackTestCase : public TestCase
{
  public:
    MptcpFallbackTestCase()
        : TestCase("no paths to choose; links that fail")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* topology : {"single-switch:Hosts=4", "dumbbell:Left=2,Right=2"})
        {
            MptcpNetwork network("mptcp", topology, "");
            network.Send(0, 3, 1'000'000);
            MptcpNetwork::Run(Seconds(1));
            NS_TEST_EXPECT_MSG_EQ(network.finished, 1, topology);
        }
        {
            MptcpNetwork network("mptcp", "fat-tree:K=4", "");
            network.Send(0, 1, 1'000'000); // within a rack
            MptcpNetwork::Run(Seconds(1));
            NS_TEST_EXPECT_MSG_EQ(network.finished, 1, "within a rack");
            NS_TEST_EXPECT_MSG_EQ(network.GetSwitches(0, 1).size(), 0, "not by the cores");
        }
        {
            MptcpNetwork network("mptcp:SubflowPaths=Ecmp", "fat-tree:K=4", "mptcp:Subflows=32");
            network.Send(0, 15, 3'000'000);
            MptcpNetwork::Run(Seconds(1));
            NS_TEST_EXPECT_MSG_EQ(network.finished, 1, "by 5-tuple");
            NS_TEST_EXPECT_MSG_EQ(network.GetSwitches(0, 15).size(), 32, "subflows");
        }
        // A link fails before and during a flow.
        for (const Time& at : {Time(0), MicroSeconds(300)})
        {
            MptcpNetwork network("mptcp", "fat-tree:K=4", "mptcp:Subflows=4");
            uint32_t failed = 0;
            while (network.m_fabric->GetLink(failed)[0]->GetDescription().peerTier < 2)
            {
                ++failed; // the first between switches
            }
            Simulator::Schedule(at,
                                [&network, failed] { network.m_fabric->SetLinkUp(failed, false); });
            Simulator::Schedule(MicroSeconds(1), [&network] {
                for (uint32_t host = 0; host < 8; ++host)
                {
                    network.Send(host, 15 - host, 2'000'000);
                }
            });
            MptcpNetwork::Run(Seconds(5));
            NS_TEST_EXPECT_MSG_EQ(network.finished, 8, "a link fails at " << at.As(Time::US));
            NS_TEST_EXPECT_MSG_EQ(network.delivered, 16'000'000, "all of it");
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief Input that cannot be used is refused in one line.
 */
class MptcpSchemeInputTestCase : public TestCase
{
  public:
    MptcpSchemeInputTestCase()
        : TestCase("bad input")
    {
    }

  private:
    void Check(const std::string& scheme, const std::string& transport, const std::string& part)
    {
        std::string message;
        try
        {
            MptcpNetwork(scheme, "fat-tree:K=4", transport);
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ((message.find(part) != std::string::npos), true, message);
    }

    void DoRun() override
    {
        Check("mptcp", "lean", "mptcp");
        Check("mptcp", "ns3", "mptcp");
        Check("mptcp", "mptcp:Subflows=0", "Subflows");
        Check("mptcp:SubflowPaths=some", "", "Distinct");
    }
};

/**
 * @ingroup drb-tests
 * @brief Tests of the scheme mptcp.
 */
class MptcpSchemeTestSuite : public TestSuite
{
  public:
    MptcpSchemeTestSuite()
        : TestSuite("mptcp-scheme", Type::UNIT)
    {
        AddTestCase(new MptcpPathsTestCase());
        AddTestCase(new MptcpDrawTestCase());
        AddTestCase(new MptcpFallbackTestCase());
        AddTestCase(new MptcpSchemeInputTestCase());
    }
};

MptcpSchemeTestSuite g_mptcpSchemeTestSuite; //!< the suite

} // namespace
