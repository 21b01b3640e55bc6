/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-test.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>

using namespace ns3;

namespace
{

/**
 * @ingroup transport-tests
 * @brief Without losses: sizes, times and counts of everything that is sent.
 */
class LeanTcpCleanTestCase : public TestCase
{
  public:
    LeanTcpCleanTestCase()
        : TestCase("a flow without losses: packets, sizes, times")
    {
    }

  private:
    void DoRun() override
    {
        auto transport = CreateLean();
        TwoHosts hosts(transport);
        const FlowRecord record = hosts.Run(20 * MSS + 100);

        const auto& seen = hosts.GetStage().GetSeen();
        NS_TEST_ASSERT_MSG_EQ(seen.size(), 2 + 1 + 21 + 21, "handshake, data, acknowledgments");
        NS_TEST_EXPECT_MSG_EQ(seen[0].size, 48, "SYN: window scale and SACK permitted");
        NS_TEST_EXPECT_MSG_EQ(seen[1].size, 48, "SYN-ACK");
        NS_TEST_EXPECT_MSG_EQ(seen[2].size, 40, "third part of the handshake");
        const auto data = hosts.GetStage().Select(true);
        for (uint32_t i = 0; i < data.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(data[i].sequence, uint64_t{i} * MSS, "in order");
            NS_TEST_EXPECT_MSG_EQ(data[i].size, (i < 20 ? 1500 : 140), "full but for the last");
        }
        // Four links cost 5 us each way; a SYN takes 38.4 ns per link, rounded to 38, a bare
        // acknowledgment 32 ns.
        NS_TEST_EXPECT_MSG_EQ(record.firstSent.GetNanoSeconds(), 20000 + 4 * 38, "one round trip");
        NS_TEST_EXPECT_MSG_EQ(record.requested.GetNanoSeconds(), 0, "asked at the start");
        NS_TEST_EXPECT_MSG_EQ(hosts.delivered[record.id], 20 * MSS + 100, "all was delivered");
        NS_TEST_EXPECT_MSG_EQ(record.acknowledged.GetNanoSeconds(),
                              record.delivered.GetNanoSeconds() + 10000 + 2 * 32,
                              "the last acknowledgment goes back at once");
        const LeanTcpStatistics statistics = transport->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.segments, 21, "each once");
        NS_TEST_EXPECT_MSG_EQ(statistics.retransmissions, 0, "none");
        NS_TEST_EXPECT_MSG_EQ(statistics.timeouts, 0, "none");
        NS_TEST_EXPECT_MSG_EQ(statistics.acknowledgments, 21, "one per segment");
    }
};

/**
 * @ingroup transport-tests
 * @brief A window that never limits: the completion time is the ideal one.
 */
class LeanTcpIdealTestCase : public TestCase
{
  public:
    LeanTcpIdealTestCase()
        : TestCase("with a large window the completion time is the ideal one")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t bytes : {1ULL, 1460ULL, 1461ULL, 1000000ULL})
        {
            // Far above the bandwidth-delay product, yet no more than the host's port can hold.
            auto transport = CreateLean({{"InitialCwnd", "100"},
                                         {"MaxWindow", std::to_string(200 * MSS)},
                                         {"Handshake", "false"}});
            TwoHosts hosts(transport);
            const FlowRecord record = hosts.Run(bytes);
            const FlowRequest request{0, 1, bytes, 0};
            NS_TEST_EXPECT_MSG_EQ(record.acknowledged,
                                  transport->GetIdealCompletionTime(request),
                                  bytes << " bytes");
        }
        for (const std::string persistence : {"PerFlow", "ReuseIdle", "Shared"})
        {
            // The last acknowledgment of a handshake precedes the data, 32 ns, if there is one.
            auto transport = CreateLean({{"Persistence", persistence}});
            TwoHosts hosts(transport);
            const Time first = RunIdealFlow(hosts, *transport);
            const Time second = RunIdealFlow(hosts, *transport);
            NS_TEST_EXPECT_MSG_EQ(first - second,
                                  NanoSeconds(persistence == "PerFlow" ? 0 : 32),
                                  persistence);
        }
    }

    /**
     * @brief Run a flow of one segment, which takes as long as it ideally does.
     * @param hosts send it
     * @param transport theirs
     * @return the ideal completion time
     */
    Time RunIdealFlow(TwoHosts& hosts, const LeanTransport& transport)
    {
        const Time ideal = transport.GetIdealCompletionTime({0, 1, 1000});
        hosts.Run(1000);
        const FlowRecord& record = hosts.finished.back();
        NS_TEST_EXPECT_MSG_EQ(record.acknowledged - record.firstSent, ideal, "ideal");
        return ideal;
    }
};

/**
 * @ingroup transport-tests
 * @brief Slow start: segments per round trip double, with and without delayed acknowledgments.
 */
class LeanTcpSlowStartTestCase : public TestCase
{
  public:
    LeanTcpSlowStartTestCase()
        : TestCase("slow start doubles the window each round trip")
    {
    }

  private:
    void DoRun() override
    {
        TwoHosts hosts(CreateLean({{"InitialCwnd", "2"}}));
        hosts.Run(14 * MSS);
        // A gap of at least 5 us begins another round.
        std::vector<uint32_t> rounds;
        int64_t last = 0;
        for (const SeenSegment& seen : hosts.GetStage().Select(true))
        {
            if (seen.time - last > 5000)
            {
                rounds.push_back(0);
            }
            last = seen.time;
            ++rounds.back();
        }
        const std::vector<uint32_t> expected{2, 4, 8};
        NS_TEST_EXPECT_MSG_EQ((rounds == expected), true, "2, 4, 8");
    }
};

/**
 * @ingroup transport-tests
 * @brief Delayed acknowledgments: one per two segments, and the last one after the timeout.
 */
class LeanTcpDelayedAckTestCase : public TestCase
{
  public:
    LeanTcpDelayedAckTestCase()
        : TestCase("delayed acknowledgments: count and timeout")
    {
    }

  private:
    void DoRun() override
    {
        auto transport = CreateLean({{"DelAckCount", "2"}, {"DelAckTimeout", "50us"}});
        TwoHosts hosts(transport);
        const FlowRecord record = hosts.Run(10 * MSS);
        // The first segment at once, then 2+3, 4+5, 6+7, 8+9, and the tenth by the timeout.
        NS_TEST_EXPECT_MSG_EQ(transport->GetStatistics().acknowledgments, 6, "1 + 4 + 1");
        NS_TEST_EXPECT_MSG_EQ((record.acknowledged - record.delivered).GetNanoSeconds(),
                              50000 + 10000 + 2 * 32,
                              "the timeout, then the way back");
    }
};

/**
 * @ingroup transport-tests
 * @brief Scripted losses: what is sent again, by what, and at what cost.
 */
class LeanTcpLossTestCase : public TestCase
{
  public:
    /// @brief Counters expected.
    struct Expectation
    {
        uint32_t retransmissions; //!< segments sent again
        uint32_t recoveries;      //!< fast recoveries
        uint32_t timeouts;        //!< retransmission timeouts
    };

    /// @brief Names and values.
    using Attributes = std::vector<std::pair<std::string, std::string>>;

    /**
     * @brief Set up.
     * @param name of the case
     * @param attributes of the transport
     * @param script packets to lose
     * @param segments number of full segments of the flow
     * @param expected outcome
     */
    LeanTcpLossTestCase(const std::string& name,
                        Attributes attributes,
                        LossScript script,
                        uint32_t segments,
                        Expectation expected)
        : TestCase(name),
          m_attributes(std::move(attributes)),
          m_script(std::move(script)),
          m_segments(segments),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        auto transport = CreateLean(m_attributes);
        TwoHosts hosts(transport, m_script);
        const FlowRecord record = hosts.Run(uint64_t{m_segments} * MSS);
        NS_TEST_ASSERT_MSG_EQ(hosts.finished.size(), 1, "the flow finishes");
        NS_TEST_EXPECT_MSG_EQ(hosts.delivered[record.id], m_segments * MSS, "all is delivered");
        const LeanTcpStatistics statistics = transport->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.retransmissions, m_expected.retransmissions, "sent again");
        NS_TEST_EXPECT_MSG_EQ(statistics.fastRecoveries, m_expected.recoveries, "recoveries");
        NS_TEST_EXPECT_MSG_EQ(statistics.timeouts, m_expected.timeouts, "timeouts");
        NS_TEST_EXPECT_MSG_EQ(statistics.segments,
                              m_segments + m_expected.retransmissions,
                              "nothing else is sent");
        NS_TEST_EXPECT_MSG_EQ(hosts.GetStage().Select(true).size(),
                              statistics.segments,
                              "the counter counts what is on the wire");
    }

    Attributes m_attributes; //!< of the transport
    LossScript m_script;     //!< packets to lose
    uint32_t m_segments;     //!< full segments of the flow
    Expectation m_expected;  //!< outcome
};

/**
 * @ingroup transport-tests
 * @brief Bad settings are told in one line.
 */
class LeanTcpInputTestCase : public TestCase
{
  public:
    LeanTcpInputTestCase()
        : TestCase("bad settings")
    {
    }

  private:
    void Expect(const std::string& text,
                const std::vector<std::pair<std::string, std::string>>& attributes)
    {
        std::string message;
        auto fabric = CreateObject<Fabric>();
        try
        {
            CreateLean(attributes)->Attach(fabric);
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(message, text, "the one line");
    }

    void DoRun() override
    {
        Expect("CongestionOps = 'TcpFoo': the name of a class derived from ns3::TcpCongestionOps",
               {{"CongestionOps", "TcpFoo"}});
        Expect("CongestionOps = 'ns3::Fabric': the name of a class derived from "
               "ns3::TcpCongestionOps",
               {{"CongestionOps", "ns3::Fabric"}});
        Expect("RecoveryOps = 'none': the name of a class derived from ns3::TcpRecoveryOps",
               {{"RecoveryOps", "none"}});
        Expect("MinRto = '5us': at least ClockGranularity, 10us",
               {{"MinRto", "5us"}, {"ClockGranularity", "10us"}});
        Expect("RcvBufSize = '1000': at least SegmentSize, 1460", {{"RcvBufSize", "1000"}});
        Expect("MaxWindow = '1000': at least SegmentSize, 1460", {{"MaxWindow", "1000"}});
        Expect("Rack = 'true': only with Sack", {{"Rack", "true"}, {"Sack", "false"}});
        auto transport = CreateObject<LeanTransport>();
        NS_TEST_EXPECT_MSG_EQ(transport->SetAttributeFailSafe("SegmentSize", UintegerValue(0)),
                              false,
                              "a segment has at least one byte");
    }
};

/**
 * @ingroup transport-tests
 * @brief Everything about lean TCP on a fabric of two hosts.
 */
class LeanTransportTestSuite : public TestSuite
{
  public:
    LeanTransportTestSuite();
};

LeanTransportTestSuite::LeanTransportTestSuite()
    : TestSuite("lean-transport", Type::UNIT)
{
    AddTestCase(new LeanTcpCleanTestCase);
    AddTestCase(new LeanTcpIdealTestCase);
    AddTestCase(new LeanTcpSlowStartTestCase);
    AddTestCase(new LeanTcpDelayedAckTestCase);
    AddTestCase(new LeanTcpInputTestCase);

    const LeanTcpLossTestCase::Attributes sack{};
    const LeanTcpLossTestCase::Attributes reno{{"Sack", "false"},
                                               {"RecoveryOps", "TcpClassicRecovery"}};
    const LeanTcpLossTestCase::Attributes rack{{"Rack", "true"}};
    const auto nth = [](uint64_t segment, uint32_t transmission = 1) {
        return std::pair(segment * MSS, transmission);
    };
    const auto add = [this](auto... arguments) {
        AddTestCase(new LeanTcpLossTestCase(arguments...));
    };
    add("no loss", sack, LossScript{}, 100, LeanTcpLossTestCase::Expectation{0, 0, 0});
    for (const auto& [name, attributes] :
         {std::pair("SACK", sack), std::pair("NewReno", reno), std::pair("RACK", rack)})
    {
        const std::string with = std::string(" (") + name + ")";
        add("a single loss: fast retransmit" + with,
            attributes,
            LossScript{{nth(40)}},
            100,
            LeanTcpLossTestCase::Expectation{1, 1, 0});
        add("three losses in a row: one recovery" + with,
            attributes,
            LossScript{{nth(40), nth(41), nth(42)}},
            100,
            LeanTcpLossTestCase::Expectation{3, 1, 0});
        add("three losses apart: one recovery" + with,
            attributes,
            LossScript{{nth(40), nth(45), nth(50)}},
            100,
            LeanTcpLossTestCase::Expectation{3, 1, 0});
        add("a lost acknowledgment: nothing" + with,
            attributes,
            LossScript{{}, {20}},
            100,
            LeanTcpLossTestCase::Expectation{0, 0, 0});
        add("the last segment: timeout" + with,
            attributes,
            LossScript{{nth(99)}},
            100,
            LeanTcpLossTestCase::Expectation{1, 0, 1});
        add("the last acknowledgment: timeout" + with,
            attributes,
            LossScript{{}, {100}},
            100,
            LeanTcpLossTestCase::Expectation{1, 0, 1});
        add("last segment but one: too few duplicates, or time" + with,
            attributes,
            LossScript{{nth(98)}},
            100,
            attributes == rack ? LeanTcpLossTestCase::Expectation{1, 1, 0}
                               : LeanTcpLossTestCase::Expectation{1, 0, 1});
        add("SYN" + with,
            attributes,
            LossScript{{}, {}, {}, {1}},
            5,
            LeanTcpLossTestCase::Expectation{0, 0, 1});
        add("SYN-ACK" + with,
            attributes,
            LossScript{{}, {}, {}, {2}},
            5,
            LeanTcpLossTestCase::Expectation{0, 0, 1});
        add("a whole window" + with,
            attributes,
            LossScript{
                {nth(0), nth(1), nth(2), nth(3), nth(4), nth(5), nth(6), nth(7), nth(8), nth(9)}},
            10,
            LeanTcpLossTestCase::Expectation{10, 0, 1});
    }
    add("a lost retransmission: timeout",
        sack,
        LossScript{{nth(40), nth(40, 2)}},
        100,
        LeanTcpLossTestCase::Expectation{2, 1, 1});
    add("a lost retransmission: found by time",
        rack,
        LossScript{{nth(40), nth(40, 2)}},
        100,
        LeanTcpLossTestCase::Expectation{2, 1, 0});
}

LeanTransportTestSuite g_leanTransportTestSuite; //!< the suite

} // namespace
