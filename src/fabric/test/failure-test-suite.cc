/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../kernel/test/kernel-scope.h"
#include "test-network.h"

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstring>

using namespace ns3;

namespace
{

constexpr const char* SMALL =
    "leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=2,FabricRate=20Gbps"; //!< 2 paths

/**
 * @brief Links of a node's ports that lead to switches.
 * @param node the node
 * @return numbers of links
 */
std::vector<uint32_t>
SwitchLinks(const FabricSwitch& node)
{
    std::vector<uint32_t> links;
    for (uint32_t i = 0; i < node.GetNPorts(); ++i)
    {
        const auto& description = node.GetPort(i).GetDescription();
        if (description.peerTier > 0)
        {
            links.push_back(description.link);
        }
    }
    return links;
}

/**
 * @brief Drops because of failed links.
 * @param network the network
 * @return number of items
 */
uint64_t
LinkDownDrops(const TestNetwork& network)
{
    uint64_t drops = 0;
    network.fabric->ForEachPort([&drops](FabricPort& port) {
        for (const auto& count : port.GetQueueDisc().GetDropCounts())
        {
            drops += std::strcmp(count.reason, "Link down") == 0 ? count.packets : 0;
        }
    });
    return drops;
}

/**
 * @brief The switch that a host is attached to.
 * @param network the network
 * @param host the host
 * @return its leaf
 */
FabricSwitch&
LeafOf(const TestNetwork& network, uint32_t host)
{
    return *static_cast<FabricSwitch*>(
        network.fabric->GetHost(host).GetNicPort().GetDescription().peer);
}

} // namespace

/**
 * @ingroup fabric-tests
 * @brief A link fails and is repaired while packets flow.
 */
class LinkFailureTestCase : public TestCase
{
  public:
    /**
     * @param delay the fabric's attribute RouteUpdateDelay
     */
    explicit LinkFailureTestCase(Time delay)
        : TestCase("a link fails and is repaired, routes follow after " +
                   std::to_string(delay.GetMicroSeconds()) + " us"),
          m_delay(delay)
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        {
            TestNetwork network(
                SMALL,
                ObjectFactory("ns3::SprayPathSelector", "Mode", StringValue("RoundRobin")));
            network.fabric->SetAttribute("RouteUpdateDelay", TimeValue(m_delay));
            network.Build();
            Run(network);
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "each item is given back");
    }

    /// @param network to run
    void Run(TestNetwork& network)
    {
        const uint32_t link = SwitchLinks(LeafOf(network, 0)).front();
        FabricPort& port = *network.fabric->GetLink(link)[0];
        for (int64_t i = 0; i < 3000; ++i) // 80 % of each host link, within one fabric link
        {
            network.SendAt(NanoSeconds(1500 * i), 0, 2);
            network.SendAt(NanoSeconds(1500 * i + 401), 1, 3);
        }
        const Time fail = NanoSeconds(1500123);
        const Time repair = NanoSeconds(3000321);
        std::vector<uint64_t> sent; // over the link: at failure, at repair, 1 us after rerouting
        const auto note = [&] { sent.push_back(port.GetTxPackets()); };
        Simulator::Schedule(fail, [&] {
            note();
            network.fabric->SetLinkUp(link, false);
        });
        Simulator::Schedule(repair, [&] {
            note();
            network.fabric->SetLinkUp(link, true);
        });
        Simulator::Schedule(repair + m_delay, note);
        Simulator::Run();
        note();
        NS_TEST_EXPECT_MSG_EQ_TOL(sent.at(0), 1000.0, 20, "half the packets took the link");
        NS_TEST_EXPECT_MSG_EQ(sent.at(1), sent.at(0), "none while it was down");
        NS_TEST_EXPECT_MSG_EQ(sent.at(2), sent.at(1), "none before routing knew of the repair");
        const double rest = 4500000.0 - (repair + m_delay).GetNanoSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(sent.at(3) - sent.at(2), rest / 1500, 20, "then half again");

        const uint64_t drops = LinkDownDrops(network);
        const uint64_t losses = network.GetLosses();
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size() + drops + losses,
                              network.sent,
                              "each item arrives, is dropped or is lost");
        NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), drops, "no other drops");
        NS_TEST_EXPECT_MSG_GT(losses, 0, "the link carried packets when it failed");
        // Half of all packets go astray until routing knows.
        NS_TEST_EXPECT_MSG_EQ_TOL(drops, m_delay.GetNanoSeconds() / 1500.0, 15, "black hole");
        const auto late = std::count_if(network.recorder.arrivals.begin(),
                                        network.recorder.arrivals.end(),
                                        [&](const auto& a) {
                                            const Time sent = TimeStep(a.sent);
                                            return sent > fail + m_delay && sent < repair;
                                        });
        NS_TEST_EXPECT_MSG_EQ_TOL(late,
                                  2 * (repair - fail - m_delay).GetNanoSeconds() / 1500.0,
                                  15,
                                  "the other path takes all");
    }

    Time m_delay; //!< the fabric's attribute RouteUpdateDelay
};

/**
 * @ingroup fabric-tests
 * @brief Items that wait for a link or are on it are lost, even if it is repaired at once.
 */
class FlapTestCase : public TestCase
{
  public:
    FlapTestCase()
        : TestCase("a link that fails for a moment loses what waits and what is under way")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network("single-switch:HostRate=10Gbps,LinkDelay=10us");
        network.Build();
        FabricPort& port = network.fabric->GetHost(0).GetNicPort();
        for (int i = 0; i < 10; ++i)
        {
            network.Send(0, 1); // 1.2 us each: number 6 starts at 6.0 us
        }
        Simulator::Schedule(NanoSeconds(6500), [&] {
            network.fabric->SetLinkUp(0, false);
            NS_TEST_EXPECT_MSG_EQ(port.GetWaitingPackets(), 0, "nothing waits any more");
        });
        Simulator::Schedule(NanoSeconds(6600), [&] { network.fabric->SetLinkUp(0, true); });
        Simulator::Schedule(NanoSeconds(6700), [&] { network.Send(0, 1); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(LinkDownDrops(network), 4, "numbers 7 to 10 waited");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetSwitch(0).GetLostInFlight(),
                              6,
                              "numbers 1 to 6 were on the link");
        NS_TEST_ASSERT_MSG_EQ(network.recorder.arrivals.size(), 1, "the one sent afterwards");
        // It waits for the transmission that the failure spoilt.
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals[0].arrived,
                              7200 + 2 * (1200 + 10000),
                              "when it arrives");
    }
};

/**
 * @ingroup fabric-tests
 * @brief A switch fails, all its links with it, and comes back.
 */
class SwitchFailureTestCase : public TestCase
{
  public:
    SwitchFailureTestCase()
        : TestCase("a switch fails and comes back")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network(SMALL, ObjectFactory("ns3::SprayPathSelector"));
        network.Build();
        Fabric& fabric = *network.fabric;
        FabricSwitch& leaf = LeafOf(network, 0);
        const uint16_t rack = fabric.GetLocation(2).rack;
        uint32_t spine = 0;
        while (fabric.GetSwitch(spine).GetTier() != 2)
        {
            ++spine;
        }
        const uint32_t link = SwitchLinks(fabric.GetSwitch(spine)).front();
        fabric.SetLinkUp(link, false);
        fabric.SetSwitchUp(spine, false);
        NS_TEST_EXPECT_MSG_EQ(leaf.GetNextHops(rack).size(), 1, "one path left");
        for (int i = 0; i < 100; ++i)
        {
            network.SendAt(MicroSeconds(2 * i), 0, 2);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 100, "the other spine takes all");
        fabric.SetSwitchUp(spine, true);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetLink(link)[0]->IsUp(), false, "its broken link stays so");
        NS_TEST_EXPECT_MSG_EQ(leaf.GetNextHops(rack).size(), 1, "still one path");
        fabric.SetSwitchUp(spine, false);
        fabric.SetLinkUp(link, true);
        NS_TEST_EXPECT_MSG_EQ(fabric.GetLink(link)[0]->IsUp(), false, "mended, the switch is not");
        fabric.SetSwitchUp(spine, true);
        NS_TEST_EXPECT_MSG_EQ(leaf.GetNextHops(rack).size(), 2, "both paths again");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Packets for hosts that cannot be reached are dropped and counted.
 */
class PartitionTestCase : public TestCase
{
  public:
    PartitionTestCase()
        : TestCase("a partitioned fabric")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network(SMALL);
        network.Build();
        Fabric& fabric = *network.fabric;
        FabricSwitch& leaf = LeafOf(network, 0);
        for (uint32_t link : SwitchLinks(leaf))
        {
            fabric.SetLinkUp(link, false);
        }
        NS_TEST_EXPECT_MSG_EQ(fabric.GetPath(0, 2).empty(), true, "no path across");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetPath(0, 1).size(), 2, "a path within");
        network.Send(0, 2);
        network.Send(0, 1);
        network.Send(3, 1);
        network.Send(3, 2);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 2, "within each half");
        NS_TEST_EXPECT_MSG_EQ(leaf.GetNoRouteDrops(), 1, "host 0's packet for host 2");
        NS_TEST_EXPECT_MSG_EQ(LeafOf(network, 3).GetNoRouteDrops(), 1, "host 3's for host 1");
        // A host behind a failed link: its leaf still knows the port, which drops.
        fabric.SetLinkUp(fabric.GetHost(1).GetNicPort().GetDescription().link, false);
        network.Send(0, 1);
        network.Send(1, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(LinkDownDrops(network), 2, "at the leaf and at the host's own port");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size(), 2, "none arrived");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Routing learns of each failure after the same delay, whatever else fails meanwhile.
 */
class RouteUpdateTestCase : public TestCase
{
  public:
    RouteUpdateTestCase()
        : TestCase("two failures within one RouteUpdateDelay")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network("leaf-spine:Leaves=2,HostsPerLeaf=1,Spines=4");
        network.fabric->SetAttribute("RouteUpdateDelay", TimeValue(MilliSeconds(10)));
        network.Build();
        FabricSwitch& leaf = LeafOf(network, 0);
        const auto links = SwitchLinks(leaf);
        const uint16_t rack = network.fabric->GetLocation(1).rack;
        const auto set = [&](int ms, uint32_t link, bool up) {
            Simulator::Schedule(MilliSeconds(ms),
                                [&network, link, up] { network.fabric->SetLinkUp(link, up); });
        };
        set(0, links[0], false);
        set(5, links[1], false);
        set(8, links[0], true);
        const auto expect = [&](int ms, std::size_t paths) {
            Simulator::Schedule(MilliSeconds(ms), [this, &leaf, rack, paths, ms] {
                NS_TEST_EXPECT_MSG_EQ(leaf.GetNextHops(rack).size(), paths, "at " << ms << " ms");
            });
        };
        expect(9, 4);
        expect(12, 3);
        expect(16, 2);
        expect(19, 3);
        Simulator::Run();
        CheckStatic();
    }

    /// @brief With the longest delay that there is, tables never change.
    void CheckStatic()
    {
        TestNetwork network("leaf-spine:Leaves=2,HostsPerLeaf=1,Spines=4");
        network.fabric->SetAttribute("RouteUpdateDelay", TimeValue(Time::Max()));
        network.Build();
        FabricSwitch& leaf = LeafOf(network, 0);
        const uint16_t rack = network.fabric->GetLocation(1).rack;
        network.fabric->SetLinkUp(SwitchLinks(leaf)[0], false);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(leaf.GetNextHops(rack).size(), 4, "as if nothing had failed");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Congestion, spray, failure and repair give the same arrivals under every kernel.
 */
class KernelEqualityTestCase : public TestCase
{
  public:
    KernelEqualityTestCase()
        : TestCase("equal arrivals under all kernels")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<ArrivalRecorder::Arrival> reference;
        for (const Kernel& kernel : GetKernels())
        {
            const KernelScope scope(kernel);
            const auto arrivals = Run();
            if (reference.empty())
            {
                reference = arrivals;
                NS_TEST_EXPECT_MSG_GT(reference.size(), 5000, "much arrives");
            }
            NS_TEST_EXPECT_MSG_EQ((arrivals == reference), true, kernel.name);
        }
    }

    /**
     * @brief Run.
     * @return all arrivals
     */
    std::vector<ArrivalRecorder::Arrival> Run()
    {
        TestNetwork network("fat-tree:K=4", ObjectFactory("ns3::SprayPathSelector"));
        network.fabric->SetQueueDiscFactory([](const FabricPort::Description&) {
            return CreateObjectWithAttributes<DropTailQueueDisc>("MaxSize", StringValue("30000B"));
        });
        network.Build();
        // All hosts at the same instants, so that ties are many; host 0 gets too much.
        for (uint32_t i = 0; i < 600; ++i)
        {
            for (uint32_t host = 1; host < 16; ++host)
            {
                network.SendAt(NanoSeconds(1200 * i), host, i % 4 == 0 ? 0 : (host + i) % 16);
            }
        }
        Simulator::Schedule(MicroSeconds(200), [&] { Topology::FailLinks(*network.fabric, 5, 3); });
        Simulator::Schedule(MicroSeconds(400), [&] {
            for (uint32_t link = 0; link < network.fabric->GetNLinks(); ++link)
            {
                network.fabric->SetLinkUp(link, true);
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(network.GetDrops(), 100, "host 0 gets too much");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size() + network.GetDrops() +
                                  network.GetLosses(),
                              network.sent,
                              "each item arrives, is dropped or is lost");
        return network.recorder.arrivals;
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of failures.
 */
class FailureTestSuite : public TestSuite
{
  public:
    FailureTestSuite()
        : TestSuite("failure", Type::UNIT)
    {
        AddTestCase(new LinkFailureTestCase(Time(0)));
        AddTestCase(new LinkFailureTestCase(MicroSeconds(600)));
        AddTestCase(new FlapTestCase);
        AddTestCase(new SwitchFailureTestCase);
        AddTestCase(new PartitionTestCase);
        AddTestCase(new RouteUpdateTestCase);
        AddTestCase(new KernelEqualityTestCase);
    }
};

static FailureTestSuite g_failureTestSuite; //!< registers the suite
