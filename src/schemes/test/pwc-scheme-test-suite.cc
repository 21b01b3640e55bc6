/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme-test-network.h"

#include "ns3/clove-weights.h"
#include "ns3/departure-stamp.h"
#include "ns3/link-utilization.h"
#include "ns3/pair-edge.h"
#include "ns3/pair-report.h"
#include "ns3/pwc-channel.h"
#include "ns3/pwc-pair-controller.h"
#include "ns3/receiver-rate-law.h"
#include "ns3/results.h"
#include "ns3/swift-window.h"
#include "ns3/tenant-table.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

using namespace ns3;

/**
 * @ingroup schemes-tests
 * @brief The receiver's rate of PicNIC' in worked numbers.
 */
class ReceiverRateLawTestCase : public TestCase
{
  public:
    ReceiverRateLawTestCase()
        : TestCase("the rate that receivers grant in worked numbers")
    {
    }

  private:
    void DoRun() override
    {
        ReceiverRateLaw over(0.5, 1e6, 4e9);
        over.Update(9.5e9, 4.75e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(over.GetRate(), 2e9, 1, "twice what may come: half");
        ReceiverRateLaw idle(0.5, 1e6, 4e9);
        idle.Update(0, 4.75e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(idle.GetRate(), 4.75e9, 1, "6 Gbit/s, no more than C");

        // Two senders; without a link that clips what is measured, one step is enough.
        ReceiverRateLaw open(0.5, 1e6, 9.5e9);
        open.Update(2 * open.GetRate(), 9.5e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(open.GetRate(), 4.75e9, 1, "one step");
        open.Update(2 * open.GetRate(), 9.5e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(open.GetRate(), 4.75e9, 1, "and there it stays");

        // A link of 10 Gbit/s clips it: slow, while a queue stands.
        ReceiverRateLaw clipped(0.5, 1e6, 9.5e9);
        clipped.Update(10e9, 9.5e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(clipped.GetRate(), 9.25e9, 1, "first interval");
        for (int i = 0; i < 200; ++i)
        {
            clipped.Update(std::min(10e9, 2 * clipped.GetRate()), 9.5e9);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(clipped.GetRate(), 4.75e9, 1, "the fixed point");

        ReceiverRateLaw least(0.5, 1e6, 1.2e6);
        least.Update(30e9, 9.5e9);
        NS_TEST_EXPECT_MSG_EQ(least.GetRate(), 1e6, "never below R_min");
    }
};

/**
 * @ingroup schemes-tests
 * @brief Swift's laws in the numbers of uFAB's comparison: target 30 us, base RTT 24 us.
 */
class WccLawTestCase : public TestCase
{
  public:
    WccLawTestCase()
        : TestCase("WCC: Swift's steps and weights in worked numbers")
    {
    }

  private:
    static SwiftWindow MakeWindow(double window, double range = 0, double weight = 1)
    {
        return {{.increase = 1,
                 .decrease = 0.8,
                 .maxDecrease = 0.5,
                 .minWindow = 0.001,
                 .maxWindow = 1000,
                 .hopDelay = 0,
                 .scalingRange = range,
                 .scalingMinWindow = 0.1,
                 .scalingMaxWindow = 100,
                 .resetAfter = 5},
                30000,
                window,
                weight};
    }

    void DoRun() override
    {
        SwiftWindow window = MakeWindow(10);
        window.HandleAcknowledged(1, 25000, 0, 25000, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 10.1, 1e-9, "below the target");
        window = MakeWindow(10);
        window.HandleAcknowledged(1, 60000, 0, 60000, 100000);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 6, 1e-9, "twice the target");
        window.HandleAcknowledged(1, 60000, 0, 60000, 159999);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 6, 1e-9, "once per round trip");
        window = MakeWindow(10);
        window.HandleAcknowledged(1, 120000, 0, 120000, 200000);
        NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 5, 1e-9, "no more than half");
        NS_TEST_EXPECT_MSG_EQ_TOL(MakeWindow(0.5).GetPacingDelay(24000), 48000, 1e-6, "pace");

        const double range = 120000; // 5 base RTTs
        NS_TEST_EXPECT_MSG_EQ_TOL(MakeWindow(1, range).GetTarget(0) - 30000, 35270, 20, "fs(1)");
        NS_TEST_EXPECT_MSG_EQ_TOL(MakeWindow(1.36, range).GetTarget(0) - 30000,
                                  29690,
                                  20,
                                  "14 flows");
        NS_TEST_EXPECT_MSG_EQ_TOL(MakeWindow(10, range).GetTarget(0) - 30000, 8475, 20, "fs(10)");
        NS_TEST_EXPECT_MSG_EQ_TOL(MakeWindow(100, range).GetTarget(0), 30000, 1e-6, "fs(100)");
        NS_TEST_EXPECT_MSG_EQ_TOL(MakeWindow(50, range, 5).GetTarget(0) - 30000,
                                  8475,
                                  20,
                                  "weight 5: as a fifth of the window");
        SwiftWindow heavy = MakeWindow(10, 0, 5);
        heavy.HandleAcknowledged(1, 25000, 0, 25000, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(heavy.GetWindow(), 10.5, 1e-9, "five times the increase");
    }
};

/**
 * @ingroup schemes-tests
 * @brief Clove's weights, and how flowlets follow them.
 */
class CloveWeightsTestCase : public TestCase
{
  public:
    CloveWeightsTestCase()
        : TestCase("Clove-ECN: a mark moves a third of a weight, flowlets follow in turn")
    {
    }

  private:
    void DoRun() override
    {
        CloveWeights weights(4, 24000);
        weights.HandleMark(1, 1000);
        NS_TEST_EXPECT_MSG_EQ_TOL(weights.Get(1), 0.6667, 1e-4, "marked");
        for (uint32_t path : {0, 2, 3})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(weights.Get(path), 1.1111, 1e-4, "not marked");
        }
        std::vector<uint32_t> taken(4);
        for (int i = 0; i < 3600; ++i)
        {
            ++taken[weights.Choose()];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(taken[1], 600, 1, "flowlets by weight");
        NS_TEST_EXPECT_MSG_EQ_TOL(taken[0], 1000, 1, "flowlets by weight");

        weights.HandleMark(2, 2000); // path 1 is still marked
        NS_TEST_EXPECT_MSG_EQ_TOL(weights.Get(1), 0.6667, 1e-4, "gets nothing");
        NS_TEST_EXPECT_MSG_EQ_TOL(weights.Get(2), 0.7407, 1e-4, "marked");
        NS_TEST_EXPECT_MSG_EQ_TOL(weights.Get(0), 1.2963, 1e-4, "half of what was moved");
        weights.HandleMark(0, 3000);
        weights.HandleMark(3, 4000);
        double sum = 0;
        for (uint32_t path = 0; path < 4; ++path)
        {
            sum += weights.Get(path);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, 4, 1e-9, "weight is moved, not lost");
        NS_TEST_EXPECT_MSG_GT(weights.Get(3), 1, "all are marked: nobody is better");
    }
};

/**
 * @ingroup schemes-tests
 * @brief The schemes that uFAB compares with, on networks.
 */
class PwcNetworkTestCase : public TestCase
{
  public:
    PwcNetworkTestCase()
        : TestCase("picnic, swift-wcc, pwc, clove, elastic-switch-clove on networks")
    {
    }

  private:
    /// @brief Goodput of flows to one host, in Gbit/s, by flow.
    static std::vector<double> Measure(const std::string& scheme,
                                       const std::vector<std::string>& hoses,
                                       Time warmUp = MilliSeconds(10))
    {
        SchemeTestNetwork test(scheme,
                               "single-switch:Hosts=4,HostRate=10Gbps,LinkDelay=5us",
                               "udp:Rate=10Gbps;lean");
        TenantTable& tenants = *test.m_network->GetTenants();
        std::vector<FlowId> flows;
        for (uint32_t i = 0; i < hoses.size(); ++i)
        {
            const TenantId tenant = tenants.AddTenant({"T" + std::to_string(i)});
            const DataRate hose(hoses[i]);
            const VmId from = tenants.AddVm({tenant, i + 1, hose, hose});
            const VmId to = tenants.AddVm({tenant, 0, hose, hose});
            FlowRequest request;
            request.source = i + 1;
            request.destination = 0;
            request.bytes = 0; // until it is stopped
            request.pair = tenants.GetPair(from, to) + 1;
            flows.push_back(test.m_transport->StartFlow(request));
        }
        test.Run(warmUp, MilliSeconds(10));
        std::vector<double> rates;
        for (FlowId flow : flows)
        {
            rates.push_back(8e-7 * static_cast<double>(test.m_delivered[flow]));
        }
        return rates;
    }

    /// @brief The window in packets of a pair that is offered 1 of 10 Gbit/s for 20 ms.
    static double MeasureUnusedWindow(const std::string& scheme)
    {
        SchemeTestNetwork test(scheme,
                               "single-switch:Hosts=2,HostRate=10Gbps,LinkDelay=5us",
                               "udp:Rate=1Gbps;lean");
        TenantTable& tenants = *test.m_network->GetTenants();
        const TenantId tenant = tenants.AddTenant({"T"});
        const DataRate hose("1Gbps");
        const VmId from = tenants.AddVm({tenant, 0, hose, hose});
        FlowRequest request;
        request.destination = 1;
        request.bytes = 0; // until it is stopped
        request.pair = tenants.GetPair(from, tenants.AddVm({tenant, 1, hose, hose})) + 1;
        test.m_transport->StartFlow(request);
        test.Run(Time(0), MilliSeconds(20));
        Results results;
        test.m_network->ReportResults(results);
        double window = 0;
        for (const auto& row : results.GetRows())
        {
            window = std::max(window, row.name == "pair_window_bytes" ? row.value : 0);
        }
        return window / PwcChannel::PACKET;
    }

    void DoRun() override
    {
        {
            const double first = MeasureUnusedWindow(
                "swift-wcc:Controller=\"pwc:Picnic=false,WindowValidation=true\"");
            NS_TEST_EXPECT_MSG_EQ_TOL(first, 18.6, 0.5, "one BDP, of which a tenth is used");
            // Algorithm 1 adds 1 / cwnd for each packet, 1667 in 20 ms.
            NS_TEST_EXPECT_MSG_EQ_TOL(MeasureUnusedWindow("swift-wcc"),
                                      std::sqrt(first * first + 2 * 1667),
                                      0.5,
                                      "grows nevertheless");
        }
        {
            const auto rates = Measure("picnic", {"1Gbps", "1Gbps"});
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 4.62, 0.15, "half of 9.5 Gbit/s, with headers");
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[1], 4.62, 0.15, "half of 9.5 Gbit/s, with headers");
        }
        {
            const auto rates = Measure("picnic", {"1Gbps", "3Gbps"});
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[1] / rates[0], 3, 0.3, "VMs by guarantee");
        }
        {
            // One gets far more than its part at first, and is granted the least rate.
            const auto rates = Measure("picnic", {"100Mbps", "5Gbps"});
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 0.183, 0.04, "told of better times");
        }
        {
            const auto rates = Measure("swift-wcc", {"1Gbps", "5Gbps"}, MilliSeconds(50));
            NS_TEST_EXPECT_MSG_GT(rates[1] / rates[0], 4, "weights 1 and 5");
            NS_TEST_EXPECT_MSG_LT(rates[1] / rates[0], 6, "weights 1 and 5");
            NS_TEST_EXPECT_MSG_GT(rates[0] + rates[1], 9, "and the link is full");
        }
        for (const std::string scheme : {"pwc", "swift-wcc"})
        {
            const auto rates = Measure(scheme, {"1Gbps"}, MilliSeconds(2));
            NS_TEST_EXPECT_MSG_GT(rates[0], 9, scheme << " alone within 2 ms");
        }
    }

    Time m_longest; //!< its longest round trip
};

/**
 * @ingroup schemes-tests
 * @brief Two VMs send to a third: the rates that its host grants, and until when, by PicNIC's
 * settings.
 */
class PicnicSettingsTestCase : public TestCase
{
  public:
    PicnicSettingsTestCase()
        : TestCase("picnic: rates that a receiver grants, by its settings")
    {
    }

  private:
    /// @brief Outcome of a run.
    struct Outcome
    {
        double rate{0};        //!< of both pairs together in Gbit/s, in IP datagrams
        bool isGranting{true}; //!< true if the VM has a rate 4 ms after the flows have been stopped
    };

    /**
     * @brief Send for 20 ms, of which the second half counts.
     * @param settings of the controllers
     * @return the outcome
     */
    static Outcome Measure(const std::string& settings)
    {
        SchemeTestNetwork test("picnic:Controller=\"pwc:Wcc=false,DrainShare=0.3," + settings +
                                   "\"",
                               "single-switch:Hosts=3,HostRate=10Gbps,LinkDelay=5us",
                               "udp:Rate=10Gbps;lean");
        TenantTable& tenants = *test.m_network->GetTenants();
        const TenantId tenant = tenants.AddTenant({"T"});
        const DataRate hose("1Gbps");
        const VmId to = tenants.AddVm({tenant, 0, hose, hose});
        std::vector<FlowId> flows;
        for (uint32_t host : {1, 2})
        {
            FlowRequest request;
            request.source = host;
            request.destination = 0;
            request.bytes = 0; // until it is stopped
            request.pair = tenants.GetPair(tenants.AddVm({tenant, host, hose, hose}), to) + 1;
            flows.push_back(test.m_transport->StartFlow(request));
        }
        test.Run(MilliSeconds(10), MilliSeconds(10));
        Outcome outcome;
        for (const FlowId flow : flows)
        {
            outcome.rate += 8e-7 * static_cast<double>(test.m_delivered[flow]) * 1500 / 1472;
            test.m_transport->StopFlow(flow);
        }
        auto& edge = *test.m_fabric->GetObject<PairEdge>();
        test.Run(Time(0), MilliSeconds(4));
        outcome.isGranting =
            dynamic_cast<const PwcPairController&>(edge.GetController(0)).GetGrantedRate(to) > 0;
        return outcome;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("RateGain=0.5").rate, 3, 0.1, "0.3 of the link");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("RateGain=0").rate, 6, 0.2, "all of it to each");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("RateInterval=1s").rate, 6, 0.2, "not divided yet");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("LeastRate=2Gbps").rate, 4, 0.2, "no less to each");
        const std::string quiet = "Interval=1s,RateInterval=1s,InitialShare=0.05";
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure(quiet).rate, 6, 0.2, "told after some packets");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure(quiet + ",ReportEvery=1000000000").rate,
                                  1,
                                  0.05,
                                  "not told yet: 0.05 of the link each");
        NS_TEST_EXPECT_MSG_EQ(Measure("InactiveAfter=20ms").isGranting, true, "still active");
        NS_TEST_EXPECT_MSG_EQ(Measure("InactiveAfter=1ms").isGranting, false, "silent for long");
    }
};

/**
 * @ingroup schemes-tests
 * @brief Clove's paths: flowlets part at pauses, and take the least utilized path.
 */
class ClovePathsTestCase : public TestCase
{
  public:
    ClovePathsTestCase()
        : TestCase("Clove: flowlets, the least utilized path, all feedbacks")
    {
    }

  private:
    /// @brief Bytes that each of two spines carried: a flow without pauses, and 40 messages from
    /// elsewhere.
    std::vector<uint64_t> Send(const std::string& scheme)
    {
        SchemeTestNetwork test(scheme,
                               "leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=2,HostRate=10Gbps,"
                               "FabricRate=10Gbps,LinkDelay=1us",
                               "udp:Rate=10Gbps;lean");
        const auto start = [&test](uint32_t source, uint64_t bytes) {
            FlowRequest request;
            request.source = source;
            request.destination = source + 2;
            request.bytes = bytes;
            test.m_transport->StartFlow(request);
        };
        start(1, 0); // until it is stopped
        for (int i = 1; i <= 40; ++i)
        {
            Simulator::Schedule(i * MicroSeconds(250), [start] { start(0, MESSAGE); });
        }
        test.Run(Time(0), MilliSeconds(11));
        std::vector<uint64_t> bytes;
        double most = 0;
        test.m_fabric->ForEachPort([&](FabricPort& port) {
            if (port.GetDescription().tier == 2 && port.GetTxBytes() > 0)
            {
                bytes.push_back(port.GetTxBytes());
            }
            for (const auto& stage : port.GetStages())
            {
                if (const auto link = DynamicCast<LinkUtilization>(stage))
                {
                    most = std::max(most, link->Get(Simulator::Now().GetTimeStep()));
                }
            }
        });
        NS_TEST_EXPECT_MSG_EQ(test.m_finished, 40, "all messages");
        if (most > 0) // links are watched
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(most, 1, 0.05, "the long flow fills a link");
        }
        std::ranges::sort(bytes);
        return bytes;
    }

    void DoRun() override
    {
        const auto all = static_cast<double>(40 * MESSAGE);
        const auto random = Send("clove:Agents=\"clove:Feedback=Nothing\"");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(random.front()) / all, 0.5, 0.25, "by lot");
        const auto least = Send("clove");
        NS_TEST_EXPECT_MSG_GT(static_cast<double>(least.front()) / all, 1, "round the long flow");
        const auto marks = Send("clove:Agents=\"clove:Feedback=Marks\"");
        NS_TEST_EXPECT_MSG_GT(static_cast<double>(marks.front()) / all, 0.55, "away from marks");
    }

    static constexpr uint64_t MESSAGE = 14600; //!< bytes
};

/**
 * @ingroup schemes-tests
 * @brief The routes of single packets under Clove.
 */
class CloveRoutesTestCase : public TestCase, public ItemSink
{
  public:
    CloveRoutesTestCase()
        : TestCase("Clove: utilizations 0.8, 0.9, 1.0, routes of others, marks of two hosts")
    {
    }

  private:
    /// @brief Four hosts and three ways to four others.
    struct Ways : SchemeTestNetwork
    {
        explicit Ways(const std::string& scheme, uint32_t spines = 3)
            : SchemeTestNetwork(
                  scheme,
                  "leaf-spine:Leaves=2,HostsPerLeaf=4,Spines=" + std::to_string(spines) +
                      ",HostRate=10Gbps,FabricRate=10Gbps,LinkDelay=1us",
                  "udp:Rate=10Gbps;lean")
        {
        }

        const uint16_t* GetRoute(uint32_t index)
        {
            return m_fabric->GetPathTable()
                .Get(m_fabric->GetLocation(0).rack, m_fabric->GetLocation(4).rack, index)
                .forward;
        }
    };

    void ReceiveItem(FabricItem* item) override
    {
        m_routes[item->source].push_back(item->route);
        item->Release();
    }

    /// @brief A packet to m_destination or the host opposite, by a route or by what Clove finds.
    void Send(Ways& ways,
              uint32_t source,
              const uint16_t* route,
              FabricItem::Ecn ecn = FabricItem::NOT_ECT)
    {
        FabricItem* item = FabricItem::Create();
        item->flow = m_flow;
        item->source = source;
        item->destination = m_destination ? m_destination : source + 4;
        item->size = 1500;
        item->hash = source + 1;
        item->route = route;
        item->SetEcn(ecn);
        ways.m_fabric->GetHost(source).Send(item);
    }

    /// @brief Packets at a rate, by a route that another chose.
    void Fill(Ways& ways, uint32_t source, uint32_t path, double gbps, Time from, Time to)
    {
        const Time gap = NanoSeconds(static_cast<int64_t>(12000 / gbps));
        for (Time at = from; at < to; at += gap)
        {
            Simulator::Schedule(at, [this, &ways, source, path] {
                Send(ways, source, ways.GetRoute(path));
            });
        }
    }

    void Start(Ways& ways)
    {
        m_routes.clear();
        m_flow = ways.m_fabric->AddEndpoints(this, this);
    }

    void CheckUtilizations()
    {
        Ways ways("clove");
        Start(ways);
        const Time change = MilliSeconds(2);
        Fill(ways, 0, 0, 8, Time(0), change);
        Fill(ways, 1, 1, 9, Time(0), change);
        Fill(ways, 2, 2, 10, Time(0), change);
        Fill(ways, 0, 0, 10, change, 2 * change);
        Fill(ways, 1, 1, 10, change, 2 * change);
        Fill(ways, 2, 2, 9, change, 2 * change);
        for (const int64_t us : {1800, 1900, 3900})
        {
            Simulator::Schedule(MicroSeconds(us), [&] { Send(ways, 3, nullptr); });
        }
        ways.Run(Time(0), 2 * change);
        NS_TEST_ASSERT_MSG_EQ(m_routes[3].size(), 3, "all came");
        NS_TEST_EXPECT_MSG_EQ((m_routes[3][0] == ways.GetRoute(0)), true, "0.8, not 0.9 or 1");
        NS_TEST_EXPECT_MSG_EQ((m_routes[3][1] == ways.GetRoute(0)), true, "the same flowlet");
        NS_TEST_EXPECT_MSG_EQ((m_routes[3][2] == ways.GetRoute(2)), true, "0.9, not 1");
    }

    void CheckRoutesOfOthers(const std::string& scheme)
    {
        Ways ways(scheme);
        Start(ways);
        for (uint32_t i = 0; i < 30; ++i)
        {
            Send(ways, 0, ways.GetRoute(i % 3));
        }
        ways.Run(Time(0), MilliSeconds(1));
        NS_TEST_ASSERT_MSG_EQ(m_routes[0].size(), 30, "all came");
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(std::ranges::count(m_routes[0], ways.GetRoute(i)),
                                  10,
                                  scheme << ": as it was said, way " << i);
        }
    }

    void CheckMarks()
    {
        Ways ways("clove:Agents=\"clove:Feedback=Marks\"", 1);
        Start(ways);
        m_destination = 4;                 // one host relays the marks of both
        const Time rtt = MicroSeconds(24); // more than there is
        for (int64_t i = 0; i < 10; ++i)
        {
            for (const uint32_t source : {0, 1})
            {
                Simulator::Schedule(i * rtt + NanoSeconds(100 * source), [&, source] {
                    Send(ways, source, nullptr, FabricItem::CE);
                    Send(ways, source, nullptr, FabricItem::CE);
                });
            }
        }
        ways.Run(Time(0), MilliSeconds(1));
        for (const uint32_t source : {0, 1})
        {
            Results results;
            for (const auto& agent : ways.m_fabric->GetHost(source).GetEdgeAgents())
            {
                agent->ReportResults(results);
            }
            const auto& rows = results.GetRows();
            const auto row = std::ranges::find(rows, "clove_marks", &Results::Row::name);
            NS_TEST_ASSERT_MSG_EQ((row != rows.end()), true, "it tells");
            NS_TEST_EXPECT_MSG_EQ(row->value, 10, "once per half a round trip and host");
        }
    }

    void DoRun() override
    {
        CheckUtilizations();
        CheckRoutesOfOthers("clove");
        CheckRoutesOfOthers("pwc");
        CheckMarks();
    }

    uint32_t m_destination{0}; //!< of all packets; 0: the host opposite
    uint32_t m_flow{0};        //!< of all packets
    std::map<uint32_t, std::vector<const uint16_t*>> m_routes; //!< of what came, by source
};

/**
 * @ingroup schemes-tests
 * @brief Tests of the schemes that uFAB compares with.
 */
class PwcSchemeTestSuite : public TestSuite
{
  public:
    PwcSchemeTestSuite()
        : TestSuite("pwc-scheme", Type::UNIT)
    {
        AddTestCase(new ReceiverRateLawTestCase, Duration::QUICK);
        AddTestCase(new WccLawTestCase, Duration::QUICK);
        AddTestCase(new CloveWeightsTestCase, Duration::QUICK);
        AddTestCase(new PwcNetworkTestCase, Duration::QUICK);
        AddTestCase(new PicnicSettingsTestCase, Duration::QUICK);
        AddTestCase(new ClovePathsTestCase, Duration::QUICK);
        AddTestCase(new CloveRoutesTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static PwcSchemeTestSuite g_pwcSchemeTestSuite;
