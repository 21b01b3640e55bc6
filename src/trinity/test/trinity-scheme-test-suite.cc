/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trinity-test.h"

#include "ns3/config.h"
#include "ns3/edge-agent.h"
#include "ns3/input-error.h"
#include "ns3/ipv4-header.h"
#include "ns3/network.h"
#include "ns3/pair-edge.h"
#include "ns3/pair-queue-disc.h"
#include "ns3/pcap-file.h"
#include "ns3/pcap-tap.h"
#include "ns3/report-header.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/results.h"
#include "ns3/strict-priority-queue-disc.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/transport.h"
#include "ns3/transports.h"
#include "ns3/trinity-pair-controller.h"
#include "ns3/trinity-scheme.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @ingroup trinity-tests
 * @brief Two tenants, each with a VM at both ends of a trunk of 1 Gbit/s.
 */
class TrunkTestNetwork
{
  public:
    /**
     * @brief Build the network.
     * @param first hose of the first tenant's VMs
     * @param second hose of the second tenant's VMs
     * @param controller attributes of the shim
     * @param transports specifications
     * @param attributes of the scheme, each behind a comma
     */
    TrunkTestNetwork(const std::string& first,
                     const std::string& second,
                     const std::string& controller = "",
                     const std::string& transports = "lean;udp:Rate=1Gbps,SendBuffer=131072B",
                     const std::string& attributes = "")
        : network(CreateObject<Network>())
    {
        auto tenants = CreateObject<TenantTable>();
        for (const auto& [name, rate] : {std::pair("A", first), std::pair("B", second)})
        {
            const TenantId tenant = tenants->AddTenant({name});
            const VmId left = tenants->AddVm({tenant, tenant, DataRate(rate), DataRate(rate)});
            const VmId right = tenants->AddVm({tenant, 2 + tenant, DataRate(rate), DataRate(rate)});
            pairs.push_back(tenants->GetPair(left, right));
        }
        network->SetTopology("dumbbell:LeftRate=1Gbps,RightRate=1Gbps,BottleneckRate=1Gbps,"
                             "LeftDelay=30us,RightDelay=30us,BottleneckDelay=30us");
        network->SetScheme("trinity:Controller=(trinity" + controller + ")" + attributes);
        network->SetTransports(transports);
        network->SetTenants(tenants);
        network->Build();
        edge = network->GetFabric()->GetObject<PairEdge>();
    }

    ~TrunkTestNetwork()
    {
        edge = nullptr;
        network->Dispose();
        Simulator::Destroy();
    }

    TrunkTestNetwork(const TrunkTestNetwork&) = delete;
    TrunkTestNetwork& operator=(const TrunkTestNetwork&) = delete;

    /**
     * @brief A tenant sends without end.
     * @param tenant index of the tenant
     * @param flows number of connections
     * @param transport index of the transport
     */
    void Start(uint32_t tenant, uint32_t flows, uint8_t transport)
    {
        for (uint32_t flow = 0; flow < flows; ++flow)
        {
            FlowRequest request{tenant, 2 + tenant};
            request.group = tenant;
            request.pair = pairs[tenant] + 1;
            request.transport = transport;
            network->GetTransports()->StartFlow(request);
        }
    }

    /**
     * @brief Add a tenant that has a VM on host 0 and one at the other side.
     * @param rate hose of its VMs
     * @param host of the other VM
     */
    void AddPair(const std::string& rate, uint32_t host)
    {
        const DataRate hose(rate);
        TenantTable& tenants = edge->GetTenants();
        const TenantId tenant = tenants.AddTenant({"C" + std::to_string(pairs.size())});
        const VmId from = tenants.AddVm({tenant, 0, hose, hose});
        pairs.push_back(tenants.GetPair(from, tenants.AddVm({tenant, host, hose, hose})));
    }

    /**
     * @brief A pair sends UDP as fast as its host lets it.
     * @param pair its place in #pairs
     * @param start time of the first packet
     * @param stop until when; 0: without end
     */
    void Flood(uint32_t pair, Time start, Time stop = Time())
    {
        const TenantTable& tenants = edge->GetTenants();
        FlowRequest request{tenants.GetSource(pairs[pair]), tenants.GetDestination(pairs[pair])};
        request.pair = pairs[pair] + 1;
        request.transport = 1;
        Simulator::Schedule(start, [this, request, start, stop] {
            const FlowId flow = network->GetTransports()->StartFlow(request);
            if (stop.IsStrictlyPositive())
            {
                Simulator::Schedule(stop - start,
                                    [this, flow] { network->GetTransports()->StopFlow(flow); });
            }
        });
    }

    /**
     * @brief Run.
     * @param time duration
     * @return rate that each tenant received, in Mbit/s of IP datagrams
     */
    std::vector<double> Run(Time time)
    {
        const auto before = GetReceived();
        Simulator::Stop(time);
        Simulator::Run();
        auto rates = GetReceived();
        for (size_t i = 0; i < rates.size(); ++i)
        {
            rates[i] = 8e-6 * (rates[i] - before[i]) / time.GetSeconds();
        }
        return rates;
    }

    std::vector<double> GetReceived() const
    {
        std::vector<double> bytes;
        for (PairId pair : pairs)
        {
            const PairReceiver* receiver = edge->FindReceiver(pair);
            bytes.push_back(receiver ? static_cast<double>(receiver->GetBytes()) : 0);
        }
        return bytes;
    }

    /// @return the trunk's port, from left to right
    FabricPort& GetTrunkPort() const
    {
        const auto& trunk = network->GetFabric()->GetPath(0, 2).at(1)->GetDescription();
        return trunk.node->GetPort(trunk.index);
    }

    /// @return the discipline of the trunk, from left to right
    StrictPriorityQueueDisc& GetTrunk() const
    {
        return dynamic_cast<StrictPriorityQueueDisc&>(GetTrunkPort().GetQueueDisc());
    }

    Ptr<Network> network;      //!< all of it
    Ptr<PairEdge> edge;        //!< its shims
    std::vector<PairId> pairs; //!< of A and of B
};

/**
 * @ingroup trinity-tests
 * @brief Packets of 1500 bytes without a transport. With no VM pair, shims leave them as they are.
 */
class BareTestSource : public ItemSink
{
  public:
    /**
     * @brief Make a source.
     * @param test the network
     * @param tag of its packets
     */
    explicit BareTestSource(const TrunkTestNetwork& test, const FlowTag& tag = {})
        : m_fabric(test.network->GetFabric()),
          m_flow(m_fabric->AddEndpoints(this, this, tag))
    {
    }

    /**
     * @brief Make a packet to host 2.
     * @param dscp its class
     * @return the packet
     */
    FabricItem* Create(uint8_t dscp) const
    {
        FabricItem* item = FabricItem::Create();
        item->flow = m_flow;
        item->destination = 2;
        item->size = 1500;
        item->tos = static_cast<uint8_t>(dscp << 2);
        return item;
    }

    /**
     * @brief Send steadily from now on.
     * @param host from where
     * @param dscp class of the packets
     * @param gap between packets
     * @param time duration
     */
    void Start(uint32_t host, uint8_t dscp, Time gap, Time time)
    {
        for (Time t; t < time; t += gap)
        {
            Simulator::Schedule(t, [this, host, dscp] {
                FabricItem* item = Create(dscp);
                item->source = host;
                m_fabric->GetHost(host).Send(item);
            });
        }
    }

    void ReceiveItem(FabricItem* item) override
    {
        last = Simulator::Now();
        ++received;
        ++codepoints[item->GetEcn()];
        item->Release();
    }

    uint64_t received{0};     //!< packets
    uint64_t codepoints[4]{}; //!< the same by ECN
    Time last;                //!< arrival of the last one

  private:
    Ptr<Fabric> m_fabric; //!< the network
    uint32_t m_flow;      //!< of its packets
};

constexpr uint8_t TCP = 0; //!< transport of a tenant
constexpr uint8_t UDP = 1; //!< transport of a tenant

} // namespace

/**
 * @ingroup trinity-tests
 * @brief The disciplines of ports.
 */
class TrinityPortTestCase : public TrinityTestCase
{
  public:
    TrinityPortTestCase()
        : TrinityTestCase("two priorities by colour, marks in the low one")
    {
    }

  private:
    static void Offer(StrictPriorityQueueDisc& disc, uint8_t dscp, uint8_t ecn)
    {
        FabricItem* item = FabricItem::Create();
        item->size = 1500;
        item->tos = static_cast<uint8_t>(dscp << 2 | ecn);
        disc.EnqueueItem(item);
    }

    void Check() override
    {
        TrunkTestNetwork test("100Mbps", "100Mbps");
        StrictPriorityQueueDisc& disc = test.GetTrunk();
        for (uint8_t ecn : {0, 1, 2, 3})
        {
            for (const auto& [dscp, queue] :
                 {std::pair(46, 0), std::pair(48, 0), std::pair(0, 1), std::pair(10, 1)})
            {
                const uint32_t before = disc.GetQueuePackets(queue);
                Offer(disc, static_cast<uint8_t>(dscp), ecn);
                NS_TEST_EXPECT_MSG_EQ(disc.GetQueuePackets(queue), before + 1, "DSCP " << dscp);
            }
        }
        disc.Flush("test");
        for (int i = 0; i < 40; ++i)
        {
            Offer(disc, GetDscp(TrinityColour::GREEN), FabricItem::ECT0);
        }
        for (int i = 0; i < 20; ++i)
        {
            Offer(disc, GetDscp(TrinityColour::RED), FabricItem::ECT0);
        }
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueueStats(1).markedPackets, 0, "20 packets find less");
        Offer(disc, GetDscp(TrinityColour::RED), FabricItem::ECT0);
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueueStats(1).markedPackets, 1, "the 21st is marked");
        Offer(disc, GetDscp(TrinityColour::RED), FabricItem::NOT_ECT);
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueueStats(1).markedPackets, 1, "it cannot be marked");
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueuePackets(1), 22, "and is not dropped");
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueueStats(0).markedPackets, 0, "green ones are not marked");
        for (int i = 0; i < 400; ++i)
        {
            Offer(disc, GetDscp(TrinityColour::RED), FabricItem::ECT0);
        }
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueueBytes(1), 341 * 1500, "512 KB of red ones");
        Offer(disc, GetDscp(TrinityColour::GREEN), FabricItem::ECT0);
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueuePackets(0), 41, "green ones have their own room");
        disc.Flush("test");
    }
};

/**
 * @ingroup trinity-tests
 * @brief The two queues of a port at work (Section 3.2).
 */
class TrinityPriorityTestCase : public TrinityTestCase
{
  public:
    TrinityPriorityTestCase()
        : TrinityTestCase("green before red, which waits for one packet at most")
    {
    }

  private:
    /**
     * @brief Offer both colours to a trunk of 1000 Mbit/s.
     * @param greenGap between green packets
     * @param redGap between red packets
     * @param green expected, in Mbit/s
     * @param red expected, in Mbit/s
     */
    void CheckShares(Time greenGap, Time redGap, double green, double red)
    {
        TrunkTestNetwork test("100Mbps", "100Mbps");
        BareTestSource first(test);
        BareTestSource second(test);
        first.Start(0, GetDscp(TrinityColour::GREEN), greenGap, MilliSeconds(30));
        second.Start(1, GetDscp(TrinityColour::RED), redGap, MilliSeconds(30));
        test.Run(MilliSeconds(5));
        const uint64_t before[] = {first.received, second.received};
        test.Run(MilliSeconds(24)); // 2000 packets of the trunk
        const auto mbps = [](uint64_t packets) { return static_cast<double>(packets) / 2; };
        NS_TEST_EXPECT_MSG_EQ_TOL(mbps(first.received - before[0]), green, 1, "green");
        NS_TEST_EXPECT_MSG_EQ_TOL(mbps(second.received - before[1]), red, 1, "red");
    }

    /// @brief A green packet behind 500 red ones, the first of which has just started.
    void CheckBlocking()
    {
        Time delays[2];
        for (const uint32_t queued : {0, 500})
        {
            TrunkTestNetwork test("1Mbps", "1Mbps", "", "lean", ",EdgeBuffer=1MB,CoreBuffer=1MB");
            BareTestSource red(test);
            BareTestSource green(test);
            for (uint32_t i = 0; i < queued; ++i)
            {
                test.GetTrunkPort().Send(red.Create(GetDscp(TrinityColour::RED)));
            }
            NS_TEST_EXPECT_MSG_EQ(test.GetTrunk().GetQueuePackets(1), queued - (queued > 0), "");
            test.GetTrunkPort().Send(green.Create(GetDscp(TrinityColour::GREEN)));
            test.Run(MilliSeconds(7));
            NS_TEST_EXPECT_MSG_EQ(green.received, 1, "it came");
            NS_TEST_EXPECT_MSG_EQ(red.received, queued, "they came");
            delays[queued > 0] = green.last;
        }
        NS_TEST_EXPECT_MSG_EQ(delays[1] - delays[0], MicroSeconds(12), "one packet");
    }

    void Check() override
    {
        CheckShares(MicroSeconds(20), MicroSeconds(20), 600, 400); // 600 and 600 offered
        CheckShares(MicroSeconds(12), MicroSeconds(24), 1000, 0);  // 1000 and 500: starvation
        CheckBlocking();
    }
};

/**
 * @ingroup trinity-tests
 * @brief Sees the ECN codepoints on the wire of a host.
 */
class WireEcnAgent : public EdgeAgent
{
  public:
    void Incoming(FabricItem* item) override
    {
        codepoints[item->GetEcn()] += item->GetClass() == FabricItem::CONTROL ? 0 : 1;
        DeliverOn(item);
    }

    uint64_t codepoints[4]{}; //!< packets by codepoint, without reports
};

/**
 * @ingroup trinity-tests
 * @brief Has a host refuse ECN: takes the offer out of the SYNs it gets.
 */
class EcnRefusalAgent : public EdgeAgent
{
  public:
    void Incoming(FabricItem* item) override
    {
        if (item->packet)
        {
            Ipv4Header ip;
            TcpHeader tcp;
            item->packet->RemoveHeader(ip);
            item->packet->RemoveHeader(tcp);
            constexpr uint8_t OFFER = TcpHeader::SYN | TcpHeader::ECE | TcpHeader::CWR;
            if (tcp.GetFlags() == OFFER)
            {
                ++refused;
                tcp.SetFlags(TcpHeader::SYN);
            }
            item->packet->AddHeader(tcp);
            item->packet->AddHeader(ip);
        }
        DeliverOn(item);
    }

    uint32_t refused{0}; //!< offers taken out
};

/**
 * @ingroup trinity-tests
 * @brief ECN as tenants see it (Sections 3.3 and 4.1).
 */
class TrinityTenantEcnTestCase : public TrinityTestCase
{
  public:
    TrinityTenantEcnTestCase()
        : TrinityTestCase("marks reach tenants that negotiated ECN, and no others")
    {
    }

  private:
    /// @brief Packets that the stack of a host is given.
    struct Seen
    {
        uint64_t codepoints[4]{}; //!< packets by ECN codepoint
        bool ecnSyn{false};       //!< a SYN with ECE and CWR
        bool ecnSynAck{false};    //!< a SYN-ACK with ECE and without CWR
    };

    /// @brief A stack is given a packet.
    void Note(Ptr<const Packet> packet)
    {
        const auto copy = packet->Copy();
        Ipv4Header ip;
        copy->RemoveHeader(ip);
        TcpHeader tcp;
        copy->PeekHeader(tcp);
        const bool ece = tcp.GetFlags() & TcpHeader::ECE;
        const bool cwr = tcp.GetFlags() & TcpHeader::CWR;
        const bool ack = tcp.GetFlags() & TcpHeader::ACK;
        const bool syn = tcp.GetFlags() & TcpHeader::SYN;
        if (syn && !ack)
        {
            m_receiver = ip.GetDestination();
        }
        Seen& seen = ip.GetDestination() == m_receiver ? m_seen[0] : m_seen[1];
        ++seen.codepoints[ip.GetEcn()];
        seen.ecnSyn |= syn && !ack && ece && cwr;
        seen.ecnSynAck |= syn && ack && ece && !cwr;
    }

    /**
     * @brief A's connection beside B's flood.
     * @param useEcn attribute of the transport
     * @param refusal at the host of A's receiver; nullptr: none
     * @return packets that the stacks of A's receiver and of its sender were given
     */
    std::array<Seen, 2> Run(const std::string& useEcn, Ptr<EcnRefusalAgent> refusal = nullptr)
    {
        m_seen = {};
        TrunkTestNetwork test("100Mbps",
                              "100Mbps",
                              ":FlowThreshold=0",
                              "ns3:UseEcn=" + useEcn + ";udp:Rate=1Gbps,SendBuffer=131072B");
        Config::ConnectWithoutContext("/NodeList/*/DeviceList/*/$ns3::FabricNetDevice/MacRx",
                                      MakeCallback(&TrinityTenantEcnTestCase::Note, this));
        auto wire = CreateObject<WireEcnAgent>();
        test.network->GetFabric()->GetHost(2).AddEdgeAgent(wire);
        if (refusal)
        {
            test.network->GetFabric()->GetHost(2).AddEdgeAgent(refusal);
        }
        test.Start(0, 1, TCP);
        test.Start(1, 1, UDP);
        test.Run(MilliSeconds(60));
        NS_TEST_EXPECT_MSG_GT(wire->codepoints[FabricItem::CE], 20, "marked in the network");
        NS_TEST_EXPECT_MSG_EQ(wire->codepoints[FabricItem::NOT_ECT], 0, "all can be marked");
        return m_seen;
    }

    void ExpectNoEcn(const Seen& seen, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_GT(seen.codepoints[FabricItem::NOT_ECT], 100, what);
        for (const auto codepoint : {FabricItem::ECT0, FabricItem::ECT1, FabricItem::CE})
        {
            NS_TEST_EXPECT_MSG_EQ(seen.codepoints[codepoint], 0, what);
        }
    }

    void Check() override
    {
        {
            const auto [receiver, sender] = Run("Off");
            NS_TEST_EXPECT_MSG_EQ(receiver.ecnSyn, false, "SYN without ECE");
            ExpectNoEcn(receiver, "the receiver's stack");
            ExpectNoEcn(sender, "the sender's stack");
        }
        {
            const auto [receiver, sender] = Run("On");
            NS_TEST_EXPECT_MSG_EQ(receiver.ecnSyn, true, "SYN with ECE and CWR");
            NS_TEST_EXPECT_MSG_EQ(sender.ecnSynAck, true, "SYN-ACK with ECE");
            NS_TEST_EXPECT_MSG_GT(receiver.codepoints[FabricItem::CE], 20, "marks come");
            NS_TEST_EXPECT_MSG_GT(receiver.codepoints[FabricItem::ECT0], 100, "so does ECT");
        }
        {
            const auto refusal = CreateObject<EcnRefusalAgent>();
            const auto [receiver, sender] = Run("On", refusal);
            NS_TEST_EXPECT_MSG_EQ(refusal->refused, 1, "SYN with ECE and CWR");
            NS_TEST_EXPECT_MSG_EQ(sender.ecnSynAck, false, "SYN-ACK without ECE");
            ExpectNoEcn(receiver, "the receiver's stack, refused");
            ExpectNoEcn(sender, "the sender's stack, refused");
        }
        {
            // Datagrams without ECN, half of them more than is guaranteed.
            TrunkTestNetwork test("100Mbps", "100Mbps", ":FlowThreshold=0");
            auto wire = CreateObject<WireEcnAgent>();
            test.network->GetFabric()->GetHost(2).AddEdgeAgent(wire);
            BareTestSource source(test, {test.pairs[0] + 1, 0, 0});
            source.Start(0, 0, MicroSeconds(12), MilliSeconds(30));
            test.Start(1, 1, UDP);
            test.Run(MilliSeconds(30));
            NS_TEST_EXPECT_MSG_GT(wire->codepoints[FabricItem::CE], 20, "marked in the network");
            NS_TEST_EXPECT_MSG_EQ(wire->codepoints[FabricItem::NOT_ECT], 0, "all can be marked");
            NS_TEST_EXPECT_MSG_EQ(source.codepoints[FabricItem::NOT_ECT],
                                  source.received,
                                  "as the tenant sent them");
        }
    }

    std::array<Seen, 2> m_seen; //!< by A's receiver and by its sender
    Ipv4Address m_receiver;     //!< A's
};

/**
 * @ingroup trinity-tests
 * @brief Guarantees whatever the other tenant does.
 */
class TrinityGuaranteeTestCase : public TrinityTestCase
{
  public:
    TrinityGuaranteeTestCase()
        : TrinityTestCase("guarantees beside a flood")
    {
    }

  private:
    void Check() override
    {
        {
            TrunkTestNetwork test("150Mbps", "750Mbps");
            test.Start(0, 1, UDP);
            test.Start(1, 10, TCP);
            test.Run(MilliSeconds(20));
            auto rates = test.Run(MilliSeconds(80)); // with slow start and what it loses
            NS_TEST_EXPECT_MSG_GT(rates[1], 0.95 * 750, "B from 20 ms on");
            rates = test.Run(MilliSeconds(200));
            NS_TEST_EXPECT_MSG_GT(rates[0], 0.99 * 150, "A");
            NS_TEST_EXPECT_MSG_GT(rates[1], 0.99 * 750, "B's ten connections");
            NS_TEST_EXPECT_MSG_EQ(test.GetTrunk().GetQueueStats(0).droppedPackets, 0, "green");
        }
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        std::vector<std::pair<uint32_t, uint32_t>> guarantees{{200, 700}, {480, 480}};
        for (uint32_t trial = 0; trial < 10; ++trial)
        {
            const uint32_t first = random->GetInteger(5, 900);
            guarantees.emplace_back(first, random->GetInteger(5, 960 - first));
        }
        for (const auto& [first, second] : guarantees)
        {
            TrunkTestNetwork test(std::to_string(first) + "Mbps", std::to_string(second) + "Mbps");
            test.Start(0, 1, UDP);
            test.Start(1, 1, UDP);
            test.Run(MilliSeconds(20));
            const auto rates = test.Run(MilliSeconds(100));
            NS_TEST_EXPECT_MSG_GT(rates[0], 0.99 * first, "A floods");
            NS_TEST_EXPECT_MSG_GT(rates[1], 0.99 * second, "B floods");
            NS_TEST_EXPECT_MSG_EQ(test.GetTrunk().GetQueueStats(0).droppedPackets, 0, "green");
        }
    }
};

/**
 * @ingroup trinity-tests
 * @brief Reports cross a trunk that is full of red packets.
 */
class TrinityReportDelayTestCase : public TrinityTestCase
{
  public:
    TrinityReportDelayTestCase()
        : TrinityTestCase("reports do not wait behind red packets")
    {
    }

  private:
    void Check() override
    {
        TrunkTestNetwork test("1Mbps", "1Mbps"); // next to nothing is green
        test.Start(0, 1, UDP);
        test.Start(1, 1, UDP);
        // Data the other way, whose reports go with the flood.
        const PairId back = TenantTable::Reverse(test.pairs[0]);
        FlowRequest request{2, 0};
        request.pair = back + 1;
        request.transport = UDP;
        test.network->GetTransports()->StartFlow(request);
        std::vector<double> delays; // in us
        test.edge->TraceConnectWithoutContext(
            "Report",
            Callback<void, const PairReport&>([&delays, back](const PairReport& report) {
                if (report.pair == back)
                {
                    const Time delay = Simulator::Now() - TimeStep(report.time);
                    delays.push_back(delay.ToDouble(Time::US));
                }
            }));
        test.Run(MilliSeconds(20)); // full buckets of green tokens are sent
        delays.clear();
        test.Run(MilliSeconds(100));
        NS_TEST_EXPECT_MSG_GT(test.GetTrunk().GetQueueStats(1).markedPackets, 100, "it was full");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(delays.size(), 18, "reports came");
        // Three links of 30 us with 46 bytes each, one red packet in front on each.
        const double most = 3 * (30 + 0.368 + 12);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(*std::max_element(delays.begin(), delays.end()),
                                    most,
                                    "the worst");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Reports as a capture shows them.
 */
class TrinityReportBytesTestCase : public TrinityTestCase
{
  public:
    TrinityReportBytesTestCase()
        : TrinityTestCase("bytes of reports: IP protocol 143")
    {
    }

  private:
    void Check() override
    {
        const auto name = CreateTempDirFilename("reports.pcap");
        std::vector<ReportFields> sent; // of A's receiver
        {
            TrunkTestNetwork test("100Mbps", "100Mbps");
            PacketMaker packets;
            test.network->GetScheme()->ConfigurePackets(*test.network, packets);
            PcapTap tap(name, std::move(packets));
            tap.TapPort(test.network->GetFabric()->GetHost(2).GetNicPort());
            test.edge->TraceConnectWithoutContext(
                "Report",
                Callback<void, const PairReport&>([&](const PairReport& report) {
                    if (report.pair == test.pairs[0])
                    {
                        sent.push_back(MarkReceiver::GetFields(report));
                    }
                }));
            test.Start(0, 1, UDP);
            test.Start(1, 1, UDP);
            test.Run(MilliSeconds(40));
        }
        NS_TEST_EXPECT_MSG_GT(sent.size(), 5, "there were reports");
        PcapFile file;
        file.Open(name, std::ios::in | std::ios::binary);
        for (const auto& fields : sent)
        {
            std::array<uint8_t, 100> bytes;
            uint32_t ignored;
            uint32_t size;
            uint32_t read;
            file.Read(bytes.data(), bytes.size(), ignored, ignored, ignored, size, read);
            NS_TEST_ASSERT_MSG_EQ(size, 46, "64 bytes of Ethernet");
            auto packet = Create<Packet>(bytes.data(), read);
            Ipv4Header ip;
            packet->RemoveHeader(ip);
            NS_TEST_EXPECT_MSG_EQ(+ip.GetProtocol(), 143, "protocol");
            NS_TEST_EXPECT_MSG_EQ(+ip.GetTos(), 48 << 2, "before red traffic");
            NS_TEST_EXPECT_MSG_EQ(+ip.GetTtl(), 64, "TTL");
            ReportHeader header;
            packet->RemoveHeader(header);
            NS_TEST_EXPECT_MSG_EQ((header.GetFields() == fields), true, "what was reported");
        }
    }
};

/**
 * @ingroup trinity-tests
 * @brief The link is used.
 */
class TrinityConservationTestCase : public TrinityTestCase
{
  public:
    TrinityConservationTestCase()
        : TrinityTestCase("work conservation, and equal pairs")
    {
    }

  private:
    void Check() override
    {
        for (uint8_t transport : {TCP, UDP})
        {
            TrunkTestNetwork test("100Mbps", "100Mbps");
            test.Start(0, 1, transport);
            test.Run(MilliSeconds(transport == UDP ? 5 : 20)); // an interval; TCP's slow start
            const auto rates = test.Run(MilliSeconds(50));
            NS_TEST_EXPECT_MSG_GT(rates[0], 0.97 * 960, "a lone tenant has all");
        }
        {
            TrunkTestNetwork lone("100Mbps", "100Mbps");
            lone.Start(0, 1, TCP);
            const auto rate = lone.Run(Seconds(1))[0];
            NS_TEST_EXPECT_MSG_GT(rate, 0.95 * 960, "slow start included, over a second");
        }
        // Two that always want more: marks come an interval late, so part of the link is lost (see
        // the documentation).
        TrunkTestNetwork test("300Mbps", "300Mbps");
        test.Start(0, 1, UDP);
        test.Start(1, 1, UDP);
        test.Run(MilliSeconds(100));
        const auto rates = test.Run(MilliSeconds(400));
        NS_TEST_EXPECT_MSG_GT(rates[0] + rates[1], 0.93 * 960, "most of the link");
        NS_TEST_EXPECT_MSG_GT(std::min(rates[0], rates[1]), 300, "more than the guarantee");
        CheckEqualPairs();
        CheckEqualHosts();
        CheckRandomDemand();
    }

    /**
     * @brief Up to six equal pairs of a host, of which some stop: from 120 intervals later on the
     * others share equally all but what Eq. 2 keeps for VMs that are idle, or all that there is.
     * One that was trapped meanwhile grows from 10 kbit/s by a tenth per interval: 104 up to 200
     * Mbit/s.
     */
    void CheckRandomDemand()
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (uint32_t trial = 0; trial < 20; ++trial)
        {
            const bool isLent = trial % 2 == 1;
            const uint32_t count = random->GetInteger(1, 6);
            const uint32_t rate = random->GetInteger(5, 900 / count);
            const std::string hose = std::to_string(rate) + "Mbps";
            const std::string lend = isLent ? ",ReclaimIdleGuarantee=true" : "";
            TrunkTestNetwork test(hose, "1Mbps", ":Interval=1ms" + lend);
            test.pairs.pop_back(); // B's, of the other host
            for (uint32_t vm = 1; vm < count; ++vm)
            {
                test.AddPair(hose, random->GetInteger(2, 3));
            }
            const uint32_t busy = random->GetInteger(1, count);
            for (uint32_t i = 0; i < count; ++i)
            {
                const Time start = MicroSeconds(random->GetInteger(0, 30'000));
                test.Flood(i, start, i < busy ? Time() : MilliSeconds(40));
            }
            test.Run(MilliSeconds(40 + 120)); // 120 intervals
            const auto rates = test.Run(MilliSeconds(100));
            const auto [least, most] = std::minmax_element(rates.begin(), rates.begin() + busy);
            NS_TEST_EXPECT_MSG_GT(*least, 0.95 * *most, "equal pairs in trial " << trial);
            const double kept = isLent ? 0 : (count - busy) * rate;
            const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
            NS_TEST_EXPECT_MSG_GT(sum, 0.97 * (960 - kept), "of the link in trial " << trial);
            NS_TEST_EXPECT_MSG_LT(sum, 960 - kept + 1, "no more in trial " << trial);
        }
    }

    /**
     * @brief Two pairs of different hosts. Eqs. 5 and 6 only multiply; the prototype's rule draws
     * rates together (see the documentation, "Two pairs of different hosts").
     */
    void CheckEqualHosts()
    {
        for (const std::string hose : {"100Mbps", "300Mbps"})
        {
            TrunkTestNetwork test(hose, hose, ":Profile=Prototype,Alpha=0.1");
            test.Start(0, 1, UDP);
            test.Run(MilliSeconds(33)); // A has the trunk when B comes
            test.Start(1, 1, UDP);
            test.Run(MilliSeconds(100)); // 20 intervals
            const auto rates = test.Run(MilliSeconds(400));
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], rates[1], 0.05 * rates[1], "equal pairs");
        }
    }

    /// @brief Two VMs of one host, and a third pair beside them on the trunk.
    void CheckEqualPairs()
    {
        TrunkTestNetwork test("100Mbps", "100Mbps");
        test.AddPair("100Mbps", 3);
        test.Flood(0, Time());
        test.Flood(2, Time());
        test.Run(MilliSeconds(100)); // 20 intervals
        const auto rates = test.Run(MilliSeconds(200));
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], rates[2], 0.05 * rates[2], "equal pairs of a host");
        NS_TEST_EXPECT_MSG_GT(rates[0] + rates[2], 0.97 * 960, "which use the link");
    }
};

/**
 * @ingroup trinity-tests
 * @brief A tenant whose red packets are stuck behind another's guarantee.
 */
class TrinityTrappingTestCase : public TrinityTestCase
{
  public:
    TrinityTrappingTestCase()
        : TrinityTestCase("packet trapping, with its remedy and without")
    {
    }

  private:
    /// @brief State of a tenant while another's guaranteed traffic takes all its own leaves.
    struct Outcome
    {
        double goodput;      //!< in Mbit/s of IP datagrams
        double spareRate;    //!< R_W in Mbit/s in the end
        uint32_t redPackets; //!< that were sent in spite of it
        uint64_t dropped;    //!< those that did not fit the trunk's low queue
    };

    static Outcome RunWith(const std::string& remedy)
    {
        TrunkTestNetwork test("200Mbps",
                              "800Mbps",
                              ":DetectTrapping=" + remedy,
                              "lean;udp:Rate=800Mbps,SendBuffer=131072B");
        test.Start(0, 1, TCP);
        test.Run(MilliSeconds(100));
        test.Start(1, 1, UDP);
        test.Run(MilliSeconds(100));
        const auto& channel = static_cast<TrinityChannel&>(*test.edge->FindChannel(test.pairs[0]));
        const auto& shim = static_cast<TrinityPairController&>(test.edge->GetController(0));
        const uint32_t before = channel.GetColourStatistics().redPackets;
        const double goodput = test.Run(MilliSeconds(300))[0];
        return {goodput,
                shim.GetRates().GetSpareRate(test.pairs[0]) / 1e6,
                channel.GetColourStatistics().redPackets - before,
                test.GetTrunk().GetQueueStats(1).droppedPackets};
    }

    void Check() override
    {
        const Outcome with = RunWith("true");
        NS_TEST_EXPECT_MSG_GT(with.goodput, 0.99 * 200, "the guarantee");
        // One packet in 60 ms probes whether red ones get through again; others left before.
        NS_TEST_EXPECT_MSG_LT(with.redPackets, 20, "next to nothing is sent into the trap");
        NS_TEST_EXPECT_MSG_LT(with.spareRate, 5, "R_W is small");
        NS_TEST_EXPECT_MSG_EQ(with.dropped, 0, "nothing is lost there");
        const Outcome without = RunWith("false");
        NS_TEST_EXPECT_MSG_GT(without.redPackets, 10 * with.redPackets, "red ones go on");
        NS_TEST_EXPECT_MSG_GT(without.spareRate, 100, "no report is bad news: R_W grows");
        NS_TEST_EXPECT_MSG_GT(without.dropped, 100, "until they are lost");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Input that cannot be used is told in one line.
 */
class TrinityInputTestCase : public TestCase
{
  public:
    TrinityInputTestCase()
        : TestCase("bad input")
    {
    }

  private:
    static std::string GetError(const std::string& scheme, const std::string& tenants = "")
    {
        auto network = CreateObject<Network>();
        network->SetTopology("single-switch:Hosts=4,HostRate=1Gbps");
        std::string text;
        try
        {
            network->SetScheme(scheme);
            if (!tenants.empty())
            {
                network->SetTenants(tenants);
            }
            network->Build();
        }
        catch (const InputError& error)
        {
            text = error.what();
        }
        network->Dispose();
        Simulator::Destroy();
        return text;
    }

    void ExpectError(const std::string& error, const std::string& part)
    {
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, error << " says " << part);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line: " << error);
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetError("trinity"), "", "nobody rents the network");
        NS_TEST_EXPECT_MSG_EQ(GetError("trinity", "list:Of={tenant A hosts=0-3 hose=500Mbps}"),
                              "",
                              "guarantees that fit");
        NS_TEST_EXPECT_MSG_EQ(GetError("trinity",
                                       "list:Of={tenant A hosts=0,1 hose=150Mbps; tenant B "
                                       "hosts=0,2 hose=750Mbps}"),
                              "",
                              "150 and 750 of 1000 Mbps");
        ExpectError(GetError("trinity",
                             "list:Of={tenant A hosts=0,1 hose=600Mbps; tenant B "
                             "hosts=0,2 hose=500Mbps}"),
                    "--tenants = '1.1 Gbps guaranteed over the link");
        ExpectError(GetError("trinity", "list:Of={tenant A hosts=0,9 hose=1Mbps}"), "--tenants = ");
        ExpectError(GetError("trinity:Controller=(trinity:Interval=0s)"), "Interval");
        ExpectError(GetError("trinity:Controller=(trinity:GreenBucketDepth=1499)"),
                    "GreenBucketDepth");
        ExpectError(GetError("trinity:Controller=(trinity:RedBucketDepth=100)"), "RedBucketDepth");
        ExpectError(GetError("trinity:Controller=(trinity:UsableCapacity=1.5)"), "UsableCapacity");
        ExpectError(GetError("trinity:MarkThreshold=400kB,EdgeBuffer=400kB"), "below EdgeBuffer");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Constants of the paper and of its prototype.
 */
class TrinityDefaultsTestCase : public TestCase
{
  public:
    TrinityDefaultsTestCase()
        : TestCase("defaults")
    {
    }

  private:
    void DoRun() override
    {
        TrunkTestNetwork test("1Mbps", "1Mbps");
        auto& shim = test.edge->GetController(0);
        for (const auto& [name, expected] : {std::pair("Interval", "+5e+06ns"),
                                             std::pair("IntervalJitter", "0.1"),
                                             std::pair("Partition", "Equal"),
                                             std::pair("ActiveIntervals", "10"),
                                             std::pair("MarkUnit", "Bytes"),
                                             std::pair("Profile", "Smoothed"),
                                             std::pair("Alpha", "0"), // 0.1, see ShimUpdateTestCase
                                             std::pair("UpdateAtReports", "true"),
                                             std::pair("BetaGain", "0"),
                                             std::pair("UsableCapacity", "0.96"),
                                             std::pair("TrappedRate", "10000bps"),
                                             std::pair("LeastSpareRate", "10000bps"),
                                             std::pair("FlowThreshold", "102400"),
                                             std::pair("FlowIdleReset", "+0ns"),
                                             std::pair("GreenBucketDepth", "32768"),
                                             std::pair("RedBucketDepth", "32768"),
                                             std::pair("Tau", "+200000ns"),
                                             std::pair("TickInterval", "+0ns"),
                                             std::pair("TrapConfirmIntervals", "1"),
                                             std::pair("ChannelSize", "256p")})
        {
            TypeId::AttributeInformation info;
            shim.GetInstanceTypeId().LookupAttributeByName(name, &info);
            const auto value = info.initialValue->Copy();
            shim.GetAttribute(name, *value);
            const auto wanted = info.checker->CreateValidValue(StringValue(expected));
            NS_TEST_EXPECT_MSG_EQ(value->SerializeToString(info.checker),
                                  wanted->SerializeToString(info.checker),
                                  name);
        }
        const auto get = [](const ObjectBase& object, const std::string& name) {
            StringValue value;
            object.GetAttribute(name, value);
            return value.Get();
        };
        NS_TEST_EXPECT_MSG_EQ(get(*test.edge, "ReportSize"), "46", "64 bytes of Ethernet");
        NS_TEST_EXPECT_MSG_EQ(get(*test.edge, "ReportDscp"), "48", "before red traffic");
        NS_TEST_EXPECT_MSG_EQ(get(*Scheme::Create("trinity"), "MarkThreshold"), "29999B", "");
        const Fabric& fabric = *test.network->GetFabric();
        Ptr<ResequencingBuffer> buffer;
        for (const auto& agent : fabric.GetHost(0).GetEdgeAgents())
        {
            buffer = buffer ? buffer : DynamicCast<ResequencingBuffer>(agent);
        }
        NS_TEST_ASSERT_MSG_NE(buffer, nullptr, "order is restored");
        NS_TEST_EXPECT_MSG_EQ(get(*buffer, "Timeout"), "+2e+06ns", "ResequenceTimeout");
        NS_TEST_EXPECT_MSG_EQ(get(*buffer, "IdleTimeout"), "+1e+09ns", "1 s idle");
        NS_TEST_EXPECT_MSG_EQ(get(*buffer, "WaitingDscp"), "46", "green waits");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Trinity in a network.
 */
class TrinitySchemeTestSuite : public TestSuite
{
  public:
    TrinitySchemeTestSuite()
        : TestSuite("trinity-scheme", Type::UNIT)
    {
        AddTestCase(new TrinityPortTestCase, Duration::QUICK);
        AddTestCase(new TrinityPriorityTestCase, Duration::QUICK);
        AddTestCase(new TrinityTenantEcnTestCase, Duration::QUICK);
        AddTestCase(new TrinityGuaranteeTestCase, Duration::QUICK);
        AddTestCase(new TrinityReportDelayTestCase, Duration::QUICK);
        AddTestCase(new TrinityReportBytesTestCase, Duration::QUICK);
        AddTestCase(new TrinityConservationTestCase, Duration::QUICK);
        AddTestCase(new TrinityTrappingTestCase, Duration::QUICK);
        AddTestCase(new TrinityInputTestCase, Duration::QUICK);
        AddTestCase(new TrinityDefaultsTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static TrinitySchemeTestSuite g_trinitySchemeTestSuite;
