/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/edge-agent.h"
#include "ns3/elastic-switch-rate-law.h"
#include "ns3/fabric-host.h"
#include "ns3/fabric.h"
#include "ns3/limiter-channel.h"
#include "ns3/network.h"
#include "ns3/pair-edge.h"
#include "ns3/random-variable-stream.h"
#include "ns3/report-header.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/weighted-cubic-rate-law.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr double MBPS = 1e6; ///< bit/s

} // namespace

/**
 * @ingroup schemes-tests
 * @brief ElasticSwitch's rate as Trinity's authors measured it, against worked numbers.
 */
class ElasticSwitchRateLawTestCase : public TestCase
{
  public:
    ElasticSwitchRateLawTestCase()
        : TestCase("the measured ElasticSwitch: growth, fall to the guarantee, sawtooth")
    {
    }

  private:
    void DoRun() override
    {
        const ElasticSwitchRateLaw::Settings settings;
        ElasticSwitchRateLaw law(settings);
        law.SetGuarantee(100 * MBPS);
        NS_TEST_EXPECT_MSG_EQ(law.GetRate(), 100 * MBPS, "it begins at the guarantee");
        for (double expected : {186.0, 263.4, 333.06, 395.754, 452.1786, 502.96074})
        {
            law.Update(0, Time(0));
            NS_TEST_EXPECT_MSG_EQ_TOL(law.GetRate(), expected * MBPS, 1, "a tenth of the gap");
        }
        law.Update(1e-4, Time(0));
        NS_TEST_EXPECT_MSG_EQ(law.GetRate(), 100 * MBPS, "any mark at all");

        law.SetGuarantee(955 * MBPS);
        NS_TEST_EXPECT_MSG_EQ(law.GetRate(), 955 * MBPS, "never below the guarantee");
        law.Update(0, Time(0));
        NS_TEST_EXPECT_MSG_EQ(law.GetRate(), 965 * MBPS, "the least increase");
        law.Update(0, Time(0));
        NS_TEST_EXPECT_MSG_EQ(law.GetRate(), 965 * MBPS, "no further than the target");
        law.SetGuarantee(200 * MBPS);
        NS_TEST_EXPECT_MSG_EQ(law.GetRate(), 965 * MBPS, "less is guaranteed, nothing is taken");
        law.Restart();
        NS_TEST_EXPECT_MSG_EQ(law.GetRate(), 200 * MBPS, "after a silence");

        CheckSawtooth(100, 316, 5);
        CheckSawtooth(150, 327, 5);
        CheckSawtooth(200, 361, 5);
        CheckSawtooth(300, 401.5, 9);
    }

    /// @brief Two tenants of one guarantee, in step, on a trunk of 960 Mbit/s.
    void CheckSawtooth(double guarantee, double expected, double tolerance)
    {
        const ElasticSwitchRateLaw::Settings settings;
        ElasticSwitchRateLaw law(settings);
        law.SetGuarantee(guarantee * MBPS);
        double sum = 0;
        const int intervals = 4200; // whole periods, whatever their length
        for (int i = 0; i < intervals; ++i)
        {
            const bool congested = 2 * law.GetRate() > 960 * MBPS;
            sum += std::min(law.GetRate(), 480 * MBPS);
            law.Update(congested ? 1 : 0, Time(0));
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / intervals / MBPS, expected, tolerance, "mean rate");
    }
};

/**
 * @ingroup schemes-tests
 * @brief ElasticSwitch's rate as published, rule by rule.
 */
class WeightedCubicRateLawTestCase : public TestCase
{
  public:
    WeightedCubicRateLawTestCase()
        : TestCase("the published ElasticSwitch: cut, hold-increase, concave, convex, caution")
    {
    }

  private:
    /// @brief A law that has grown to a rate without congestion.
    static WeightedCubicRateLaw Grown(const WeightedCubicRateLaw::Settings& settings,
                                      double guarantee,
                                      double rate)
    {
        WeightedCubicRateLaw law(settings);
        law.SetGuarantee(rate * MBPS);      // there at once,
        law.SetGuarantee(guarantee * MBPS); // and what is there stays
        return law;
    }

    void DoRun() override
    {
        const WeightedCubicRateLaw::Settings settings;
        NS_TEST_EXPECT_MSG_EQ_TOL(Grown(settings, 100, 300).GetCaution(), 0.8, 1e-9, "caution");
        NS_TEST_EXPECT_MSG_EQ_TOL(Grown(settings, 100, 1000).GetCaution(), 0.1, 1e-9, "caution");
        NS_TEST_EXPECT_MSG_EQ_TOL(Grown(settings, 100, 100).GetCaution(), 1, 1e-9, "caution");
        {
            auto law = Grown(settings, 100, 400);
            law.Update(0.5, MilliSeconds(1000));
            NS_TEST_EXPECT_MSG_EQ_TOL(law.GetRate(), 360 * MBPS, 1, "0.2 times half");
            NS_TEST_EXPECT_MSG_EQ(law.GetHoldEnd(), MilliSeconds(1100), "100 ms at 100 Mbit/s");
            law.Update(0, MilliSeconds(1099));
            NS_TEST_EXPECT_MSG_EQ_TOL(law.GetRate(), 360 * MBPS, 1, "held");
            law.Update(0, MilliSeconds(1100)); // a quarter of 40 Mbit/s, times 0.9^3
            NS_TEST_EXPECT_MSG_EQ_TOL(law.GetRate(), 367.29 * MBPS, 1, "concave");
        }
        {
            auto law = Grown(settings, 200, 400);
            law.Update(1, MilliSeconds(1000));
            NS_TEST_EXPECT_MSG_EQ(law.GetHoldEnd(), MilliSeconds(1050), "50 ms at 200 Mbit/s");
            law.Update(1, MilliSeconds(1040));
            NS_TEST_EXPECT_MSG_EQ(law.GetHoldEnd(), MilliSeconds(1090), "a second event");
        }
        {
            WeightedCubicRateLaw law(settings);
            law.SetGuarantee(200 * MBPS);
            // Steps of 2, 10, 18 Mbit/s, less by a tenth of what the rate is above the guarantee.
            double rate = 200;
            for (double step : {2.0, 10.0, 18.0})
            {
                rate += step * (1 - 0.1 * (rate - 200) / 200);
                law.Update(0, MilliSeconds(15));
                NS_TEST_EXPECT_MSG_EQ_TOL(law.GetRate(), rate * MBPS, 1, "convex");
            }
            for (int i = 0; i < 100; ++i)
            {
                law.Update(0, MilliSeconds(15));
            }
            NS_TEST_EXPECT_MSG_EQ(law.GetRate(), 1000 * MBPS, "no faster than the link");
        }

        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(11);
        for (int trial = 0; trial < 100; ++trial)
        {
            WeightedCubicRateLaw law(settings);
            Time now;
            for (int i = 0; i < 200; ++i)
            {
                const double guarantee = random->GetValue(1, 900);
                law.SetGuarantee(guarantee * MBPS);
                for (int report = random->GetInteger(0, 5); report > 0; --report)
                {
                    now += MilliSeconds(15);
                    law.Update(random->GetInteger(0, 1) ? random->GetValue(0, 1) : 0, now);
                    NS_TEST_ASSERT_MSG_GT_OR_EQ(law.GetRate(), guarantee * MBPS, "guarantee");
                    NS_TEST_ASSERT_MSG_LT_OR_EQ(law.GetRate(), 1000 * MBPS, "link");
                }
            }
        }
    }
};

/**
 * @ingroup schemes-tests
 * @brief The limiter of the aggressive form has the sum of both rates.
 */
class ElasticSwitchAggressiveTestCase : public TestCase
{
  public:
    ElasticSwitchAggressiveTestCase()
        : TestCase("the aggressive ElasticSwitch: one limiter for both rates")
    {
    }

  private:
    void DoRun() override
    {
        auto network = CreateObject<Network>();
        auto tenants = CreateObject<TenantTable>();
        const DataRate hose("150Mbps");
        tenants->AddTenant({"A"});
        const VmId from = tenants->AddVm({0, 0, hose, hose});
        const PairId pair = tenants->GetPair(from, tenants->AddVm({0, 1, hose, hose}));
        network->SetTopology("single-switch:Hosts=2,HostRate=1Gbps,LinkDelay=45us");
        network->SetScheme("elastic-switch-aggressive:Controller=\"elastic-switch-aggressive:"
                           "UsableCapacity=1,Profile=Literal,UpdateAtReports=false\"");
        network->SetTenants(tenants);
        network->Build();
        FlowRequest request{0, 1};
        request.pair = pair + 1;
        request.bytes = 1000;
        network->GetTransports()->StartFlow(request);
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const auto edge = network->GetFabric()->GetObject<PairEdge>();
        PairChannel* channel = edge->FindChannel(pair);
        const auto mbps = [channel] {
            return static_cast<double>(
                       static_cast<LimiterChannel*>(channel)->GetRate().GetBitRate()) /
                   MBPS;
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(mbps(), 1000, 1e-3, "150 and 850");
        // What a report with every byte marked makes of it in the next interval: 150 and 425; then
        // without a mark 150 and 637.5.
        uint32_t sequence = 1000;
        for (const auto& [congestion, expected] :
             {std::pair<uint16_t, double>{10000, 575}, {0, 787.5}})
        {
            PairReport report;
            report.pair = pair;
            report.sequence = ++sequence;
            ReportFields fields;
            fields.congestion = congestion;
            std::memcpy(report.extra, &fields, sizeof(fields));
            edge->GetController(0).OnReport(*channel, report, DirectEvent::Now());
            Simulator::Stop(MilliSeconds(5));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ_TOL(mbps(), expected, 1e-3, "after a report");
        }
        network->Dispose();
        Simulator::Destroy();
    }
};

/**
 * @ingroup schemes-tests
 * @brief Sees the ECN codepoints on the link of a host.
 */
class EcnWatchAgent : public EdgeAgent
{
  public:
    void Incoming(FabricItem* item) override
    {
        ++counts[item->GetEcn()];
        if (item->GetClass() != FabricItem::CONTROL)
        {
            dscps.insert(item->tos >> 2);
        }
        DeliverOn(item);
    }

    uint64_t counts[4]{}; //!< packets by codepoint
    std::set<int> dscps;  //!< of what tenants send
};

/**
 * @ingroup schemes-tests
 * @brief A flow of bare packets of a tenant without ECN, and what arrives of them.
 */
class EcnProbeSink : public ItemSink
{
  public:
    /**
     * @brief Send a packet every millisecond.
     * @param fabric the network
     * @param pair number of the pair
     */
    void Start(Ptr<Fabric> fabric, PairId pair)
    {
        m_fabric = fabric;
        m_flow = fabric->AddEndpoints(this, this, {pair + 1, 0, 0});
        Send();
    }

    void ReceiveItem(FabricItem* item) override
    {
        ++counts[item->GetEcn()];
        item->Release();
    }

    uint64_t counts[4]{}; //!< packets by codepoint

  private:
    void Send()
    {
        FabricItem* item = FabricItem::Create();
        item->flow = m_flow;
        item->source = 0;
        item->destination = 2;
        item->size = 100;
        m_fabric->GetHost(0).Send(item);
        Simulator::Schedule(MilliSeconds(1), &EcnProbeSink::Send, this);
    }

    Ptr<Fabric> m_fabric; //!< the network
    uint32_t m_flow{0};   //!< the fabric's name for the flow
};

/**
 * @ingroup schemes-tests
 * @brief Two tenants send to one host over its link of 1 Gbit/s.
 */
class ElasticSwitchNetworkTestCase : public TestCase
{
  public:
    ElasticSwitchNetworkTestCase()
        : TestCase("two tenants at one port")
    {
    }

  private:
    /**
     * @brief Let both send without end.
     * @param scheme specification of the scheme
     * @param guarantees of both in Mbit/s
     * @param flows of both; 0: the tenant is silent
     * @param transports specifications; the last carries B
     * @return goodput of both in Mbit/s of IP datagrams, from 0.4 s to 1.2 s
     */
    std::vector<double> Run(const std::string& scheme,
                            const std::vector<uint32_t>& guarantees,
                            const std::vector<uint32_t>& flows,
                            const std::string& transports = "lean:InitialCwnd=3,MaxWindow=262144")
    {
        auto network = CreateObject<Network>();
        auto tenants = CreateObject<TenantTable>();
        std::vector<PairId> pairs;
        for (uint32_t tenant : {0, 1})
        {
            const DataRate hose(guarantees[tenant] * uint64_t{1'000'000});
            tenants->AddTenant({tenant == 0 ? "A" : "B"});
            const VmId from = tenants->AddVm({tenant, tenant, hose, hose});
            pairs.push_back(tenants->GetPair(from, tenants->AddVm({tenant, 2, hose, hose})));
        }
        network->SetTopology("single-switch:Hosts=3,HostRate=1Gbps,LinkDelay=45us");
        network->SetScheme(scheme);
        network->SetTransports(transports);
        network->SetTenants(tenants);
        network->Build();
        auto onLink = CreateObject<EcnWatchAgent>();
        network->GetFabric()->GetHost(2).AddEdgeAgent(onLink);
        EcnProbeSink probe;
        probe.Start(network->GetFabric(), pairs[0]);
        for (uint32_t tenant : {0, 1})
        {
            for (uint32_t flow = 0; flow < flows[tenant]; ++flow)
            {
                FlowRequest request{tenant, 2};
                request.pair = pairs[tenant] + 1;
                request.transport =
                    static_cast<uint8_t>(tenant * (network->GetTransports()->GetN() - 1));
                network->GetTransports()->StartFlow(request);
            }
        }
        const auto edge = network->GetFabric()->GetObject<PairEdge>();
        const auto received = [&edge](PairId pair) {
            const PairReceiver* receiver = edge->FindReceiver(pair);
            return receiver ? static_cast<double>(receiver->GetBytes()) : 0;
        };
        Simulator::Stop(MilliSeconds(400));
        Simulator::Run();
        const std::vector<double> before{received(pairs[0]), received(pairs[1])};
        Simulator::Stop(MilliSeconds(800));
        Simulator::Run();
        std::vector<double> rates;
        for (uint32_t tenant : {0, 1})
        {
            rates.push_back((received(pairs[tenant]) - before[tenant]) * 8 / 0.8 / MBPS);
        }
        m_capable = onLink->counts[FabricItem::ECT0];
        m_marked = onLink->counts[FabricItem::CE];
        NS_TEST_EXPECT_MSG_EQ(onLink->dscps.size(), 1, "no colours");
        m_clean = probe.counts[FabricItem::NOT_ECT];
        m_unclean = probe.counts[FabricItem::ECT0] + probe.counts[FabricItem::CE];
        network->Dispose();
        Simulator::Destroy();
        return rates;
    }

    void DoRun() override
    {
        auto rates = Run("elastic-switch", {100, 100}, {1, 10});
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 320, 25, "half of the spare bandwidth");
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[1], 320, 25, "however many connections");
        NS_TEST_EXPECT_MSG_GT(m_capable, 30000, "packets are ECN-capable on their way");
        NS_TEST_EXPECT_MSG_GT(m_marked, 500, "ports mark");
        NS_TEST_EXPECT_MSG_GT(m_clean, 1000, "most of the probe's packets arrive");
        NS_TEST_EXPECT_MSG_EQ(m_unclean, 0, "tenants see neither ECT nor CE");

        rates = Run("elastic-switch", {150, 750}, {1, 10});
        NS_TEST_EXPECT_MSG_GT(rates[0], 0.97 * 150, "guarantee of A");
        NS_TEST_EXPECT_MSG_GT(rates[1], 0.97 * 750, "guarantee of B");

        rates = Run("elastic-switch-aggressive", {200, 200}, {1, 10});
        NS_TEST_EXPECT_MSG_GT(rates[0], 0.97 * 200, "guarantee of A");
        NS_TEST_EXPECT_MSG_GT(rates[1], 0.97 * 200, "guarantee of B");
        NS_TEST_EXPECT_MSG_GT(rates[0] + rates[1], 650, "more than guarantees");
        NS_TEST_EXPECT_MSG_EQ(m_unclean, 0, "tenants see neither ECT nor CE");

        rates = Run("elastic-switch", {100, 300}, {1, 0});
        NS_TEST_EXPECT_MSG_GT(rates[0], 0.95 * 960, "alone");

        // Without hold-increase all steps are in proportion to the guarantee; with it the larger
        // pair, which may increase again sooner, gets still more.
        const std::string published =
            "elastic-switch-sigcomm13:Controller=\"elastic-switch-sigcomm13:";
        const auto ratio = [this, &published](const std::string& hold) {
            const auto both = Run(published + "Interval=5ms," + hold + "\"", {100, 300}, {1, 1});
            NS_TEST_EXPECT_MSG_GT(both[0] + both[1], 750, "the link is used");
            return (both[1] - 300) / (both[0] - 100);
        };
        const double withoutHold = ratio("HoldBits=0");
        NS_TEST_EXPECT_MSG_GT(withoutHold, 1, "more of the spare for the larger guarantee");
        NS_TEST_EXPECT_MSG_LT(withoutHold, 3.5, "but not more than in proportion");
        NS_TEST_EXPECT_MSG_GT(ratio("HoldBits=1e7"), withoutHold, "hold-increase");

        // Guarantees hold against datagrams at line rate.
        const std::string adversary = "lean:MaxWindow=262144;udp:Rate=1Gbps,SendBuffer=131072B";
        for (const std::string scheme : {"elastic-switch", "elastic-switch-sigcomm13"})
        {
            rates = Run(scheme, {700, 200}, {4, 1}, adversary);
            NS_TEST_EXPECT_MSG_GT(rates[0], 0.95 * 700, scheme << " beside UDP");
        }
        rates = Run("elastic-switch:Controller=\"elastic-switch:Signal=Losses\",Queue=drop-tail",
                    {700, 200},
                    {4, 1},
                    adversary);
        NS_TEST_EXPECT_MSG_GT(rates[0], 450, "losses as the signal");
        NS_TEST_EXPECT_MSG_LT(rates[1],
                              510,
                              "UDP at line rate falls back at losses, to what A leaves");

        rates = Run("static-reservation", {100, 800}, {1, 1}, adversary);
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 100, 0.5, "static, whatever the others do");
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[1], 800, 4, "static, whatever it offers");
    }

    uint64_t m_capable{0}; //!< unmarked packets on the link
    uint64_t m_marked{0};  //!< marked ones
    uint64_t m_clean{0};   //!< packets without ECN that the tenant saw
    uint64_t m_unclean{0}; //!< others
};

/**
 * @ingroup schemes-tests
 * @brief Schemes of the ElasticSwitch family.
 */
class ElasticSwitchTestSuite : public TestSuite
{
  public:
    ElasticSwitchTestSuite()
        : TestSuite("elastic-switch", Type::UNIT)
    {
        AddTestCase(new ElasticSwitchRateLawTestCase, Duration::QUICK);
        AddTestCase(new WeightedCubicRateLawTestCase, Duration::QUICK);
        AddTestCase(new ElasticSwitchAggressiveTestCase, Duration::QUICK);
        AddTestCase(new ElasticSwitchNetworkTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static ElasticSwitchTestSuite g_elasticSwitchTestSuite;
