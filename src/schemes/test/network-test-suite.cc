/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme-test-network.h"

#include "ns3/fabric-stack-helper.h"
#include "ns3/input-error.h"
#include "ns3/ipv4-header.h"
#include "ns3/lean-transport.h"
#include "ns3/object-spec.h"
#include "ns3/scheme.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/tenant-table.h"
#include "ns3/test.h"
#include "ns3/udp-header.h"
#include "ns3/udp-transport.h"
#include "ns3/workload.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
class CuriousTestScheme : public Scheme
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::CuriousTestScheme").SetParent<Scheme>();
        return tid;
    }

    void ConfigureFabric(Network& network) override
    {
        m_vms = network.GetTenants() ? network.GetTenants()->GetNVms() : 0;
        m_hosts = network.GetFabric()->GetNHosts();
        m_hops = network.GetFabric()->GetPath(0, m_hosts - 1).size();
        Scheme::ConfigureFabric(network);
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
 * @brief Callbacks of ports get packets that ns-3's own headers read: TCP that is sent, dropped and
 * sent again.
 */
class PacketsOfCallbacksTestCase : public TestCase
{
  public:
    /// @param transport the transport: with items that carry a packet, or without
    explicit PacketsOfCallbacksTestCase(const std::string& transport)
        : TestCase("packets in callbacks: " + transport),
          m_transport(transport)
    {
    }

  private:
    static constexpr uint32_t FLOW_BYTES = 300'000; //!< of each of two flows
    static constexpr uint8_t TCP = 6;               //!< IP protocol number

    /// @brief A segment, as its headers tell of it.
    struct Segment
    {
        uint16_t source;      //!< port
        uint16_t destination; //!< port
        uint32_t begin;       //!< number of its first byte
        uint32_t length;      //!< bytes of payload
    };

    void DoRun() override
    {
        SchemeTestNetwork network("tcp:EdgeBuffer=20kB", "single-switch:Hosts=3", m_transport);
        const PacketMaker packets = network.m_network->MakePacketMaker();
        std::vector<Segment> sent;
        std::vector<Segment> dropped;
        network.m_fabric->GetHost(0).GetNicPort().AddStage(
            CreateObject<DepartureStage>([&](const FabricItem* item, const FabricPort& /* port */) {
                sent.push_back(Read(packets.MakePacket(*item), *item));
            }));
        auto& disc = network.m_fabric->GetSwitch(0).GetPort(2).GetQueueDisc();
        disc.TraceConnectWithoutContext("ItemDrop",
                                        Callback<void, const FabricItem*, const char*>(
                                            [&](const FabricItem* item, const char* /* reason */) {
                                                const auto segment =
                                                    Read(packets.MakePacket(*item), *item);
                                                if (item->source == 0)
                                                {
                                                    dropped.push_back(segment);
                                                }
                                            }));
        const auto transports = network.m_network->GetTransports();
        const FlowId flow =
            transports->StartFlow({.source = 0, .destination = 2, .bytes = FLOW_BYTES});
        transports->StartFlow({.source = 1, .destination = 2, .bytes = FLOW_BYTES});
        std::optional<std::pair<uint16_t, uint16_t>> ports; // of the source and of the destination
        if (const auto lean = DynamicCast<LeanTransport>(network.m_transport))
        {
            const auto* stream = lean->GetConnection(flow);
            ports = {stream->GetSourcePort(), stream->GetDestinationPort()};
        }
        network.Run(Time(0), Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(network.m_finished, 2, "both arrive");
        NS_TEST_EXPECT_MSG_GT(disc.GetDropCounts().size(), 0, "and were in each other's way");
        CheckPorts(sent, ports.value_or(std::pair(sent[0].source, sent[0].destination)));
        CheckBytes(sent, dropped);
    }

    /// @brief Check what headers say of an item, and @return its segment.
    Segment Read(Ptr<Packet> packet, const FabricItem& item)
    {
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), item.size, "bytes");
        Ipv4Header ip;
        if (m_transport == "lean") // ns-3 writes no checksums, unless asked to
        {
            ip.EnableChecksum();
        }
        packet->RemoveHeader(ip);
        NS_TEST_EXPECT_MSG_EQ(ip.IsChecksumOk(), true, "IPv4 checksum");
        NS_TEST_EXPECT_MSG_EQ(ip.GetSource(), FabricStackHelper::GetAddress(item.source), "source");
        NS_TEST_EXPECT_MSG_EQ(ip.GetDestination(),
                              FabricStackHelper::GetAddress(item.destination),
                              "destination");
        NS_TEST_EXPECT_MSG_EQ(+ip.GetProtocol(), +TCP, "protocol");
        NS_TEST_EXPECT_MSG_EQ(+ip.GetTos(), +item.tos, "ToS");
        NS_TEST_EXPECT_MSG_EQ(ip.GetPayloadSize(), packet->GetSize(), "length");
        TcpHeader tcp;
        packet->RemoveHeader(tcp);
        return {tcp.GetSourcePort(),
                tcp.GetDestinationPort(),
                tcp.GetSequenceNumber().GetValue(),
                packet->GetSize()};
    }

    /// @brief Check the ports of the segments that host 0 sends.
    void CheckPorts(const std::vector<Segment>& sent, std::pair<uint16_t, uint16_t> ports)
    {
        NS_TEST_EXPECT_MSG_NE(ports.first, ports.second, "ports");
        for (const Segment& segment : sent)
        {
            NS_TEST_ASSERT_MSG_EQ(segment.source, ports.first, "of the sender");
            NS_TEST_ASSERT_MSG_EQ(segment.destination, ports.second, "of the receiver");
        }
    }

    /// @brief Check that each byte was sent once, and once more each time that it was dropped.
    void CheckBytes(const std::vector<Segment>& sent, const std::vector<Segment>& dropped)
    {
        std::vector<int> copies(FLOW_BYTES + 1);
        const auto count = [&copies](const std::vector<Segment>& segments, int by) {
            for (const Segment& segment : segments)
            {
                for (uint32_t i = 0; i < segment.length; ++i)
                {
                    copies.at(segment.begin + i) += by;
                }
            }
        };
        count(sent, 1);
        count(dropped, -1);
        NS_TEST_EXPECT_MSG_EQ(dropped.empty(), false, "the other host's are not the only ones");
        NS_TEST_EXPECT_MSG_EQ(copies[0], 0, "the SYN's number has no byte");
        NS_TEST_EXPECT_MSG_EQ(*std::min_element(copies.begin() + 1, copies.end()), 1, "each byte");
    }

    const std::string m_transport; //!< specification of the transport
};

/**
 * @ingroup schemes-tests
 * @brief Callbacks of ports get what schemes put around packets, and UDP.
 */
class SchemePacketsTestCase : public TestCase
{
  public:
    SchemePacketsTestCase()
        : TestCase("packets in callbacks: UDP, and a scheme's outer header")
    {
    }

  private:
    void DoRun() override
    {
        SchemeTestNetwork network("drb", "fat-tree:K=4", "lean;udp");
        const PacketMaker packets = network.m_network->MakePacketMaker();
        std::vector<Ptr<Packet>> seen;
        network.m_fabric->GetHost(0).GetNicPort().AddStage(
            CreateObject<DepartureStage>([&](const FabricItem* item, const FabricPort& /* port */) {
                seen.push_back(packets.MakePacket(*item));
                NS_TEST_EXPECT_MSG_EQ(seen.back()->GetSize(), item->size, "bytes");
            }));
        const FlowId flow = network.m_network->GetTransports()->StartFlow(
            {.source = 0, .destination = 15, .bytes = 3000, .transport = 1});
        network.Run(Time(0), MilliSeconds(10));
        NS_TEST_ASSERT_MSG_EQ(seen.size(), 3, "datagrams");
        uint32_t payload = 0;
        for (const auto& packet : seen)
        {
            Ipv4Header outer;
            packet->RemoveHeader(outer);
            NS_TEST_EXPECT_MSG_EQ(+outer.GetProtocol(), 4, "IP in IP");
            NS_TEST_EXPECT_MSG_EQ(outer.GetDestination().CombineMask("255.240.0.0"),
                                  Ipv4Address("172.16.0.0"),
                                  "leads to a switch");
            Ipv4Header inner;
            packet->RemoveHeader(inner);
            NS_TEST_EXPECT_MSG_EQ(inner.GetSource(), outer.GetSource(), "source");
            NS_TEST_EXPECT_MSG_EQ(inner.GetDestination(),
                                  FabricStackHelper::GetAddress(15),
                                  "destination");
            UdpHeader udp;
            packet->RemoveHeader(udp);
            NS_TEST_EXPECT_MSG_EQ(udp.GetDestinationPort(), 9, "port");
            NS_TEST_EXPECT_MSG_EQ(udp.GetSourcePort() % 16384, flow % 16384, "of the flow");
            payload += packet->GetSize();
        }
        NS_TEST_EXPECT_MSG_EQ(payload, 3000, "payload");
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
        AddTestCase(new PacketsOfCallbacksTestCase("lean"), Duration::QUICK);
        AddTestCase(new PacketsOfCallbacksTestCase("ns3"), Duration::QUICK);
        AddTestCase(new SchemePacketsTestCase, Duration::QUICK);
    }
};

/// @ingroup schemes-tests
/// Static variable for test initialization.
static NetworkTestSuite g_networkTestSuite;
