/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme-test-network.h"

#include "ns3/fabric-item.h"
#include "ns3/input-error.h"
#include "ns3/network.h"
#include "ns3/object-spec.h"
#include "ns3/pair-edge.h"
#include "ns3/pair-queue-disc.h"
#include "ns3/port-stage.h"
#include "ns3/results.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @ingroup schemes-tests
 * @brief Two VM pairs that send from one host.
 */
class PairSchemeTestNetwork
{
  public:
    /**
     * @brief Build the network: tenant A from host 0 to host 1, tenant B from host 0 to host 2.
     * @param scheme specification of the scheme
     * @param transports specifications of the transports
     */
    explicit PairSchemeTestNetwork(const std::string& scheme, const std::string& transports)
        : network(CreateObject<Network>())
    {
        auto tenants = CreateObject<TenantTable>();
        tenants->AddTenant({"A"});
        const VmId a = tenants->AddVm({0, 0, DataRate("1Gbps"), DataRate("1Gbps")});
        const VmId c = tenants->AddVm({0, 1, DataRate("1Gbps"), DataRate("1Gbps")});
        tenants->AddTenant({"B"});
        const VmId b = tenants->AddVm({1, 0, DataRate("3Gbps"), DataRate("3Gbps")});
        const VmId d = tenants->AddVm({1, 2, DataRate("3Gbps"), DataRate("3Gbps")});
        pairs = {tenants->GetPair(a, c), tenants->GetPair(b, d)};
        network->SetTopology("single-switch:Hosts=3");
        network->SetScheme(scheme);
        network->SetTransports(transports);
        network->SetTenants(tenants);
        network->Build();
    }

    ~PairSchemeTestNetwork()
    {
        network->Dispose();
        Simulator::Destroy();
    }

    PairSchemeTestNetwork(const PairSchemeTestNetwork&) = delete;
    PairSchemeTestNetwork& operator=(const PairSchemeTestNetwork&) = delete;

    /**
     * @brief Let both pairs send without end, over the last transport.
     * @param flows of each pair
     * @return the rate of each pair from 20 ms to 50 ms, in Mbit/s of IP datagrams
     */
    std::vector<double> Run(uint32_t flows)
    {
        Transports& transports = *network->GetTransports();
        for (uint32_t flow = 0; flow < flows; ++flow)
        {
            for (uint32_t pair : {0, 1})
            {
                FlowRequest request{0, 1 + pair};
                request.pair = pairs[pair] + 1;
                request.transport = static_cast<uint8_t>(transports.GetN() - 1);
                transports.StartFlow(request);
            }
        }
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        const std::vector<uint64_t> before = GetSentBytes();
        Simulator::Stop(MilliSeconds(30));
        Simulator::Run();
        std::vector<double> rates;
        for (size_t i = 0; i < pairs.size(); ++i)
        {
            rates.push_back(8e-6 / 0.03 * static_cast<double>(GetSentBytes()[i] - before[i]));
        }
        return rates;
    }

    /// @brief The bytes that left the channels of the pairs.
    std::vector<uint64_t> GetSentBytes() const
    {
        const auto edge = network->GetFabric()->GetObject<PairEdge>();
        std::vector<uint64_t> bytes;
        for (PairId pair : pairs)
        {
            bytes.push_back(edge->FindChannel(pair)->GetStatistics().sentBytes);
        }
        return bytes;
    }

    Ptr<Network> network;      //!< all of it
    std::vector<PairId> pairs; //!< of A and of B
};

/**
 * @ingroup schemes-tests
 * @brief Rates of pairs under static reservation and under weighted fair queueing alone.
 */
class PairRatesTestCase : public TestCase
{
  public:
    PairRatesTestCase()
        : TestCase("guarantees as limits, and as weights")
    {
    }

  private:
    void DoRun() override
    {
        {
            PairSchemeTestNetwork test("static-reservation", "");
            const auto rates = test.Run(2);
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 1000, 10, "limit of A");
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[1], 3000, 10, "limit of B");
            Results results;
            test.network->ReportResults(results);
            double reports = 0;
            for (const Results::Row& row : results.GetRows())
            {
                reports += row.name == "pair_reports_received" ? row.value : 0;
            }
            NS_TEST_EXPECT_MSG_GT(reports, 30, "the scheme tells of reports");
        }
        {
            PairSchemeTestNetwork test("static-reservation", "ns3");
            const auto rates = test.Run(2);
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 1000, 20, "sockets of ns-3, limit of A");
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[1], 3000, 60, "sockets of ns-3, limit of B");
        }
        {
            PairSchemeTestNetwork test("host-fair-queueing", "");
            const auto rates = test.Run(2);
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 2500, 60, "a quarter of the link");
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[1], 7500, 180, "three quarters");
        }
        {
            PairSchemeTestNetwork test(
                "host-fair-queueing:Controller=\"window:Window=3000,BaseRtt=6us\","
                "Answers=NoPair",
                "lean;udp:Rate=2Gbps");
            const auto rates = test.Run(1);
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 2000, 5, "the rate of the flow");
        }
    }
};

/**
 * @ingroup schemes-tests
 * @brief An endless sender behind a channel that holds is pulled.
 */
class PulledSenderTestCase : public TestCase
{
  public:
    PulledSenderTestCase()
        : TestCase("senders without end fill no memory behind a limit")
    {
    }

  private:
    void DoRun() override
    {
        PairSchemeTestNetwork test("static-reservation", "lean;udp:Rate=10Gbps,SendBuffer=131072B");
        const uint64_t before = FabricItem::GetLiveCount();
        const auto rates = test.Run(1);
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 1000, 10, "limit of A");
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[1], 3000, 10, "limit of B");
        const FabricQueueDisc& disc =
            test.network->GetFabric()->GetHost(0).GetNicPort().GetQueueDisc();
        NS_TEST_EXPECT_MSG_LT_OR_EQ(disc.GetPeakBytes(), 2 * 131072, "send buffers");
        NS_TEST_EXPECT_MSG_EQ(disc.GetDropCounts().size(), 0, "nothing is dropped");
        NS_TEST_EXPECT_MSG_LT(FabricItem::GetLiveCount() - before, 250, "few items live");
    }
};

/**
 * @ingroup schemes-tests
 * @brief A scheme with VM pairs in a network of whose tenants the user says nothing.
 */
class DefaultTenantsNetwork : public SchemeTestNetwork
{
  public:
    /// @param scheme specification of the scheme
    explicit DefaultTenantsNetwork(const std::string& scheme)
        : SchemeTestNetwork(scheme, "single-switch:Hosts=8,HostRate=10Gbps", "lean")
    {
    }

    /**
     * @brief Send without end from host 0 to host 1 (group 0) and to host 2 (group 1).
     * @param flows to each host
     * @param duration time from 5 ms on in which deliveries count
     * @return the goodput of each, in Mbit/s
     */
    std::vector<double> Send(const std::array<uint32_t, 2>& flows, Time duration)
    {
        std::map<FlowId, size_t> receivers;
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            for (uint32_t flow = 0; flow < flows[i]; ++flow)
            {
                receivers[m_network->GetTransports()->StartFlow(
                    {.source = 0, .destination = 1 + i, .group = i})] = i;
            }
        }
        Run(MilliSeconds(5), duration);
        std::vector<double> rates(flows.size());
        for (const auto& [flow, bytes] : m_delivered)
        {
            rates[receivers[flow]] += 8e-6 / duration.GetSeconds() * static_cast<double>(bytes);
        }
        return rates;
    }
};

/**
 * @ingroup schemes-tests
 * @brief Every scheme with VM pairs has something to protect in every scenario.
 */
class DefaultTenantsSchemeTestCase : public TestCase
{
  public:
    DefaultTenantsSchemeTestCase()
        : TestCase("networks without tenants")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string& name : ListRegisteredNames(Scheme::GetTypeId()))
        {
            StringValue controller;
            Scheme::Create(name)->GetAttribute("Controller", controller);
            if (!controller.Get().empty())
            {
                CheckChannels(name);
            }
        }
        CheckRates("static-reservation", {1, 3}, {2500, 2500}, "half a link, divided by pairs");
        CheckRates("static-reservation:DefaultTenants=\"groups:Share=0.2\"",
                   {1, 3},
                   {2000, 2000},
                   "each group's share");
        CheckRates("host-fair-queueing", {1, 3}, {5000, 5000}, "groups share a host's link");
        CheckRates("host-fair-queueing:DefaultTenants=none",
                   {1, 3},
                   {2500, 7500},
                   "nothing but TCP");
    }

    /// @param scheme name of a scheme
    void CheckChannels(const std::string& scheme)
    {
        const auto first = DefaultTenantsNetwork(scheme).Send({1, 2}, MilliSeconds(2));
        DefaultTenantsNetwork network(scheme);
        const auto rates = network.Send({1, 2}, MilliSeconds(2));
        NS_TEST_EXPECT_MSG_EQ((rates == first), true, "the same again, by " << scheme);
        const auto edge = network.m_fabric->GetObject<PairEdge>();
        NS_TEST_EXPECT_MSG_GT_OR_EQ(edge->GetTenants().GetNPairs(), 4, "pairs, by " << scheme);
        NS_TEST_EXPECT_MSG_EQ(edge->GetQueueDisc(0).GetChannels().size(), 2, "by " << scheme);
        for (const double rate : rates)
        {
            NS_TEST_EXPECT_MSG_GT(rate, 500, "data come through, by " << scheme);
        }
    }

    /**
     * @param scheme specification of the scheme
     * @param flows to each of two hosts
     * @param expected rate of IP datagrams to each in Mbit/s
     * @param what in words
     */
    void CheckRates(const std::string& scheme,
                    const std::array<uint32_t, 2>& flows,
                    const std::array<double, 2>& expected,
                    const std::string& what)
    {
        const auto rates = DefaultTenantsNetwork(scheme).Send(flows, MilliSeconds(10));
        for (size_t i = 0; i < rates.size(); ++i)
        {
            // Goodput is 1448 of 1500 bytes; CUBIC alone is not fairer than a fifth within 10 ms.
            const double goodput = expected[i] * 1448 / 1500;
            const double tolerance = scheme.find("none") == std::string::npos ? 0.05 : 0.2;
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[i], goodput, tolerance * goodput, what << ", " << i);
        }
    }
};

/**
 * @ingroup schemes-tests
 * @brief Flows of a pair take turns in what uFAB compares with, and stand in one FIFO in what
 * Trinity compares with.
 */
class FlowOrderSchemeTestCase : public TestCase
{
  public:
    FlowOrderSchemeTestCase()
        : TestCase("order of a pair's flows")
    {
    }

  private:
    static std::string GetOrder(const std::string& scheme)
    {
        PairSchemeTestNetwork test(scheme, "lean");
        const auto edge = test.network->GetFabric()->GetObject<PairEdge>();
        StringValue order;
        edge->GetController(0).GetAttribute("FlowOrder", order);
        return order.Get();
    }

    void DoRun() override
    {
        for (const std::string scheme :
             {"host-fair-queueing", "picnic", "swift-wcc", "pwc", "elastic-switch-clove"})
        {
            NS_TEST_EXPECT_MSG_EQ(GetOrder(scheme), "RoundRobin", scheme);
        }
        for (const std::string scheme : {"static-reservation",
                                         "elastic-switch",
                                         "elastic-switch-conservative",
                                         "elastic-switch-aggressive",
                                         "elastic-switch-sigcomm13"})
        {
            NS_TEST_EXPECT_MSG_EQ(GetOrder(scheme), "Fifo", scheme);
        }
        NS_TEST_EXPECT_MSG_EQ(
            GetOrder("static-reservation:Controller=\"static:FlowOrder=RoundRobin\""),
            "RoundRobin",
            "as the user says");
    }
};

/**
 * @ingroup schemes-tests
 * @brief A stage that counts what passes it.
 */
class CountingTestPortStage : public PortStage
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::CountingTestPortStage")
                                .SetParent<PortStage>()
                                .AddConstructor<CountingTestPortStage>();
        return tid;
    }

    void OnBuilt(Fabric& fabric) override
    {
        m_hosts = fabric.GetNHosts();
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_stream = stream;
        return 1;
    }

    void Depart(FabricItem* /* item */, const FabricPort& /* port */) override
    {
        ++m_packets;
    }

    uint32_t m_hosts{0};   //!< of the network
    int64_t m_stream{0};   //!< random variable stream
    uint32_t m_packets{0}; //!< that departed
};

NS_OBJECT_ENSURE_REGISTERED(CountingTestPortStage);

/// A row that names a part of every kind.
static const SchemeRows g_rowOfParts{
    {"row-of-parts",
     "tcp:Queue=drr:Queues=8,Controller=elastic-switch,DefaultTenants=hosts,Agents=clove,"
     "Stages=counting-test",
     "queue, controller, tenants, agents and stages, for tests"},
};

/**
 * @ingroup schemes-tests
 * @brief A row and the command line name any part; none needs a class.
 */
class RowOfPartsTestCase : public TestCase
{
  public:
    RowOfPartsTestCase()
        : TestCase("any part in a row, and on the command line")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t bytes = Check("row-of-parts:StagesExcept=spine0");
        const uint64_t written = Check("tcp:Queue=drr:Queues=8,Controller=elastic-switch,"
                                       "Agents=clove,Stages=counting-test,StagesExcept=spine0");
        NS_TEST_EXPECT_MSG_EQ(written, bytes, "the same by other means");
    }

    /**
     * @param scheme names the parts
     * @return bytes that a flow from rack to rack delivers in 2 ms
     */
    uint64_t Check(const std::string& scheme)
    {
        SchemeTestNetwork test(scheme, "leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=2", "");
        test.m_network->GetTransports()->StartFlow({0, 3});
        test.Run(Time(0), MilliSeconds(2));
        const auto edge = test.m_fabric->GetObject<PairEdge>();
        NS_TEST_EXPECT_MSG_EQ(edge->GetController(0).GetInstanceTypeId().GetName(),
                              "ns3::ElasticSwitchPairController",
                              scheme);
        NS_TEST_EXPECT_MSG_EQ(edge->GetQueueDisc(0).GetChannels().size(), 1, scheme);
        NS_TEST_EXPECT_MSG_EQ(test.m_network->GetTenants()->GetNVms(), 4, "a VM per host");
        const auto& agents = test.m_fabric->GetHost(0).GetEdgeAgents();
        NS_TEST_EXPECT_MSG_EQ(agents.back()->GetInstanceTypeId().GetName(),
                              "ns3::CloveEdgeAgent",
                              "behind what the pairs need");
        CheckPorts(*test.m_fabric);
        return test.m_delivered.begin()->second;
    }

    /// @param fabric the network
    void CheckPorts(Fabric& fabric)
    {
        std::set<int64_t> streams;
        fabric.ForEachPort([&](const FabricPort& port) {
            const FabricPort::Description& description = port.GetDescription();
            if (description.tier == 0)
            {
                return;
            }
            NS_TEST_EXPECT_MSG_EQ(port.GetQueueDisc().GetInstanceTypeId().GetName(),
                                  "ns3::DrrQueueDisc",
                                  description.name);
            uint32_t stages = 0;
            for (const auto& stage : port.GetStages())
            {
                if (const auto counting = DynamicCast<CountingTestPortStage>(stage))
                {
                    ++stages;
                    NS_TEST_EXPECT_MSG_EQ(counting->m_hosts, 4, "it knows its network");
                    NS_TEST_EXPECT_MSG_EQ(streams.insert(counting->m_stream).second,
                                          true,
                                          "a stream of its own");
                    NS_TEST_EXPECT_MSG_EQ((counting->m_packets > 0),
                                          (port.GetTxPackets() > 0),
                                          description.name);
                }
            }
            const bool isExcepted = description.name.starts_with("spine0");
            NS_TEST_EXPECT_MSG_EQ(stages, (isExcepted ? 0 : 1), description.name);
        });
    }
};

/**
 * @ingroup schemes-tests
 * @brief A setting that cannot be used is told in one line.
 */
class PairSchemeInputTestCase : public TestCase
{
  public:
    PairSchemeInputTestCase()
        : TestCase("bad input")
    {
    }

  private:
    static std::string GetError(const std::string& scheme)
    {
        auto network = CreateObject<Network>();
        network->SetTopology("single-switch");
        std::string text;
        try
        {
            network->SetScheme(scheme);
            network->Build();
        }
        catch (const InputError& error)
        {
            text = error.what();
        }
        network->Dispose();
        return text;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetError("static-reservation"), "", "nobody rents the network");
        NS_TEST_EXPECT_MSG_EQ(GetError("static-reservation:Controller=nix").substr(0, 29),
                              "--scheme Controller = 'nix': ",
                              "no such controller");
        NS_TEST_EXPECT_MSG_EQ(GetError("static-reservation:HostQueue=drop-tail").substr(0, 33),
                              "--scheme HostQueue = 'drop-tail':",
                              "a queue without channels");
        NS_TEST_EXPECT_MSG_EQ(GetError("cubic:Stages=nix").substr(0, 25),
                              "--scheme Stages = 'nix': ",
                              "no such stage");
        NS_TEST_EXPECT_MSG_EQ(GetError("cubic:Stages=counting-test,StagesExcept=nix").substr(0, 31),
                              "--scheme StagesExcept = 'nix': ",
                              "no such switch");
        NS_TEST_EXPECT_MSG_EQ(GetError("ns3::PairScheme:Controller=open"),
                              "--scheme = 'ns3::PairScheme': written ns3::Scheme now",
                              "a class of former times");
        NS_TEST_EXPECT_MSG_EQ(GetError("cubic:HostQueue=pair").substr(0, 17),
                              "queue = 'pair': s",
                              "a scheme without VM pairs");
    }
};

/**
 * @ingroup schemes-tests
 * @brief Schemes with VM pairs.
 */
class PairSchemeTestSuite : public TestSuite
{
  public:
    PairSchemeTestSuite()
        : TestSuite("pair-scheme", Type::UNIT)
    {
        AddTestCase(new PairRatesTestCase, Duration::QUICK);
        AddTestCase(new PulledSenderTestCase, Duration::QUICK);
        AddTestCase(new DefaultTenantsSchemeTestCase, Duration::QUICK);
        AddTestCase(new FlowOrderSchemeTestCase, Duration::QUICK);
        AddTestCase(new RowOfPartsTestCase, Duration::QUICK);
        AddTestCase(new PairSchemeInputTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static PairSchemeTestSuite g_pairSchemeTestSuite;
