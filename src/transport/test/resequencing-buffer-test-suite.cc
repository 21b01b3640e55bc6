/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/fabric.h"
#include "ns3/lean-tcp-header.h"
#include "ns3/resequencing-buffer.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t SIZE = 1000; //!< payload of every segment in bytes

/**
 * @ingroup transport-tests
 * @brief Notes what comes through a buffer below it.
 */
class Recorder : public EdgeAgent
{
  public:
    void Incoming(FabricItem* item) override
    {
        const auto& header = item->As<LeanTcpHeader>();
        const std::string name = header.length ? std::to_string(header.sequence / SIZE + 1) : "ack";
        const auto now = std::to_string(Simulator::Now().GetMicroSeconds());
        m_seen += (m_seen.empty() ? "" : " ") + name + "@" + now;
        item->Release();
    }

    std::string m_seen; //!< "segment@microseconds", segments counted from 1
};

/**
 * @ingroup transport-tests
 * @brief A host with a buffer to which packets come at chosen times.
 */
class Receiver : public ItemSink
{
  public:
    Receiver()
    {
        m_fabric->SetTierNames({"host", "switch"});
        const auto a = m_fabric->AddHost();
        const auto b = m_fabric->AddHost();
        const auto middle = m_fabric->AddSwitch(1);
        m_fabric->Connect(a, middle, DataRate("10Gbps"), MicroSeconds(1));
        m_fabric->Connect(b, middle, DataRate("10Gbps"), MicroSeconds(1));
        m_fabric->Build();
        m_flow = m_fabric->AddEndpoints(this, nullptr);
        m_fabric->GetHost(1).AddEdgeAgent(m_recorder);
        m_fabric->GetHost(1).AddEdgeAgent(m_buffer);
    }

    ~Receiver() override
    {
        m_fabric->Dispose();
        Simulator::Destroy();
    }

    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;

    void ReceiveItem(FabricItem* item) override
    {
        item->Release();
    }

    std::optional<Payload> GetPayload(FabricItem& item) const override
    {
        return item.As<LeanTcpHeader>().GetPayload();
    }

    /**
     * @brief A packet comes.
     * @param at time of its arrival
     * @param sequence first byte
     * @param length payload
     * @param flags TCP's
     * @param tos DSCP and ECN
     */
    void Add(Time at,
             uint64_t sequence,
             uint32_t length,
             uint8_t flags = LeanTcpHeader::ACK,
             uint8_t tos = 0)
    {
        Simulator::Schedule(at, [this, sequence, length, flags, tos, hash = m_hash] {
            FabricItem* item = FabricItem::Create();
            item->flow = m_flow;
            item->hash = hash;
            item->tos = tos;
            auto& header = item->As<LeanTcpHeader>();
            header.sequence = sequence;
            header.length = static_cast<uint16_t>(length);
            header.flags = flags;
            m_buffer->Incoming(item);
        });
    }

    /**
     * @brief A segment with data comes.
     * @param at time of its arrival
     * @param segment its number, counted from 1
     */
    void AddSegment(Time at, uint32_t segment)
    {
        Add(at, (segment - 1) * SIZE, SIZE);
    }

    /// @brief The flow is over, and another begins.
    void Renew()
    {
        m_fabric->RemoveEndpoints(m_flow);
        m_flow = m_fabric->AddEndpoints(this, nullptr);
    }

    /**
     * @brief Run until nothing happens any more.
     * @return segments delivered, with their times
     */
    std::string Run()
    {
        Simulator::Run();
        return m_recorder->m_seen;
    }

    Ptr<ResequencingBuffer> m_buffer{CreateObject<ResequencingBuffer>()}; //!< under test
    uint32_t m_hash{0}; //!< of the 5-tuple of packets that are added from now on

  private:
    Ptr<Fabric> m_fabric{CreateObject<Fabric>()};       //!< hosts
    Ptr<Recorder> m_recorder{CreateObject<Recorder>()}; //!< above the buffer
    uint32_t m_flow{0};                                 //!< of packets; its endpoint is this
};

} // namespace

/**
 * @ingroup transport-tests
 * @brief Order and times of delivery, by DRB's Section 3.1.3.
 */
class ResequencingOrderTestCase : public TestCase
{
  public:
    ResequencingOrderTestCase()
        : TestCase("order and times of delivery")
    {
    }

  private:
    void DoRun() override
    {
        TestFilledGap();
        TestExpiry();
        TestSecondGap();
        TestTwoExpiries();
        TestInOrder();
        TestOpening();
        TestWrap();
        TestLimit();
    }

    void TestFilledGap()
    {
        Receiver receiver;
        std::vector<int64_t> delays;
        receiver.m_buffer->TraceConnectWithoutContext(
            "Delay",
            Callback<void, Time>([&](Time delay) { delays.push_back(delay.GetMicroSeconds()); }));
        const uint32_t order[] = {1, 3, 4, 2};
        for (uint32_t i = 0; i < 4; ++i)
        {
            receiver.AddSegment(MicroSeconds(10 * i), order[i]);
        }
        receiver.Add(MicroSeconds(25), 0, 0); // an acknowledgment never waits
        NS_TEST_EXPECT_MSG_EQ(receiver.Run(), "1@0 ack@25 2@30 3@30 4@30", "a gap is filled");
        const std::vector<int64_t> expected{0, 0, 20, 10};
        NS_TEST_EXPECT_MSG_EQ((delays == expected), true, "delays");
        const auto& statistics = receiver.m_buffer->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.data, 4, "packets with payload");
        NS_TEST_EXPECT_MSG_EQ(statistics.held, 2, "two waited");
        NS_TEST_EXPECT_MSG_EQ(statistics.peak, 2, "at a time");
        NS_TEST_EXPECT_MSG_EQ(statistics.expired, 0, "no gap was given up");
        NS_TEST_EXPECT_MSG_EQ(TimeStep(statistics.delay), MicroSeconds(30), "in all");
    }

    void TestExpiry()
    {
        Receiver receiver;
        receiver.AddSegment(MicroSeconds(0), 1);
        receiver.AddSegment(MicroSeconds(10), 3);
        receiver.AddSegment(MicroSeconds(20000), 2);
        NS_TEST_EXPECT_MSG_EQ(receiver.Run(), "1@0 3@10010 2@20000", "given up after 10 ms");
        NS_TEST_EXPECT_MSG_EQ(receiver.m_buffer->GetStatistics().expired, 1, "gap");
    }

    void TestSecondGap()
    {
        Receiver receiver;
        for (const uint32_t segment : {1, 3, 5})
        {
            receiver.AddSegment(MicroSeconds(segment), segment);
        }
        receiver.AddSegment(MicroSeconds(5000), 2);
        NS_TEST_EXPECT_MSG_EQ(receiver.Run(),
                              "1@1 2@5000 3@5000 5@15000",
                              "the time counts anew for the next gap");
    }

    /// @brief Two gaps, 2 and 5, that nothing fills: the time for the second starts at the first.
    void TestTwoExpiries()
    {
        Receiver receiver;
        uint32_t at = 0;
        for (const uint32_t segment : {1, 3, 4, 6})
        {
            receiver.AddSegment(MilliSeconds(at++), segment);
        }
        NS_TEST_EXPECT_MSG_EQ(receiver.Run(),
                              "1@0 3@11000 4@11000 6@21000",
                              "the time restarts when the first gap is given up");
        NS_TEST_EXPECT_MSG_EQ(receiver.m_buffer->GetStatistics().expired, 2, "gaps");
    }

    /// @brief Segments in order are not delayed and leave no timer behind.
    void TestInOrder()
    {
        Receiver receiver;
        for (uint32_t segment = 1; segment <= 100; ++segment)
        {
            receiver.AddSegment(MicroSeconds(segment), segment);
        }
        receiver.Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(100), "nothing happens afterwards");
        const auto& statistics = receiver.m_buffer->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.data, 100, "packets with payload");
        NS_TEST_EXPECT_MSG_EQ(statistics.held, 0, "none waited");
        NS_TEST_EXPECT_MSG_EQ(TimeStep(statistics.delay), Time(0), "in all");
    }

    void TestOpening()
    {
        Receiver receiver;
        receiver.Add(MicroSeconds(0), 0, 0, LeanTcpHeader::SYN);
        receiver.AddSegment(MicroSeconds(1), 2);
        receiver.AddSegment(MicroSeconds(2), 1);
        NS_TEST_EXPECT_MSG_EQ(receiver.Run(), "ack@0 1@2 2@2", "the SYN tells what is first");
    }

    void TestWrap()
    {
        Receiver receiver;
        const uint64_t last = (uint64_t{1} << 32) - SIZE; // of those with 32 bits
        receiver.Add(MicroSeconds(0), last - SIZE, SIZE);
        receiver.Add(MicroSeconds(1), 0, SIZE);
        receiver.Add(MicroSeconds(2), last, SIZE);
        const auto first = std::to_string(last / SIZE);
        const auto second = std::to_string(last / SIZE + 1);
        NS_TEST_EXPECT_MSG_EQ(receiver.Run(),
                              first + "@0 " + second + "@2 1@2",
                              "sequence numbers wrap");
    }

    void TestLimit()
    {
        Receiver receiver;
        receiver.m_buffer->SetAttribute("MaxPackets", UintegerValue(2));
        uint32_t at = 0;
        for (const uint32_t segment : {1, 3, 5, 6})
        {
            receiver.AddSegment(MicroSeconds(at++), segment);
        }
        NS_TEST_EXPECT_MSG_EQ(receiver.Run(), "1@0 3@3 5@10003 6@10003", "full: the lowest goes");
    }
};

/**
 * @ingroup transport-tests
 * @brief Data of one class waits for another (Trinity Section 3.3, Problem 3).
 */
class ResequencingColourTestCase : public TestCase
{
  public:
    ResequencingColourTestCase()
        : TestCase("only one class waits")
    {
    }

  private:
    static constexpr uint8_t GREEN = 46 << 2; //!< waits
    static constexpr uint8_t RED = 0;         //!< does not

    /// @brief A receiver at which green data waits, for 2 ms.
    class GreenWaits : public Receiver
    {
      public:
        GreenWaits()
        {
            m_buffer->SetAttribute("Timeout", TimeValue(MilliSeconds(2)));
            m_buffer->SetAttribute("WaitingDscp", UintegerValue(46));
            m_buffer->SetAttribute("GiveUpAll", BooleanValue(true));
            Add(Time(0), 0, 0, LeanTcpHeader::SYN);
        }

        void AddColoured(uint32_t us, uint32_t segment, uint8_t tos)
        {
            Add(MicroSeconds(us), (segment - 1) * SIZE, SIZE, LeanTcpHeader::ACK, tos);
        }
    };

    void DoRun() override
    {
        {
            GreenWaits receiver;
            receiver.AddColoured(10, 2, GREEN);
            receiver.AddColoured(20, 3, GREEN);
            receiver.AddColoured(1000, 1, RED);
            NS_TEST_EXPECT_MSG_EQ(receiver.Run(), "ack@0 1@1000 2@1000 3@1000", "a late red one");
        }
        {
            GreenWaits receiver;
            receiver.AddColoured(10, 2, GREEN);
            receiver.AddColoured(20, 3, GREEN);
            receiver.AddColoured(3000, 1, RED);
            NS_TEST_EXPECT_MSG_EQ(receiver.Run(), "ack@0 2@2010 3@2010 1@3000", "it is given up");
        }
        {
            GreenWaits receiver;
            receiver.AddColoured(100, 2, GREEN);
            receiver.AddColoured(2000, 3, GREEN);
            NS_TEST_EXPECT_MSG_EQ(receiver.Run(), "ack@0 2@2100 3@2100", "one time for all");
        }
        {
            GreenWaits receiver;
            receiver.AddColoured(100, 2, GREEN);
            receiver.AddColoured(200, 4, GREEN);
            receiver.AddColoured(5000, 5, GREEN);
            NS_TEST_EXPECT_MSG_EQ(receiver.Run(), "ack@0 2@2100 4@2100 5@5000", "all gaps");
        }
        {
            GreenWaits receiver;
            receiver.AddColoured(100, 2, GREEN);
            receiver.AddColoured(1500, 6, GREEN);
            receiver.AddColoured(1900, 4, GREEN);
            receiver.AddColoured(2000, 1, RED);
            NS_TEST_EXPECT_MSG_EQ(receiver.Run(),
                                  "ack@0 1@2000 2@2000 4@3500 6@3500",
                                  "the next gap gets no time of its own");
        }
        {
            GreenWaits receiver;
            receiver.AddColoured(100, 3, GREEN);
            receiver.AddColoured(200, 7, GREEN);
            receiver.AddColoured(300, 5, RED);
            receiver.AddColoured(400, 6, GREEN);
            receiver.AddColoured(500, 2, RED);
            NS_TEST_EXPECT_MSG_EQ(receiver.Run(),
                                  "ack@0 3@300 5@300 6@400 7@400 2@500",
                                  "a gap before a red one is a loss");
        }
        {
            GreenWaits receiver;
            for (uint32_t segment = 1; segment <= 10000; ++segment)
            {
                receiver.AddColoured(segment, segment, segment % 3 ? GREEN : RED);
            }
            receiver.Run();
            NS_TEST_EXPECT_MSG_EQ(receiver.m_buffer->GetStatistics().held, 0, "in order");
            NS_TEST_EXPECT_MSG_EQ(receiver.m_buffer->GetStatistics().delay, 0, "no delay");
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief Connections come and go.
 */
class ResequencingMemoryTestCase : public TestCase
{
  public:
    ResequencingMemoryTestCase()
        : TestCase("flows that are idle or over are forgotten")
    {
    }

  private:
    void DoRun() override
    {
        TestIdle();
        TestOver();
        TestReopened();
    }

    void TestIdle()
    {
        Receiver receiver;
        receiver.AddSegment(Time(0), 1);
        receiver.AddSegment(MilliSeconds(10000), 2);
        receiver.AddSegment(MilliSeconds(10001), 4); // waits until 10011
        size_t most = 0;
        for (uint32_t connection = 1; connection <= 10000; ++connection)
        {
            receiver.m_hash = connection;
            receiver.AddSegment(MilliSeconds(connection), 1);
            Simulator::Schedule(MilliSeconds(connection),
                                [&] { most = std::max(most, receiver.m_buffer->GetNFlows()); });
        }
        receiver.m_hash = 0;
        receiver.AddSegment(MilliSeconds(10005), 3);
        const std::string seen = receiver.Run();
        NS_TEST_EXPECT_MSG_LT(most, 2100, "twice those of a second");
        NS_TEST_EXPECT_MSG_EQ(seen.ends_with(" 3@10005000 4@10005000"), true, "order is kept");
    }

    void TestOver()
    {
        Receiver receiver;
        for (uint32_t connection = 0; connection < 200; ++connection)
        {
            receiver.m_hash = connection;
            receiver.AddSegment(MicroSeconds(connection), 1);
        }
        Simulator::Schedule(NanoSeconds(99'500), [&] { receiver.Renew(); });
        receiver.Run();
        NS_TEST_EXPECT_MSG_EQ(receiver.m_buffer->GetNFlows(), 100, "what is over is forgotten");
    }

    void TestReopened()
    {
        Receiver receiver;
        receiver.Add(MicroSeconds(0), 0, 0, LeanTcpHeader::SYN);
        receiver.AddSegment(MicroSeconds(1), 5);
        receiver.Add(MicroSeconds(2), 0, 0, LeanTcpHeader::SYN);
        receiver.AddSegment(MicroSeconds(3), 1);
        NS_TEST_EXPECT_MSG_EQ(receiver.Run(), "ack@0 5@2 ack@2 1@3", "nothing stays behind");
    }
};

/**
 * @ingroup transport-tests
 * @brief Packets that wait at the end of a simulation are given back.
 */
class ResequencingDisposeTestCase : public TestCase
{
  public:
    ResequencingDisposeTestCase()
        : TestCase("no packet is left")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        {
            Receiver receiver;
            receiver.AddSegment(MicroSeconds(0), 1);
            receiver.AddSegment(MicroSeconds(1), 3);
            Simulator::Stop(MicroSeconds(2));
            receiver.Run();
            NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live + 1, "one waits");
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "none does");
    }
};

/**
 * @ingroup transport-tests
 * @brief Test suite of the re-sequencing buffer.
 */
class ResequencingBufferTestSuite : public TestSuite
{
  public:
    ResequencingBufferTestSuite()
        : TestSuite("resequencing-buffer", Type::UNIT)
    {
        AddTestCase(new ResequencingOrderTestCase, Duration::QUICK);
        AddTestCase(new ResequencingColourTestCase, Duration::QUICK);
        AddTestCase(new ResequencingMemoryTestCase, Duration::QUICK);
        AddTestCase(new ResequencingDisposeTestCase, Duration::QUICK);
    }
};

/// @ingroup transport-tests
/// Static variable for test initialization.
static ResequencingBufferTestSuite g_resequencingBufferTestSuite;
