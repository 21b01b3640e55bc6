/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trinity-test.h"

#include "ns3/input-error.h"
#include "ns3/network.h"
#include "ns3/pair-edge.h"
#include "ns3/pair-queue-disc.h"
#include "ns3/results.h"
#include "ns3/strict-priority-queue-disc.h"
#include "ns3/string.h"
#include "ns3/trinity-pair-controller.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @ingroup trinity-tests
 * @brief Two tenants, each with a VM at both ends of a trunk of 1 Gbit/s.
 */
class TrunkTestNetwork
{
  public:
    /**
     * @brief Build the network.
     * @param first hose of the first tenant's VMs
     * @param second hose of the second tenant's VMs
     * @param controller attributes of the shim
     * @param transports specifications
     */
    TrunkTestNetwork(const std::string& first,
                     const std::string& second,
                     const std::string& controller = "",
                     const std::string& transports = "lean;udp:Rate=1Gbps,SendBuffer=131072")
        : network(CreateObject<Network>())
    {
        auto tenants = CreateObject<TenantTable>();
        for (const auto& [name, rate] : {std::pair("A", first), std::pair("B", second)})
        {
            const TenantId tenant = tenants->AddTenant({name});
            const VmId left = tenants->AddVm({tenant, tenant, DataRate(rate), DataRate(rate)});
            const VmId right = tenants->AddVm({tenant, 2 + tenant, DataRate(rate), DataRate(rate)});
            pairs.push_back(tenants->GetPair(left, right));
        }
        network->SetTopology("dumbbell:LeftRate=1Gbps,RightRate=1Gbps,BottleneckRate=1Gbps,"
                             "LeftDelay=30us,RightDelay=30us,BottleneckDelay=30us");
        network->SetScheme("trinity:Controller=(trinity" + controller + ")");
        network->SetTransports(transports);
        network->SetTenants(tenants);
        network->Build();
        edge = network->GetFabric()->GetObject<PairEdge>();
    }

    ~TrunkTestNetwork()
    {
        edge = nullptr;
        network->Dispose();
        Simulator::Destroy();
    }

    TrunkTestNetwork(const TrunkTestNetwork&) = delete;
    TrunkTestNetwork& operator=(const TrunkTestNetwork&) = delete;

    /**
     * @brief A tenant sends without end.
     * @param tenant which
     * @param flows how many connections
     * @param transport which
     */
    void Start(uint32_t tenant, uint32_t flows, uint8_t transport)
    {
        for (uint32_t flow = 0; flow < flows; ++flow)
        {
            FlowRequest request{tenant, 2 + tenant};
            request.group = tenant;
            request.pair = pairs[tenant] + 1;
            request.transport = transport;
            network->GetTransports()->StartFlow(request);
        }
    }

    /**
     * @brief Run.
     * @param time how long
     * @return what each tenant received, in Mbit/s of IP datagrams
     */
    std::vector<double> Run(Time time)
    {
        const auto before = GetReceived();
        Simulator::Stop(time);
        Simulator::Run();
        auto rates = GetReceived();
        for (size_t i = 0; i < rates.size(); ++i)
        {
            rates[i] = 8e-6 * (rates[i] - before[i]) / time.GetSeconds();
        }
        return rates;
    }

    std::vector<double> GetReceived() const
    {
        std::vector<double> bytes;
        for (PairId pair : pairs)
        {
            const PairReceiver* receiver = edge->FindReceiver(pair);
            bytes.push_back(receiver ? static_cast<double>(receiver->GetBytes()) : 0);
        }
        return bytes;
    }

    /// @return the discipline of the trunk, from left to right
    const StrictPriorityQueueDisc& GetTrunk() const
    {
        const StrictPriorityQueueDisc* trunk = nullptr;
        for (const FabricPort* port : network->GetFabric()->GetPath(0, 2))
        {
            if (port->GetDescription().tier > 0 && !trunk)
            {
                trunk = dynamic_cast<const StrictPriorityQueueDisc*>(&port->GetQueueDisc());
            }
        }
        return *trunk;
    }

    Ptr<Network> network;      //!< all of it
    Ptr<PairEdge> edge;        //!< its shims
    std::vector<PairId> pairs; //!< of A and of B
};

constexpr uint8_t TCP = 0; //!< transport of a tenant
constexpr uint8_t UDP = 1; //!< transport of a tenant

} // namespace

/**
 * @ingroup trinity-tests
 * @brief The disciplines of ports.
 */
class TrinityPortTestCase : public TrinityTestCase
{
  public:
    TrinityPortTestCase()
        : TrinityTestCase("two priorities by colour, marks in the low one")
    {
    }

  private:
    static void Offer(StrictPriorityQueueDisc& disc, uint8_t dscp, uint8_t ecn)
    {
        FabricItem* item = FabricItem::Create();
        item->size = 1500;
        item->tos = static_cast<uint8_t>(dscp << 2 | ecn);
        disc.EnqueueItem(item);
    }

    void Check() override
    {
        TrunkTestNetwork test("100Mbps", "100Mbps");
        auto& disc = const_cast<StrictPriorityQueueDisc&>(test.GetTrunk());
        for (uint8_t ecn : {0, 1, 2, 3})
        {
            for (const auto& [dscp, queue] :
                 {std::pair(46, 0), std::pair(48, 0), std::pair(0, 1), std::pair(10, 1)})
            {
                const uint32_t before = disc.GetQueuePackets(queue);
                Offer(disc, static_cast<uint8_t>(dscp), ecn);
                NS_TEST_EXPECT_MSG_EQ(disc.GetQueuePackets(queue), before + 1, "DSCP " << dscp);
            }
        }
        disc.Flush("test");
        for (int i = 0; i < 40; ++i)
        {
            Offer(disc, GetDscp(TrinityColour::GREEN), FabricItem::ECT0);
        }
        for (int i = 0; i < 20; ++i)
        {
            Offer(disc, GetDscp(TrinityColour::RED), FabricItem::ECT0);
        }
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueueStats(1).markedPackets, 0, "20 packets find less");
        Offer(disc, GetDscp(TrinityColour::RED), FabricItem::ECT0);
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueueStats(1).markedPackets, 1, "the 21st is marked");
        Offer(disc, GetDscp(TrinityColour::RED), FabricItem::NOT_ECT);
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueueStats(1).markedPackets, 1, "it cannot be marked");
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueuePackets(1), 22, "and is not dropped");
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueueStats(0).markedPackets, 0, "green ones are not marked");
        for (int i = 0; i < 400; ++i)
        {
            Offer(disc, GetDscp(TrinityColour::RED), FabricItem::ECT0);
        }
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueueBytes(1), 341 * 1500, "512 KB of red ones");
        Offer(disc, GetDscp(TrinityColour::GREEN), FabricItem::ECT0);
        NS_TEST_EXPECT_MSG_EQ(disc.GetQueuePackets(0), 41, "green ones have their own room");
        disc.Flush("test");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Guarantees whatever the other tenant does.
 */
class TrinityGuaranteeTestCase : public TrinityTestCase
{
  public:
    TrinityGuaranteeTestCase()
        : TrinityTestCase("guarantees beside a flood")
    {
    }

  private:
    void Check() override
    {
        {
            TrunkTestNetwork test("150Mbps", "750Mbps");
            test.Start(0, 1, UDP);
            test.Start(1, 10, TCP);
            test.Run(MilliSeconds(20));
            const auto rates = test.Run(MilliSeconds(100));
            NS_TEST_EXPECT_MSG_GT(rates[0], 0.99 * 150, "A");
            NS_TEST_EXPECT_MSG_GT(rates[1], 0.95 * 750, "B's ten connections");
            NS_TEST_EXPECT_MSG_EQ(test.GetTrunk().GetQueueStats(0).droppedPackets, 0, "green");
        }
        for (const auto& [first, second] : {std::pair(200, 700), std::pair(480, 480)})
        {
            TrunkTestNetwork test(std::to_string(first) + "Mbps", std::to_string(second) + "Mbps");
            test.Start(0, 1, UDP);
            test.Start(1, 1, UDP);
            test.Run(MilliSeconds(20));
            const auto rates = test.Run(MilliSeconds(100));
            NS_TEST_EXPECT_MSG_GT(rates[0], 0.99 * first, "A floods");
            NS_TEST_EXPECT_MSG_GT(rates[1], 0.99 * second, "B floods");
            NS_TEST_EXPECT_MSG_EQ(test.GetTrunk().GetQueueStats(0).droppedPackets, 0, "green");
        }
    }
};

/**
 * @ingroup trinity-tests
 * @brief Reports cross a trunk that is full of red packets.
 */
class TrinityReportDelayTestCase : public TrinityTestCase
{
  public:
    TrinityReportDelayTestCase()
        : TrinityTestCase("reports do not wait behind red packets")
    {
    }

  private:
    void Check() override
    {
        TrunkTestNetwork test("100Mbps", "100Mbps");
        test.Start(0, 1, UDP);
        test.Start(1, 1, UDP);
        // Data the other way, whose reports go with the flood.
        const PairId back = TenantTable::Reverse(test.pairs[0]);
        FlowRequest request{2, 0};
        request.pair = back + 1;
        request.transport = UDP;
        test.network->GetTransports()->StartFlow(request);
        std::vector<double> delays; // in us
        test.edge->TraceConnectWithoutContext(
            "Report",
            Callback<void, const PairReport&>([&delays, back](const PairReport& report) {
                if (report.pair == back)
                {
                    const Time delay = Simulator::Now() - TimeStep(report.time);
                    delays.push_back(delay.ToDouble(Time::US));
                }
            }));
        test.Run(MilliSeconds(20)); // full buckets of green tokens are sent
        delays.clear();
        test.Run(MilliSeconds(100));
        NS_TEST_EXPECT_MSG_GT(test.GetTrunk().GetQueueStats(1).markedPackets, 100, "it was full");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(delays.size(), 18, "reports came");
        // Three links of 30 us with 46 bytes each, a packet in front on each, and on the trunk a
        // green one of each tenant.
        const double most = 3 * (30 + 0.368) + (3 + 2) * 12;
        NS_TEST_EXPECT_MSG_LT(*std::max_element(delays.begin(), delays.end()), most, "the worst");
    }
};

/**
 * @ingroup trinity-tests
 * @brief The link is used.
 */
class TrinityConservationTestCase : public TrinityTestCase
{
  public:
    TrinityConservationTestCase()
        : TrinityTestCase("work conservation, and equal pairs")
    {
    }

  private:
    void Check() override
    {
        for (uint8_t transport : {TCP, UDP})
        {
            TrunkTestNetwork test("100Mbps", "100Mbps");
            test.Start(0, 1, transport);
            test.Run(MilliSeconds(20));
            const auto rates = test.Run(MilliSeconds(50));
            NS_TEST_EXPECT_MSG_GT(rates[0], 0.97 * 960, "a lone tenant has all");
        }
        // Two that always want more: the law halves rates when a whole interval is marked, so part
        // of the link is lost (see the documentation).
        TrunkTestNetwork test("300Mbps", "300Mbps");
        test.Start(0, 1, UDP);
        test.Start(1, 1, UDP);
        test.Run(MilliSeconds(100));
        const auto rates = test.Run(MilliSeconds(400));
        NS_TEST_EXPECT_MSG_GT(rates[0] + rates[1], 0.85 * 960, "most of the link");
        NS_TEST_EXPECT_MSG_GT(std::min(rates[0], rates[1]), 300, "more than the guarantee");
    }
};

/**
 * @ingroup trinity-tests
 * @brief A tenant whose red packets are stuck behind another's guarantee.
 */
class TrinityTrappingTestCase : public TrinityTestCase
{
  public:
    TrinityTrappingTestCase()
        : TrinityTestCase("packet trapping, with its remedy and without")
    {
    }

  private:
    static double RunWith(const std::string& remedy)
    {
        TrunkTestNetwork test("200Mbps",
                              "770Mbps",
                              ":DetectTrapping=" + remedy,
                              "lean;udp:Rate=770Mbps,SendBuffer=131072");
        test.Start(0, 1, TCP);
        test.Run(MilliSeconds(100));
        test.Start(1, 1, UDP);
        test.Run(MilliSeconds(100));
        return test.Run(MilliSeconds(400))[0];
    }

    void Check() override
    {
        const double with = RunWith("true");
        const double without = RunWith("false");
        NS_TEST_EXPECT_MSG_GT(with, 0.9 * 200, "the guarantee");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(with, without * 0.98, "the remedy does no harm");
    }
};

/**
 * @ingroup trinity-tests
 * @brief What cannot be used is told in one line.
 */
class TrinityInputTestCase : public TestCase
{
  public:
    TrinityInputTestCase()
        : TestCase("bad input")
    {
    }

  private:
    static std::string GetError(const std::string& scheme, const std::string& tenants = "")
    {
        auto network = CreateObject<Network>();
        network->SetTopology("single-switch:Hosts=4,HostRate=1Gbps");
        std::string text;
        try
        {
            network->SetScheme(scheme);
            if (!tenants.empty())
            {
                network->SetTenants(tenants);
            }
            network->Build();
        }
        catch (const InputError& error)
        {
            text = error.what();
        }
        network->Dispose();
        Simulator::Destroy();
        return text;
    }

    void ExpectError(const std::string& error, const std::string& part)
    {
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, error << " says " << part);
        NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one line: " << error);
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetError("trinity"), "", "nobody rents the network");
        NS_TEST_EXPECT_MSG_EQ(GetError("trinity", "list:Of={tenant A hosts=0-3 hose=500Mbps}"),
                              "",
                              "guarantees that fit");
        ExpectError(GetError("trinity",
                             "list:Of={tenant A hosts=0,1 hose=600Mbps; tenant B "
                             "hosts=0,2 hose=500Mbps}"),
                    "--tenants = '1.1 Gbps guaranteed over the link");
        ExpectError(GetError("trinity", "list:Of={tenant A hosts=0,9 hose=1Mbps}"), "--tenants = ");
        ExpectError(GetError("trinity:Controller=(trinity:Interval=0s)"), "Interval");
        ExpectError(GetError("trinity:Controller=(trinity:GreenBucketDepth=1499)"),
                    "GreenBucketDepth");
        ExpectError(GetError("trinity:Controller=(trinity:RedBucketDepth=100)"), "RedBucketDepth");
        ExpectError(GetError("trinity:Controller=(trinity:UsableCapacity=1.5)"), "UsableCapacity");
        ExpectError(GetError("trinity:MarkThreshold=0B"), "MarkThreshold");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Constants of the paper and of its prototype.
 */
class TrinityDefaultsTestCase : public TestCase
{
  public:
    TrinityDefaultsTestCase()
        : TestCase("defaults")
    {
    }

  private:
    void DoRun() override
    {
        TrunkTestNetwork test("1Mbps", "1Mbps");
        auto& shim = test.edge->GetController(0);
        for (const auto& [name, expected] : {std::pair("Interval", "+5e+06ns"),
                                             std::pair("IntervalJitter", "0.1"),
                                             std::pair("Partition", "Equal"),
                                             std::pair("ActiveIntervals", "10"),
                                             std::pair("MarkUnit", "Bytes"),
                                             std::pair("Profile", "Literal"),
                                             std::pair("UsableCapacity", "0.96"),
                                             std::pair("TrappedRate", "10000bps"),
                                             std::pair("LeastSpareRate", "10000bps"),
                                             std::pair("FlowThreshold", "102400"),
                                             std::pair("FlowIdleReset", "+0ns"),
                                             std::pair("GreenBucketDepth", "32768"),
                                             std::pair("RedBucketDepth", "32768"),
                                             std::pair("Tau", "+200000ns"),
                                             std::pair("TickInterval", "+0ns"),
                                             std::pair("TrapConfirmIntervals", "1"),
                                             std::pair("ChannelSize", "256p")})
        {
            TypeId::AttributeInformation info;
            shim.GetInstanceTypeId().LookupAttributeByName(name, &info);
            const auto value = info.initialValue->Copy();
            shim.GetAttribute(name, *value);
            const auto wanted = info.checker->CreateValidValue(StringValue(expected));
            NS_TEST_EXPECT_MSG_EQ(value->SerializeToString(info.checker),
                                  wanted->SerializeToString(info.checker),
                                  name);
        }
    }
};

/**
 * @ingroup trinity-tests
 * @brief Trinity in a network.
 */
class TrinitySchemeTestSuite : public TestSuite
{
  public:
    TrinitySchemeTestSuite()
        : TestSuite("trinity-scheme", Type::UNIT)
    {
        AddTestCase(new TrinityPortTestCase, Duration::QUICK);
        AddTestCase(new TrinityGuaranteeTestCase, Duration::QUICK);
        AddTestCase(new TrinityReportDelayTestCase, Duration::QUICK);
        AddTestCase(new TrinityConservationTestCase, Duration::QUICK);
        AddTestCase(new TrinityTrappingTestCase, Duration::QUICK);
        AddTestCase(new TrinityInputTestCase, Duration::QUICK);
        AddTestCase(new TrinityDefaultsTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static TrinitySchemeTestSuite g_trinitySchemeTestSuite;
