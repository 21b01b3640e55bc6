/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/fabric-stack-helper.h"
#include "ns3/fabric.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/ping-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <set>

using namespace ns3;

/**
 * @ingroup fabric
 * @defgroup fabric-tests Tests of the fabric
 */

namespace
{

constexpr uint16_t IPV4_PROTOCOL = 0x0800; //!< protocol number of IPv4

/**
 * @brief Two leaves with a host each, two spines; 10 Gb/s to hosts, 40 Gb/s between switches, 860
 * ns per link: the network of AFQ section 6.2.1 in small.
 * @return the fabric, not built
 */
Ptr<Fabric>
CreateLeafSpine()
{
    auto fabric = CreateObject<Fabric>();
    fabric->SetTierNames({"host", "leaf", "spine"});
    const Time delay = NanoSeconds(860);
    const Fabric::End leaves[] = {fabric->AddSwitch(1), fabric->AddSwitch(1)};
    for (const auto& leaf : leaves)
    {
        fabric->Connect(fabric->AddHost(), leaf, DataRate("10Gbps"), delay);
    }
    for (int spine = 0; spine < 2; ++spine)
    {
        const Fabric::End end = fabric->AddSwitch(2);
        for (const auto& leaf : leaves)
        {
            fabric->Connect(leaf, end, DataRate("40Gbps"), delay);
        }
    }
    return fabric;
}

/// @brief Marks every ECN-capable item.
struct Marker : public PortStage
{
    void Depart(FabricItem* item, const FabricPort& /* port */) override
    {
        ++seen;
        if (item->GetEcn() != FabricItem::NOT_ECT)
        {
            item->SetEcn(FabricItem::CE);
        }
    }

    uint32_t seen{0}; //!< items that passed
};

/// @brief Notes what the fields of items are.
struct Notes : public PortStage
{
    void Depart(FabricItem* item, const FabricPort& /* port */) override
    {
        hashes.push_back(item->hash);
        priorities.push_back(item->priority);
        sizes.push_back(item->size);
    }

    std::vector<uint32_t> hashes;    //!< FabricItem::hash
    std::vector<uint8_t> priorities; //!< FabricItem::priority
    std::vector<uint16_t> sizes;     //!< FabricItem::size
};

/**
 * @brief Make a UDP socket.
 * @param node its node
 * @return a bound socket
 */
Ptr<Socket>
CreateUdpSocket(Ptr<Node> node)
{
    auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    socket->Bind();
    return socket;
}

} // namespace

/**
 * @ingroup fabric-tests
 * @brief The round trip of ns-3's ping is the sum of transmission and propagation times, whether
 * the stack is installed before or after the fabric is built.
 */
class FabricPingTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param built true if the fabric is built before the stack is installed
     */
    explicit FabricPingTestCase(bool built)
        : TestCase(built ? "ping over a fabric built before, among other nodes"
                         : "ping over a fabric built after"),
          m_built(built)
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        NodeContainer others;
        others.Create(3); // so that numbers of hosts are not those of nodes
        auto fabric = CreateLeafSpine();
        FabricStackHelper stack;
        if (m_built)
        {
            fabric->Build();
            stack.Install(fabric);
        }
        else
        {
            stack.Install(fabric);
            fabric->Build();
        }
        PingHelper ping(stack.GetAddress(1));
        ping.SetAttribute("Size", UintegerValue(1472)); // and 28 bytes of headers
        ping.SetAttribute("VerboseMode", StringValue("Silent"));
        auto apps = ping.Install(stack.GetNode(0));
        apps.Stop(Seconds(2.5)); // with a Count, ns-3's ping waits for the last answer 0 ms
        std::vector<Time> rtts;
        apps.Get(0)->TraceConnectWithoutContext(
            "Rtt",
            Callback<void, uint16_t, Time>([&](uint16_t, Time rtt) { rtts.push_back(rtt); }));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(rtts.size(), 3, "every ping is answered");
        for (const Time& rtt : rtts)
        {
            // Each way: 1500 B at 10, 40, 40, 10 Gb/s and four times 860 ns.
            NS_TEST_EXPECT_MSG_EQ(rtt, NanoSeconds(2 * (1200 + 300 + 300 + 1200 + 4 * 860)), "RTT");
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
    }

    bool m_built; //!< true if the fabric is built before the stack is installed
};

/**
 * @ingroup fabric-tests
 * @brief Stock applications: bytes sent are bytes received, over TCP and over UDP.
 */
class FabricApplicationsTestCase : public TestCase
{
  public:
    FabricApplicationsTestCase()
        : TestCase("BulkSend and OnOff to PacketSinks")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        auto fabric = CreateLeafSpine();
        FabricStackHelper stack;
        stack.Install(fabric);
        fabric->Build();

        const InetSocketAddress tcpPort(stack.GetAddress(1), 5001);
        BulkSendHelper bulk("ns3::TcpSocketFactory", tcpPort);
        bulk.SetAttribute("MaxBytes", UintegerValue(1000000));
        bulk.Install(stack.GetNode(0));
        const auto tcpSink = PacketSinkHelper("ns3::TcpSocketFactory", tcpPort)
                                 .Install(stack.GetNode(1))
                                 .Get(0)
                                 ->GetObject<PacketSink>();

        const InetSocketAddress udpPort(stack.GetAddress(0), 5002);
        OnOffHelper onOff("ns3::UdpSocketFactory", udpPort);
        onOff.SetConstantRate(DataRate("1Gbps"), 1472);
        onOff.SetAttribute("MaxBytes", UintegerValue(1472 * 500));
        onOff.Install(stack.GetNode(1));
        const auto udpSink = PacketSinkHelper("ns3::UdpSocketFactory", udpPort)
                                 .Install(stack.GetNode(0))
                                 .Get(0)
                                 ->GetObject<PacketSink>();

        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tcpSink->GetTotalRx(), 1000000, "TCP bytes");
        NS_TEST_EXPECT_MSG_EQ(udpSink->GetTotalRx(), 1472 * 500, "UDP bytes");
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
        Simulator::Destroy();
    }
};

/**
 * @ingroup fabric-tests
 * @brief A packet that cannot be sent is refused, counted by reason, and traced.
 */
class FabricDeviceDropsTestCase : public TestCase
{
  public:
    FabricDeviceDropsTestCase()
        : TestCase("packets that cannot be sent, and link state")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        auto fabric = CreateLeafSpine();
        FabricStackHelper stack;
        stack.Install(fabric);
        fabric->Build();
        const auto device = stack.GetDevice(0);
        uint32_t traced = 0;
        device->TraceConnectWithoutContext(
            "MacTxDrop",
            Callback<void, Ptr<const Packet>>([&](Ptr<const Packet>) { ++traced; }));
        const auto send = [&](uint32_t size, Ipv4Address to, uint16_t protocol) {
            auto packet = Create<Packet>(size);
            Ipv4Header header;
            header.SetSource(stack.GetAddress(0));
            header.SetDestination(to);
            header.SetPayloadSize(size);
            packet->AddHeader(header);
            return device->Send(packet, device->GetBroadcast(), protocol);
        };
        const auto& drops = device->GetSendDrops();
        NS_TEST_EXPECT_MSG_EQ(send(100, stack.GetAddress(1), IPV4_PROTOCOL), true, "sent");
        NS_TEST_EXPECT_MSG_EQ(send(1480, stack.GetAddress(1), IPV4_PROTOCOL), true, "just fits");
        NS_TEST_EXPECT_MSG_EQ(traced, 0, "no drop");
        NS_TEST_EXPECT_MSG_EQ(send(100, stack.GetAddress(1), 0x86dd), false, "IPv6");
        NS_TEST_EXPECT_MSG_EQ(drops.notIpv4, 1, "not IPv4");
        NS_TEST_EXPECT_MSG_EQ(
            device->Send(Create<Packet>(10), device->GetBroadcast(), IPV4_PROTOCOL),
            false,
            "no whole header");
        NS_TEST_EXPECT_MSG_EQ(drops.notIpv4, 2, "no whole header");
        NS_TEST_EXPECT_MSG_EQ(send(100, stack.GetAddress(2), IPV4_PROTOCOL), false, "no such host");
        NS_TEST_EXPECT_MSG_EQ(send(100, Ipv4Address("9.0.0.1"), IPV4_PROTOCOL),
                              false,
                              "another network");
        NS_TEST_EXPECT_MSG_EQ(send(100, stack.GetAddress(0), IPV4_PROTOCOL),
                              false,
                              "the host itself");
        NS_TEST_EXPECT_MSG_EQ(drops.unknownDestination, 3, "unknown destinations");
        NS_TEST_EXPECT_MSG_EQ(send(1481, stack.GetAddress(1), IPV4_PROTOCOL), false, "too large");
        NS_TEST_EXPECT_MSG_EQ(drops.tooLarge, 1, "too large");
        NS_TEST_EXPECT_MSG_EQ(traced, 6, "every drop is traced");
        NS_TEST_EXPECT_MSG_EQ(device->SetMtu(67), false, "below IPv4's least MTU");
        NS_TEST_EXPECT_MSG_EQ(device->GetMtu(), 1500, "unchanged");

        uint32_t changes = 0;
        device->AddLinkChangeCallback(Callback<void>([&] { ++changes; }));
        NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), true, "up");
        const uint32_t link = fabric->GetHost(0).GetNicPort().GetDescription().link;
        fabric->SetLinkUp(link, false);
        fabric->SetLinkUp(link, false); // again: no change
        NS_TEST_EXPECT_MSG_EQ(device->IsLinkUp(), false, "down");
        NS_TEST_EXPECT_MSG_EQ(changes, 1, "told of the failure");
        NS_TEST_EXPECT_MSG_EQ(send(100, stack.GetAddress(1), IPV4_PROTOCOL), false, "link down");
        NS_TEST_EXPECT_MSG_EQ(drops.linkDown, 1, "link down");
        fabric->SetLinkUp(link, true);
        NS_TEST_EXPECT_MSG_EQ(changes, 2, "told of the repair");
        fabric->SetLinkUp(fabric->GetHost(1).GetNicPort().GetDescription().link, false);
        NS_TEST_EXPECT_MSG_EQ(changes, 2, "another host's link is not this one's");

        FabricItem* bare = FabricItem::Create();
        fabric->GetHost(0).Deliver(bare);
        NS_TEST_EXPECT_MSG_EQ(device->GetReceiveDrops(), 1, "an item without a packet");

        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
    }
};

/**
 * @ingroup fabric-tests
 * @brief A mark set in the fabric stands in the IPv4 header that the stack sees, with a right
 * checksum, and the packet that the sender kept is unchanged.
 */
class FabricDeviceEcnTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param checksums true if ns-3 computes and checks checksums
     */
    explicit FabricDeviceEcnTestCase(bool checksums)
        : TestCase(std::string("ECN marks ") + (checksums ? "with" : "without") + " checksums"),
          m_checksums(checksums)
    {
    }

  private:
    void DoRun() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(m_checksums));
        auto fabric = CreateLeafSpine();
        FabricStackHelper stack;
        stack.Install(fabric);
        fabric->Build();
        auto marker = CreateObject<Marker>();
        fabric->GetSwitch(0).GetPort(0).AddStage(marker);
        fabric->GetSwitch(1).GetPort(0).AddStage(marker);

        std::vector<Ptr<const Packet>> sent;
        stack.GetDevice(0)->TraceConnectWithoutContext(
            "MacTx",
            Callback<void, Ptr<const Packet>>([&](Ptr<const Packet> p) { sent.push_back(p); }));
        std::vector<uint8_t> tos;
        stack.GetNode(1)->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
            "LocalDeliver",
            Callback<void, const Ipv4Header&, Ptr<const Packet>, uint32_t>(
                [&](const Ipv4Header& header, Ptr<const Packet>, uint32_t) {
                    tos.push_back(header.GetTos());
                }));
        auto socket = CreateUdpSocket(stack.GetNode(0));
        for (const uint8_t value : {0x00, 0x02, 0x01, 0xba}) // the last one: DSCP 46, ECT(0)
        {
            socket->SetIpTos(value);
            socket->SendTo(Create<Packet>(100), 0, InetSocketAddress(stack.GetAddress(1), 9));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(marker->seen, 4 + 4, "all pass, and so do the answers by ICMP");
        NS_TEST_ASSERT_MSG_EQ(tos.size(), 4, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(+tos[0], 0x00, "not ECN-capable: not marked");
        NS_TEST_EXPECT_MSG_EQ(+tos[1], 0x03, "ECT(0): marked");
        NS_TEST_EXPECT_MSG_EQ(+tos[2], 0x03, "ECT(1): marked");
        NS_TEST_EXPECT_MSG_EQ(+tos[3], 0xbb, "DSCP is kept");
        Ipv4Header kept;
        sent.at(1)->PeekHeader(kept);
        NS_TEST_EXPECT_MSG_EQ(+kept.GetTos(), 0x02, "the sender's packet is as it was");
        Simulator::Destroy();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    bool m_checksums; //!< true if ns-3 computes and checks checksums
};

/**
 * @ingroup fabric-tests
 * @brief Hash and priority of items: by 5-tuple, the same for all fragments, and by DSCP.
 */
class FabricDeviceParseTestCase : public TestCase
{
  public:
    FabricDeviceParseTestCase()
        : TestCase("hash, fragments and priority")
    {
    }

  private:
    void DoRun() override
    {
        auto fabric = CreateLeafSpine();
        FabricStackHelper stack;
        stack.SetDeviceAttribute("DscpPriorities", StringValue("0=1 46=0 10=7"));
        stack.Install(fabric);
        fabric->Build();
        auto stage = CreateObject<Notes>();
        const Notes& notes = *stage;
        fabric->GetHost(0).GetNicPort().AddStage(stage);
        auto socket = CreateUdpSocket(stack.GetNode(0));
        const auto send = [&](uint32_t size, uint16_t port, uint8_t tos) {
            socket->SetIpTos(tos);
            socket->SendTo(Create<Packet>(size), 0, InetSocketAddress(stack.GetAddress(1), port));
            Simulator::Run();
        };
        send(100, 7000, 0);
        send(200, 7000, 46 << 2);
        send(100, 7001, 10 << 2);
        send(4000, 7001, 0); // three fragments
        NS_TEST_ASSERT_MSG_EQ(notes.hashes.size(), 6, "three packets and three fragments");
        NS_TEST_EXPECT_MSG_EQ(notes.hashes[0], notes.hashes[1], "one flow, one hash");
        NS_TEST_EXPECT_MSG_NE(notes.hashes[0], notes.hashes[2], "another port, another hash");
        NS_TEST_EXPECT_MSG_EQ(notes.hashes[3], notes.hashes[4], "fragments stay together");
        NS_TEST_EXPECT_MSG_EQ(notes.hashes[3], notes.hashes[5], "the last one, too");
        NS_TEST_EXPECT_MSG_EQ(notes.sizes[0], 128, "IP datagram");
        NS_TEST_EXPECT_MSG_EQ(notes.sizes[3], 1500, "a full fragment");
        NS_TEST_EXPECT_MSG_EQ(+notes.priorities[0], 1, "DSCP 0");
        NS_TEST_EXPECT_MSG_EQ(+notes.priorities[1], 0, "DSCP 46");
        NS_TEST_EXPECT_MSG_EQ(+notes.priorities[2], 7, "DSCP 10");

        const auto rejects = [](const std::string& text) {
            try
            {
                CreateObject<FabricNetDevice>()->SetAttribute("DscpPriorities", StringValue(text));
            }
            catch (const InputError&)
            {
                return true;
            }
            return false;
        };
        for (const std::string text : {"46", "64=0", "0=256", "a=1", "1=", "=1", "-1=0"})
        {
            NS_TEST_EXPECT_MSG_EQ(rejects(text), true, "wrong: " << text);
        }
        NS_TEST_EXPECT_MSG_EQ(rejects(" 1=2  3=4 "), false, "right");
        Simulator::Destroy();
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of FabricNetDevice and FabricStackHelper.
 */
class FabricNetDeviceTestSuite : public TestSuite
{
  public:
    FabricNetDeviceTestSuite()
        : TestSuite("fabric-net-device", Type::UNIT)
    {
        AddTestCase(new FabricPingTestCase(false));
        AddTestCase(new FabricPingTestCase(true));
        AddTestCase(new FabricApplicationsTestCase);
        AddTestCase(new FabricDeviceDropsTestCase);
        AddTestCase(new FabricDeviceEcnTestCase(false));
        AddTestCase(new FabricDeviceEcnTestCase(true));
        AddTestCase(new FabricDeviceParseTestCase);
    }
};

static FabricNetDeviceTestSuite g_fabricNetDeviceTestSuite; //!< registers the suite
