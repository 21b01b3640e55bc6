/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// When uFAB does what: tokens, queries, violations, migrations, finish probes; and what it does
// with telemetry that lacks something.

#include "mufab-test.h"

#include "ns3/faulty-mufab-port-stage.h"
#include "ns3/results.h"

#include <cmath>

using namespace ns3;

namespace
{

/**
 * @param network the network
 * @param port one of its ports
 * @return number of the port's link
 */
uint32_t
FindLink(const MufabTestNetwork& network, const FabricPort* port)
{
    for (uint32_t link = 0; link < network.fabric->GetNLinks(); ++link)
    {
        const auto ends = network.fabric->GetLink(link);
        if (ends[0] == port || ends[1] == port)
        {
            return link;
        }
    }
    NS_ABORT_MSG("no such link");
}

/**
 * @brief Change the hoses of both VMs of a pair.
 * @param network the network
 * @param pair the pair
 * @param rate of both
 */
void
SetHose(MufabTestNetwork& network, PairId pair, const char* rate)
{
    const VmPair& vms = network.tenants->GetVmPair(pair);
    network.tenants->SetHose(vms.from, DataRate(rate), DataRate(rate));
    network.tenants->SetHose(vms.to, DataRate(rate), DataRate(rate));
}

/// @brief Two large pairs on paths of their own, and others of one host together on the third.
struct ThreeWays
{
    /**
     * @param others pairs on the third path
     * @param controller specification
     */
    explicit ThreeWays(uint32_t others, const std::string& controller = "mufab")
        : network(controller)
    {
        network.Build("leaf-spine:Leaves=2,HostsPerLeaf=5,Spines=3,HostRate=10Gbps,"
                      "FabricRate=10Gbps,LinkDelay=2us");
        rtt = network.exchange->GetLargestBaseRtt();
        for (const uint32_t host : {0, 1})
        {
            large.push_back(network.AddPair(host, 5 + host, "9Gbps"));
            network.Fill(large.back(), MicroSeconds(100 * host));
        }
        for (uint32_t i = 0; i < others; ++i)
        {
            small.push_back(network.AddPair(2, 7 + i, "1Gbps"));
            network.Fill(small.back(), MicroSeconds(200 + 100 * i));
        }
        network.Run(MilliSeconds(1));
    }

    /// @return paths of the others
    std::vector<uint16_t> GetPaths() const
    {
        std::vector<uint16_t> paths;
        for (const PairId pair : small)
        {
            paths.push_back(network.GetPair(pair).GetPath()->GetIndex());
        }
        return paths;
    }

    MufabTestNetwork network;  //!< two racks with three spines
    std::vector<PairId> large; //!< of 9 Gbit/s
    std::vector<PairId> small; //!< of 1 Gbit/s
    int64_t rtt;               //!< the largest base RTT
};

} // namespace

/**
 * @ingroup mufab-tests
 * @brief Times at which the tokens of a VM's pairs change (Section 5.1, Appendix E).
 */
class TokenTimesTestCase : public MufabTestCase
{
  public:
    TokenTimesTestCase()
        : MufabTestCase("tokens change every 32 us, and when a pair wakes up")
    {
    }

  private:
    void Check() override
    {
        MufabTestNetwork network;
        network.Build(STAR);
        network.tenants->AddTenant({"A"});
        const auto addVm = [&network](uint32_t host) {
            return network.tenants->AddVm({0, host, DataRate("3Gbps"), DataRate("3Gbps")});
        };
        const VmId sender = addVm(0);
        std::vector<PairId> pairs;
        for (uint32_t host = 1; host <= 3; ++host)
        {
            pairs.push_back(network.tenants->GetPair(sender, addVm(host)));
        }
        network.Fill(pairs[1]);
        network.Fill(pairs[2]);
        network.Run(MilliSeconds(1));
        const auto expect = [&](std::size_t i, double tokens, const std::string& what) {
            NS_TEST_EXPECT_MSG_EQ_TOL(network.GetPair(pairs[i]).GetTokens(), tokens, 1, what);
        };
        expect(1, 150, "two pairs");
        // A pair that wakes up has its share at once; the others give theirs within a period.
        network.Fill(pairs[0]);
        network.Run(NanoSeconds(10));
        expect(0, 100, "its share at once");
        network.Run(MicroSeconds(32));
        expect(1, 100, "the others'");
        expect(2, 100, "the others'");
        // What a pair with little demand leaves, others get at multiples of the period.
        network.Stop(pairs[0], Time(0));
        network.Drip(pairs[0], DataRate("300Mbps"), MicroSeconds(300), MilliSeconds(3));
        std::vector<double> times;
        double last = network.GetPair(pairs[1]).GetTokens();
        for (int step = 0; step < 1000; ++step)
        {
            network.Run(MicroSeconds(1));
            const double tokens = network.GetPair(pairs[1]).GetTokens();
            if (std::abs(tokens - last) > 1e-9)
            {
                times.push_back(Simulator::Now().GetSeconds() * 1e6);
            }
            last = tokens;
        }
        NS_TEST_ASSERT_MSG_GT(times.size(), 3, "they change as the meter sees the demand");
        for (const double time : times)
        {
            const double periods = (time - times[0]) / 32;
            NS_TEST_EXPECT_MSG_EQ_TOL(periods, std::round(periods), 0.07, "multiples of 32 us");
        }
    }
};

/**
 * @ingroup mufab-tests
 * @brief The use of a pair is a mean over token periods, however often tokens are assigned.
 */
class TokenUseTestCase : public MufabTestCase
{
  public:
    TokenUseTestCase()
        : MufabTestCase("tokens by use, while others of the VM wake up all the time")
    {
    }

  private:
    void Check() override
    {
        MufabTestNetwork network;
        network.Build(STAR);
        network.tenants->AddTenant({"A"});
        const auto addVm = [&network](uint32_t host) {
            return network.tenants->AddVm({0, host, DataRate("3Gbps"), DataRate("3Gbps")});
        };
        const VmId sender = addVm(0);
        const PairId slow = network.tenants->GetPair(sender, addVm(1));
        const PairId greedy = network.tenants->GetPair(sender, addVm(2));
        network.Drip(slow, DataRate("900Mbps"), Time(0), MilliSeconds(4));
        network.Fill(greedy);
        network.Run(MilliSeconds(1));
        uint32_t right = 0;
        for (int step = 0; step < 1000; ++step)
        {
            network.Run(NanoSeconds(700));
            network.GetController(0).OnTermsChanged(0); // assigns tokens, as a pair that wakes up
            right += std::abs(network.GetPair(greedy).GetTokens() - 210) < 25;
        }
        // A packet that waits for the host's port makes the slow one seem to want more, if somebody
        // looks just then: 1.2 us of 13.3.
        NS_TEST_EXPECT_MSG_GT(right, 800, "150, and what a pair of 90 leaves of 150");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Time until a pair has new tokens because those of another that ends at its receiver
 * changed.
 */
class PeerTokensTestCase : public MufabTestCase
{
  public:
    PeerTokensTestCase()
        : MufabTestCase("a peer has new tokens one base RTT later")
    {
    }

  private:
    void Check() override
    {
        MufabTestNetwork network;
        network.Build(STAR);
        network.tenants->AddTenant({"A"});
        std::vector<VmId> vms;
        for (uint32_t host = 0; host < 5; ++host)
        {
            vms.push_back(network.tenants->AddVm({0, host, DataRate("3Gbps"), DataRate("3Gbps")}));
        }
        const PairId first = network.tenants->GetPair(vms[0], vms[4]);
        const PairId peer = network.tenants->GetPair(vms[1], vms[4]);
        const std::vector<PairId> others{network.tenants->GetPair(vms[0], vms[2]),
                                         network.tenants->GetPair(vms[0], vms[3])};
        network.Fill(first);
        network.Fill(peer);
        const Time start = MilliSeconds(1);
        network.Fill(others[0], start); // the first has a third of its VM's tokens from now on
        network.Fill(others[1], start);
        network.Run(start - NanoSeconds(1));
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetPair(peer).GetTokens(), 150, 1, "half each");
        while (network.GetPair(peer).GetTokens() < 151 && Simulator::Now() < 2 * start)
        {
            network.Run(NanoSeconds(500));
        }
        // The base RTT is that of 1500 bytes and an acknowledgment. Before a probe of either pair
        // leaves, 4096 bytes do, at a third of the link; the peer's VM divides its tokens anew at
        // the end of a period of 32 us.
        const double later = (Simulator::Now() - start).GetSeconds() * 1e6;
        NS_TEST_EXPECT_MSG_GT(later, 20, "no sooner than it can be there");
        NS_TEST_EXPECT_MSG_LT(later, 24 + 2 * (24 + 10) + 32, "a base RTT, and what has to wait");
        network.Run(MicroSeconds(200));
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetPair(peer).GetTokens(), 200, 1, "two thirds");
    }
};

/**
 * @ingroup mufab-tests
 * @brief The tokens of a pair that has left are the others' at its receiver.
 */
class LeavingTokensTestCase : public MufabTestCase
{
  public:
    LeavingTokensTestCase()
        : MufabTestCase("a finish probe frees tokens at the receiver")
    {
    }

  private:
    void CheckLeave(Time stop)
    {
        MufabTestNetwork network;
        network.Build(STAR);
        network.tenants->AddTenant({"A"});
        std::vector<VmId> vms;
        for (uint32_t host = 0; host < 3; ++host)
        {
            vms.push_back(network.tenants->AddVm({0, host, DataRate("3Gbps"), DataRate("3Gbps")}));
        }
        const PairId leaving = network.tenants->GetPair(vms[0], vms[2]);
        const PairId staying = network.tenants->GetPair(vms[1], vms[2]);
        network.Fill(leaving);
        network.Fill(staying);
        network.Stop(leaving, stop);
        network.Run(stop);
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetPair(staying).GetTokens(), 150, 1, "half each");
        while (network.exchange->GetStatistics().finishes == 0)
        {
            network.Run(MicroSeconds(1));
        }
        const Time finish = Simulator::Now();
        while (network.GetPair(staying).GetTokens() < 299 && Simulator::Now() < 2 * stop)
        {
            network.Run(MicroSeconds(1));
        }
        // The way there, the time between two responses, and a token period.
        NS_TEST_EXPECT_MSG_LT((Simulator::Now() - finish).GetMicroSeconds(),
                              12 + 30 + 32 + 4,
                              "all are its own");
    }

    void Check() override
    {
        for (const int64_t us : {1000, 1050, 1100, 1150})
        {
            CheckLeave(MicroSeconds(us));
        }
    }
};

/**
 * @ingroup mufab-tests
 * @brief A pair joins by asking paths (Section 3.5), also if one does not answer.
 */
class JoiningTestCase : public MufabTestCase
{
  public:
    JoiningTestCase()
        : MufabTestCase("a pair joins after its queries")
    {
    }

  private:
    void Check() override
    {
        CheckJoin(false);
        CheckJoin(true);
    }

    void CheckJoin(bool isOneDead)
    {
        MufabTestNetwork network("mufab", "mufab:FailureResponses=false");
        network.Build(THREE_WAYS);
        const int64_t rtt = network.exchange->GetLargestBaseRtt();
        const PairId pair = network.AddPair(0, 4, "1Gbps");
        if (isOneDead)
        {
            const FabricPort& up = *network.fabric->GetPath(0, 4)[1];
            network.fabric->SetSwitchUp(network.fabric->GetSwitchIndex(*up.GetDescription().peer),
                                        false);
        }
        network.Send(pair, 10);
        network.Run(TimeStep(rtt / 3));
        NS_TEST_EXPECT_MSG_EQ(network.exchange->GetStatistics().queries, 3, "all paths");
        NS_TEST_EXPECT_MSG_EQ((network.GetPair(pair).GetPath() == nullptr), true, "it waits");
        NS_TEST_EXPECT_MSG_EQ(network.GetPair(pair).GetWaitingPackets(), 10, "data wait");
        const int64_t due = isOneDead ? 8 * rtt : rtt;
        if (isOneDead)
        {
            network.Run(TimeStep(due - 1000) - Simulator::Now());
            NS_TEST_EXPECT_MSG_EQ((network.GetPair(pair).GetPath() == nullptr),
                                  true,
                                  "the third may still answer");
        }
        network.Run(TimeStep(due + 1) - Simulator::Now());
        NS_TEST_ASSERT_MSG_NE(network.GetPair(pair).GetPath(), nullptr, "it has decided");
        MufabPath& path = *network.GetPair(pair).GetPath();
        const double bootstrap = 1e9 * TimeStep(rtt).GetSeconds() / 8;
        NS_TEST_EXPECT_MSG_EQ_TOL(path.GetWindow().Get(), bootstrap, 1, "phi * B_u * T");
        network.Run(MicroSeconds(1)); // the probe goes first
        NS_TEST_EXPECT_MSG_GT(path.GetWindow().GetSentBytes(), 0, "data leave");
        network.Run(TimeStep(rtt));
        NS_TEST_EXPECT_MSG_GT(path.GetWindow().Get(), 5 * bootstrap, "alone: Eq. 3 at once");
        NS_TEST_EXPECT_MSG_EQ(path.GetLaw().GetStage(),
                              TwoStageAdmission::UTILIZATION,
                              "after one increment");
        network.Run(TimeStep(4 * rtt));
        NS_TEST_EXPECT_MSG_EQ(network.arrived[pair], 10, "all is there");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Causes of migrations, and the time until the next one of a host (Section 3.5).
 */
class MigrationTimesTestCase : public MufabTestCase
{
  public:
    MigrationTimesTestCase()
        : MufabTestCase("bad base RTTs in a row, and a freeze window between migrations")
    {
    }

  private:
    void Check() override
    {
        CheckRow();
        CheckFreeze();
    }

    void CheckRow()
    {
        ThreeWays it(2);
        const auto& statistics = it.network.exchange->GetStatistics();
        SetHose(it.network, it.large[0], "500Mbps"); // there is room, for who would move
        it.network.Run(TimeStep(10 * it.rtt));
        for (int time = 0; time < 10; ++time)
        {
            SetHose(it.network, it.small[0], "9Gbps");
            it.network.Run(TimeStep(3 * it.rtt));
            SetHose(it.network, it.small[0], "1Gbps");
            it.network.Run(TimeStep(6 * it.rtt));
        }
        NS_TEST_EXPECT_MSG_EQ(statistics.migrations, 0, "good ones between bad ones");
        SetHose(it.network, it.small[0], "9Gbps");
        it.network.Run(TimeStep(25 * it.rtt));
        NS_TEST_EXPECT_MSG_GT(statistics.migrations, 0, "bad ones only");
    }

    void CheckFreeze()
    {
        // Three of 6 Gbit/s on one path, with room for one each on the others.
        ThreeWays it(3);
        for (const PairId pair : it.large)
        {
            SetHose(it.network, pair, "500Mbps");
        }
        it.network.Run(TimeStep(10 * it.rtt));
        auto paths = it.GetPaths();
        NS_TEST_ASSERT_MSG_EQ((paths[0] == paths[1] && paths[1] == paths[2]), true, "all on one");
        for (const PairId pair : it.small)
        {
            SetHose(it.network, pair, "6Gbps");
        }
        std::vector<int64_t> times;
        for (int step = 0; step < 1000; ++step)
        {
            it.network.Run(MicroSeconds(1));
            if (const auto now = it.GetPaths(); now != paths)
            {
                times.push_back(Simulator::Now().GetTimeStep());
                paths = now;
            }
        }
        NS_TEST_ASSERT_MSG_EQ(times.size(), 2, "two of them leave, one at a time");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(times[1] - times[0], it.rtt - 1000, "a base RTT apart");
        std::ranges::sort(paths);
        NS_TEST_EXPECT_MSG_EQ((paths == std::vector<uint16_t>{0, 1, 2}), true, "one each");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Registers after a pair has moved, and the time at which its data follow (Sections 3.5,
 * 3.6).
 */
class MovingTestCase : public MufabTestCase
{
  public:
    MovingTestCase()
        : MufabTestCase("registers and data of a pair that moves")
    {
    }

  private:
    void CheckMove(bool keepOrder)
    {
        ThreeWays it(2, keepOrder ? "mufab:KeepOrder=true" : "mufab");
        MufabTestNetwork& network = it.network;
        const auto before = it.GetPaths();
        NS_TEST_ASSERT_MSG_EQ(before[0], before[1], "both on one path");
        MufabPath& old = *network.GetPair(it.small[0]).GetPath();
        SetHose(network, it.large[0], "500Mbps");
        SetHose(network, it.small[0], "9Gbps");
        while (it.GetPaths() == before && Simulator::Now() < MilliSeconds(4))
        {
            network.Run(MicroSeconds(1));
        }
        NS_TEST_ASSERT_MSG_EQ((it.GetPaths() == before), false, "one moves");
        const bool isFirst = it.GetPaths()[0] != before[0];
        const PairId mover = it.small[isFirst ? 0 : 1];
        MufabPath& path = *network.GetPair(mover).GetPath();
        const double guarantee = isFirst ? 9e9 : 1e9;
        NS_TEST_EXPECT_MSG_EQ_TOL(path.GetWindow().Get(),
                                  guarantee * TimeStep(it.rtt).GetSeconds() / 8,
                                  100,
                                  "it starts with what it is guaranteed");
        if (keepOrder)
        {
            network.Run(TimeStep(it.rtt - 2000));
            NS_TEST_EXPECT_MSG_EQ(path.GetWindow().GetSentBytes(), 0, "probes only");
            network.Run(TimeStep(3 * it.rtt + 3000));
        }
        else
        {
            network.Run(MicroSeconds(3));
        }
        NS_TEST_EXPECT_MSG_GT(path.GetWindow().GetSentBytes(), 0, "then data");
        network.Run(TimeStep(8 * it.rtt));
        std::map<const FabricPort*, double> sums;
        for (const auto* pairs : {&it.large, &it.small})
        {
            for (const PairId pair : *pairs)
            {
                const MufabPair& channel = network.GetPair(pair);
                for (const FabricPort* port : channel.GetPath()->GetPorts())
                {
                    sums[port] += channel.GetTokens();
                }
            }
        }
        for (const auto& [port, stage] : network.stages)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(stage->GetRegisters().GetSums().tokens,
                                      sums[port],
                                      1e-6,
                                      "as many as cross " << port->GetDescription().name);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sums[path.GetPorts()[2]],
                                  guarantee / 1e7,
                                  1e-6,
                                  "once on the link to its receiver, which both paths have");
        NS_TEST_EXPECT_MSG_EQ(old.GetPorts()[0]->GetDescription().node,
                              path.GetPorts()[0]->GetDescription().node,
                              "another port of the same switch");
    }

    void Check() override
    {
        CheckMove(false);
        CheckMove(true);
    }
};

/**
 * @ingroup mufab-tests
 * @brief A finish probe is lost behind the second of five switches (Section 3.6).
 */
class LostFinishTestCase : public MufabTestCase
{
  public:
    LostFinishTestCase()
        : MufabTestCase("a lost finish probe")
    {
    }

  private:
    void Check() override
    {
        MufabTestNetwork network("mufab", "mufab:FailureResponses=false");
        network.Build(TESTBED);
        const int64_t rtt = network.exchange->GetLargestBaseRtt();
        const PairId pair = network.AddPair(0, 7, "500Mbps");
        network.Send(pair, 10);
        network.Run(MicroSeconds(150));
        NS_TEST_ASSERT_MSG_EQ(network.arrived[pair], 10, "all is there");
        const MufabPath& path = *network.GetPair(pair).GetPath();
        NS_TEST_ASSERT_MSG_EQ(path.GetPorts().size(), 5, "five switches");
        const auto expect = [&](const std::vector<double>& tokens, const std::string& when) {
            for (std::size_t hop = 0; hop < tokens.size(); ++hop)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(network.GetSums(*path.GetPorts()[hop]).tokens,
                                          tokens[hop],
                                          1e-9,
                                          when << ", switch " << hop);
            }
        };
        expect({50, 50, 50, 50, 50}, "registered");
        const uint32_t link = FindLink(network, path.GetPorts()[2]);
        network.fabric->SetLinkUp(link, false);
        while (network.exchange->GetStatistics().finishes == 0)
        {
            network.Run(MicroSeconds(1));
        }
        const Time finished = Simulator::Now();
        network.Run(TimeStep(2 * rtt));
        expect({0, 0, 50, 50, 50}, "the first two have seen it");
        network.fabric->SetLinkUp(link, true);
        network.Run(finished + TimeStep(8 * rtt) - MicroSeconds(2) - Simulator::Now());
        NS_TEST_EXPECT_MSG_EQ(network.exchange->GetStatistics().finishes, 1, "not again yet");
        network.Run(TimeStep(2 * rtt));
        NS_TEST_EXPECT_MSG_EQ(network.exchange->GetStatistics().finishes, 2, "after 8 base RTTs");
        expect({0, 0, 0, 0, 0}, "all have");
        for (const auto& [port, stage] : network.stages)
        {
            NS_TEST_EXPECT_MSG_EQ(stage->GetRegisters().GetUnderflows(), 0, "never below 0");
        }
    }
};

/**
 * @ingroup mufab-tests
 * @brief Queues that probes see cost utilization, and tokens beyond their field are counted.
 */
class TelemetryTestCase : public MufabTestCase
{
  public:
    TelemetryTestCase()
        : MufabTestCase("queues that probes see cost utilization; sums beyond their field")
    {
    }

  private:
    /**
     * @brief Three pairs at a link: what the senders are told of it is C T, what it sends is that
     * less the queue, but for what a meter of whole packets leaves out.
     * @param controller with pacing or without
     * @param left most of the link's BDP that the meter leaves out
     */
    void CheckIdentity(const std::string& controller, double left)
    {
        MufabTestNetwork network(controller);
        network.Build(STAR);
        double queue = 0;
        double told = 0;
        uint32_t probes = 0;
        double tx = 0;
        network.GetLastPort(8).AddStage(
            CreateObject<DepartureStage>([&](const FabricItem* item, const FabricPort&) {
                const MufabProbe* probe = MufabProbe::Find(*item);
                if (probe && probe->type == ProbeHeader::PROBE)
                {
                    queue += probe->records[0].link.queue;
                    told += probe->records[0].link.rate;
                    ++probes;
                }
                tx += item->size;
            }));
        for (uint32_t host = 0; host < 3; ++host)
        {
            network.Fill(network.AddPair(host, 8, "2Gbps"));
        }
        network.Run(MilliSeconds(1));
        queue = told = tx = probes = 0;
        network.Run(MicroSeconds(24000));
        const double used = 8 * tx / 24e-3 / 9.5e9;
        const double waits = queue / probes / BDP;
        NS_TEST_EXPECT_MSG_GT(probes, 1000, "many samples");
        NS_TEST_EXPECT_MSG_EQ_TOL(told / probes / 9.5e9 + waits, 1, 0.01, "tx T + q = C T");
        NS_TEST_EXPECT_MSG_EQ_TOL(used, 1 - waits, left, "1 - q / (C T), " << controller);
    }

    /// @brief A probe tells each port its window there, and is told of itself.
    void CheckOwnPart()
    {
        MufabTestNetwork network;
        network.Build(STAR);
        FabricItem* item = FabricItem::Create();
        auto* probe = new MufabProbe;
        probe->room = 3;
        probe->sequence = probe->version = 1;
        probe->tokens = 50;
        const std::vector<double> windows{1500, 14250, 60000};
        for (std::size_t hop = 0; hop < windows.size(); ++hop)
        {
            probe->records[hop].window = windows[hop];
        }
        item->SetClass(FabricItem::CONTROL);
        item->extension = probe;
        item->size = 64;
        for (uint32_t hop = 0; hop < windows.size(); ++hop)
        {
            const FabricPort& port = network.GetLastPort(hop);
            network.stages.at(&port)->Depart(item, port);
            const LinkState& link = probe->records[hop].link;
            NS_TEST_EXPECT_MSG_EQ(link.tokens, 50, "its tokens, hop " << hop);
            NS_TEST_EXPECT_MSG_EQ(link.window, windows[hop], "its window, hop " << hop);
            NS_TEST_EXPECT_MSG_EQ(network.GetSums(port).window, windows[hop], "W, hop " << hop);
        }
        NS_TEST_EXPECT_MSG_EQ(probe->hops, 3, "records");
        item->Release();
    }

    void CheckOverflow()
    {
        MufabTestNetwork network("mufab:UnitBandwidth=100kbps,Encoding=Wire");
        network.Build(STAR);
        const PairId pair = network.AddPair(0, 8, "7Gbps");
        network.Send(pair, 20);
        network.Run(MicroSeconds(100));
        const FabricPort& port = network.GetLastPort(8);
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetSums(port).tokens, 70000, 1e-6, "70,000 tokens");
        Results results;
        network.stages.at(&port)->ReportResults(results);
        double overflows = 0;
        for (const auto& total : results.GetTotals())
        {
            overflows += total.name == "mufab_overflows" ? total.value : 0;
        }
        NS_TEST_EXPECT_MSG_GT(overflows, 0, "do not fit in 16 bits");
    }

    void Check() override
    {
        CheckOwnPart();
        // The start of the meter's window lies anywhere in a packet, but packets that are clocked
        // by acknowledgments alone come a base RTT, which is the window, after one another.
        CheckIdentity("mufab", 0.03);
        CheckIdentity("mufab:Pacing=false", 1500 / BDP);
        CheckOverflow();
    }

    static constexpr double BDP = 9.5e9 * 24e-6 / 8; //!< C T of STAR's links, in bytes
};

/**
 * @ingroup mufab-tests
 * @brief Switches without uFAB-C (Section 6): paths lack their records.
 */
class PartialDeploymentTestCase : public MufabTestCase
{
  public:
    PartialDeploymentTestCase()
        : MufabTestCase("switches that tell nothing")
    {
    }

  private:
    void Check() override
    {
        const std::string row = "parking-lot:Switches=5,HostsPerSwitch=2,TrunkRate=10Gbps";
        for (const auto& [without, records] : {std::pair{"switch2", 4U}, {"", 5U}})
        {
            MufabTestNetwork network;
            network.without = without;
            network.Build(row);
            const std::vector<PairId> pairs{network.AddPair(0, 8, "2Gbps"),
                                            network.AddPair(1, 9, "2Gbps")};
            network.Fill(pairs[0]);
            network.Fill(pairs[1]);
            network.Run(MilliSeconds(1));
            NS_TEST_EXPECT_MSG_EQ(network.GetPair(pairs[0]).GetPath()->GetPorts().size(),
                                  records,
                                  "records of a response");
            const auto rates = network.Measure(pairs, MilliSeconds(2));
            NS_TEST_EXPECT_MSG_EQ_TOL(rates[0] / rates[1], 1, 0.05, "shares");
            NS_TEST_EXPECT_MSG_GT(rates[0] + rates[1], 8.5, "of all there is");
            for (const PairId pair : pairs)
            {
                network.Stop(pair, Time(0));
            }
            network.Run(MilliSeconds(2));
            NS_TEST_EXPECT_MSG_EQ(network.GetPair(pairs[0]).GetPath()->GetState(),
                                  MufabPath::IDLE,
                                  "all that can have acknowledged that it left");
            NS_TEST_EXPECT_MSG_EQ_TOL(network.GetAllSums().tokens, 0, 1e-9, "nothing is left");
        }
        // Nobody tells anything: what is guaranteed, no more.
        MufabTestNetwork network;
        network.without = "switch0";
        network.Build(STAR);
        const PairId pair = network.AddPair(0, 8, "2Gbps");
        network.Fill(pair);
        network.Run(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ_TOL(network.Measure({pair}, MilliSeconds(2))[0], 2, 0.1, "guarantee");
    }
};

/**
 * @ingroup mufab-tests
 * @brief The states of a pair and what leads from one to the other, as drawn in mufab-pair.h.
 */
class PairStatesTestCase : public MufabTestCase
{
  public:
    PairStatesTestCase()
        : MufabTestCase("states of a pair")
    {
    }

  private:
    using State = MufabPair::State;

    /// @brief Run until a pair is in a state, or for some base RTTs.
    void Expect(MufabTestNetwork& network, PairId pair, State state, int64_t rounds)
    {
        const Time end =
            Simulator::Now() + TimeStep(rounds * network.exchange->GetLargestBaseRtt());
        while (network.GetPair(pair).GetState() != state && Simulator::Now() < end)
        {
            network.Run(NanoSeconds(100));
        }
        NS_TEST_EXPECT_MSG_EQ(network.GetPair(pair).GetState(), state, "within " << rounds);
    }

    /// @brief Let all switches between the racks fail, or come back.
    static void SetSpinesUp(MufabTestNetwork& network, bool isUp)
    {
        PathTable& table = network.fabric->GetPathTable();
        for (uint32_t index = 0; index < 3; ++index)
        {
            const auto ports = table.GetPorts(table.Get(0, 1, index));
            const FabricNode& spine = *ports.front()->GetDescription().peer;
            network.fabric->SetSwitchUp(network.fabric->GetSwitchIndex(spine), isUp);
        }
    }

    void CheckLife()
    {
        MufabTestNetwork network;
        network.Build(THREE_WAYS);
        const PairId pair = network.AddPair(0, 4, "1Gbps");
        network.Send(pair);
        Expect(network, pair, State::JOINING, 0);
        Expect(network, pair, State::SENDING, 2);
        Expect(network, pair, State::IDLE, 20);
        network.Send(pair);
        Expect(network, pair, State::SENDING, 0); // it knows a path
    }

    void CheckOnlyPath()
    {
        MufabTestNetwork network;
        network.Build(STAR);
        const PairId pair = network.AddPair(0, 1, "1Gbps");
        network.Send(pair);
        Expect(network, pair, State::SENDING, 0);
    }

    void CheckFailure()
    {
        MufabTestNetwork network("mufab:Retry=200us");
        network.Build(THREE_WAYS);
        const PairId pair = network.AddPair(0, 4, "1Gbps");
        network.Fill(pair);
        network.Run(MilliSeconds(1));
        Expect(network, pair, State::SENDING, 0);
        SetSpinesUp(network, false);
        Expect(network, pair, State::RECOVERING, 3);
        Expect(network, pair, State::RETRYING, 3);
        SetSpinesUp(network, true);
        Expect(network, pair, State::SENDING, 50);
        NS_TEST_EXPECT_MSG_GT(network.Measure({pair}, MilliSeconds(1))[0], 8, "data go on");
    }

    void CheckMigration()
    {
        ThreeWays it(2);
        SetHose(it.network, it.large[0], "500Mbps");
        SetHose(it.network, it.small[0], "9Gbps");
        const auto before = it.GetPaths();
        const auto isMigrating = [&it](PairId pair) {
            return it.network.GetPair(pair).GetState() == State::MIGRATING;
        };
        while (std::ranges::none_of(it.small, isMigrating) && Simulator::Now() < MilliSeconds(4))
        {
            it.network.Run(NanoSeconds(100));
        }
        const auto mover = std::ranges::find_if(it.small, isMigrating);
        NS_TEST_ASSERT_MSG_EQ((mover == it.small.end()), false, "one looks for another path");
        NS_TEST_EXPECT_MSG_EQ((it.GetPaths() == before), true, "and is on the old one meanwhile");
        Expect(it.network, *mover, State::SENDING, 9);
        NS_TEST_EXPECT_MSG_EQ((it.GetPaths() == before), false, "it has moved");
    }

    void CheckObservation()
    {
        MufabTestNetwork network("mufab:ConservationPeriod=1ms");
        network.Build(THREE_WAYS);
        const PairId pair = network.AddPair(0, 4, "1Gbps");
        network.Fill(pair);
        network.Run(MicroSeconds(900));
        Expect(network, pair, State::SENDING, 0);
        Expect(network, pair, State::OBSERVING, 20);
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulator::Now().GetSeconds(), 1e-3, 1e-6, "once per period");
        Expect(network, pair, State::SENDING, 3);
    }

    void Check() override
    {
        CheckLife();
        CheckOnlyPath();
        CheckFailure();
        CheckMigration();
        CheckObservation();
    }
};

/**
 * @ingroup mufab-tests
 * @brief Telemetry that fails on purpose.
 */
class FaultyTelemetryTestCase : public MufabTestCase
{
  public:
    FaultyTelemetryTestCase()
        : MufabTestCase("lost probes and stale records")
    {
    }

  private:
    void CheckLoss()
    {
        MufabTestNetwork network("mufab", "faulty-mufab:Lost=0.05");
        network.Build(STAR);
        std::vector<PairId> pairs;
        for (uint32_t host = 0; host < 6; ++host)
        {
            pairs.push_back(network.AddPair(host, 8, "1Gbps"));
            network.Fill(pairs.back(), MicroSeconds(37 * host));
        }
        network.Run(MilliSeconds(2));
        const double before = static_cast<double>(network.exchange->GetStatistics().probes);
        const double lost = static_cast<double>(network.exchange->GetStatistics().lostProbes);
        // There and back by one switch: 1 - 0.95^2.
        NS_TEST_EXPECT_MSG_EQ_TOL(lost / before, 0.0975, 0.05, "so many are lost");
        for (const double rate : network.Measure(pairs, MilliSeconds(2)))
        {
            NS_TEST_EXPECT_MSG_GT(rate, 1, "its guarantee");
        }
        for (const PairId pair : pairs)
        {
            network.Stop(pair, Time(0));
        }
        network.Run(MilliSeconds(8));
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetAllSums().tokens, 0, 1e-6, "all have left");
    }

    void CheckStale(double share)
    {
        MufabTestNetwork network;
        network.Build(STAR);
        const FabricPort& port = network.GetLastPort(8);
        auto stage = CreateObject<FaultyMufabPortStage>();
        stage->SetAttribute("Stale", DoubleValue(share));
        stage->SetAttribute("StaleBy", TimeValue(MicroSeconds(50)));
        stage->AssignStreams(1);
        // A pair more every 10 us: a true record tells how many there are.
        uint32_t old = 0;
        for (uint32_t pair = 0; pair < 200; ++pair)
        {
            FabricItem* item = FabricItem::Create();
            auto* probe = new MufabProbe;
            probe->room = 1;
            probe->pair = pair;
            probe->sequence = probe->version = 1;
            probe->tokens = 1;
            item->SetClass(FabricItem::CONTROL);
            item->extension = probe;
            item->size = 64;
            stage->Depart(item, port);
            const double told = probe->records[0].link.tokens;
            const uint32_t behind = pair + 1 - static_cast<uint32_t>(told);
            old += behind > 0;
            NS_TEST_EXPECT_MSG_EQ((behind == 0 || behind == std::min(5U, pair)), true, "50 us");
            item->Release();
            network.Run(MicroSeconds(10));
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(old / 200.0, share, 0.07, "so many are stale");
    }

    void Check() override
    {
        CheckLoss();
        CheckStale(0);
        CheckStale(0.3);
        CheckStale(1);
    }
};

/**
 * @ingroup mufab-tests
 * @brief Times of uFAB's actions.
 */
class MufabTimingTestSuite : public TestSuite
{
  public:
    MufabTimingTestSuite()
        : TestSuite("mufab-timing", Type::UNIT)
    {
        AddTestCase(new TokenTimesTestCase, Duration::QUICK);
        AddTestCase(new TokenUseTestCase, Duration::QUICK);
        AddTestCase(new PeerTokensTestCase, Duration::QUICK);
        AddTestCase(new LeavingTokensTestCase, Duration::QUICK);
        AddTestCase(new JoiningTestCase, Duration::QUICK);
        AddTestCase(new MigrationTimesTestCase, Duration::QUICK);
        AddTestCase(new MovingTestCase, Duration::QUICK);
        AddTestCase(new LostFinishTestCase, Duration::QUICK);
        AddTestCase(new TelemetryTestCase, Duration::QUICK);
        AddTestCase(new PartialDeploymentTestCase, Duration::QUICK);
        AddTestCase(new PairStatesTestCase, Duration::QUICK);
        AddTestCase(new FaultyTelemetryTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static MufabTimingTestSuite g_mufabTimingTestSuite;
