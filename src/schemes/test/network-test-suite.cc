/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme-test-network.h"

#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/string.h"
#include "ns3/tcp-scheme.h"
#include "ns3/tenant-table.h"
#include "ns3/test.h"
#include "ns3/udp-transport.h"
#include "ns3/workload.h"

#include <map>
#include <set>
#include <string>

using namespace ns3;

/**
 * @ingroup schemes-tests
 * @brief DCTCP beside Cubic beside UDP in one network under packet spray.
 */
class MixedTransportsTestCase : public TestCase
{
  public:
    MixedTransportsTestCase()
        : TestCase("DCTCP, Cubic and UDP side by side, re-sequenced")
    {
    }

  private:
    /// @brief Notes what the receivers' buffers let through late.
    struct Delays
    {
        void Add(Time delay)
        {
            late += delay.IsStrictlyPositive() ? 1 : 0;
            ++all;
        }

        uint64_t all{0};  //!< packets
        uint64_t late{0}; //!< of these: those that waited
    };

    void DoRun() override
    {
        SchemeTestNetwork network("dctcp:Paths=spray,ResequencingTimeout=1ms",
                                  "leaf-spine:Leaves=2,HostsPerLeaf=6,Spines=4",
                                  "lean;cubic=lean:CongestionOps=ns3::TcpCubic;udp:Rate=1Gbps");
        const auto transports = network.m_network->GetTransports();
        NS_TEST_ASSERT_MSG_EQ(transports->GetN(), 3, "transports");
        NS_TEST_EXPECT_MSG_EQ(transports->GetName(1), "cubic", "as named");
        CheckCongestionOps(*transports->Get(0), "ns3::TcpDctcp"); // the scheme's
        CheckCongestionOps(*transports->Get(1), "ns3::TcpCubic"); // the user's
        Delays delays;
        for (uint32_t host = 0; host < network.m_fabric->GetNHosts(); ++host)
        {
            network.m_fabric->GetHost(host).GetEdgeAgents().front()->TraceConnectWithoutContext(
                "Delay",
                MakeCallback(&Delays::Add, &delays));
        }
        std::set<FlowId> flows;
        for (uint32_t host = 0; host < 6; ++host)
        {
            for (uint8_t transport = 0; transport < 3; ++transport)
            {
                flows.insert(transports->StartFlow({.source = host,
                                                    .destination = 6 + (host + transport) % 6,
                                                    .bytes = FLOW_BYTES,
                                                    .transport = transport}));
            }
        }
        network.Run(Time(0), Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(flows.size(), 18, "no number twice");
        NS_TEST_EXPECT_MSG_EQ(network.m_finished, 18, "all flows are over");
        for (const auto& [flow, bytes] : network.m_delivered)
        {
            NS_TEST_EXPECT_MSG_EQ(bytes, FLOW_BYTES, "bytes of flow " << flow);
        }
        NS_TEST_EXPECT_MSG_EQ(network.m_delivered.size(), 18, "each flow delivers");
        const uint64_t packets = 2 * 6 * ((FLOW_BYTES - 1) / 1460 + 1); // of TCP
        NS_TEST_EXPECT_MSG_GT_OR_EQ(delays.all, packets, "buffers saw all of TCP's data");
        NS_TEST_EXPECT_MSG_LT(delays.all, packets * 11 / 10, "and nothing of UDP's");
        NS_TEST_EXPECT_MSG_GT(delays.late, 0, "spray makes packets late");
    }

    void CheckCongestionOps(const Transport& transport, const std::string& expected)
    {
        StringValue name;
        transport.GetAttribute("CongestionOps", name);
        NS_TEST_EXPECT_MSG_EQ(name.Get(), expected, "congestion control");
    }

    static constexpr uint64_t FLOW_BYTES = 300'000; //!< of each flow
};

/**
 * @ingroup schemes-tests
 * @brief A workload's flows go to the transport that it names.
 */
class WorkloadTransportTestCase : public TestCase
{
  public:
    WorkloadTransportTestCase()
        : TestCase("a workload names its transport")
    {
    }

  private:
    void DoRun() override
    {
        SchemeTestNetwork network("dctcp", "single-switch:Hosts=4", "lean;bulk=udp");
        const auto transports = network.m_network->GetTransports();
        const auto workload =
            CreateFromSpec<Workload>("--workload",
                                     "permutation:Bytes=14720,Shift=1,Transport=bulk");
        workload->Start(transports, AllHosts(4));
        network.Run(Time(0), MilliSeconds(10));
        NS_TEST_EXPECT_MSG_EQ(network.m_finished, 4, "flows");
        const auto udp = transports->Get(1)->GetObject<UdpTransport>();
        NS_TEST_EXPECT_MSG_EQ(udp->GetSentPackets(), 40, "all of them over UDP");
        bool refused = false;
        try
        {
            CreateFromSpec<Workload>("--workload", "permutation:Transport=tcp")
                ->Start(transports, AllHosts(4));
        }
        catch (const InputError& error)
        {
            refused = std::string(error.what()).find("lean, bulk") != std::string::npos;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "an unknown one is refused, the known ones named");
    }
};

/**
 * @ingroup schemes-tests
 * @brief The same seed gives the same run, whatever was built before.
 */
class NetworkStreamsTestCase : public TestCase
{
  public:
    NetworkStreamsTestCase()
        : TestCase("fixed streams")
    {
    }

  private:
    static std::map<FlowId, uint64_t> Run()
    {
        SchemeTestNetwork network("tcp:Paths=spray", "leaf-spine:Leaves=2,HostsPerLeaf=4", "");
        for (uint32_t host = 0; host < 8; ++host)
        {
            network.m_network->GetTransports()->StartFlow(
                {.source = host, .destination = (host + 4) % 8});
        }
        network.Run(MicroSeconds(100), MilliSeconds(2));
        return network.m_delivered;
    }

    void DoRun() override
    {
        const auto first = Run();
        NS_TEST_EXPECT_MSG_EQ(first.size(), 8, "all deliver");
        NS_TEST_EXPECT_MSG_EQ((Run() == first), true, "the same again");
    }
};

/**
 * @ingroup schemes-tests
 * @brief A scheme that notes what it knows of the network when it configures the fabric.
 */
class CuriousTestScheme : public TcpScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::CuriousTestScheme").SetParent<TcpScheme>();
        return tid;
    }

    void ConfigureFabric(Network& network) override
    {
        m_vms = network.GetTenants() ? network.GetTenants()->GetNVms() : 0;
        m_hosts = network.GetFabric()->GetNHosts();
        m_hops = network.GetFabric()->GetPath(0, m_hosts - 1).size();
        TcpScheme::ConfigureFabric(network);
    }

    uint32_t m_vms{0};   //!< VMs of all tenants
    uint32_t m_hosts{0}; //!< hosts
    uint64_t m_hops{0};  //!< from the first host to the last
};

/**
 * @ingroup schemes-tests
 * @brief Tenants, hosts and routes are known when a scheme configures the fabric.
 */
class KnownTenantsTestCase : public TestCase
{
  public:
    KnownTenantsTestCase()
        : TestCase("schemes know tenants and routes")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto* tenants :
             {"list:Of={tenant A hosts=0-5 hose=1Gbps}", "random:Tenants=3,Vms=2,Guarantees=1Gbps"})
        {
            const auto scheme = CreateObject<CuriousTestScheme>();
            const auto network = CreateObject<Network>();
            network->SetTopology("leaf-spine:Leaves=2,HostsPerLeaf=4,Spines=2");
            network->SetScheme(scheme);
            network->SetTenants(tenants);
            network->Build();
            NS_TEST_EXPECT_MSG_EQ(scheme->m_vms, 6, "of " << tenants);
            NS_TEST_EXPECT_MSG_EQ(scheme->m_hosts, 8, "hosts");
            NS_TEST_EXPECT_MSG_EQ(scheme->m_hops, 4, "ports from rack to rack");
            network->Dispose();
        }
        const auto network = CreateObject<Network>();
        network->SetTopology("single-switch:Hosts=4");
        network->SetScheme("tcp");
        network->Build();
        NS_TEST_EXPECT_MSG_EQ((network->GetTenants() == nullptr), true, "nobody rents it");
        network->Dispose();
    }
};

/**
 * @ingroup schemes-tests
 * @brief Test suite of networks.
 */
class NetworkTestSuite : public TestSuite
{
  public:
    NetworkTestSuite()
        : TestSuite("network", Type::UNIT)
    {
        AddTestCase(new MixedTransportsTestCase, Duration::QUICK);
        AddTestCase(new WorkloadTransportTestCase, Duration::QUICK);
        AddTestCase(new NetworkStreamsTestCase, Duration::QUICK);
        AddTestCase(new KnownTenantsTestCase, Duration::QUICK);
    }
};

/// @ingroup schemes-tests
/// Static variable for test initialization.
static NetworkTestSuite g_networkTestSuite;
