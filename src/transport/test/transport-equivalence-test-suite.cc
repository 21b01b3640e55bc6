/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Lean TCP against ns-3's TcpSocketBase: the same fabric, the same settings, the same losses. Lean
// TCP runs with Conformance=Ns3 and DctcpReactsToLoss=false, because TcpSocketBase departs from the
// RFCs in the places that the documentation lists; what differs nevertheless is told by test cases
// of its own, with the RFC's text.

#include "lean-tcp-test.h"

#include "ns3/boolean.h"
#include "ns3/ns3-transport.h"
#include "ns3/random-variable-stream.h"
#include "ns3/step-mark-queue-disc.h"
#include "ns3/string.h"

#include <algorithm>

using namespace ns3;

namespace
{

/// @brief Names and values that both transports know.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/**
 * @brief True if ns-3 is 3.43 or later, whose sockets lean TCP is compared with. In those of 3.42
 * proportional rate reduction and timeouts are other ones; without losses they do the same.
 * @tparam State TcpSocketState
 */
template <typename State>
constexpr bool IS_REFERENCE = requires(State& state) { state.m_srtt; };

/// @brief The congestion controls that are compared.
const std::vector<std::string> CONTROLS{"ns3::TcpLinuxReno",
                                        "ns3::TcpNewReno",
                                        "ns3::TcpCubic",
                                        "ns3::TcpDctcp"};

/// @brief A step of the congestion window.
struct WindowStep
{
    int64_t time;   //!< in time steps
    uint32_t bytes; //!< the window from then on

    bool operator==(const WindowStep&) const = default;
};

/// @brief Collects the steps of a window.
struct WindowTrace
{
    std::vector<WindowStep> steps; //!< so far

    /**
     * @brief The window changed. Only its last value of an instant counts: nothing is sent before.
     * @param before bytes
     * @param after bytes
     */
    void Note(uint32_t before, uint32_t after)
    {
        const int64_t now = Simulator::Now().GetTimeStep();
        if (!steps.empty() && steps.back().time == now)
        {
            steps.back().bytes = after;
        }
        else if (before != after)
        {
            steps.push_back({now, after});
        }
    }
};

/// @brief Course of a flow.
struct Course
{
    bool finished{false};                           //!< all was delivered and acknowledged
    Time completion;                                //!< from first payload to last acknowledgment
    TcpSendCounts counts;                           //!< counters of what was sent
    std::vector<std::pair<int64_t, uint64_t>> data; //!< time at the switch, first byte
    std::vector<SeenSegment> acknowledgments;       //!< as they reached the switch
    std::vector<SeenSegment> all;                   //!< everything that reached the switch
    std::vector<WindowStep> windows;                //!< after the first payload
};

/**
 * @brief Make one of the transports.
 * @param lean true for LeanTransport, false for Ns3Transport
 * @param attributes of both
 * @return the transport
 */
Ptr<Transport>
CreateTransport(bool lean, const Attributes& attributes)
{
    Ptr<Transport> transport;
    if (lean)
    {
        transport = CreateObject<LeanTransport>();
        transport->SetAttribute("Conformance", StringValue("Ns3"));
        transport->SetAttribute("DctcpReactsToLoss", BooleanValue(false));
    }
    else
    {
        transport = CreateObject<Ns3Transport>();
    }
    for (const auto& [name, value] : attributes)
    {
        transport->SetAttribute(name, StringValue(value));
    }
    return transport;
}

/**
 * @brief Run one flow.
 * @param lean over which transport
 * @param attributes of the transport
 * @param script packets to lose or mark
 * @param segments full segments of the flow
 * @param roundTrip base RTT
 * @return the course of the flow
 */
Course
RunFlow(bool lean,
        const Attributes& attributes,
        const LossScript& script,
        uint32_t segments,
        Time roundTrip = MicroSeconds(20))
{
    auto transport = CreateTransport(lean, attributes);
    TwoHosts hosts(transport, script, roundTrip / 4);
    WindowTrace trace;
    const auto note = MakeCallback(&WindowTrace::Note, &trace);
    const FlowId flow = hosts.Send(uint64_t{segments} * MSS);
    auto leanTransport = DynamicCast<LeanTransport>(transport);
    Ptr<FabricTcpSocket> socket;
    if (lean)
    {
        leanTransport->GetConnection(flow)->GetSender().GetState()->TraceConnectWithoutContext(
            "CongestionWindow",
            note);
    }
    else
    {
        socket = DynamicCast<Ns3Transport>(transport)->GetSender(flow);
        socket->TraceConnectWithoutContext("CongestionWindow", note);
    }
    Simulator::Stop(Seconds(20));
    Simulator::Run();

    Course course;
    course.finished = hosts.finished.size() == 1;
    const FlowRecord record = course.finished ? hosts.finished.front() : FlowRecord{};
    course.completion = record.acknowledged - record.firstSent;
    const auto statistics = lean ? leanTransport->GetStatistics() : LeanTcpStatistics{};
    course.all = hosts.GetStage().GetSeen();
    const auto syns = std::count_if(course.all.begin(), course.all.end(), [](const auto& seen) {
        return seen.fromSender && (seen.flags & LeanTcpHeader::SYN);
    });
    // Those of the handshake are not counted for the sockets.
    course.counts = lean ? TcpSendCounts{statistics.segments,
                                         statistics.retransmissions,
                                         statistics.timeouts - (syns - 1)}
                         : socket->GetSendCounts();
    for (const SeenSegment& seen : hosts.GetStage().Select(true))
    {
        course.data.emplace_back(seen.time, seen.sequence);
    }
    course.acknowledgments = hosts.GetStage().Select(false);
    for (const WindowStep& step : trace.steps)
    {
        // Up to then the sockets set their initial window up.
        if (step.time > record.firstSent.GetTimeStep())
        {
            course.windows.push_back(step);
        }
    }
    return course;
}

/**
 * @brief Compare packets.
 * @param a packet of one transport
 * @param b packet of the other
 * @return true if they passed at the same time in the same direction and have the same size
 */
bool
IsSamePacket(const SeenSegment& a, const SeenSegment& b)
{
    return a.time == b.time && a.fromSender == b.fromSender && a.size == b.size;
}

/**
 * @brief Compare flows.
 * @param a course of a flow over one transport
 * @param b its course over the other
 * @return true if all packets, first bytes of data and windows were the same at the same times
 */
bool
IsSameCourse(const Course& a, const Course& b)
{
    return a.data == b.data && a.windows == b.windows &&
           std::ranges::equal(a.all, b.all, IsSamePacket);
}

} // namespace

/**
 * @ingroup transport-tests
 * @brief One flow, a script of losses and marks: both transports do the same at the same time.
 */
class EqualFlowsTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param name of the case
     * @param attributes of both transports
     * @param script packets to lose or mark
     * @param segments full segments of the flow
     * @param steps true if each step is the same; a rate-based congestion control lives on samples
     *        of the delivery rate, which lean TCP takes by the draft and TcpRateLinux a little
     *        differently
     */
    EqualFlowsTestCase(const std::string& name,
                       Attributes attributes,
                       LossScript script,
                       uint32_t segments,
                       bool steps = true)
        : TestCase(name),
          m_attributes(std::move(attributes)),
          m_script(std::move(script)),
          m_segments(segments),
          m_steps(steps)
    {
    }

  private:
    void DoRun() override
    {
        const Course lean = RunFlow(true, m_attributes, m_script, m_segments);
        const Course ns3 = RunFlow(false, m_attributes, m_script, m_segments);
        NS_TEST_ASSERT_MSG_EQ(lean.finished, true, "lean TCP finishes");
        NS_TEST_ASSERT_MSG_EQ(ns3.finished, true, "ns-3's TCP finishes");
        NS_TEST_EXPECT_MSG_EQ(lean.counts.segments, ns3.counts.segments, "segments");
        NS_TEST_EXPECT_MSG_EQ(lean.counts.retransmissions,
                              ns3.counts.retransmissions,
                              "retransmissions");
        NS_TEST_EXPECT_MSG_EQ(lean.counts.timeouts, ns3.counts.timeouts, "timeouts");
        NS_TEST_EXPECT_MSG_EQ_TOL(lean.completion.GetSeconds(),
                                  ns3.completion.GetSeconds(),
                                  0.01 * ns3.completion.GetSeconds(),
                                  "completion time");
        if (!m_steps)
        {
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(lean.completion, ns3.completion, "the very same completion time");
        NS_TEST_EXPECT_MSG_EQ((lean.data == ns3.data), true, "the same data at the same times");
        const auto [first, other] = std::mismatch(lean.all.begin(),
                                                  lean.all.end(),
                                                  ns3.all.begin(),
                                                  ns3.all.end(),
                                                  IsSamePacket);
        NS_TEST_EXPECT_MSG_EQ((first == lean.all.end() && other == ns3.all.end()),
                              true,
                              "all packets are the same up to number " << first - lean.all.begin());
        NS_TEST_EXPECT_MSG_EQ(lean.all.size(), ns3.all.size(), "packets of any kind");
        NS_TEST_ASSERT_MSG_EQ(lean.windows.size(), ns3.windows.size(), "steps of the window");
        for (std::size_t i = 0; i < std::min(lean.windows.size(), ns3.windows.size()); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(lean.windows[i].bytes, ns3.windows[i].bytes, "window " << i);
            NS_TEST_ASSERT_MSG_EQ(lean.windows[i].time, ns3.windows[i].time, "time of " << i);
        }
    }

    Attributes m_attributes; //!< of both transports
    LossScript m_script;     //!< packets to lose or mark
    uint32_t m_segments;     //!< full segments of the flow
    bool m_steps;            //!< true if each step is the same
};

/**
 * @ingroup transport-tests
 * @brief Random scripts: up to five losses, some of retransmissions, up to three lost
 * acknowledgments, up to ten marks, and a loss in the handshake, with all congestion controls: the
 * same packets at the same times, and the same windows.
 */
class RandomScriptsTestCase : public TestCase
{
  public:
    RandomScriptsTestCase()
        : TestCase("random losses and marks")
    {
    }

  private:
    static constexpr uint32_t SCRIPTS = 300; //!< flows compared

    /**
     * @param below limit
     * @return a random number below the limit
     */
    uint32_t Pick(uint32_t below)
    {
        return m_random->GetInteger(0, below - 1);
    }

    /**
     * @param segments of the flow
     * @param ecn true to mark
     * @return a random script
     */
    LossScript MakeScript(uint32_t segments, bool ecn)
    {
        LossScript script;
        uint32_t segment = Pick(segments);
        for (uint32_t losses = Pick(6); losses > 0; --losses)
        {
            script.data.insert({uint64_t{segment} * MSS, 1});
            if (Pick(4) == 0)
            {
                script.data.insert({uint64_t{segment} * MSS, 2});
            }
            segment = (Pick(2) ? segment + 1 + Pick(3) : Pick(segments)) % segments;
        }
        for (uint32_t losses = Pick(4); losses > 0; --losses)
        {
            script.acknowledgments.insert(1 + Pick(segments));
        }
        for (uint32_t marks = ecn ? Pick(6) : 0; marks > 0; --marks)
        {
            script.marks.insert(uint64_t{Pick(segments)} * MSS);
            script.anyMarks.insert(1 + Pick(2 * segments)); // handshake and acknowledgments as well
        }
        if (Pick(4) == 0)
        {
            script.any.insert(1 + Pick(5)); // the handshake takes three
        }
        return script;
    }

    void DoRun() override
    {
        m_random->SetStream(1);
        for (uint32_t i = 0; i < SCRIPTS; ++i)
        {
            const std::string& control = CONTROLS[Pick(CONTROLS.size())];
            const bool ecn = Pick(2);
            const bool classic = Pick(2);
            const uint32_t segments = 20 + Pick(300);
            const LossScript script = MakeScript(segments, ecn || control == "ns3::TcpDctcp");
            const Attributes attributes{
                {"CongestionOps", control},
                {"RecoveryOps", classic ? "ns3::TcpClassicRecovery" : "ns3::TcpPrrRecovery"},
                {"UseEcn", ecn ? "On" : "Off"},
                {"MinRto", Pick(2) ? "200us" : "30us"}}; // with the least of them the RTT tells
            const Course lean = RunFlow(true, attributes, script, segments);
            const Course ns3 = RunFlow(false, attributes, script, segments);
            NS_TEST_ASSERT_MSG_EQ((lean.finished && ns3.finished), true, "finish " << i);
            NS_TEST_EXPECT_MSG_EQ(lean.completion, ns3.completion, "completion time " << i);
            NS_TEST_EXPECT_MSG_EQ(IsSameCourse(lean, ns3), true, "step by step " << i);
        }
    }

    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< the scripts
};

/**
 * @ingroup transport-tests
 * @brief Any round trip, also one longer than the time-out of a SYN: lean TCP by ns-3's rules does
 * the same as the sockets, and by the RFCs' takes as long, and without loss sends nothing again.
 */
class AnyRoundTripTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param roundTrip base RTT
     */
    explicit AnyRoundTripTestCase(Time roundTrip)
        : TestCase("a round trip of " + std::to_string(roundTrip.GetMicroSeconds()) + " us"),
          m_roundTrip(roundTrip)
    {
    }

  private:
    static constexpr uint32_t SEGMENTS = 300; //!< of a flow

    /**
     * @brief Compare flows.
     * @param control congestion control
     * @param script packets to lose
     */
    void Compare(const std::string& control, const LossScript& script)
    {
        const Attributes attributes{{"CongestionOps", control}};
        const Attributes rfc{{"CongestionOps", control}, {"Conformance", "Rfc"}};
        const Course sockets = RunFlow(false, attributes, script, SEGMENTS, m_roundTrip);
        const Course lean = RunFlow(true, attributes, script, SEGMENTS, m_roundTrip);
        const Course byRfc = RunFlow(true, rfc, script, SEGMENTS, m_roundTrip);
        NS_TEST_ASSERT_MSG_EQ((sockets.finished && lean.finished && byRfc.finished),
                              true,
                              control << " finishes");
        NS_TEST_EXPECT_MSG_EQ(IsSameCourse(lean, sockets), true, control << ": the same packets");
        NS_TEST_EXPECT_MSG_EQ(byRfc.counts.timeouts,
                              sockets.counts.timeouts,
                              control << ": timeouts by the RFCs");
        if (script.data.empty())
        {
            NS_TEST_EXPECT_MSG_EQ(byRfc.counts.retransmissions, 0, control << ": none needed");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(byRfc.completion.GetSeconds(),
                                  sockets.completion.GetSeconds(),
                                  0.01 * sockets.completion.GetSeconds(),
                                  control << ": completion time by the RFCs");
    }

    void DoRun() override
    {
        for (const std::string& control : CONTROLS)
        {
            Compare(control, {});
            Compare(control, {{{40 * MSS, 1}, {45 * MSS, 1}, {46 * MSS, 1}}});
            Compare(control, {{{(SEGMENTS - 1) * MSS, 1}}});
            Compare(control, {{}, {}, {}, {1}});
            Compare(control, {{}, {}, {}, {2}});
        }
    }

    Time m_roundTrip; //!< base RTT
};

/**
 * @ingroup transport-tests
 * @brief Delayed acknowledgments under DCTCP differ: "send an immediate ACK" when the CE state
 * changes (RFC 8257, section 3.2) means all data received before the change. TcpSocketBase
 * acknowledges one segment less, so that a mark is accounted to the wrong segment.
 */
class CeStateTestCase : public TestCase
{
  public:
    CeStateTestCase()
        : TestCase("DCTCP with delayed acknowledgments: RFC 8257's, not ns-3's")
    {
    }

  private:
    /**
     * @param course of a flow
     * @return bytes acknowledged last before the first echo of a mark
     */
    static uint64_t FindLastBeforeEcho(const Course& course)
    {
        uint64_t last = 0;
        bool opened = false; // the SYN-ACK of ns-3 carries ECE as well
        for (const SeenSegment& seen : course.acknowledgments)
        {
            if (opened && (seen.flags & LeanTcpHeader::ECE))
            {
                return last;
            }
            opened |= seen.acknowledged >= MSS;
            last = seen.acknowledged;
        }
        return 0;
    }

    void DoRun() override
    {
        const Attributes attributes{{"CongestionOps", "ns3::TcpDctcp"}, {"DelAckCount", "2"}};
        const LossScript script{{}, {}, {16 * MSS}};
        const Course lean = RunFlow(true, attributes, script, 60);
        const Course ns3 = RunFlow(false, attributes, script, 60);
        NS_TEST_EXPECT_MSG_EQ(FindLastBeforeEcho(lean), 16 * MSS, "all before the mark");
        NS_TEST_EXPECT_MSG_EQ(FindLastBeforeEcho(ns3), 15 * MSS, "one segment less");
    }
};

/**
 * @ingroup transport-tests
 * @brief DCTCP flows share a port that marks: goodput, queue and marks are about the same.
 */
class SharedPortTestCase : public TestCase
{
  public:
    /**
     * @brief Set up.
     * @param flows number of hosts that send
     */
    explicit SharedPortTestCase(uint32_t flows)
        : TestCase(std::to_string(flows) + " DCTCP flows through one marking port"),
          m_flows(flows)
    {
    }

  private:
    /// @brief Measurements at the port and at the receiver.
    struct Result
    {
        double goodput;        //!< bit/s
        double queue;          //!< mean, in packets
        double markedFraction; //!< of the packets sent
    };

    /// @brief Sums payload after the warm-up.
    struct Meter : public FlowObserver
    {
        void FlowDelivered(const FlowRecord& /* record */, uint32_t payload) override
        {
            bytes += payload;
        }

        uint64_t bytes{0}; //!< so far
    };

    /**
     * @brief Run the flows for END.
     * @param lean over which transport
     * @return measurements after WARM_UP
     */
    Result Run(bool lean) const
    {
        auto fabric = CreateObject<Fabric>();
        fabric->SetTierNames({"host", "switch"});
        const Fabric::End middle = fabric->AddSwitch(1);
        for (uint32_t host = 0; host <= m_flows; ++host)
        {
            // The base RTT of AFQ's cluster: four links of 2.15 us there and back.
            fabric->Connect(fabric->AddHost(), middle, DataRate("10Gbps"), NanoSeconds(2150));
        }
        fabric->SetQueueDiscFactory([](const FabricPort::Description&) {
            auto queue = CreateObject<StepMarkQueueDisc>();
            queue->SetAttribute("MarkThreshold", StringValue("30p"));
            return queue;
        });
        fabric->Build();
        auto transport = CreateTransport(lean, {{"CongestionOps", "ns3::TcpDctcp"}});
        transport->Attach(fabric);
        Meter meter;
        transport->AddObserver(&meter);
        for (uint32_t host = 1; host <= m_flows; ++host)
        {
            Simulator::Schedule(MicroSeconds(17 * host),
                                [&transport, host] { transport->StartFlow({host, 0, 0, 0}); });
        }

        FabricPort& port = fabric->GetSwitch(0).GetPort(0);
        FabricQueueDisc& queue = port.GetQueueDisc();
        const auto countMarks = [&queue] {
            uint64_t marks = 0;
            for (const auto& count : queue.GetMarkCounts())
            {
                marks += count.packets;
            }
            return marks;
        };
        uint64_t marks = 0;
        uint64_t packets = 0;
        Simulator::Schedule(WARM_UP, [&] {
            meter.bytes = 0;
            marks = countMarks();
            packets = port.GetTxPackets();
        });
        uint64_t sum = 0;
        uint32_t samples = 0;
        for (Time at = WARM_UP; at < END; at += NanoSeconds(3701)) // in step with nothing
        {
            Simulator::Schedule(at, [&] {
                sum += queue.GetWaitingPackets();
                ++samples;
            });
        }
        Simulator::Stop(END);
        Simulator::Run();
        const Result result{8.0 * meter.bytes / (END - WARM_UP).GetSeconds(),
                            static_cast<double>(sum) / samples,
                            static_cast<double>(countMarks() - marks) /
                                (port.GetTxPackets() - packets)};
        transport->Dispose();
        Simulator::Destroy();
        fabric->Dispose();
        return result;
    }

    void DoRun() override
    {
        const Result lean = Run(true);
        const Result ns3 = Run(false);
        NS_TEST_EXPECT_MSG_EQ_TOL(lean.goodput, ns3.goodput, 0.01 * ns3.goodput, "goodput");
        NS_TEST_EXPECT_MSG_EQ_TOL(lean.queue, ns3.queue, 0.1 * ns3.queue, "mean queue");
        NS_TEST_EXPECT_MSG_EQ_TOL(lean.markedFraction,
                                  ns3.markedFraction,
                                  0.1 * ns3.markedFraction,
                                  "marked packets");
        NS_TEST_EXPECT_MSG_GT(ns3.markedFraction, 0, "there are marks to compare");
    }

    const Time WARM_UP{MilliSeconds(4)}; //!< start of the measurement
    const Time END{MilliSeconds(24)};    //!< end of the measurement

    uint32_t m_flows; //!< number of hosts that send
};

/**
 * @ingroup transport-tests
 * @brief Lean TCP agrees with ns-3's TcpSocketBase.
 */
class TransportEquivalenceTestSuite : public TestSuite
{
  public:
    TransportEquivalenceTestSuite();

  private:
    /**
     * @brief Compare with every congestion control.
     * @param name of the case
     * @param attributes of both transports, besides the congestion control
     * @param script packets to lose or mark
     */
    void AddForAll(const std::string& name, const Attributes& attributes, const LossScript& script)
    {
        for (const std::string& control : CONTROLS)
        {
            Attributes all{{"CongestionOps", control}};
            all.insert(all.end(), attributes.begin(), attributes.end());
            AddTestCase(new EqualFlowsTestCase(name + ", " + control, all, script, 300));
        }
    }
};

TransportEquivalenceTestSuite::TransportEquivalenceTestSuite()
    : TestSuite("transport-equivalence", Type::UNIT)
{
    const auto nth = [](uint64_t segment, uint32_t transmission = 1) {
        return std::pair(segment * MSS, transmission);
    };
    const std::vector<std::pair<std::string, LossScript>> scripts{
        {"no loss", {}},
        {"a single loss", {{nth(40)}}},
        {"a burst of three losses", {{nth(40), nth(41), nth(42)}}},
        {"a lost retransmission", {{nth(40), nth(40, 2)}}},
        {"a lost acknowledgment", {{}, {20}}},
        {"the last segment", {{nth(299)}}},
        {"marks", {{}, {}, {30 * MSS, 31 * MSS, 60 * MSS, 150 * MSS}}},
    };
    for (const auto& [name, script] : scripts)
    {
        if (!IS_REFERENCE<TcpSocketState> && name != "no loss")
        {
            continue;
        }
        AddForAll(name, {}, script);
        AddForAll(name + ", NewReno's recovery",
                  {{"Sack", "false"}, {"RecoveryOps", "ns3::TcpClassicRecovery"}},
                  script);
        AddForAll(name + ", without SACK", {{"Sack", "false"}}, script);
    }
    // A SYN-ACK is sent again when its timer runs out, whatever SYNs come meanwhile. To a repeated
    // one a connection that is established does not answer.
    const Attributes hasty{{"ConnTimeout", "15us"}}; // the handshake takes 20
    AddForAll("SYNs sent again", hasty, {});
    AddForAll("a lost SYN", {}, {{}, {}, {}, {1}});
    AddForAll("a lost SYN-ACK", {}, {{}, {}, {}, {2}});
    AddForAll("SYNs and SYN-ACKs lost", {}, {{}, {}, {}, {1, 3, 4, 6}});
    AddForAll("SYNs sent again and lost", hasty, {{}, {}, {}, {2, 5}});
    AddForAll("the handshake's last packet lost", {}, {{}, {}, {}, {}, {3}});
    // The first mark on a packet without payload changes what later ones are taken for.
    AddForAll("marks on the handshake", {}, {{}, {}, {0, MSS}, {}, {}, {1, 2, 3}});
    if (IS_REFERENCE<TcpSocketState>)
    {
        AddForAll("marks on acknowledgments",
                  {},
                  {{nth(60), nth(90)}, {}, {40 * MSS, 80 * MSS}, {}, {}, {50, 51, 90, 180, 200}});
        // Segment 291 is sent again without need, and is acknowledged when the flow is over.
        AddForAll("an acknowledgment after the end",
                  {{"Sack", "false"}},
                  {{nth(285), nth(285, 2), nth(290)}});
    }
    for (const uint32_t flows : {2, 8, 32})
    {
        AddTestCase(new SharedPortTestCase(flows));
    }
    if (!IS_REFERENCE<TcpSocketState>)
    {
        return;
    }
    const LossScript losses{{nth(40), nth(45), nth(46)}};
    AddForAll("acknowledgments delayed", {{"DelAckCount", "2"}}, losses);
    AddForAll("a small receive window", {{"RcvBufSize", "29200"}}, losses);
    AddForAll("a large initial window", {{"InitialCwnd", "100"}}, losses);
    AddForAll("five duplicates tell of a loss", {{"ReTxThreshold", "5"}}, losses);
    AddForAll("without limited transmit", {{"LimitedTransmit", "false"}}, losses);
    AddForAll("RFC 3168's ECN", {{"UseEcn", "On"}}, {{nth(90)}, {}, {30 * MSS, 31 * MSS}});
    AddForAll("a small initial threshold", {{"InitialSlowStartThreshold", "29200"}}, losses);
    const Attributes pacing{{"Pacing", "true"}, {"MaxPacingRate", "400Gbps"}};
    AddForAll("pacing", pacing, losses);
    Attributes bbr{{"CongestionOps", "ns3::TcpBbr"}};
    bbr.insert(bbr.end(), pacing.begin(), pacing.end());
    AddTestCase(new EqualFlowsTestCase("BBR", bbr, {}, 3000, false));
    AddForAll("segments of 8960 bytes", {{"SegmentSize", "8960"}}, {{{40 * 8960, 1}}});
    AddTestCase(new RandomScriptsTestCase);
    for (const char* roundTrip :
         {"10us", "100us", "1ms", "2400us", "2600us", "5ms", "8ms", "30ms", "100ms", "300ms"})
    {
        AddTestCase(new AnyRoundTripTestCase(Time(roundTrip)));
    }
    AddTestCase(new CeStateTestCase);
}

static TransportEquivalenceTestSuite g_transportEquivalenceTestSuite; //!< registers the suite
