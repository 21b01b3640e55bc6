/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-log-test.h"

#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/fabric.h"
#include "ns3/global-value.h"
#include "ns3/input-error.h"
#include "ns3/ns3-transport.h"
#include "ns3/object-map.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/port-stage.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <array>
#include <map>

using namespace ns3;

/**
 * @ingroup transport
 * @defgroup transport-tests Tests of the transports
 */

namespace
{

/// @brief A leaf-spine network of two leaves.
struct Network
{
    uint32_t hostsPerLeaf{1};         //!< hosts at each leaf
    std::vector<Time> spines;         //!< link delay to each spine
    std::string fabricRate{"40Gbps"}; //!< of links to spines
    std::string markThreshold;        //!< of every port; empty: never mark
    bool spray{false};                //!< packet spray instead of flow hash

    /**
     * @brief Build the network.
     * @return the fabric
     */
    Ptr<Fabric> Build() const
    {
        auto fabric = CreateObject<Fabric>();
        fabric->SetTierNames({"host", "leaf", "spine"});
        const Fabric::End leaves[] = {fabric->AddSwitch(1), fabric->AddSwitch(1)};
        for (const auto& leaf : leaves)
        {
            for (uint32_t host = 0; host < hostsPerLeaf; ++host)
            {
                fabric->Connect(fabric->AddHost(), leaf, DataRate("10Gbps"), NanoSeconds(860));
            }
        }
        for (const Time& delay : spines)
        {
            const Fabric::End spine = fabric->AddSwitch(2);
            for (const auto& leaf : leaves)
            {
                fabric->Connect(leaf, spine, DataRate(fabricRate), delay);
            }
        }
        if (!markThreshold.empty())
        {
            fabric->SetQueueDiscFactory([this](const FabricPort::Description&) {
                auto queue = CreateObject<StepMarkQueueDisc>();
                queue->SetAttribute("MarkThreshold", StringValue(markThreshold));
                return queue;
            });
        }
        if (spray)
        {
            fabric->SetPathSelectorFactory([] { return CreateObject<SprayPathSelector>(); });
        }
        fabric->Build();
        fabric->AssignStreams(1);
        return fabric;
    }
};

/**
 * @brief Sockets that a host's TCP knows.
 * @param transport the transport
 * @param host number of the host
 * @return number of sockets
 */
std::size_t
CountSockets(const Ns3Transport& transport, uint32_t host)
{
    ObjectMapValue sockets;
    transport.GetStack().GetNode(host)->GetObject<TcpL4Protocol>()->GetAttribute("SocketList",
                                                                                 sockets);
    return sockets.GetN();
}

} // namespace

/**
 * @ingroup transport-tests
 * @brief The times of a flow of one packet are those that arithmetic gives.
 */
class Ns3TransportTimesTestCase : public TestCase
{
  public:
    Ns3TransportTimesTestCase()
        : TestCase("times of a flow of one packet")
    {
    }

  private:
    void DoRun() override
    {
        Network network;
        network.spines = {NanoSeconds(860)};
        auto fabric = network.Build();
        auto transport = CreateObject<Ns3Transport>();
        transport->Attach(fabric);
        FlowLog observer;
        transport->AddObserver(&observer);
        const FlowRequest request{0, 1, 1460, 7};
        Simulator::Schedule(MicroSeconds(5), [&] { transport->StartFlow(request); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(observer.finished.size(), 1, "finished");
        const FlowRecord& record = observer.finished[0];
        NS_TEST_EXPECT_MSG_EQ(record.requested, MicroSeconds(5), "requested");
        NS_TEST_EXPECT_MSG_EQ(record.request.group, 7, "group");
        NS_TEST_EXPECT_MSG_EQ(observer.delivered[record.id], 1460, "delivered bytes");
        // 1500 B one way and 40 B the other: 9.96 us (AFQ section 6.2.1). Before, the 40 B that
        // complete the handshake take 32 ns at the host's port.
        NS_TEST_EXPECT_MSG_EQ(transport->GetIdealCompletionTime(request),
                              NanoSeconds(9992),
                              "ideal");
        NS_TEST_EXPECT_MSG_EQ(record.acknowledged - record.firstSent, NanoSeconds(9992), "FCT");
        NS_TEST_EXPECT_MSG_EQ(record.delivered - record.firstSent,
                              NanoSeconds(32 + 2 * (1200 + 300) + 4 * 860),
                              "delivered");
        // Handshake: 48 B each way (window scale and SACK permitted), rounded to ns at every hop.
        NS_TEST_EXPECT_MSG_EQ(record.firstSent - record.requested,
                              NanoSeconds(2 * (2 * (38 + 10) + 4 * 860)),
                              "handshake");
        transport->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup transport-tests
 * @brief One flow fills the link, whatever its congestion control.
 */
class Ns3TransportGoodputTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param ops the congestion control
     */
    explicit Ns3TransportGoodputTestCase(const std::string& ops)
        : TestCase("goodput of one flow: " + ops),
          m_ops(ops)
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        Network network;
        network.spines = {NanoSeconds(860)};
        auto fabric = network.Build();
        auto transport = CreateObject<Ns3Transport>();
        transport->SetAttribute("CongestionOps", StringValue(m_ops));
        transport->SetAttribute("SndBufSize", UintegerValue(1 << 18)); // is refilled on the way
        // Far above the bandwidth-delay product, and below the buffer of the host's port.
        transport->SetAttribute("RcvBufSize", UintegerValue(1 << 18));
        transport->Attach(fabric);
        FlowLog observer;
        transport->AddObserver(&observer);
        const uint64_t bytes = 20000000;
        transport->StartFlow({0, 1, bytes, 0});
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(observer.finished.size(), 1, "finished");
        const FlowRecord& record = observer.finished[0];
        NS_TEST_EXPECT_MSG_EQ(observer.delivered[record.id], bytes, "delivered bytes");
        NS_TEST_EXPECT_MSG_EQ(transport->GetSendCounts().segments,
                              (bytes + 1459) / 1460,
                              "no segment is cut where the send buffer ends");
        const double goodput = 8.0 * bytes / (record.delivered - record.firstSent).GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(goodput, 10e9 * 1460 / 1500, 0.01 * 10e9, "goodput");
        const Time ideal = transport->GetIdealCompletionTime(record.request);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(record.acknowledged - record.firstSent,
                                    ideal,
                                    "never faster than the ideal");
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
        Simulator::Destroy();
    }

    std::string m_ops; //!< the congestion control
};

/**
 * @ingroup transport-tests
 * @brief CE set by a port reaches DCTCP, which then keeps the queue near the threshold; LinuxReno
 * without ECN is never marked and fills the buffer.
 */
class Ns3TransportEcnTestCase : public TestCase
{
  public:
    Ns3TransportEcnTestCase()
        : TestCase("ECN marks reach the sockets")
    {
    }

  private:
    /// @brief Counters of a run at the receiver's port.
    struct Result
    {
        uint64_t marks;       //!< packets marked
        uint32_t peakPackets; //!< longest queue
        std::size_t finished; //!< flows
    };

    /**
     * @brief Two hosts send to a third at once.
     * @param ops the congestion control
     * @param useEcn true if ECN is asked for
     * @return counters at the receiver's port
     */
    static Result Run(const std::string& ops, bool useEcn)
    {
        Network network;
        network.hostsPerLeaf = 2;
        network.spines = {NanoSeconds(860)};
        network.markThreshold = "20p";
        auto fabric = network.Build();
        auto transport = CreateObject<Ns3Transport>();
        transport->SetAttribute("CongestionOps", StringValue(ops));
        transport->SetAttribute("UseEcn", StringValue(useEcn ? "On" : "Off"));
        transport->Attach(fabric);
        FlowLog observer;
        transport->AddObserver(&observer);
        transport->StartFlow({0, 2, 3000000, 0});
        transport->StartFlow({1, 2, 3000000, 0});
        Simulator::Run();
        FabricQueueDisc& queue = fabric->GetSwitch(1).GetPort(0).GetQueueDisc();
        uint64_t marks = 0;
        for (const auto& count : queue.GetMarkCounts())
        {
            marks += count.packets;
        }
        const Result result{marks, queue.GetPeakPackets(), observer.finished.size()};
        Simulator::Destroy();
        return result;
    }

    void DoRun() override
    {
        const Result dctcp = Run("ns3::TcpDctcp", false);
        NS_TEST_EXPECT_MSG_EQ(dctcp.finished, 2, "DCTCP finishes");
        NS_TEST_EXPECT_MSG_GT(dctcp.marks, 0, "DCTCP is marked");
        NS_TEST_EXPECT_MSG_LT(dctcp.peakPackets, 100, "DCTCP's queue");
        const Result ecn = Run("ns3::TcpLinuxReno", true);
        NS_TEST_EXPECT_MSG_EQ(ecn.finished, 2, "Reno with ECN finishes");
        NS_TEST_EXPECT_MSG_GT(ecn.marks, 0, "Reno with ECN is marked");
        NS_TEST_EXPECT_MSG_LT(ecn.peakPackets, 200, "Reno's queue with ECN");
        const Result reno = Run("ns3::TcpLinuxReno", false);
        NS_TEST_EXPECT_MSG_EQ(reno.finished, 2, "Reno finishes");
        NS_TEST_EXPECT_MSG_EQ(reno.marks, 0, "Reno without ECN is not marked");
        NS_TEST_EXPECT_MSG_GT(reno.peakPackets, 300, "Reno fills the buffer");
    }
};

/**
 * @ingroup transport-tests
 * @brief DCTCP with SACK and ECN survives reordering by packet spray over unequal paths, where
 * TcpSocketBase by itself stops with an assertion.
 */
class Ns3TransportSprayTestCase : public TestCase
{
  public:
    Ns3TransportSprayTestCase()
        : TestCase("packet spray over unequal paths")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        for (const uint32_t skew : {1, 5, 20})
        {
            for (uint32_t run = 1; run <= 2; ++run)
            {
                RngSeedManager::SetRun(run);
                Network network;
                network.hostsPerLeaf = 8;
                network.fabricRate = "10Gbps";
                network.markThreshold = "20p";
                network.spray = true;
                for (uint32_t spine = 0; spine < 4; ++spine)
                {
                    network.spines.push_back(MicroSeconds(1 + spine * skew));
                }
                auto fabric = network.Build();
                auto transport = CreateObject<Ns3Transport>();
                transport->SetAttribute("CongestionOps", StringValue("ns3::TcpDctcp"));
                transport->Attach(fabric);
                FlowLog observer;
                transport->AddObserver(&observer);
                for (uint32_t host = 0; host < 8; ++host)
                {
                    transport->StartFlow({host, 8 + host, 400000, 0});
                }
                Simulator::Run();
                NS_TEST_EXPECT_MSG_EQ(observer.finished.size(), 8, "all finish, skew " << skew);
                for (const auto& record : observer.finished)
                {
                    NS_TEST_EXPECT_MSG_EQ(observer.delivered[record.id], 400000, "bytes");
                }
                Simulator::Destroy();
                NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
            }
        }
        RngSeedManager::SetRun(1);
    }
};

/**
 * @ingroup transport-tests
 * @brief A thousand short flows, many to one and one to many, complete and leave nothing behind;
 * the same again under another kernel, with the same times.
 */
class Ns3TransportManyFlowsTestCase : public TestCase
{
  public:
    Ns3TransportManyFlowsTestCase()
        : TestCase("a thousand short flows, the same under both kernels")
    {
    }

  private:
    static constexpr uint32_t HOSTS = 8;    //!< hosts
    static constexpr uint32_t FLOWS = 1000; //!< flows

    /**
     * @brief Run all flows.
     * @param implementation of the simulator
     * @return flows that the observer saw finish
     */
    std::vector<FlowRecord> Run(const std::string& implementation)
    {
        GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation));
        const uint64_t live = FabricItem::GetLiveCount();
        Network network;
        network.hostsPerLeaf = HOSTS / 2;
        network.spines = {NanoSeconds(860), NanoSeconds(860)};
        network.markThreshold = "20p";
        auto fabric = network.Build();
        auto transport = CreateObject<Ns3Transport>();
        transport->SetAttribute("CongestionOps", StringValue("ns3::TcpDctcp"));
        transport->Attach(fabric);
        FlowLog observer;
        transport->AddObserver(&observer);
        std::map<FlowId, uint64_t> expected;
        for (uint32_t i = 0; i < FLOWS; ++i)
        {
            FlowRequest request;
            request.source = i % HOSTS;
            request.destination = (request.source + 1 + i % (HOSTS - 1)) % HOSTS;
            request.bytes = 1 + i * 37 % 20000;
            Simulator::Schedule(MicroSeconds(i * 2), [&transport, &expected, request] {
                expected[transport->StartFlow(request)] = request.bytes;
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(observer.started, FLOWS, "started");
        NS_TEST_EXPECT_MSG_EQ(observer.finished.size(), FLOWS, "finished");
        NS_TEST_EXPECT_MSG_EQ((observer.delivered == expected), true, "every byte, once");
        NS_TEST_EXPECT_MSG_EQ(transport->GetFailedFlows(), 0, "none failed");
        for (const auto& record : observer.finished)
        {
            NS_TEST_EXPECT_MSG_EQ((record.requested < record.firstSent &&
                                   record.firstSent < record.delivered &&
                                   record.delivered < record.acknowledged),
                                  true,
                                  "times in order");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(record.acknowledged - record.firstSent,
                                        transport->GetIdealCompletionTime(record.request),
                                        "not faster than the ideal");
        }
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(CountSockets(*transport, host), 1, "only the listening socket");
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
        return observer.finished;
    }

    void DoRun() override
    {
        const auto once = Run("ns3::DefaultSimulatorImpl");
        const auto again = Run("ns3::TimingWheelSimulatorImpl");
        NS_TEST_ASSERT_MSG_EQ(once.size(), again.size(), "number of flows");
        for (std::size_t i = 0; i < once.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(once[i].id, again[i].id, "order");
            NS_TEST_ASSERT_MSG_EQ(once[i].firstSent, again[i].firstSent, "first sent");
            NS_TEST_ASSERT_MSG_EQ(once[i].delivered, again[i].delivered, "delivered");
            NS_TEST_ASSERT_MSG_EQ(once[i].acknowledged, again[i].acknowledged, "acknowledged");
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief The fabric knows which flow the packets of a socket are of.
 */
class Ns3TransportTagsTestCase : public TestCase
{
  public:
    Ns3TransportTagsTestCase()
        : TestCase("packets of sockets carry the tag of their flow")
    {
    }

  private:
    void DoRun() override
    {
        Network network;
        network.hostsPerLeaf = 2;
        network.spines = {NanoSeconds(860)};
        const auto fabric = network.Build();
        std::map<FlowId, std::array<uint32_t, 2>> packets; // by flow: from its sender, to it
        bool areRight = true;
        const auto stage =
            CreateObject<DepartureStage>([&](FabricItem* item, const FabricPort& /* port */) {
                const FlowTag& tag = fabric->GetFlowTag(*item);
                const bool isAnswer = item->kind & FabricItem::TOWARDS_SENDER;
                ++packets[tag.flow][isAnswer];
                // Flow 1 goes from host 0 to 3, flow 2 back.
                const uint32_t sender = (tag.flow == 1) == isAnswer ? 3 : 0;
                areRight = areRight && item->source == sender && tag.pair == 10 + tag.flow &&
                           tag.group == 20 + tag.flow;
            });
        for (uint32_t host : {0, 3})
        {
            fabric->GetHost(host).GetNicPort().AddStage(stage);
        }
        const auto transport = CreateObject<Ns3Transport>();
        transport->Attach(fabric);
        for (uint32_t flow : {1, 2})
        {
            transport->StartFlow({.source = flow == 1 ? 0u : 3u,
                                  .destination = flow == 1 ? 3u : 0u,
                                  .bytes = 14'600,
                                  .group = 20 + flow,
                                  .pair = 10 + flow});
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(areRight, true, "each packet has the tag of its flow");
        NS_TEST_ASSERT_MSG_EQ(packets.size(), 2, "and there are no others");
        for (const auto& [flow, counts] : packets)
        {
            NS_TEST_EXPECT_MSG_EQ(counts[0],
                                  12,
                                  "SYN, its acknowledgment, 10 of data; flow " << flow);
            NS_TEST_EXPECT_MSG_EQ(counts[1], 11, "SYN-ACK, 10 acknowledgments; flow " << flow);
        }
        transport->Dispose();
        fabric->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup transport-tests
 * @brief Flows can be stopped at any moment: during the handshake, under way, when over.
 */
class Ns3TransportStopTestCase : public TestCase
{
  public:
    Ns3TransportStopTestCase()
        : TestCase("stopping flows")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        for (const Time& stop : {Time(0), NanoSeconds(3600), NanoSeconds(7200), MicroSeconds(500)})
        {
            Network network;
            network.spines = {NanoSeconds(860)};
            auto fabric = network.Build();
            auto transport = CreateObject<Ns3Transport>();
            transport->SetAttribute("CongestionOps", StringValue("ns3::TcpDctcp"));
            transport->Attach(fabric);
            FlowLog observer;
            transport->AddObserver(&observer);
            const FlowId endless = transport->StartFlow({0, 1, 0, 0});
            Simulator::Schedule(stop, [&] {
                transport->StopFlow(endless);
                transport->StopFlow(endless);
            });
            Simulator::Schedule(MilliSeconds(1), [&] { transport->StartFlow({0, 1, 5000, 0}); });
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(observer.finished.size(), 2, "both are over");
            NS_TEST_EXPECT_MSG_EQ(observer.finished[0].acknowledged, stop, "stop time");
            NS_TEST_EXPECT_MSG_EQ(observer.finished[0].delivered, stop, "stop time");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(observer.finished[0].firstSent, stop, "sent before");
            NS_TEST_EXPECT_MSG_EQ((observer.delivered[endless] > 0),
                                  (stop == MicroSeconds(500)),
                                  "delivered until then");
            NS_TEST_EXPECT_MSG_EQ(observer.delivered[2], 5000, "a later flow is not disturbed");
            NS_TEST_EXPECT_MSG_EQ(CountSockets(*transport, 0), 0, "no socket is left");
            NS_TEST_EXPECT_MSG_EQ(CountSockets(*transport, 1), 1, "only the listening socket");
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
    }
};

/**
 * @ingroup transport-tests
 * @brief A flow over a link that never works again fails and does not finish.
 */
class Ns3TransportFailureTestCase : public TestCase
{
  public:
    Ns3TransportFailureTestCase()
        : TestCase("a flow that TCP gives up")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        for (const Time& failure : {Time(0), MicroSeconds(100)})
        {
            Network network;
            network.spines = {NanoSeconds(860)};
            auto fabric = network.Build();
            auto transport = CreateObject<Ns3Transport>();
            transport->SetAttribute("DataRetries", UintegerValue(4));
            transport->SetAttribute("ConnCount", UintegerValue(4));
            transport->Attach(fabric);
            FlowLog observer;
            transport->AddObserver(&observer);
            const uint32_t link = fabric->GetHost(1).GetNicPort().GetDescription().link;
            Simulator::Schedule(failure, [&] { fabric->SetLinkUp(link, false); });
            Simulator::ScheduleNow([&] { transport->StartFlow({0, 1, 10000000, 0}); });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(transport->GetFailedFlows(), 1, "given up");
            NS_TEST_EXPECT_MSG_EQ(observer.finished.size(), 0, "not finished");
            NS_TEST_EXPECT_MSG_EQ(CountSockets(*transport, 0), 0, "no socket is left");
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
    }
};

/**
 * @ingroup transport-tests
 * @brief Stock applications use the transport's sockets by the name of their factory; wrong
 * settings are the user's error.
 */
class Ns3TransportFactoryTestCase : public TestCase
{
  public:
    Ns3TransportFactoryTestCase()
        : TestCase("socket factory, and wrong settings")
    {
    }

  private:
    void DoRun() override
    {
        Network network;
        network.spines = {NanoSeconds(860)};
        auto fabric = network.Build();
        auto transport = CreateObject<Ns3Transport>();
        transport->SetAttribute("SegmentSize", UintegerValue(8960));
        transport->Attach(fabric);
        const auto& stack = transport->GetStack();
        const InetSocketAddress to(stack.GetAddress(1), 6000);
        BulkSendHelper bulk("ns3::FabricTcpSocketFactory", to);
        bulk.SetAttribute("MaxBytes", UintegerValue(896000));
        bulk.SetAttribute("SendSize", UintegerValue(8960));
        bulk.Install(stack.GetNode(0));
        const auto sink = PacketSinkHelper("ns3::FabricTcpSocketFactory", to)
                              .Install(stack.GetNode(1))
                              .Get(0)
                              ->GetObject<PacketSink>();
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), 896000, "all bytes");
        const FabricPort& port = fabric->GetHost(0).GetNicPort();
        NS_TEST_EXPECT_MSG_LT(port.GetTxPackets(), 110, "jumbo segments, no fragment");
        Simulator::Destroy();

        const auto rejects = [&network](const std::string& name, const std::string& value) {
            auto wrong = CreateObject<Ns3Transport>();
            wrong->SetAttribute(name, StringValue(value));
            try
            {
                wrong->Attach(network.Build());
            }
            catch (const InputError&)
            {
                return true;
            }
            return false;
        };
        NS_TEST_EXPECT_MSG_EQ(rejects("CongestionOps", "ns3::TcpPrrRecovery"), true, "no control");
        NS_TEST_EXPECT_MSG_EQ(rejects("RecoveryOps", "ns3::TcpCubic"), true, "no recovery");
        Simulator::Destroy();
    }
};

/**
 * @ingroup transport-tests
 * @brief TcpDctcpRfc8257 halves on loss and follows the marks otherwise.
 */
class TcpDctcpLossTestCase : public TestCase
{
  public:
    TcpDctcpLossTestCase()
        : TestCase("DCTCP's reaction to losses")
    {
    }

  private:
    void DoRun() override
    {
        auto tcb = CreateObject<TcpSocketState>();
        tcb->m_segmentSize = 1000;
        tcb->m_cWnd = 100000;
        tcb->m_bytesInFlight = 60000;
        auto stock = CreateObject<TcpDctcp>();
        auto ops = CreateObject<TcpDctcpRfc8257>();
        ops->Init(tcb);
        const auto forked = ops->Fork();
        NS_TEST_EXPECT_MSG_EQ(forked->GetName(), "TcpDctcpRfc8257", "forks its own kind");
        tcb->m_congState = TcpSocketState::CA_OPEN; // an ECN echo
        NS_TEST_EXPECT_MSG_EQ(ops->GetSsThresh(tcb, 80000), stock->GetSsThresh(tcb, 80000), "ECN");
        tcb->m_congState = TcpSocketState::CA_RECOVERY; // fast retransmit
        NS_TEST_EXPECT_MSG_EQ(ops->GetSsThresh(tcb, 80000), 40000, "half of what is in flight");
        NS_TEST_EXPECT_MSG_EQ(ops->GetSsThresh(tcb, 3000), 2000, "two segments at least");
        tcb->m_congState = TcpSocketState::CA_OPEN; // first timeout
        ops->CwndEvent(tcb, TcpSocketState::CA_EVENT_LOSS);
        NS_TEST_EXPECT_MSG_EQ(tcb->m_ssThresh.Get(), 30000, "half of what was in flight");
        tcb->m_congState = TcpSocketState::CA_LOSS; // further timeout
        tcb->m_bytesInFlight = 1000;
        ops->CwndEvent(tcb, TcpSocketState::CA_EVENT_LOSS);
        NS_TEST_EXPECT_MSG_EQ(tcb->m_ssThresh.Get(), 30000, "not again");
    }
};

/**
 * @ingroup transport-tests
 * @brief Tests of Ns3Transport and its sockets.
 */
class Ns3TransportTestSuite : public TestSuite
{
  public:
    Ns3TransportTestSuite()
        : TestSuite("ns3-transport", Type::UNIT)
    {
        AddTestCase(new Ns3TransportTimesTestCase);
        for (const auto* ops :
             {"ns3::TcpLinuxReno", "ns3::TcpNewReno", "ns3::TcpCubic", "ns3::TcpDctcp"})
        {
            AddTestCase(new Ns3TransportGoodputTestCase(ops));
        }
        AddTestCase(new Ns3TransportEcnTestCase);
        AddTestCase(new Ns3TransportSprayTestCase);
        AddTestCase(new Ns3TransportManyFlowsTestCase);
        AddTestCase(new Ns3TransportStopTestCase);
        AddTestCase(new Ns3TransportTagsTestCase);
        AddTestCase(new Ns3TransportFailureTestCase);
        AddTestCase(new Ns3TransportFactoryTestCase);
        AddTestCase(new TcpDctcpLossTestCase);
    }
};

static Ns3TransportTestSuite g_ns3TransportTestSuite; //!< registers the suite
