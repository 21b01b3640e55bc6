/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-test.h"

#include "ns3/input-error.h"
#include "ns3/random-variable-stream.h"
#include "ns3/results.h"

#include <array>
#include <cmath>

using namespace ns3;

/**
 * @ingroup edge-tests
 * @brief A controller whose channels are held until a test says otherwise.
 */
class HeldTestController : public PairController
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::HeldTestController")
                                .SetParent<PairController>()
                                .SetGroupName("Edge")
                                .AddConstructor<HeldTestController>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "for tests";
    }

    std::unique_ptr<PairChannel> CreateChannel(uint32_t /* pair */) override
    {
        return std::make_unique<Channel>();
    }

    /// @brief A channel of the controller.
    class Channel : public HeldTestChannel
    {
      public:
        using PairChannel::SendControl;
        using PairChannel::Wake;

        FabricItem* Dequeue(int64_t now) override
        {
            if (probe)
            {
                SendControl(probe);
                probe = nullptr;
            }
            return HeldTestChannel::Dequeue(now);
        }

        FabricItem* probe{nullptr}; //!< to be sent when the next item goes
    };
};

NS_OBJECT_ENSURE_REGISTERED(HeldTestController);

/**
 * @ingroup edge-tests
 * @brief The channel that an item uses.
 */
class ClassificationTestCase : public EdgeTestCase
{
  public:
    ClassificationTestCase()
        : EdgeTestCase("channels of data, answers, control, and of what belongs to no pair")
    {
    }

  private:
    void CheckAnswers(const std::string& answers, uint64_t ofReverse)
    {
        EdgeTestNetwork network("open", answers);
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const VmId b = network.AddVm(1);
        const PairId pair = network.tenants->GetPair(a, b);
        network.Build();
        network.Send(pair);
        network.Send(pair, 40, true);
        network.SendPlain(0, 1, 700);
        network.SendPlain(1, 0, 46, FabricItem::CONTROL);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals, 4, "all arrive");
        const PairChannel* channel = network.edge->FindChannel(pair);
        const PairChannel* reverse = network.edge->FindChannel(TenantTable::Reverse(pair));
        NS_TEST_ASSERT_MSG_NE(channel, nullptr, "the pair has a channel");
        NS_TEST_EXPECT_MSG_EQ(channel->GetStatistics().sentBytes, 1500, "data");
        NS_TEST_EXPECT_MSG_EQ((reverse ? reverse->GetStatistics().sentBytes : 0),
                              ofReverse,
                              "answers, " << answers);
        const auto& plain = network.edge->GetQueueDisc(0).GetDefaultChannel();
        NS_TEST_EXPECT_MSG_EQ(plain.GetStatistics().sentBytes, 700, "no pair");
        const auto& other = network.edge->GetQueueDisc(1).GetDefaultChannel();
        NS_TEST_EXPECT_MSG_EQ(other.GetStatistics().sentBytes,
                              40 - ofReverse,
                              "control is in no channel");
    }

    void Check() override
    {
        CheckAnswers("ReversePair", 40);
        CheckAnswers("NoPair", 0);
    }
};

/**
 * @ingroup edge-tests
 * @brief A flow that becomes one of another pair, as a connection that is used again, uses that
 * pair's channel from then on, and a host that sends for several pairs takes none for another.
 */
class ChangedFlowTestCase : public EdgeTestCase
{
  public:
    ChangedFlowTestCase()
        : EdgeTestCase("the channel of a flow that changes its pair")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("open");
        std::array<PairId, 2> pairs{};
        for (const size_t i : {0, 1})
        {
            network.tenants->AddTenant({i == 0 ? "A" : "B"});
            const VmId from = network.AddVm(0);
            pairs[i] = network.tenants->GetPair(from, network.AddVm(1));
        }
        network.Build();
        const auto sendAll = [&] {
            for (const size_t i : {0, 1, 1, 0})
            {
                network.Send(pairs[i], i == 0 ? 1000 : 100);
                network.Send(pairs[i], i == 0 ? 60 : 40, true);
            }
            Simulator::Run();
        };
        const auto sent = [&](PairId pair) {
            return network.edge->FindChannel(pair)->GetStatistics().sentBytes;
        };
        const auto change = [&](const FlowTag& tag) {
            network.fabric->SetFlowTag(network.GetFlow(pairs[0]), tag);
        };
        sendAll();
        change({pairs[0] + 1, 1, 1}); // another group and name
        NS_TEST_EXPECT_MSG_EQ(sent(pairs[0]), 2000, "data of the first");
        NS_TEST_EXPECT_MSG_EQ(sent(pairs[1]), 200, "data of the second");
        NS_TEST_EXPECT_MSG_EQ(sent(TenantTable::Reverse(pairs[0])), 120, "answers to the first");
        NS_TEST_EXPECT_MSG_EQ(sent(TenantTable::Reverse(pairs[1])), 80, "answers to the second");
        change({pairs[1] + 1, 0, 0});
        sendAll();
        NS_TEST_EXPECT_MSG_EQ(sent(pairs[0]), 2000, "no more data of the first");
        NS_TEST_EXPECT_MSG_EQ(sent(pairs[1]), 2400, "all of the second");
        NS_TEST_EXPECT_MSG_EQ(sent(TenantTable::Reverse(pairs[0])), 120, "nor answers");
        NS_TEST_EXPECT_MSG_EQ(sent(TenantTable::Reverse(pairs[1])), 280, "but to the second");
        change({});
        sendAll();
        NS_TEST_EXPECT_MSG_EQ(sent(pairs[1]), 2600, "its own only");
        for (const uint32_t host : {0, 1})
        {
            const auto& other = network.edge->GetQueueDisc(host).GetDefaultChannel();
            NS_TEST_EXPECT_MSG_EQ(other.GetStatistics().sentBytes,
                                  (host == 0 ? 2000 : 120),
                                  "of no pair, host " << host);
        }
        change({pairs[0] + 1, 0, 0});
        sendAll();
        NS_TEST_EXPECT_MSG_EQ(sent(pairs[0]), 4000, "the first again");
    }
};

/**
 * @ingroup edge-tests
 * @brief Shares of tenants on a host's link.
 */
class HostSharesTestCase : public EdgeTestCase
{
  public:
    HostSharesTestCase()
        : EdgeTestCase("tenants share a host's link by guarantee, weight or equally")
    {
    }

  private:
    /**
     * @brief Share of tenant A, which has two of three backlogged pairs, against tenant B.
     * @param attribute of the discipline
     * @param value its value
     * @param withPipe true if A has a pipe beside its hose
     */
    double Measure(const std::string& attribute, const std::string& value, bool withPipe = false)
    {
        EdgeTestNetwork network("open:ChannelSize=1000p");
        network.disc.Set(attribute, StringValue(value));
        network.tenants->AddTenant({.name = "A", .weight = 4});
        const VmId a = network.AddVm(0, "1Gbps");
        const PairId first = network.tenants->GetPair(a, network.AddVm(1));
        const PairId second = network.tenants->GetPair(a, network.AddVm(2));
        if (withPipe)
        {
            network.tenants->SetPipe(first, DataRate("5Gbps"));
        }
        network.tenants->AddTenant({.name = "B"});
        const VmId b = network.AddVm(0, "2Gbps");
        const PairId third = network.tenants->GetPair(b, network.AddVm(3));
        network.Build();
        for (int i = 0; i < 500; ++i)
        {
            network.Send(first);
            network.Send(second);
            network.Send(third);
        }
        // The link takes 600 packets in this time, so all stay backlogged.
        Simulator::Stop(MicroSeconds(720));
        Simulator::Run();
        const auto get = [&network](PairId pair) {
            return network.edge->FindChannel(pair)->GetStatistics().sentPackets;
        };
        NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(int(get(first)) - int(get(second))),
                                    1,
                                    "pairs of a tenant take turns");
        const double all = get(first) + get(second) + get(third);
        NS_TEST_EXPECT_MSG_EQ_TOL(all, 600, 1, "the link is full");
        return (get(first) + get(second)) / all;
    }

    void Check() override
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("TenantWeights", "Guarantee"), 1.0 / 3, 0.003, "hoses");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("TenantWeights", "Guarantee", true),
                                  0.75,
                                  0.003,
                                  "a pipe beside the hose");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("TenantWeights", "Weight"), 0.8, 0.003, "weights");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("TenantWeights", "Equal"), 0.5, 0.003, "equal");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure("Levels", "1Gbps,4Gbps"), 0.2, 0.003, "levels");
    }
};

/**
 * @ingroup edge-tests
 * @brief A tenant's weight follows its terms during a run.
 */
class ChangedTermsTestCase : public EdgeTestCase
{
  public:
    ChangedTermsTestCase()
        : EdgeTestCase("weights follow the tenants' terms")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("open:ChannelSize=2000p");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "1Gbps");
        const PairId first = network.tenants->GetPair(a, network.AddVm(1));
        network.tenants->AddTenant({"B"});
        const VmId b = network.AddVm(0, "1Gbps");
        const PairId second = network.tenants->GetPair(b, network.AddVm(2));
        network.Build();
        for (int i = 0; i < 2000; ++i)
        {
            network.Send(first);
            network.Send(second);
        }
        const auto get = [&network](PairId pair) {
            return network.edge->FindChannel(pair)->GetStatistics().sentPackets;
        };
        Simulator::Stop(MicroSeconds(480)); // 400 packets
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(get(first), 200, 1, "equal");
        network.tenants->SetHose(a, DataRate("3Gbps"), DataRate(0));
        Simulator::Stop(MicroSeconds(480));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(get(first), 500, 2, "three quarters after the change");
    }
};

/**
 * @ingroup edge-tests
 * @brief Held items go at their time, to the step; the timer is armed only while the link waits for
 * it.
 */
class ReleaseTestCase : public EdgeTestCase
{
  public:
    ReleaseTestCase()
        : EdgeTestCase("held items go at their time, and no timer is armed without need")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("held-test-controller");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const PairId first = network.tenants->GetPair(a, network.AddVm(1));
        const PairId second = network.tenants->GetPair(a, network.AddVm(2));
        network.Build();
        PairQueueDisc& disc = network.edge->GetQueueDisc(0);
        std::vector<std::pair<uint32_t, int64_t>> arrivals;
        network.onReceive = [&arrivals](uint32_t tag, const FabricItem&) {
            // Two links of 5 us and 1200 ns each: when it left.
            arrivals.emplace_back(tag - 1, Simulator::Now().GetNanoSeconds() - 12400);
        };
        // Channels come into being with the first item.
        network.Send(first);
        network.Send(second);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(disc.IsTimerArmed(), false, "nothing waits");
        arrivals.clear();
        const auto get = [&network](PairId pair) {
            return static_cast<HeldTestController::Channel*>(network.edge->FindChannel(pair));
        };
        const int64_t start = Simulator::Now().GetNanoSeconds();
        get(first)->release = start + 10000;
        get(second)->release = start + 5000;
        network.Send(first);
        network.Send(second);
        NS_TEST_EXPECT_MSG_EQ(disc.IsTimerArmed(), true, "both wait for their time");
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 2, "both went");
        NS_TEST_EXPECT_MSG_EQ(arrivals[0].first, second, "the earlier first");
        NS_TEST_EXPECT_MSG_EQ(arrivals[0].second, start + 5000, "at its time");
        NS_TEST_EXPECT_MSG_EQ(arrivals[1].second, start + 10000, "at its time");
        NS_TEST_EXPECT_MSG_EQ(disc.IsTimerArmed(), false, "nothing waits");

        get(first)->release = PairChannel::NEVER;
        network.Send(first);
        NS_TEST_EXPECT_MSG_EQ(disc.IsTimerArmed(), false, "waits to be woken");
        Simulator::Run(); // ends: nothing is pending
        NS_TEST_EXPECT_MSG_EQ(arrivals.size(), 2, "waits to be woken");
        get(first)->release = 0;
        get(first)->Wake();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(arrivals.size(), 3, "was woken");

        // One that is woken before its time leaves no timer behind.
        get(first)->release = Simulator::Now().GetNanoSeconds() + 1000000;
        network.Send(first);
        NS_TEST_EXPECT_MSG_EQ(disc.IsTimerArmed(), true, "waits for its time");
        get(first)->release = 0;
        get(first)->Wake();
        NS_TEST_EXPECT_MSG_EQ(disc.IsTimerArmed(), false, "does not wait any more");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(arrivals.size(), 4, "went");
    }
};

/**
 * @ingroup edge-tests
 * @brief An item that a channel sends itself goes before those that wait, and never beside another.
 */
class ControlTestCase : public EdgeTestCase
{
  public:
    ControlTestCase()
        : EdgeTestCase("control goes first, also from within a channel")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("held-test-controller");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1));
        network.Build();
        std::string order;
        network.onReceive = [&order](uint32_t tag, const FabricItem& item) {
            order += item.GetClass() == FabricItem::CONTROL ? 'c' : tag ? 'd' : 'p';
        };
        network.Send(pair);
        Simulator::Run();
        network.SendPlain(0, 1);
        network.Send(pair);
        network.Send(pair);
        network.SendPlain(0, 1, 46, FabricItem::CONTROL);
        auto* channel = static_cast<HeldTestController::Channel*>(network.edge->FindChannel(pair));
        FabricItem* probe = FabricItem::Create();
        probe->SetClass(FabricItem::CONTROL);
        probe->flow = network.fabric->AddEndpoints(&network, &network);
        probe->source = 0;
        probe->destination = 1;
        probe->size = 46;
        channel->probe = probe;
        const Time start = Simulator::Now();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(order, "dpcdcd", "order of arrival");
        // Three packets of 1200 ns and two of 37 ns, one after the other.
        NS_TEST_EXPECT_MSG_EQ_TOL((Simulator::Now() - start).GetNanoSeconds(),
                                  3 * 1200 + 2 * 37 + 10000 + 1200,
                                  2,
                                  "one after the other");
    }
};

/**
 * @ingroup edge-tests
 * @brief No item is lost or made by pairs that come and go, with limits and failing links.
 */
class ConservationTestCase : public EdgeTestCase
{
  public:
    ConservationTestCase()
        : EdgeTestCase("conservation of items")
    {
    }

  private:
    void Check() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        EdgeTestNetwork network("held-test-controller:ChannelSize=20p");
        std::vector<PairId> pairs;
        for (const char* name : {"A", "B", "C"})
        {
            network.tenants->AddTenant({name});
            std::vector<VmId> vms;
            for (uint32_t host = 0; host < 4; ++host)
            {
                vms.push_back(network.AddVm(host, "1Gbps"));
            }
            for (VmId vm : vms)
            {
                pairs.push_back(network.tenants->GetPair(vm, vms[(vm + 1) % 4]));
            }
        }
        network.Build("single-switch:Hosts=4,HostRate=1Gbps");
        network.edge->GetQueueDisc(0).Flush("nothing waits");
        for (int i = 0; i < 20000; ++i)
        {
            Simulator::Schedule(MicroSeconds(i), [&network, &random, &pairs] {
                const PairId pair = pairs[random->GetInteger(0, pairs.size() - 1)];
                network.Send(pair, static_cast<uint16_t>(random->GetInteger(40, 1500)));
                const PairId other = pairs[random->GetInteger(0, pairs.size() - 1)];
                auto* channel =
                    static_cast<HeldTestController::Channel*>(network.edge->FindChannel(other));
                if (channel && random->GetInteger(0, 9) == 0)
                {
                    channel->release =
                        Simulator::Now().GetNanoSeconds() + random->GetInteger(0, 100000);
                    channel->Wake();
                }
            });
        }
        Simulator::Schedule(MilliSeconds(5), [&network] { network.fabric->SetLinkUp(0, false); });
        Simulator::Schedule(MilliSeconds(6), [&network] { network.fabric->SetLinkUp(0, true); });
        Simulator::Run();
        uint64_t drops = 0;
        uint64_t failed = 0;
        network.fabric->ForEachPort([&drops, &failed](FabricPort& port) {
            NS_ASSERT(port.GetQueueDisc().GetWaitingPackets() == 0);
            for (const auto& count : port.GetQueueDisc().GetDropCounts())
            {
                const bool isDown = std::string(count.reason) == FabricQueueDisc::LINK_DOWN_DROP;
                (isDown ? failed : drops) += count.packets;
            }
        });
        uint64_t lost = 0;
        for (uint32_t host = 0; host < 4; ++host)
        {
            lost += network.fabric->GetHost(host).GetLostInFlight();
            NS_TEST_EXPECT_MSG_EQ(network.edge->GetQueueDisc(host).GetWaitingPackets(),
                                  0,
                                  "nothing waits in the end");
        }
        const FabricSwitch& center = network.fabric->GetSwitch(0);
        lost += center.GetLostInFlight() + center.GetNoRouteDrops();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals + drops + failed + lost, network.sent, "items");
        NS_TEST_EXPECT_MSG_GT(failed, 10, "some waited when the link failed");
        NS_TEST_EXPECT_MSG_GT(network.arrivals, 18000, "most arrive");
    }
};

/**
 * @ingroup edge-tests
 * @brief Channels have limits of their own.
 */
class ChannelLimitTestCase : public EdgeTestCase
{
  public:
    ChannelLimitTestCase()
        : EdgeTestCase("a full channel drops, and costs others nothing")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("open:ChannelSize=256p");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const PairId first = network.tenants->GetPair(a, network.AddVm(1));
        const PairId second = network.tenants->GetPair(a, network.AddVm(2));
        network.Build();
        for (int i = 0; i < 301; ++i)
        {
            network.Send(first);
        }
        network.Send(second);
        Simulator::Run();
        // The first went on at once.
        NS_TEST_EXPECT_MSG_EQ(network.edge->FindChannel(first)->GetStatistics().droppedPackets,
                              44,
                              "256 of 300 found room");
        NS_TEST_EXPECT_MSG_EQ(network.received[first + 1], 257 * 1500, "what was kept");
        NS_TEST_EXPECT_MSG_EQ(network.received[second + 1], 1500, "the other pair");
    }
};

/**
 * @ingroup edge-tests
 * @brief An item too large for its channel is dropped also where it might pass its channel by.
 */
class TooLargeItemTestCase : public EdgeTestCase
{
  public:
    TooLargeItemTestCase()
        : EdgeTestCase("an item larger than its channel does not go, though the link is idle")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("open:ChannelSize=2000B");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1));
        network.Build();
        for (const uint32_t size : {3000, 1500, 3000, 2000, 2001})
        {
            network.Send(pair, size);
            Simulator::Run(); // until the link is idle again
        }
        const PairChannel::Statistics& done = network.edge->FindChannel(pair)->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(done.droppedPackets, 3, "2000 bytes have room");
        NS_TEST_EXPECT_MSG_EQ(done.sentPackets, 2, "what fits has gone");
        NS_TEST_EXPECT_MSG_EQ(network.received[pair + 1], 3500, "and arrived");
    }
};

/**
 * @ingroup edge-tests
 * @brief Channels and the edge report after a run.
 */
class EdgeResultsTestCase : public EdgeTestCase
{
  public:
    EdgeResultsTestCase()
        : EdgeTestCase("results of channels and of the edge")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("static:ChannelSize=22p");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "0bps", "1Gbps");
        const VmId b = network.AddVm(1, "0bps", "1Gbps");
        const PairId pair = network.tenants->GetPair(a, b);
        network.tenants->SetPipe(pair, DataRate("100Mbps"));
        network.Build();
        for (int i = 0; i < 30; ++i)
        {
            network.Send(pair); // the first goes at once
        }
        network.Send(pair, 40, true);
        Simulator::Run();
        Results results;
        network.fabric->ReportResults(results);
        results.SetSource({"edge", "edge"});
        network.edge->ReportResults(results);
        std::map<std::string, double> values;
        for (const Results::Row& row : results.GetRows())
        {
            values[row.source.name + " " + row.name] = row.value;
        }
        const std::string port = network.fabric->GetHost(0).GetNicPort().GetDescription().name;
        NS_TEST_EXPECT_MSG_EQ(values[port + "/pair0 pair_sent_packets"], 23, "sent");
        NS_TEST_EXPECT_MSG_EQ(values[port + "/pair0 pair_sent_bytes"], 23 * 1500, "sent");
        NS_TEST_EXPECT_MSG_EQ(values[port + "/pair0 pair_dropped_packets"], 7, "dropped");
        NS_TEST_EXPECT_MSG_EQ(values[port + "/pair0 pair_rate_bps"], 100e6, "rate");
        NS_TEST_EXPECT_MSG_EQ(values["edge pair_reports_sent"],
                              network.edge->GetReportStatistics().sent,
                              "of the answers, whose pair has a hose");
        NS_TEST_EXPECT_MSG_GT(values["edge pair_reports_received"], 0, "reports");
    }
};

/**
 * @ingroup edge-tests
 * @brief Bad input is told in one line.
 */
class PairQueueDiscInputTestCase : public EdgeTestCase
{
  public:
    PairQueueDiscInputTestCase()
        : EdgeTestCase("bad input")
    {
    }

  private:
    static std::string GetError(const std::string& levels, const std::string& weights)
    {
        EdgeTestNetwork network("open");
        network.disc.Set("Levels", StringValue(levels));
        network.disc.Set("TenantWeights", StringValue(weights));
        try
        {
            network.Build();
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }

    void Check() override
    {
        const std::string name = "ns3::PairQueueDisc::Levels = ";
        NS_TEST_EXPECT_MSG_EQ(GetError("2Gbps,1Gbps", "Guarantee"),
                              name + "'2Gbps,1Gbps': rising weights above 0",
                              "falling");
        NS_TEST_EXPECT_MSG_EQ(GetError("1,2,-3", "Weight"),
                              name + "'1,2,-3': rising weights above 0",
                              "negative");
        NS_TEST_EXPECT_MSG_EQ(GetError("1,2", "Guarantee").substr(0, name.size() + 3),
                              name + "'1'",
                              "not a rate");
        NS_TEST_EXPECT_MSG_EQ(GetError("1,2", "Equal"), "", "numbers");
        std::string error;
        try
        {
            CreateObject<PairQueueDisc>()->SetPort(nullptr);
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_EQ(error,
                              "queue = 'pair': stands at the port of a host, in a scheme with VM "
                              "pairs such as static-reservation",
                              "without an edge");
    }
};

/**
 * @ingroup edge-tests
 * @brief The discipline of hosts with VM pairs.
 */
class PairQueueDiscTestSuite : public TestSuite
{
  public:
    PairQueueDiscTestSuite()
        : TestSuite("pair-queue-disc", Type::UNIT)
    {
        AddTestCase(new ClassificationTestCase, Duration::QUICK);
        AddTestCase(new ChangedFlowTestCase, Duration::QUICK);
        AddTestCase(new HostSharesTestCase, Duration::QUICK);
        AddTestCase(new ChangedTermsTestCase, Duration::QUICK);
        AddTestCase(new ReleaseTestCase, Duration::QUICK);
        AddTestCase(new ControlTestCase, Duration::QUICK);
        AddTestCase(new ConservationTestCase, Duration::QUICK);
        AddTestCase(new ChannelLimitTestCase, Duration::QUICK);
        AddTestCase(new TooLargeItemTestCase, Duration::QUICK);
        AddTestCase(new EdgeResultsTestCase, Duration::QUICK);
        AddTestCase(new PairQueueDiscInputTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static PairQueueDiscTestSuite g_pairQueueDiscTestSuite;
