/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../schemes/test/scheme-test-network.h"
#include "mufab-test.h"

#include "ns3/input-error.h"

#include <array>
#include <fstream>
#include <numeric>
#include <utility>

using namespace ns3;

/**
 * @ingroup mufab-tests
 * @brief The life of one pair: it joins, has the link, and leaves.
 */
class LonePairTestCase : public MufabTestCase
{
  public:
    LonePairTestCase()
        : MufabTestCase("a pair alone")
    {
    }

  private:
    void Check() override
    {
        MufabTestNetwork network("mufab:ChannelSize=4000p");
        network.Build(STAR);
        const PairId pair = network.AddPair(0, 1, "500Mbps");
        const FabricPort& port = network.GetLastPort(1);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(network.exchange->GetLargestBaseRtt()),
                                  24000,
                                  60,
                                  "the largest base RTT");
        network.Send(pair, 4000);
        network.Run(MicroSeconds(5));
        MufabPath& path = *network.GetPair(pair).GetPath();
        NS_TEST_EXPECT_MSG_EQ_TOL(path.GetWindow().Get(), 1500, 5, "bootstrap: 500 Mbps * 24 us");
        NS_TEST_EXPECT_MSG_EQ(path.GetLaw().GetStage(), TwoStageAdmission::RAMP, "joins");
        network.Run(MicroSeconds(5));
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetSums(port).tokens, 50, 1e-6, "its tokens");
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetSums(port).window, 1500, 5, "its window");
        network.Run(MicroSeconds(20));
        NS_TEST_EXPECT_MSG_EQ_TOL(path.GetWindow().Get(), 28500, 60, "a BDP after one response");
        NS_TEST_EXPECT_MSG_EQ(path.GetLaw().GetStage(),
                              TwoStageAdmission::UTILIZATION,
                              "after one increment");
        network.Run(MicroSeconds(200));
        const double rate = network.Measure({pair}, MilliSeconds(2))[0];
        NS_TEST_EXPECT_MSG_GT(rate, 8.9, "the target, but for packets under way");
        NS_TEST_EXPECT_MSG_LT(rate, 9.7, "no more than the target");
        // What is left goes within the next ms. It leaves 8 base RTTs after its last packet.
        while (network.arrived[pair] < 4000 && Simulator::Now() < MilliSeconds(20))
        {
            network.Run(MicroSeconds(1));
        }
        network.Run(MicroSeconds(160));
        NS_TEST_EXPECT_MSG_EQ(network.GetPair(pair).GetState(),
                              MufabPair::State::SENDING,
                              "not idle yet");
        const uint64_t probes = network.exchange->GetStatistics().probes;
        network.Run(MicroSeconds(40));
        NS_TEST_EXPECT_MSG_EQ(network.GetPair(pair).GetState(), MufabPair::State::IDLE, "idle");
        network.Run(MilliSeconds(10));
        NS_TEST_EXPECT_MSG_EQ(path.GetState(), MufabPath::IDLE, "all switches know");
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetAllSums().tokens, 0, 1e-9, "no tokens are left");
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetAllSums().window, 0, 1e-9, "no windows are left");
        NS_TEST_EXPECT_MSG_EQ(network.exchange->GetStatistics().probes - probes,
                              1,
                              "one finish probe, and silence");
        NS_TEST_EXPECT_MSG_EQ(path.GetWindow().GetLostBytes(), 0, "nothing is lost");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Windows of the first base RTT, and the time after which a probe is lost.
 */
class BootstrapTestCase : public MufabTestCase
{
  public:
    BootstrapTestCase()
        : MufabTestCase("windows of pairs that join, and timeouts")
    {
    }

  private:
    /**
     * @param delay of each link, in ns
     * @param hose guarantee of the pair
     * @param rtt expected largest base RTT, in us
     * @param window expected, in bytes
     */
    void CheckPair(uint32_t delay, const std::string& hose, double rtt, double window)
    {
        MufabTestNetwork network;
        network.Build("single-switch:Hosts=3,HostRate=10Gbps,LinkDelay=" + std::to_string(delay) +
                      "ns");
        const PairId pair = network.AddPair(0, 1, hose);
        network.Send(pair, 100);
        network.Run(MicroSeconds(1));
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetPair(pair).GetPath()->GetWindow().Get(),
                                  window,
                                  0.005 * window,
                                  hose << " in " << rtt << " us");
        const MufabSettings& settings = network.GetController(0).GetSettings();
        NS_TEST_EXPECT_MSG_EQ_TOL(settings.GetTimeout() / 1e3, 8 * rtt, 0.5, "8 base RTTs");
    }

    void Check() override
    {
        CheckPair(5376, "500Mbps", 24, 1500);
        CheckPair(5376, "5Gbps", 24, 15000);
        CheckPair(2376, "1Gbps", 12, 1500);
    }
};

/**
 * @ingroup mufab-tests
 * @brief Pairs share a link by their tokens.
 */
class MufabSharesTestCase : public MufabTestCase
{
  public:
    MufabSharesTestCase()
        : MufabTestCase("shares of a link by tokens")
    {
    }

  private:
    void Check() override
    {
        MufabTestNetwork network;
        network.Build(STAR);
        const std::vector<PairId> pairs{network.AddPair(0, 8, "1Gbps"),
                                        network.AddPair(1, 8, "2Gbps"),
                                        network.AddPair(2, 8, "5Gbps")};
        network.Fill(pairs[0]);
        network.Fill(pairs[1], MicroSeconds(300));
        network.Fill(pairs[2], MicroSeconds(600));
        network.Run(MicroSeconds(1000));
        const auto rates = network.Measure(pairs, MilliSeconds(4));
        const double sum = rates[0] + rates[1] + rates[2];
        NS_TEST_EXPECT_MSG_GT(sum, 9.0, "the link is used");
        NS_TEST_EXPECT_MSG_LT(sum, 9.7, "no more than the target");
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[0] / sum, 0.125, 0.01, "1 of 8");
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[1] / sum, 0.25, 0.01, "2 of 8");
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[2] / sum, 0.625, 0.015, "5 of 8");
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetSums(network.GetLastPort(8)).tokens,
                                  800,
                                  1e-6,
                                  "Phi is the sum over active pairs");
        // Work conservation: two stop, the third has the link.
        network.Stop(pairs[1], Time(0));
        network.Stop(pairs[2], Time(0));
        network.Run(MilliSeconds(1));
        const double alone = network.Measure({pairs[0]}, MilliSeconds(2))[0];
        NS_TEST_EXPECT_MSG_GT(alone, 8.9, "all of it");
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetSums(network.GetLastPort(8)).tokens,
                                  100,
                                  1e-6,
                                  "the others have left");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Pairs share their host's own link by tokens, too, though each is paced nearly as fast as
 * the link.
 */
class MufabHostLinkTestCase : public MufabTestCase
{
  public:
    MufabHostLinkTestCase()
        : MufabTestCase("shares of a host's own link by tokens")
    {
    }

  private:
    void CheckShares(const std::vector<uint32_t>& tokens)
    {
        MufabTestNetwork network;
        network.Build(STAR);
        std::vector<PairId> pairs;
        double all = 0;
        for (const uint32_t share : tokens)
        {
            const auto receiver = static_cast<uint32_t>(1 + pairs.size());
            pairs.push_back(network.AddPair(0, receiver, std::to_string(share) + "0Mbps"));
            network.Fill(pairs.back());
            all += share;
        }
        network.Run(MilliSeconds(1));
        const auto rates = network.Measure(pairs, MilliSeconds(8));
        const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
        NS_TEST_EXPECT_MSG_GT(sum, 9.7, "the link is full, but for probes");
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[i] / sum,
                                      tokens[i] / all,
                                      0.02,
                                      tokens[i] << " of " << all << " tokens");
        }
    }

    void Check() override
    {
        CheckShares({100, 200, 500}); // Section 4.1: 1.25, 2.5 and 6.25 Gbit/s
        CheckShares({300, 100});
        CheckShares({700, 50, 50});
        CheckShares({400, 50, 50, 50, 50, 50, 50, 50});
    }
};

/**
 * @ingroup mufab-tests
 * @brief Pairs of a virtual fabric take turns, however many flows they have; their flows, too
 * (Section 4.1).
 */
class MufabFlowsTestCase : public MufabTestCase
{
  public:
    MufabFlowsTestCase()
        : MufabTestCase("two pairs of 1 and 9 flows")
    {
    }

  private:
    void Check() override
    {
        SchemeTestNetwork test("mufab",
                               "single-switch:Hosts=3,HostRate=10Gbps,LinkDelay=5us",
                               "udp:Rate=10Gbps,SendBuffer=4500B;lean");
        TenantTable& tenants = *test.m_network->GetTenants();
        const TenantId tenant = tenants.AddTenant({"T"});
        std::vector<VmId> vms;
        for (uint32_t host = 0; host < 3; ++host)
        {
            vms.push_back(tenants.AddVm({tenant, host, DataRate("4Gbps"), DataRate("4Gbps")}));
        }
        std::vector<FlowId> flows;
        for (uint32_t flow = 0; flow < 10; ++flow)
        {
            FlowRequest request{0, flow == 0 ? 1U : 2U, 0}; // until it is stopped
            request.pair = tenants.GetPair(vms[0], vms[request.destination]) + 1;
            flows.push_back(test.m_transport->StartFlow(request));
        }
        test.Run(MilliSeconds(1), MilliSeconds(10));
        std::vector<double> bytes;
        for (const FlowId flow : flows)
        {
            bytes.push_back(static_cast<double>(test.m_delivered[flow]));
        }
        const double nine = std::accumulate(bytes.begin() + 1, bytes.end(), 0.0);
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes[0] / nine, 1, 0.02, "the pairs have as much");
        for (std::size_t flow = 1; flow < bytes.size(); ++flow)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(9 * bytes[flow] / nine, 1, 0.05, "flow " << flow);
        }
    }
};

/**
 * @ingroup mufab-tests
 * @brief A short flow that comes while a long one of its pair waits for the window (Section 4.1).
 */
class MufabShortFlowTestCase : public MufabTestCase
{
  public:
    MufabShortFlowTestCase()
        : MufabTestCase("a short flow beside a long one of its pair")
    {
    }

  private:
    /// @brief Packets of the pair that leave from the arrival of 10 of a short flow to its last.
    static uint64_t CountTurns(const std::string& order)
    {
        MufabTestNetwork network("mufab:ChannelSize=400p,FlowOrder=" + order);
        network.Build(STAR);
        const PairId pair = network.AddPair(0, 1, "1Gbps");
        network.Send(pair, 300, 0);
        network.Run(MicroSeconds(100));
        const uint64_t before = network.GetPair(pair).GetStatistics().sentPackets;
        uint32_t longFlow = 0;
        uint64_t last = 0;
        network.onReceive = [&](const FabricItem& item) {
            longFlow = longFlow == 0 ? item.flow : longFlow;
            last = item.flow == longFlow ? last : network.arrived[pair];
        };
        network.Send(pair, 10, 1);
        network.Run(MilliSeconds(1));
        return network.arrived[pair] == 310 && network.disordered == 0 ? last - before : 0;
    }

    void Check() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountTurns("RoundRobin"), 20, "one of each");
        NS_TEST_EXPECT_MSG_GT(CountTurns("Fifo"), 200, "behind all of the long one");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Fourteen pairs start at once towards one host (Figs. 4 and 12).
 */
class MufabIncastTestCase : public MufabTestCase
{
  public:
    MufabIncastTestCase()
        : MufabTestCase("14 to 1, with and without the first stage")
    {
    }

  private:
    /// @brief Outcome of a run.
    struct Outcome
    {
        double maxRtt;   //!< in us
        double inFlight; //!< most that was under way, in bytes
        double least;    //!< least rate, in Gbit/s
        double sum;      //!< of the rates
    };

    static Outcome RunIncast(const std::string& controller)
    {
        MufabTestNetwork network(controller);
        network.Build(TESTBED);
        std::vector<PairId> pairs;
        for (uint32_t i = 0; i < 14; ++i)
        {
            pairs.push_back(network.AddPair(i % 7, 7, "500Mbps"));
            network.Fill(pairs.back());
        }
        Outcome outcome{};
        for (int sample = 0; sample < 1000; ++sample)
        {
            network.Run(MicroSeconds(2));
            double inFlight = 0;
            const int64_t now = Simulator::Now().GetTimeStep();
            for (const PairId pair : pairs)
            {
                MufabPath* path = network.GetPair(pair).GetPath();
                inFlight += path ? static_cast<double>(path->GetWindow().GetInFlight(now)) : 0;
            }
            outcome.inFlight = std::max(outcome.inFlight, inFlight);
        }
        const auto rates = network.Measure(pairs, MilliSeconds(4));
        outcome.least = *std::min_element(rates.begin(), rates.end());
        for (const double rate : rates)
        {
            outcome.sum += rate;
        }
        outcome.maxRtt =
            static_cast<double>(network.exchange->GetRtts().GetMax().GetNanoSeconds()) / 1e3;
        return outcome;
    }

    void Check() override
    {
        const Outcome with = RunIncast("mufab");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(with.maxRtt, 96, "at most 4 base RTTs");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(with.inFlight, 85500 + 14 * 1500, "at most 3 BDP");
        NS_TEST_EXPECT_MSG_GT(with.least, 0.5, "all have their guarantee");
        NS_TEST_EXPECT_MSG_GT(with.sum, 8.5, "the link is used");
        const Outcome unpaced = RunIncast("mufab:Pacing=false");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(unpaced.maxRtt, 96, "at most 4 base RTTs without pacing, too");
        const Outcome without = RunIncast("mufab:TwoStage=false,Advertisement=Eq3,Pacing=false");
        NS_TEST_EXPECT_MSG_GT(without.maxRtt, 150, "up to 14 BDP at once");
        NS_TEST_EXPECT_MSG_GT(without.inFlight, 10 * 28500.0, "14 BDP at once");
        NS_TEST_EXPECT_MSG_GT(without.least, 0.5, "all have their guarantee");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Demands that come and go (Fig. 16 small): held at the share, a burst is bounded.
 */
class MufabDemandTestCase : public MufabTestCase
{
  public:
    MufabDemandTestCase()
        : MufabTestCase("pairs that lack data are held at their share")
    {
    }

  private:
    void Check() override
    {
        MufabTestNetwork network;
        network.Build(STAR);
        const PairId slow = network.AddPair(0, 8, "1Gbps");
        const PairId other = network.AddPair(1, 8, "1Gbps");
        network.Drip(slow, DataRate("1Gbps"), Time(0), MilliSeconds(3));
        network.Drip(other, DataRate("1Gbps"), Time(0), MilliSeconds(3));
        network.Run(MicroSeconds(500));
        MufabPath& path = *network.GetPair(slow).GetPath();
        NS_TEST_EXPECT_MSG_EQ_TOL(path.GetWindow().Get(), 14250, 40, "r * T");
        NS_TEST_EXPECT_MSG_EQ(path.GetLaw().GetStage(), TwoStageAdmission::RAMP, "held");
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetSums(network.GetLastPort(8)).window,
                                  2 * 14250,
                                  80,
                                  "and so they tell the link");
        const auto rates = network.Measure({slow, other}, MilliSeconds(2));
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 1, 0.02, "all that comes leaves");
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[1], 1, 0.02, "all that comes leaves");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Base RTTs of 12 and 24 us on one link.
 */
class MufabRttTestCase : public MufabTestCase
{
  public:
    MufabRttTestCase()
        : MufabTestCase("pairs with different base RTTs")
    {
    }

  private:
    std::vector<double> RunPairs(const std::string& controller)
    {
        // Receiver, near sender, far sender: 2.474 us of transmissions each way.
        const std::string file = CreateTempDirFilename("mufab-base-rtts.csv");
        std::ofstream(file) << "what,from,to,rate,delay\n"
                               "tier,switch\n"
                               "link,host0,switch0,10Gbps,1000ns\n"
                               "link,host1,switch0,10Gbps,3763ns\n"
                               "link,host2,switch0,10Gbps,9763ns\n";
        MufabTestNetwork network(controller);
        network.Build("file:File=\"" + file + "\"");
        const std::vector<PairId> pairs{network.AddPair(1, 0, "2Gbps"),
                                        network.AddPair(2, 0, "2Gbps")};
        network.Fill(pairs[0]);
        network.Fill(pairs[1]);
        network.Run(MilliSeconds(1));
        return network.Measure(pairs, MilliSeconds(4));
    }

    void Check() override
    {
        const auto normal = RunPairs("mufab");
        NS_TEST_EXPECT_MSG_EQ_TOL(normal[0] / normal[1], 1, 0.05, "equal tokens, equal rates");
        NS_TEST_EXPECT_MSG_GT(normal[0] + normal[1], 9, "the link is used");
        const auto literal = RunPairs("mufab:OwnRtt=true,Pacing=false");
        NS_TEST_EXPECT_MSG_EQ_TOL(literal[0] / literal[1], 2, 0.3, "as printed: 2 to 1");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Guarantees of pairs out of hoses (Fig. 21 on a network).
 */
class MufabHoseTestCase : public MufabTestCase
{
  public:
    MufabHoseTestCase()
        : MufabTestCase("tokens of pairs out of hoses")
    {
    }

  private:
    using Ends = std::pair<uint32_t, uint32_t>; //!< hosts of a pair

    /**
     * @brief Pairs of a virtual fabric with a VM of 3 Gbit/s on each of six hosts.
     * @param network the network
     * @param ends of the pairs
     * @return the pairs
     */
    static std::vector<PairId> AddPairs(MufabTestNetwork& network, const std::vector<Ends>& ends)
    {
        network.tenants->AddTenant({"A"});
        std::vector<VmId> vms;
        for (uint32_t host = 0; host < 6; ++host)
        {
            vms.push_back(network.tenants->AddVm({0, host, DataRate("3Gbps"), DataRate("3Gbps")}));
        }
        std::vector<PairId> pairs;
        for (const auto& [from, to] : ends)
        {
            pairs.push_back(network.tenants->GetPair(vms[from], vms[to]));
        }
        return pairs;
    }

    /// @brief a1 to a4, a5, a6, and a2 to a6.
    static constexpr std::array<Ends, 4> FIGURE_21{{{0, 3}, {0, 4}, {0, 5}, {1, 5}}};

    /// @brief Without uFAB-C pairs send what they are guaranteed, and no more.
    void CheckRates(const std::vector<Ends>& ends, const std::vector<double>& expected)
    {
        MufabTestNetwork network;
        network.without = "switch0";
        network.Build(STAR);
        const auto pairs = AddPairs(network, ends);
        for (const PairId pair : pairs)
        {
            network.Fill(pair);
        }
        network.Run(MilliSeconds(1));
        const auto rates = network.Measure(pairs, MilliSeconds(4));
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[i], expected[i], 0.03 * expected[i], "pair " << i);
        }
    }

    void Check() override
    {
        CheckRates({FIGURE_21.begin(), FIGURE_21.end()}, {1, 1, 1, 2}); // example a
        CheckRates({{0, 5}, {1, 5}, {2, 5}}, {1, 1, 1});                // many to one
        CheckRates({{0, 3}, {0, 4}, {0, 5}}, {1, 1, 1});                // one to many
        CheckTokens();
    }

    void CheckTokens()
    {
        MufabTestNetwork network;
        network.Build(STAR);
        const auto pairs = AddPairs(network, {FIGURE_21.begin(), FIGURE_21.end()});
        for (std::size_t i = 1; i < pairs.size(); ++i)
        {
            network.Fill(pairs[i]);
        }
        network.Drip(pairs[0], DataRate("300Mbps"), Time(0), MilliSeconds(2));
        network.Fill(pairs[0], MilliSeconds(2));
        // The median over some time: when a share changes, the receiver may not bound a pair for a
        // moment, and its sender takes all it has.
        const auto expect = [&](const std::vector<double>& tokens, const std::string& what) {
            std::vector<std::vector<double>> samples(pairs.size());
            for (int sample = 0; sample < 51; ++sample)
            {
                network.Run(MicroSeconds(8));
                for (std::size_t i = 0; i < pairs.size(); ++i)
                {
                    samples[i].push_back(network.GetPair(pairs[i]).GetTokens());
                }
            }
            for (std::size_t i = 0; i < pairs.size(); ++i)
            {
                std::ranges::nth_element(samples[i], samples[i].begin() + 25);
                NS_TEST_EXPECT_MSG_EQ_TOL(samples[i][25], tokens[i], 4, what << ", pair " << i);
            }
        };
        network.Run(MicroSeconds(1500));
        expect({100, 135, 135, 165}, "example b");
        network.Run(MicroSeconds(300));
        expect({100, 100, 100, 200}, "example a");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Case-2: a pair takes the path that can keep its guarantee, not the idlest one (Fig. 5).
 */
class MufabPathsTestCase : public MufabTestCase
{
  public:
    MufabPathsTestCase()
        : MufabTestCase("qualified paths")
    {
    }

  private:
    void Check() override
    {
        MufabTestNetwork network;
        network.Build(THREE_WAYS);
        const std::vector<PairId> pairs{network.AddPair(0, 4, "9Gbps"),
                                        network.AddPair(1, 5, "8Gbps"),
                                        network.AddPair(2, 6, "4Gbps"),
                                        network.AddPair(3, 7, "5Gbps")};
        network.Drip(pairs[0], DataRate("8Gbps"), Time(0), MilliSeconds(9));
        network.Drip(pairs[1], DataRate("9Gbps"), MicroSeconds(100), MilliSeconds(9));
        network.Fill(pairs[2], MicroSeconds(200));
        network.Run(MilliSeconds(1));
        for (std::size_t i = 0; i < 3; ++i)
        {
            for (std::size_t j = 0; j < i; ++j)
            {
                NS_TEST_EXPECT_MSG_NE(network.GetPair(pairs[i]).GetPath()->GetIndex(),
                                      network.GetPair(pairs[j]).GetPath()->GetIndex(),
                                      "each on a path of its own");
            }
        }
        const uint64_t queries = network.exchange->GetStatistics().queries;
        network.Fill(pairs[3]);
        network.Run(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(network.exchange->GetStatistics().queries - queries, 3, "all asked");
        NS_TEST_EXPECT_MSG_EQ(network.GetPair(pairs[3]).GetPath()->GetIndex(),
                              network.GetPair(pairs[2]).GetPath()->GetIndex(),
                              "the only one that can keep both guarantees");
        // Queries left no trace, and responses do not count: three links for each pair.
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetAllSums().tokens,
                                  3 * (900 + 800 + 400 + 500),
                                  1e-6,
                                  "sums over active pairs");
        const auto rates = network.Measure(pairs, MilliSeconds(4));
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[0], 8, 0.1, "F1");
        NS_TEST_EXPECT_MSG_GT(rates[1], 8, "F2");
        NS_TEST_EXPECT_MSG_GT(rates[2], 4, "F3");
        NS_TEST_EXPECT_MSG_GT(rates[3], 5, "F4");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Pairs whose guarantees no longer fit one path part, and lose nothing.
 */
class MufabMigrationTestCase : public MufabTestCase
{
  public:
    MufabMigrationTestCase()
        : MufabTestCase("migration")
    {
    }

  private:
    void CheckMigration(bool keepOrder)
    {
        MufabTestNetwork network(keepOrder ? "mufab:KeepOrder=true" : "mufab");
        network.Build(THREE_WAYS);
        const PairId first = network.AddPair(0, 4, "9Gbps");
        const PairId second = network.AddPair(1, 5, "9Gbps");
        const PairId third = network.AddPair(2, 6, "1Gbps");
        const PairId fourth = network.AddPair(2, 7, "1Gbps");
        network.Fill(first);
        network.Fill(second, MicroSeconds(100));
        network.Fill(third, MicroSeconds(200));
        network.Fill(fourth, MicroSeconds(300));
        network.Run(MilliSeconds(1));
        auto path = [&network](PairId pair) { return network.GetPair(pair).GetPath()->GetIndex(); };
        NS_TEST_ASSERT_MSG_EQ(path(third), path(fourth), "both where there is room");
        NS_TEST_EXPECT_MSG_EQ(network.exchange->GetStatistics().migrations, 0, "all is well");
        // The first shrinks and the third grows: it no longer fits with the fourth.
        const auto& tenants = *network.tenants;
        const auto set = [&](PairId pair, const char* rate) {
            const VmPair& vms = tenants.GetVmPair(pair);
            network.tenants->SetHose(vms.from, DataRate(rate), DataRate(rate));
            network.tenants->SetHose(vms.to, DataRate(rate), DataRate(rate));
        };
        const Time start = Simulator::Now();
        set(first, "500Mbps");
        set(third, "9Gbps");
        while (path(third) == path(fourth) && Simulator::Now() < start + MilliSeconds(3))
        {
            network.Run(MicroSeconds(1));
        }
        const double waited = (Simulator::Now() - start).GetSeconds() * 1e6;
        const double rtt = static_cast<double>(network.exchange->GetLargestBaseRtt()) / 1e3;
        NS_TEST_EXPECT_MSG_GT(waited, 5 * rtt, "not before 5 bad RTTs");
        NS_TEST_EXPECT_MSG_LT(waited, 5 * rtt + 15 * rtt, "soon, with the freeze window");
        network.Run(MilliSeconds(1));
        for (const PairId pair : {first, second, third, fourth})
        {
            network.Stop(pair, Time(0));
        }
        network.Run(MicroSeconds(800));
        for (const PairId pair : {first, second, third, fourth})
        {
            NS_TEST_EXPECT_MSG_EQ(network.arrived[pair], network.sent[pair], "nothing is lost");
        }
        if (keepOrder)
        {
            NS_TEST_EXPECT_MSG_EQ(network.disordered, 0, "nothing overtakes");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetAllSums().tokens, 0, 1e-6, "nobody is left behind");
    }

    void Check() override
    {
        CheckMigration(false);
        CheckMigration(true);
    }
};

/**
 * @ingroup mufab-tests
 * @brief A switch fails: pairs go elsewhere within the time that the time-out gives.
 */
class MufabFailureTestCase : public MufabTestCase
{
  public:
    MufabFailureTestCase()
        : MufabTestCase("failures")
    {
    }

  private:
    /**
     * @brief A switch on the path of a pair fails.
     * @param core specification of the stages
     * @param part of a base RTT that goes by before
     * @return time until the pair has another path, in base RTTs
     */
    double GetOutage(const std::string& core, double part)
    {
        MufabTestNetwork network("mufab", core);
        network.Build(THREE_WAYS);
        const PairId pair = network.AddPair(0, 4, "3Gbps");
        network.Fill(pair);
        const auto rtt = static_cast<double>(network.exchange->GetLargestBaseRtt());
        network.Run(MilliSeconds(1) + TimeStep(static_cast<int64_t>(part * rtt)));
        // The switch that the pair's path goes by.
        const FabricPort* up = network.GetPair(pair).GetPath()->GetPorts()[0];
        network.fabric->SetSwitchUp(network.fabric->GetSwitchIndex(*up->GetDescription().peer),
                                    false);
        const Time failed = Simulator::Now();
        const uint16_t old = network.GetPair(pair).GetPath()->GetIndex();
        while (network.GetPair(pair).GetPath()->GetIndex() == old &&
               Simulator::Now() < failed + MilliSeconds(2))
        {
            network.Run(MicroSeconds(1));
        }
        const double outage = (Simulator::Now() - failed).GetSeconds() * 1e6;
        NS_TEST_EXPECT_MSG_EQ(network.exchange->GetStatistics().failedPaths, 1, "one path");
        const double rate = network.Measure({pair}, MilliSeconds(1))[0];
        NS_TEST_EXPECT_MSG_GT(rate, 8.5, "as before");
        return outage / (rtt / 1e3);
    }

    void Check() override
    {
        for (const double part : {0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05})
        {
            const double silent = GetOutage("mufab:FailureResponses=false", part);
            NS_TEST_EXPECT_MSG_GT(silent, 15, "two time-outs of 8 base RTTs");
            NS_TEST_EXPECT_MSG_LT(silent, 16 + 1 + 1.5, "and a query");
            NS_TEST_EXPECT_MSG_LT(GetOutage("mufab", part), 3, "a failure response");
        }
    }
};

/**
 * @ingroup mufab-tests
 * @brief The only path of pairs fails and comes back: they begin anew, so that latency is bounded.
 */
class MufabReturnTestCase : public MufabTestCase
{
  public:
    MufabReturnTestCase()
        : MufabTestCase("pairs whose only path comes back")
    {
    }

  private:
    void CheckReturn(const std::string& core)
    {
        MufabTestNetwork network("mufab:ChannelSize=400p", core);
        network.Build(STAR);
        std::vector<PairId> pairs;
        for (uint32_t host = 0; host < 8; ++host)
        {
            // Two of them to another host, at which nothing fails.
            pairs.push_back(network.AddPair(host, host < 6 ? 8 : (host + 1) % 8, "1Gbps"));
            network.Fill(pairs.back(), MicroSeconds(50 * host));
        }
        network.Run(MilliSeconds(1));
        const uint32_t last = network.fabric->GetNLinks() - 1;
        network.fabric->SetLinkUp(last, false);
        network.Run(MicroSeconds(700));
        network.fabric->SetLinkUp(last, true);
        network.Run(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_LT_OR_EQ(network.exchange->GetRtts().GetMax().GetSeconds() * 1e6,
                                    96,
                                    "at most 4 base RTTs, " << core);
        pairs.resize(6);
        for (const double rate : network.Measure(pairs, MilliSeconds(2)))
        {
            NS_TEST_EXPECT_MSG_GT(rate, 1.3, "as before");
        }
    }

    void Check() override
    {
        CheckReturn("mufab");
        CheckReturn("mufab:FailureResponses=false");
    }
};

/**
 * @ingroup mufab-tests
 * @brief A pair goes to a path that has been better for long enough.
 */
class MufabConservationTestCase : public MufabTestCase
{
  public:
    MufabConservationTestCase()
        : MufabTestCase("migration for work conservation")
    {
    }

  private:
    /// @param pause for which the path is better
    void CheckPause(Time pause)
    {
        MufabTestNetwork network("mufab:ConservationPeriod=100us,ConservationTime=3ms");
        network.Build(THREE_WAYS);
        const PairId first = network.AddPair(0, 4, "9Gbps");
        const PairId second = network.AddPair(1, 5, "9Gbps");
        const PairId third = network.AddPair(2, 6, "1Gbps");
        const PairId fourth = network.AddPair(3, 7, "1Gbps");
        network.Fill(first);
        network.Fill(second, MicroSeconds(100));
        network.Fill(third, MicroSeconds(200));
        network.Fill(fourth, MicroSeconds(300));
        network.Run(MilliSeconds(5));
        const auto& statistics = network.exchange->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.migrations, 0, "no path is better");
        network.Stop(first, Time(0));
        network.Fill(first, pause);
        network.Run(MilliSeconds(3));
        NS_TEST_EXPECT_MSG_EQ(statistics.migrations, 0, "not yet for long enough");
        network.Run(MilliSeconds(3));
        NS_TEST_EXPECT_MSG_EQ((statistics.migrations > 0),
                              (pause > MilliSeconds(4)),
                              "one is, for " << pause.GetMicroSeconds() << " us");
    }

    /// @brief More paths than are asked at once, all but one of them idle.
    void CheckManyPaths()
    {
        MufabTestNetwork network("mufab:ConservationPeriod=100us,ConservationTime=3ms,Retry=100us");
        network.Build("leaf-spine:Leaves=2,HostsPerLeaf=4,Spines=8,HostRate=10Gbps,"
                      "FabricRate=10Gbps,LinkDelay=2us");
        const auto setUp = [&network](bool isUp) {
            const FabricPort* kept = network.fabric->GetPath(0, 4)[1];
            for (uint32_t i = 0; i < network.fabric->GetNSwitches(); ++i)
            {
                const auto& node = network.fabric->GetSwitch(i);
                const bool isSpine = node.GetName().starts_with("spine");
                if (isSpine && &node != kept->GetDescription().peer)
                {
                    network.fabric->SetSwitchUp(i, isUp);
                }
            }
        };
        setUp(false);
        const std::vector<PairId> pairs{network.AddPair(0, 4, "2Gbps"),
                                        network.AddPair(1, 5, "2Gbps")};
        for (const PairId pair : pairs)
        {
            network.Fill(pair);
        }
        network.Run(MilliSeconds(2));
        for (const PairId pair : pairs)
        {
            NS_TEST_ASSERT_MSG_NE(network.GetPair(pair).GetPath(),
                                  nullptr,
                                  "it asks until it finds the one that works");
        }
        setUp(true);
        const uint64_t before = network.exchange->GetStatistics().migrations;
        network.Run(MicroSeconds(2900));
        NS_TEST_EXPECT_MSG_EQ(network.exchange->GetStatistics().migrations,
                              before,
                              "not yet for long enough");
        network.Run(MilliSeconds(2));
        NS_TEST_EXPECT_MSG_GT(network.exchange->GetStatistics().migrations,
                              before,
                              "one of many is better");
    }

    void Check() override
    {
        CheckPause(MicroSeconds(2700)); // nearly long enough, then as before
        CheckPause(MilliSeconds(5));
        CheckManyPaths();
    }
};

/**
 * @ingroup mufab-tests
 * @brief Frequency of probes.
 */
class MufabProbingTestCase : public MufabTestCase
{
  public:
    MufabProbingTestCase()
        : MufabTestCase("self-clocked and periodic probes, and what they take of a link")
    {
    }

  private:
    /**
     * @brief Mean time between the probes of a pair.
     * @param controller specification
     * @param rate of its data, in Gbit/s; 0: all that goes
     * @return in us
     */
    static double GetInterval(const std::string& controller, uint32_t rate)
    {
        MufabTestNetwork network(controller);
        network.Build(STAR);
        const PairId pair = network.AddPair(0, 1, "5Gbps");
        if (rate > 0)
        {
            network.Drip(pair, DataRate(rate * 1'000'000'000ULL), Time(0), MilliSeconds(6));
        }
        else
        {
            network.Fill(pair);
        }
        network.Run(MilliSeconds(1));
        const uint64_t before = network.exchange->GetStatistics().probes;
        network.Run(MicroSeconds(4800));
        return 4800.0 / static_cast<double>(network.exchange->GetStatistics().probes - before);
    }

    /**
     * @brief Share of probes in all bytes when each pair probes T after its probe and the time for
     * L_w bytes (Section 4.1): N x + N 8 L_p / (T + 8 L_w / x) = C.
     * @param pairs N
     * @param size L_p in bytes
     * @param rate C, of data and probes, in bit/s
     * @return the share
     */
    static double GetOverhead(uint32_t pairs, double size, double rate)
    {
        const auto getProbes = [&](double x) { return 8 * size / (24e-6 + 8 * 4096 / x); };
        double least = 0;
        double most = rate / pairs;
        for (int step = 0; step < 60; ++step)
        {
            const double x = (least + most) / 2;
            (pairs * (x + getProbes(x)) < rate ? least : most) = x;
        }
        return pairs * getProbes(least) / rate;
    }

    /**
     * @brief The same as packets have it, over what the formula says.
     * @param pairs from one host to another, of 100 Gbit/s
     * @return the ratio
     */
    static double CompareOverhead(uint32_t pairs)
    {
        MufabTestNetwork network("mufab:ProbeSize=39");
        network.Build("single-switch:Hosts=2,HostRate=100Gbps,LinkDelay=5930ns");
        for (uint32_t pair = 0; pair < pairs; ++pair)
        {
            network.Fill(network.AddPair(0, 1, "1Gbps"));
        }
        const auto count = [&network] {
            double packets = 0;
            for (const auto& [pair, arrived] : network.arrived)
            {
                packets += static_cast<double>(arrived);
            }
            return std::pair(1500 * packets,
                             static_cast<double>(network.exchange->GetStatistics().probeBytes));
        };
        network.Run(MicroSeconds(300));
        const auto before = count();
        network.Run(MicroSeconds(720));
        const auto after = count();
        const double probes = after.second - before.second;
        const double all = after.first - before.first + probes;
        return probes / all / GetOverhead(pairs, 39, 8 * all / 720e-6);
    }

    void CheckOverhead()
    {
        const std::vector<std::pair<uint32_t, double>> expected{{1, 0.017},
                                                                {16, 0.232},
                                                                {64, 0.602},
                                                                {256, 0.998},
                                                                {1024, 1.194},
                                                                {8192, 1.266}};
        for (const auto& [pairs, percent] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(100 * GetOverhead(pairs, 53, 100e9),
                                      percent,
                                      0.001,
                                      pairs << " pairs, in per cent");
        }
        for (const uint32_t pairs : {1, 16, 64})
        {
            // A probe goes with the packet that fills L_w, up to a packet later.
            NS_TEST_EXPECT_MSG_EQ_TOL(CompareOverhead(pairs), 1, 0.1, pairs << " pairs");
        }
    }

    void Check() override
    {
        CheckOverhead();
        // T + 8 L_w / rate, up to a packet.
        NS_TEST_EXPECT_MSG_EQ_TOL(GetInterval("mufab", 1), 56.8, 5, "1 Gbps");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetInterval("mufab", 0), 27.4, 2, "9.5 Gbps");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetInterval("mufab:ProbeClock=AfterProbe", 1),
                                  32.8,
                                  4,
                                  "since the last probe");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetInterval("mufab:ProbeClock=AfterProbe", 0),
                                  24,
                                  2,
                                  "since the last probe, a base RTT at least");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetInterval("mufab:ProbeClock=Periodic,ProbeRounds=4", 0),
                                  96,
                                  1,
                                  "every four base RTTs");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Several underlay paths of one pair (Section 6, Appendix F).
 */
class MufabMultipathTestCase : public MufabTestCase
{
  public:
    MufabMultipathTestCase()
        : MufabTestCase("several underlay paths")
    {
    }

  private:
    void Check() override
    {
        MufabTestNetwork network("mufab:PathsPerPair=2");
        network.Build("leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=2,HostRate=10Gbps,"
                      "FabricRate=4Gbps,LinkDelay=2us");
        const PairId pair = network.AddPair(0, 2, "3Gbps");
        const PairId other = network.AddPair(1, 3, "3Gbps");
        network.Fill(pair);
        network.Fill(other);
        network.Run(MilliSeconds(1));
        MufabPair& channel = network.GetPair(pair);
        NS_TEST_ASSERT_MSG_EQ(channel.GetNSlots(), 2, "two paths");
        NS_TEST_EXPECT_MSG_NE(channel.GetPath(0)->GetIndex(),
                              channel.GetPath(1)->GetIndex(),
                              "not the same");
        NS_TEST_EXPECT_MSG_EQ_TOL(channel.GetPath(0)->GetTokens() + channel.GetPath(1)->GetTokens(),
                                  300,
                                  300,
                                  "its tokens, or up to twice");
        network.Stop(pair, Time(0));
        network.Stop(other, Time(0));
        network.Run(MilliSeconds(3));
        NS_TEST_EXPECT_MSG_EQ(network.arrived[pair], network.sent[pair], "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetAllSums().tokens, 0, 1e-6, "both have left");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Probes and responses that are lost (here: a link that fails now and then).
 */
class MufabLossTestCase : public MufabTestCase
{
  public:
    MufabLossTestCase()
        : MufabTestCase("registers after losses")
    {
    }

  private:
    void CheckLosses(const std::string& core)
    {
        MufabTestNetwork network("mufab", core);
        network.Build(STAR);
        std::vector<PairId> pairs;
        for (uint32_t host = 0; host < 6; ++host)
        {
            pairs.push_back(network.AddPair(host, 8, "1Gbps"));
            network.Fill(pairs.back(), MicroSeconds(37 * host));
        }
        for (int64_t at : {400, 700, 1500, 1810})
        {
            Simulator::Schedule(MicroSeconds(at), [&] { network.fabric->SetLinkUp(8, false); });
            Simulator::Schedule(MicroSeconds(at + 20), [&] { network.fabric->SetLinkUp(8, true); });
            Simulator::Schedule(MicroSeconds(at + 40),
                                [&] { network.fabric->SetLinkUp(2, false); });
            Simulator::Schedule(MicroSeconds(at + 55), [&] { network.fabric->SetLinkUp(2, true); });
        }
        network.Run(MilliSeconds(3));
        const PairClaim sums = network.GetSums(network.GetLastPort(8));
        NS_TEST_EXPECT_MSG_EQ_TOL(sums.tokens, 600, 1e-6, "all pairs, each once");
        NS_TEST_EXPECT_MSG_GT(network.exchange->GetStatistics().lostProbes, 3, "some were lost");
        const auto rates = network.Measure(pairs, MilliSeconds(2));
        for (const double rate : rates)
        {
            NS_TEST_EXPECT_MSG_GT(rate, 1.2, "shares as if nothing had been");
        }
        for (const PairId pair : pairs)
        {
            network.Stop(pair, Time(0));
        }
        network.Run(MilliSeconds(2));
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetAllSums().tokens, 0, 1e-6, "all have left");
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetAllSums().window, 0, 1e-6, "all have left");
    }

    void Check() override
    {
        CheckLosses("mufab");
        CheckLosses("mufab:Semantics=Delta");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Registers behind a Bloom filter: as good as without if it is large, and without the pairs
 * that it takes for known if it is small.
 */
class MufabBloomTestCase : public MufabTestCase
{
  public:
    MufabBloomTestCase()
        : MufabTestCase("40 pairs behind a large Bloom filter and a small one")
    {
    }

  private:
    /**
     * @brief Let 40 pairs send to one host.
     * @param core specification of the stage at each port of a switch
     * @return Phi of the host's port; that of all ports when all have left
     */
    static std::pair<double, double> GetTokens(const std::string& core)
    {
        MufabTestNetwork network("mufab", core);
        network.Build(STAR);
        std::vector<PairId> pairs;
        for (uint32_t i = 0; i < 40; ++i)
        {
            pairs.push_back(network.AddPair(i % 8, 8, "100Mbps"));
            network.Fill(pairs.back(), MicroSeconds(5 * i));
        }
        network.Run(MilliSeconds(1));
        const double sending = network.GetSums(network.GetLastPort(8)).tokens;
        for (const PairId pair : pairs)
        {
            network.Stop(pair, Time(0));
        }
        network.Run(MilliSeconds(3));
        return {sending, network.GetAllSums().tokens};
    }

    void Check() override
    {
        for (const std::string semantics : {"Exact", "Delta"})
        {
            const std::string core = "mufab:BloomFilter=true,Semantics=" + semantics;
            const auto large = GetTokens(core);
            NS_TEST_EXPECT_MSG_EQ_TOL(large.first, 400, 1e-6, "all pairs: " << core);
            NS_TEST_EXPECT_MSG_EQ_TOL(large.second, 0, 1e-6, "all have left: " << core);
            // Two banks of 16 cells take no more than 32 pairs, and far fewer as a rule.
            const auto small = GetTokens(core + ",BloomBytes=16");
            NS_TEST_EXPECT_MSG_LT(small.first, 320, "many are overlooked: " << core);
            NS_TEST_EXPECT_MSG_GT(small.first, 80, "but not all: " << core);
            NS_TEST_EXPECT_MSG_EQ_TOL(small.second, 0, 1e-6, "all have left: " << core);
        }
    }
};

/**
 * @ingroup mufab-tests
 * @brief Hosts that send and receive at once on short links: acknowledgments wait behind data, so
 * that round trips are longer than T_max, unless that allows for it.
 */
class BothWaysTestCase : public MufabTestCase
{
  public:
    BothWaysTestCase()
        : MufabTestCase("shares by tokens with traffic both ways")
    {
    }

  private:
    /**
     * @brief Let each of four hosts send to the next, two pairs with 50 and 450 tokens.
     * @param controller specification of the controllers
     * @return rate of the pairs with more tokens over that of the others
     */
    static double MeasureRatio(const std::string& controller)
    {
        MufabTestNetwork network(controller);
        network.Build("single-switch:Hosts=4,HostRate=10Gbps,LinkDelay=1us");
        std::vector<PairId> pairs;
        for (const char* hose : {"500Mbps", "4500Mbps"})
        {
            for (uint32_t host = 0; host < 4; ++host)
            {
                pairs.push_back(network.AddPair(host, (host + 1) % 4, hose));
                network.Fill(pairs.back());
            }
        }
        network.Run(MilliSeconds(2));
        const std::vector<double> rates = network.Measure(pairs, MilliSeconds(10));
        const double fewer = std::accumulate(rates.begin(), rates.begin() + 4, 0.0);
        return std::accumulate(rates.begin() + 4, rates.end(), 0.0) / fewer;
    }

    void Check() override
    {
        NS_TEST_EXPECT_MSG_LT(MeasureRatio("mufab"), 8, "windows of a BDP without load are short");
        NS_TEST_EXPECT_MSG_EQ_TOL(MeasureRatio("mufab:BaseRtt=24us"), 9, 0.25, "450 to 50");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Settings that cannot be used are told in one line.
 */
class MufabInputTestCase : public MufabTestCase
{
  public:
    MufabInputTestCase()
        : MufabTestCase("bad input")
    {
    }

  private:
    static std::string GetError(const std::string& controller)
    {
        try
        {
            MufabTestNetwork network(controller);
            network.Build(STAR);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }

    void Check() override
    {
        const std::string name = "ns3::MufabPairController::";
        NS_TEST_EXPECT_MSG_EQ(GetError("mufab:TargetUtilization=1.5"),
                              name + "TargetUtilization = '1.500000': above 0 and at most 1",
                              "eta");
        NS_TEST_EXPECT_MSG_EQ(GetError("mufab:TargetUtilization=0").substr(0, 46),
                              name + "TargetUtilization = ",
                              "eta");
        NS_TEST_EXPECT_MSG_EQ(GetError("mufab:ProbeSize=1501"),
                              name + "ProbeSize = '1501': 0, or 20 to 1500 bytes: a probe is one "
                                     "packet",
                              "larger than the MTU");
        NS_TEST_EXPECT_MSG_EQ(GetError("mufab:TokenBits=20"),
                              name + "TokenBits = '20': 16 or 24",
                              "width of tokens");
        NS_TEST_EXPECT_MSG_EQ(GetError("mufab:UnitBandwidth=0bps"),
                              name + "UnitBandwidth = '0': a rate above 0",
                              "B_u");
        NS_TEST_EXPECT_MSG_EQ(GetError("mufab:BaseRtt=1ns"),
                              name +
                                  "BaseRtt = '1ns': at least 23978 ns, the largest base RTT of the "
                                  "network; or 0, for just that",
                              "below the network's");
        NS_TEST_EXPECT_MSG_EQ(GetError("mufab:BaseRtt=1ms"), "", "above it");
    }
};

/**
 * @ingroup mufab-tests
 * @brief uFAB on networks.
 */
class MufabNetworkTestSuite : public TestSuite
{
  public:
    MufabNetworkTestSuite()
        : TestSuite("mufab-network", Type::UNIT)
    {
        AddTestCase(new LonePairTestCase, Duration::QUICK);
        AddTestCase(new BootstrapTestCase, Duration::QUICK);
        AddTestCase(new MufabSharesTestCase, Duration::QUICK);
        AddTestCase(new MufabHostLinkTestCase, Duration::QUICK);
        AddTestCase(new MufabFlowsTestCase, Duration::QUICK);
        AddTestCase(new MufabShortFlowTestCase, Duration::QUICK);
        AddTestCase(new MufabIncastTestCase, Duration::QUICK);
        AddTestCase(new MufabDemandTestCase, Duration::QUICK);
        AddTestCase(new MufabRttTestCase, Duration::QUICK);
        AddTestCase(new MufabHoseTestCase, Duration::QUICK);
        AddTestCase(new MufabPathsTestCase, Duration::QUICK);
        AddTestCase(new MufabMigrationTestCase, Duration::QUICK);
        AddTestCase(new MufabFailureTestCase, Duration::QUICK);
        AddTestCase(new MufabReturnTestCase, Duration::QUICK);
        AddTestCase(new MufabConservationTestCase, Duration::QUICK);
        AddTestCase(new MufabProbingTestCase, Duration::QUICK);
        AddTestCase(new MufabMultipathTestCase, Duration::QUICK);
        AddTestCase(new MufabLossTestCase, Duration::QUICK);
        AddTestCase(new MufabBloomTestCase, Duration::QUICK);
        AddTestCase(new BothWaysTestCase, Duration::QUICK);
        AddTestCase(new MufabInputTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static MufabNetworkTestSuite g_mufabNetworkTestSuite;
