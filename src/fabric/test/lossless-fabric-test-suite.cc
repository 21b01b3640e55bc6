/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../kernel/test/kernel-scope.h"
#include "lossless-test.h"

#include "ns3/adaptive-path-selector.h"
#include "ns3/flow-control-deadlock.h"
#include "ns3/input-error.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Every packet that waits at all makes the switch send a pause.
constexpr const char* TINY = "priority:Buffer=5814B,MaxPacket=1500";

constexpr const char* LINKS = "HostRate=1Gbps,FabricRate=1Gbps,LinkDelay=5us";
const std::string FAT_TREE = "fat-tree:CoreRate=1Gbps," + std::string(LINKS);

/**
 * @brief Each input kept within its buffer.
 * @param network has run
 * @return true if so
 */
bool
AllWithinBuffers(const LosslessNetwork& network)
{
    bool within = true;
    network.flowControl->ForEachPort([&](const FabricPort& port, const FlowControlledPort& input) {
        within = within && (port.GetDescription().tier == 0 ||
                            input.GetPeakBytes() <= input.GetThresholds().buffer);
    });
    return within;
}

} // namespace

/**
 * @ingroup fabric-tests
 * @brief All hosts send to one at once: nothing is lost, with any discipline.
 */
class LosslessIncastTestCase : public TestCase
{
  public:
    LosslessIncastTestCase()
        : TestCase("incast without a drop")
    {
    }

  private:
    void DoRun() override
    {
        const std::string leafSpine =
            "leaf-spine:Leaves=3,HostsPerLeaf=11,Spines=2," + std::string(LINKS);
        for (const std::string queue :
             {"drop-tail", "strict-priority", "drr", "drr:Classify=Priority,Queues=4"})
        {
            Check(leafSpine, TINY, queue, 100);
        }
        Check(leafSpine, "priority:Buffer=131072B", "drop-tail", 200);
        Check(leafSpine, "priority", "step-mark", 100);
        Check(FAT_TREE + ",K=8", TINY, "drop-tail", 20);
    }

    /**
     * @param topology specification of the topology
     * @param control specification of the flow control
     * @param queue specification of the disciplines
     * @param packets that each host sends, to host 0
     */
    void Check(const std::string& topology,
               const std::string& control,
               const std::string& queue,
               uint32_t packets)
    {
        const uint64_t live = FabricItem::GetLiveCount();
        {
            LosslessNetwork network(topology, control, queue);
            network.Build();
            for (uint32_t i = 0; i < packets; ++i)
            {
                for (uint32_t host = 1; host < network.fabric->GetNHosts(); ++host)
                {
                    network.Send(host, 0, 1500, 0, nullptr, static_cast<uint8_t>(i % 3));
                }
            }
            Simulator::Run();
            const std::string what = topology + " " + control + " " + queue;
            NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 0, "drops: " << what);
            NS_TEST_EXPECT_MSG_EQ(network.AllArrivedOnce(), true, "each arrives once: " << what);
            NS_TEST_EXPECT_MSG_EQ(AllWithinBuffers(network), true, "buffers: " << what);
            NS_TEST_EXPECT_MSG_EQ(network.IsAnythingLeft(), false, "at rest: " << what);
            NS_TEST_EXPECT_MSG_GT(network.flowControl->GetPauses(), 10, "pauses: " << what);
            // The receiver's link is hardly ever idle, and never with a buffer that is large
            // enough.
            const auto& arrivals = network.recorder.arrivals;
            const auto least = static_cast<int64_t>(12000 * (network.sent - 1));
            const int64_t idle = arrivals.back().arrived - arrivals.front().arrived - least;
            const int64_t tolerance = control == TINY ? least / 1000 : 0;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(idle, tolerance, "ns idle: " << what);
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "each item is given back");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Without flow control the same incast loses packets (or the test above would show nothing),
 * and a simulation that ends in the middle gives all items back.
 */
class LossyIncastTestCase : public TestCase
{
  public:
    LossyIncastTestCase()
        : TestCase("incast with drops, and one that is cut short")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        for (const std::string control : {"", TINY})
        {
            LosslessNetwork network("single-switch:Hosts=33," + std::string(LINKS).substr(0, 14),
                                    control,
                                    control.empty() ? "drop-tail:MaxSize=128kB" : "drop-tail");
            network.Build();
            for (uint32_t i = 0; i < 100; ++i)
            {
                for (uint32_t host = 1; host < 33; ++host)
                {
                    network.SendAt(MicroSeconds(12 * i), host, 0);
                }
            }
            Simulator::Stop(MilliSeconds(control.empty() ? 100 : 2));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ((network.GetDrops() > 0), control.empty(), "drops");
            NS_TEST_EXPECT_MSG_LT(network.recorder.arrivals.size(), 3200, "some did not arrive");
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "each item is given back");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Paths that go up and then down cannot wait for each other in a circle: whatever is sent
 * arrives, however small the buffers.
 */
class NoDeadlockTestCase : public TestCase
{
  public:
    NoDeadlockTestCase()
        : TestCase("no deadlock in a fat-tree")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string selector : {"FlowHash", "Spray", "Adaptive"})
        {
            for (const uint32_t k : {4, 8})
            {
                Check(k, selector);
            }
        }
    }

    /**
     * @param k ports per switch
     * @param selector name of the path selector
     */
    void Check(uint32_t k, const std::string& selector)
    {
        LosslessNetwork network(FAT_TREE + ",K=" + std::to_string(k), TINY);
        network.fabric->SetPathSelector(ObjectFactory("ns3::" + selector + "PathSelector"));
        network.Build();
        const uint32_t hosts = network.fabric->GetNHosts();
        for (uint32_t host = 0; host < hosts; ++host)
        {
            for (uint32_t i = 0; i < 40; ++i) // a permutation
            {
                network.Send(host, (host + hosts / 2 + 1) % hosts, 1500, 1);
            }
            for (uint32_t i = 1; i < hosts; ++i) // all to all
            {
                network.Send(host, (host + i) % hosts, 1500, 2);
            }
            for (uint32_t i = 0; i < 10 && host % 4 > 0; ++i) // incasts
            {
                network.Send(host, host % 4, 700, 3);
            }
        }
        const std::string what = selector + " " + std::to_string(k);
        // While ports are paused, none of them is for good.
        for (int step = 1; step <= 20; ++step)
        {
            Simulator::Schedule(MicroSeconds(100) * step, [&] {
                const auto deadlock = FindFlowControlDeadlock(*network.flowControl);
                NS_TEST_EXPECT_MSG_EQ(deadlock.cycle.empty(), true, "not on the way: " << what);
            });
        }
        // The watchdog: a deadlock leaves no event, so Run() would come back with packets waiting.
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.GetWaiting(), 0, "packets in a deadlock: " << what);
        NS_TEST_EXPECT_MSG_EQ(network.AllArrivedOnce(), true, "each arrives once: " << what);
        NS_TEST_EXPECT_MSG_EQ(AllWithinBuffers(network), true, "buffers: " << what);
        NS_TEST_EXPECT_MSG_EQ(network.IsAnythingLeft(), false, "at rest: " << what);
        NS_TEST_EXPECT_MSG_GT(network.flowControl->GetPauses(), 100, "pauses: " << what);
    }
};

/**
 * @ingroup fabric-tests
 * @brief Three switches in a ring, all traffic one way round over two links: buffers wait for each
 * other in a circle, and the watchdog of NoDeadlockTestCase sees it.
 */
class CyclicDependencyTestCase : public TestCase
{
  public:
    CyclicDependencyTestCase()
        : TestCase("a cyclic buffer dependency deadlocks, and that is seen")
    {
    }

  private:
    void DoRun() override
    {
        CheckRing(2, true);
        CheckRing(1, false); // each packet leaves the ring after one link
    }

    /**
     * @param links that each packet takes round the ring
     * @param deadlock true if that is a deadlock
     */
    void CheckRing(uint32_t links, bool deadlock)
    {
        constexpr uint32_t SWITCHES = 3;
        LosslessNetwork network(
            [](Fabric& fabric) {
                fabric.SetTierNames({"host", "switch"});
                std::vector<Fabric::End> ends;
                for (uint32_t i = 0; i < SWITCHES; ++i)
                {
                    ends.push_back(fabric.AddSwitch(1));
                    fabric.Connect(fabric.AddHost(), ends[i], DataRate("2Gbps"), MicroSeconds(5));
                }
                for (uint32_t i = 0; i < SWITCHES; ++i)
                {
                    fabric.Connect(ends[i],
                                   ends[(i + 1) % SWITCHES],
                                   DataRate("1Gbps"),
                                   MicroSeconds(5));
                }
            },
            "priority:MaxPacket=1500");
        network.Build();
        std::array<std::vector<uint16_t>, SWITCHES> routes; // by source
        for (uint32_t source = 0; source < SWITCHES; ++source)
        {
            routes[source].push_back(static_cast<uint16_t>(links + 1));
            for (uint32_t hop = 0; hop < links; ++hop)
            {
                routes[source].push_back(GetNextPort(network, (source + hop) % SWITCHES));
            }
            routes[source].push_back(0); // to the host
        }
        for (uint32_t i = 0; i < 200; ++i)
        {
            for (uint32_t source = 0; source < SWITCHES; ++source)
            {
                const uint32_t destination = (source + links) % SWITCHES;
                network.Send(source, destination, 1500, 0, routes[source].data());
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((network.GetWaiting() > 0), deadlock, "packets wait for ever");
        NS_TEST_EXPECT_MSG_EQ(network.AllArrivedOnce(), (!deadlock), "all arrive");
        NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 0, "drops");
        NS_TEST_EXPECT_MSG_EQ(AllWithinBuffers(network), true, "buffers");
        const auto found = FindFlowControlDeadlock(*network.flowControl);
        NS_TEST_EXPECT_MSG_EQ(found.cycle.size(), (deadlock ? SWITCHES : 0), "found");
        NS_TEST_EXPECT_MSG_EQ(found.waiting, (deadlock ? SWITCHES : 0), "and the hosts wait");
        for (std::size_t i = 0; i < found.cycle.size(); ++i)
        {
            const auto& next = found.cycle[(i + 1) % SWITCHES]->GetDescription().node;
            NS_TEST_EXPECT_MSG_EQ(found.cycle[i]->GetDescription().peer, next, "in order");
        }
        for (uint32_t i = 0; i < SWITCHES; ++i)
        {
            FabricPort& next = network.fabric->GetSwitch(i).GetPort(GetNextPort(network, i));
            const bool paused = next.GetFlowControl()->GetPaused() != 0;
            NS_TEST_EXPECT_MSG_EQ(paused, deadlock, "the circle");
        }
    }

    /**
     * @param network the ring
     * @param index number of a switch
     * @return the port to the next switch
     */
    static uint16_t GetNextPort(const LosslessNetwork& network, uint32_t index)
    {
        FabricSwitch& node = network.fabric->GetSwitch(index);
        FabricSwitch& next = network.fabric->GetSwitch((index + 1) % 3);
        uint16_t port = 1;
        while (node.GetPort(port).GetDescription().peer != &next)
        {
            ++port;
        }
        return port;
    }
};

/**
 * @ingroup fabric-tests
 * @brief Links fail and come back all the time under load: in the end nothing is stuck, and every
 * packet is accounted for, under all kernels in the same way.
 */
class LosslessFailuresTestCase : public TestCase
{
  public:
    LosslessFailuresTestCase()
        : TestCase("failures in a fat-tree with pauses, under all kernels")
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
            reference = reference.empty() ? arrivals : reference;
            NS_TEST_EXPECT_MSG_EQ((arrivals == reference), true, kernel.name);
        }
        NS_TEST_EXPECT_MSG_GT(reference.size(), 3000, "much arrives");
    }

    /// @return all arrivals
    std::vector<ArrivalRecorder::Arrival> Run()
    {
        LosslessNetwork network(FAT_TREE + ",K=4", TINY, "strict-priority");
        network.fabric->SetPathSelector(ObjectFactory("ns3::SprayPathSelector"));
        network.Build();
        for (uint32_t i = 0; i < 600; ++i)
        {
            for (uint32_t host = 1; host < 16; ++host)
            {
                network.Send(host,
                             i % 4 == 0 ? 0 : (host + i) % 16,
                             1500,
                             0,
                             nullptr,
                             static_cast<uint8_t>(i % 2));
            }
        }
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        const uint32_t links = network.fabric->GetNLinks();
        for (uint32_t i = 0; i < 60; ++i)
        {
            const uint32_t link = random->GetInteger(0, links - 1);
            const int64_t time = random->GetInteger(0, 8'000'000);
            const int64_t length = random->GetInteger(0, i % 2 ? 20'000 : 1'000'000);
            const auto set = [&network, link](bool up) { network.fabric->SetLinkUp(link, up); };
            Simulator::Schedule(NanoSeconds(time), [set] { set(false); });
            Simulator::Schedule(NanoSeconds(time + length), [set] { set(true); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.GetWaiting(), 0, "nothing waits");
        NS_TEST_EXPECT_MSG_EQ(network.IsAnythingLeft(), false, "at rest");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals.size() + network.GetDrops() +
                                  network.GetLosses(),
                              network.sent,
                              "each item arrives, is dropped or is lost");
        NS_TEST_EXPECT_MSG_GT(network.GetDrops() + network.GetLosses(), 0, "links failed");
        NS_TEST_EXPECT_MSG_EQ(network.flowControl->GetOverflows(), 0, "headroom");
        NS_TEST_EXPECT_MSG_EQ(AllWithinBuffers(network), true, "buffers");
        return network.recorder.arrivals;
    }
};

/**
 * @ingroup fabric-tests
 * @brief The adaptive choice: uniform among short queues, else among medium ones, else among all.
 */
class AdaptiveChoiceTestCase : public TestCase
{
  public:
    AdaptiveChoiceTestCase()
        : TestCase("adaptive choice of paths")
    {
    }

  private:
    void DoRun() override
    {
        // Bytes that wait at each of four ports, and which of them are chosen, equally often.
        Check({0, 0, 0, 0}, {0, 1, 2, 3});
        Check({0, 16383, 0, 16384}, {0, 1, 2});
        Check({20000, 16384, 65535, 1}, {3});
        Check({20000, 16384, 65535, 65536}, {0, 1, 2});
        Check({70000, 65536, 65535, 80000}, {2});
        Check({70000, 65536, 90000, 80000}, {0, 1, 2, 3});
        std::string error;
        try
        {
            LosslessNetwork network("leaf-spine:Spines=2", "");
            network.fabric->SetPathSelector(ObjectFactory("ns3::AdaptivePathSelector",
                                                          "LongQueue",
                                                          QueueLimitValue(QueueLimit("16383B"))));
            network.Build();
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_NE(error.find("LongQueue"), std::string::npos, error);
    }

    /**
     * @param lengths bytes waiting at the ports to the spines
     * @param expected the ports that are chosen
     */
    void Check(const std::vector<uint32_t>& lengths, const std::vector<uint32_t>& expected)
    {
        LosslessNetwork network("leaf-spine:Leaves=2,HostsPerLeaf=1,Spines=4", "");
        network.fabric->SetPathSelector(ObjectFactory("ns3::AdaptivePathSelector"));
        network.Build();
        FabricSwitch& leaf = *static_cast<FabricSwitch*>(
            network.fabric->GetHost(0).GetNicPort().GetDescription().peer);
        FabricItem* item = FabricItem::Create();
        const uint32_t group = 1; // 0 is the empty set
        for (uint32_t choice = 0; choice < 4; ++choice)
        {
            FabricPort& port = leaf.GetChoice(group, choice);
            Fill(port, lengths[choice]);
            NS_TEST_EXPECT_MSG_EQ(port.GetWaitingBytes(), lengths[choice], "bytes");
        }
        std::array<double, 4> counts{};
        for (int i = 0; i < 4000; ++i)
        {
            counts.at(leaf.GetPathSelector()->Choose(*item, group, 4)) += 1;
        }
        item->Release();
        for (uint32_t choice = 0; choice < 4; ++choice)
        {
            const bool eligible =
                std::find(expected.begin(), expected.end(), choice) != expected.end();
            const double share = eligible ? 4000.0 / expected.size() : 0;
            // Four standard deviations of a binomial distribution, at most.
            NS_TEST_EXPECT_MSG_EQ_TOL(counts[choice], share, (eligible ? 130 : 0), choice);
        }
    }

    /**
     * @brief Let packets wait at a port, behind one that is being transmitted.
     * @param port the port
     * @param bytes bytes of the packets
     */
    static void Fill(FabricPort& port, uint32_t bytes)
    {
        constexpr uint32_t LARGEST = 60000;
        for (uint32_t left = bytes > 0 ? LARGEST + bytes : 0; left > 0;)
        {
            FabricItem* item = FabricItem::Create();
            item->size = static_cast<uint16_t>(std::min(left, LARGEST));
            left -= item->size;
            port.Send(item);
        }
    }
};

/**
 * @ingroup fabric-tests
 * @brief The time that a switch takes to forward.
 */
class ForwardingDelayTestCase : public TestCase
{
  public:
    ForwardingDelayTestCase()
        : TestCase("forwarding delay")
    {
    }

  private:
    void DoRun() override
    {
        LosslessNetwork network(FAT_TREE + ",K=4", "priority");
        network.fabric->SetAttribute("ForwardingDelay", TimeValue(MicroSeconds(25)));
        network.Build();
        network.Send(0, 15);
        network.Send(0, 1);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.recorder.arrivals.size(), 2, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals[0].arrived, 12000 * 3 + 10000 + 25000, "1");
        NS_TEST_EXPECT_MSG_EQ(network.recorder.arrivals[1].arrived, 6 * 17000 + 5 * 25000, "5");
    }
};

/**
 * @ingroup fabric-tests
 * @brief Tests of whole networks under priority flow control.
 */
class LosslessFabricTestSuite : public TestSuite
{
  public:
    LosslessFabricTestSuite()
        : TestSuite("lossless-fabric", Type::UNIT)
    {
        AddTestCase(new LosslessIncastTestCase);
        AddTestCase(new LossyIncastTestCase);
        AddTestCase(new NoDeadlockTestCase);
        AddTestCase(new CyclicDependencyTestCase);
        AddTestCase(new LosslessFailuresTestCase);
        AddTestCase(new AdaptiveChoiceTestCase);
        AddTestCase(new ForwardingDelayTestCase);
    }
};

static LosslessFabricTestSuite g_losslessFabricTestSuite; //!< registers the suite
