/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-test.h"

#include "ns3/limiter-channel.h"

#include <algorithm>

using namespace ns3;

/**
 * @ingroup edge-tests
 * @brief Departure times of packets of a limited channel (Trinity Section 3.2, worked examples).
 */
class LimiterTimesTestCase : public EdgeTestCase
{
  public:
    LimiterTimesTestCase()
        : EdgeTestCase("departures of a limited channel to the nanosecond")
    {
    }

  private:
    /**
     * @brief Let out what may go.
     * @param channel the channel
     * @param now the time
     * @return number of packets
     */
    static uint32_t Drain(PairChannel& channel, int64_t now)
    {
        uint32_t packets = 0;
        while (channel.GetReleaseTime(now) <= now)
        {
            channel.Dequeue(now)->Release();
            ++packets;
        }
        return packets;
    }

    static void Fill(PairChannel& channel, uint32_t packets)
    {
        for (uint32_t i = 0; i < packets; ++i)
        {
            FabricItem* item = FabricItem::Create();
            item->size = 1500;
            channel.Enqueue(item, 0);
        }
    }

    void Check() override
    {
        {
            // A full bucket of 32 768 bytes at 100 Mbit/s: 21 packets at once, then the 22nd when
            // 232 bytes have come, and one every 120 us.
            LimiterChannel channel(QueueLimit(), DataRate("100Mbps"), 32768);
            Fill(channel, 30);
            NS_TEST_EXPECT_MSG_EQ(Drain(channel, 0), 21, "a full bucket");
            NS_TEST_EXPECT_MSG_EQ(channel.GetReleaseTime(0), 18560, "the 22nd");
            Simulator::Schedule(NanoSeconds(18560), [this, &channel] {
                NS_TEST_EXPECT_MSG_EQ(Drain(channel, 18560), 1, "the 22nd");
                NS_TEST_EXPECT_MSG_EQ(channel.GetReleaseTime(18560), 138560, "the 23rd");
            });
            // 8 us later the bucket holds 100 bytes: at 200 Mbit/s the rest takes 56 us.
            Simulator::Schedule(NanoSeconds(26560), [this, &channel] {
                channel.SetRate(DataRate("200Mbps"));
                NS_TEST_EXPECT_MSG_EQ(channel.GetReleaseTime(26560), 82560, "a new rate");
                channel.SetRate(DataRate(0));
                NS_TEST_EXPECT_MSG_EQ(channel.GetReleaseTime(26560), PairChannel::NEVER, "none");
            });
            Simulator::Run();
        }
        {
            LimiterChannel channel(QueueLimit("2p"), DataRate("10kbps"), 1500);
            Fill(channel, 2);
            NS_TEST_EXPECT_MSG_EQ(Drain(channel, 26560), 1, "a full bucket");
            NS_TEST_EXPECT_MSG_EQ(channel.GetReleaseTime(26560), 26560 + 1200000000, "1.2 s");
        }
    }
};

/**
 * @ingroup edge-tests
 * @brief A limiter on a host's link: never more than rate and bucket allow, never less while
 * something waits.
 */
class LimiterRateTestCase : public EdgeTestCase
{
  public:
    LimiterRateTestCase()
        : EdgeTestCase("limited pairs keep their rate within one bucket")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("static:ChannelSize=100000p");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const std::vector<PairId> pairs{network.tenants->GetPair(a, network.AddVm(1)),
                                        network.tenants->GetPair(a, network.AddVm(2))};
        network.tenants->SetPipe(pairs[0], DataRate("100Mbps"));
        network.tenants->SetPipe(pairs[1], DataRate("3Gbps"));
        network.Build();
        const double bucket = 32768;
        std::map<uint32_t, double> excess; // most and least bytes beyond the rate
        std::map<uint32_t, double> deficit;
        const std::map<uint32_t, double> rates{{pairs[0] + 1, 100e6}, {pairs[1] + 1, 3e9}};
        network.onReceive = [&](uint32_t tag, const FabricItem& item) {
            const double left = Simulator::Now().GetSeconds() - 12.4e-6; // when it left
            const double beyond =
                static_cast<double>(network.received[tag]) - rates.at(tag) / 8 * left;
            excess[tag] = std::max(excess[tag], beyond);
            deficit[tag] = std::min(deficit[tag], beyond - item.size);
        };
        const int packets[] = {900, 25000}; // 100 ms and more
        for (int i : {0, 1})
        {
            for (int packet = 0; packet < packets[i]; ++packet)
            {
                network.Send(pairs[i]);
            }
        }
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        for (const auto& [tag, rate] : rates)
        {
            NS_TEST_EXPECT_MSG_LT(excess[tag], bucket + 1, "no more than a bucket above");
            NS_TEST_EXPECT_MSG_GT(excess[tag], bucket - 1501, "the bucket was used");
            NS_TEST_EXPECT_MSG_GT(deficit[tag], -3000.0, "never behind the rate");
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals, network.sent, "all arrive in the end");
        NS_TEST_EXPECT_MSG_EQ(network.edge->GetQueueDisc(0).IsTimerArmed(), false, "nothing waits");
    }
};

/**
 * @ingroup edge-tests
 * @brief A bucket that can never let a packet go is refused.
 */
class LimiterInputTestCase : public EdgeTestCase
{
  public:
    LimiterInputTestCase()
        : EdgeTestCase("a packet larger than the bucket")
    {
    }

  private:
    void Check() override
    {
        EdgeTestNetwork network("static:BucketDepth=1500");
        network.tenants->AddTenant({"A"});
        const VmId a = network.AddVm(0);
        const PairId pair = network.tenants->GetPair(a, network.AddVm(1));
        network.Build();
        LimiterChannel channel(QueueLimit(), DataRate("1Gbps"), 1500);
        FabricItem* item = FabricItem::Create();
        item->size = 9000;
        std::string error;
        try
        {
            channel.Enqueue(item, 0);
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        item->Release();
        NS_TEST_EXPECT_MSG_EQ(
            error,
            "BucketDepth = '1500': at least the size of every packet; there is one of 9000 bytes",
            "error");
        network.Send(pair, 1500);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals, 1, "the least bucket lets a full packet go");
    }
};

/**
 * @ingroup edge-tests
 * @brief Channels with a rate.
 */
class LimiterChannelTestSuite : public TestSuite
{
  public:
    LimiterChannelTestSuite()
        : TestSuite("limiter-channel", Type::UNIT)
    {
        AddTestCase(new LimiterTimesTestCase, Duration::QUICK);
        AddTestCase(new LimiterRateTestCase, Duration::QUICK);
        AddTestCase(new LimiterInputTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static LimiterChannelTestSuite g_limiterChannelTestSuite;
