/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../schemes/test/scheme-test-network.h"
#include "bouncing-test.h"

#include "ns3/decapsulator.h"
#include "ns3/digit-reversal.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/packet-maker.h"
#include "ns3/queue-size.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr const char* PAPER_FAT_TREE =
    "fat-tree:K=4,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps,LinkDelay=5us";

} // namespace

/**
 * @ingroup drb-tests
 * @brief The outer header: where it is, what it costs, what becomes of ECN.
 */
class EncapsulationTestCase : public TestCase
{
  public:
    EncapsulationTestCase()
        : TestCase("encapsulation: bytes, times, ECN")
    {
    }

  private:
    void DoRun() override
    {
        CheckSizes("drb", 20);
        CheckSizes("drb:OuterHeader=0", 0);
        CheckSizes("rb:OuterHeader=40", 40);
        CheckWithinRack();
        CheckEcn(FabricItem::ECT0, FabricItem::CE);
        CheckEcn(FabricItem::ECT1, FabricItem::CE);
        CheckEcn(FabricItem::NOT_ECT, FabricItem::NOT_ECT);
        CheckOtherAddressee();
    }

    /**
     * @param scheme specification of the scheme
     * @param header bytes of the outer header
     */
    void CheckSizes(const std::string& scheme, uint16_t header)
    {
        BouncingTestNetwork network(scheme, PAPER_FAT_TREE);
        network.TapAll();
        network.Send(0, 15, BouncingTestNetwork::Data(0));
        Simulator::Run();
        for (const std::string role : {"host-edge", "edge-aggregation", "aggregation-core"})
        {
            NS_TEST_ASSERT_MSG_EQ(network.m_sizes[role].size(), 1, role);
            NS_TEST_EXPECT_MSG_EQ(network.m_sizes[role][0], 1500 + header, role);
        }
        for (const std::string role : {"core-aggregation", "aggregation-edge", "edge-host"})
        {
            NS_TEST_ASSERT_MSG_EQ(network.m_sizes[role].size(), 1, role);
            NS_TEST_EXPECT_MSG_EQ(network.m_sizes[role][0], 1500, role);
        }
        NS_TEST_ASSERT_MSG_EQ(network.m_arrivals.size(), 1, "arrived");
        const auto arrival = network.m_arrivals[0]; // more will come
        NS_TEST_EXPECT_MSG_EQ(arrival.size, 1500, "as it was sent");
        NS_TEST_EXPECT_MSG_EQ((arrival.route == nullptr), true, "as it was sent");
        NS_TEST_EXPECT_MSG_EQ(+arrival.hops, 5, "switches");
        NS_TEST_EXPECT_MSG_EQ(arrival.time, 6 * (12000 + 5000) + 3 * 8 * header, "ns, one way");
        network.Send(15, 0, BouncingTestNetwork::Bare(LeanTcpHeader::ACK));
        Simulator::Run();
        const int64_t there = arrival.time;
        NS_TEST_EXPECT_MSG_EQ(network.m_arrivals.at(1).time - there,
                              6 * (320 + 5000) + 3 * 8 * header,
                              "ns, back");
    }

    /// @brief Within a rack packets go directly, unless the user wants otherwise.
    void CheckWithinRack()
    {
        for (const bool bounce : {false, true})
        {
            const std::string flag = bounce ? "true" : "false";
            BouncingTestNetwork network("drb:WithinRack=" + flag, PAPER_FAT_TREE);
            network.Send(0, 1, BouncingTestNetwork::Data(0));
            network.Send(0, 2, BouncingTestNetwork::Data(0)); // another rack of the pod
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(network.m_arrivals.size(), 2, "arrived");
            NS_TEST_EXPECT_MSG_EQ(+network.m_arrivals[0].hops, (bounce ? 5 : 1), "in the rack");
            NS_TEST_EXPECT_MSG_EQ(+network.m_arrivals[1].hops, 5, "in the pod");
            NS_TEST_EXPECT_MSG_EQ(network.m_points.size(), (bounce ? 2 : 1), "bounced");
        }
    }

    /**
     * @brief A mark on the outer header reaches the receiver, if the packet can have one.
     * @param sent codepoint at the sender
     * @param expected codepoint at the receiver
     */
    void CheckEcn(FabricItem::Ecn sent, FabricItem::Ecn expected)
    {
        BouncingTestNetwork network("drb", PAPER_FAT_TREE);
        network.m_markedRole = "edge-aggregation"; // hop 1, where the outer header is outside
        network.TapAll();
        network.Send(0, 15, BouncingTestNetwork::Data(0), 1, sent);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.m_arrivals.at(0).ecn, expected, "codepoint");
    }

    /// @brief A packet with an outer header to another switch is left as it is.
    void CheckOtherAddressee()
    {
        BouncingTestNetwork network("drb", PAPER_FAT_TREE);
        const auto routes = DynamicCast<BouncingScheme>(network.m_scheme)->GetRoutes();
        FabricItem* item = FabricItem::Create();
        item->destination = 15;
        item->size = 1520;
        item->hops = 3;
        item->route = routes->GetUpRoute(0, 1);
        FabricSwitch& core = network.m_fabric->GetSwitch(routes->GetSwitch(0));
        Decapsulator decapsulator(core, *network.m_fabric, routes, 20);
        NS_TEST_EXPECT_MSG_EQ(decapsulator.Process(item), true, "to be forwarded");
        NS_TEST_EXPECT_MSG_EQ(item->size, 1520, "untouched");
        const uint16_t ports[] = {2, 0, 0};
        item->route = ports;
        NS_TEST_EXPECT_MSG_EQ(decapsulator.Process(item), true, "no outer header at all");
        NS_TEST_EXPECT_MSG_EQ((item->route == ports), true, "untouched");
        NS_TEST_EXPECT_MSG_EQ(decapsulator.GetDecapsulated(), 0, "none");
        item->Release();
    }
};

/**
 * @ingroup drb-tests
 * @brief Destinations of outer headers: the point's address on the way up, none on the way down.
 */
class OuterDestinationTestCase : public TestCase
{
  public:
    OuterDestinationTestCase()
        : TestCase("where outer headers lead")
    {
    }

  private:
    void DoRun() override
    {
        BouncingTestNetwork network("drb", PAPER_FAT_TREE);
        m_outer = DynamicCast<BouncingScheme>(network.m_scheme)->GetOuterDestination();
        const auto stage = CreateObject<DepartureStage>(
            [this](const FabricItem* item, const FabricPort& /* port */) {
                m_seen.push_back(m_outer(*item));
            });
        network.m_fabric->ForEachPort([stage](FabricPort& port) { port.AddStage(stage); });
        network.Send(0, 15, BouncingTestNetwork::Data(0));
        Simulator::Run();
        const auto up = BouncingRoutes::GetAddress(network.m_points.at({0, 15, 1})[0]);
        const std::vector<std::optional<Ipv4Address>> expected{up, up, up, {}, {}, {}};
        NS_TEST_EXPECT_MSG_EQ((m_seen == expected), true, "three links up, three down");
        m_seen.clear();
        network.Send(0, 1, BouncingTestNetwork::Data(0));
        Simulator::Run();
        const std::vector<std::optional<Ipv4Address>> direct{{}, {}};
        NS_TEST_EXPECT_MSG_EQ((m_seen == direct), true, "within the rack");

        const auto scheme = Scheme::Create("drb:OuterHeader=0");
        NS_TEST_EXPECT_MSG_EQ(!DynamicCast<BouncingScheme>(scheme)->GetOuterDestination(),
                              true,
                              "no outer header");
    }

    PacketMaker::OuterDestination m_outer;          //!< the scheme's answer for a packet
    std::vector<std::optional<Ipv4Address>> m_seen; //!< by link
};

/**
 * @ingroup drb-tests
 * @brief ECMP that draws a core per connection: each keeps to one, all of them are used, packets of
 * a pod go up to them, too, and none has an outer header.
 */
class EcmpCoreTestCase : public TestCase
{
  public:
    EcmpCoreTestCase()
        : TestCase("ECMP through the highest layer")
    {
    }

  private:
    void DoRun() override
    {
        CheckPackets();
        CheckSpread();
        CheckFailure();
    }

    void CheckPackets()
    {
        BouncingTestNetwork network("ecmp-core", PAPER_FAT_TREE);
        network.TapAll();
        for (uint64_t i = 0; i < 5; ++i)
        {
            network.Send(0, 2, BouncingTestNetwork::Data(i)); // another rack of the pod
        }
        network.Send(0, 1, BouncingTestNetwork::Data(0)); // the same rack
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.m_arrivals.size(), 6, "arrived");
        for (const auto& arrival : network.m_arrivals)
        {
            NS_TEST_EXPECT_MSG_EQ(+arrival.hops, (arrival.destination == 2 ? 5 : 1), "switches");
        }
        for (const uint16_t size : network.m_sizes["edge-aggregation"])
        {
            NS_TEST_EXPECT_MSG_EQ(size, 1500, "no outer header");
        }
        const auto& points = network.m_points.at({0, 2, 1});
        NS_TEST_EXPECT_MSG_EQ(points.size(), 5, "packets");
        NS_TEST_EXPECT_MSG_EQ(std::ranges::count(points, points[0]), 5, "one core");
        for (const auto& agent : network.m_fabric->GetHost(2).GetEdgeAgents())
        {
            NS_TEST_EXPECT_MSG_EQ(!DynamicCast<ResequencingBuffer>(agent), true, "nothing to mend");
        }
    }

    /// @brief Connections are spread uniformly: chi-square over four cores.
    void CheckSpread()
    {
        BouncingTestNetwork network("ecmp-core", PAPER_FAT_TREE);
        constexpr uint16_t CONNECTIONS = 4000;
        for (uint16_t port = 0; port < CONNECTIONS; ++port)
        {
            network.Send(0, 15, BouncingTestNetwork::Bare(LeanTcpHeader::SYN), port);
        }
        const auto& points = network.m_points.at({0, 15, 0});
        double chiSquare = 0;
        for (uint32_t core = 0; core < 4; ++core)
        {
            const double excess = std::ranges::count(points, core) - CONNECTIONS / 4.0;
            chiSquare += excess * excess / (CONNECTIONS / 4.0);
        }
        const double limit = quantile(complement(boost::math::chi_squared(3), 0.001));
        NS_TEST_EXPECT_MSG_LT(chiSquare, limit, "uniform");
        Simulator::Run();
    }

    /// @brief Connections leave a core that has failed, and no others do.
    void CheckFailure()
    {
        std::array<std::vector<uint32_t>, 2> points; // by connection, before and after
        BouncingTestNetwork network("ecmp-core:TopologyUpdate=AtOnce", PAPER_FAT_TREE);
        for (auto& each : points)
        {
            for (uint16_t port = 0; port < 50; ++port)
            {
                network.Send(0, 15, BouncingTestNetwork::Bare(LeanTcpHeader::SYN), port);
            }
            each.swap(network.m_points.at({0, 15, 0}));
            network.m_fabric->SetSwitchUp(network.GetRoutes().GetSwitch(1), false);
            Simulator::Stop(MicroSeconds(1));
            Simulator::Run();
        }
        for (std::size_t i = 0; i < points[0].size(); ++i)
        {
            const bool failed = points[0][i] == 1;
            NS_TEST_EXPECT_MSG_NE(points[1][i], 1, "not through the core that failed");
            NS_TEST_EXPECT_MSG_EQ((points[1][i] != points[0][i]), failed, "only if it has to");
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief One flow alone has the line rate, less the outer header of data and nothing else.
 */
class SingleFlowTestCase : public TestCase
{
  public:
    SingleFlowTestCase()
        : TestCase("a flow alone: line rate with a window of 64 KB")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& [header, wire] : {std::pair{"20", 1520}, std::pair{"0", 1500}})
        {
            SchemeTestNetwork network(std::string("drb:OuterHeader=") + header,
                                      PAPER_FAT_TREE,
                                      "lean:MaxWindow=65535,DelAckCount=1");
            network.m_transport->StartFlow({0, 15, 1'000'000'000, 0});
            network.Run(MilliSeconds(5), MilliSeconds(20));
            const double goodput = network.m_delivered.begin()->second * 8 / 0.02;
            NS_TEST_EXPECT_MSG_EQ_TOL(goodput, 1e9 * 1460 / wire, 2e6, "bit/s, " << wire);
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief State of a pair at a server: one turn for data and one for the rest, whatever the
 * connection.
 */
class PairStateTestCase : public TestCase
{
  public:
    PairStateTestCase()
        : TestCase("turns of server pairs")
    {
    }

  private:
    void DoRun() override
    {
        BouncingTestNetwork network("drb", PAPER_FAT_TREE);
        for (uint16_t i = 0; i < 12; ++i)
        {
            network.Send(0, 15, BouncingTestNetwork::Data(i), 1 + i % 2); // two connections in turn
            network.Send(0, 15, BouncingTestNetwork::Bare(LeanTcpHeader::ACK));
            network.Send(0, 8, BouncingTestNetwork::Data(i));
        }
        network.Send(0, 15, BouncingTestNetwork::Bare(LeanTcpHeader::SYN));
        NS_TEST_EXPECT_MSG_EQ(network.m_points.size(), 3, "pairs and kinds");
        CheckOrder(network.m_points.at({0, 15, 1}), 12);
        CheckOrder(network.m_points.at({0, 15, 0}), 13);
        CheckOrder(network.m_points.at({0, 8, 1}), 12);
        Simulator::Run();
        CheckStarts();
    }

    /**
     * @brief Points follow each other in digit-reversal order.
     * @param points the points
     * @param expected their number
     */
    void CheckOrder(const std::vector<uint32_t>& points, std::size_t expected)
    {
        NS_TEST_EXPECT_MSG_EQ(points.size(), expected, "packets");
        const uint32_t start = ReverseDigits(points[0], {2, 2});
        for (uint32_t i = 0; i < points.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(points[i], ReverseDigits((start + i) % 4, {2, 2}), i);
        }
    }

    /// @brief First points are uniform: chi-square over 144 bins, and data differ from the rest.
    void CheckStarts()
    {
        BouncingTestNetwork network("drb", "fat-tree:K=24,Pods=2");
        std::vector<double> bins(144);
        uint32_t same = 0;
        constexpr uint32_t PEERS = 36;
        const uint32_t hosts = network.m_fabric->GetNHosts();
        for (uint32_t source = 0; source < hosts; ++source)
        {
            for (uint32_t i = 0; i < PEERS; ++i)
            {
                const uint32_t destination = (source + hosts / 2 + i) % hosts;
                network.Send(source, destination, BouncingTestNetwork::Data(0));
                network.Send(source, destination, BouncingTestNetwork::Bare(LeanTcpHeader::ACK));
                const uint32_t data = network.m_points.at({source, destination, 1}).at(0);
                const uint32_t rest = network.m_points.at({source, destination, 0}).at(0);
                same += data == rest ? 1 : 0;
                ++bins[data];
                ++bins[rest];
            }
        }
        const double mean = 2.0 * hosts * PEERS / 144;
        double statistic = 0;
        for (const double bin : bins)
        {
            statistic += (bin - mean) * (bin - mean) / mean;
        }
        const boost::math::chi_squared distribution(143);
        NS_TEST_EXPECT_MSG_GT(boost::math::cdf(complement(distribution, statistic)), 0.001, "p");
        NS_TEST_EXPECT_MSG_EQ_TOL(same, mean / 2, 4 * std::sqrt(mean / 2), "independent");
    }
};

/**
 * @ingroup drb-tests
 * @brief Every packet of a permutation arrives exactly once and in order, and each pair's packets
 * are spread evenly over the points that it can use.
 */
class PermutationSpreadTestCase : public TestCase
{
  public:
    /**
     * @param scheme specification of the scheme
     * @param topology specification of the topology
     * @param isExact true if no point may have two packets more of a pair than another
     * @param failures failures at time 0, as for Timeline
     */
    PermutationSpreadTestCase(const std::string& scheme,
                              const std::string& topology,
                              bool isExact,
                              const std::string& failures = "")
        : TestCase("permutation of " + scheme + " over " + topology + " " + failures),
          m_scheme(scheme),
          m_topology(topology),
          m_isExact(isExact),
          m_failures(failures)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t PACKETS = 203; // no multiple of the number of points
        const uint64_t before = FabricItem::GetLiveCount();
        {
            BouncingTestNetwork network(m_scheme, m_topology);
            Timeline failures(*network.m_network, "failures", m_failures);
            failures.Start();
            Simulator::Run();
            const uint32_t hosts = network.m_fabric->GetNHosts();
            const auto send = [&](const LeanTcpHeader& header) {
                for (uint32_t host = 0; host < hosts; ++host)
                {
                    network.Send(host, (host + hosts / 2 + 1) % hosts, header);
                }
            };
            send(BouncingTestNetwork::Bare(LeanTcpHeader::SYN));
            Simulator::Run();
            network.m_arrivals.clear();
            for (uint64_t i = 0; i < PACKETS; ++i)
            {
                send(BouncingTestNetwork::Data(i));
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.m_arrivals.size(), hosts * PACKETS, "each exactly once");
            std::map<uint32_t, uint64_t> expected; // by source
            for (const auto& arrival : network.m_arrivals)
            {
                NS_TEST_EXPECT_MSG_EQ(arrival.sequence / 1460,
                                      expected[arrival.source]++,
                                      "in order");
                NS_TEST_EXPECT_MSG_EQ(arrival.destination,
                                      (arrival.source + hosts / 2 + 1) % hosts,
                                      "where it belongs");
            }
            CheckSpread(network);
            const auto report = network.GetReport();
            NS_TEST_EXPECT_MSG_EQ(report.at("resequencing_expired_gaps"),
                                  0,
                                  "nothing was given up");
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), before, "no packet is left");
    }

    /**
     * @brief Look at where each pair's packets bounced.
     * @param network the network
     */
    void CheckSpread(const BouncingTestNetwork& network)
    {
        for (const auto& [pair, visited] : network.m_points)
        {
            std::map<uint32_t, uint32_t> counts;
            for (uint32_t point = 0; point < network.GetRoutes().GetNPoints(); ++point)
            {
                if (network.IsUsable(pair[0], pair[1], point))
                {
                    counts[point] = 0;
                }
            }
            const std::size_t usable = counts.size();
            for (const uint32_t point : visited)
            {
                ++counts[point];
            }
            NS_TEST_EXPECT_MSG_EQ(counts.size(), usable, "points that can be used, and no others");
            const auto [least, most] = std::ranges::minmax(counts | std::views::values);
            NS_TEST_EXPECT_MSG_EQ((most - least <= 1 || !m_isExact), true, "spread of a pair");
        }
        NS_TEST_EXPECT_MSG_EQ(network.m_points.size(), 2 * network.m_fabric->GetNHosts(), "pairs");
    }

    std::string m_scheme;   //!< specification of the scheme
    std::string m_topology; //!< specification of the topology
    bool m_isExact;         //!< true if the spread is exact
    std::string m_failures; //!< failures at time 0
};

/**
 * @ingroup drb-tests
 * @brief TCP over the schemes: all delivered, nothing sent twice; digit reversal holds least back.
 */
class BouncingTcpTestCase : public TestCase
{
  public:
    BouncingTcpTestCase()
        : TestCase("TCP over bouncing, with and without re-sequencing")
    {
    }

  private:
    /// @brief Counts what is delivered.
    class Observer : public FlowObserver
    {
      public:
        void FlowDelivered(const FlowRecord& /* record */, uint32_t bytes) override
        {
            m_bytes += bytes;
        }

        void FlowFinished(const FlowRecord& /* record */) override
        {
            ++m_finished;
        }

        uint64_t m_bytes{0};    //!< of payload
        uint32_t m_finished{0}; //!< flows
    };

    /**
     * @brief Run a permutation of flows.
     * @param name name of the scheme
     * @param settings of it, beyond the transport's
     * @return results of the scheme, and "retransmissions"
     */
    std::map<std::string, double> Run(const std::string& name, const std::string& settings = "")
    {
        // The paper's window and a timeout that nothing but a loss can reach.
        const std::string scheme =
            name + ":Transport=\"lean:MaxWindow=65535,MinRto=200ms\"" + settings;
        constexpr uint64_t BYTES = 500'000;
        BouncingTestNetwork network(
            scheme,
            "fat-tree:K=8,Pods=2,HostRate=1Gbps,FabricRate=1Gbps,CoreRate=1Gbps");
        Observer observer;
        network.m_transport->AddObserver(&observer);
        const uint32_t hosts = network.m_fabric->GetNHosts();
        for (uint32_t host = 0; host < hosts; ++host)
        {
            network.m_transport->StartFlow({host, (host + hosts / 2 + 1) % hosts, BYTES, 0});
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(observer.m_finished, hosts, scheme);
        NS_TEST_EXPECT_MSG_EQ(observer.m_bytes, hosts * BYTES, scheme);
        auto report = network.GetReport();
        report["retransmissions"] =
            static_cast<double>(*network.m_transport->CountRetransmissions());
        return report;
    }

    void DoRun() override
    {
        auto drb = Run("drb");
        auto rrb = Run("rrb");
        auto rb = Run("rb");
        auto plain = Run("rb", ",ResequencingTimeout=0s");
        NS_TEST_EXPECT_MSG_EQ(drb["bouncing_points"], 16, "cores");
        NS_TEST_EXPECT_MSG_EQ(drb["table_tier1_entries"], 16 + 4, "edge switch");
        NS_TEST_EXPECT_MSG_EQ(drb["table_tier2_entries"], 4 + 4, "aggregation switch");
        NS_TEST_EXPECT_MSG_EQ(drb["table_tier3_entries"], 8, "core: racks");
        NS_TEST_EXPECT_MSG_EQ(drb["retransmissions"], 0, "order restored");
        NS_TEST_EXPECT_MSG_EQ(rrb["retransmissions"], 0, "order restored");
        NS_TEST_EXPECT_MSG_EQ(rb["retransmissions"], 0, "order restored");
        NS_TEST_EXPECT_MSG_GT(plain["retransmissions"], 0, "reordering is taken for loss");
        NS_TEST_EXPECT_MSG_EQ(plain.count("resequencing_held_share"), 0, "no buffer, no report");
        NS_TEST_EXPECT_MSG_LT(drb["resequencing_held_share"],
                              0.5 * rb["resequencing_held_share"],
                              "digit reversal reorders less than random bouncing");
    }
};

/**
 * @ingroup drb-tests
 * @brief Parts that schemes install: buffers' times, marking thresholds, nothing at all without a
 * choice.
 */
class BouncingSchemeTestCase : public TestCase
{
  public:
    BouncingSchemeTestCase()
        : TestCase("what the schemes install")
    {
    }

  private:
    void DoRun() override
    {
        CheckTimeout("drb", MilliSeconds(10));
        CheckTimeout("rb:ResequencingTimeout=3ms", MilliSeconds(3));
        CheckTimeout("rrb:ResequencingTimeout=0s", Time(0));
        CheckTimeout("drb:ResequencingTimeout=0s", Time(0));

        BouncingTestNetwork marking("drb:MarkThreshold=262144ns,HostQueue=drop-tail",
                                    "vl2:FabricRate=5Gbps");
        marking.m_fabric->ForEachPort([this](FabricPort& port) {
            QueueSizeValue threshold;
            const auto& description = port.GetDescription();
            const bool marks = port.GetQueueDisc().GetAttributeFailSafe("MarkThreshold", threshold);
            NS_TEST_EXPECT_MSG_EQ(marks, (description.tier > 0), description.name);
            if (marks)
            {
                const uint32_t bytes = description.peerTier == 0 ? 32768 : 163840;
                NS_TEST_EXPECT_MSG_EQ(threshold.Get().GetValue(), bytes, description.name);
            }
        });

        for (const std::string topology : {"dumbbell:Left=2,Right=2", "single-switch:Hosts=4"})
        {
            BouncingTestNetwork network("drb", topology);
            network.Send(0, 3, BouncingTestNetwork::Data(0));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.m_arrivals.size(), 1, "goes directly");
            NS_TEST_EXPECT_MSG_EQ(network.m_arrivals.at(0).size, 1500, "without an outer header");
            NS_TEST_EXPECT_MSG_EQ(network.GetReport().at("bouncing_points"), 0, topology);
        }
    }

    /**
     * @brief Check the time for which hosts wait for data that is late.
     * @param scheme specification of the scheme
     * @param expected the time; 0: there is no buffer
     */
    void CheckTimeout(const std::string& scheme, Time expected)
    {
        BouncingTestNetwork network(scheme, PAPER_FAT_TREE);
        TimeValue timeout(Time(0));
        for (const auto& agent : network.m_fabric->GetHost(3).GetEdgeAgents())
        {
            if (DynamicCast<ResequencingBuffer>(agent))
            {
                agent->GetAttribute("Timeout", timeout);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(timeout.Get(), expected, scheme);
    }
};

/**
 * @ingroup drb-tests
 * @brief Test suite of bouncing packets.
 */
class BouncingTestSuite : public TestSuite
{
  public:
    BouncingTestSuite()
        : TestSuite("bouncing", Type::UNIT)
    {
        AddTestCase(new EncapsulationTestCase, Duration::QUICK);
        AddTestCase(new OuterDestinationTestCase, Duration::QUICK);
        AddTestCase(new EcmpCoreTestCase, Duration::QUICK);
        AddTestCase(new SingleFlowTestCase, Duration::QUICK);
        AddTestCase(new PairStateTestCase, Duration::QUICK);
        for (const std::string topology : {"fat-tree:K=4",
                                           "fat-tree:K=8,Pods=2",
                                           "vl2:FabricRate=2Gbps",
                                           "vl2:D0=4,D1=8,D2=8,FabricRate=2Gbps",
                                           "leaf-spine:Leaves=3,HostsPerLeaf=4,Spines=3"})
        {
            AddTestCase(new PermutationSpreadTestCase("drb", topology, true), Duration::QUICK);
            AddTestCase(new PermutationSpreadTestCase("rrb", topology, true), Duration::QUICK);
            AddTestCase(new PermutationSpreadTestCase("rb", topology, false), Duration::QUICK);
        }
        for (const std::string scheme : {"drb", "rrb", "rb"})
        {
            const auto add = [this, &scheme](const std::string& topology,
                                             const std::string& failures) {
                AddTestCase(
                    new PermutationSpreadTestCase(scheme, topology, scheme != "rb", failures),
                    Duration::QUICK);
            };
            add("fat-tree:K=4", "0s fail-switch core2");
            add("fat-tree:K=6", "0s fail-switch core0; 0s fail-switch core1");
            add("fat-tree:K=8,Pods=2",
                "0s fail-link edge3:aggregation2; 0s fail-link aggregation5:core7");
            add("vl2:D0=4,D1=8,D2=8,FabricRate=2Gbps",
                "0s fail-switch aggregation3; 0s fail-switch spine1");
        }
        AddTestCase(new BouncingTcpTestCase, Duration::QUICK);
        AddTestCase(new BouncingSchemeTestCase, Duration::QUICK);
    }
};

/// @ingroup drb-tests
/// Static variable for test initialization.
static BouncingTestSuite g_bouncingTestSuite;
