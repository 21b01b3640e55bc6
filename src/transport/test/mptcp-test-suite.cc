/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-test.h"

#include "ns3/input-error.h"
#include "ns3/mptcp-transport.h"
#include "ns3/object-spec.h"
#include "ns3/random-variable-stream.h"
#include "ns3/tcp-lia.h"
#include "ns3/tcp-ops-compatibility.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

using namespace ns3;

namespace
{

/// @ingroup transport-tests
/// @brief Names and values of attributes.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/**
 * @ingroup transport-tests
 * @param attributes names and values
 * @return the transport
 */
Ptr<MptcpTransport>
CreateMptcp(const Attributes& attributes)
{
    auto transport = CreateObject<MptcpTransport>();
    for (const auto& [name, value] : attributes)
    {
        transport->SetAttribute(name, StringValue(value));
    }
    return transport;
}

// ---- Linked increases ----

/**
 * @ingroup transport-tests
 * @brief alpha against RFC 6356, section 3, computed by hand.
 */
class LiaAlphaTestCase : public TestCase
{
  public:
    LiaAlphaTestCase()
        : TestCase("linked increases: alpha")
    {
    }

  private:
    /// @brief A subflow's window in segments and RTT in seconds.
    using Subflow = std::pair<uint32_t, double>;

    void Check(const std::vector<Subflow>& subflows, double alpha, double segments)
    {
        LiaCoupling coupling;
        for (const auto& [window, rtt] : subflows)
        {
            coupling.Update(coupling.Join(), window, rtt);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(coupling.GetAlpha(), alpha, 1e-6 * alpha, "alpha");
        NS_TEST_EXPECT_MSG_EQ_TOL(coupling.GetCoupledSegments(), segments, 1e-6 * segments, "w/a");
    }

    void DoRun() override
    {
        Check({{10, 0.1}}, 1, 10); // one subflow is Reno
        // 20 * 1000 / (100 + 100)^2
        Check({{10, 0.1}, {10, 0.1}}, 0.5, 40);
        // 30 * max(1000, 500) / (100 + 100)^2
        Check({{10, 0.1}, {20, 0.2}}, 0.75, 40);
        // 20 * max(1e5, 10) / (1000 + 10)^2: the fast path takes its own RTT's share, and more
        Check({{10, 0.01}, {10, 1}}, 2e6 / 1020100, 10.201);
        // 32 equal subflows are 1/32 as aggressive as a TCP with the sum of their windows
        Check(std::vector<Subflow>(32, {4, 0.002}), 1.0 / 32, 4 * 32 * 32);
        Check({{10, 0.1}, {7, 0}}, 1, 10); // without an RTT a subflow does not count
        NS_TEST_EXPECT_MSG_EQ(LiaCoupling().GetAlpha(), 1, "nobody there");
    }
};

/**
 * @ingroup transport-tests
 * @brief Growth of windows: coupled in congestion avoidance, never above Reno, all else Reno's.
 */
class LiaGrowthTestCase : public TestCase
{
  public:
    LiaGrowthTestCase()
        : TestCase("linked increases: growth of windows")
    {
    }

  private:
    /// @brief A subflow.
    struct Subflow
    {
        /**
         * @param window in segments
         * @param rtt smoothed
         */
        Subflow(uint32_t window, Time rtt)
        {
            state->m_segmentSize = MSS;
            state->m_cWnd = window * MSS;
            state->m_ssThresh = 2 * MSS;
            state->m_isCwndLimited = true;
            SmoothedRtt(*state) = rtt;
        }

        /**
         * @brief Acknowledge segments one by one until the window grows.
         * @return their number
         */
        uint32_t CountToGrowth()
        {
            const uint32_t before = state->m_cWnd;
            uint32_t count = 0;
            while (state->m_cWnd == before && count < 10000)
            {
                lia->PktsAcked(state, 1, Time(0));
                lia->IncreaseWindow(state, 1);
                ++count;
            }
            growth = state->m_cWnd - before;
            return count;
        }

        Ptr<TcpSocketState> state{CreateObject<TcpSocketState>()}; //!< state that TCP would have
        Ptr<TcpLia> lia{CreateObject<TcpLia>()};                   //!< its congestion control
        uint32_t growth{0};                                        //!< latest, in bytes
    };

    /**
     * @param subflows to couple
     */
    void Couple(const std::vector<Subflow*>& subflows)
    {
        const auto coupling = Create<LiaCoupling>();
        for (Subflow* subflow : subflows)
        {
            subflow->lia->SetCoupling(coupling);
            subflow->lia->PktsAcked(subflow->state, 0, Time(0));
        }
    }

    void DoRun() override
    {
        Subflow alone(10, MilliSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(alone.CountToGrowth(), 10, "Reno without a coupling");
        Subflow one(10, MilliSeconds(100));
        Couple({&one});
        NS_TEST_EXPECT_MSG_EQ(one.CountToGrowth(), 10, "Reno where there is one subflow");
        NS_TEST_EXPECT_MSG_EQ(one.CountToGrowth(), 11, "with what the window is now");

        Subflow a(10, MilliSeconds(100));
        Subflow b(10, MilliSeconds(100));
        Couple({&a, &b});
        NS_TEST_EXPECT_MSG_EQ(a.CountToGrowth(), 40, "w / alpha");
        NS_TEST_EXPECT_MSG_EQ(a.growth, MSS, "by a segment");
        // Now 21 * 1100 / 210^2, so 40.09; b's acknowledgments tell of a's new window.
        a.lia->PktsAcked(a.state, 0, Time(0));
        NS_TEST_EXPECT_MSG_EQ(b.CountToGrowth(), 41, "the other one's turn");

        // w / alpha is (1000 + 100)^2 / 1e5 = 12.1, less than the slow one's window.
        Subflow fast(10, MilliSeconds(10));
        Subflow slow(100, Seconds(1));
        Couple({&fast, &slow});
        NS_TEST_EXPECT_MSG_EQ(slow.CountToGrowth(), 100, "never above Reno");
        NS_TEST_EXPECT_MSG_EQ(fast.CountToGrowth(), 13, "coupled");

        // A timeout shrinks the sum at once: (1000 + 10)^2 / 1e5 = 10.2.
        fast = Subflow(10, MilliSeconds(10));
        slow = Subflow(100, MilliSeconds(100));
        Couple({&fast, &slow});
        slow.lia->CwndEvent(slow.state, TcpSocketState::CA_EVENT_LOSS);
        NS_TEST_EXPECT_MSG_EQ(fast.CountToGrowth(), 11, "the other one timed out");

        Subflow starting(4, MilliSeconds(100));
        starting.state->m_ssThresh = 100 * MSS;
        Couple({&starting, &a});
        NS_TEST_EXPECT_MSG_EQ(starting.CountToGrowth(), 1, "slow start is Reno's");
        NS_TEST_EXPECT_MSG_EQ(a.lia->GetSsThresh(a.state, 0), 11 * MSS / 2, "half of the window");
        Subflow idle(10, MilliSeconds(100));
        Couple({&idle});
        idle.state->m_isCwndLimited = false;
        NS_TEST_EXPECT_MSG_EQ(idle.CountToGrowth(), 10000, "no growth of what is not used");
        const auto fork = DynamicCast<TcpLia>(a.lia->Fork());
        Subflow forked(10, MilliSeconds(100));
        forked.lia = fork;
        NS_TEST_EXPECT_MSG_EQ(forked.CountToGrowth(), 10, "a fork is coupled to nothing");
    }
};

// ---- One subflow ----

/**
 * @ingroup transport-tests
 * @brief With one subflow and no bytes for options everything is as with lean TCP, packet for
 * packet.
 */
class MptcpSingleTestCase : public TestCase
{
  public:
    /**
     * @param attributes of both
     * @param script packets to lose
     */
    MptcpSingleTestCase(const Attributes& attributes, const LossScript& script)
        : TestCase("one subflow is lean TCP: " +
                   (attributes.empty() ? std::string("defaults") : attributes.front().first) +
                   (script.any.empty() ? "" : ", losses")),
          m_attributes(attributes),
          m_script(script)
    {
    }

  private:
    /// @brief Results that are to be equal.
    struct Outcome
    {
        std::vector<SeenSegment> seen; //!< packets at the switch
        FlowRecord record;             //!< of the flow
        LeanTcpStatistics statistics;  //!< of the transport
        uint64_t delivered;            //!< bytes
    };

    Outcome Run(Ptr<LeanTransport> transport) const
    {
        TwoHosts hosts(transport, m_script);
        const FlowRecord record = hosts.Run(600 * MSS + 7);
        return {hosts.GetStage().GetSeen(),
                record,
                transport->GetStatistics(),
                hosts.delivered[record.id]};
    }

    void DoRun() override
    {
        Attributes attributes = m_attributes;
        const Outcome lean = Run(CreateLean(attributes));
        for (const char* option : {"DssOption", "DataAckOption", "JoinOption"})
        {
            attributes.emplace_back(option, "0");
        }
        attributes.emplace_back("Subflows", "1");
        const Outcome multi = Run(CreateMptcp(attributes));
        NS_TEST_ASSERT_MSG_EQ(multi.seen.size(), lean.seen.size(), "packets");
        for (std::size_t i = 0; i < lean.seen.size(); ++i)
        {
            const SeenSegment& a = lean.seen[i];
            const SeenSegment& b = multi.seen[i];
            const bool same = a.time == b.time && a.fromSender == b.fromSender &&
                              a.length == b.length && a.size == b.size && a.flags == b.flags &&
                              a.dropped == b.dropped && a.hash == b.hash &&
                              (a.length == 0 || a.sequence == b.sequence) &&
                              (a.fromSender || a.acknowledged == b.acknowledged);
            if (!same)
            {
                NS_TEST_ASSERT_MSG_EQ(same, true, "packet " << i << " at " << a.time);
                break;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(lean.delivered, 600 * MSS + 7, "all of it");
        NS_TEST_EXPECT_MSG_EQ(multi.delivered, lean.delivered, "bytes");
        NS_TEST_EXPECT_MSG_EQ(multi.record.firstSent, lean.record.firstSent, "first sent");
        NS_TEST_EXPECT_MSG_EQ(multi.record.delivered, lean.record.delivered, "delivered");
        NS_TEST_EXPECT_MSG_EQ(multi.record.acknowledged, lean.record.acknowledged, "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(multi.statistics.segments, lean.statistics.segments, "segments");
        NS_TEST_EXPECT_MSG_EQ(multi.statistics.retransmissions,
                              lean.statistics.retransmissions,
                              "retransmissions");
        NS_TEST_EXPECT_MSG_EQ(multi.statistics.timeouts, lean.statistics.timeouts, "timeouts");
        NS_TEST_EXPECT_MSG_EQ(multi.statistics.acknowledgments,
                              lean.statistics.acknowledgments,
                              "acknowledgments");
    }

    Attributes m_attributes; //!< of both
    LossScript m_script;     //!< packets to lose
};

// ---- Several paths ----

/**
 * @ingroup transport-tests
 * @brief Hosts at two switches that are joined by several paths of a switch each. Host 2 i sends to
 * host 2 i + 1; links of hosts have 10 Gbps and 1 us.
 */
class ParallelPaths : public FlowObserver
{
  public:
    /// @brief A path.
    struct Path
    {
        std::string rate;  //!< of its links
        std::string delay; //!< of each of its two links
    };

    /**
     * @brief Build the fabric.
     * @param paths the paths
     * @param pairs of hosts
     * @param buffer of each port, as a queue size
     */
    ParallelPaths(const std::vector<Path>& paths, uint32_t pairs, const std::string& buffer)
    {
        m_fabric->SetTierNames({"host", "leaf", "spine"});
        std::vector<Fabric::End> hosts;
        for (uint32_t i = 0; i < 2 * pairs; ++i)
        {
            hosts.push_back(m_fabric->AddHost());
        }
        const std::array<Fabric::End, 2> leaves{m_fabric->AddSwitch(1), m_fabric->AddSwitch(1)};
        for (uint32_t i = 0; i < 2 * pairs; ++i)
        {
            m_fabric->Connect(hosts[i], leaves[i % 2], DataRate("10Gbps"), MicroSeconds(1));
        }
        for (const Path& path : paths)
        {
            const auto spine = m_fabric->AddSwitch(2);
            m_links.push_back(
                m_fabric->Connect(leaves[0], spine, DataRate(path.rate), Time(path.delay)));
            m_fabric->Connect(spine, leaves[1], DataRate(path.rate), Time(path.delay));
        }
        m_fabric->SetQueueDiscFactory([buffer](const FabricPort::Description& port) {
            return CreateObjectWithAttributes<DropTailQueueDisc>(
                "MaxSize",
                StringValue(port.tier > 0 ? buffer : "8MB"));
        });
        m_fabric->SetAttribute("RouteUpdateDelay",
                               TimeValue(Time::Max())); // routing learns nothing
        m_fabric->Build();
        m_fabric->AssignStreams(1);
    }

    ~ParallelPaths() override
    {
        for (const auto& transport : m_transports)
        {
            transport->Dispose();
        }
        Simulator::Destroy();
        m_fabric->Dispose();
    }

    /**
     * @brief Attach a transport.
     * @param transport some hosts'
     */
    void Attach(Ptr<Transport> transport)
    {
        transport->Attach(m_fabric);
        transport->AddObserver(this);
        m_transports.push_back(transport);
        if (const auto multi = DynamicCast<MptcpTransport>(transport))
        {
            multi->SetPathChooser([this](const FlowRequest& request, uint32_t subflows) {
                std::vector<MptcpPath> ways(subflows);
                for (uint32_t i = 0; i < subflows; ++i)
                {
                    ways[i] = {GetRoute(request.source, request.destination, i),
                               GetRoute(request.destination, request.source, i)};
                }
                return ways;
            });
        }
    }

    /**
     * @brief Start a flow.
     * @param transport that was attached
     * @param pair of hosts
     * @param bytes payload; 0: until stopped
     * @return the flow
     */
    FlowId Send(Ptr<Transport> transport, uint32_t pair, uint64_t bytes)
    {
        FlowRequest request;
        request.source = 2 * pair;
        request.destination = 2 * pair + 1;
        request.bytes = bytes;
        request.group = pair;
        return transport->StartFlow(request);
    }

    /**
     * @brief Run.
     * @param until end of the simulation
     */
    void Run(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        delivered[record.request.group] += bytes;
    }

    void FlowFinished(const FlowRecord& record) override
    {
        finished.push_back(record);
    }

    /**
     * @param path a path
     * @return its first link
     */
    uint32_t GetLink(uint32_t path) const
    {
        return m_links[path];
    }

    /**
     * @brief Add a stage at the switch where hosts with odd numbers are.
     * @param stage the stage
     */
    void AddStage(IngressStage* stage)
    {
        m_fabric->GetSwitch(1).AddIngressStage(stage);
    }

    Ptr<Fabric> m_fabric{CreateObject<Fabric>()}; //!< the network
    std::map<uint32_t, uint64_t> delivered;       //!< bytes by pair
    std::vector<FlowRecord> finished;             //!< in the order of finishing

  private:
    /**
     * @param from sending host
     * @param to receiving host
     * @param path index of the path, modulo their number
     * @return a source route
     */
    const uint16_t* GetRoute(uint32_t from, uint32_t to, uint32_t path)
    {
        const auto spine = static_cast<uint32_t>(2 + path % m_links.size());
        const auto find = [this](uint32_t node, const FabricNode& peer) {
            const FabricSwitch& found = m_fabric->GetSwitch(node);
            uint16_t port = 0;
            while (found.GetPort(port).GetDescription().peer != &peer)
            {
                ++port;
            }
            return port;
        };
        m_routes.push_back(std::make_unique<std::array<uint16_t, 4>>(
            std::array<uint16_t, 4>{3,
                                    find(from % 2, m_fabric->GetSwitch(spine)),
                                    find(spine, m_fabric->GetSwitch(to % 2)),
                                    find(to % 2, m_fabric->GetHost(to))}));
        return m_routes.back()->data();
    }

    std::vector<uint32_t> m_links;                                  //!< first of each path
    std::vector<Ptr<Transport>> m_transports;                       //!< attached
    std::vector<std::unique_ptr<std::array<uint16_t, 4>>> m_routes; //!< made so far
};

/**
 * @ingroup transport-tests
 * @brief Loses packets at random, and knows which data has come without a gap.
 */
class LossyStage : public IngressStage
{
  public:
    /**
     * @param probability of losing a packet
     */
    explicit LossyStage(double probability)
        : m_probability(probability)
    {
        m_random->SetStream(17);
    }

    bool Process(FabricItem* item) override
    {
        if (m_random->GetValue() < m_probability)
        {
            item->Release();
            return false;
        }
        const auto& header = item->As<LeanTcpHeader>();
        if (!(item->kind & FabricItem::TOWARDS_SENDER) && header.length > 0)
        {
            uint64_t& end = m_above[header.acknowledgment];
            end = std::max(end, header.acknowledgment + header.length);
            while (!m_above.empty() && m_above.begin()->first <= prefix)
            {
                prefix = std::max(prefix, m_above.begin()->second);
                m_above.erase(m_above.begin());
            }
        }
        return true;
    }

    uint64_t prefix{0}; //!< all data below has come

  private:
    double m_probability;                 //!< of losing a packet
    std::map<uint64_t, uint64_t> m_above; //!< begin and end of what came above a gap
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< losses
};

/**
 * @ingroup transport-tests
 * @brief All bytes once and in order, with losses and paths of different delays.
 */
class MptcpDeliveryTestCase : public TestCase, public FlowObserver
{
  public:
    /**
     * @param subflows their number
     * @param loss probability of losing a packet
     */
    MptcpDeliveryTestCase(uint32_t subflows, double loss)
        : TestCase("all bytes once and in order: " + std::to_string(subflows) + " subflows, loss " +
                   std::to_string(static_cast<int>(100 * loss)) + " %"),
          m_subflows(subflows),
          m_stage(loss)
    {
    }

    void FlowDelivered(const FlowRecord& /* record */, uint32_t bytes) override
    {
        m_delivered += bytes;
        m_inOrder &= m_delivered <= m_stage.prefix; // nothing with a gap before it
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t BYTES = 3'000'001;
        std::vector<ParallelPaths::Path> paths;
        for (uint32_t i = 0; i < 8; ++i)
        {
            paths.push_back({"1Gbps", std::to_string(5 + 40 * i) + "us"});
        }
        ParallelPaths network(paths, 1, "100kB");
        network.AddStage(&m_stage);
        auto transport = CreateMptcp({{"Subflows", std::to_string(m_subflows)},
                                      {"MinRto", "2ms"},
                                      {"RcvBufSize", "300000"}});
        network.Attach(transport);
        transport->AddObserver(this);
        network.Send(transport, 0, BYTES);
        network.Run(Seconds(20));
        NS_TEST_ASSERT_MSG_EQ(network.finished.size(), 1, "the flow finished");
        NS_TEST_EXPECT_MSG_EQ(m_delivered, BYTES, "all of it, once");
        NS_TEST_EXPECT_MSG_EQ(m_inOrder, true, "in order");
        NS_TEST_EXPECT_MSG_EQ(m_stage.prefix, BYTES, "no more than there is");
    }

    uint32_t m_subflows;     //!< their number
    LossyStage m_stage;      //!< at the receiver's switch
    uint64_t m_delivered{0}; //!< bytes
    bool m_inOrder{true};    //!< so far
};

/**
 * @ingroup transport-tests
 * @brief Opening: the others follow the first subflow's handshake, if data is left; sizes on the
 * wire.
 */
class MptcpOpeningTestCase : public TestCase
{
  public:
    MptcpOpeningTestCase()
        : TestCase("opening of subflows, sizes on the wire")
    {
    }

  private:
    void DoRun() override
    {
        const auto transport = CreateMptcp({{"Subflows", "4"}});
        TwoHosts hosts(transport);
        const FlowId flow = hosts.Send(200 * MSS);
        Simulator::Stop(MicroSeconds(15)); // the SYN-ACK has not come
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(transport->GetMultipathConnection(flow)->GetSubflows().size(),
                              1,
                              "the others wait");
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.finished.size(), 1, "over");
        NS_TEST_EXPECT_MSG_EQ((transport->GetMultipathConnection(flow) == nullptr), true, "gone");
        std::map<uint32_t, uint64_t> bytes; // by subflow
        for (const SeenSegment& seen : hosts.GetStage().GetSeen())
        {
            if (seen.length > 0)
            {
                bytes[seen.hash] += seen.length;
                NS_TEST_EXPECT_MSG_EQ(seen.size, seen.length + 60, "IP, TCP, DSS");
            }
            else if (seen.flags & LeanTcpHeader::SYN)
            {
                NS_TEST_EXPECT_MSG_EQ(seen.size, 60, "window scale, SACK permitted, MP_JOIN");
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ(seen.size, 48, "a data acknowledgment");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), 4, "each subflow has a 5-tuple of its own");
        for (const auto& [hash, sum] : bytes)
        {
            NS_TEST_EXPECT_MSG_GT(sum, 10 * MSS - 1, "each carried its first window");
        }

        const auto small = CreateMptcp({{"Subflows", "4"}});
        TwoHosts others(small);
        others.Run(10 * MSS);
        const auto& seen = others.GetStage().GetSeen();
        const auto syns = std::count_if(seen.begin(), seen.end(), [](const SeenSegment& s) {
            return s.flags == LeanTcpHeader::SYN;
        });
        NS_TEST_EXPECT_MSG_EQ(syns, 1, "no data was left for others");
    }
};

/**
 * @ingroup transport-tests
 * @brief Options leave room for fewer SACK blocks.
 */
class MptcpSackRoomTestCase : public TestCase
{
  public:
    MptcpSackRoomTestCase()
        : TestCase("SACK blocks share 40 bytes with other options")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(LeanTcpHeader::GetSackBlockLimit(0), 4, "RFC 2018");
        NS_TEST_EXPECT_MSG_EQ(LeanTcpHeader::GetSackBlockLimit(10), 3, "with timestamps");
        NS_TEST_EXPECT_MSG_EQ(LeanTcpHeader::GetSackBlockLimit(8), 3, "with a data acknowledgment");
        NS_TEST_EXPECT_MSG_EQ(LeanTcpHeader::GetSackBlockLimit(18), 2, "with both");
    }
};

/**
 * @ingroup transport-tests
 * @brief Windows of the connection bound the sum of what its subflows have under way.
 */
class MptcpWindowTestCase : public TestCase
{
  public:
    /**
     * @param attribute the window
     */
    explicit MptcpWindowTestCase(const std::string& attribute)
        : TestCase("the window of a connection: " + attribute),
          m_attribute(attribute)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t WINDOW = 50 * MSS + 200;
        ParallelPaths network({{"1Gbps", "100us"}, {"1Gbps", "150us"}, {"1Gbps", "200us"}},
                              1,
                              "1MB");
        const auto transport = CreateMptcp(
            {{"Subflows", "3"}, {"Handshake", "false"}, {m_attribute, std::to_string(WINDOW)}});
        network.Attach(transport);
        const FlowId flow = network.Send(transport, 0, 0);
        uint64_t most = 0;
        for (uint32_t i = 1; i < 2000; ++i)
        {
            network.Run(MicroSeconds(10 * i));
            const MptcpConnection& connection = *transport->GetMultipathConnection(flow);
            uint64_t sum = 0;
            for (MptcpSubflow* subflow : connection.GetSubflows())
            {
                sum += subflow->GetSender().GetScoreboard().GetPipe();
            }
            // What a receiver has to keep is counted by data, what is under way by subflow: data
            // may be acknowledged by a faster path than its segment.
            most = std::max(most, m_attribute == "MaxWindow" ? sum : connection.GetOutstanding());
        }
        NS_TEST_EXPECT_MSG_EQ((most > 48 * MSS && most <= WINDOW), true, most << " bytes");
        // It bounds the rate to a window per RTT: 0.4 to 0.8 ms.
        const uint64_t bytes = network.delivered[0];
        NS_TEST_EXPECT_MSG_EQ((bytes > 20 / 0.85 * WINDOW && bytes < 20 / 0.4 * WINDOW),
                              true,
                              bytes << " bytes delivered");
    }

    std::string m_attribute; //!< the window
};

/**
 * @ingroup transport-tests
 * @brief A path fails: its data goes by the others, or waits for the repair.
 */
class MptcpFailureTestCase : public TestCase
{
  public:
    /**
     * @param reinject true if data goes by the others
     */
    explicit MptcpFailureTestCase(bool reinject)
        : TestCase(reinject ? "a path fails: data is sent again by the others"
                            : "a path fails: without re-injection data waits for its repair"),
          m_reinject(reinject)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t BYTES = 20'000'000; // 80 ms by two paths, 160 ms by one
        ParallelPaths network({{"1Gbps", "10us"}, {"1Gbps", "10us"}}, 1, "100kB");
        const auto transport = CreateMptcp(
            {{"Subflows", "2"}, {"MinRto", "5ms"}, {"Reinject", m_reinject ? "true" : "false"}});
        network.Attach(transport);
        network.Send(transport, 0, BYTES);
        network.Run(MilliSeconds(30));
        network.m_fabric->SetLinkUp(network.GetLink(1), false);
        network.Run(MilliSeconds(800));
        if (m_reinject)
        {
            NS_TEST_ASSERT_MSG_EQ(network.finished.size(), 1, "finished without the path");
            const double ms = network.finished[0].acknowledged.GetSeconds() * 1000;
            NS_TEST_EXPECT_MSG_EQ((ms > 120 && ms < 170), true, "after " << ms << " ms");
            NS_TEST_EXPECT_MSG_GT(transport->GetReinjectedBytes(), 0, "some of it again");
            NS_TEST_EXPECT_MSG_LT(transport->GetReinjectedBytes(), 300'000, "a window at most");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(network.finished.size(), 0, "waits");
            NS_TEST_EXPECT_MSG_EQ(transport->GetReinjectedBytes(), 0, "nothing");
            network.m_fabric->SetLinkUp(network.GetLink(1), true);
            network.Run(Seconds(10));
            NS_TEST_EXPECT_MSG_EQ(network.finished.size(), 1, "finished after the repair");
        }
        NS_TEST_EXPECT_MSG_EQ(network.delivered[0], BYTES, "all of it, once");
    }

    bool m_reinject; //!< true if data goes by the others
};

/**
 * @ingroup transport-tests
 * @brief Two subflows against one TCP on the same path: together they take what the TCP takes if
 * they are coupled, twice as much if they are not.
 */
class MptcpFairnessTestCase : public TestCase
{
  public:
    MptcpFairnessTestCase()
        : TestCase("two subflows on one path take what one TCP takes")
    {
    }

  private:
    /**
     * @param coupling Lia or None
     * @param rate of the path
     * @param loss probability of losing a packet
     * @param spacing from the start of a flow to that of the next
     * @return mean goodput of four multipath flows over that of four TCPs
     */
    static double GetRatio(const std::string& coupling,
                           const std::string& rate,
                           double loss,
                           Time spacing = MicroSeconds(737))
    {
        constexpr uint32_t PAIRS = 8;
        ParallelPaths network({{rate, "400us"}}, PAIRS, "200kB");
        LossyStage stage(loss);
        network.AddStage(&stage);
        const auto multi = CreateMptcp(
            {{"Subflows", "2"}, {"Coupling", coupling}, {"DssOption", "0"}, {"MinRto", "10ms"}});
        const auto single = CreateLean({{"MinRto", "10ms"}});
        network.Attach(multi);
        network.Attach(single);
        for (uint32_t pair = 0; pair < PAIRS; ++pair)
        {
            Simulator::Schedule(pair * spacing, [&network, &multi, &single, pair] {
                network.Send(pair % 2 ? Ptr<Transport>(multi) : Ptr<Transport>(single), pair, 0);
            });
        }
        network.Run(Seconds(0.3)); // slow start is each subflow's own
        network.delivered.clear();
        network.Run(Seconds(1.5));
        double sums[2] = {0, 0};
        for (const auto& [pair, bytes] : network.delivered)
        {
            sums[pair % 2] += static_cast<double>(bytes);
        }
        return sums[1] / sums[0];
    }

    void DoRun() override
    {
        // The same losses for all, for which RFC 6356 derives alpha.
        const double coupled = GetRatio("Lia", "10Gbps", 0.006);
        const double uncoupled = GetRatio("None", "10Gbps", 0.006);
        NS_TEST_EXPECT_MSG_EQ_TOL(coupled, 1, 0.12, "linked increases");
        NS_TEST_EXPECT_MSG_EQ_TOL(uncoupled, 2, 0.2, "each for itself");
        // Drop-tail hits in turns, so that the subflows' windows differ; then alpha, which has
        // the maximum in it, is more than its value for equal windows. Whom it hits hangs on the
        // phases of flows that never end, so that many phases are looked at; the mean is 1.1 with
        // ns-3 3.44 and 0.7 with 3.42, whose proportional rate reduction is another (with
        // TcpClassicRecovery it is 0.6 with both). Harm to TCP would be a value towards 2.
        double atBottleneck = 0;
        const std::vector<int64_t> spacings{257, 347, 433, 521, 613, 737, 829, 941};
        for (const int64_t spacing : spacings)
        {
            atBottleneck += GetRatio("Lia", "1Gbps", 0, MicroSeconds(spacing)) /
                            static_cast<double>(spacings.size());
        }
        NS_TEST_EXPECT_MSG_GT(atBottleneck, 0.5, "linked increases at a bottleneck");
        NS_TEST_EXPECT_MSG_LT(atBottleneck, 1.3, "linked increases at a bottleneck");
    }
};

/**
 * @ingroup transport-tests
 * @brief Two paths of equal rate, one of them shared with TCP flows: coupled subflows leave more
 * of the congested one to the others than uncoupled ones do.
 */
class MptcpPoolingTestCase : public TestCase
{
  public:
    MptcpPoolingTestCase()
        : TestCase("resource pooling: traffic moves away from congestion")
    {
    }

  private:
    /// @brief Goodputs in Gbit/s.
    struct Outcome
    {
        double multi;     //!< of the multipath flow
        double congested; //!< of its subflow on the shared path
        double tcp;       //!< mean of a TCP flow
    };

    Outcome Run(const std::string& coupling)
    {
        constexpr uint32_t TCPS = 3;
        constexpr double WARM_UP = 0.3; // seconds
        ParallelPaths network({{"1Gbps", "400us"}, {"1Gbps", "400us"}}, TCPS + 1, "200kB");
        const auto multi = CreateMptcp(
            {{"Subflows", "2"}, {"Coupling", coupling}, {"DssOption", "0"}, {"MinRto", "10ms"}});
        // A subflow alone is a TCP on a path that is known: the first.
        const auto single =
            CreateMptcp({{"Subflows", "1"}, {"DssOption", "0"}, {"MinRto", "10ms"}});
        network.Attach(multi);
        network.Attach(single);
        const FlowId flow = network.Send(multi, 0, 0);
        for (uint32_t pair = 1; pair <= TCPS; ++pair)
        {
            Simulator::Schedule(MicroSeconds(737 * pair),
                                [&network, &single, pair] { network.Send(single, pair, 0); });
        }
        network.Run(Seconds(WARM_UP));
        const MptcpSubflow& shared = *multi->GetMultipathConnection(flow)->GetSubflows()[0];
        const uint64_t before = shared.GetSender().GetScoreboard().GetHead();
        network.delivered.clear();
        network.Run(Seconds(WARM_UP + 1));
        double tcp = 0;
        for (uint32_t pair = 1; pair <= TCPS; ++pair)
        {
            tcp += 8e-9 * static_cast<double>(network.delivered[pair]) / TCPS;
        }
        const uint64_t bytes = shared.GetSender().GetScoreboard().GetHead() - before;
        return {8e-9 * static_cast<double>(network.delivered[0]),
                8e-9 * static_cast<double>(bytes),
                tcp};
    }

    void DoRun() override
    {
        const Outcome coupled = Run("Lia");
        const Outcome uncoupled = Run("None");
        NS_TEST_EXPECT_MSG_GT(coupled.multi, 0.9, "the free path is used");
        NS_TEST_EXPECT_MSG_LT(coupled.congested, 0.5 * coupled.tcp, "less than a TCP's share");
        NS_TEST_EXPECT_MSG_GT(uncoupled.congested, 0.7 * uncoupled.tcp, "a TCP's share");
        NS_TEST_EXPECT_MSG_GT(coupled.tcp, 1.1 * uncoupled.tcp, "the others gain by it");
    }
};

/**
 * @ingroup transport-tests
 * @brief Endless flows, stopping, leaving given paths, the same again.
 */
class MptcpLifeTestCase : public TestCase
{
  public:
    MptcpLifeTestCase()
        : TestCase("endless flows, stopping, paths given up; the same again")
    {
    }

  private:
    /**
     * @return bytes delivered by the end, and events
     */
    std::pair<uint64_t, uint64_t> Run()
    {
        ParallelPaths network({{"1Gbps", "10us"}, {"1Gbps", "30us"}}, 1, "100kB");
        const auto transport = CreateMptcp({{"Subflows", "32"}});
        network.Attach(transport);
        const FlowId flow = network.Send(transport, 0, 0);
        network.Run(MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(transport->GetMultipathConnection(flow)->GetSubflows().size(),
                              32,
                              "opened");
        transport->ForgetPaths();
        network.Run(MilliSeconds(10));
        transport->StopFlow(flow);
        transport->StopFlow(flow); // no effect
        const uint64_t delivered = network.delivered[0];
        NS_TEST_EXPECT_MSG_EQ(network.finished.size(), 1, "told once");
        NS_TEST_EXPECT_MSG_EQ(network.finished[0].acknowledged, MilliSeconds(10), "now");
        network.Run(MilliSeconds(60));
        NS_TEST_EXPECT_MSG_EQ(network.delivered[0], delivered, "nothing after that");
        // What one path could carry in this time: 1 Gbit/s less headers.
        NS_TEST_EXPECT_MSG_GT(delivered, 10e-3 * 1e9 / 8 * 1460 / 1520, "both paths are used");
        return {delivered, Simulator::GetEventCount()};
    }

    void DoRun() override
    {
        const auto first = Run();
        const auto second = Run();
        NS_TEST_EXPECT_MSG_EQ(first.first, second.first, "bytes");
        NS_TEST_EXPECT_MSG_EQ(first.second, second.second, "events");
    }
};

/**
 * @ingroup transport-tests
 * @brief Settings that cannot be are refused with what is allowed.
 */
class MptcpInputTestCase : public TestCase
{
  public:
    MptcpInputTestCase()
        : TestCase("bad input")
    {
    }

  private:
    /**
     * @param spec of the transport
     * @param part of the error
     */
    void Check(const std::string& spec, const std::string& part)
    {
        std::string message;
        try
        {
            TwoHosts hosts(CreateFromSpec<Transport>("--transport", spec));
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ((message.find(part) != std::string::npos),
                              true,
                              spec << ": " << message);
        NS_TEST_EXPECT_MSG_EQ(message.find('\n'), std::string::npos, "one line");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Check("mptcp:Subflows=0", "Subflows");
        Check("mptcp:Subflows=33", "32");
        Check("mptcp:Subflows=-1", "Subflows");
        Check("mptcp:Coupling=Olia", "Lia");
        Check("mptcp:CongestionOps=ns3::TcpCubic", "Coupling=None");
        Check("mptcp:Persistence=Shared", "PerFlow");
        Check("mptcp:DssOption=40", "DssOption");
        Check("mptcp:RcvBufSize=100", "SegmentSize");
    }
};

/**
 * @ingroup transport-tests
 * @brief Tests of multipath TCP.
 */
class MptcpTestSuite : public TestSuite
{
  public:
    MptcpTestSuite()
        : TestSuite("mptcp", Type::UNIT)
    {
        AddTestCase(new LiaAlphaTestCase());
        AddTestCase(new LiaGrowthTestCase());
        LossScript losses;
        for (uint32_t i = 40; i < 1200; i += 37 + i % 11)
        {
            losses.any.insert(i);
        }
        const std::vector<Attributes> settings{{},
                                               {{"Handshake", "false"}},
                                               {{"Sack", "false"}},
                                               {{"DelAckCount", "2"}},
                                               {{"MaxWindow", "65535"}},
                                               {{"RcvBufSize", "65535"}},
                                               {{"Timestamp", "true"}},
                                               {{"Rack", "true"}},
                                               {{"Pacing", "true"}},
                                               {{"Conformance", "Ns3"}}};
        for (const Attributes& attributes : settings)
        {
            AddTestCase(new MptcpSingleTestCase(attributes, {}));
            AddTestCase(new MptcpSingleTestCase(attributes, losses));
        }
        AddTestCase(new MptcpOpeningTestCase());
        AddTestCase(new MptcpSackRoomTestCase());
        for (const uint32_t subflows : {1, 2, 3, 8, 17, 32})
        {
            AddTestCase(new MptcpDeliveryTestCase(subflows, 0));
            AddTestCase(new MptcpDeliveryTestCase(subflows, 0.01));
        }
        AddTestCase(new MptcpDeliveryTestCase(8, 0.1));
        AddTestCase(new MptcpWindowTestCase("RcvBufSize"));
        AddTestCase(new MptcpWindowTestCase("MaxWindow"));
        AddTestCase(new MptcpFailureTestCase(true));
        AddTestCase(new MptcpFailureTestCase(false));
        AddTestCase(new MptcpFairnessTestCase());
        AddTestCase(new MptcpPoolingTestCase());
        AddTestCase(new MptcpLifeTestCase());
        AddTestCase(new MptcpInputTestCase());
    }
};

MptcpTestSuite g_mptcpTestSuite; //!< the suite

} // namespace
