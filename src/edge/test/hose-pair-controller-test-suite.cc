/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-test.h"

#include "ns3/hose-pair-controller.h"
#include "ns3/hose-partition.h"
#include "ns3/max-min-shares.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace ns3;

namespace
{

constexpr double ALL = std::numeric_limits<double>::infinity(); ///< no bound

} // namespace

/**
 * @ingroup edge-tests
 * @brief The division of a hose, against worked examples and brute force.
 */
class HosePartitionTestCase : public TestCase
{
  public:
    HosePartitionTestCase()
        : TestCase("progressive filling of a hose")
    {
    }

  private:
    void CheckShares(double hose,
                     const std::vector<double>& bounds,
                     const std::vector<double>& expected)
    {
        const std::vector<double> shares = PartitionHose(hose, bounds);
        NS_TEST_ASSERT_MSG_EQ(shares.size(), expected.size(), "one for each");
        for (size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(shares[i], expected[i], 1e-9, "share " << i);
        }
    }

    /// @brief The same as the weighted max-min shares of one link, what is left divided equally.
    void CheckAgainstSharing(const std::vector<double>& bounds, const std::vector<double>& shares)
    {
        std::vector<MaxMinFlow<double>> flows;
        for (double bound : bounds)
        {
            flows.emplace_back();
            flows.back().links = {0};
            if (bound < ALL)
            {
                flows.back().demand = bound;
            }
        }
        const auto expected = MaxMinSharing<double>::Share({600}, flows);
        double left = 600;
        for (const auto& share : expected)
        {
            left -= share.rate;
        }
        for (size_t i = 0; i < shares.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(shares[i],
                                      expected[i].rate + left / static_cast<double>(shares.size()),
                                      1e-6,
                                      "share " << i);
        }
    }

    /// @brief Both ends of the VM pairs of uFAB Fig. 21 until nothing changes.
    void CheckFigure21(double demandOfFirst, const std::vector<double>& expected)
    {
        // Pairs a1-a4, a1-a5, a1-a6 and a2-a6; every VM has 300 tokens.
        double granted[] = {ALL, ALL, ALL, ALL};
        for (int round = 0; round < 4; ++round)
        {
            const auto a1 =
                PartitionHose(300, {std::min(demandOfFirst, granted[0]), granted[1], granted[2]});
            const auto a2 = PartitionHose(300, {granted[3]});
            const auto a6 = PartitionHose(300, {a1[2], a2[0]});
            granted[2] = a6[0];
            granted[3] = a6[1];
            const double guaranteed[] = {a1[0],
                                         a1[1],
                                         std::min(a1[2], granted[2]),
                                         std::min(a2[0], granted[3])};
            for (size_t i = 0; i < expected.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(guaranteed[i], expected[i], 1e-9, "pair " << i);
            }
        }
    }

    /// @brief Pairs among random VMs with random demands: no hose gives more than it has.
    void CheckBothEnds(UniformRandomVariable& random)
    {
        const size_t senders = random.GetInteger(1, 5);
        const size_t receivers = random.GetInteger(1, 5);
        const auto draw = [&random] { return random.GetValue(0, 900); };
        std::vector<double> send(senders);
        std::vector<double> receive(receivers);
        std::ranges::generate(send, draw);
        std::ranges::generate(receive, draw);
        std::vector demands(senders, std::vector<double>(receivers));
        for (auto& row : demands)
        {
            std::ranges::generate(row, [&] { return random.GetInteger(0, 2) ? draw() : ALL; });
        }
        std::vector granted(senders, std::vector<double>(receivers, ALL));
        for (int round = 0; round < 3; ++round) // what receivers grant bounds the senders
        {
            std::vector guaranteed(senders, std::vector<double>(receivers));
            for (size_t i = 0; i < senders; ++i)
            {
                std::vector<double> bounds(receivers);
                for (size_t j = 0; j < receivers; ++j)
                {
                    bounds[j] = std::min(demands[i][j], granted[i][j]);
                }
                guaranteed[i] = PartitionHose(send[i], bounds);
            }
            for (size_t j = 0; j < receivers; ++j)
            {
                std::vector<double> bounds(senders);
                for (size_t i = 0; i < senders; ++i)
                {
                    bounds[i] = demands[i][j];
                }
                const auto shares = PartitionHose(receive[j], bounds);
                double sum = 0;
                for (size_t i = 0; i < senders; ++i)
                {
                    granted[i][j] = shares[i];
                    guaranteed[i][j] = std::min(guaranteed[i][j], shares[i]);
                    sum += guaranteed[i][j];
                }
                NS_TEST_EXPECT_MSG_LT_OR_EQ(sum, receive[j] + 1e-6, "receiver " << j);
            }
            for (size_t i = 0; i < senders; ++i)
            {
                const auto& row = guaranteed[i];
                const double sum = std::accumulate(row.begin(), row.end(), 0.0);
                NS_TEST_EXPECT_MSG_LT_OR_EQ(sum, send[i] + 1e-6, "sender " << i);
            }
        }
    }

    void DoRun() override
    {
        CheckShares(600, {}, {});
        CheckShares(600, {ALL}, {600});
        CheckShares(600, {50, ALL, ALL}, {50, 275, 275});
        CheckShares(600, {ALL, 50, ALL}, {275, 50, 275});
        CheckShares(600, {50, 100, 150}, {150, 200, 250});
        CheckShares(600, {100, 400}, {150, 450}); // min with the bounds: 100 and 400
        CheckShares(300, {ALL, ALL, ALL}, {100, 100, 100});
        CheckShares(300, {0, 0}, {150, 150});
        CheckShares(0, {ALL, 5}, {0, 0});
        CheckFigure21(ALL, {100, 100, 100, 200});
        CheckFigure21(30, {30, 135, 135, 165});

        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(3);
        for (int trial = 0; trial < 1000; ++trial)
        {
            CheckBothEnds(*random);
        }
        for (int trial = 0; trial < 1000; ++trial)
        {
            std::vector<double> bounds(random->GetInteger(1, 8));
            for (double& bound : bounds)
            {
                bound = random->GetInteger(0, 4) ? random->GetValue(0, 300) : ALL;
            }
            const auto shares = PartitionHose(600, bounds);
            const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
            NS_TEST_EXPECT_MSG_EQ_TOL(sum, 600, 1e-6, "all of the hose");
            CheckAgainstSharing(bounds, shares);
            // Brute force: raise the level in small steps until the hose is used up.
            double level = 0;
            const auto use = [&bounds](double l) {
                double used = 0;
                for (double bound : bounds)
                {
                    used += std::min(bound, l);
                }
                return used;
            };
            for (double step = 64; step > 1e-9; step /= 2)
            {
                while (level < 1000 && use(level + step) <= 600)
                {
                    level += step;
                }
            }
            const double spare = (600 - use(level)) / static_cast<double>(bounds.size());
            for (size_t i = 0; i < bounds.size(); ++i)
            {
                const double expected = std::min(bounds[i], level) + (level >= 1000 ? spare : 0);
                NS_TEST_EXPECT_MSG_EQ_TOL(shares[i], expected, 1e-6, "trial " << trial);
            }
        }
    }
};

/**
 * @ingroup edge-tests
 * @brief Pairs are guaranteed what both ends of their hoses give, and a static reservation sends at
 * that rate.
 */
class HoseTestCase : public EdgeTestCase
{
  public:
    HoseTestCase()
        : EdgeTestCase("guarantees from hoses, and rates of a static reservation")
    {
    }

  private:
    /// @brief A VM pair of the test.
    struct Demand
    {
        VmId from;         //!< the VM that sends
        VmId to;           //!< the VM that receives
        double mbps;       //!< offered load
        double guaranteed; //!< guarantee that the pair should have, in Mbit/s
    };

    /**
     * @brief Run pairs with offered loads for 200 ms.
     * @param partition attribute Partition
     * @param demands the pairs
     * @param reports true if reports arrive
     */
    void Run(const std::string& partition, const std::vector<Demand>& demands)
    {
        EdgeTestNetwork network("static:Partition=" + partition);
        network.tenants->AddTenant({"A"});
        for (const auto& [send, receive] : m_hoses)
        {
            network.AddVm(network.tenants->GetNVms() % 5, send, receive);
        }
        network.Build("single-switch:Hosts=5");
        std::vector<PairId> pairs;
        for (const Demand& demand : demands)
        {
            const PairId pair = network.tenants->GetPair(demand.from, demand.to);
            pairs.push_back(pair);
            const auto gap = static_cast<int64_t>(1500 * 8 / demand.mbps * 1000);
            for (int64_t t = 0; t < 200'000'000; t += gap)
            {
                Simulator::Schedule(NanoSeconds(t), [&network, pair] { network.Send(pair); });
            }
        }
        Simulator::Stop(MilliSeconds(150));
        Simulator::Run();
        std::map<uint32_t, uint64_t> before = network.received;
        std::map<VmId, double> sums;
        for (size_t i = 0; i < demands.size(); ++i)
        {
            const uint32_t host = network.tenants->GetSource(pairs[i]);
            const auto& controller =
                static_cast<HosePairController&>(network.edge->GetController(host));
            const double guaranteed = controller.GetGuarantee(pairs[i]) / 1e6;
            NS_TEST_EXPECT_MSG_EQ_TOL(guaranteed,
                                      demands[i].guaranteed,
                                      demands[i].guaranteed * 0.12,
                                      partition << ", guarantee of pair " << i);
            sums[demands[i].from] += guaranteed;
        }
        for (const auto& [vm, sum] : sums)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(
                sum,
                static_cast<double>(network.tenants->GetVm(vm).send.GetBitRate()) / 1e6 + 1e-6,
                "no more than the hose of VM " << vm);
        }
        Simulator::Stop(MilliSeconds(45));
        Simulator::Run();
        for (size_t i = 0; i < demands.size(); ++i)
        {
            const uint32_t tag = pairs[i] + 1;
            const double mbps =
                8e-6 / 0.045 * static_cast<double>(network.received[tag] - before[tag]);
            NS_TEST_EXPECT_MSG_EQ_TOL(mbps,
                                      std::min(demands[i].mbps, demands[i].guaranteed),
                                      demands[i].guaranteed * 0.12,
                                      partition << ", rate of pair " << i);
        }
        Simulator::Run(); // ends: the timers stop when the pairs are silent
        for (uint32_t host = 0; host < 5; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(network.edge->GetQueueDisc(host).IsTimerArmed(), false, "idle");
        }
        const auto& reports = network.edge->GetReportStatistics();
        NS_TEST_EXPECT_MSG_GT(reports.sent, 30, "receivers report");
        NS_TEST_EXPECT_MSG_EQ(reports.received, reports.sent, "reports arrive");
    }

    void Check() override
    {
        // Trinity Eq. 1: B_X 600 with 3 destinations, one of which has B_Y 300 and 2 sources.
        m_hoses = {{"600Mbps", "0bps"},
                   {"300Mbps", "300Mbps"},
                   {"0bps", "900Mbps"},
                   {"0bps", "900Mbps"},
                   {"600Mbps", "0bps"}};
        Run("Equal", {{0, 1, 900, 150}, {0, 2, 900, 200}, {0, 3, 900, 200}, {4, 1, 900, 150}});
        // By demand the first sender gives what the receiver does not grant to the others.
        Run("MaxMin", {{0, 1, 900, 150}, {0, 2, 900, 225}, {0, 3, 900, 225}, {4, 1, 900, 150}});
        Run("MaxMin", {{0, 1, 50, 55}, {0, 2, 900, 272}, {0, 3, 900, 272}, {4, 1, 900, 245}});
        // B_X 600 to receivers that grant 100 and 400.
        m_hoses = {{"600Mbps", "0bps"}, {"0bps", "100Mbps"}, {"0bps", "400Mbps"}};
        Run("Equal", {{0, 1, 900, 100}, {0, 2, 900, 300}});
        Run("MaxMin", {{0, 1, 900, 100}, {0, 2, 900, 400}});
        // Many to one.
        m_hoses = {{"300Mbps", "0bps"},
                   {"300Mbps", "0bps"},
                   {"300Mbps", "0bps"},
                   {"0bps", "300Mbps"}};
        Run("MaxMin", {{0, 3, 900, 100}, {1, 3, 900, 100}, {2, 3, 900, 100}});
    }

    std::vector<std::pair<std::string, std::string>> m_hoses; //!< of the VMs, to send and receive
};

/**
 * @ingroup edge-tests
 * @brief Pairs that come, go and come back; pipes beside hoses; changes during a run.
 */
class HoseChangesTestCase : public EdgeTestCase
{
  public:
    HoseChangesTestCase()
        : EdgeTestCase("guarantees when pairs and terms change")
    {
    }

  private:
    /// @brief One of three destinations goes silent.
    void CheckThree()
    {
        EdgeTestNetwork network("static:Partition=Equal,Interval=1ms,ActiveIntervals=3");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "600Mbps");
        std::vector<PairId> pairs;
        for (const uint32_t host : {1, 2, 3})
        {
            pairs.push_back(network.tenants->GetPair(a, network.AddVm(host, "0bps", "600Mbps")));
        }
        network.Build();
        const auto& controller = static_cast<HosePairController&>(network.edge->GetController(0));
        for (int ms = 0; ms < 10; ++ms)
        {
            for (size_t i = 0; i < pairs.size() - (ms > 4); ++i)
            {
                Simulator::Schedule(MicroSeconds(1000 * ms + 500),
                                    [&network, pair = pairs[i]] { network.Send(pair); });
            }
        }
        for (const auto& [at, each] : {std::pair(4, 200.0), std::pair(9, 300.0)})
        {
            Simulator::Stop(MicroSeconds(1000 * at + 700) - Simulator::Now());
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(controller.GetGuarantee(pairs[0]) / 1e6, each, at << " ms");
            NS_TEST_EXPECT_MSG_EQ(controller.GetGuarantee(pairs[1]) / 1e6, each, at << " ms");
        }
        Simulator::Run();
    }

    void Check() override
    {
        CheckThree();
        EdgeTestNetwork network("static:Partition=Equal,Interval=1ms,ActiveIntervals=3");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "600Mbps");
        const VmId b = network.AddVm(1, "0bps", "600Mbps");
        const VmId c = network.AddVm(2, "0bps", "600Mbps");
        const VmId d = network.AddVm(3);
        network.Build();
        const PairId first = network.tenants->GetPair(a, b);
        const PairId second = network.tenants->GetPair(a, c);
        const PairId third = network.tenants->GetPair(a, d);
        network.tenants->SetPipe(third, DataRate("70Mbps"));
        const auto& controller = static_cast<HosePairController&>(network.edge->GetController(0));
        const auto expect = [&](double one, double two, double three, const std::string& what) {
            NS_TEST_EXPECT_MSG_EQ(controller.GetGuarantee(first) / 1e6, one, what);
            NS_TEST_EXPECT_MSG_EQ(controller.GetGuarantee(second) / 1e6, two, what);
            NS_TEST_EXPECT_MSG_EQ(controller.GetGuarantee(third) / 1e6, three, what);
        };
        expect(0, 0, 0, "before the first item");
        network.Send(first);
        expect(600, 0, 0, "alone, before the first report");
        network.Send(second);
        network.Send(third);
        expect(300, 300, 70, "at once, the pipe beside the hose");
        Simulator::Stop(MicroSeconds(1500));
        Simulator::Run();
        network.Send(second);
        Simulator::Stop(MilliSeconds(3)); // at 4.5 ms the first has been quiet for 3 intervals
        Simulator::Run();
        expect(300, 600, 70, "the first is gone");
        network.tenants->SetHose(a, DataRate("400Mbps"), DataRate(0));
        expect(300, 400, 70, "a new hose");
        network.tenants->SetPipe(third, DataRate("80Mbps"));
        Simulator::Run(); // ends: all fall silent
        NS_TEST_EXPECT_MSG_EQ(controller.IsTimerArmed(), false, "nothing is active");
        network.Send(first);
        network.Send(third);
        expect(400, 400, 80, "back again");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals, network.sent, "all arrive");
    }
};

/**
 * @ingroup edge-tests
 * @brief Reports come once per interval, are packets on the wire, and may be lost.
 */
class ReportsTestCase : public EdgeTestCase
{
  public:
    ReportsTestCase()
        : EdgeTestCase("reports per interval, their bytes, and lost ones")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("static");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "600Mbps");
        const VmId b = network.AddVm(1, "0bps", "200Mbps");
        network.Build();
        const PairId pair = network.tenants->GetPair(a, b);
        for (int i = 0; i < 10000; ++i)
        {
            Simulator::Schedule(MicroSeconds(100 * i), [&network, pair] { network.Send(pair); });
        }
        std::vector<PairReport> reports;
        network.edge->TraceConnectWithoutContext(
            "Report",
            Callback<void, const PairReport&>(
                [&reports](const PairReport& report) { reports.push_back(report); }));
        // The link that reports come back by fails for a while.
        Simulator::Schedule(MilliSeconds(502), [&network] { network.fabric->SetLinkUp(1, false); });
        Simulator::Schedule(MilliSeconds(528), [&network] { network.fabric->SetLinkUp(1, true); });
        Simulator::Stop(MilliSeconds(1000));
        Simulator::Run();
        const auto& statistics = network.edge->GetReportStatistics();
        NS_TEST_EXPECT_MSG_EQ_TOL(statistics.sent, 200, 1, "one per 5 ms");
        NS_TEST_EXPECT_MSG_EQ_TOL(reports.size(), 195, 2, "some were lost");
        const FabricPort& port = network.fabric->GetHost(1).GetNicPort();
        NS_TEST_EXPECT_MSG_EQ(port.GetTxBytes(), 46 * port.GetTxPackets(), "46 bytes each");
        uint32_t sequence = 0;
        uint64_t bytes = 0;
        uint32_t gaps = 0;
        for (const PairReport& report : reports)
        {
            NS_TEST_EXPECT_MSG_GT(report.sequence, sequence, "in order");
            // Counters go on: what a lost report said is in the next.
            const auto fresh = static_cast<double>(report.bytes - bytes);
            if (report.sequence == sequence + 1)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(fresh, 75000, 3001, "50 packets per interval");
            }
            else
            {
                ++gaps;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(report.share, 200e6, 1, "the receiver's hose");
            sequence = report.sequence;
            bytes = report.bytes;
        }
        NS_TEST_EXPECT_MSG_EQ(gaps, 1, "one gap");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bytes),
                                  static_cast<double>(network.received[pair + 1]),
                                  75000,
                                  "what arrived");
        const auto& controller = static_cast<HosePairController&>(network.edge->GetController(0));
        NS_TEST_EXPECT_MSG_EQ(controller.GetGuarantee(pair), 200e6, "min of both ends");
    }
};

/**
 * @ingroup edge-tests
 * @brief Pairs without guarantee share what guarantees leave of their links.
 */
class LeastGuaranteeTestCase : public EdgeTestCase
{
  public:
    LeastGuaranteeTestCase()
        : EdgeTestCase("least guarantees")
    {
    }

  private:
    /**
     * @brief Have pairs without guarantee meet a guaranteed one.
     * @param hose of a VM at host 0 that may send, and of one at host 3 that may receive
     * @param pairs from host 1 to host 2, where nobody has a guarantee, from host 0 to host 1, and
     * from host 2 to host 3
     * @param expected rate that each of these is given, in Mbit/s
     */
    void CheckShares(const std::string& hose,
                     const std::vector<uint32_t>& pairs,
                     const std::vector<double>& expected)
    {
        EdgeTestNetwork network("static:LeastGuarantee=1Gbps,Interval=1ms");
        network.tenants->AddTenant({"A"});
        network.AddVm(0, hose);
        network.AddVm(3, "0bps", hose);
        network.tenants->AddTenant({"B"});
        network.Build();
        const std::vector<std::pair<uint32_t, uint32_t>> hosts{{1, 2}, {0, 1}, {2, 3}};
        std::vector<std::vector<PairId>> known(hosts.size());
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            for (uint32_t j = 0; j < pairs[i]; ++j)
            {
                known[i].push_back(network.tenants->GetPair(network.AddVm(hosts[i].first),
                                                            network.AddVm(hosts[i].second)));
            }
        }
        for (uint32_t at = 0; at < 4000; at += 100)
        {
            Simulator::Schedule(MicroSeconds(at), [&network, known] {
                for (const auto& group : known)
                {
                    for (const PairId pair : group)
                    {
                        network.Send(pair);
                    }
                }
            });
        }
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            auto& controller =
                static_cast<HosePairController&>(network.edge->GetController(hosts[i].first));
            for (const PairId pair : known[i])
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(controller.GetGuarantee(pair) / 1e6,
                                          expected[i],
                                          1e-9,
                                          hose << ", host " << hosts[i].first);
            }
        }
    }

    void Check() override
    {
        CheckShares("9Gbps", {1, 1, 1}, {1000, 1000, 1000}); // all fit
        CheckShares("9Gbps", {4, 4, 5}, {1000, 250, 200});   // 1 Gbit/s is left at hosts 0 and 3
        CheckShares("10Gbps", {4, 4, 5}, {1000, 25, 20});    // nothing is: 1 % of the link
        CheckShares("1Gbps", {20, 1, 1}, {500, 1000, 1000}); // 10 Gbit/s for 20
    }
};

/**
 * @ingroup edge-tests
 * @brief Reports and guarantee partitioning.
 */
class HosePairControllerTestSuite : public TestSuite
{
  public:
    HosePairControllerTestSuite()
        : TestSuite("hose-pair-controller", Type::UNIT)
    {
        AddTestCase(new HosePartitionTestCase, Duration::QUICK);
        AddTestCase(new HoseTestCase, Duration::QUICK);
        AddTestCase(new HoseChangesTestCase, Duration::QUICK);
        AddTestCase(new ReportsTestCase, Duration::QUICK);
        AddTestCase(new LeastGuaranteeTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static HosePairControllerTestSuite g_hosePairControllerTestSuite;
