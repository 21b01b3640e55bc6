/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bouncing-test.h"

#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @ingroup drb-tests
 * @brief Notes which ports packets leave by, and when.
 */
class DepartureTap
{
  public:
    /// @brief A packet's first bit goes out.
    struct Departure
    {
        uint32_t source;        //!< of the packet
        uint32_t destination;   //!< of the packet
        int64_t time;           //!< in time steps
        uint16_t size;          //!< bytes
        const FabricPort* port; //!< the port that it left by
    };

    /**
     * @param fabric all of whose ports are tapped
     */
    explicit DepartureTap(const Fabric& fabric)
    {
        const auto note = [this](const FabricItem* item, const FabricPort& port) {
            m_departures.push_back(
                {item->source, item->destination, DirectEvent::Now(), item->size, &port});
        };
        const auto stage = CreateObject<DepartureStage>(note);
        fabric.ForEachPort([stage](FabricPort& port) { port.AddStage(stage); });
    }

    std::vector<Departure> m_departures; //!< in order
};

} // namespace

/**
 * @ingroup drb-tests
 * @brief Packets of all pairs of pods pass the core that their server chose.
 */
class StaticRoutingTestCase : public TestCase
{
  public:
    StaticRoutingTestCase()
        : TestCase("four cores, each once: all pairs of servers in different pods")
    {
    }

  private:
    void DoRun() override
    {
        BouncingTestNetwork network("drb", "fat-tree:K=4");
        const Fabric& fabric = *network.m_fabric;
        CheckExample(network.GetRoutes());
        DepartureTap tap(fabric);
        uint32_t pairs = 0;
        for (uint32_t source = 0; source < 16; ++source)
        {
            for (uint32_t destination = 0; destination < 16; ++destination)
            {
                pairs += source / 4 != destination / 4 ? 1 : 0;
                for (uint32_t i = 0; i < 4 && source / 4 != destination / 4; ++i)
                {
                    network.Send(source, destination, BouncingTestNetwork::Data(i));
                    Simulator::Run(); // one at a time, so that departures are in order
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(pairs, 16 * 12, "ordered pairs");
        NS_TEST_EXPECT_MSG_EQ(network.m_arrivals.size(), pairs * 4, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(tap.m_departures.size(), pairs * 4 * 6, "over six links each");
        std::map<BouncingTestNetwork::Pair, std::vector<uint32_t>> passed;
        for (const auto& departure : tap.m_departures)
        {
            const FabricPort::Description& port = departure.port->GetDescription();
            for (uint32_t core = 0; core < 4; ++core)
            {
                if (port.node == &fabric.GetSwitch(network.GetRoutes().GetSwitch(core)))
                {
                    passed[{departure.source, departure.destination, 1}].push_back(core);
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ((passed == network.m_points), true, "by way of the chosen cores");
        for (const auto& [pair, cores] : passed)
        {
            const std::set<uint32_t> different(cores.begin(), cores.end());
            NS_TEST_EXPECT_MSG_EQ(different.size(), 4, "each core once");
        }
    }

    /**
     * @brief The ports that the paper names (Section 4.1): switch 1.0 reaches 3.0 and 3.1 by its
     * first up-link and 3.2 and 3.3 by its second; 3.0 reaches pod p by port p.
     * @param routes the tables of a fat-tree with 4 ports
     */
    void CheckExample(const BouncingRoutes& routes)
    {
        for (uint32_t core = 0; core < 4; ++core)
        {
            NS_TEST_EXPECT_MSG_EQ(routes.GetUpRoute(0, core)[1] - 2U,
                                  core / 2,
                                  "behind two servers");
        }
        for (uint16_t rack = 0; rack < 8; ++rack)
        {
            NS_TEST_EXPECT_MSG_EQ(routes.GetDownPort(0, rack),
                                  rack / 2,
                                  "servers of rack " << rack);
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief Time that a packet is in an idle network, from the first switch to the last.
 */
class NetworkLatencyTestCase : public TestCase
{
  public:
    NetworkLatencyTestCase()
        : TestCase("first switch to last switch without load")
    {
    }

  private:
    void DoRun() override
    {
        Check("fat-tree:K=4,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps,LinkDelay=5us",
              5 * 12'000 + 4 * 5'000);
        Check("vl2:FabricRate=5Gbps", 4 * 2'400 + 12'000 + 4 * 5'000);
    }

    /**
     * @param topology links of 5 us
     * @param expected ns from the last bit's arrival at the first switch to its departure from the
     *        last one
     */
    void Check(const std::string& topology, int64_t expected)
    {
        BouncingTestNetwork network("drb:OuterHeader=0", topology);
        DepartureTap tap(*network.m_fabric);
        network.Send(0, network.m_fabric->GetNHosts() - 1, BouncingTestNetwork::Data(0));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(tap.m_departures.size(), 6, topology);
        const auto end = [](const DepartureTap::Departure& departure) {
            return departure.time + departure.port->GetTransmissionSteps(departure.size);
        };
        const int64_t first = end(tap.m_departures.front()) + MicroSeconds(5).GetTimeStep();
        NS_TEST_EXPECT_MSG_EQ(end(tap.m_departures.back()) - first,
                              NanoSeconds(expected).GetTimeStep(),
                              topology);
    }
};

/**
 * @ingroup drb-tests
 * @brief A switch port with the paper's buffer and threshold: who waits, who is marked.
 */
class PortTestCase : public TestCase
{
  public:
    PortTestCase()
        : TestCase("128 KB of buffer, marks from 32 KB on")
    {
    }

  private:
    void DoRun() override
    {
        Check("drb:EdgeBuffer=131072B,MarkThreshold=262144ns", FabricItem::ECT0, 22);
        Check("drb:EdgeBuffer=131072B,MarkThreshold=262144ns", FabricItem::NOT_ECT, 87);
        Check("drb:EdgeBuffer=131072B", FabricItem::ECT0, 87);
    }

    /**
     * @brief 100 packets of 1500 bytes come to a busy port.
     * @param scheme specification of the scheme
     * @param ecn codepoint of the packets
     * @param expected packets that wait without a mark, the first ones
     */
    void Check(const std::string& scheme, FabricItem::Ecn ecn, uint32_t expected)
    {
        BouncingTestNetwork network(scheme,
                                    "fat-tree:K=4,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps");
        FabricQueueDisc& queue = network.m_fabric->GetSwitch(network.GetRoutes().GetRackSwitch(0))
                                     .GetPort(0)
                                     .GetQueueDisc();
        uint32_t waiting = 0;
        for (uint32_t i = 0; i < 100; ++i)
        {
            FabricItem* item = FabricItem::Create();
            item->size = 1500;
            item->SetEcn(ecn);
            waiting += queue.EnqueueItem(item) ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(waiting, 131072 / 1500, scheme);
        for (uint32_t i = 0; i < waiting; ++i)
        {
            FabricItem* item = queue.DequeueItem();
            NS_TEST_EXPECT_MSG_EQ((item->GetEcn() == FabricItem::CE), (i >= expected), i);
            item->Release();
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief Test suite of packets on their way.
 */
class BouncingForwardingTestSuite : public TestSuite
{
  public:
    BouncingForwardingTestSuite()
        : TestSuite("bouncing-forwarding", Type::UNIT)
    {
        AddTestCase(new StaticRoutingTestCase, Duration::QUICK);
        AddTestCase(new NetworkLatencyTestCase, Duration::QUICK);
        AddTestCase(new PortTestCase, Duration::QUICK);
    }
};

/// @ingroup drb-tests
/// Static variable for test initialization.
static BouncingForwardingTestSuite g_bouncingForwardingTestSuite;
