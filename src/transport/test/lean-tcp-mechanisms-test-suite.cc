/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What lean TCP does besides repairing losses, each mechanism with the numbers of its RFC.

#include "lean-tcp-test.h"

#include "ns3/double.h"
#include "ns3/flow-hash.h"
#include "ns3/global-value.h"
#include "ns3/lean-tcp-rate.h"
#include "ns3/path-selector.h"
#include "ns3/tcp-congestion-fork.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/uinteger.h"

#include <cmath>

using namespace ns3;

namespace
{

/**
 * @param seen packets
 * @return segment numbers, in the order of passing
 */
std::vector<uint64_t>
GetOrder(const std::vector<SeenSegment>& seen)
{
    std::vector<uint64_t> order;
    for (const SeenSegment& segment : seen)
    {
        order.push_back(segment.sequence / MSS);
    }
    return order;
}

} // namespace

/**
 * @ingroup transport-tests
 * @brief RFC 3042: each of the first two duplicates releases a new segment, the third one the
 * retransmission.
 */
class LimitedTransmitTestCase : public TestCase
{
  public:
    LimitedTransmitTestCase()
        : TestCase("limited transmit")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool sack : {true, false})
        {
            for (const bool limited : {true, false})
            {
                TwoHosts hosts(CreateLean({{"Sack", sack ? "true" : "false"},
                                           {"LimitedTransmit", limited ? "true" : "false"}}),
                               LossScript{{{0, 1}}});
                hosts.Run(100 * MSS);
                auto order = GetOrder(hosts.GetStage().Select(true));
                NS_TEST_ASSERT_MSG_GT(order.size(), 13, "sent");
                order.resize(13);
                const std::vector<uint64_t> with{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0};
                const std::vector<uint64_t> without{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0};
                if (!limited)
                {
                    order.resize(11);
                }
                NS_TEST_EXPECT_MSG_EQ((order == (limited ? with : without)),
                                      true,
                                      "SACK " << sack << ", limited transmit " << limited);
            }
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief RFC 6298: the first timeout, also after SYNs that timed out, doubling, and its limit.
 */
class BackOffTestCase : public TestCase
{
  public:
    BackOffTestCase()
        : TestCase("retransmission timeout: least, doubled, most")
    {
    }

  private:
    void Expect(const std::vector<std::pair<std::string, std::string>>& attributes,
                const std::vector<int64_t>& timeouts,
                const std::set<uint32_t>& lostSyns = {})
    {
        LossScript script;
        script.opening = lostSyns;
        for (uint32_t transmission = 1; transmission <= timeouts.size(); ++transmission)
        {
            script.data.insert({0, transmission});
        }
        auto transport = CreateLean(attributes);
        TwoHosts hosts(transport, script);
        hosts.Run(MSS);
        const auto data = hosts.GetStage().Select(true);
        NS_TEST_ASSERT_MSG_EQ(data.size(), timeouts.size() + 1, "transmissions");
        NS_TEST_EXPECT_MSG_EQ(transport->GetStatistics().timeouts,
                              timeouts.size() + lostSyns.size(),
                              "timeouts");
        for (std::size_t i = 0; i < timeouts.size(); ++i)
        {
            // The first transmission follows the ACK of the handshake, 32 ns, if there is one.
            NS_TEST_EXPECT_MSG_EQ_TOL(data[i + 1].time - data[i].time,
                                      timeouts[i],
                                      32,
                                      "timeout " << i);
        }
    }

    void DoRun() override
    {
        // The handshake's round trip, 20.152 us, makes for 60 us by rule 2.2: MinRto rules.
        Expect({}, {200000, 400000, 800000, 1600000});
        Expect({{"MaxRto", "500us"}}, {200000, 400000, 500000, 500000});
        Expect({{"MinRto", "10us"}}, {3 * 20152, 6 * 20152, 12 * 20152}); // R + 4 R/2
        Expect({{"MinRto", "10us"}, {"ClockGranularity", "10us"}}, {3 * 20152});
        Expect({{"Handshake", "false"}, {"InitialRto", "3ms"}}, {3000000, 6000000});
        // No sample, but no round trip is longer than the time since the first SYN (rule 5.7).
        const int64_t once = 2'500'000 + 20'152;
        Expect({}, {3 * once, 6 * once}, {1});
        Expect({}, {3 * (5'000'000 + once)}, {1, 2});
        Expect({{"InitialRto", "10ms"}}, {10'000'000}, {1});
        Expect({{"MaxRto", "3ms"}}, {3'000'000, 3'000'000}, {1});
    }
};

/**
 * @ingroup transport-tests
 * @brief RFC 8985, section 7: when a probe is sent, what it is, and what its answer says.
 */
class TailLossProbeTestCase : public TestCase
{
  public:
    TailLossProbeTestCase()
        : TestCase("tail loss probes")
    {
    }

  private:
    using Attributes = std::vector<std::pair<std::string, std::string>>;

    /// @brief Outcome of a flow of ten segments and one of 20 that follows on its connection.
    struct Result
    {
        LeanTcpStatistics statistics;   //!< of both
        std::vector<SeenSegment> first; //!< transmissions of the first flow
        std::vector<uint64_t> order;    //!< numbers of its segments
    };

    /**
     * @brief Run the flows.
     * @param script packets to lose
     * @param attributes of the transport besides the probes
     * @return the outcome
     */
    Result Run(const LossScript& script, const Attributes& attributes = {})
    {
        Attributes all{{"MinRto", "50ms"},
                       {"TailLossProbe", "true"},
                       {"Rack", "true"},
                       {"Persistence", "Shared"}};
        all.insert(all.end(), attributes.begin(), attributes.end());
        auto transport = CreateLean(all);
        TwoHosts hosts(transport, script);
        hosts.Send(10 * MSS);
        Simulator::Schedule(MilliSeconds(300), [&hosts] { hosts.Send(20 * MSS); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hosts.finished.size(), 2, "both finish");
        Result result{transport->GetStatistics(), {}, {}};
        for (const SeenSegment& segment : hosts.GetStage().Select(true))
        {
            if (segment.sequence < 10 * MSS)
            {
                result.first.push_back(segment);
                result.order.push_back(segment.sequence / MSS);
            }
        }
        return result;
    }

    void DoRun() override
    {
        const Result calm = Run({});
        NS_TEST_EXPECT_MSG_EQ(calm.statistics.probes, 0, "nothing is lost");

        // The last one is lost: the probe is that segment, two round trips after it.
        const Result last = Run(LossScript{{{9 * MSS, 1}}}, {{"ProbeDelay", "0us"}});
        NS_TEST_EXPECT_MSG_EQ(last.statistics.probes, 1, "a probe");
        NS_TEST_EXPECT_MSG_EQ(last.statistics.timeouts, 0, "instead of a timeout");
        NS_TEST_ASSERT_MSG_EQ(last.order.size(), 11, "transmissions");
        NS_TEST_EXPECT_MSG_EQ(last.order.back(), 9, "of the last segment");
        const int64_t waited = last.first[10].time - last.first[9].time;
        NS_TEST_EXPECT_MSG_GT(waited, 2 * 20152, "two round trips");
        NS_TEST_EXPECT_MSG_LT(waited, 4 * 20152, "from the last acknowledgment on");
        NS_TEST_EXPECT_MSG_EQ(last.statistics.windowReductions,
                              1,
                              "that it repaired a loss is known when more is acknowledged");

        // Its acknowledgment may be delayed: by default the probe waits longer than the timeout.
        const Result single = Run(LossScript{{{9 * MSS, 1}}});
        NS_TEST_EXPECT_MSG_EQ(single.statistics.probes, 0, "one segment in flight");
        NS_TEST_EXPECT_MSG_EQ(single.statistics.timeouts, 1, "a timeout");

        // The last three are lost: the probe's answer tells RACK of the two before it.
        const LossScript tail{{{7 * MSS, 1}, {8 * MSS, 1}, {9 * MSS, 1}}};
        const Result three = Run(tail);
        NS_TEST_EXPECT_MSG_EQ(three.statistics.probes, 1, "one probe");
        NS_TEST_EXPECT_MSG_EQ(three.statistics.timeouts, 0, "no timeout");
        NS_TEST_EXPECT_MSG_EQ(three.statistics.fastRecoveries, 1, "a recovery");
        const std::vector<uint64_t> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 7, 8};
        NS_TEST_EXPECT_MSG_EQ((three.order == order), true, "the others at once");

        // The least wait, as Linux had it.
        const Result slow = Run(tail, {{"MinProbeTimeout", "10ms"}});
        NS_TEST_EXPECT_MSG_GT(slow.first[10].time - slow.first[9].time, 9900000, "10 ms");

        // The probe is lost as well: the timeout, and no second probe before it.
        const Result lost = Run(LossScript{{{8 * MSS, 1}, {9 * MSS, 1}, {9 * MSS, 2}}});
        NS_TEST_EXPECT_MSG_EQ(lost.statistics.probes, 1, "one probe");
        NS_TEST_EXPECT_MSG_EQ(lost.statistics.timeouts, 1, "then the timeout");

        // Only acknowledgments are lost: the answer to the probe repeats what was acknowledged.
        const Result needless = Run(LossScript{{}, {9, 10}});
        NS_TEST_EXPECT_MSG_EQ(needless.statistics.probes, 1, "a needless probe");
        NS_TEST_EXPECT_MSG_EQ(needless.order.back(), 9, "of the last segment");
    }
};

/**
 * @ingroup transport-tests
 * @brief RFC 7323's window scaling, and a cap on the window.
 */
class WindowTestCase : public TestCase
{
  public:
    WindowTestCase()
        : TestCase("window scaling, receive window, cap")
    {
    }

  private:
    /**
     * @brief Run a flow.
     * @param attributes of the transport
     * @param most bytes that should be in flight at most, and are for some time
     * @param synSize IP datagram in bytes
     */
    void Expect(const std::vector<std::pair<std::string, std::string>>& attributes,
                uint32_t most,
                uint32_t synSize)
    {
        auto transport = CreateLean(attributes);
        TwoHosts hosts(transport);
        const FlowId flow = hosts.Send(400 * MSS);
        m_peak = 0;
        transport->GetConnection(flow)->GetSender().GetState()->TraceConnectWithoutContext(
            "BytesInFlight",
            MakeCallback(&WindowTestCase::HandleInFlight, this));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hosts.delivered[flow], 400 * MSS, "delivered");
        NS_TEST_EXPECT_MSG_EQ(m_peak, most, "in flight");
        NS_TEST_EXPECT_MSG_EQ(hosts.GetStage().GetSeen().front().size, synSize, "SYN");
    }

    /**
     * @brief The amount of data in flight changed.
     * @param before bytes
     * @param now bytes
     */
    void HandleInFlight(uint32_t before, uint32_t now)
    {
        (void)before;
        m_peak = std::max(m_peak, now);
    }

    void DoRun() override
    {
        // 100 segments at first, doubled in a round trip. A window is used up to the last full
        // segment (RFC 9293, section 3.8.6.2.1).
        Expect({{"InitialCwnd", "100"}, {"MaxWindow", "292000"}}, 200 * MSS, 48);
        Expect({{"InitialCwnd", "100"}, {"WindowScaling", "false"}}, 44 * MSS, 44);
        Expect({{"InitialCwnd", "100"}, {"RcvBufSize", "30000"}}, 20 * MSS, 48);
        // 400000 needs a shift of 3 bits, and is a multiple of 8.
        Expect({{"InitialCwnd", "350"}, {"RcvBufSize", "400000"}}, 273 * MSS, 48);
        Expect({{"InitialCwnd", "100"}, {"MaxWindow", "20000"}}, 13 * MSS, 48);
        Expect({{"InitialCwnd", "100"}, {"MaxWindow", "29200"}, {"Sack", "false"}}, 20 * MSS, 44);
    }

    uint32_t m_peak{0}; //!< most bytes in flight
};

/**
 * @ingroup transport-tests
 * @brief A window of W per round trip gives W/RTT, and the options cost what they weigh.
 */
class FixedWindowTestCase : public TestCase
{
  public:
    FixedWindowTestCase()
        : TestCase("throughput of a capped window; timestamps")
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t windows = 50;
        TwoHosts hosts(CreateLean({{"MaxWindow", std::to_string(10 * MSS)}}));
        const FlowRecord record = hosts.Run(uint64_t{windows} * 10 * MSS);
        // A round trip: 20 us, 1500 B twice and 40 B twice at 10 Gbps. The first segment waits for
        // the ACK of the handshake; the last window takes until its tenth segment is through.
        const int64_t roundTrip = 20000 + 2 * 1200 + 2 * 32;
        NS_TEST_EXPECT_MSG_EQ((record.acknowledged - record.firstSent).GetNanoSeconds(),
                              windows * roundTrip + 9 * 1200 + 32,
                              "one window per round trip");

        auto transport = CreateLean({{"Timestamp", "true"}, {"SegmentSize", "1448"}});
        TwoHosts stamped(transport);
        stamped.Run(20 * 1448);
        for (const SeenSegment& seen : stamped.GetStage().Select(true))
        {
            NS_TEST_EXPECT_MSG_EQ(seen.size, 1500, "1448 of payload, 52 of headers");
        }
        NS_TEST_EXPECT_MSG_EQ(stamped.GetStage().GetSeen()[0].size, 56, "SYN with all options");
        NS_TEST_EXPECT_MSG_EQ(transport->GetPacketSizes().header, 52, "as told to others");
    }
};

/**
 * @ingroup transport-tests
 * @brief RFC 3168: ECT on new data only, echoes until CWR, one reduction per window; and RFC 8257:
 * exact echoes, ECT on everything.
 */
class EcnTestCase : public TestCase
{
  public:
    EcnTestCase()
        : TestCase("ECN echoes, CWR, codepoints")
    {
    }

  private:
    void DoRun() override
    {
        Latched();
        Exact();
        auto transport = CreateLean();
        const LossScript script{{{40 * MSS, 1}, {160 * MSS, 1}, {160 * MSS, 2}}, {}, {5 * MSS}};
        TwoHosts off(transport, script);
        off.Run(300 * MSS);
        NS_TEST_EXPECT_MSG_EQ(transport->GetStatistics().fastRecoveries, 2, "two reductions");
        NS_TEST_EXPECT_MSG_EQ(transport->GetStatistics().timeouts, 1, "and another");
        const uint32_t ecn = LeanTcpHeader::CWR | LeanTcpHeader::ECE;
        for (const SeenSegment& seen : off.GetStage().GetSeen())
        {
            NS_TEST_EXPECT_MSG_EQ(seen.tos, 0, "without ECN nothing is ECT");
            NS_TEST_EXPECT_MSG_EQ((seen.flags & ecn), 0, "and nothing echoed or announced");
        }
    }

    void Latched()
    {
        // The DSCP leaves ECN alone; the retransmission of segment 60 is not ECT.
        auto transport = CreateLean({{"UseEcn", "On"}, {"Dscp", "46"}});
        TwoHosts hosts(transport, LossScript{{{60 * MSS, 1}}, {}, {5 * MSS, 7 * MSS}});
        hosts.Run(100 * MSS);
        bool marked = false;  // as the receiver knows, when its acknowledgment passes
        bool reduced = false; // CWR passed
        bool lost = false;    // segment 60 was
        uint32_t echoes = 0;
        uint32_t announcements = 0;
        for (const SeenSegment& seen : hosts.GetStage().GetSeen())
        {
            const bool again = seen.sequence == 60 * MSS && lost;
            const bool ect = seen.length > 0 && !again;
            lost |= seen.dropped;
            NS_TEST_EXPECT_MSG_EQ(uint32_t{seen.tos}, (46 << 2 | (ect ? 2U : 0U)), "ECT(0)");
            if (!seen.fromSender && !(seen.flags & LeanTcpHeader::SYN))
            {
                marked |= seen.acknowledged == 6 * MSS;
                const bool echo = seen.flags & LeanTcpHeader::ECE;
                echoes += echo;
                NS_TEST_EXPECT_MSG_EQ((!echo || marked), true, "no echo before the mark");
                NS_TEST_EXPECT_MSG_EQ((echo || !marked || reduced), true, "echoes until CWR");
            }
            if (seen.flags & LeanTcpHeader::CWR)
            {
                reduced = true;
                ++announcements;
            }
        }
        NS_TEST_EXPECT_MSG_GT(echoes, 1, "more echoes than marks");
        const LeanTcpStatistics statistics = transport->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.windowReductions, 1, "once per window of data");
        NS_TEST_EXPECT_MSG_EQ(announcements,
                              statistics.windowReductions + statistics.fastRecoveries,
                              "CWR for each reduction, the loss's too");
    }

    void Exact()
    {
        TwoHosts hosts(CreateLean({{"CongestionOps", "ns3::TcpDctcp"}}),
                       LossScript{{{60 * MSS, 1}}, {}, {5 * MSS, 7 * MSS, 8 * MSS}});
        hosts.Run(100 * MSS);
        for (const SeenSegment& seen : hosts.GetStage().GetSeen())
        {
            NS_TEST_EXPECT_MSG_EQ((seen.tos & 3), 2, "everything is ECT (RFC 8257, section 3.4)");
            if (!seen.fromSender && !(seen.flags & LeanTcpHeader::SYN))
            {
                const uint64_t segment = seen.acknowledged / MSS - 1;
                NS_TEST_EXPECT_MSG_EQ(bool(seen.flags & LeanTcpHeader::ECE),
                                      (segment == 5 || segment == 7 || segment == 8),
                                      "marks are echoed one by one");
            }
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief RFC 8257, section 3.5: a loss halves DCTCP's window, whatever its estimate; ns-3's way is
 * an attribute.
 */
class DctcpLossTestCase : public TestCase
{
  public:
    DctcpLossTestCase()
        : TestCase("DCTCP and losses")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool reacts : {true, false})
        {
            auto transport = CreateLean({{"CongestionOps", "ns3::TcpDctcp"},
                                         {"MaxWindow", "73000"},
                                         {"InitialSlowStartThreshold", "73000"},
                                         {"DctcpReactsToLoss", reacts ? "true" : "false"}});
            // By then the estimate has decayed for 40 windows: (15/16)^40 = 0.08.
            TwoHosts hosts(transport, LossScript{{{2000 * MSS, 1}}});
            m_state = transport->GetConnection(hosts.Send(2500 * MSS))->GetSender().GetState();
            m_state->TraceConnectWithoutContext(
                "SlowStartThreshold",
                MakeCallback(&DctcpLossTestCase::HandleThreshold, this));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(transport->GetStatistics().fastRecoveries, 1, "one loss");
            // Half of the 50 segments in flight, less the three that came since; or the window as
            // it was, which nobody kept from growing, less half of the estimate.
            const double expected = reacts ? (50 - 3) / 2.0 * MSS : (1 - 0.08 / 2) * m_window;
            NS_TEST_EXPECT_MSG_EQ_TOL(m_threshold, expected, 1.5 * MSS, "reacts " << reacts);
        }
    }

    /**
     * @brief The threshold changed.
     * @param before bytes
     * @param after bytes
     */
    void HandleThreshold(uint32_t before, uint32_t after)
    {
        (void)before;
        m_threshold = after;
        m_window = m_state->m_cWnd;
    }

    Ptr<TcpSocketState> m_state; //!< of the flow
    uint32_t m_threshold{0};     //!< the latest, in bytes
    uint32_t m_window{0};        //!< the window when it was set, in bytes
};

/**
 * @ingroup transport-tests
 * @brief DCTCP's estimate of the share of marked bytes (Nimble, Section 3.1.2; RFC 8257).
 */
class DctcpEstimateTestCase : public TestCase
{
  public:
    DctcpEstimateTestCase()
        : TestCase("DCTCP's estimate")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Estimate(1, 4), 0.25, 0.01, "one of four segments is marked");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_threshold, 100 * MSS * (1 - 0.25 / 2), MSS, "by an eighth");
        NS_TEST_EXPECT_MSG_EQ_TOL(Estimate(4, 4), 1, 1e-9, "all are");
        NS_TEST_EXPECT_MSG_EQ(m_threshold, 50 * MSS, "half of the window");
        NS_TEST_EXPECT_MSG_LT(Estimate(0, 4), 0.01, "none is");
    }

    /**
     * @brief After 100 windows of a few segments, from an estimate of 1 on.
     * @param marked segments of each window
     * @param segments of each window
     * @return the estimate
     */
    double Estimate(uint32_t marked, uint32_t segments)
    {
        auto dctcp = CreateObject<TcpDctcp>();
        dctcp->TraceConnectWithoutContext("CongestionEstimate",
                                          MakeCallback(&DctcpEstimateTestCase::Note, this));
        auto state = CreateObject<TcpSocketState>();
        state->m_segmentSize = MSS;
        state->m_cWnd = 100 * MSS;
        for (uint32_t i = 0; i < 100 * segments; ++i)
        {
            state->m_ecnState =
                i % segments < marked ? TcpSocketState::ECN_ECE_RCVD : TcpSocketState::ECN_IDLE;
            state->m_nextTxSequence = state->m_lastAckedSeq + segments * MSS;
            state->m_lastAckedSeq += MSS;
            dctcp->PktsAcked(state, 1, MicroSeconds(10));
        }
        m_threshold = dctcp->GetSsThresh(state, 0);
        return m_estimate;
    }

    void Note(uint32_t /* acknowledged */, uint32_t /* marked */, double estimate)
    {
        m_estimate = estimate;
    }

    double m_estimate{1};    //!< the latest
    uint32_t m_threshold{0}; //!< bytes
};

/**
 * @ingroup transport-tests
 * @brief A congestion control may set a window of less than one segment (DCTCP's at many marks):
 * one segment at a time goes on (RFC 3168, section 6.1.2).
 */
class SmallWindowTestCase : public TestCase
{
  public:
    SmallWindowTestCase()
        : TestCase("a window of less than one segment")
    {
    }

  private:
    void DoRun() override
    {
        LossScript script;
        for (uint64_t segment = 0; segment < 100; ++segment)
        {
            script.marks.insert(segment * MSS);
        }
        for (const std::string recovery : {"TcpClassicRecovery", "TcpPrrRecovery"})
        {
            auto transport =
                CreateLean({{"CongestionOps", "ns3::TcpDctcp"}, {"RecoveryOps", recovery}});
            TwoHosts hosts(transport, script);
            const FlowRecord record = hosts.Run(100 * MSS);
            NS_TEST_ASSERT_MSG_EQ(hosts.finished.size(), 1, "finishes");
            NS_TEST_EXPECT_MSG_EQ(transport->GetStatistics().timeouts, 0, "without a timeout");
            NS_TEST_EXPECT_MSG_LT(record.acknowledged, MicroSeconds(100 * 23), "in 100 RTTs");
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief Paced segments leave at the rate, never faster.
 */
class PacingTestCase : public TestCase
{
  public:
    PacingTestCase()
        : TestCase("pacing")
    {
    }

  private:
    void DoRun() override
    {
        // The most that is allowed: 1460 B at 1 Gbps.
        TwoHosts limited(CreateLean(
            {{"Pacing", "true"}, {"PaceInitialWindow", "true"}, {"MaxPacingRate", "1Gbps"}}));
        limited.Run(30 * MSS);
        const auto data = limited.GetStage().Select(true);
        NS_TEST_ASSERT_MSG_EQ(data.size(), 30, "sent");
        for (std::size_t i = 2; i < data.size(); ++i) // the first one waits for the handshake's ACK
        {
            NS_TEST_EXPECT_MSG_EQ(data[i].time - data[i - 1].time, 11680, "gap " << i);
        }

        // 120 % of window over smoothed RTT once slow start is over: 1.2 * 14600 B / 22.464 us.
        TwoHosts steady(CreateLean({{"Pacing", "true"},
                                    {"MaxWindow", "14600"},
                                    {"InitialSlowStartThreshold", "14600"},
                                    {"CongestionOps", "ns3::TcpNewReno"}}));
        steady.Run(400 * MSS);
        const auto paced = steady.GetStage().Select(true);
        int64_t least = INT64_MAX;
        for (std::size_t i = 21; i < 100; ++i)
        {
            least = std::min(least, paced[i].time - paced[i - 1].time);
        }
        // The window grows by about a segment per round trip, pacing with it.
        NS_TEST_EXPECT_MSG_GT(least, 1200, "slower than the link");
        NS_TEST_EXPECT_MSG_LT(least, 22464 / 10 / 1.2 * 1.01, "at least at 120 %");
    }
};

/**
 * @ingroup transport-tests
 * @brief Packet spray over paths of unequal length: DupThresh takes late segments for lost ones,
 * RACK with a window for them does not (RFC 8985), nor does a high DupThresh.
 */
class ReorderingTestCase : public TestCase
{
  public:
    ReorderingTestCase()
        : TestCase("packet spray: late is not lost")
    {
    }

  private:
    /**
     * @brief Run eight flows from one leaf to the other.
     * @param attributes of the transport
     * @return counters of what was sent
     */
    LeanTcpStatistics Run(const std::vector<std::pair<std::string, std::string>>& attributes)
    {
        constexpr uint32_t pairs = 8;
        auto fabric = CreateObject<Fabric>();
        fabric->SetTierNames({"host", "leaf", "spine"});
        const Fabric::End leaves[] = {fabric->AddSwitch(1), fabric->AddSwitch(1)};
        for (const Fabric::End& leaf : leaves)
        {
            for (uint32_t host = 0; host < pairs; ++host)
            {
                fabric->Connect(fabric->AddHost(), leaf, DataRate("10Gbps"), MicroSeconds(1));
            }
        }
        for (uint32_t spine = 0; spine < 4; ++spine)
        {
            const Fabric::End middle = fabric->AddSwitch(2);
            for (const Fabric::End& leaf : leaves)
            {
                fabric->Connect(leaf, middle, DataRate("40Gbps"), MicroSeconds(1 + 5 * spine));
            }
        }
        fabric->SetPathSelectorFactory([] { return CreateObject<SprayPathSelector>(); });
        fabric->Build();
        fabric->AssignStreams(1);
        const uint64_t live = FabricItem::GetLiveCount();
        auto transport = CreateLean(attributes);
        transport->Attach(fabric);

        struct Counter : public FlowObserver
        {
            void FlowFinished(const FlowRecord& /* record */) override
            {
                ++finished;
            }

            uint32_t finished{0};
        } counter;

        transport->AddObserver(&counter);
        for (uint32_t host = 0; host < pairs; ++host)
        {
            transport->StartFlow({host, pairs + host, 1000000, 0});
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(counter.finished, pairs, "all finish");
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no packet is left");
        const LeanTcpStatistics statistics = transport->GetStatistics();
        transport->Dispose();
        Simulator::Destroy();
        fabric->Dispose();
        return statistics;
    }

    void DoRun() override
    {
        const std::pair<std::string, std::string> window{"MaxWindow", "60000"}; // loses nothing
        for (const std::string ops :
             {"ns3::TcpLinuxReno", "ns3::TcpNewReno", "ns3::TcpCubic", "ns3::TcpDctcp"})
        {
            const std::pair<std::string, std::string> control{"CongestionOps", ops};
            NS_TEST_EXPECT_MSG_GT(Run({window, control}).retransmissions, 100, "in vain " << ops);
            Run({window, control, {"Sack", "false"}, {"RecoveryOps", "TcpClassicRecovery"}});
            const auto patient =
                Run({window, control, {"Rack", "true"}, {"RackReorderingWindow", "100us"}});
            NS_TEST_EXPECT_MSG_EQ(patient.retransmissions, 0, "RACK waits, " << ops);
            const auto deaf = Run({window, control, {"ReTxThreshold", "1000"}});
            NS_TEST_EXPECT_MSG_EQ(deaf.retransmissions, 0, "a high DupThresh waits, " << ops);
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief Messages on persistent connections, and what idleness does to the window.
 */
class PersistenceTestCase : public TestCase
{
  public:
    PersistenceTestCase()
        : TestCase("connections: one per flow, idle ones again, one for all")
    {
    }

  private:
    /// @brief Outcome of three flows, the first two at once, the third one later.
    struct Result
    {
        uint32_t connections; //!< SYNs
        uint32_t tuples;      //!< different hashes of data
        bool ordered;         //!< true if the first two were delivered one after the other
        uint32_t burst;       //!< segments that the third flow sent at once
    };

    /**
     * @brief Run the flows.
     * @param attributes of the transport
     * @return the outcome
     */
    Result Run(const std::vector<std::pair<std::string, std::string>>& attributes)
    {
        TwoHosts hosts(CreateLean(attributes));
        hosts.Send(100 * MSS + 1);
        hosts.Send(50 * MSS);
        Simulator::Schedule(MilliSeconds(2), [&hosts] { hosts.Send(60 * MSS); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hosts.finished.size(), 3, "all finish");
        NS_TEST_EXPECT_MSG_EQ(hosts.delivered[1], 100 * MSS + 1, "every byte of the first");
        NS_TEST_EXPECT_MSG_EQ(hosts.delivered[2], 50 * MSS, "every byte of the second");
        NS_TEST_EXPECT_MSG_EQ(hosts.delivered[3], 60 * MSS, "every byte of the third");
        Result result{};
        std::set<uint32_t> hashes;
        int64_t last = 0;
        for (const SeenSegment& seen : hosts.GetStage().GetSeen())
        {
            result.connections += seen.fromSender && (seen.flags & LeanTcpHeader::SYN);
            if (seen.length > 0)
            {
                hashes.insert(seen.hash);
                if (seen.time > 2000000 && (last < 2000000 || seen.time - last < 1300))
                {
                    ++result.burst;
                    last = seen.time;
                }
            }
        }
        result.tuples = hashes.size();
        result.ordered =
            hosts.finished[0].id == 1 &&
            hosts.finished[1].firstSent > hosts.finished[0].firstSent + MicroSeconds(50);
        return result;
    }

    void DoRun() override
    {
        const Result perFlow = Run({});
        NS_TEST_EXPECT_MSG_EQ(perFlow.connections, 3, "one per flow");
        NS_TEST_EXPECT_MSG_EQ(perFlow.tuples, 3, "with a 5-tuple of its own");
        NS_TEST_EXPECT_MSG_EQ(perFlow.ordered, false, "side by side");
        NS_TEST_EXPECT_MSG_EQ(perFlow.burst, 10, "initial window");
        const Result idle = Run({{"Persistence", "ReuseIdle"}});
        NS_TEST_EXPECT_MSG_EQ(idle.connections, 2, "the third flow finds an idle one");
        NS_TEST_EXPECT_MSG_EQ(idle.tuples, 2, "connections");
        NS_TEST_EXPECT_MSG_EQ(idle.burst, 10, "restart window (RFC 5681, section 4.1)");
        const Result limited = Run({{"Persistence", "ReuseIdle"}, {"MostConnections", "1"}});
        NS_TEST_EXPECT_MSG_EQ(limited.connections, 1, "no more than allowed");
        NS_TEST_EXPECT_MSG_EQ(limited.ordered, true, "the second flow waits");
        const Result roomy = Run({{"Persistence", "ReuseIdle"}, {"MostConnections", "2"}});
        NS_TEST_EXPECT_MSG_EQ(roomy.connections, 2, "as many as allowed");
        NS_TEST_EXPECT_MSG_EQ(roomy.ordered, false, "side by side");
        const Result together = Run(
            {{"Persistence", "ReuseIdle"}, {"MostConnections", "25"}, {"OpenTogether", "true"}});
        NS_TEST_EXPECT_MSG_EQ(together.connections, 25, "all at the first flow");
        NS_TEST_EXPECT_MSG_EQ(together.tuples, 2, "of which two are needed");
        const Result shared = Run({{"Persistence", "Shared"}});
        NS_TEST_EXPECT_MSG_EQ(shared.connections, 1, "one for all");
        NS_TEST_EXPECT_MSG_EQ(shared.ordered, true, "one message after the other");
        NS_TEST_EXPECT_MSG_EQ(shared.burst, 10, "restart window");
        const Result bold = Run({{"Persistence", "Shared"}, {"RestartAfterIdle", "false"}});
        NS_TEST_EXPECT_MSG_EQ(bold.burst, 60, "the window of before");
    }
};

/**
 * @ingroup transport-tests
 * @brief A flow without end is stopped; a rate-based congestion control; both kernels.
 */
class LifeTestCase : public TestCase
{
  public:
    LifeTestCase()
        : TestCase("stopping, BBR, both kernels")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        for (const Time& stop : {Time(0), MicroSeconds(10), MicroSeconds(500)})
        {
            auto transport = CreateLean();
            TwoHosts hosts(transport);
            const FlowId endless = hosts.Send(0);
            Simulator::Schedule(stop, [&] {
                transport->StopFlow(endless);
                transport->StopFlow(endless);
            });
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(hosts.finished.size(), 1, "once");
            NS_TEST_EXPECT_MSG_EQ(hosts.finished[0].acknowledged, stop, "then");
            NS_TEST_EXPECT_MSG_EQ((hosts.delivered[endless] > 0),
                                  (stop > MicroSeconds(100)),
                                  "delivered until then");
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no packet is left");

        RunBbr();
        RunKernels();
    }

    void RunBbr()
    {
        TwoHosts hosts(CreateLean({{"CongestionOps", "ns3::TcpBbr"}}));
        const FlowRecord record = hosts.Run(20000000);
        const double goodput = 8 * 20e6 / (record.acknowledged - record.firstSent).GetSeconds();
        NS_TEST_EXPECT_MSG_GT(goodput, 0.85e10, "BBR finds the link's rate");
        NS_TEST_EXPECT_MSG_LT(goodput, 1e10, "and no more");

        LeanTcpRate rate;
        CreateObject<LeanTcpRateOps>(rate)->SetAppLimited(3000);
        NS_TEST_EXPECT_MSG_EQ(rate.GetConnection().m_appLimited, 3000, "what BBR says is noted");
    }

    void RunKernels()
    {
        std::vector<int64_t> times[2];
        for (const std::string kernel :
             {"ns3::DefaultSimulatorImpl", "ns3::TimingWheelSimulatorImpl"})
        {
            GlobalValue::Bind("SimulatorImplementationType", StringValue(kernel));
            LossScript script;
            for (uint64_t segment = 7; segment < 500; segment += segment / 3)
            {
                script.data.insert({segment * MSS, 1});
            }
            TwoHosts hosts(CreateLean({{"Pacing", "true"}, {"DelAckCount", "2"}}), script);
            hosts.Run(500 * MSS);
            for (const SeenSegment& seen : hosts.GetStage().GetSeen())
            {
                times[kernel != "ns3::DefaultSimulatorImpl"].push_back(seen.time);
            }
        }
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
        NS_TEST_EXPECT_MSG_GT(times[0].size(), 500, "sent");
        NS_TEST_EXPECT_MSG_EQ((times[0] == times[1]), true, "the same under both kernels");
    }
};

/**
 * @ingroup transport-tests
 * @brief A congestion control whose copies forget by how much it reduces the window, as those of
 * ns-3 3.47's Reno do.
 */
class ForgetfulOps : public TcpCongestionOps
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ForgetfulOps")
                                .SetParent<TcpCongestionOps>()
                                .SetGroupName("Transport")
                                .AddConstructor<ForgetfulOps>()
                                .AddAttribute("BetaLoss",
                                              "Factor of the window after a loss",
                                              DoubleValue(0.5),
                                              MakeDoubleAccessor(&ForgetfulOps::m_beta),
                                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

    ForgetfulOps() = default;

    /// @param other the object from which not all is copied
    ForgetfulOps(const ForgetfulOps& other)
        : TcpCongestionOps(other)
    {
    }

    std::string GetName() const override
    {
        return "Forgetful";
    }

    uint32_t GetSsThresh(Ptr<const TcpSocketState> state, uint32_t /* inFlight */) override
    {
        return static_cast<uint32_t>(state->m_cWnd * m_beta);
    }

    Ptr<TcpCongestionOps> Fork() override
    {
        return CopyObject<ForgetfulOps>(this);
    }

  private:
    double m_beta{0}; //!< attribute BetaLoss
};

/**
 * @ingroup transport-tests
 * @brief A connection's congestion control has the settings of the one it was forked from, whatever
 * ns-3's copy constructors leave out.
 */
class ForkTestCase : public TestCase
{
  public:
    ForkTestCase()
        : TestCase("forks keep their settings")
    {
    }

  private:
    void DoRun() override
    {
        const auto forgetful = CreateObject<ForgetfulOps>();
        const auto state = CreateObject<TcpSocketState>();
        state->m_cWnd = 100'000;
        NS_TEST_EXPECT_MSG_EQ(ForkCongestionOps(*forgetful)->GetSsThresh(state, 0), 50'000, "half");

        uint32_t looked = 0;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId tid = TypeId::GetRegistered(i);
            if (tid.IsChildOf(TcpCongestionOps::GetTypeId()) && tid.HasConstructor())
            {
                const auto prototype = ObjectFactory(tid.GetName()).Create<TcpCongestionOps>();
                Compare(*prototype, *ForkCongestionOps(*prototype));
                ++looked;
            }
        }
        NS_TEST_EXPECT_MSG_GT(looked, 10, "all that ns-3 has");
    }

    /**
     * @param prototype has the settings
     * @param fork has to have the same
     */
    void Compare(const TcpCongestionOps& prototype, const TcpCongestionOps& fork)
    {
        const TypeId own = prototype.GetInstanceTypeId();
        for (TypeId tid = own; tid != Object::GetTypeId(); tid = tid.GetParent())
        {
            for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
            {
                const auto attribute = tid.GetAttribute(i);
                if (!attribute.accessor->HasGetter())
                {
                    continue;
                }
                const auto expected = attribute.checker->Create();
                const auto copied = attribute.checker->Create();
                prototype.GetAttribute(attribute.name, *expected);
                fork.GetAttribute(attribute.name, *copied);
                NS_TEST_EXPECT_MSG_EQ(copied->SerializeToString(attribute.checker),
                                      expected->SerializeToString(attribute.checker),
                                      own.GetName() << " " << attribute.name);
            }
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief Mechanisms of lean TCP.
 */
class LeanTcpMechanismsTestSuite : public TestSuite
{
  public:
    LeanTcpMechanismsTestSuite()
        : TestSuite("lean-tcp-mechanisms", Type::UNIT)
    {
        AddTestCase(new LimitedTransmitTestCase);
        AddTestCase(new BackOffTestCase);
        AddTestCase(new WindowTestCase);
        AddTestCase(new FixedWindowTestCase);
        AddTestCase(new EcnTestCase);
        AddTestCase(new DctcpLossTestCase);
        AddTestCase(new DctcpEstimateTestCase);
        AddTestCase(new SmallWindowTestCase);
        AddTestCase(new PacingTestCase);
        AddTestCase(new ReorderingTestCase);
        AddTestCase(new TailLossProbeTestCase);
        AddTestCase(new PersistenceTestCase);
        AddTestCase(new LifeTestCase);
        AddTestCase(new ForkTestCase);
    }
};

static LeanTcpMechanismsTestSuite g_leanTcpMechanismsTestSuite; //!< registers the suite
