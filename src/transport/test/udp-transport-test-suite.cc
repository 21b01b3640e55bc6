/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-log-test.h"

#include "ns3/data-rate.h"
#include "ns3/drop-tail-queue-disc.h"
#include "ns3/fabric.h"
#include "ns3/input-error.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/udp-transport.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <map>

using namespace ns3;

namespace
{

/**
 * @brief Hosts on a switch, 10 Gb/s and 1 us per link.
 * @param hosts number of hosts
 * @param buffer of each port
 * @return the fabric
 */
Ptr<Fabric>
CreateStar(uint32_t hosts, const std::string& buffer = "1000p")
{
    auto fabric = CreateObject<Fabric>();
    fabric->SetTierNames({"host", "switch"});
    const Fabric::End center = fabric->AddSwitch(1);
    for (uint32_t host = 0; host < hosts; ++host)
    {
        fabric->Connect(fabric->AddHost(), center, DataRate("10Gbps"), MicroSeconds(1));
    }
    fabric->SetQueueDiscFactory([buffer](const FabricPort::Description&) {
        auto queue = CreateObject<DropTailQueueDisc>();
        queue->SetAttribute("MaxSize", QueueSizeValue(QueueSize(buffer)));
        return queue;
    });
    fabric->Build();
    return fabric;
}

} // namespace

/**
 * @ingroup transport-tests
 * @brief Packets leave at the rate, and the flow is over when the last one arrives.
 */
class UdpRateTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param rate of the flow in bit/s
     */
    explicit UdpRateTestCase(uint64_t rate)
        : TestCase("rate " + std::to_string(rate)),
          m_rate(rate)
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        auto fabric = CreateStar(2);
        auto transport = CreateObject<UdpTransport>();
        transport->SetAttribute("Rate", DataRateValue(DataRate(m_rate)));
        transport->Attach(fabric);
        FlowLog observer;
        transport->AddObserver(&observer);
        const uint64_t packets = 1000;
        const FlowRequest request{0, 1, packets * 1472 - 1000, 0};
        transport->StartFlow(request);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(observer.finished.size(), 1, "over");
        const FlowRecord& record = observer.finished[0];
        NS_TEST_EXPECT_MSG_EQ(observer.delivered[record.id], request.bytes, "all bytes");
        NS_TEST_EXPECT_MSG_EQ(transport->GetSentPackets(), packets, "sent");
        NS_TEST_EXPECT_MSG_EQ(transport->GetReceivedPackets(), packets, "received");
        NS_TEST_EXPECT_MSG_EQ(transport->GetLostPackets(), 0, "lost");
        // The last packet has 500 B. It waits, at the host and at the switch, if the one before is
        // not gone yet.
        const auto sent = [this](int64_t n) { return std::llround(n * 12000e9 / m_rate); };
        const int64_t before = std::max<int64_t>(sent(998), 998 * 1200);
        const int64_t last = std::max<int64_t>(sent(999), before + 1200);
        const int64_t atSwitch = std::max(last + 400 + 1000, before + 1200 + 1000 + 1200);
        const Time expected = NanoSeconds(atSwitch + 400 + 1000);
        NS_TEST_EXPECT_MSG_EQ(record.delivered - record.firstSent, expected, "duration");
        NS_TEST_EXPECT_MSG_EQ(record.acknowledged, record.delivered, "nothing is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(transport->GetIdealCompletionTime(request), expected, "ideal");
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
        Simulator::Destroy();
    }

    uint64_t m_rate; //!< of the flow in bit/s
};

/**
 * @ingroup transport-tests
 * @brief Losses of two flows at a port that cannot take both are counted, and they end by timeout.
 */
class UdpLossTestCase : public TestCase
{
  public:
    UdpLossTestCase()
        : TestCase("losses and the timeout")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        auto fabric = CreateStar(3, "10p");
        auto transport = CreateObject<UdpTransport>();
        transport->SetAttribute("Rate", DataRateValue(DataRate("8Gbps")));
        transport->SetAttribute("Timeout", TimeValue(MilliSeconds(1)));
        transport->Attach(fabric);
        FlowLog observer;
        transport->AddObserver(&observer);
        transport->StartFlow({0, 2, 1472 * 1000, 0});
        transport->StartFlow({1, 2, 1472 * 1000, 0});
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(observer.finished.size(), 2, "both are over");
        uint64_t dropped = 0;
        for (const auto& count : fabric->GetSwitch(0).GetPort(2).GetQueueDisc().GetDropCounts())
        {
            dropped += count.packets;
        }
        NS_TEST_EXPECT_MSG_EQ(transport->GetSentPackets(), 2000, "sent");
        NS_TEST_EXPECT_MSG_EQ(transport->GetLostPackets(), dropped, "lost are those dropped");
        // 16 Gb/s into 10 Gb/s for 1.5 ms: 3/8 are lost but for what the queue takes.
        NS_TEST_EXPECT_MSG_EQ_TOL(dropped, 750.0, 15.0, "dropped");
        NS_TEST_EXPECT_MSG_EQ(observer.delivered[1] + observer.delivered[2],
                              (2000 - dropped) * 1472,
                              "delivered");
        const Time lastSent = NanoSeconds(999 * 1500);
        bool timedOut = false;
        for (std::size_t i = 0; i < 2; ++i)
        {
            timedOut |= observer.times[i] == lastSent + MilliSeconds(1);
            NS_TEST_EXPECT_MSG_LT(observer.finished[i].delivered,
                                  lastSent + MicroSeconds(20),
                                  "delivered is the last arrival, not the timeout");
        }
        NS_TEST_EXPECT_MSG_EQ(timedOut, true, "told when it is certain");
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
        Simulator::Destroy();
    }
};

/**
 * @ingroup transport-tests
 * @brief An endless flow goes on until it is stopped; a rate of 0 is the user's error.
 */
class UdpStopTestCase : public TestCase
{
  public:
    UdpStopTestCase()
        : TestCase("stopping an endless flow, and a wrong rate")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        auto fabric = CreateStar(2);
        auto transport = CreateObject<UdpTransport>();
        transport->SetAttribute("Rate", DataRateValue(DataRate("12Gbps")));
        transport->Attach(fabric);
        FlowLog observer;
        transport->AddObserver(&observer);
        const FlowId flow = transport->StartFlow({0, 1, 0, 0});
        Simulator::Schedule(NanoSeconds(99500), [&] {
            transport->StopFlow(flow);
            transport->StopFlow(flow);
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(observer.finished.size(), 1, "over, once");
        NS_TEST_EXPECT_MSG_EQ(observer.finished[0].delivered, NanoSeconds(99500), "stop time");
        NS_TEST_EXPECT_MSG_EQ(transport->GetSentPackets(), 100, "one each us");
        NS_TEST_EXPECT_MSG_EQ(transport->GetReceivedPackets() + transport->GetLostPackets(),
                              100,
                              "arrived or under way");
        NS_TEST_EXPECT_MSG_EQ(observer.delivered[flow],
                              transport->GetReceivedPackets() * 1472,
                              "delivered");
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
        Simulator::Destroy();

        bool thrown = false;
        try
        {
            auto wrong = CreateObject<UdpTransport>();
            wrong->SetAttribute("Rate", DataRateValue(DataRate(0)));
            wrong->Attach(fabric);
        }
        catch (const InputError&)
        {
            thrown = true;
        }
        NS_TEST_EXPECT_MSG_EQ(thrown, true, "InputError");
    }
};

/**
 * @ingroup transport-tests
 * @brief With jitter packets leave late, but by no more than that, and the rate stays what it was.
 */
class UdpJitterTestCase : public TestCase
{
  public:
    UdpJitterTestCase()
        : TestCase("jitter")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t DUE = 2000; // ns from packet to packet
        constexpr int64_t JITTER = 1000;
        constexpr uint32_t PACKETS = 2000;
        auto fabric = CreateStar(2);
        auto transport = CreateObject<UdpTransport>();
        transport->SetAttribute("Rate", DataRateValue(DataRate("6Gbps")));
        NS_TEST_EXPECT_MSG_EQ(transport->AssignStreams(1), 0, "nothing is drawn without it");
        transport->SetAttribute("Jitter", TimeValue(NanoSeconds(JITTER)));
        NS_TEST_EXPECT_MSG_EQ(transport->AssignStreams(1), 1, "a stream of its own");
        transport->Attach(fabric);
        const FlowId flow = transport->StartFlow({0, 1, 0, 0});
        uint32_t sentHalfWay = 0;
        for (uint32_t i = 1; i <= PACKETS; ++i)
        {
            Simulator::Schedule(NanoSeconds(DUE * i - 1), [&, i] {
                NS_TEST_EXPECT_MSG_EQ(transport->GetSentPackets(), i, "packet is not early " << i);
            });
            Simulator::Schedule(NanoSeconds(DUE * i + JITTER / 2),
                                [&, i] { sentHalfWay += transport->GetSentPackets() == i + 1; });
            Simulator::Schedule(NanoSeconds(DUE * i + JITTER + 1), [&, i] {
                NS_TEST_EXPECT_MSG_EQ(transport->GetSentPackets(), i + 1, "nor too late " << i);
            });
        }
        Simulator::Schedule(NanoSeconds(DUE * (PACKETS + 1)), [&] { transport->StopFlow(flow); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(sentHalfWay, PACKETS / 2.0, 5 * std::sqrt(PACKETS / 4.0), "even");
        Simulator::Destroy();

        bool thrown = false;
        try
        {
            transport = CreateObject<UdpTransport>();
            transport->SetAttribute("Jitter", TimeValue(NanoSeconds(JITTER)));
            transport->SetAttribute("SendBuffer", QueueLimitValue(QueueLimit("3000B")));
            transport->Attach(fabric);
        }
        catch (const InputError&)
        {
            thrown = true;
        }
        NS_TEST_EXPECT_MSG_EQ(thrown, true, "not with a host's port that pulls");
    }
};

/**
 * @ingroup transport-tests
 * @brief Tests of UdpTransport.
 */
class UdpTransportTestSuite : public TestSuite
{
  public:
    UdpTransportTestSuite()
        : TestSuite("udp-transport", Type::UNIT)
    {
        AddTestCase(new UdpRateTestCase(1000000000));
        AddTestCase(new UdpRateTestCase(7000000000));  // no whole number of ns per packet
        AddTestCase(new UdpRateTestCase(20000000000)); // faster than the link
        AddTestCase(new UdpLossTestCase);
        AddTestCase(new UdpStopTestCase);
        AddTestCase(new UdpJitterTestCase);
    }
};

static UdpTransportTestSuite g_udpTransportTestSuite; //!< registers the suite
