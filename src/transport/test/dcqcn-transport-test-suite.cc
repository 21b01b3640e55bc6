/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reliable-test.h"

#include "ns3/dcqcn-transport.h"
#include "ns3/input-error.h"
#include "ns3/test.h"

#include <cmath>

using namespace ns3;

/**
 * @ingroup transport-tests
 * @brief The rate of a flow, step by step with the numbers of DCQCN's paper.
 */
class DcqcnReactionPointTestCase : public TestCase
{
  public:
    DcqcnReactionPointTestCase()
        : TestCase("reaction point: alpha, decrease, fast recovery, additive and hyper increase")
    {
    }

  private:
    void DoRun() override
    {
        constexpr double G = 1.0 / 256;
        const DcqcnReactionPoint::Parameters
            parameters{G, 55'000, 55'000, 10'000'000, 5, 40e6, 400e6, 1e6};
        DcqcnReactionPoint point(parameters, 40e9);
        point.HandleSent(1'000'000'000);
        point.HandleTimer(1'000'000'000);
        NS_TEST_EXPECT_MSG_EQ(point.GetRate(), 40e9, "line rate until the first notification");
        NS_TEST_EXPECT_MSG_EQ((point.GetNextTick() == DcqcnReactionPoint::NEVER), true, "no timer");

        int64_t now = 1'000'000;
        point.HandleNotification(now); // alpha is 1
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetRate(), 20e9, 1, "half");
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetTargetRate(), 40e9, 1, "remembered");
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetAlpha(now), 1, 1e-12, "(1 - g) + g");
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetAlpha(now + 54'999), 1, 1e-12, "not yet");
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetAlpha(now + 55'000), 1 - G, 1e-12, "Equation 2");
        const double decayed = std::pow(1 - G, 100);
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetAlpha(now + 5'500'000), decayed, 1e-12, "Equation 2");

        now += 50'000; // less than the timers: nothing has changed
        point.HandleNotification(now);
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetRate(), 10e9, 1, "half again");
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetTargetRate(), 20e9, 1, "the rate before");
        for (const double expected : {15e9, 17.5e9, 18.75e9, 19.375e9, 19.6875e9})
        {
            NS_TEST_EXPECT_MSG_EQ(point.GetNextTick(), now + 55'000, "timer");
            point.HandleTimer(now + 54'999);
            now += 55'000;
            point.HandleTimer(now);
            NS_TEST_EXPECT_MSG_EQ_TOL(point.GetRate(), expected, 1, "fast recovery");
        }
        now += 55'000;
        point.HandleTimer(now);
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetTargetRate(), 20.04e9, 1, "additive increase");
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetRate(), (20.04e9 + 19.6875e9) / 2, 1, "half-way");

        // The byte counter: five ticks are additive by the timer's count, the sixth is hyper.
        for (uint32_t tick = 1; tick <= 5; ++tick)
        {
            point.HandleSent(10'000'000);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetTargetRate(), 20.24e9, 1, "five times 40 Mbps");
        point.HandleSent(9'999'999);
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetTargetRate(), 20.24e9, 1, "a byte too few");
        point.HandleSent(1);
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetTargetRate(), 20.64e9, 1, "hyper: 400 Mbps");
        point.HandleTimer(now + 55'000); // min(7, 6) - 5
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetTargetRate(), 21.04e9, 1, "400 Mbps");
        point.HandleSent(10'000'000); // min(7, 7) - 5
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetTargetRate(), 21.84e9, 1, "800 Mbps");

        for (uint32_t tick = 0; tick < 100; ++tick)
        {
            point.HandleSent(10'000'000);
            point.HandleTimer(now += 55'000);
        }
        NS_TEST_EXPECT_MSG_EQ(point.GetRate(), 40e9, "never more than the link");
        NS_TEST_EXPECT_MSG_EQ(point.IsLimited(), false, "and no limit then");
        for (uint32_t i = 0; i < 10000; ++i)
        {
            point.HandleNotification(now);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(point.GetRate(), 1e6, 1e-3, "nor less than the least rate");
    }
};

/**
 * @ingroup transport-tests
 * @brief Sizes and times of a flow alone, against arithmetic.
 */
class DcqcnAloneTestCase : public TestCase
{
  public:
    DcqcnAloneTestCase()
        : TestCase("a flow alone has the line rate minus headers")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t live = FabricItem::GetLiveCount();
        {
            ReliableStar star("dcqcn");
            std::map<uint32_t, uint32_t> sizes;
            star.stage.watch = [&sizes](FabricItem& item) {
                ++sizes[item.size];
                return true;
            };
            const FlowRequest request{0, 1, 1024 * 1000};
            star.transport->StartFlow(request);
            star.Run(Seconds(1));
            NS_TEST_ASSERT_MSG_EQ(star.finished.size(), 1, "over");
            const FlowRecord& record = star.finished[0];
            // 1000 packets of 1068 bytes, one more at the switch, two links; then 48 bytes back.
            const int64_t expected = std::llround(1001 * 854.4 + 2000);
            NS_TEST_EXPECT_MSG_EQ_TOL((record.delivered - record.firstSent).GetNanoSeconds(),
                                      expected,
                                      500,
                                      "a rounded time step per packet at most");
            NS_TEST_EXPECT_MSG_EQ(record.acknowledged - record.firstSent,
                                  star.transport->GetIdealCompletionTime(request),
                                  "ideal");
            const std::map<uint32_t, uint32_t> exact{{1068, 1000}, {48, 1000}};
            NS_TEST_EXPECT_MSG_EQ((sizes == exact), true, "data and acknowledgments");
        }
        NS_TEST_EXPECT_MSG_EQ(FabricItem::GetLiveCount(), live, "no item is left");
    }
};

/**
 * @ingroup transport-tests
 * @brief Marks make notifications, one in 50 us, and these cut the rate.
 */
class DcqcnNotificationTestCase : public TestCase
{
  public:
    DcqcnNotificationTestCase()
        : TestCase("notification point, and the rate that follows")
    {
    }

  private:
    void DoRun() override
    {
        ReliableStar star("dcqcn:AdditiveRate=40Mbps,HyperRate=400Mbps");
        auto dcqcn = DynamicCast<DcqcnTransport>(star.transport);
        std::vector<int64_t> notifications;
        uint64_t data = 0;
        bool marking = false;
        star.stage.watch = [&](FabricItem& item) {
            if (item.GetClass() == FabricItem::ANSWER && item.size == 60)
            {
                notifications.push_back(Simulator::Now().GetNanoSeconds());
            }
            data += item.GetClass() == FabricItem::DATA;
            if (marking && item.GetEcn() == FabricItem::ECT0)
            {
                item.SetEcn(FabricItem::CE);
            }
            return true;
        };
        const FlowId flow = star.Send(0, 1, 0);
        star.Run(MicroSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(dcqcn->GetNotifications(), 0, "without marks none");
        marking = true;
        star.Run(MicroSeconds(520));
        marking = false;
        NS_TEST_EXPECT_MSG_EQ_TOL(notifications.size(), 10.0, 1.0, "one in 50 us");
        for (std::size_t i = 1; i < notifications.size(); ++i)
        {
            // Packets are under way the same time, and one comes when it comes.
            NS_TEST_EXPECT_MSG_GT(notifications[i] - notifications[i - 1], 49'900, "not sooner");
        }
        NS_TEST_EXPECT_MSG_EQ(dcqcn->GetNotifications(), notifications.size(), "counted");
        const DcqcnReactionPoint* point = dcqcn->GetReactionPoint(flow);
        star.Run(MicroSeconds(5));
        const double rate = point->GetRate();
        NS_TEST_EXPECT_MSG_LT(rate, 10e9 / 128, "halved seven times at least");
        // In 110 us from here there is a tick or two; what is sent is what the rate says.
        data = 0;
        const int64_t tick = point->GetNextTick() - Simulator::Now().GetNanoSeconds();
        star.Run(NanoSeconds(tick - 1));
        const double expected = rate * static_cast<double>(tick) / 1e9 / (8 * 1068);
        NS_TEST_EXPECT_MSG_EQ_TOL(data, expected, 1.0, "paced");
        star.Run(MilliSeconds(40));
        NS_TEST_EXPECT_MSG_EQ(point->IsLimited(), false, "back at the line rate");
        data = 0;
        star.Run(NanoSeconds(854'400));
        NS_TEST_EXPECT_MSG_EQ_TOL(data, 1000.0, 1.0, "line rate");
        star.transport->StopFlow(flow);
        star.Run(MilliSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(star.finished.size(), 1, "stopped");
    }
};

/**
 * @ingroup transport-tests
 * @brief Growth of a rate after a cut, by timer and by bytes.
 */
class DcqcnRecoveryTestCase : public TestCase
{
  public:
    DcqcnRecoveryTestCase()
        : TestCase("timer, byte counter and ticks of fast recovery are those of the attributes")
    {
    }

  private:
    /**
     * @brief Mark packets of a flow until its rate is a quarter of the link's.
     * @param star the network
     * @return its rate control, as the second notification comes
     */
    static const DcqcnReactionPoint* Cut(ReliableStar& star)
    {
        star.stage.watch = [](FabricItem& item) {
            if (item.GetEcn() == FabricItem::ECT0)
            {
                item.SetEcn(FabricItem::CE);
            }
            return true;
        };
        const FlowId flow = star.Send(0, 1, 0);
        const auto* point = DynamicCast<DcqcnTransport>(star.transport)->GetReactionPoint(flow);
        while (point->GetRate() > 2.6e9)
        {
            star.Run(NanoSeconds(100));
        }
        star.stage.watch = [](FabricItem&) { return true; };
        return point;
    }

    void DoRun() override
    {
        {
            ReliableStar star("dcqcn:Timer=100us,ByteCounter=1000000000");
            const auto* point = Cut(star);
            const int64_t left = point->GetNextTick() - Simulator::Now().GetNanoSeconds();
            NS_TEST_EXPECT_MSG_EQ_TOL(left, 100'000, 100, "from the cut to the first tick");
        }
        ReliableStar star("dcqcn:Timer=1s,ByteCounter=100000,FastRecovery=2,AdditiveRate=40Mbps");
        const auto* point = Cut(star);
        const double target = point->GetTargetRate();
        std::vector<double> rates{point->GetRate()};
        while (rates.size() < 4)
        {
            star.Run(NanoSeconds(100));
            if (point->GetRate() > rates.back())
            {
                rates.push_back(point->GetRate());
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[1], (target + rates[0]) / 2, 1, "first tick: half-way");
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[2], (target + rates[1]) / 2, 1, "second");
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[3], (target + 40e6 + rates[2]) / 2, 1, "third: additive");
    }
};

/**
 * @ingroup transport-tests
 * @brief Several flows of one host share its port.
 */
class DcqcnHostTestCase : public TestCase
{
  public:
    DcqcnHostTestCase()
        : TestCase("flows of a host take turns at its port")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t FLOWS = 10;
        ReliableStar star("dcqcn", FLOWS + 1);
        for (uint32_t i = 1; i <= FLOWS; ++i)
        {
            star.Send(0, i, 0);
        }
        star.Run(MilliSeconds(1));
        const double share = 1e-3 * 10e9 / 8 * 1024 / 1068 / FLOWS;
        for (FlowId flow = 1; flow <= FLOWS; ++flow)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(star.delivered[flow], share, 0.02 * share, "an equal share");
        }
        NS_TEST_EXPECT_MSG_EQ(
            (star.fabric->GetHost(0).GetNicPort().GetWaitingPackets() < 2 * FLOWS + 1),
            true,
            "two packets each");
        NS_TEST_EXPECT_MSG_EQ(star.transport->GetTimeouts(), 0, "nothing is taken for lost");
    }
};

/**
 * @ingroup transport-tests
 * @brief Settings that cannot work.
 */
class DcqcnInputTestCase : public TestCase
{
  public:
    DcqcnInputTestCase()
        : TestCase("bad input")
    {
    }

  private:
    void DoRun() override
    {
        bool thrown = false;
        try
        {
            ReliableStar star("dcqcn:MinTimeout=1s");
        }
        catch (const InputError&)
        {
            thrown = true;
        }
        NS_TEST_EXPECT_MSG_EQ(thrown, true, "MinTimeout above MaxTimeout");
    }
};

/**
 * @ingroup transport-tests
 * @brief Tests of DcqcnTransport.
 */
class DcqcnTransportTestSuite : public TestSuite
{
  public:
    DcqcnTransportTestSuite()
        : TestSuite("dcqcn-transport", Type::UNIT)
    {
        AddTestCase(new DcqcnReactionPointTestCase);
        AddTestCase(new DcqcnAloneTestCase);
        AddTestCase(new DcqcnNotificationTestCase);
        AddTestCase(new DcqcnRecoveryTestCase);
        AddTestCase(new DcqcnHostTestCase);
        AddTestCase(new ReliableLossTestCase("dcqcn"));
        AddTestCase(new ReliableHostDropTestCase("dcqcn"));
        AddTestCase(new ReliableAcknowledgeTestCase("dcqcn"));
        AddTestCase(new ReliableLossTestCase("dcqcn:Recovery=Selective"));
        AddTestCase(new ReliableLossTestCase("dcqcn:AcknowledgeEvery=8"));
        AddTestCase(new DcqcnInputTestCase);
    }
};

static DcqcnTransportTestSuite g_dcqcnTransportTestSuite; //!< registers the suite
