/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/metered-queue-disc.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <array>

using namespace ns3;

/**
 * @ingroup nimble-tests
 * @brief Nimble's meters as the root queue disc of a device in a stock ns-3 program: of two UDP
 * senders the one with a DSCP is limited.
 */
class NimbleStockHomeTestCase : public TestCase
{
  public:
    /// @param meter specification of a meter without its rate
    explicit NimbleStockHomeTestCase(const std::string& meter)
        : TestCase("a stock program with " + meter),
          m_meter(meter)
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("1p"));
        NetDeviceContainer devices = link.Install(nodes);
        InternetStackHelper().Install(nodes);
        TrafficControlHelper helper;
        helper.SetRootQueueDisc("ns3::MeteredQueueDisc",
                                "Meters",
                                StringValue(m_meter + "Rate=20Mbps,YellowBurst=3000,RedBurst=9000"),
                                "Classifier",
                                StringValue("table:Key=Dscp,Map=\"46=1,*=0\""));
        const auto disc = DynamicCast<MeteredQueueDisc>(helper.Install(devices.Get(0)).Get(0));
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        Ipv4InterfaceContainer interfaces = addresses.Assign(devices);
        auto receiver = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        receiver->SetIpRecvTos(true);
        receiver->SetRecvCallback(MakeCallback(&NimbleStockHomeTestCase::Receive, this));
        constexpr uint32_t COUNT = 1000;
        for (const uint8_t tos : {0x02, 46 << 2 | 0x02}) // ECN-capable; 46 is the DSCP of EF
        {
            auto sender = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
            sender->SetIpTos(tos);
            sender->Connect(InetSocketAddress(interfaces.GetAddress(1), 9));
            for (uint32_t i = 0; i < COUNT; ++i) // 30 Mbit/s each
            {
                Simulator::Schedule(MicroSeconds(400 * i),
                                    [sender] { sender->Send(Create<Packet>(1472)); });
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_received[0], COUNT, "what has no class is not limited");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(m_received[1]),
                                  COUNT * 2 / 3,
                                  7,
                                  "20 of 30 Mbit/s");
        NS_TEST_EXPECT_MSG_GT(m_marked, 0, "yellow packets are marked");
        const auto& packets = disc->GetColourCounts().packets;
        NS_TEST_EXPECT_MSG_EQ(packets[0] + packets[1], m_received[1], "green and yellow");
        NS_TEST_EXPECT_MSG_EQ(disc->GetStats().nTotalDroppedPacketsBeforeEnqueue,
                              packets[2],
                              "ns-3's own statistics count red ones as dropped");
        Simulator::Destroy();
    }

    /// @brief Packets arrive.
    void Receive(Ptr<Socket> socket)
    {
        while (Ptr<Packet> packet = socket->Recv())
        {
            SocketIpTosTag tag;
            packet->RemovePacketTag(tag);
            const bool limited = tag.GetTos() >> 2 == 46;
            ++m_received[limited];
            m_marked += limited && (tag.GetTos() & 3) == 3;
        }
    }

    std::string m_meter;                  //!< specification
    std::array<uint32_t, 2> m_received{}; //!< packets without and with the DSCP
    uint32_t m_marked{0};                 //!< of the latter
};

/**
 * @ingroup nimble-tests
 * @brief TCP of ns-3's own sockets behind a meter, in a class by a packet filter: it is held to its
 * rate by marks, without a drop.
 */
class NimbleStockTcpTestCase : public TestCase
{
  public:
    /// @param congestionControl TypeId
    explicit NimbleStockTcpTestCase(const std::string& congestionControl)
        : TestCase("a stock program with " + congestionControl),
          m_congestionControl(congestionControl)
    {
    }

  private:
    void DoRun() override
    {
        Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue(m_congestionControl));
        Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
        Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
        // Or windows of one packet wait for ns-3's delayed acknowledgments.
        Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
        NodeContainer nodes(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetChannelAttribute("Delay", StringValue("1ms"));
        link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("1p"));
        NetDeviceContainer devices = link.Install(nodes);
        InternetStackHelper().Install(nodes);
        TrafficControlHelper helper;
        const uint16_t handle = helper.SetRootQueueDisc("ns3::MeteredQueueDisc",
                                                        "Meters",
                                                        StringValue("logical:Rate=20Mbps"));
        helper.AddPacketFilter(handle,
                               "ns3::Ipv4HeaderFilter",
                               "DestinationPort",
                               UintegerValue(PORT));
        const auto disc = DynamicCast<MeteredQueueDisc>(helper.Install(devices.Get(0)).Get(0));
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        const Ipv4Address receiver = addresses.Assign(devices).GetAddress(1);

        const std::string factory = "ns3::TcpSocketFactory";
        const InetSocketAddress to(receiver, PORT);
        BulkSendHelper(factory, to).Install(nodes.Get(0)).Start(Time(0));
        const auto sink = DynamicCast<PacketSink>(
            PacketSinkHelper(factory, InetSocketAddress(Ipv4Address::GetAny(), PORT))
                .Install(nodes.Get(1))
                .Get(0));
        uint64_t before = 0;
        Simulator::Schedule(Seconds(1), [&before, sink] { before = sink->GetTotalRx(); });
        Simulator::Stop(Seconds(3));
        Simulator::Run();

        const double mbps = 8e-6 * static_cast<double>(sink->GetTotalRx() - before) / 2;
        NS_TEST_EXPECT_MSG_EQ_TOL(mbps, 20.0 * 1448 / 1500, 1, "its rate, without headers");
        NS_TEST_EXPECT_MSG_GT(disc->GetStats().nTotalMarkedPackets, 0, "marks");
        NS_TEST_EXPECT_MSG_EQ(disc->GetStats().nTotalDroppedPackets, 0, "drops");
        Simulator::Destroy();
        Config::Reset();
    }

    static constexpr uint16_t PORT = 5001; //!< port at which TCP arrives
    std::string m_congestionControl;       //!< TypeId
};

/**
 * @ingroup nimble-tests
 * @brief Nimble's meters in stock ns-3 programs.
 */
class NimbleStockHomeTestSuite : public TestSuite
{
  public:
    NimbleStockHomeTestSuite()
        : TestSuite("nimble-stock-home", Type::SYSTEM)
    {
        AddTestCase(new NimbleStockHomeTestCase("native:"), Duration::QUICK);
        AddTestCase(new NimbleStockHomeTestCase("logical:SignificantBits=8,"), Duration::QUICK);
        AddTestCase(new NimbleStockTcpTestCase("ns3::TcpDctcp"), Duration::QUICK);
        AddTestCase(new NimbleStockTcpTestCase("ns3::TcpCubic"), Duration::QUICK);
    }
};

static NimbleStockHomeTestSuite g_nimbleStockHomeTestSuite; //!< registers itself
