/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/input-error.h"
#include "ns3/network.h"
#include "ns3/nimble-scheme.h"
#include "ns3/object-spec.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/timeline.h"

#include <map>
#include <vector>

using namespace ns3;

namespace
{

constexpr double PAYLOAD = 1460.0 / 1500; //!< share of a full packet

/**
 * @brief A network whose goodput by group is counted.
 */
class NimbleTestNetwork : public FlowObserver
{
  public:
    /**
     * @param scheme specification
     * @param topology specification
     * @param transports specifications
     */
    NimbleTestNetwork(const std::string& scheme,
                      const std::string& topology,
                      const std::string& transports = "lean")
        : network(CreateObject<Network>())
    {
        Config::SetDefault("ns3::MeteredQueueDisc::CountClasses", BooleanValue(true));
        network->SetTopology(topology);
        network->SetScheme(scheme);
        network->SetTransports(transports);
        network->Build();
        network->GetTransports()->AddObserver(this);
    }

    ~NimbleTestNetwork() override
    {
        Config::SetDefault("ns3::MeteredQueueDisc::CountClasses", BooleanValue(false));
        network->Dispose();
        Simulator::Destroy();
    }

    NimbleTestNetwork(const NimbleTestNetwork&) = delete;
    NimbleTestNetwork& operator=(const NimbleTestNetwork&) = delete;

    /// @brief Start a flow, by default without end.
    FlowId Send(uint32_t from,
                uint32_t to,
                uint32_t group,
                uint8_t transport = 0,
                uint64_t bytes = 0)
    {
        FlowRequest request;
        request.bytes = bytes;
        request.source = from;
        request.destination = to;
        request.group = group;
        request.transport = transport;
        return network->GetTransports()->StartFlow(request);
    }

    /// @brief Run, and measure the second part.
    void Run(Time warmUp, Time duration)
    {
        Simulator::Stop(warmUp);
        Simulator::Run();
        m_bytes.clear();
        Simulator::Stop(duration);
        Simulator::Run();
        m_duration = duration;
    }

    /// @brief Goodput of a group in the measured time, in Gbit/s.
    double GetGoodput(uint32_t group)
    {
        return static_cast<double>(m_bytes[group]) * 8e-9 / m_duration.GetSeconds();
    }

    /// @brief The controller.
    NimbleController& GetController() const
    {
        return *DynamicCast<NimbleScheme>(network->GetScheme())->GetController();
    }

    /// @brief The port towards a host.
    const FabricPort& GetPortTo(uint32_t host) const
    {
        return *network->GetFabric()->GetPath(host == 0 ? 1 : 0, host).back();
    }

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        m_bytes[record.request.group] += bytes;
    }

    Ptr<Network> network; //!< all of it

  private:
    std::map<uint32_t, uint64_t> m_bytes; //!< delivered, by group
    Time m_duration;                      //!< measured
};

const std::string FIVE_HOSTS =
    "single-switch:LinkDelay=1us,HostRate=100Gbps,Hosts=5"; //!< the last one receives

} // namespace

/**
 * @ingroup nimble-tests
 * @brief A limit of 50 Gbit/s under each kind of limiter.
 */
class NimbleLimitTestCase : public TestCase
{
  public:
    NimbleLimitTestCase()
        : TestCase("one class is held to 50 Gbps")
    {
    }

  private:
    void DoRun() override
    {
        const std::string static80 = "RateController=(static:YellowBurst=81920),";
        const std::string policy =
            "Policy={class A groups=0; local A at=switch0:4 rate=50Gbps type=hard}";
        for (const std::string scheme : {"nimble", "nimble-nm", "vq-ecn", "vq", "policing"})
        {
            NimbleTestNetwork test(scheme + ":" + static80 + policy, FIVE_HOSTS);
            for (uint32_t host = 0; host < 4; ++host)
            {
                test.Send(host, 4, 0);
            }
            test.Run(MilliSeconds(2), MilliSeconds(5));
            NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0),
                                      50 * PAYLOAD,
                                      0.05 * 50 * PAYLOAD,
                                      scheme);
        }
        CheckNoRed(static80 + policy);
        CheckUnlimited();
        // TCP that cannot be marked is held by red drops.
        NimbleTestNetwork test("nimble:" + static80 + policy,
                               FIVE_HOSTS,
                               "lean:CongestionOps=ns3::TcpNewReno");
        for (uint32_t host = 0; host < 4; ++host)
        {
            test.Send(host, 4, 0);
        }
        test.Run(MilliSeconds(2), MilliSeconds(5));
        // What is delivered in order comes in heaps after losses: look at the port.
        const auto& disc = static_cast<MeteredQueueDisc&>(test.GetPortTo(4).GetQueueDisc());
        const double burst = 409600;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(static_cast<double>(test.GetPortTo(4).GetTxBytes()),
                                    50e9 / 8 * 7e-3 + burst,
                                    "rate times window plus burst");
        NS_TEST_EXPECT_MSG_GT(disc.GetColourCounts(1).packets[2], 0, "red drops");
        NS_TEST_EXPECT_MSG_GT(disc.GetUnmarkablePackets(), 0, "yellow ones pass unmarked");
    }

    /// @brief Without limits a single flow fills the link with payload.
    void CheckUnlimited()
    {
        NimbleTestNetwork test("dctcp:EdgeBuffer=409600B,CoreBuffer=409600B,MarkThreshold=81915B",
                               "dumbbell:Left=1,Right=1,LeftRate=100Gbps,RightRate=100Gbps,"
                               "BottleneckRate=100Gbps,LeftDelay=1us,RightDelay=1us,"
                               "BottleneckDelay=1us");
        test.Send(0, 1, 0);
        test.Run(MilliSeconds(2), MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0), 100 * PAYLOAD, PAYLOAD, "no limit");
    }

    /// @brief Once its flows have begun, DCTCP is held by marks: nothing is red for 50 ms.
    void CheckNoRed(const std::string& attributes)
    {
        NimbleTestNetwork test("nimble:" + attributes, FIVE_HOSTS);
        for (uint32_t host = 0; host < 4; ++host)
        {
            test.Send(host, 4, 0);
        }
        const auto& disc = static_cast<MeteredQueueDisc&>(test.GetPortTo(4).GetQueueDisc());
        test.Run(Time(), MilliSeconds(5));
        const uint64_t before = disc.GetColourCounts(1).packets[2];
        test.Run(Time(), MilliSeconds(50));
        NS_TEST_EXPECT_MSG_EQ(disc.GetColourCounts(1).packets[2], before, "no red packet");
        NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0),
                                  50 * PAYLOAD,
                                  0.05 * 50 * PAYLOAD,
                                  "over 50 ms");
    }
};

/**
 * @ingroup nimble-tests
 * @brief Thresholds of classes that share a port's buffer, of meters and of virtual queues.
 */
class NimbleThresholdsTestCase : public TestCase
{
  public:
    NimbleThresholdsTestCase()
        : TestCase("classes share the buffer of a port by weight")
    {
    }

  private:
    static constexpr uint32_t BUFFER = 409600; //!< of a port

    void DoRun() override
    {
        for (const std::string scheme : {"nimble", "nimble-nm", "vq-ecn"})
        {
            CheckSettings(scheme);
        }
        CheckVirtualQueues();
        CheckNewcomer();
        std::string error;
        try
        {
            NimbleTestNetwork test("nimble:RateController=(static:YellowBurst=81920,"
                                   "YellowShare=0.2)",
                                   FIVE_HOSTS);
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_EQ(error,
                              "RateController YellowBurst = '81920': leave it out: YellowShare "
                              "says where yellow begins",
                              "both");
    }

    static std::string GetPolicy(const std::string& controller)
    {
        return ":RateController=(" + controller +
               "),Policy={class A groups=0 rate=20Gbps type=hard;"
               "class B groups=1 rate=60Gbps type=hard weight=3}";
    }

    /// @brief The same thresholds whatever the limiter: 20 % of each class's own part.
    void CheckSettings(const std::string& scheme)
    {
        NimbleTestNetwork test(scheme + GetPolicy("static:YellowShare=0.2"), FIVE_HOSTS);
        const LimiterSettings& active = test.GetController().GetSwitch(0).GetActive();
        NS_TEST_EXPECT_MSG_EQ(active.size(), 10, "both classes at five ports");
        for (const auto& [key, setting] : active)
        {
            const uint32_t part = BUFFER / 4 * (key.trafficClass == 1 ? 1 : 3);
            NS_TEST_EXPECT_MSG_EQ(setting.redBurst, part, scheme << ": its part of the port");
            NS_TEST_EXPECT_MSG_EQ(setting.yellowBurst, part / 5, scheme << ": 20 % of it");
        }
    }

    /// @brief Virtual queues end at their parts, so that they hold no more than the port has.
    void CheckVirtualQueues()
    {
        NimbleTestNetwork test("vq" + GetPolicy("static"), FIVE_HOSTS, "udp:Rate=98Gbps;lean");
        test.Send(0, 4, 0);
        test.Send(1, 4, 1);
        test.Run(MilliSeconds(1), MilliSeconds(1));
        const FabricQueueDisc& disc = test.GetPortTo(4).GetQueueDisc();
        const ShapedQueueDisc& shaped = GetShaped(test);
        NS_TEST_EXPECT_MSG_EQ_TOL(shaped.GetInner(1).GetPeakBytes(), BUFFER / 4, 1500, "A");
        NS_TEST_EXPECT_MSG_EQ_TOL(shaped.GetInner(2).GetPeakBytes(), BUFFER * 3 / 4, 1500, "B");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(disc.GetPeakBytes(), BUFFER + 2 * 1500, "the port's buffer");
    }

    /// @brief A class that is alone has all of the buffer, and less when another one comes.
    void CheckNewcomer()
    {
        NimbleTestNetwork test("vq-ecn:RateController=(global:YellowShare=0.2),Policy={class A "
                               "groups=0; class B groups=1 weight=3}",
                               FIVE_HOSTS);
        const auto check = [this, &test](uint32_t number, uint32_t bytes, const char* text) {
            QueueLimitValue size;
            QueueLimitValue threshold;
            GetShaped(test).GetInner(number).GetAttribute("MaxSize", size);
            GetShaped(test).GetInner(number).GetAttribute("MarkThreshold", threshold);
            NS_TEST_EXPECT_MSG_EQ(size.Get().GetBytes(), bytes, text);
            NS_TEST_EXPECT_MSG_EQ(threshold.Get().GetBytes(), bytes / 5, text);
        };
        test.Send(0, 4, 0);
        test.Send(2, 4, 0);
        test.Run(Time(), MicroSeconds(100));
        check(1, BUFFER, "alone");
        test.Send(1, 4, 1);
        test.Run(Time(), MicroSeconds(100));
        check(1, BUFFER / 4, "with another");
        check(2, BUFFER * 3 / 4, "the other");
    }

    /// @brief The virtual queues of the receiver's port.
    static const ShapedQueueDisc& GetShaped(const NimbleTestNetwork& test)
    {
        const auto& metered = static_cast<MeteredQueueDisc&>(test.GetPortTo(4).GetQueueDisc());
        return *DynamicCast<ShapedQueueDisc>(metered.GetInner());
    }
};

/**
 * @ingroup nimble-tests
 * @brief UDP that does not listen, alone and against another class.
 */
class NimbleUdpTestCase : public TestCase
{
  public:
    NimbleUdpTestCase()
        : TestCase("unresponsive senders are held to their limits")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string profile : {"mark-all", "mark-red", "drop-red", "police-only"})
        {
            NimbleTestNetwork test(
                "nimble:RateController=static,Policy={class A groups=0 profile=" + profile +
                    "; local A at=switch0:4 rate=49Gbps type=hard}",
                FIVE_HOSTS,
                "udp:Rate=97Gbps;lean");
            test.Send(0, 4, 0);
            test.Run(MilliSeconds(1), MilliSeconds(1));
            const auto& disc = static_cast<MeteredQueueDisc&>(test.GetPortTo(4).GetQueueDisc());
            const auto admitted = [&disc] {
                const auto& bytes = disc.GetColourCounts(1).bytes;
                return static_cast<double>(bytes[0] + bytes[1]);
            };
            const double before = admitted();
            test.Run(Time(), MilliSeconds(10));
            NS_TEST_EXPECT_MSG_EQ_TOL((admitted() - before) * 8e-9 / 10e-3,
                                      49,
                                      0.049,
                                      profile << ": what the meter admits");
            // What is dropped at random, 1/50 where the meter is full, has been charged to it.
            const double passes = profile == "drop-red" ? 0.98 : 1;
            NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0) * 1500 / 1472,
                                      49 * passes,
                                      0.2,
                                      profile << ": what gets through");
        }
        CheckUncharged();
        CheckFullLink();
        CheckShortQueue();
        CheckLimitOfEach();
    }

    /// @brief Each group of senders has the same limit.
    void CheckLimitOfEach()
    {
        constexpr uint32_t GROUPS = 40;
        for (const std::string scheme : {"nimble:",
                                         "nimble-nm:RateController=static,",
                                         "vq:",
                                         "policing:RateController=static,"})
        {
            NimbleTestNetwork test(scheme + "Limit=1Gbps", FIVE_HOSTS, "udp:Rate=2Gbps;lean");
            for (uint32_t group = 0; group < GROUPS; ++group)
            {
                test.Send(group % 4, 4, group);
            }
            test.Run(MilliSeconds(2), MilliSeconds(5));
            for (uint32_t group = 0; group < GROUPS; ++group)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(group) * 1500 / 1472,
                                          1,
                                          0.03,
                                          scheme << ": group " << group);
            }
        }
        std::string error;
        try
        {
            NimbleTestNetwork test("nimble:Limit=101Gbps", FIVE_HOSTS);
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_EQ(error,
                              "--scheme Limit = '101000000000bps': at most the rate of a link, "
                              "100000000000bps",
                              "a limit above all links");
    }

    /// @brief If what is dropped at random is not charged, the limit is used up.
    void CheckUncharged()
    {
        NimbleTestNetwork test("nimble:ChargeDropped=false,RateController=static,Policy={class A "
                               "groups=0 profile=drop-red; local A at=switch0:4 rate=49Gbps "
                               "type=hard}",
                               FIVE_HOSTS,
                               "udp:Rate=97Gbps;lean");
        test.Send(0, 4, 0);
        test.Run(MilliSeconds(1), MilliSeconds(10));
        NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0) * 1500 / 1472, 49, 0.05, "uncharged");
    }

    /**
     * @brief The longest queue from some time on, of two classes with limits at one port.
     * @param limits settings of their local policies
     * @param from begin of the measurement
     * @return bytes
     */
    static uint64_t GetLongestQueue(const std::string& limits, Time from)
    {
        NimbleTestNetwork test("nimble:RateController=static,Policy={class A groups=0;"
                               "class B groups=1; local A at=switch0:4 type=hard " +
                                   limits + "; local B at=switch0:4 type=hard " + limits + "}",
                               FIVE_HOSTS,
                               "udp:Rate=98Gbps;lean");
        test.Send(0, 4, 0);
        test.Send(1, 4, 1);
        test.Run(Time(), from);
        const FabricQueueDisc& disc = test.GetPortTo(4).GetQueueDisc();
        uint64_t longest = 0;
        for (int i = 0; i < 10'000; ++i)
        {
            Simulator::Schedule(NanoSeconds(97 * i), [&disc, &longest] {
                uint64_t bytes = 0;
                disc.ForEachWaiting([&bytes](const FabricItem& item) { bytes += item.size; });
                longest = std::max(longest, bytes);
            });
        }
        test.Run(Time(), MilliSeconds(1));
        return longest;
    }

    /// @brief No more than a packet of each class waits.
    void CheckShortQueue()
    {
        // With bursts of a packet, from the start on, although the limits sum to the link's rate.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(
            GetLongestQueue("rate=50Gbps enforcement=policing burst=1500", Time()),
            2 * 1500,
            "policers");
        // What larger thresholds let in at the start stays if nothing is left to drain it.
        NS_TEST_EXPECT_MSG_GT(GetLongestQueue("rate=50Gbps", MilliSeconds(5)),
                              100'000,
                              "limits that sum to the link's rate");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(GetLongestQueue("rate=49Gbps", MilliSeconds(5)),
                                    2 * 1500,
                                    "limits that leave 2 %");
    }

    void CheckFullLink()
    {
        // Limits that sum to the link: the port's queue stays empty.
        NimbleTestNetwork test("nimble:RateController=static,Policy={class A groups=0;"
                               "class B groups=1; local A at=switch0:4 rate=50Gbps type=hard;"
                               "local B at=switch0:4 rate=50Gbps type=hard}",
                               FIVE_HOSTS,
                               "udp:Rate=98Gbps;lean");
        test.Send(0, 4, 0);
        test.Send(1, 4, 1);
        const FabricQueueDisc& disc = test.GetPortTo(4).GetQueueDisc();
        test.Run(MilliSeconds(1), MilliSeconds(1));
        NS_TEST_EXPECT_MSG_LT_OR_EQ(disc.GetPeakBytes(), 409600, "sum of the red thresholds");
        NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0), test.GetGoodput(1), 0.1, "equal");
    }
};

/**
 * @ingroup nimble-tests
 * @brief A control packet writes a rate; a limiter for an input port alone.
 */
class NimbleSwitchTestCase : public TestCase
{
  public:
    NimbleSwitchTestCase()
        : TestCase("rates from the data plane; limiters by input port")
    {
    }

  private:
    void DoRun() override
    {
        CheckControlPacket();
        CheckInput();
    }

    /// @brief 50 Gbit/s become 25 by a packet, which goes no further.
    void CheckControlPacket()
    {
        NimbleTestNetwork test(
            "nimble:RateController=(static:DataPlaneWrites=true),Policy={class A "
            "groups=0; local A at=switch0:4 rate=50Gbps type=hard}",
            FIVE_HOSTS,
            "udp:Rate=90Gbps;lean");
        test.Send(0, 4, 0);
        test.Run(MilliSeconds(1), MilliSeconds(2));
        NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0) * 1500 / 1472, 50, 0.1, "before");
        const auto& disc = static_cast<MeteredQueueDisc&>(test.GetPortTo(4).GetQueueDisc());
        LimiterSwitch& limiters = test.GetController().GetSwitch(0);
        const uint64_t unmetered = disc.GetUnmeteredPackets();
        const auto send = [&](uint32_t node) {
            const RateWriteFields fields{node, limiters.GetIndex({4, 1}), 25'000'000'000};
            test.network->GetFabric()->GetHost(1).Send(RateWrite::Make(1, 4, fields));
            test.Run(MilliSeconds(1), MilliSeconds(2));
        };
        send(0);
        NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0) * 1500 / 1472, 25, 0.1, "after");
        NS_TEST_EXPECT_MSG_EQ(disc.GetUnmeteredPackets(), unmetered, "it was not forwarded");
        NS_TEST_EXPECT_MSG_EQ(test.network->GetFabric()->GetHost(4).GetStrayItems(),
                              0,
                              "nor did it arrive");
        send(7);
        NS_TEST_EXPECT_MSG_EQ(test.network->GetFabric()->GetHost(4).GetStrayItems(),
                              1,
                              "one for another switch did");
    }

    /// @brief Traffic from host 0 has 30 Gbit/s together, wherever it goes.
    void CheckInput()
    {
        NimbleTestNetwork test("nimble:RateController=static,Policy={class A groups=0,1; class B "
                               "groups=2; local A in=switch0:0 rate=30Gbps type=hard}",
                               FIVE_HOSTS,
                               "udp:Rate=40Gbps;lean");
        test.Send(0, 3, 0);
        test.Send(0, 4, 1);
        test.Send(1, 4, 2);
        test.Run(MilliSeconds(1), MilliSeconds(4));
        NS_TEST_EXPECT_MSG_EQ_TOL((test.GetGoodput(0) + test.GetGoodput(1)) * 1500 / 1472,
                                  30,
                                  0.1,
                                  "both outputs together");
        NS_TEST_EXPECT_MSG_GT(test.GetGoodput(0), 1, "one of them");
        NS_TEST_EXPECT_MSG_GT(test.GetGoodput(1), 1, "the other");
        NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(2) * 1500 / 1472, 40, 0.1, "another class");
    }
};

/**
 * @ingroup nimble-tests
 * @brief A meter behind which a virtual queue holds two classes together.
 */
class NimbleHierarchyTestCase : public TestCase
{
  public:
    NimbleHierarchyTestCase()
        : TestCase("two classes with meters within a virtual queue")
    {
    }

  private:
    void DoRun() override
    {
        NimbleTestNetwork test("nimble:RateController=static,Policy={class A groups=0 within=V;"
                               "class B groups=1 within=V; class V queue=VQ enforcement=shaping;"
                               "local A at=switch0:4 rate=30Gbps type=hard;"
                               "local B at=switch0:4 rate=30Gbps type=hard;"
                               "local V at=switch0:4 rate=50Gbps type=hard}",
                               FIVE_HOSTS,
                               "udp:Rate=40Gbps;lean");
        test.Send(0, 4, 0);
        test.Send(1, 4, 1);
        test.Run(MilliSeconds(1), MilliSeconds(2));
        const auto& disc = static_cast<MeteredQueueDisc&>(test.GetPortTo(4).GetQueueDisc());
        for (uint32_t number = 1; number <= 2; ++number)
        {
            const auto& bytes = disc.GetColourCounts(number).bytes;
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bytes[0] + bytes[1]) * 8e-9 / 3e-3,
                                      30,
                                      1.5, // the burst, once
                                      "passes the meter");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL((test.GetGoodput(0) + test.GetGoodput(1)) * 1500 / 1472,
                                  50,
                                  0.1,
                                  "leaves the virtual queue");
    }
};

/**
 * @ingroup nimble-tests
 * @brief Changes that reach the controller, and its actions.
 */
class NimbleControllerTestCase : public TestCase
{
  public:
    NimbleControllerTestCase()
        : TestCase("paths come and go, rates follow")
    {
    }

  private:
    void DoRun() override
    {
        CheckTriggers();
        CheckConnections();
        CheckTimeline();
        CheckOvertaking();
        CheckWarning();
        CheckThresholds();
        CheckFailure();
        CheckErrors();
    }

    /// @brief Two classes share a port; a second flow on the same path changes nothing.
    void CheckTriggers()
    {
        NimbleTestNetwork test("nimble:RateController=(global:YellowBurst=81920)", FIVE_HOSTS);
        test.Send(0, 4, 0);
        test.Run(MicroSeconds(100), MicroSeconds(100));
        const auto limiters = [&test] { return test.GetController().GetSwitch(0).GetActive(); };
        NS_TEST_EXPECT_MSG_EQ(limiters().at({4, 1}).rate, DataRate("100Gbps"), "alone");
        test.Send(1, 4, 1);
        test.Run(MicroSeconds(100), MicroSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(limiters().at({4, 1}).rate, DataRate("50Gbps"), "of two");
        NS_TEST_EXPECT_MSG_EQ(limiters().at({4, 2}).rate, DataRate("50Gbps"), "of two");
        NS_TEST_EXPECT_MSG_EQ(limiters().at({4, 2}).redBurst, 204800, "half of the buffer");
        const uint32_t runs = test.GetController().GetNRuns();
        const FlowId second = test.Send(1, 4, 1);
        test.Run(MicroSeconds(100), MicroSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(test.GetController().GetNRuns(), runs, "the same path");
        const FlowId other = test.Send(2, 3, 1);
        test.Run(MicroSeconds(100), MicroSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(test.GetController().GetNRuns(), runs + 1, "a new path");
        NS_TEST_EXPECT_MSG_EQ(limiters().at({3, 2}).rate, DataRate("100Gbps"), "its own port");
        test.network->GetTransports()->StopFlow(second);
        test.network->GetTransports()->StopFlow(other);
        test.Run(MilliSeconds(2), MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(test.GetController().GetNRuns(), runs + 2, "a path less");
        NS_TEST_EXPECT_MSG_EQ(limiters().contains({3, 2}), false, "and its limiter");
        // One flow alone swings: it is cut in each of the many round trips that 80 KB take to
        // drain.
        NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0), test.GetGoodput(1), 2.5, "equal");
        NS_TEST_EXPECT_MSG_GT(test.GetGoodput(0), 0.85 * 50 * PAYLOAD, "and not far below");
        NS_TEST_EXPECT_MSG_LT(test.GetGoodput(0), 1.01 * 50 * PAYLOAD, "nor above");
    }

    /// @brief A connection that is used again is as good as a new one.
    void CheckConnections()
    {
        NimbleTestNetwork test("nimble", FIVE_HOSTS, "lean:Persistence=ReuseIdle");
        for (uint32_t round = 0; round < 2; ++round)
        {
            const auto limiters = [&test] {
                return test.GetController().GetSwitch(0).GetActive().size();
            };
            test.Send(0, 4, round, 0, 1'000'000); // 80 us and more
            test.Run(MicroSeconds(30), MicroSeconds(30));
            NS_TEST_EXPECT_MSG_EQ(limiters(), 1, "while it lasts");
            test.Run(MilliSeconds(1), MilliSeconds(1));
            NS_TEST_EXPECT_MSG_EQ(limiters(), 0, "when it is over");
        }
    }

    /// @brief Limits that change on the timeline.
    void CheckTimeline()
    {
        NimbleTestNetwork test("nimble:RateController=static,Policy={class A groups=0;"
                               "local A at=switch0:4 rate=50Gbps type=hard}",
                               FIVE_HOSTS);
        Timeline timeline(*test.network,
                          "--events",
                          "1ms rate class=A limit=20Gbps; 2ms rate class=A limit=0bps");
        timeline.Start();
        const auto limiters = [&test] { return test.GetController().GetSwitch(0).GetActive(); };
        NS_TEST_EXPECT_MSG_EQ(limiters().at({4, 1}).rate, DataRate("50Gbps"), "first");
        NS_TEST_EXPECT_MSG_EQ(limiters().size(), 1, "only there");
        test.Run(MicroSeconds(500), MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(limiters().at({4, 1}).rate, DataRate("20Gbps"), "then");
        test.Run(MicroSeconds(500), MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(limiters().empty(), true, "no limit is no limiter");
        bool refused = false;
        try
        {
            Timeline(*test.network, "--events", "1ms rate class=B limit=20Gbps");
        }
        catch (const InputError&)
        {
            refused = true;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "a class that is not there");
    }

    /// @brief Of updates that overtake one another the last one counts.
    void CheckOvertaking()
    {
        for (const std::string scheme :
             {"policing:RateController=(static:UpdateDelay=(normal:Order=Parallel)),",
              "edge-limiters:UpdateDelay=(normal:Order=Parallel),"})
        {
            NimbleTestNetwork test(scheme + "Policy={class A groups=0 rate=50Gbps type=hard}",
                                   FIVE_HOSTS,
                                   "udp:Rate=90Gbps;lean");
            std::string events;
            for (int i = 1; i <= 30; ++i)
            {
                events += (i > 1 ? "; " : "") + std::to_string(1000 + 50 * i) +
                          "us rate class=A limit=" + std::to_string(i) + "Gbps";
            }
            Timeline timeline(*test.network, "--events", events);
            timeline.Start();
            test.Send(0, 4, 0);
            test.Run(MilliSeconds(30), MilliSeconds(2));
            NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0) * 1500 / 1472, 30, 0.3, scheme);
        }
    }

    /// @brief Hard limits that exceed a link: one warning, and all limiters as they are.
    void CheckWarning()
    {
        NimbleTestNetwork test("nimble:Policy={class A groups=0; class B groups=1;"
                               "class C groups=2; local A at=switch0:4 rate=40Gbps type=hard;"
                               "local B at=switch0:4 rate=40Gbps type=hard;"
                               "local C at=switch0:4 rate=40Gbps type=hard}",
                               FIVE_HOSTS);
        for (uint32_t group = 0; group < 3; ++group)
        {
            test.Send(group, 4, group);
        }
        test.Run(MilliSeconds(1), MilliSeconds(1));
        const auto& warnings = test.GetController().GetWarnings();
        NS_TEST_ASSERT_MSG_EQ(warnings.size(), 1, "one warning");
        NS_TEST_EXPECT_MSG_NE(warnings[0].find("switch0:4 sum to 120 Gbps"),
                              std::string::npos,
                              warnings[0]);
        for (uint32_t number = 1; number <= 3; ++number)
        {
            NS_TEST_EXPECT_MSG_EQ(
                test.GetController().GetSwitch(0).GetActive().at({4, number}).rate,
                DataRate("40Gbps"),
                "as it was said");
        }
    }

    /// @brief Red thresholds are parts of the port's buffer, and leave room for a packet.
    void CheckThresholds()
    {
        const auto getLimiter = [](const std::string& policy, const std::string& controller) {
            NimbleTestNetwork test("nimble:Policy={" + policy + "},RateController=(" + controller +
                                       ")",
                                   FIVE_HOSTS);
            test.Send(0, 4, 0);
            test.Send(1, 4, 1);
            test.Run(MicroSeconds(100), MicroSeconds(100));
            return test.GetController().GetSwitch(0).GetActive();
        };
        const auto shared =
            getLimiter("class A groups=0 weight=2; class B groups=1 weight=3", "global");
        NS_TEST_EXPECT_MSG_EQ(shared.at({4, 1}).redBurst, 163'840, "2 of 5 parts of 400 KB");
        NS_TEST_EXPECT_MSG_EQ(shared.at({4, 2}).redBurst, 245'760, "3 of 5");
        NS_TEST_EXPECT_MSG_EQ(shared.at({4, 1}).yellowBurst, 16'384, "16 KB");
        const auto small = getLimiter("class A groups=0; class B groups=1 weight=49999",
                                      "global:LargestPacket=9000");
        NS_TEST_EXPECT_MSG_EQ(small.at({4, 1}).redBurst, 25'384, "one of 50,000: yellow + packet");
    }

    /// @brief A path over a link that fails is none any more.
    void CheckFailure()
    {
        NimbleTestNetwork test("nimble",
                               "leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=2,"
                               "HostRate=100Gbps,FabricRate=100Gbps,LinkDelay=1us");
        test.Send(0, 2, 0);
        test.Run(MilliSeconds(1), MilliSeconds(1));
        const auto getLimiters = [&test] {
            std::vector<std::pair<uint32_t, LimiterKey>> found; // by switch
            for (uint32_t i = 0; i < test.network->GetFabric()->GetNSwitches(); ++i)
            {
                for (const auto& [key, setting] : test.GetController().GetSwitch(i).GetActive())
                {
                    found.emplace_back(i, key);
                }
            }
            return found;
        };
        const auto before = getLimiters();
        NS_TEST_ASSERT_MSG_EQ(before.size(), 1, "one bottleneck");
        Ptr<Fabric> fabric = test.network->GetFabric();
        const FabricPort& used = fabric->GetSwitch(before[0].first).GetPort(before[0].second.port);
        NS_TEST_EXPECT_MSG_EQ(used.GetDescription().role, "leaf-spine", "of equals the first");
        const uint64_t updates = test.GetController().GetNUpdates();
        fabric->SetLinkUp(used.GetDescription().link, false);
        test.Run(MilliSeconds(30), MilliSeconds(2));
        const auto after = getLimiters();
        NS_TEST_ASSERT_MSG_EQ(after.size(), 1, "one bottleneck");
        NS_TEST_EXPECT_MSG_NE(after[0].second.port, before[0].second.port, "the other spine");
        NS_TEST_EXPECT_MSG_EQ(test.GetController().GetNUpdates(), updates + 2, "one off, one on");
        NS_TEST_EXPECT_MSG_GT(test.GetGoodput(0), 50, "it goes on");
    }

    void CheckErrors()
    {
        const auto refuse = [this](const std::string& policy, const std::string& told) {
            std::string text;
            try
            {
                NimbleTestNetwork("nimble:Policy={" + policy + "}", FIVE_HOSTS);
            }
            catch (const InputError& error)
            {
                text = error.what();
                Simulator::Destroy();
            }
            NS_TEST_EXPECT_MSG_NE(text.find(told), std::string::npos, policy << ": " << text);
        };
        refuse("class A groups=0; local A at=leaf0:0 rate=1Gbps", "must be a port of a switch");
        refuse("class A groups=0; local A at=switch0:4 rate=101Gbps", "rate of the link, 100 Gbps");
        refuse("class A groups=0 rate=200Gbps", "rate of the link");
        refuse("class A groups=0; local A at=switch0:4 in=switch0:1", "needs a rate");
        refuse("class A groups=0; local A in=switch0:1", "needs a rate");
    }
};

/**
 * @ingroup nimble-tests
 * @brief Limiters at hosts.
 */
class EdgeLimitersTestCase : public TestCase
{
  public:
    EdgeLimitersTestCase()
        : TestCase("limiters at hosts")
    {
    }

  private:
    void DoRun() override
    {
        CheckShares();
        CheckFigure1();
    }

    void CheckShares()
    {
        NimbleTestNetwork test("edge-limiters", FIVE_HOSTS);
        test.Send(0, 4, 0); // class 1 from two senders, class 2 from one
        test.Send(1, 4, 0);
        test.Send(2, 4, 1);
        test.Run(MilliSeconds(1), MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(0), 50 * PAYLOAD, 1, "25 each");
        NS_TEST_EXPECT_MSG_EQ_TOL(test.GetGoodput(1), 50 * PAYLOAD, 1, "50");
    }

    /// @brief Limits of 25 each, demands of 10, 20 and 50: 55 of the 75 that are allowed.
    void CheckFigure1()
    {
        NimbleTestNetwork figure("edge-limiters:Policy={class A groups=0 rate=25Gbps;"
                                 "class B groups=1 rate=25Gbps; class C groups=2 rate=25Gbps}",
                                 FIVE_HOSTS,
                                 "a=udp:Rate=10Gbps;b=udp:Rate=20Gbps;c=udp:Rate=50Gbps;lean");
        for (uint8_t i = 0; i < 3; ++i)
        {
            figure.Send(i, 4, i, i);
        }
        figure.Run(MilliSeconds(1), MilliSeconds(1));
        const double expected[] = {10, 20, 25};
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(figure.GetGoodput(i) * 1500 / 1472,
                                      expected[i],
                                      0.05 * expected[i],
                                      "host " << i);
        }
    }
};

/**
 * @ingroup nimble-tests
 * @brief Schemes with limiters.
 */
class NimbleSchemeTestSuite : public TestSuite
{
  public:
    NimbleSchemeTestSuite()
        : TestSuite("nimble-scheme", Type::SYSTEM)
    {
        AddTestCase(new NimbleLimitTestCase, Duration::QUICK);
        AddTestCase(new NimbleThresholdsTestCase, Duration::QUICK);
        AddTestCase(new NimbleUdpTestCase, Duration::QUICK);
        AddTestCase(new NimbleSwitchTestCase, Duration::QUICK);
        AddTestCase(new NimbleHierarchyTestCase, Duration::QUICK);
        AddTestCase(new NimbleControllerTestCase, Duration::QUICK);
        AddTestCase(new EdgeLimitersTestCase, Duration::QUICK);
    }
};

static NimbleSchemeTestSuite g_nimbleSchemeTestSuite; //!< registers itself
