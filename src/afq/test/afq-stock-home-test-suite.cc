/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-test.h"

#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"

using namespace ns3;

/**
 * @ingroup afq-tests
 * @brief A discipline as the root queue disc of a device in a stock ns-3 program.
 *
 * Three UDP flows of one host, told apart by their source ports, send 2, 1 and 0.2 times the rate
 * of the link. The third gets what it sends, the other two share the rest.
 */
class AfqStockHomeTestCase : public QueueDiscTestCase
{
  public:
    /**
     * @brief Constructor.
     * @param type TypeId of the discipline
     */
    explicit AfqStockHomeTestCase(const std::string& type)
        : QueueDiscTestCase(type + " as a root queue disc"),
          m_type(type)
    {
    }

  private:
    static constexpr uint32_t MILLISECONDS = 200; //!< of sending

    void Check() override
    {
        NodeContainer nodes(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("1p"));
        NetDeviceContainer devices = link.Install(nodes);
        InternetStackHelper().Install(nodes);
        TrafficControlHelper control;
        control.SetRootQueueDisc(m_type);
        Ptr<QueueDisc> disc = control.Install(devices.Get(0)).Get(0);
        if (m_type == "ns3::IdealFqQueueDisc")
        {
            disc->SetAttribute("LinkRate", StringValue("100Mbps"));
        }
        // Room for the 31 packets that the horizon leaves to each of the two greedy flows: AFQ
        // never evicts, so in less the fastest sender would take what there is.
        disc->SetAttribute("MaxSize", StringValue("128kB"));
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        Ipv4InterfaceContainer interfaces = addresses.Assign(devices);

        auto receiver = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        receiver->SetIpRecvTos(true);
        receiver->SetRecvCallback(MakeCallback(&AfqStockHomeTestCase::Receive, this));
        uint64_t sent = 0;
        const uint32_t gaps[] = {60, 120, 600}; // microseconds; a packet takes 120 on the link
        for (uint32_t flow = 0; flow < 3; ++flow)
        {
            auto sender = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
            sender->Bind(InetSocketAddress(Ipv4Address::GetAny(), 1000 + flow));
            sender->SetIpTos(flow == 1 ? 0x02 : 0x00); // the second is ECN-capable
            sender->Connect(InetSocketAddress(interfaces.GetAddress(1), 9));
            for (uint32_t i = 0; i * gaps[flow] < MILLISECONDS * 1000; ++i, ++sent)
            {
                Simulator::Schedule(MicroSeconds(i * gaps[flow] + 7 * flow),
                                    [sender] { sender->Send(Create<Packet>(1472)); });
            }
        }
        Simulator::Stop(MilliSeconds(MILLISECONDS));
        Simulator::Run();

        const double capacity = MILLISECONDS * 1000 / 120.16; // packets with 2 bytes of PPP
        NS_TEST_EXPECT_MSG_EQ_TOL(m_received[1002] / capacity, 0.2, 0.005, "the modest flow");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_received[1000] / capacity, 0.4, 0.02, "the greedy flow");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_received[1001] / capacity, 0.4, 0.02, "the other one");
        NS_TEST_EXPECT_MSG_EQ((m_marked[1001] > 100), true, "over the threshold: marked");
        NS_TEST_EXPECT_MSG_EQ(m_marked[1000] + m_marked[1002], 0, "not ECN-capable: unchanged");
        const QueueDisc::Stats& stats = disc->GetStats();
        const uint64_t received = m_received[1000] + m_received[1001] + m_received[1002];
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets, sent, "packets that came");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalSentPackets + stats.nTotalDroppedPackets +
                                  disc->GetNPackets(),
                              sent,
                              "each packet left, was dropped, or waits");
        NS_TEST_EXPECT_MSG_LT(stats.nTotalSentPackets - received, 4, "on the way");
        NS_TEST_EXPECT_MSG_GT(stats.nTotalDroppedPackets, 1000, "drops");
        // Marked packets may wait still, or may have been discarded.
        NS_TEST_EXPECT_MSG_GT_OR_EQ(stats.nTotalMarkedPackets, m_marked[1001], "marks");
        m_received.clear();
        m_marked.clear();
    }

    void Receive(Ptr<Socket> socket)
    {
        Address from;
        while (Ptr<Packet> packet = socket->RecvFrom(from))
        {
            const uint16_t port = InetSocketAddress::ConvertFrom(from).GetPort();
            ++m_received[port];
            SocketIpTosTag tos;
            const bool marked = packet->RemovePacketTag(tos) && (tos.GetTos() & 3) == 3;
            m_marked[port] += marked ? 1 : 0;
        }
    }

    std::string m_type;                      //!< TypeId of the discipline
    std::map<uint16_t, uint64_t> m_received; //!< packets by source port
    std::map<uint16_t, uint64_t> m_marked;   //!< those with CE
};

/**
 * @ingroup afq-tests
 * @brief Test suite of the disciplines in stock ns-3 programs.
 */
class AfqStockHomeTestSuite : public TestSuite
{
  public:
    AfqStockHomeTestSuite()
        : TestSuite("afq-stock-home", Type::SYSTEM)
    {
        AddTestCase(new AfqStockHomeTestCase("ns3::AfqQueueDisc"));
        AddTestCase(new AfqStockHomeTestCase("ns3::IdealFqQueueDisc"));
    }
};

/// @brief The suite.
static AfqStockHomeTestSuite g_afqStockHomeTestSuite;
