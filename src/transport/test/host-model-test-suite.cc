/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-test.h"

#include "ns3/fixed-window-transport.h"
#include "ns3/host-model.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/random-variable-stream.h"
#include "ns3/udp-transport.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

/// @brief Packets that left a port back to back.
struct Burst
{
    int64_t begin;    //!< departure of the first one, in time steps
    uint32_t packets; //!< number of packets
};

/**
 * @param star has run
 * @return packets that left the first host's port, cut where the link was idle
 */
std::vector<Burst>
FindBursts(const HostStar& star)
{
    constexpr int64_t PACKET_TIME = 1200; // of 1500 bytes at 10 Gbps
    std::vector<Burst> bursts;
    int64_t last = -2 * PACKET_TIME;
    for (const auto& [time, flow] : star.GetWatch().departures)
    {
        if (time - last > PACKET_TIME)
        {
            bursts.push_back({time, 0});
        }
        ++bursts.back().packets;
        last = time;
    }
    return bursts;
}

/**
 * @param star the hosts and their network
 * @param bytes of a flow from host 0
 * @return the flow's life
 */
FlowRecord
RunFlow(HostStar& star, uint64_t bytes)
{
    star.Send(0, bytes);
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    return star.life;
}

} // namespace

/**
 * @ingroup transport-tests
 * @brief A window of twelve segments behind a slow link: how many leave at a time.
 */
class BurstDeferralTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param size BurstSize in bytes
     * @param share BurstWindowShare
     * @param expected segments of each burst
     */
    BurstDeferralTestCase(uint32_t size, uint32_t share, uint32_t expected)
        : TestCase("bursts of " + std::to_string(size) + " bytes, window over " +
                   std::to_string(share)),
          m_size(size),
          m_share(share),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        // An acknowledgment comes every 12 us.
        HostStar star(CreateLean({{"BurstSize", std::to_string(m_size)},
                                  {"BurstWindowShare", std::to_string(m_share)},
                                  {"InitialCwnd", "12"},
                                  {"MaxWindow", std::to_string(12 * MSS)},
                                  {"Handshake", "false"}}),
                      "100MB",
                      "1Gbps");
        RunFlow(star, 1200 * MSS);
        NS_TEST_ASSERT_MSG_EQ(star.finished, 1, "over");
        const auto bursts = FindBursts(star);
        NS_TEST_ASSERT_MSG_EQ(bursts.front().packets, 12, "the first window");
        uint32_t others = 0;
        for (uint32_t i = 1; i < bursts.size(); ++i)
        {
            others += bursts[i].packets != m_expected;
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(others, 1, "all alike but for the last");
        NS_TEST_EXPECT_MSG_EQ_TOL(bursts.size(),
                                  1 + 1188 / m_expected,
                                  1U,
                                  "nothing is held for good");
        // The slow link never waits.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(star.last, NanoSeconds(1200 * 12'000 + 11'200), "full speed");
    }

    uint32_t m_size;     //!< BurstSize in bytes
    uint32_t m_share;    //!< BurstWindowShare
    uint32_t m_expected; //!< segments of each burst
};

/**
 * @ingroup transport-tests
 * @brief Pacing lets bursts out at the rate; their size follows the rate with BurstTime.
 */
class BurstPacingTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param size BurstSize in bytes
     * @param time BurstTime
     * @param expected segments of each burst
     */
    BurstPacingTestCase(uint32_t size, const std::string& time, uint32_t expected)
        : TestCase("paced bursts of " + std::to_string(size) + " bytes, " + time),
          m_size(size),
          m_time(time),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        HostStar star(CreateLean({{"BurstSize", std::to_string(m_size)},
                                  {"BurstTime", m_time},
                                  {"Pacing", "true"},
                                  {"PaceInitialWindow", "true"},
                                  {"MaxPacingRate", "1Gbps"},
                                  {"InitialCwnd", "200"},
                                  {"Handshake", "false"}}));
        RunFlow(star, 120 * MSS);
        NS_TEST_ASSERT_MSG_EQ(star.finished, 1, "over");
        const auto bursts = FindBursts(star);
        NS_TEST_ASSERT_MSG_EQ(bursts.size(), 120 / m_expected, "bursts");
        for (uint32_t i = 0; i < bursts.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(bursts[i].packets, m_expected, "segments of burst " << i);
            NS_TEST_EXPECT_MSG_EQ(bursts[i].begin,
                                  int64_t{i} * m_expected * MSS * 8,
                                  "at 1 Gbps of payload");
        }
    }

    uint32_t m_size;     //!< BurstSize in bytes
    std::string m_time;  //!< BurstTime
    uint32_t m_expected; //!< segments of each burst
};

/**
 * @ingroup transport-tests
 * @brief UDP in bursts: their distance keeps the rate, and the ideal time is exact.
 */
class BurstUdpTestCase : public TestCase
{
  public:
    BurstUdpTestCase()
        : TestCase("UDP in bursts")
    {
    }

  private:
    static Ptr<UdpTransport> CreateUdp(const std::string& rate)
    {
        auto transport = CreateObject<UdpTransport>();
        transport->SetAttribute("Rate", StringValue(rate));
        transport->SetAttribute("BurstSize", UintegerValue(6000));
        return transport;
    }

    void DoRun() override
    {
        {
            HostStar star(CreateUdp("1Gbps"));
            RunFlow(star, 40 * 1472);
            const auto bursts = FindBursts(star);
            NS_TEST_ASSERT_MSG_EQ(bursts.size(), 10, "bursts");
            for (uint32_t i = 0; i < bursts.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(bursts[i].packets, 4, "packets of burst " << i);
                NS_TEST_EXPECT_MSG_EQ(bursts[i].begin, int64_t{i} * 48'000, "at 1 Gbps");
            }
        }
        for (const std::string rate : {"1Gbps", "7Gbps", "9Gbps", "40Gbps"})
        {
            for (const uint64_t bytes : {100, 1472, 1572, 4 * 1472, 4 * 1472 + 9, 7000, 9 * 1472})
            {
                const auto transport = CreateUdp(rate);
                HostStar star(transport, "100MB", "5Gbps");
                const FlowRecord life = RunFlow(star, bytes);
                NS_TEST_EXPECT_MSG_EQ(life.delivered,
                                      transport->GetIdealCompletionTime(life.request),
                                      bytes << " bytes at " << rate);
            }
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief A stream at 10 Gbps, a segment every 1.2 us: how many acknowledgments there are.
 */
class CoalescingCountTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param attributes of coalescing
     * @param expected segments per acknowledgment
     */
    CoalescingCountTestCase(Attributes attributes, uint32_t expected)
        : TestCase("an acknowledgment per " + std::to_string(expected) + " segments"),
          m_attributes(std::move(attributes)),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t SEGMENTS = 1800;
        m_attributes.insert(
            m_attributes.end(),
            {{"InitialCwnd", "200"}, {"MaxWindow", std::to_string(200 * MSS)}, {"MinRto", "10ms"}});
        auto transport = CreateLean(m_attributes);
        HostStar star(transport);
        RunFlow(star, SEGMENTS * MSS);
        NS_TEST_ASSERT_MSG_EQ(star.finished, 1, "over");
        const LeanTcpStatistics statistics = transport->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.segments, SEGMENTS, "each once");
        // The first segments are acknowledged sooner.
        NS_TEST_EXPECT_MSG_EQ_TOL(statistics.acknowledgments,
                                  uint64_t{SEGMENTS} / m_expected,
                                  uint64_t{2},
                                  "acknowledgments");
    }

    Attributes m_attributes; //!< of coalescing
    uint32_t m_expected;     //!< segments per acknowledgment
};

/**
 * @ingroup transport-tests
 * @brief A segment by itself waits for the whole time.
 */
class CoalescingDelayTestCase : public TestCase
{
  public:
    CoalescingDelayTestCase()
        : TestCase("a segment by itself is handed up after CoalesceTime")
    {
    }

  private:
    static Time Deliver(const std::string& time)
    {
        HostStar star(CreateLean({{"CoalesceTime", time}, {"Handshake", "false"}}));
        return RunFlow(star, MSS).delivered;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Deliver("0us"), NanoSeconds(12'400), "at once");
        NS_TEST_EXPECT_MSG_EQ(Deliver("30us"), NanoSeconds(42'400), "30 us later");
    }
};

/**
 * @ingroup transport-tests
 * @brief Marked segments are not mixed with others: echoes stay exact to the byte.
 */
class CoalescingMarksTestCase : public TestCase
{
  public:
    CoalescingMarksTestCase()
        : TestCase("marks are echoed for the marked bytes")
    {
    }

  private:
    void DoRun() override
    {
        LossScript script;
        script.marks = {5 * MSS, 6 * MSS, 7 * MSS, 20 * MSS};
        TwoHosts hosts(CreateLean({{"CoalesceTime", "20us"},
                                   {"InitialCwnd", "40"},
                                   {"UseEcn", "On"},
                                   {"DctcpAckRule", "PerPacket"}}),
                       script);
        hosts.Run(30 * MSS);
        NS_TEST_ASSERT_MSG_EQ(hosts.finished.size(), 1, "over");
        uint64_t marked = 0;
        uint64_t before = 0;
        uint32_t acknowledgments = 0;
        for (const SeenSegment& seen : hosts.GetStage().Select(false))
        {
            marked += seen.flags & LeanTcpHeader::ECE ? seen.acknowledged - before : 0;
            before = seen.acknowledged;
            acknowledgments += seen.acknowledged > 0;
        }
        NS_TEST_EXPECT_MSG_EQ(marked, 4 * MSS, "echoed");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(acknowledgments, 7, "yet few of them");
    }
};

/**
 * @ingroup transport-tests
 * @brief A segment out of order is not held back with those that came before it.
 */
class CoalescingGapTestCase : public TestCase
{
  public:
    CoalescingGapTestCase()
        : TestCase("a loss is repaired without a timeout")
    {
    }

  private:
    void DoRun() override
    {
        LossScript script;
        script.data = {{10 * MSS, 1}, {40 * MSS, 1}};
        auto transport = CreateLean({{"CoalesceTime", "10us"}, {"MinRto", "10ms"}});
        TwoHosts hosts(transport, script);
        hosts.Run(400 * MSS);
        NS_TEST_ASSERT_MSG_EQ(hosts.finished.size(), 1, "over");
        NS_TEST_EXPECT_MSG_EQ(transport->GetStatistics().timeouts, 0, "no timeout");
        NS_TEST_EXPECT_MSG_EQ(transport->GetStatistics().retransmissions,
                              2,
                              "those that were lost");
    }
};

/**
 * @ingroup transport-tests
 * @brief Host models by name: what they make of transports.
 */
class HostModelTestCase : public TestCase
{
  public:
    HostModelTestCase()
        : TestCase("host models by name")
    {
    }

  private:
    /**
     * @param hosts a host model
     * @param transport with what is written for it
     * @param attribute of the transport
     * @return its value in such hosts
     */
    static std::string Get(const std::string& hosts,
                           const std::string& transport,
                           const std::string& attribute)
    {
        StringValue value;
        Make(hosts, transport)->GetAttribute(attribute, value);
        return value.Get();
    }

    /**
     * @param hosts a host model
     * @param transport with what is written for it
     * @return the transport in such hosts
     */
    static Ptr<Transport> Make(const std::string& hosts, const std::string& transport)
    {
        const auto defaults =
            HostModel::Create(hosts)->GetTransportDefaults("--transport", transport);
        return CreateFromSpec<Transport>("--transport", transport, MakeAttributeValues(defaults));
    }

    void Expect(const std::string& hosts,
                const std::string& transport,
                const std::string& attribute,
                const std::string& value)
    {
        NS_TEST_EXPECT_MSG_EQ(Get(hosts, transport, attribute),
                              value,
                              hosts << " " << transport << " " << attribute);
    }

    void ExpectTime(const std::string& hosts, const std::string& attribute, Time value)
    {
        TimeValue time;
        Make(hosts, "lean")->GetAttribute(attribute, time);
        NS_TEST_EXPECT_MSG_EQ(time.Get(), value, hosts);
    }

    void DoRun() override
    {
        Expect("ideal", "lean", "Backlog", "never");
        Expect("ideal", "lean:Backlog=9000B", "Backlog", "9000B");
        Expect("ideal", "swift", "Backlog", "2p");
        Expect("ideal", "lean", "BurstSize", "0");
        Expect("small-queues", "lean", "Backlog", "2p");
        Expect("small-queues", "mptcp", "Backlog", "2p");
        Expect("small-queues:Backlog=4p", "swift", "Backlog", "4p");
        Expect("linux-2.6.38", "lean", "Backlog", "never");
        Expect("linux-2.6.38", "lean", "BurstSize", "65536");
        ExpectTime("linux-2.6.38", "BurstTime", Time(0));
        Expect("linux-2.6.38:Backlog=3000B", "lean", "Backlog", "3000B");
        Expect("linux-3.6", "lean", "Backlog", "131072B");
        ExpectTime("linux-3.6", "SmallQueueTime", Time(0));
        Expect("linux", "lean", "Backlog", "131072B");
        ExpectTime("linux", "SmallQueueTime", NanoSeconds(1 << 20));
        ExpectTime("linux:BurstTime=1ms", "BurstTime", MilliSeconds(1));
        ExpectTime("linux", "CoalesceTime", MicroSeconds(20));
        Expect("linux", "swift", "Backlog", "2p");
        Expect("linux", "udp", "SendBuffer", "138000B");
        Expect("linux", "udp", "BurstSize", "0");
        ExpectTime("ideal:MinRto=10ms,InitialCwnd=4", "MinRto", MilliSeconds(10));
        CheckPrecedence();
        CheckErrors();
    }

    /// @brief A transport's own settings go before the model, and are told.
    void CheckPrecedence()
    {
        Expect("linux", "lean:Backlog=never", "Backlog", "never");
        const auto model = HostModel::Create("linux");
        model->GetTransportDefaults("--transport", "lean:Backlog=never,MinRto=1ms");
        model->GetTransportDefaults("--transport", "swift");
        const std::vector<std::string> lines = model->GetDeviations();
        NS_TEST_ASSERT_MSG_EQ(lines.size(), 3, "a line for each");
        NS_TEST_EXPECT_MSG_EQ(lines[0], "lean has its own Backlog", "written");
        NS_TEST_EXPECT_MSG_EQ(lines[1], "swift has its own Backlog", "a card's");
        NS_TEST_EXPECT_MSG_EQ(lines[2],
                              "swift has no SmallQueueTime, BurstSize, BurstTime, "
                              "BurstWindowShare, CoalesceTime, CoalesceSize",
                              "not there");
        const auto small = HostModel::Create("small-queues");
        small->GetTransportDefaults("--transport", "swift");
        NS_TEST_EXPECT_MSG_EQ(small->GetDeviations().size(), 0, "a card has as much");
        const auto ideal = HostModel::Create("ideal");
        ideal->GetTransportDefaults("--transport", "swift:Backlog=3p");
        NS_TEST_EXPECT_MSG_EQ(ideal->GetDeviations().size(), 0, "says nothing");
        const auto mixed = HostModel::Create("ideal:InitialCwnd=5,SendBuffer=3p");
        mixed->GetTransportDefaults("--transport", "udp");
        mixed->GetTransportDefaults("--transport", "lean");
        mixed->CheckTaken(); // each has what is its own
    }

    /// @brief A setting that the user wants and cannot have is refused.
    void CheckErrors()
    {
        const auto error = [](const std::string& hosts, const std::string& transport) {
            try
            {
                const auto model = HostModel::Create(hosts);
                model->GetTransportDefaults("--transport", transport);
                model->CheckTaken();
            }
            catch (const InputError& refused)
            {
                return std::string(refused.what());
            }
            return std::string();
        };
        NS_TEST_EXPECT_MSG_EQ(error("linux", "fixed-window"), "", "told");
        NS_TEST_EXPECT_MSG_EQ(error("ideal:InitialCwnd=,SendBuffer=3p", "udp"), "", "open");
        NS_TEST_EXPECT_MSG_EQ(error("ideal:InitialCwnd=5", "udp"),
                              "--hosts = 'ideal:InitialCwnd=5': no transport of this run has "
                              "InitialCwnd",
                              "TCP's alone");
        NS_TEST_EXPECT_MSG_EQ(error("ideal:SendBuffer=3p", "lean"),
                              "--hosts = 'ideal:SendBuffer=3p': no transport of this run has "
                              "SendBuffer",
                              "UDP's alone");
        NS_TEST_EXPECT_MSG_EQ(error("ideal:MinRto=1ms", "swift"),
                              "--hosts = 'ideal:MinRto=1ms': swift has no MinRto",
                              "written");
        NS_TEST_EXPECT_MSG_EQ(error("small-queues:Backlog=3p", "lean:Backlog=2p"),
                              "--hosts = 'small-queues:Backlog=3p': lean has its own Backlog",
                              "both written");
        NS_TEST_EXPECT_MSG_EQ(error("ideal:MinRto=soon", "lean").substr(0, 25),
                              "--hosts MinRto = 'soon': ",
                              "no time");
        NS_TEST_EXPECT_MSG_EQ(error("linux:Kernel=2.6.38", "lean"),
                              "--hosts linux:Kernel = '2.6.38': written linux-2.6.38 now",
                              "a former setting");
        NS_TEST_EXPECT_MSG_EQ(error("windows", "lean").substr(0, 23),
                              "--hosts = 'windows': no",
                              "");
    }
};

/**
 * @ingroup transport-tests
 * @brief Random settings of all mechanisms together, with losses: all bytes are delivered.
 */
class HostModelPropertyTestCase : public TestCase
{
  public:
    HostModelPropertyTestCase()
        : TestCase("random settings: every byte arrives")
    {
    }

  private:
    Attributes DrawAttributes()
    {
        const auto flip = [this](const std::string& yes, const std::string& no) {
            return Draw(0, 1) ? yes : no;
        };
        const auto microseconds = [this](uint32_t low, uint32_t high) {
            return std::to_string(Draw(low, high)) + "us";
        };
        return {{"Backlog", flip(std::to_string(Draw(1, 40'000)) + "B", "never")},
                {"SmallQueueTime", flip(microseconds(1, 100), "0us")},
                {"BurstSize", flip(std::to_string(Draw(1, 70'000)), "0")},
                {"BurstTime", flip(microseconds(1, 200), "0us")},
                {"BurstWindowShare", std::to_string(Draw(0, 5))},
                {"CoalesceTime", flip(microseconds(1, 60), "0us")},
                {"CoalesceSize", std::to_string(Draw(1, 70'000))},
                {"CoalescedCountOnce", flip("true", "false")},
                {"CongestionOps", flip("ns3::TcpLinuxReno", "ns3::TcpCubic")},
                {"InitialCwnd", std::to_string(Draw(1, 100))},
                {"RcvBufSize", std::to_string(Draw(3'000, 500'000))},
                {"Timestamp", flip("true", "false")},
                {"Sack", flip("true", "false")},
                {"Pacing", Draw(0, 3) == 0 ? "true" : "false"},
                {"DelAckCount", std::to_string(Draw(1, 3))}};
    }

    uint32_t Draw(uint32_t low, uint32_t high)
    {
        return m_random->GetInteger(low, high);
    }

    void DoRun() override
    {
        m_random->SetStream(11);
        for (uint32_t run = 0; run < 100; ++run)
        {
            const uint64_t live = FabricItem::GetLiveCount();
            {
                HostStar star(CreateLean(DrawAttributes()), std::to_string(Draw(5, 200)) + "kB");
                std::map<FlowId, uint64_t> asked;
                const uint32_t flows = Draw(1, 6);
                for (uint32_t i = 0; i < flows; ++i)
                {
                    const uint64_t bytes = Draw(1, 300'000);
                    asked[star.Send(Draw(0, 1), bytes)] = bytes;
                }
                Simulator::Stop(Seconds(20));
                Simulator::Run();
                NS_TEST_EXPECT_MSG_EQ(star.finished, flows, "run " << run);
                NS_TEST_EXPECT_MSG_EQ((star.delivered == asked), true, "run " << run);
            }
            NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
        }
        m_random = nullptr;
    }

    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< draws
};

/**
 * @ingroup transport-tests
 * @brief The suite.
 */
class HostModelTestSuite : public TestSuite
{
  public:
    HostModelTestSuite()
        : TestSuite("host-model", Type::UNIT)
    {
        AddTestCase(new BurstDeferralTestCase(0, 3, 1), Duration::QUICK);
        AddTestCase(new BurstDeferralTestCase(65536, 0, 1), Duration::QUICK);
        AddTestCase(new BurstDeferralTestCase(65536, 3, 4), Duration::QUICK);
        AddTestCase(new BurstDeferralTestCase(65536, 2, 6), Duration::QUICK);
        AddTestCase(new BurstDeferralTestCase(3 * MSS, 3, 3), Duration::QUICK);
        AddTestCase(new BurstDeferralTestCase(1, 3, 2), Duration::QUICK); // the least there is
        AddTestCase(new BurstPacingTestCase(0, "0us", 1), Duration::QUICK);
        AddTestCase(new BurstPacingTestCase(4 * MSS, "0us", 4), Duration::QUICK);
        AddTestCase(new BurstPacingTestCase(65536, "50us", 4), Duration::QUICK); // 6250 bytes
        AddTestCase(new BurstPacingTestCase(65536, "1us", 2), Duration::QUICK);
        AddTestCase(new BurstUdpTestCase, Duration::QUICK);
        AddTestCase(new CoalescingCountTestCase({}, 1), Duration::QUICK);
        // Segments come 1.2 us apart: 1 + 8 in 10 us.
        AddTestCase(new CoalescingCountTestCase({{"CoalesceTime", "10us"}}, 9), Duration::QUICK);
        AddTestCase(
            new CoalescingCountTestCase({{"CoalesceTime", "10us"}, {"DelAckCount", "2"}}, 9),
            Duration::QUICK);
        AddTestCase(
            new CoalescingCountTestCase(
                {{"CoalesceTime", "10us"}, {"DelAckCount", "2"}, {"CoalescedCountOnce", "true"}},
                18),
            Duration::QUICK);
        AddTestCase(new CoalescingCountTestCase(
                        {{"CoalesceTime", "10us"}, {"CoalesceSize", std::to_string(4 * MSS)}},
                        4),
                    Duration::QUICK);
        AddTestCase(new CoalescingDelayTestCase, Duration::QUICK);
        AddTestCase(new CoalescingMarksTestCase, Duration::QUICK);
        AddTestCase(new CoalescingGapTestCase, Duration::QUICK);
        AddTestCase(new HostModelTestCase, Duration::QUICK);
        AddTestCase(new HostModelPropertyTestCase, Duration::QUICK);
    }
};

static HostModelTestSuite g_hostModelTestSuite; //!< the suite
