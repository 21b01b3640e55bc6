/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-test.h"

#include "ns3/max-min-shares.h"
#include "ns3/random-variable-stream.h"

#include <cmath>
#include <numeric>
#include <set>

using namespace ns3;

namespace
{

constexpr double PACKET = 1500; //!< bytes
constexpr double CONTROL = 150; //!< bytes of a probe and an acknowledgment

/**
 * @param stream number of the stream
 * @return draws
 */
Ptr<UniformRandomVariable>
MakeDraws(int64_t stream)
{
    auto draws = CreateObject<UniformRandomVariable>();
    draws->SetStream(stream);
    return draws;
}

} // namespace

/**
 * @ingroup mufab-tests
 * @brief Bytes in flight and latency of random scenarios at one link, against what follows from
 * Section 3.4 (see "Bounds" of the documentation).
 *
 * The paper adds up: in the first base RTT pairs send what they are guaranteed or their shares, at
 * most a BDP; with the first response another share each, and with the second yet another; from
 * then on Eq. 3 has seen them. It takes a BDP for the sum of shares, which holds if the link knows
 * all pairs. Of pairs that join together, the kth probe finds the tokens of k: their first shares
 * add up to the sum of phi_k / (phi_1 + ... + phi_k), at most what ascending tokens give.
 */
class MufabBoundsTestCase : public MufabTestCase
{
  public:
    /// @param scenarios number of scenarios
    explicit MufabBoundsTestCase(uint32_t scenarios)
        : MufabTestCase("bytes in flight and latency of " + std::to_string(scenarios) +
                        " random scenarios"),
          m_scenarios(scenarios)
    {
    }

  private:
    /// @brief Beginnings of pairs.
    enum Beginning : uint8_t
    {
        TOGETHER, //!< all at once, from nothing
        SPREAD,   //!< within a few base RTTs, from nothing
        KNOWN     //!< all at once, after they had little to send (scenario 2)
    };

    /// @brief A scenario drawn at random.
    struct Scenario
    {
        Beginning beginning;       //!< beginning of the pairs
        int64_t delay;             //!< of a link, in ns
        std::vector<double> hoses; //!< by pair, in bit/s
    };

    /// @brief Largest values seen, in target BDPs and base RTTs.
    struct Outcome
    {
        double inFlight{0}; //!< beyond a packet of each pair
        double latency{0};  //!< of the slowest packet, without a packet of each pair
    };

    static Scenario Draw(UniformRandomVariable& random)
    {
        Scenario scenario;
        scenario.beginning = static_cast<Beginning>(random.GetInteger(0, 2));
        const bool isKnown = scenario.beginning == KNOWN;
        const std::vector<int64_t> delays{376, 2376, 5376};
        scenario.delay = delays[random.GetInteger(isKnown ? 1 : 0, 2)];
        scenario.hoses.resize(random.GetInteger(2, isKnown ? 8 : 16));
        for (double& hose : scenario.hoses)
        {
            hose = random.GetValue(0.1, 1);
        }
        const double sum = std::accumulate(scenario.hoses.begin(), scenario.hoses.end(), 0.0);
        const double all = random.GetValue(isKnown ? 0.7 : 0.3, 1) * 9.5e9;
        for (double& hose : scenario.hoses)
        {
            hose *= all / sum;
        }
        return scenario;
    }

    static double GetBound(const Scenario& scenario)
    {
        auto hoses = scenario.hoses;
        std::ranges::sort(hoses);
        if (scenario.beginning == KNOWN)
        {
            return 3;
        }
        double first = 0;
        double sum = 0;
        for (const double hose : hoses)
        {
            sum += hose;
            first += hose / sum;
        }
        return sum / 9.5e9 + first + 1;
    }

    static Outcome Observe(const Scenario& scenario, UniformRandomVariable& random)
    {
        const auto senders = static_cast<uint32_t>(scenario.hoses.size());
        MufabTestNetwork network;
        network.Build("single-switch:Hosts=" + std::to_string(senders + 1) +
                      ",HostRate=10Gbps,LinkDelay=" + std::to_string(scenario.delay) + "ns");
        const int64_t rtt = network.exchange->GetLargestBaseRtt();
        const int64_t begin = scenario.beginning == KNOWN ? 30 * rtt : 0;
        std::vector<PairId> pairs;
        for (uint32_t i = 0; i < senders; ++i)
        {
            const auto hose = static_cast<uint64_t>(scenario.hoses[i]);
            pairs.push_back(network.AddPair(i, senders, std::to_string(hose) + "bps"));
            if (scenario.beginning == KNOWN)
            {
                const double often = 12000 / (5 * TimeStep(rtt).GetSeconds());
                const DataRate drip(
                    static_cast<uint64_t>(std::max(0.3 * scenario.hoses[i], often)));
                network.Drip(pairs[i], drip, TimeStep(random.GetInteger(0, rtt)), TimeStep(begin));
            }
            const int64_t wait =
                scenario.beginning == SPREAD ? random.GetInteger(0, 4 * rtt) : begin;
            network.Fill(pairs[i], TimeStep(wait));
        }
        const double bdp = 9.5e9 * TimeStep(rtt).GetSeconds() / 8;
        Outcome outcome;
        const Time end = TimeStep(begin + 20 * rtt);
        while (Simulator::Now() < end)
        {
            network.Run(NanoSeconds(500));
            double inFlight = -PACKET * senders;
            for (const PairId pair : pairs)
            {
                const MufabPair* channel =
                    static_cast<const MufabPair*>(network.edge->FindChannel(pair));
                MufabPath* path = channel ? network.GetPair(pair).GetPath() : nullptr;
                inFlight += path ? static_cast<double>(path->GetWindow().GetInFlight(
                                       Simulator::Now().GetTimeStep()))
                                 : 0;
            }
            outcome.inFlight = std::max(outcome.inFlight, inFlight / bdp);
        }
        const double packets = senders * (PACKET + CONTROL) * 8 / 10e9;
        outcome.latency = (network.exchange->GetRtts().GetMax().GetSeconds() - packets) /
                          TimeStep(rtt).GetSeconds();
        return outcome;
    }

    void Check() override
    {
        const auto random = MakeDraws(1);
        for (uint32_t i = 0; i < m_scenarios; ++i)
        {
            const Scenario scenario = Draw(*random);
            const double bound = GetBound(scenario);
            const Outcome outcome = Observe(scenario, *random);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(outcome.inFlight, bound, "scenario " << i);
            // What is in flight drains at the line's rate, a BDP in 0.95 base RTTs.
            NS_TEST_EXPECT_MSG_LT_OR_EQ(outcome.latency, 1 + 0.95 * bound, "scenario " << i);
            if (scenario.beginning != TOGETHER)
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(outcome.inFlight, 3, "as the paper says, " << i);
                NS_TEST_EXPECT_MSG_LT_OR_EQ(outcome.latency, 4, "as the paper says, " << i);
            }
        }
    }

    uint32_t m_scenarios; //!< number of scenarios
};

/**
 * @ingroup mufab-tests
 * @brief At any quiet moment registers hold the sums over active pairs, whatever was lost before.
 */
class MufabRegisterSumsTestCase : public MufabTestCase
{
  public:
    /// @param core specification of the stage at each port of a switch
    explicit MufabRegisterSumsTestCase(const std::string& core)
        : MufabTestCase("registers are the sums over active pairs: " + core),
          m_core(core)
    {
    }

  private:
    /**
     * @brief Compare all registers with what active pairs told.
     * @param network the network, in which no probe is under way
     * @param pairs the pairs
     * @param silent host whose pairs do not count; -1: none
     * @param when for the message
     */
    void Compare(MufabTestNetwork& network,
                 const std::vector<PairId>& pairs,
                 int64_t silent,
                 const std::string& when)
    {
        std::map<const FabricPort*, PairClaim> sums;
        uint32_t active = 0;
        for (const PairId pair : pairs)
        {
            const bool isKnown = network.edge->FindChannel(pair) != nullptr;
            if (!isKnown || network.GetPair(pair).GetState() == MufabPair::State::IDLE ||
                network.tenants->GetSource(pair) == silent ||
                network.tenants->GetDestination(pair) == silent)
            {
                continue;
            }
            ++active;
            const MufabPath& path = *network.GetPair(pair).GetPath();
            for (std::size_t hop = 0; hop < path.GetPorts().size(); ++hop)
            {
                const PairClaim claim = path.GetClaim(hop);
                sums[path.GetPorts()[hop]].tokens += claim.tokens;
                sums[path.GetPorts()[hop]].window += claim.window;
            }
        }
        NS_TEST_EXPECT_MSG_GT(active, 2, "some are active, " << when);
        for (const auto& [port, stage] : network.stages)
        {
            const PairClaim held = stage->GetRegisters().GetSums();
            const std::string name = port->GetDescription().name + ", " + when;
            NS_TEST_EXPECT_MSG_EQ_TOL(held.tokens, sums[port].tokens, 1e-6, "tokens, " << name);
            NS_TEST_EXPECT_MSG_EQ_TOL(held.window, sums[port].window, 1e-3, "windows, " << name);
        }
    }

    void CheckRandom(int64_t stream)
    {
        const auto random = MakeDraws(stream);
        MufabTestNetwork network("mufab:GiveUp=1ms", m_core + "CleaningPeriod=1ms");
        network.Build(THREE_WAYS);
        const int64_t rtt = network.exchange->GetLargestBaseRtt();
        std::vector<PairId> pairs;
        const Time quiet = MilliSeconds(5);
        for (uint32_t i = 0; i < 16; ++i)
        {
            const uint32_t from = random->GetInteger(0, 3);
            pairs.push_back(network.AddPair(from, random->GetInteger(4, 7), "1Gbps"));
            const Time start = MicroSeconds(random->GetInteger(0, 1500));
            const Time end = i % 4 == 0 ? start + MicroSeconds(500) : quiet;
            network.Drip(pairs[i], DataRate("1Gbps"), start, end);
        }
        // Probes and responses are lost.
        for (uint32_t i = 0; i < 20; ++i)
        {
            const uint32_t link = random->GetInteger(0, 7);
            const Time at = MicroSeconds(random->GetInteger(200, 2500));
            Simulator::Schedule(at, [&network, link] { network.fabric->SetLinkUp(link, false); });
            Simulator::Schedule(at + MicroSeconds(random->GetInteger(5, 60)),
                                [&network, link] { network.fabric->SetLinkUp(link, true); });
        }
        network.Run(quiet + TimeStep(5 * rtt));
        NS_TEST_EXPECT_MSG_GT(network.exchange->GetStatistics().lostProbes, 5, "some were lost");
        Compare(network, pairs, -1, "after losses");
        // A host falls silent for good; the others go on, and the cores forget it.
        network.fabric->SetLinkUp(0, false);
        const Time again = MilliSeconds(9);
        for (const PairId pair : pairs)
        {
            network.Drip(pair, DataRate("1Gbps"), Time(0), again);
        }
        network.Run(again - Simulator::Now() + TimeStep(5 * rtt));
        Compare(network, pairs, 0, "after cleaning");
    }

    void Check() override
    {
        for (int64_t stream = 1; stream <= 3; ++stream)
        {
            CheckRandom(stream);
        }
    }

    std::string m_core; //!< specification
};

/**
 * @ingroup mufab-tests
 * @brief Random pairs on a network: guarantees after 20 base RTTs, and max-min shares of pairs with
 * equal tokens.
 *
 * With unequal ones the cap of Eq. 3 may stand between a pair and its share. What holds then is
 * that each pair has a full link on which nobody has more per token, or a link of which it has at
 * least its tokens over the most tokens of a pair there (see "The cap of Eq. 3" of the
 * documentation).
 */
class MufabOracleTestCase : public MufabTestCase
{
  public:
    MufabOracleTestCase()
        : MufabTestCase("guarantees and max-min shares of random pairs")
    {
    }

  private:
    void CheckRandom(int64_t stream, bool isEqual)
    {
        const auto random = MakeDraws(stream);
        constexpr uint32_t HOSTS = 8;
        MufabTestNetwork network("mufab:ChannelSize=400p");
        network.Build("leaf-spine:Leaves=2,HostsPerLeaf=4,Spines=2,HostRate=100Gbps,"
                      "FabricRate=400Gbps,LinkDelay=2us");
        std::vector<PairId> pairs;
        std::vector<double> guarantees;
        std::vector<double> capacities(HOSTS, 100); // senders' own links
        capacities.resize(2 * HOSTS, 95);
        std::vector<MaxMinFlow<double>> flows;
        std::vector<double> promised(2 * HOSTS);
        while (pairs.size() < 10)
        {
            const uint32_t from = random->GetInteger(0, HOSTS - 1);
            const uint32_t to = random->GetInteger(0, HOSTS - 1);
            const double hose = isEqual ? 10 : random->GetInteger(2, 30);
            if (from == to || promised[from] + hose > 95 || promised[HOSTS + to] + hose > 95)
            {
                continue;
            }
            promised[from] += hose;
            promised[HOSTS + to] += hose;
            pairs.push_back(
                network.AddPair(from, to, std::to_string(static_cast<int>(hose)) + "Gbps"));
            guarantees.push_back(hose);
            flows.push_back({{from, HOSTS + to}, hose});
            network.Fill(pairs.back());
        }
        const int64_t rtt = network.exchange->GetLargestBaseRtt();
        network.Run(TimeStep(20 * rtt));
        const auto early = network.Measure(pairs, TimeStep(20 * rtt));
        const auto rates = network.Measure(pairs, TimeStep(30 * rtt));
        const auto shares = MaxMinSharing<double>::Share(capacities, flows);
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            const double least = 0.98 * guarantees[i];
            NS_TEST_EXPECT_MSG_GT(early[i], least, "its guarantee after 20 base RTTs, pair " << i);
            NS_TEST_EXPECT_MSG_GT(rates[i], least, "its guarantee later, pair " << i);
            if (isEqual)
            {
                // Queues that probes see, packet by packet, cost some of the target.
                NS_TEST_EXPECT_MSG_GT(early[i], 0.95 * shares[i].rate, "its share, pair " << i);
                NS_TEST_EXPECT_MSG_LT(early[i], 1.02 * shares[i].rate, "no more, pair " << i);
            }
        }
        CheckBottlenecks(capacities, flows, rates);
    }

    /**
     * @brief Check what holds with any tokens.
     * @param capacities of links, in Gbit/s
     * @param flows the pairs
     * @param rates of the pairs, in Gbit/s
     */
    void CheckBottlenecks(const std::vector<double>& capacities,
                          const std::vector<MaxMinFlow<double>>& flows,
                          const std::vector<double>& rates)
    {
        std::vector<double> used(capacities.size());
        std::vector<double> level(capacities.size()); // most per token
        std::vector<double> most(capacities.size());  // tokens of a pair
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            for (const uint32_t link : flows[i].links)
            {
                used[link] += rates[i];
                level[link] = std::max(level[link], rates[i] / flows[i].weight);
                most[link] = std::max(most[link], flows[i].weight);
            }
        }
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            const auto isMost = [&](uint32_t link) {
                return used[link] > 0.93 * capacities[link] &&
                       rates[i] > 0.93 * level[link] * flows[i].weight;
            };
            const uint32_t own = flows[i].links[0]; // the host's scheduler divides it, not Eq. 3
            const uint32_t last = flows[i].links[1];
            const double part = capacities[last] * flows[i].weight / most[last];
            const bool has = isMost(own) || isMost(last) || rates[i] > 0.93 * part;
            NS_TEST_EXPECT_MSG_EQ(has,
                                  true,
                                  "a bottleneck of pair "
                                      << i << ": " << rates[i] << " of " << used[own] << " and "
                                      << used[last] << " Gbit/s, per token "
                                      << rates[i] / flows[i].weight << " of " << level[own]
                                      << " and " << level[last]);
        }
    }

    void Check() override
    {
        for (int64_t stream = 1; stream <= 3; ++stream)
        {
            CheckRandom(stream, true);
        }
        for (int64_t stream = 1; stream <= 4; ++stream)
        {
            CheckRandom(stream, false);
        }
    }
};

/**
 * @ingroup mufab-tests
 * @brief Guarantees that change at random: pairs migrate, lose nothing and, if asked to, keep their
 * order.
 */
class MufabMovesTestCase : public MufabTestCase
{
  public:
    MufabMovesTestCase()
        : MufabTestCase("random migrations lose nothing")
    {
    }

  private:
    /**
     * @brief Change hoses at random.
     * @param stream of draws
     * @param keepOrder true if packets may not overtake each other
     * @return number of migrations
     */
    uint64_t Move(int64_t stream, bool keepOrder)
    {
        const auto random = MakeDraws(stream);
        MufabTestNetwork network(keepOrder ? "mufab:KeepOrder=true" : "mufab");
        network.flows = static_cast<uint32_t>(stream); // take turns, also while they move
        network.Build(THREE_WAYS);
        std::vector<PairId> pairs;
        for (uint32_t i = 0; i < 6; ++i)
        {
            pairs.push_back(network.AddPair(i % 4, 4 + (i + stream) % 4, "1Gbps"));
            network.Fill(pairs[i], MicroSeconds(random->GetInteger(0, 300)));
        }
        for (uint32_t change = 1; change <= 8; ++change)
        {
            Simulator::Schedule(MicroSeconds(500 * change), [&network, &pairs, random] {
                for (const PairId pair : pairs)
                {
                    const DataRate hose(random->GetInteger(1, 12) * 400'000'000ULL);
                    const VmPair& vms = network.tenants->GetVmPair(pair);
                    network.tenants->SetHose(vms.from, hose, hose);
                    network.tenants->SetHose(vms.to, hose, hose);
                }
            });
        }
        for (const PairId pair : pairs)
        {
            network.Stop(pair, MicroSeconds(4500));
        }
        network.Run(MilliSeconds(7));
        for (const PairId pair : pairs)
        {
            NS_TEST_EXPECT_MSG_EQ(network.arrived[pair], network.sent[pair], "nothing is lost");
        }
        if (keepOrder)
        {
            NS_TEST_EXPECT_MSG_EQ(network.disordered, 0, "nothing overtakes");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetAllSums().tokens, 0, 1e-6, "all have left");
        return network.exchange->GetStatistics().migrations;
    }

    void Check() override
    {
        uint64_t migrations = 0;
        for (int64_t stream = 1; stream <= 4; ++stream)
        {
            migrations += Move(stream, false);
            migrations += Move(stream, true);
        }
        NS_TEST_EXPECT_MSG_GT(migrations, 20, "there are some");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Properties of uFAB on random networks.
 */
class MufabPropertiesTestSuite : public TestSuite
{
  public:
    MufabPropertiesTestSuite()
        : TestSuite("mufab-properties", Type::UNIT)
    {
        AddTestCase(new MufabBoundsTestCase(60), Duration::QUICK);
        AddTestCase(new MufabRegisterSumsTestCase("mufab:"), Duration::QUICK);
        AddTestCase(new MufabRegisterSumsTestCase("mufab:Semantics=Delta,"), Duration::QUICK);
        AddTestCase(new MufabOracleTestCase, Duration::QUICK);
        AddTestCase(new MufabMovesTestCase, Duration::QUICK);
        AddTestCase(new MufabBoundsTestCase(1000), Duration::EXTENSIVE);
    }
};

/// The suite registers itself.
static MufabPropertiesTestSuite g_mufabPropertiesTestSuite;
