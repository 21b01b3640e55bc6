/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../edge/test/edge-test.h"
#include "trinity-test.h"

#include "ns3/edge-agent.h"
#include "ns3/integer.h"
#include "ns3/port-stage.h"
#include "ns3/random-variable-stream.h"
#include "ns3/trinity-pair-controller.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstring>
#include <malloc.h>

using namespace ns3;

namespace
{

/**
 * @ingroup trinity-tests
 * @brief Trinity's shims around a switch, whose items carry as much payload as fits.
 */
class ShimTestNetwork : public EdgeTestNetwork
{
  public:
    explicit ShimTestNetwork(const std::string& attributes)
        : EdgeTestNetwork("trinity:Partition=Equal" + attributes)
    {
        disc.Set("Inner", StringValue("strict-priority:Queues=2,Classify=Dscp"));
    }

    std::optional<Payload> GetPayload(FabricItem& item) const override
    {
        return Payload{0, item.size - 52U};
    }

    /// @brief Gigabit links.
    void BuildGigabit()
    {
        Build("single-switch:Hosts=4,HostRate=1Gbps,LinkDelay=5us");
    }

    /**
     * @brief Let a pair send full packets at a rate.
     * @param pair the pair
     * @param mbps rate in Mbit/s
     * @param begin time of the first one
     * @param end time at which it stops
     */
    void SendAtRate(PairId pair, double mbps, Time begin, Time end)
    {
        const auto gap = NanoSeconds(static_cast<uint64_t>(12e6 / mbps));
        for (Time t = begin; t < end; t += gap)
        {
            Simulator::Schedule(t - Simulator::Now(), [this, pair] { Send(pair); });
        }
    }

    TrinityPairController& GetShim(uint32_t host)
    {
        return static_cast<TrinityPairController&>(edge->GetController(host));
    }

    TrinityChannel& GetChannel(PairId pair)
    {
        return static_cast<TrinityChannel&>(*edge->FindChannel(pair));
    }
};

/**
 * @ingroup trinity-tests
 * @brief Harms the reports that pass a port.
 */
class ReportSpoiler : public PortStage
{
  public:
    bool Admit(FabricItem* item, FabricPort& port) override
    {
        if (item->GetClass() != FabricItem::CONTROL || m_again)
        {
            return true;
        }
        const uint32_t fate = m_random->GetInteger(0, 3);
        if (fate == 0 || fate == 1) // lost, or late
        {
            FabricItem* copy = fate == 1 ? Copy(*item) : nullptr;
            item->Release();
            if (copy)
            {
                Simulator::Schedule(MilliSeconds(12), [this, copy, &port] { Send(copy, port); });
            }
            return false;
        }
        if (fate == 2) // twice
        {
            FabricItem* copy = Copy(*item);
            Simulator::Schedule(MicroSeconds(50), [this, copy, &port] { Send(copy, port); });
        }
        return true;
    }

  private:
    static FabricItem* Copy(FabricItem& item)
    {
        FabricItem* copy = FabricItem::Create();
        *copy = item;
        return copy;
    }

    void Send(FabricItem* item, FabricPort& port)
    {
        m_again = true;
        port.Send(item);
        m_again = false;
    }

    Ptr<UniformRandomVariable> m_random{
        CreateObjectWithAttributes<UniformRandomVariable>("Stream", IntegerValue(5))}; //!< fates
    bool m_again{false}; //!< true while it sends itself
};

} // namespace

/**
 * @ingroup trinity-tests
 * @brief Report of a receiver on an interval.
 */
class ShimReportTestCase : public EdgeTestCase
{
  public:
    ShimReportTestCase()
        : EdgeTestCase("share of marks among red packets")
    {
    }

  private:
    void Receive(PairReceiver& receiver, TrinityColour colour, bool marked, uint16_t size = 1500)
    {
        FabricItem item{};
        item.size = size;
        item.tos = static_cast<uint8_t>(GetDscp(colour) << 2 | FabricItem::ECT0);
        item.SetEcn(marked ? FabricItem::CE : FabricItem::ECT0);
        receiver.OnReceive(item, 0);
        NS_TEST_EXPECT_MSG_EQ(item.GetEcn(), FabricItem::NOT_ECT, "the tenant sees no ECN");
    }

    static ReportFields Report(PairReceiver& receiver)
    {
        return MarkReceiver::GetFields(receiver.MakeReport(5'000'000));
    }

    void Check() override
    {
        const auto shim = CreateFromSpec<PairController>("controller", "trinity");
        auto receiver = shim->CreateReceiver(0);
        for (int i = 0; i < 10; ++i)
        {
            Receive(*receiver, TrinityColour::GREEN, true);
        }
        NS_TEST_EXPECT_MSG_EQ(Report(*receiver).congestion, 0xffff, "no red packet");
        for (int i = 0; i < 8; ++i)
        {
            Receive(*receiver, TrinityColour::RED, i < 3);
            Receive(*receiver, TrinityColour::GREEN, true);
        }
        const ReportFields fields = Report(*receiver);
        NS_TEST_EXPECT_MSG_EQ(fields.congestion, 3750, "3 of 8");
        NS_TEST_EXPECT_MSG_EQ(fields.redPackets, 8, "red packets");
        NS_TEST_EXPECT_MSG_EQ(fields.sequence, 2, "reports count");
        NS_TEST_EXPECT_MSG_EQ(Report(*receiver).congestion, 0xffff, "each interval from 0");
        Receive(*receiver, TrinityColour::RED, true);
        Receive(*receiver, TrinityColour::RED, false, 500);
        NS_TEST_EXPECT_MSG_EQ(Report(*receiver).congestion, 7500, "by bytes");
        shim->SetAttribute("MarkUnit", StringValue("Packets"));
        receiver = shim->CreateReceiver(0);
        Receive(*receiver, TrinityColour::RED, true);
        Receive(*receiver, TrinityColour::RED, false, 500);
        NS_TEST_EXPECT_MSG_EQ(Report(*receiver).congestion, 5000, "by packets");
        NS_TEST_EXPECT_MSG_EQ(ReportFields::GetCongestion(1, 1'000'000), 1, "any mark shows");
        NS_TEST_EXPECT_MSG_EQ(ReportFields::GetCongestion(9, 9), 10000, "all");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Counts what comes to a host.
 */
class ReportWatchAgent : public EdgeAgent
{
  public:
    void Incoming(FabricItem* item) override
    {
        const bool isReport =
            item->GetClass() == FabricItem::CONTROL && item->size == 46 && item->tos >> 2 == 48;
        ++(isReport ? reports : others);
        DeliverOn(item);
    }

    uint64_t reports{0}; //!< reports as they should be
    uint64_t others{0};  //!< anything else
};

/**
 * @ingroup trinity-tests
 * @brief Frequency of receivers' reports, and their cost (Section 4.1).
 */
class ShimFeedbackTestCase : public EdgeTestCase
{
  public:
    ShimFeedbackTestCase()
        : EdgeTestCase("reports per interval")
    {
    }

  private:
    void Check() override
    {
        CheckTimes();
        CheckOverhead();
    }

    void CheckTimes()
    {
        ShimTestNetwork network("");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "100Mbps", "100Mbps");
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1, "100Mbps", "100Mbps"));
        network.BuildGigabit();
        std::vector<Time> times;
        network.edge->TraceConnectWithoutContext(
            "Report",
            Callback<void, const PairReport&>(
                [&times](const PairReport&) { times.push_back(Simulator::Now()); }));
        auto wire = CreateObject<ReportWatchAgent>();
        network.fabric->GetHost(0).AddEdgeAgent(wire);
        network.SendAtRate(pair, 50, Time(0), MilliSeconds(1200));
        Simulator::Stop(MilliSeconds(1001));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(times.size(), 200, 1, "one in 5 ms");
        const size_t before = times.size();
        network.GetShim(1).SetAttribute("Interval", TimeValue(MilliSeconds(1)));
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(times.size() - before, 100, 1, "one in 1 ms");
        NS_TEST_EXPECT_MSG_EQ_TOL(times[before].GetMicroSeconds(), 1'002'011, 5, "at once");
        UintegerValue size;
        network.edge->GetAttribute("ReportSize", size);
        NS_TEST_EXPECT_MSG_EQ(size.Get() + 18, 64, "bytes of an Ethernet frame");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(wire->reports, times.size(), "they come to the sender's host");
        NS_TEST_EXPECT_MSG_EQ(wire->others, 0, "with 46 bytes and DSCP 48");
        NS_TEST_EXPECT_MSG_EQ(network.arrivals, network.sent, "no VM gets one");
    }

    /// @brief 100 sources at 1 ms for 1 s: 100 000 packets, 51.2 Mbit, the paper's 50.
    void CheckOverhead()
    {
        ShimTestNetwork many(",Interval=1ms");
        many.tenants->AddTenant({"A"});
        const VmId sink = many.AddVm(0, "1Gbps", "1Gbps");
        std::vector<PairId> pairs;
        for (uint32_t i = 0; i < 100; ++i)
        {
            pairs.push_back(many.tenants->GetPair(many.AddVm(1 + i % 3, "5Mbps", "5Mbps"), sink));
        }
        many.BuildGigabit();
        for (const PairId each : pairs)
        {
            many.SendAtRate(each, 2, Time(0), MilliSeconds(1000)); // a packet in 6 intervals
        }
        Simulator::Stop(MilliSeconds(1001)); // the first interval begins with the first packet
        Simulator::Run();
        const auto reports = static_cast<double>(many.edge->GetReportStatistics().sent);
        NS_TEST_EXPECT_MSG_EQ_TOL(reports, 100'000, 50, "first packets of 16 pairs come later");
        NS_TEST_EXPECT_MSG_EQ_TOL(reports * 64 * 8, 51.2e6, 0.05e6, "bits");
        Simulator::Run();
    }
};

/**
 * @ingroup trinity-tests
 * @brief Spare capacity (Eq. 2) and what pairs get of it.
 */
class ShimSpareTestCase : public EdgeTestCase
{
  public:
    ShimSpareTestCase()
        : EdgeTestCase("spare capacity of a host's link")
    {
    }

  private:
    void CheckSpare(const std::string& attributes,
                    const std::string& first,
                    const std::string& second,
                    double expected)
    {
        ShimTestNetwork network(",UsableCapacity=1" + attributes);
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, first, first);
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1, first, first));
        network.tenants->AddTenant({"B"});
        network.AddVm(0, second, second);
        network.BuildGigabit();
        network.Send(pair);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetShim(0).GetRates().GetSpareCapacity() / 1e6,
                                  expected,
                                  1e-6,
                                  "C_W");
    }

    void Check() override
    {
        CheckSpare("", "200Mbps", "300Mbps", 500);
        CheckSpare("", "600Mbps", "500Mbps", 0);
        CheckReclaim();
    }

    void CheckReclaim()
    {
        ShimTestNetwork network(",UsableCapacity=1,ReclaimIdleGuarantee=true");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "200Mbps", "200Mbps");
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1, "200Mbps", "200Mbps"));
        network.tenants->AddTenant({"B"});
        network.AddVm(0, "300Mbps", "300Mbps");
        network.BuildGigabit();
        network.SendAtRate(pair, 100, Time(0), MilliSeconds(20));
        Simulator::Stop(MilliSeconds(11));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetShim(0).GetRates().GetSpareCapacity() / 1e6,
                                  800,
                                  1e-6,
                                  "C_W");
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetShim(0).GetRates().GetSpareRate(pair) / 1e6,
                                  800,
                                  1e-6,
                                  "R_W");
        NS_TEST_EXPECT_MSG_EQ(network.GetShim(0).GetRates().FindPair(pair)->isCautious,
                              false,
                              "in P");
        // A pipe counts beside the hoses, and R_G follows it whatever reports say.
        network.tenants->SetPipe(pair, DataRate("150Mbps"));
        Simulator::Stop(MilliSeconds(6));
        Simulator::Run();
        for (int interval = 0; interval < 4; ++interval)
        {
            NS_TEST_EXPECT_MSG_EQ(network.GetShim(0).GetGuarantee(pair), 150e6, "R_G of a pipe");
            PairReport marks;
            marks.pair = pair;
            marks.sequence = 1000 + interval;
            ReportFields fields;
            fields.congestion = 10000;
            std::memcpy(marks.extra, &fields, sizeof(fields));
            const double before = network.GetShim(0).GetRates().GetSpareRate(pair);
            network.GetShim(0).OnReport(network.GetChannel(pair), marks, DirectEvent::Now());
            NS_TEST_EXPECT_MSG_LT(network.GetShim(0).GetRates().GetSpareRate(pair),
                                  before,
                                  "R_W heeds marks");
            Simulator::Stop(MilliSeconds(5));
            Simulator::Run();
        }
        Simulator::Run();
    }
};

/**
 * @ingroup trinity-tests
 * @brief Time at which a report counts: at the end of the sender's interval, the latest alone, or
 * at once.
 */
class ShimUpdateTestCase : public EdgeTestCase
{
  public:
    ShimUpdateTestCase()
        : EdgeTestCase("rates change with the interval, or with reports")
    {
    }

  private:
    void Check() override
    {
        // All marked, then a fifth. The average of a gain of 1/16 is 0.0625 and 0.07109. The
        // receiver's own report, that no red packet came, makes R_W grow meanwhile, up to R_P.
        Run("Alpha=0", {775, 747.451171875, 800}); // the default law
        // A gain of a half makes averages of 0.5 and 0.35; alpha is 0.1 unless the user says
        // otherwise.
        Run("BetaGain=0.5", {600, 495, 544.5});
        Run("BetaGain=0.5,Alpha=0.02", {600, 495, 504.9});
        Run("Profile=Literal", {400, 360, 540}); // alpha is 0.5
        Run("Profile=Literal,Alpha=0.1", {400, 360, 396});
        // At the end of the interval only the latest report counts.
        Run("UpdateAtReports=false", {800, 800, 795});
        Run("Profile=Literal,UpdateAtReports=false", {800, 800, 720});
    }

    /**
     * @param attributes of the shim
     * @param expected R_W in Mbit/s after each of two reports and after the interval
     */
    void Run(const std::string& attributes, const std::vector<double>& expected)
    {
        ShimTestNetwork network(",UsableCapacity=1," + attributes);
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "200Mbps", "200Mbps");
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1, "200Mbps", "200Mbps"));
        network.BuildGigabit();
        network.Send(pair);
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const auto spare = [&] { return network.GetShim(0).GetRates().GetSpareRate(pair) / 1e6; };
        const auto report = [&](uint32_t sequence, uint16_t congestion) {
            PairReport sent;
            sent.pair = pair;
            sent.sequence = sequence;
            ReportFields fields;
            fields.congestion = congestion;
            std::memcpy(sent.extra, &fields, sizeof(fields));
            network.GetShim(0).OnReport(network.GetChannel(pair), sent, DirectEvent::Now());
            return spare();
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(spare(), 800, 1e-6, "alone");
        const double first = report(1000, 10000);
        NS_TEST_EXPECT_MSG_EQ_TOL(first, expected[0], 1e-6, "all marked");
        const double second = report(1001, 2000);
        NS_TEST_EXPECT_MSG_EQ_TOL(second, expected[1], 1e-6, "a fifth is marked");
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(spare(), expected[2], 1e-6, "the interval has ended");
        Simulator::Run();
    }
};

/**
 * @ingroup trinity-tests
 * @brief Takes red items out at a port while it is told to.
 */
class RedTrap : public PortStage
{
  public:
    bool Admit(FabricItem* item, FabricPort& /* port */) override
    {
        const bool isRed = item->GetClass() == FabricItem::DATA && item->tos >> 2 == 0;
        if (isRed && closed)
        {
            item->Release();
        }
        return !isRed || !closed;
    }

    bool closed{true}; //!< true if red items get no further
};

/**
 * @ingroup trinity-tests
 * @brief Red packets that are trapped (Section 3.3, Problem 2).
 */
class ShimTrappingTestCase : public EdgeTestCase
{
  public:
    ShimTrappingTestCase()
        : EdgeTestCase("37 red packets are missing: R_W falls to 0.01 Mbps and grows again")
    {
    }

  private:
    void Check() override
    {
        ShimTestNetwork network(",UsableCapacity=1,FlowThreshold=0,Tau=0ns");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "600Mbps", "600Mbps");
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1, "600Mbps", "600Mbps"));
        network.BuildGigabit();
        network.fabric->GetSwitch(0).GetPort(1).AddStage(CreateObject<RedTrap>());
        network.SendAtRate(pair, 100, Time(0), MilliSeconds(100)); // all green
        const auto isCautious = [&] {
            return network.GetShim(0).GetRates().FindPair(pair)->isCautious;
        };
        const auto spare = [&] { return network.GetShim(0).GetRates().GetSpareRate(pair) / 1e6; };
        const auto run = [](Time time) {
            Simulator::Stop(time);
            Simulator::Run();
        };
        run(MilliSeconds(21)); // just after an interval
        NS_TEST_EXPECT_MSG_EQ(network.GetChannel(pair).GetColourStatistics().redPackets, 0, "");
        NS_TEST_EXPECT_MSG_EQ_TOL(spare(), 400, 1e-6, "no red packet came, but none was sent");
        NS_TEST_EXPECT_MSG_EQ(isCautious(), false, "in P");
        while (network.GetChannel(pair).GetColourStatistics().redPackets < 37)
        {
            network.Send(pair);
            run(MicroSeconds(1));
        }
        network.GetChannel(pair).SetRates(600e6, 0); // what still waits goes green
        run(MilliSeconds(3));
        NS_TEST_EXPECT_MSG_EQ(network.GetChannel(pair).GetColourStatistics().redPackets, 37, "");
        NS_TEST_EXPECT_MSG_EQ_TOL(spare(), 400, 1e-6, "no report yet");
        double expected = 0.01;
        for (int interval = 0; interval < 8; ++interval)
        {
            run(MilliSeconds(5));
            if (spare() > 1)
            {
                NS_TEST_ASSERT_MSG_LT(interval, 3, "trapped by the third interval");
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(spare(), expected, 1e-9, "10, 11, 12.1, ... kbit/s");
            NS_TEST_EXPECT_MSG_EQ(isCautious(), true, "in Q");
            expected *= 1.1;
        }
        NS_TEST_EXPECT_MSG_GT(expected, 0.01 * 1.1 * 1.1 * 1.1, "it grew");
        Simulator::Run();
    }
};

/**
 * @ingroup trinity-tests
 * @brief Pairs that come and go.
 */
class ShimActivityTestCase : public EdgeTestCase
{
  public:
    ShimActivityTestCase()
        : EdgeTestCase("a pair that comes and goes within an interval; guarantees of 0 and of all")
    {
    }

  private:
    void Check() override
    {
        Run(true);
        Run(false);
    }

    void Run(bool atOnce)
    {
        ShimTestNetwork network(std::string(",UsableCapacity=1,ShareAtOnce=") +
                                (atOnce ? "2" : "1"));
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "200Mbps", "200Mbps");
        const PairId stays = network.tenants->GetPair(a, network.AddVm(1, "200Mbps", "200Mbps"));
        const PairId goes = network.tenants->GetPair(a, network.AddVm(2, "200Mbps", "200Mbps"));
        network.tenants->AddTenant({"none"});
        const VmId none = network.AddVm(3);
        const PairId without = network.tenants->GetPair(none, network.AddVm(1));
        network.tenants->AddTenant({"all"});
        const VmId all = network.AddVm(2, "1Gbps", "1Gbps");
        const PairId with = network.tenants->GetPair(all, network.AddVm(3, "0bps", "1Gbps"));
        network.BuildGigabit();
        network.SendAtRate(stays, 100, Time(0), MilliSeconds(100));
        network.SendAtRate(without, 100, Time(0), MilliSeconds(20));
        network.SendAtRate(with, 100, Time(0), MilliSeconds(20));
        Simulator::Schedule(MilliSeconds(12), [&] {
            network.Send(goes);
            network.Send(goes);
        });
        const auto rates = [&network](uint32_t host, PairId pair) {
            return std::pair(network.GetShim(host).GetGuarantee(pair) / 1e6,
                             network.GetShim(host).GetRates().GetSpareRate(pair) / 1e6);
        };
        Simulator::Stop(MilliSeconds(11));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((rates(0, stays) == std::pair(200.0, 800.0)), true, "alone");
        NS_TEST_EXPECT_MSG_EQ((rates(3, without) == std::pair(1.0, 1000.0)),
                              true,
                              "no guarantee: just enough to begin");
        NS_TEST_EXPECT_MSG_EQ((rates(2, with) == std::pair(1000.0, 0.0)),
                              true,
                              "all is guaranteed");
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
        const double before = atOnce ? 400 : 800;
        const double newcomer = atOnce ? 400 : 0;
        NS_TEST_EXPECT_MSG_EQ((rates(0, stays) == std::pair(100.0, before)), true, "R_G at once");
        NS_TEST_EXPECT_MSG_EQ((rates(0, goes) == std::pair(100.0, newcomer)), true, "R_G at once");
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((rates(0, stays) == std::pair(100.0, 400.0)), true, "R_W");
        NS_TEST_EXPECT_MSG_EQ((rates(0, goes) == std::pair(100.0, 400.0)), true, "R_W");
        Simulator::Stop(MilliSeconds(60));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((rates(0, stays) == std::pair(200.0, 800.0)), true, "alone again");
        NS_TEST_EXPECT_MSG_EQ(network.GetShim(0).GetRates().FindPair(stays)->isCautious,
                              false,
                              "never marked");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals, network.sent, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(network.GetShim(0).IsTimerArmed(), false, "the shim rests");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Random demand: what a shim lets through and when.
 */
class ShimPropertiesTestCase : public EdgeTestCase
{
  public:
    ShimPropertiesTestCase()
        : EdgeTestCase("random demand and spoilt reports: green within R_G, each item once")
    {
    }

  private:
    void Check() override
    {
        ShimTestNetwork network("");
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(23);
        network.tenants->AddTenant({"A"});
        std::vector<PairId> pairs;
        const VmId a = network.AddVm(0, "100Mbps", "100Mbps");
        const VmId b = network.AddVm(1, "200Mbps", "200Mbps");
        const VmId c = network.AddVm(2, "300Mbps", "300Mbps");
        for (const auto& [from, to] : {std::pair(a, c), std::pair(b, c), std::pair(c, a)})
        {
            pairs.push_back(network.tenants->GetPair(from, to));
            network.tenants->SetPipe(pairs.back(), DataRate(100'000'000ULL * pairs.size()));
        }
        network.BuildGigabit();
        auto spoiler = CreateObject<ReportSpoiler>();
        network.fabric->GetSwitch(0).GetPort(0).AddStage(spoiler);
        network.fabric->GetSwitch(0).GetPort(1).AddStage(spoiler);
        for (const PairId pair : pairs)
        {
            for (int64_t t = 0; t < 200'000'000;)
            {
                const auto burst = random->GetInteger(1, 200);
                Simulator::Schedule(NanoSeconds(t), [&network, pair, burst] {
                    for (uint32_t i = 0; i < burst; ++i)
                    {
                        network.Send(pair);
                    }
                });
                t += static_cast<int64_t>(random->GetInteger(1, 10'000'000));
            }
        }
        std::vector<double> least(pairs.size(), 0);
        for (int step = 0; step < 800; ++step)
        {
            Simulator::Stop(MicroSeconds(250));
            Simulator::Run();
            for (size_t i = 0; i < pairs.size(); ++i)
            {
                if (!network.edge->FindChannel(pairs[i]))
                {
                    continue;
                }
                const double green = static_cast<double>(
                    network.GetChannel(pairs[i]).GetColourStatistics().greenBytes);
                const double ahead =
                    green - 12.5e6 * static_cast<double>(i + 1) * Simulator::Now().GetSeconds();
                NS_TEST_EXPECT_MSG_LT_OR_EQ(ahead - least[i], 32768 + 1, "R_G and one bucket");
                least[i] = std::min(least[i], ahead);
            }
        }
        Simulator::Run();
        uint64_t dropped = 0;
        for (const PairId pair : pairs)
        {
            dropped += network.edge->FindChannel(pair)->GetStatistics().droppedPackets;
        }
        NS_TEST_EXPECT_MSG_GT(network.edge->GetReportStatistics().stale, 10, "late ones came");
        NS_TEST_EXPECT_MSG_GT(dropped, 100, "the shim has little room");
        NS_TEST_EXPECT_MSG_EQ(network.arrivals + dropped, network.sent, "each item once");
    }
};

/**
 * @ingroup trinity-tests
 * @brief The host's link fails, and what stands below the channels.
 */
class ShimPortTestCase : public EdgeTestCase
{
  public:
    ShimPortTestCase()
        : EdgeTestCase("two priorities below the channels; a link that fails")
    {
    }

  private:
    /// @brief A green burst of one pair goes before a red one of another that came first.
    void CheckOrder()
    {
        ShimTestNetwork network(",FlowThreshold=0,Tau=0ns");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "100Mbps", "100Mbps");
        const VmId b = network.AddVm(1, "100Mbps", "100Mbps");
        const PairId first = network.tenants->GetPair(a, b);
        const PairId second = network.tenants->GetPair(a, network.AddVm(2, "1Mbps", "1Mbps"));
        network.BuildGigabit();
        std::string order;
        network.onReceive = [&](uint32_t tag, const FabricItem& item) {
            const uint8_t dscp = item.tos >> 2;
            order += tag == second + 1 ? "2" : dscp == 46 ? "g" : dscp == 0 ? "r" : "?";
        };
        for (int i = 0; i < 40; ++i)
        {
            network.Send(first); // 21 green, then red
        }
        network.Send(second);
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals, 41, "all have arrived");
        NS_TEST_EXPECT_MSG_EQ(std::count(order.begin(), order.end(), 'g'), 21, "with DSCP 46");
        NS_TEST_EXPECT_MSG_EQ(std::count(order.begin(), order.end(), 'r'), 19, "with DSCP 0");
        NS_TEST_EXPECT_MSG_LT(order.find('2'), order.rfind('r'), "green before red: " << order);
        Simulator::Run();
    }

    void CheckFailure()
    {
        ShimTestNetwork network("");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "100Mbps", "100Mbps");
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1, "100Mbps", "100Mbps"));
        network.BuildGigabit();
        network.SendAtRate(pair, 3000, Time(0), MilliSeconds(1));
        network.SendAtRate(pair, 100, MilliSeconds(5), MilliSeconds(6));
        Simulator::Schedule(MicroSeconds(300), [&] { network.fabric->SetLinkUp(0, false); });
        Simulator::Schedule(MilliSeconds(3), [&] { network.fabric->SetLinkUp(0, true); });
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        const uint64_t before = network.arrivals;
        NS_TEST_EXPECT_MSG_LT(before, 30, "what waited is lost with the link");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals - before, 9, "it works again");
    }

    void Check() override
    {
        CheckOrder();
        CheckFailure();
    }
};

/**
 * @ingroup trinity-tests
 * @brief Memory of both ends of a pair.
 */
class ShimMemoryTestCase : public EdgeTestCase
{
  public:
    ShimMemoryTestCase()
        : EdgeTestCase("a pair takes less than 1 KB")
    {
    }

  private:
    static size_t GetAllocated()
    {
        const auto info = mallinfo2();
        return info.uordblks + info.hblkhd;
    }

    /**
     * @brief Let each of many pairs send a packet.
     * @param controller specification
     * @return memory that took, in bytes per pair
     */
    double Measure(const std::string& controller)
    {
        constexpr uint32_t VMS = 50; // on each of two hosts
        constexpr uint32_t PAIRS = VMS * VMS;
        EdgeTestNetwork network(controller);
        network.tenants->AddTenant({"A"});
        std::vector<VmId> vms;
        for (uint32_t i = 0; i < 2 * VMS; ++i)
        {
            vms.push_back(network.AddVm(i % 2));
        }
        std::vector<PairId> pairs;
        for (uint32_t i = 0; i < PAIRS; ++i)
        {
            pairs.push_back(network.tenants->GetPair(vms[i % VMS * 2], vms[i / VMS * 2 + 1]));
        }
        network.Build();
        std::vector<FabricItem*> items; // there is a pool of them
        for (uint32_t i = 0; i < 2 * PAIRS; ++i)
        {
            items.push_back(FabricItem::Create());
        }
        for (FabricItem* item : items)
        {
            item->Release();
        }
        const size_t before = GetAllocated();
        for (const PairId pair : pairs)
        {
            network.Send(pair, 100);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals, PAIRS, "all were used");
        return static_cast<double>(GetAllocated() - before) / PAIRS;
    }

    void Check() override
    {
        // What is there with open channels, too, is the network's and the test's own, but for the
        // channel itself.
        const double open = Measure("open") - static_cast<double>(sizeof(PairChannel));
        const double shim = Measure("trinity") - open;
        NS_TEST_EXPECT_MSG_LT(shim, 1024.0, "bytes per pair");
        NS_TEST_EXPECT_MSG_GT(shim, static_cast<double>(sizeof(TrinityChannel)), "or more");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Traffic of nobody passes as it is; reports pass before all.
 */
class ShimBypassTestCase : public EdgeTestCase
{
  public:
    ShimBypassTestCase()
        : EdgeTestCase("other traffic is left alone, and reports are not held")
    {
    }

  private:
    void Check() override
    {
        ShimTestNetwork network("");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0, "10Mbps", "10Mbps");
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1, "10Mbps", "10Mbps"));
        network.BuildGigabit();
        uint32_t plain = 0;
        network.onReceive = [&](uint32_t tag, const FabricItem& item) {
            plain += tag == 0 ? 1 : 0;
            const bool untouched = tag > 0 || item.tos == FabricItem::ECT0;
            NS_TEST_EXPECT_MSG_EQ(untouched, true, "as it was sent");
        };
        network.SendPlain(0, 1);
        // The reverse pair's channel is full, with next to no rate: reports of the pair leave.
        network.tenants->SetPipe(TenantTable::Reverse(pair), DataRate("1kbps"));
        std::vector<int64_t> delays;
        network.edge->TraceConnectWithoutContext(
            "Report",
            Callback<void, const PairReport&>([&delays, pair](const PairReport& report) {
                if (report.pair == pair)
                {
                    delays.push_back(Simulator::Now().GetTimeStep() - report.time);
                }
            }));
        network.SendAtRate(pair, 5, Time(0), MilliSeconds(40));
        for (int i = 0; i < 400; ++i)
        {
            network.Send(TenantTable::Reverse(pair));
        }
        Simulator::Stop(MilliSeconds(40));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(plain, 1, "it arrived");
        const TrinityChannel& there = network.GetChannel(pair);
        const TrinityChannel& back = network.GetChannel(TenantTable::Reverse(pair));
        NS_TEST_EXPECT_MSG_EQ(there.GetGreenBucket().GetRate().GetBitRate(), 10e6, "X to Y");
        NS_TEST_EXPECT_MSG_EQ(back.GetGreenBucket().GetRate().GetBitRate(), 1e3, "Y to X");
        NS_TEST_EXPECT_MSG_NE(there.GetStatistics().sentBytes, back.GetStatistics().sentBytes, "");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(delays.size(), 6, "reports came");
        const int64_t worst = *std::max_element(delays.begin(), delays.end());
        NS_TEST_EXPECT_MSG_LT(worst, 10'000 + 2 * 368 + 3 * 12'300, "at once");
        // What waits is given back when the test ends.
    }
};

/**
 * @ingroup trinity-tests
 * @brief Trinity's shim.
 */
class TrinityControllerTestSuite : public TestSuite
{
  public:
    TrinityControllerTestSuite()
        : TestSuite("trinity-controller", Type::UNIT)
    {
        AddTestCase(new ShimReportTestCase, Duration::QUICK);
        AddTestCase(new ShimFeedbackTestCase, Duration::QUICK);
        AddTestCase(new ShimSpareTestCase, Duration::QUICK);
        AddTestCase(new ShimUpdateTestCase, Duration::QUICK);
        AddTestCase(new ShimTrappingTestCase, Duration::QUICK);
        AddTestCase(new ShimActivityTestCase, Duration::QUICK);
        AddTestCase(new ShimPropertiesTestCase, Duration::QUICK);
        AddTestCase(new ShimPortTestCase, Duration::QUICK);
#ifndef __SANITIZE_ADDRESS__ // whose allocator is not the one that is asked
        AddTestCase(new ShimMemoryTestCase, Duration::QUICK);
#endif
        AddTestCase(new ShimBypassTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static TrinityControllerTestSuite g_trinityControllerTestSuite;
