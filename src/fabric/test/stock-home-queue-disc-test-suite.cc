/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-disc-test.h"

#include "ns3/drr-queue-disc.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"

#include <array>

using namespace ns3;

/**
 * @ingroup fabric-tests
 * @brief A discipline as the root queue disc of a device in a stock ns-3 program.
 *
 * Two UDP senders, one with a DSCP, send more than a link can carry. The statistics of ns-3's
 * QueueDisc must equal what the receiver saw.
 */
class StockHomeTestCase : public QueueDiscTestCase
{
  public:
    /**
     * @brief Constructor.
     * @param type TypeId of the discipline
     * @param attributes of the discipline, in pairs of name and value
     * @param marks true if packets are to be marked
     * @param evicts true if packets that wait are to be dropped
     * @param favoured share of the sender with the DSCP in what the receiver gets
     */
    StockHomeTestCase(const std::string& type,
                      const std::vector<std::pair<std::string, std::string>>& attributes,
                      bool marks,
                      bool evicts,
                      double favoured)
        : QueueDiscTestCase(type + " as a root queue disc"),
          m_type(type),
          m_attributes(attributes),
          m_marks(marks),
          m_evicts(evicts),
          m_favoured(favoured)
    {
    }

  private:
    void Check() override
    {
        NodeContainer nodes(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("1p"));
        NetDeviceContainer devices = link.Install(nodes);
        InternetStackHelper().Install(nodes);
        Ptr<QueueDisc> disc = InstallDisc(devices.Get(0));
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        Ipv4InterfaceContainer interfaces = addresses.Assign(devices);

        auto receiver = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        receiver->SetIpRecvTos(true);
        receiver->SetRecvCallback(MakeCallback(&StockHomeTestCase::Receive, this));
        // 1.5 times the rate of the link each, so the queue is always full; 46 is the DSCP of EF.
        constexpr uint32_t COUNT = 1000;
        auto jitter = CreateObject<UniformRandomVariable>(); // or drop-tail favours one sender
        jitter->SetStream(4);
        for (uint8_t tos : {0x02, 46 << 2 | 0x02})
        {
            auto sender = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
            sender->SetIpTos(tos);
            sender->Connect(InetSocketAddress(interfaces.GetAddress(1), 9));
            for (uint32_t i = 0; i < COUNT; ++i)
            {
                Simulator::Schedule(MicroSeconds(80 * i + jitter->GetInteger(0, 79)),
                                    [sender] { sender->Send(Create<Packet>(1472)); });
            }
        }
        Simulator::Run();

        CheckStats(disc, 2 * COUNT);
        const double received = static_cast<double>(m_received[0] + m_received[1]);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(m_received[1]) / received,
                                  m_favoured,
                                  0.03,
                                  "share of the sender with the DSCP");
        NS_TEST_EXPECT_MSG_EQ((m_receivedMarks > 0), m_marks, "marks");
        m_received = {0, 0};
        m_receivedMarks = 0;
    }

    /**
     * @brief Install the discipline.
     * @param device the device
     * @return the discipline
     */
    Ptr<QueueDisc> InstallDisc(Ptr<NetDevice> device)
    {
        TrafficControlHelper helper;
        helper.SetRootQueueDisc(m_type);
        Ptr<QueueDisc> disc = helper.Install(device).Get(0);
        for (const auto& [name, value] : m_attributes)
        {
            disc->SetAttribute(name, StringValue(value));
        }
        return disc;
    }

    /**
     * @brief Hold ns-3's statistics against the discipline's own and the receiver's.
     * @param disc the discipline
     * @param sent packets sent by the applications
     */
    void CheckStats(Ptr<QueueDisc> disc, uint64_t sent)
    {
        const QueueDisc::Stats& stats = disc->GetStats();
        const auto& own = *StaticCast<FabricQueueDisc>(disc);
        const uint64_t received = m_received[0] + m_received[1];
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets, sent, "packets that came");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalSentPackets, received, "packets that left");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalSentBytes, received * 1500, "bytes that left");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalDroppedPackets, sent - received, "drops");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(own.GetDropCounts()), sent - received, "own drops");
        const auto& drops =
            m_evicts ? stats.nDroppedPacketsAfterDequeue : stats.nDroppedPacketsBeforeEnqueue;
        NS_TEST_ASSERT_MSG_EQ(drops.count(FabricQueueDisc::LIMIT_EXCEEDED_DROP), 1, "reason");
        NS_TEST_EXPECT_MSG_EQ(drops.at(FabricQueueDisc::LIMIT_EXCEEDED_DROP),
                              sent - received,
                              "drops for that reason");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalMarkedPackets,
                              CountPackets(own.GetMarkCounts()),
                              "marks");
        // A marked packet may be dropped later if the discipline evicts.
        NS_TEST_EXPECT_MSG_EQ((m_evicts ? stats.nTotalMarkedPackets >= m_receivedMarks
                                        : stats.nTotalMarkedPackets == m_receivedMarks),
                              true,
                              "marks received: " << m_receivedMarks);
        NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 0, "packets waiting");
        NS_TEST_EXPECT_MSG_EQ(own.GetWaitingBytes(), 0, "bytes waiting");
    }

    /**
     * @brief Packets arrive at the receiver.
     * @param socket its socket
     */
    void Receive(Ptr<Socket> socket)
    {
        while (Ptr<Packet> packet = socket->Recv())
        {
            SocketIpTosTag tag;
            NS_TEST_ASSERT_MSG_EQ(packet->RemovePacketTag(tag), true, "the packet has a ToS");
            ++m_received[tag.GetTos() >> 2 == 46];
            m_receivedMarks += (tag.GetTos() & 3) == 3;
        }
    }

    std::string m_type;                                            //!< TypeId of the discipline
    std::vector<std::pair<std::string, std::string>> m_attributes; //!< its attributes
    bool m_marks;                                                  //!< true if packets are marked
    bool m_evicts;                        //!< true if packets that wait are dropped
    double m_favoured;                    //!< share of the sender with the DSCP
    std::array<uint64_t, 2> m_received{}; //!< packets received, without and with the DSCP
    uint64_t m_receivedMarks{0};          //!< packets received with Congestion Experienced
};

/**
 * @ingroup fabric-tests
 * @brief A parent queue disc may peek at a packet; what is dropped meanwhile is accounted.
 */
class StockHomePeekTestCase : public QueueDiscTestCase
{
  public:
    StockHomePeekTestCase()
        : QueueDiscTestCase("peeking, and evictions while a packet is peeked at")
    {
    }

  private:
    void Check() override
    {
        auto disc = CreateObjectWithAttributes<DrrQueueDisc>("MaxSize", StringValue("3p"));
        disc->Initialize();
        const auto send = [&disc] {
            Ipv4Header header;
            header.SetPayloadSize(100);
            disc->Enqueue(
                Create<Ipv4QueueDiscItem>(Create<Packet>(100), Address(), 0x0800, header));
        };
        NS_TEST_EXPECT_MSG_EQ(disc->Peek(), nullptr, "nothing to peek at");
        send();
        send();
        const Ptr<const QueueDiscItem> peeked = disc->Peek();
        NS_TEST_ASSERT_MSG_NE(peeked, nullptr, "a packet waits");
        NS_TEST_EXPECT_MSG_EQ(disc->GetStats().nTotalDequeuedPackets, 0, "it has not left");
        for (int i = 0; i < 5; ++i)
        {
            send(); // one waits besides the one peeked at: room for two, then three evictions
        }
        NS_TEST_EXPECT_MSG_EQ(disc->GetStats().nTotalDroppedPacketsAfterDequeue, 3, "evictions");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 4, "three and the one peeked at");
        NS_TEST_EXPECT_MSG_EQ(disc->Dequeue(), peeked, "the one peeked at comes first");
        NS_TEST_EXPECT_MSG_NE(disc->Dequeue(), nullptr, "then another");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 2, "two wait");
        NS_TEST_EXPECT_MSG_EQ(disc->GetStats().nTotalDequeuedPackets, 5, "left or evicted");
        disc->Dispose(); // with packets inside
    }
};

/**
 * @ingroup fabric-tests
 * @brief Our disciplines in stock ns-3 programs.
 */
class StockHomeQueueDiscTestSuite : public TestSuite
{
  public:
    StockHomeQueueDiscTestSuite()
        : TestSuite("stock-home-queue-disc", Type::UNIT)
    {
        AddTestCase(new StockHomePeekTestCase);
        const std::string strict = "ns3::StrictPriorityQueueDisc";
        const std::string drr = "ns3::DrrQueueDisc";
        const std::string step = "ns3::StepMarkQueueDisc";
        const std::pair<std::string, std::string> size{"MaxSize", "20p"};
        AddTestCase(new StockHomeTestCase("ns3::DropTailQueueDisc", {size}, false, false, 0.5));
        AddTestCase(new StockHomeTestCase(step, {size, {"MarkThreshold", "5p"}}, true, false, 0.5));
        AddTestCase(new StockHomeTestCase(
            step,
            {{"MaxSize", "30kB"}, {"MarkThreshold", "10kB"}, {"MarkAt", "Dequeue"}},
            true,
            false,
            0.5));
        AddTestCase(new StockHomeTestCase(
            strict,
            {{"MaxSize", "40p"}, {"QueueMaxSizes", "20p"}, {"MarkThresholds", "5p"}},
            true,
            false,
            0.97));
        for (const std::string threshold : {"MarkThreshold", "PortMarkThreshold"})
        {
            AddTestCase(new StockHomeTestCase(drr, {size, {threshold, "5p"}}, true, true, 0.5));
        }
        AddTestCase(new StockHomeTestCase(drr,
                                          {size,
                                           {"Classify", "Dscp"},
                                           {"Queues", "2"},
                                           {"Weights", "3,1"},
                                           {"DropPolicy", "LongestQueue"}},
                                          false,
                                          true,
                                          0.75));
        // The link is 100 Mbps; the sender with the DSCP offers 150.
        const std::pair<std::string, std::string> classes{"Classifier",
                                                          "table:Key=Dscp,Map=\"46=1\""};
        const std::pair<std::string, std::string> inner{"Inner",
                                                        "step-mark:MaxSize=20p,MarkThreshold=5p"};
        AddTestCase(
            new StockHomeTestCase("ns3::MeteredQueueDisc", {classes, inner}, true, false, 0.5));
        AddTestCase(new StockHomeTestCase(
            "ns3::ShapedQueueDisc",
            {classes, {"Rates", "20Mbps"}, {"Inner", "drop-tail:MaxSize=20p"}},
            false,
            false,
            0.2));
    }
};

static StockHomeQueueDiscTestSuite g_stockHomeQueueDiscTestSuite; ///< the suite
