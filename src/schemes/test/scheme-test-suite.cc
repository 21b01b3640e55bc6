/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme-test-network.h"

#include "ns3/double.h"
#include "ns3/drr-queue-disc.h"
#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/jain-index.h"
#include "ns3/object-spec.h"
#include "ns3/queue-size.h"
#include "ns3/scheme.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/topology.h"
#include "ns3/uinteger.h"

#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @defgroup schemes-tests Tests for schemes
 * @ingroup schemes
 * @ingroup tests
 */

/**
 * @ingroup schemes-tests
 * @brief TCP hosts over deficit round robin with a queue per flow.
 */
class DrrTestScheme : public Scheme
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DrrTestScheme")
                                .SetParent<Scheme>()
                                .SetGroupName("Schemes")
                                .AddConstructor<DrrTestScheme>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "TCP over deficit round robin, for tests";
    }

  protected:
    Ptr<FabricQueueDisc> CreateQueueDisc(const FabricPort::Description& /* port */,
                                         QueueSize buffer) const override
    {
        auto queue = CreateObject<DrrQueueDisc>();
        queue->SetAttribute("MaxSize", QueueSizeValue(buffer));
        return queue;
    }
};

NS_OBJECT_ENSURE_REGISTERED(DrrTestScheme);

/**
 * @ingroup schemes-tests
 * @brief The goodput of one flow is the line rate minus headers.
 */
class GoodputTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param scheme specification of the scheme
     * @param transport specification of the transport
     */
    GoodputTestCase(const std::string& scheme, const std::string& transport)
        : TestCase("goodput of one flow, " + scheme + " over " + transport),
          m_scheme(scheme),
          m_transport(transport)
    {
    }

  private:
    void DoRun() override
    {
        TestGoodput(0);
        TestGoodput(38); // Ethernet's header and check sequence (18), preamble (8) and gap (12)
    }

    /**
     * @brief Measure the goodput.
     * @param frameOverhead bytes on the wire around every IP datagram
     */
    void TestGoodput(uint32_t frameOverhead)
    {
        SchemeTestNetwork network(m_scheme, "dumbbell:Left=1,Right=1", m_transport, frameOverhead);
        network.m_transport->StartFlow({0, 1, 0, 0});
        const Time duration = MilliSeconds(8);
        network.Run(MilliSeconds(4), duration);
        const auto sizes = network.m_transport->GetPacketSizes();
        const double wire = sizes.payload + sizes.header + frameOverhead;
        const double expected = 10e9 * sizes.payload / wire;
        const double goodput = 8.0 * network.m_delivered[1] / duration.GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(goodput, expected, 0.01 * expected, "bit/s");
    }

    std::string m_scheme;    //!< specification of the scheme
    std::string m_transport; //!< specification of the transport
};

/**
 * @ingroup schemes-tests
 * @brief Flows that meet at a port with deficit round robin share it alike.
 */
class FairShareTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param flows number of flows
     */
    explicit FairShareTestCase(uint32_t flows)
        : TestCase(std::to_string(flows) + " TCP flows share a port with deficit round robin"),
          m_flows(flows)
    {
    }

  private:
    void DoRun() override
    {
        const std::string hosts = std::to_string(m_flows);
        // The timeout is above what the buffer delays, or TCP would send twice what is only late.
        SchemeTestNetwork network("drr-test", "dumbbell:Right=1,Left=" + hosts, "lean:MinRto=10ms");
        for (uint32_t host = 0; host < m_flows; ++host)
        {
            network.m_transport->StartFlow({host, m_flows, 0, 0});
        }
        const Time duration = MilliSeconds(100);
        network.Run(MilliSeconds(20), duration);
        std::vector<double> rates;
        const double fairShare = 10e9 / m_flows * 1460 / 1500;
        for (const auto& [flow, bytes] : network.m_delivered)
        {
            rates.push_back(8.0 * bytes / duration.GetSeconds());
            NS_TEST_EXPECT_MSG_EQ_TOL(rates.back(), fairShare, 0.02 * fairShare, "flow " << flow);
        }
        NS_TEST_ASSERT_MSG_EQ(rates.size(), m_flows, "all flows deliver");
        NS_TEST_ASSERT_MSG_GT(JainIndex(rates), 0.98, "fair");
    }

    uint32_t m_flows; //!< number of flows
};

/**
 * @ingroup schemes-tests
 * @brief Every registered scheme delivers every flow of a small network.
 */
class EverySchemeTestCase : public TestCase
{
  public:
    EverySchemeTestCase()
        : TestCase("every scheme delivers every flow")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string& scheme : ListRegisteredNames(Scheme::GetTypeId()))
        {
            SchemeTestNetwork network(scheme, "leaf-spine:Leaves=2,HostsPerLeaf=4,Spines=2", "");
            for (uint32_t i = 0; i < 32; ++i)
            {
                network.m_transport->StartFlow({i % 4, 4 + i / 4 % 4, 1 + 5000 * i, 0});
            }
            network.Run(Seconds(0), Seconds(2));
            NS_TEST_EXPECT_MSG_EQ(network.m_finished, 32, scheme);
            for (const auto& [flow, bytes] : network.m_delivered)
            {
                NS_TEST_EXPECT_MSG_EQ(bytes, 1 + 5000 * (flow - 1), scheme << " flow " << flow);
            }
            NS_TEST_EXPECT_MSG_EQ(network.m_scheme->GetSummary().empty(), false, scheme);
        }
    }
};

/**
 * @ingroup schemes-tests
 * @brief Buffers and marking thresholds are AFQ's (Section 6.2), by tier and rate.
 */
class PortsTestCase : public TestCase
{
  public:
    PortsTestCase()
        : TestCase("buffers by tier, DCTCP's threshold by rate")
    {
    }

  private:
    void DoRun() override
    {
        SchemeTestNetwork network("dctcp", "leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=2", "");
        const std::map<uint32_t, std::string> buffers{{0, "8000000B"},
                                                      {1, "512000B"},
                                                      {2, "1000000B"}};
        network.m_fabric->ForEachPort([&](FabricPort& port) {
            const auto& description = port.GetDescription();
            QueueSizeValue size;
            port.GetQueueDisc().GetAttribute("MaxSize", size);
            NS_TEST_EXPECT_MSG_EQ(size.Get(),
                                  QueueSize(buffers.at(description.tier)),
                                  description.name);
            QueueSizeValue threshold;
            port.GetQueueDisc().GetAttribute("MarkThreshold", threshold);
            const bool fast = description.rate == DataRate("40Gbps");
            NS_TEST_EXPECT_MSG_EQ(threshold.Get(),
                                  QueueSize(fast ? "120000B" : "30000B"),
                                  description.name);
        });
    }
};

/**
 * @ingroup schemes-tests
 * @brief Buffers in proportion to rates, with DRB's numbers (CoNEXT 2013, Section 5).
 */
class BufferAsTimeTestCase : public TestCase
{
  public:
    BufferAsTimeTestCase()
        : TestCase("buffers by rate")
    {
    }

  private:
    void DoRun() override
    {
        SchemeTestNetwork net("tcp:EdgeBuffer=1048576ns,CoreBuffer=1048576ns,HostBuffer=1MB",
                              "vl2:D0=2,D1=4,D2=4,FabricRate=5Gbps",
                              "");
        net.m_fabric->ForEachPort([this](const FabricPort& port) {
            const auto& description = port.GetDescription();
            QueueSizeValue size;
            port.GetQueueDisc().GetAttribute("MaxSize", size);
            const bool slow = description.rate == DataRate("1Gbps");
            NS_TEST_EXPECT_MSG_EQ(size.Get().GetValue(),
                                  (description.tier == 0 ? 1'000'000
                                   : slow                ? 131'072
                                                         : 655'360),
                                  description.name);
        });
    }
};

/**
 * @ingroup schemes-tests
 * @brief All ports of a switch share its memory, and no port takes more than its threshold.
 */
class SharedBufferTestCase : public TestCase
{
  public:
    SharedBufferTestCase()
        : TestCase("buffers shared by the ports of a switch")
    {
    }

  private:
    void DoRun() override
    {
        // Alone, a port holds q <= alpha (S - q), that is alpha / (1 + alpha) of the memory.
        CheckShare("tcp:SharedBuffer=300000B", 1, 300000 / 2, 300000 / 2);
        CheckShare("tcp:SharedBuffer=300000B,SharedBufferAlpha=0.5", 1, 300000 / 3, 300000 / 3);
        CheckShare("tcp:SharedBuffer=300000B,SharedBufferAlpha=8",
                   1,
                   300000 * 8 / 9,
                   300000 * 8 / 9);
        // Two ports that are full together: each q <= alpha (S - 2 q).
        CheckShare("tcp:SharedBuffer=300000B", 2, 300000 / 3, 300000 / 2);
    }

    /**
     * @param scheme specification of the scheme
     * @param ports of the switch that get more than they can send
     * @param least that waited at each when most did, in bytes
     * @param most that may have waited
     */
    void CheckShare(const std::string& scheme, uint32_t ports, uint32_t least, uint32_t most)
    {
        SchemeTestNetwork net(scheme, "single-switch:Hosts=24", "");
        for (uint32_t sender = ports; sender < 24; ++sender)
        {
            net.m_transport->StartFlow(
                {.source = sender, .destination = sender % ports, .bytes = 1'000'000});
        }
        net.Run(Seconds(0), MilliSeconds(5));
        const FabricSwitch& node = net.m_fabric->GetSwitch(0);
        for (uint32_t port = 0; port < ports; ++port)
        {
            const FabricQueueDisc& disc = node.GetPort(port).GetQueueDisc();
            NS_TEST_EXPECT_MSG_GT(disc.GetPeakBytes(), least - 3000, scheme << ": threshold");
            NS_TEST_EXPECT_MSG_LT(disc.GetPeakBytes(), most + 1500, scheme << ": threshold");
            NS_TEST_ASSERT_MSG_EQ(disc.GetDropCounts().size(), 1, "one reason");
            NS_TEST_EXPECT_MSG_EQ(disc.GetDropCounts()[0].reason,
                                  std::string(FabricQueueDisc::BUFFER_DROP),
                                  "the memory, no limit of a port");
        }
    }
};

/**
 * @ingroup schemes-tests
 * @brief The attributes Queue and HostQueue replace a scheme's own discipline.
 */
class QueueTestCase : public TestCase
{
  public:
    QueueTestCase()
        : TestCase("the user's discipline instead of the scheme's")
    {
    }

  private:
    void DoRun() override
    {
        Check("dctcp", "ns3::StepMarkQueueDisc 8000000B", "ns3::StepMarkQueueDisc 512000B");
        // A default holds four thresholds, a buffer that was asked for is as it was asked for.
        Check("dctcp:MarkThreshold=3MB",
              "ns3::StepMarkQueueDisc 12000000B",
              "ns3::StepMarkQueueDisc 12000000B");
        Check("dctcp:MarkThreshold=3MB,HostBuffer=4MB",
              "ns3::StepMarkQueueDisc 4000000B",
              "ns3::StepMarkQueueDisc 12000000B");
        Check("dctcp:Queue=\"drr:Queues=4,Classify=Flow\"",
              "ns3::DrrQueueDisc 8000000B",
              "ns3::DrrQueueDisc 512000B");
        Check("tcp:HostQueue=drr", "ns3::DrrQueueDisc 8000000B", "ns3::DropTailQueueDisc 512000B");
        Check("tcp:Queue=\"drop-tail:MaxSize=30kB\",HostQueue=drop-tail",
              "ns3::DropTailQueueDisc 8000000B",
              "ns3::DropTailQueueDisc 30000B");
        for (const std::string wrong : {"tcp:Queue=nothing", "tcp:HostQueue=\"drr:Queues=x\""})
        {
            bool refused = false;
            try
            {
                SchemeTestNetwork network(wrong, "dumbbell:Left=1,Right=1", "");
            }
            catch (const InputError&)
            {
                refused = true;
            }
            NS_TEST_EXPECT_MSG_EQ(refused, true, wrong);
        }
    }

    /**
     * @brief Look at all ports of hosts and of the switches they are attached to.
     * @param scheme specification of the scheme
     * @param host class and limit of the hosts' discipline
     * @param edge the same of the switches'
     */
    void Check(const std::string& scheme, const std::string& host, const std::string& edge)
    {
        SchemeTestNetwork network(scheme, "dumbbell:Left=2,Right=1", "");
        network.m_fabric->ForEachPort([&](FabricPort& port) {
            QueueSizeValue size;
            port.GetQueueDisc().GetAttribute("MaxSize", size);
            std::ostringstream found;
            found << port.GetQueueDisc().GetInstanceTypeId().GetName() << " " << size.Get();
            NS_TEST_EXPECT_MSG_EQ(found.str(),
                                  (port.GetDescription().tier == 0 ? host : edge),
                                  scheme);
        });
    }
};

/**
 * @ingroup schemes-tests
 * @brief The attribute Paths chooses how switches choose.
 */
class PathsTestCase : public TestCase
{
  public:
    PathsTestCase()
        : TestCase("a flow keeps its path, or is sprayed")
    {
    }

  private:
    /**
     * @brief Send one flow over two spines.
     * @param scheme specification of the scheme
     * @return the number of spines that carried data
     */
    uint32_t CountSpines(const std::string& scheme)
    {
        SchemeTestNetwork network(scheme, "leaf-spine:Leaves=2,HostsPerLeaf=1,Spines=2", "");
        network.m_transport->StartFlow({0, 1, 1'000'000, 0});
        network.Run(Seconds(0), Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(network.m_finished, 1, scheme);
        uint32_t spines = 0;
        network.m_fabric->ForEachPort([&spines](FabricPort& port) {
            const bool down = port.GetDescription().tier == 2;
            spines += down && port.GetTxBytes() > 400'000 ? 1 : 0;
        });
        return spines;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountSpines("dctcp"), 1, "flow ECMP by default");
        NS_TEST_EXPECT_MSG_EQ(CountSpines("dctcp:Paths=spray"), 2, "sprayed");
        NS_TEST_EXPECT_MSG_EQ(CountSpines("dctcp:Paths=flowlet:Gap=1s"), 1, "never a gap");
        NS_TEST_EXPECT_MSG_EQ(CountSpines("dctcp:Paths=flowlet:Gap=0ns"), 2, "always");
    }
};

/**
 * @ingroup schemes-tests
 * @brief With a re-sequencing buffer, spraying costs TCP no throughput.
 */
class ResequencingTestCase : public TestCase
{
  public:
    ResequencingTestCase()
        : TestCase("packet spray in a fat-tree, with and without re-sequencing")
    {
    }

  private:
    /**
     * @brief Every host of a fat-tree sends to one in another pod.
     * @param scheme specification of the scheme
     * @param transport specification of the transport
     * @return mean goodput of the hosts in bit/s
     */
    double MeasureGoodput(const std::string& scheme, const std::string& transport)
    {
        SchemeTestNetwork network(scheme, "fat-tree:K=8,Pods=2", transport);
        const uint32_t hosts = network.m_fabric->GetNHosts();
        for (uint32_t host = 0; host < hosts; ++host)
        {
            network.m_transport->StartFlow({host, (host + hosts / 2 + 1) % hosts, 0, 0});
        }
        const Time duration = MilliSeconds(2);
        network.Run(MilliSeconds(1), duration);
        uint64_t bytes = 0;
        for (const auto& [flow, delivered] : network.m_delivered)
        {
            bytes += delivered;
        }
        return 8.0 * bytes / hosts / duration.GetSeconds();
    }

    void DoRun() override
    {
        // A TCP that takes nothing for a loss does not mind reordering.
        const double tolerant = MeasureGoodput("dctcp:Paths=spray", "lean:ReTxThreshold=100000");
        const double plain = MeasureGoodput("dctcp:Paths=spray", "lean");
        const double restored =
            MeasureGoodput("dctcp:Paths=spray,ResequencingTimeout=10ms", "lean");
        NS_TEST_EXPECT_MSG_LT(plain, 0.9 * tolerant, "reordering costs throughput");
        NS_TEST_EXPECT_MSG_GT(restored, 0.97 * tolerant, "which the buffer gives back");
    }
};

/**
 * @ingroup schemes-tests
 * @brief The round trip of a lone packet as its sender sees it: DRB's base RTT (CoNEXT 2013).
 */
class RoundTripTestCase : public TestCase
{
  public:
    RoundTripTestCase()
        : TestCase("round trip of a lone packet")
    {
    }

  private:
    void DoRun() override
    {
        SchemeTestNetwork net(
            "tcp",
            "fat-tree:K=4,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps,LinkDelay=5us",
            "lean:Handshake=false,DelAckCount=1");
        const bool connected = net.m_transport->TraceConnectWithoutContext(
            "RoundTrip",
            MakeCallback(&RoundTripTestCase::Note, this));
        NS_TEST_ASSERT_MSG_EQ(connected, true, "trace source");
        net.m_transport->StartFlow({0, 15, 1460, 0});
        net.Run(MilliSeconds(1), MilliSeconds(1));
        // Six links of 5 us and as many transmissions, 1500 bytes there and 40 bytes back.
        NS_TEST_EXPECT_MSG_EQ(m_samples, 1, "samples");
        NS_TEST_EXPECT_MSG_EQ(m_roundTrip, NanoSeconds(133'920), "round trip");
    }

    void Note(Time roundTrip)
    {
        ++m_samples;
        m_roundTrip = roundTrip;
    }

    uint32_t m_samples{0}; //!< round trips measured
    Time m_roundTrip;      //!< the last
};

/**
 * @ingroup schemes-tests
 * @brief The user's choice of the transport wins, if the scheme can work with it.
 */
class TransportChoiceTestCase : public TestCase
{
  public:
    TransportChoiceTestCase()
        : TestCase("a scheme's transport and the user's")
    {
    }

  private:
    /**
     * @brief Ask a scheme for its transport.
     * @param scheme specification of the scheme
     * @param transport specification of the transport; empty: the scheme's
     * @return class and congestion control of what it made
     */
    std::string Choose(const std::string& scheme, const std::string& transport)
    {
        const SchemeTestNetwork network(scheme, "dumbbell:Left=1,Right=1", transport);
        const auto made = network.m_transport;
        StringValue congestion;
        made->GetAttribute("CongestionOps", congestion);
        return made->GetInstanceTypeId().GetName() + " " + congestion.Get();
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Choose("tcp", ""), "ns3::LeanTransport ns3::TcpLinuxReno", "");
        NS_TEST_EXPECT_MSG_EQ(Choose("cubic", ""), "ns3::LeanTransport ns3::TcpCubic", "");
        NS_TEST_EXPECT_MSG_EQ(Choose("dctcp", "ns3"), "ns3::Ns3Transport ns3::TcpDctcp", "");
        NS_TEST_EXPECT_MSG_EQ(Choose("dctcp:Transport=ns3", ""),
                              "ns3::Ns3Transport ns3::TcpDctcp",
                              "");
        NS_TEST_EXPECT_MSG_EQ(Choose("dctcp", "lean:CongestionOps=ns3::TcpVegas"),
                              "ns3::LeanTransport ns3::TcpVegas",
                              "");
        for (const std::string bad : {"udp", "nonsense", "lean:Nonsense=1"})
        {
            bool refused = false;
            try
            {
                Choose("tcp", bad);
            }
            catch (const InputError& error)
            {
                refused = std::string(error.what()).find("--transport") != std::string::npos;
            }
            NS_TEST_EXPECT_MSG_EQ(refused, true, bad << " is refused by name");
        }
    }
};

/**
 * @ingroup schemes-tests
 * @brief Test suite of the schemes.
 */
class SchemeTestSuite : public TestSuite
{
  public:
    SchemeTestSuite()
        : TestSuite("scheme", Type::UNIT)
    {
        for (const std::string scheme : {"tcp", "cubic", "dctcp"})
        {
            for (const std::string transport : {"lean", "ns3"})
            {
                AddTestCase(new GoodputTestCase(scheme, transport), Duration::QUICK);
            }
        }
        AddTestCase(new FairShareTestCase(2), Duration::QUICK);
        AddTestCase(new FairShareTestCase(8), Duration::QUICK);
        AddTestCase(new EverySchemeTestCase, Duration::QUICK);
        AddTestCase(new PortsTestCase, Duration::QUICK);
        AddTestCase(new BufferAsTimeTestCase, Duration::QUICK);
        AddTestCase(new SharedBufferTestCase, Duration::QUICK);
        AddTestCase(new QueueTestCase);
        AddTestCase(new PathsTestCase, Duration::QUICK);
        AddTestCase(new ResequencingTestCase, Duration::QUICK);
        AddTestCase(new RoundTripTestCase, Duration::QUICK);
        AddTestCase(new TransportChoiceTestCase, Duration::QUICK);
    }
};

/// @ingroup schemes-tests
/// Static variable for test initialization.
static SchemeTestSuite g_schemeTestSuite;
