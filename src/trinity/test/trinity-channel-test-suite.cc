/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trinity-test.h"

#include "ns3/input-error.h"
#include "ns3/limiter-channel.h"
#include "ns3/random-variable-stream.h"
#include "ns3/tenant-ecn.h"

#include <algorithm>
#include <deque>

using namespace ns3;

/**
 * @ingroup trinity-tests
 * @brief Order and colours of the packets that leave (Section 3.2, the rules of the scheduler).
 */
class ColouringTestCase : public TrinityTestCase
{
  public:
    ColouringTestCase()
        : TrinityTestCase("order and colours")
    {
    }

  private:
    void Check() override
    {
        {
            TrinityTestChannel test;
            test.SetTokens(3000, 0);
            test.AddLong();
            test.AddShort();
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "sG lG", "short ones first");
        }
        {
            TrinityTestChannel test;
            test.SetTokens(1000, 500);
            test.AddShort();
            test.AddLong(500);
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "lR", "the long one leaves green tokens alone");
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), -1, "short ones use no red tokens");
            test.channel->SetRates(8e6, 0); // a byte per us
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), 500'000, "green 1000 was left");
            TrinityTestChannel::Wait(MicroSeconds(500));
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "sG", "its tokens have come");
        }
        {
            TrinityTestChannel test;
            test.SetTokens(0, 4500);
            for (int i = 0; i < 4; ++i)
            {
                test.AddLong();
            }
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "lR lR lR", "no green tokens");
            test.Flush();
        }
        {
            TrinityTestChannel test;
            test.SetTokens(1500, 1500);
            test.AddLong();
            test.AddLong();
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "lG lR", "green ones are tried first");
        }
        {
            TrinityTestChannel test;
            test.SetTokens(0, 10000);
            test.AddShort();
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "", "short ones wait for green tokens");
            test.Flush();
        }
        {
            TrinityTestChannel test;
            test.SetTokens(1000, 600);
            test.AddLong();
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "", "tokens of two colours are not added up");
            test.Flush();
        }
        {
            TrinityTestChannel test;
            test.SetTokens(0, 0);
            test.channel->SetRates(200e6, 0);
            test.AddLong();
            TrinityTestChannel::Wait(NanoSeconds(1));
            test.AddShort();
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), 59'999, "a short one waits 60 us at most");
            TrinityTestChannel::Wait(MicroSeconds(60));
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "sG", "before the long one");
            test.Flush();
        }
    }
};

/**
 * @ingroup trinity-tests
 * @brief The buckets to the nanosecond.
 */
class ColouredBucketsTestCase : public TrinityTestCase
{
  public:
    ColouredBucketsTestCase()
        : TrinityTestCase("green and red tokens")
    {
    }

  private:
    void Check() override
    {
        {
            TrinityTestChannel test;
            test.settings.greenDepth = 32768;
            test.channel = std::make_unique<TrinityChannel>(test.settings);
            test.channel->SetRates(100e6, 0);
            for (int i = 0; i < 60; ++i)
            {
                test.AddLong();
            }
            // A full bucket lets 21 go; the full red one another 20.
            const std::string out = test.Drain();
            NS_TEST_EXPECT_MSG_EQ(std::count(out.begin(), out.end(), 'G'), 21, "green");
            NS_TEST_EXPECT_MSG_EQ(std::count(out.begin(), out.end(), 'R'), 20, "red");
            test.Flush();
            test.settings.tau = 0;
            test.AddShort();
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), 18560, "1268 tokens remained");
            TrinityTestChannel::Wait(NanoSeconds(18560));
            test.AddShort();
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "sG", "the 22nd");
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), 120'000, "one in 120 us");
            test.Flush();
            TrinityTestChannel::Wait(Seconds(1));
            TokenBucket bucket = test.channel->GetGreenBucket();
            NS_TEST_EXPECT_MSG_EQ(bucket.GetBytes(Simulator::Now().GetNanoSeconds()),
                                  32768,
                                  "full after a second");
        }
        {
            TrinityTestChannel test;
            test.SetTokens(700, 0);
            test.AddShort();
            test.channel->SetRates(200e6, 0);
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), 32'000, "a new rate");
            test.Flush();
        }
        {
            TrinityTestChannel test;
            test.SetTokens(0, 0);
            test.AddLong();
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), -1, "no rate");
            test.channel->SetRates(0, 10e3);
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), 1'200'000'000, "10 kbit/s");
            test.Flush();
        }
        {
            // A shim that polls every 100 us.
            TrinityTestChannel test;
            test.settings.tick = 100'000;
            test.channel = std::make_unique<TrinityChannel>(test.settings);
            test.SetTokens(0, 0);
            test.channel->SetRates(120e6, 0); // a packet in 100 us
            test.AddShort(1400);
            const int64_t delay = 100'000 - Simulator::Now().GetNanoSeconds() % 100'000;
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), delay, "at the next tick");
            TrinityTestChannel::Wait(NanoSeconds(delay - 1'000));
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), 1'000, "not before");
            TrinityTestChannel::Wait(MicroSeconds(1));
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "sG", "at the tick");
        }
        {
            TrinityTestChannel test;
            std::string error;
            try
            {
                test.AddLong(DepthAnd(1));
            }
            catch (const InputError& caught)
            {
                error = caught.what();
            }
            NS_TEST_EXPECT_MSG_EQ(error,
                                  "BucketDepth = '30000': at least the size of every packet; there "
                                  "is one of 30001 bytes",
                                  "a packet larger than the bucket");
        }
    }

    static uint16_t DepthAnd(uint32_t more)
    {
        return static_cast<uint16_t>(TrinityTestChannel::DEPTH + more);
    }
};

/**
 * @ingroup trinity-tests
 * @brief Rates over a long time.
 */
class ColouredRatesTestCase : public TrinityTestCase
{
  public:
    ColouredRatesTestCase()
        : TrinityTestCase("rates of both colours")
    {
    }

  private:
    void Check() override
    {
        {
            TrinityTestChannel test;
            test.channel->SetRates(100e6, 300e6);
            test.Run(Seconds(10));
            const auto& colours = test.channel->GetColourStatistics();
            const double depth = TrinityTestChannel::DEPTH;
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(colours.greenBytes), 125e6, depth, "R_G");
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(colours.redBytes), 375e6, depth, "R_W");
            test.Flush();
        }
        {
            // Short ones at 500 Mbit/s against R_G 100 and R_W 900; a plain limiter beside it.
            TrinityTestChannel test;
            test.channel->SetRates(100e6, 900e6);
            LimiterChannel limiter(QueueLimit(), DataRate("100Mbps"), TrinityTestChannel::DEPTH);
            for (int packet = 0; packet < 1000; ++packet)
            {
                const bool kept = test.AddShort();
                FabricItem* item = FabricItem::Create();
                item->size = 1500;
                if (kept)
                {
                    limiter.Enqueue(item, 0);
                }
                else
                {
                    item->Release();
                }
                const std::string out = test.Drain();
                NS_TEST_EXPECT_MSG_EQ(out.find('R'), std::string::npos, "all green");
                const int64_t now = Simulator::Now().GetTimeStep();
                for (size_t i = 0; i < (out.size() + 1) / 3; ++i)
                {
                    NS_TEST_EXPECT_MSG_EQ(limiter.GetReleaseTime(now), now, "as a plain limiter");
                    limiter.Dequeue(now)->Release();
                }
                TrinityTestChannel::Wait(MicroSeconds(24));
            }
            const auto sent = static_cast<double>(test.channel->GetColourStatistics().greenBytes);
            NS_TEST_EXPECT_MSG_EQ_TOL(sent, 100e6 / 8 * 0.024 + 30000, 1501, "R_G");
            NS_TEST_EXPECT_MSG_EQ(test.channel->GetColourStatistics().redBytes, 0, "no red");
            test.Flush();
        }
        {
            // A long flow without R_W, and a plain limiter beside it. Both buckets start empty.
            TrinityTestChannel test;
            test.SetTokens(0, 0);
            test.channel->SetRates(100e6, 0);
            const uint64_t before = test.channel->GetColourStatistics().redBytes;
            LimiterChannel limiter(QueueLimit(), DataRate("100Mbps"), TrinityTestChannel::DEPTH);
            for (int packet = -20; packet < 500; ++packet)
            {
                FabricItem* item = FabricItem::Create();
                item->size = 1500;
                limiter.Enqueue(item, Simulator::Now().GetTimeStep());
                const int64_t now = Simulator::Now().GetTimeStep();
                const Time delay = TimeStep(limiter.GetReleaseTime(now) - now);
                if (packet >= 0)
                {
                    test.AddLong();
                    NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), delay.GetNanoSeconds(), "as a limiter");
                    TrinityTestChannel::Wait(delay);
                    NS_TEST_EXPECT_MSG_EQ(test.Take(), "lG", "all green");
                }
                limiter.Dequeue(Simulator::Now().GetTimeStep())->Release();
            }
            NS_TEST_EXPECT_MSG_EQ(test.channel->GetColourStatistics().redBytes, before, "no red");
            test.Flush();
        }
    }
};

/**
 * @ingroup trinity-tests
 * @brief Random traffic against the rules, with tokens counted anew.
 */
class ColouringRulesTestCase : public TrinityTestCase
{
  public:
    ColouringRulesTestCase()
        : TrinityTestCase(
              "random traffic: each packet leaves as soon as a rule lets it, by that rule")
    {
    }

  private:
    void Check() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(11);
        TrinityTestChannel test;
        std::deque<uint16_t> shortOnes;
        std::deque<uint16_t> longOnes;
        double tokens[2] = {30000, 30000}; // green, red
        double rates[2] = {0, 0};
        const auto settle = [&](int64_t ns) {
            for (int colour : {0, 1})
            {
                const double earned = rates[colour] / 8e9 * static_cast<double>(ns);
                tokens[colour] = std::min(tokens[colour] + earned, 30000.0);
            }
        };
        // What the rules let go now, with a margin for rounding: a colour, or none.
        const auto judge = [&](double margin) -> std::string {
            if (!shortOnes.empty() && tokens[0] + margin >= shortOnes.front())
            {
                return "sG";
            }
            if (longOnes.empty())
            {
                return "";
            }
            if (shortOnes.empty() && tokens[0] + margin >= longOnes.front())
            {
                return "lG";
            }
            return tokens[1] + margin >= longOnes.front() ? "lR" : "";
        };
        for (int step = 0; step < 20000; ++step)
        {
            if (random->GetInteger(0, 49) == 0)
            {
                rates[0] = 1e6 * random->GetInteger(0, 400);
                rates[1] = 1e6 * random->GetInteger(0, 400);
                test.channel->SetRates(rates[0], rates[1]);
            }
            const auto size = static_cast<uint16_t>(random->GetInteger(64, 1500));
            const bool isShort = random->GetInteger(0, 1);
            auto& queue = isShort ? shortOnes : longOnes;
            if (queue.size() < 20 && random->GetInteger(0, 2) > 0)
            {
                queue.push_back(size);
                isShort ? test.AddShort(size) : test.AddLong(size);
            }
            while (test.waiting > 0)
            {
                const int64_t delay = test.GetDelay();
                if (delay != 0)
                {
                    NS_TEST_EXPECT_MSG_EQ(judge(-1e-6), "", "something may go");
                    break;
                }
                const std::string expected = judge(1e-6);
                const std::string out = test.Take();
                NS_TEST_ASSERT_MSG_EQ(out, expected, "rule, step " << step);
                auto& from = out[0] == 's' ? shortOnes : longOnes;
                tokens[out[1] == 'G' ? 0 : 1] -= from.front();
                from.pop_front();
            }
            const auto pause = static_cast<int64_t>(random->GetInteger(1, 40000));
            TrinityTestChannel::Wait(NanoSeconds(pause));
            settle(pause);
        }
        test.Flush();
    }
};

/**
 * @ingroup trinity-tests
 * @brief The change from red to green is put off (Section 3.3, Problem 3).
 */
class TransitionDelayTestCase : public TrinityTestCase
{
  public:
    TransitionDelayTestCase()
        : TrinityTestCase("delayed change from red to green")
    {
    }

  private:
    static std::vector<std::pair<int64_t, std::string>> RunWith(int64_t tau)
    {
        TrinityTestChannel test;
        test.settings.tau = tau;
        test.channel->SetRates(0, 0);
        test.SetTokens(0, 0);
        test.channel->SetRates(100e6, 100e6);
        auto log = test.Run(MilliSeconds(500));
        test.Flush();
        return log;
    }

    void Check() override
    {
        const auto log = RunWith(200'000);
        int64_t redSince = -1;
        double green = 0;
        uint32_t runs = 0;
        int64_t shortest = INT64_MAX;
        for (const auto& [time, text] : log)
        {
            if (text == "lG")
            {
                green += 1500;
                if (redSince >= 0)
                {
                    shortest = std::min(shortest, time - redSince);
                    ++runs;
                }
                redSince = -1;
            }
            else if (redSince < 0)
            {
                redSince = time;
            }
        }
        NS_TEST_EXPECT_MSG_GT(runs, 500, "it alternates");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(shortest, 200'000, "red for tau at least");
        NS_TEST_EXPECT_MSG_EQ_TOL(green, 100e6 / 8 * 0.5, 100e6 / 8 * 0.5 * 0.01, "R_G");

        uint32_t changes = 0;
        const auto plain = RunWith(0);
        for (size_t i = 1; i < plain.size(); ++i)
        {
            changes += plain[i].second != plain[i - 1].second;
        }
        NS_TEST_EXPECT_MSG_GT(changes, plain.size() / 2, "without it colours mix");

        {
            TrinityTestChannel test;
            test.settings.greenDepth = 32768;
            test.settings.tau = 10'000'000;
            test.channel = std::make_unique<TrinityChannel>(test.settings);
            test.channel->SetRates(750e6, 100e6);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(test.channel->GetTransitionDelay()),
                                      349.5e3 - 16e3,
                                      1e3,
                                      "a full bucket takes 349.5 us, 16 of which are a packet's");
            test.channel->SetRates(10e6, 100e6);
            NS_TEST_EXPECT_MSG_EQ(test.channel->GetTransitionDelay(), 10'000'000, "as it is set");
            test.SetTokens(0, 0);
            test.channel->SetRates(750e6, 100e6);
            const uint64_t before = test.channel->GetColourStatistics().greenBytes;
            test.Run(MilliSeconds(200));
            const uint64_t sent = test.channel->GetColourStatistics().greenBytes - before;
            NS_TEST_EXPECT_MSG_EQ_TOL(8e-6 / 0.2 * static_cast<double>(sent), 750, 7.5, "R_G");
            test.Flush();
        }
        {
            // Buckets of one, two and a few packets: the guarantee is whole.
            for (const uint32_t depth : {1500, 3000, 6250})
            {
                TrinityTestChannel test;
                test.settings.greenDepth = depth;
                test.settings.tau = 200'000;
                test.channel = std::make_unique<TrinityChannel>(test.settings);
                test.channel->SetRates(400e6, 100e6);
                test.Run(MilliSeconds(500));
                const uint64_t green = test.channel->GetColourStatistics().greenBytes;
                NS_TEST_EXPECT_MSG_EQ_TOL(8e-6 / 0.5 * static_cast<double>(green),
                                          400,
                                          4,
                                          "depth " << depth);
                test.Flush();
            }
        }
        {
            TrinityTestChannel test;
            test.settings.tau = 200'000;
            test.SetTokens(0, 1500);
            test.AddLong();
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "lR", "flow 0 was red last");
            test.channel->SetRates(80e6, 0); // ten bytes per us
            test.AddLong(1500, 0);
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), 350'000, "tokens, then tau");
            TrinityTestChannel::Wait(MicroSeconds(150));
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), 200'000, "could go green from now on");
            TrinityTestChannel::Wait(MicroSeconds(200));
            test.AddLong(1500, 0);
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "lG lG", "green, and green again at once");
            TrinityTestChannel::Wait(MicroSeconds(150));
            test.AddLong(1500, 1);
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "lG", "another flow is not put off");
        }
        {
            // Flow 0 waits, as its last packet was red; red tokens take it out, and flow 1 is next.
            TrinityTestChannel test;
            test.settings.tau = 200'000;
            test.SetTokens(0, 1500);
            test.AddLong(1500, 0);
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "lR", "flow 0 was red last");
            test.channel->SetRates(1e9, 120e6);
            TrinityTestChannel::Wait(MicroSeconds(90)); // a red packet's tokens take 100
            test.AddLong(1500, 0);
            test.AddLong(1500, 1);
            NS_TEST_EXPECT_MSG_EQ(test.GetDelay(), 10'000, "flow 0 waits, with green tokens");
            TrinityTestChannel::Wait(MicroSeconds(10));
            NS_TEST_EXPECT_MSG_EQ(test.Drain(), "lR lG", "flow 1 may be green at once");
        }
    }
};

/**
 * @ingroup trinity-tests
 * @brief Room in the shim.
 */
class ShimRoomTestCase : public TrinityTestCase
{
  public:
    ShimRoomTestCase()
        : TrinityTestCase("256 packets in each FIFO")
    {
    }

  private:
    void Check() override
    {
        TrinityTestChannel test;
        test.settings.limit = QueueLimit("256p");
        test.channel = std::make_unique<TrinityChannel>(test.settings);
        test.SetTokens(0, 0);
        uint32_t kept = 0;
        for (int i = 0; i < 300; ++i)
        {
            kept += test.AddLong();
        }
        NS_TEST_EXPECT_MSG_EQ(kept, 256, "long ones");
        NS_TEST_EXPECT_MSG_EQ(test.channel->GetColourStatistics().droppedLong, 44, "dropped");
        kept = 0;
        for (int i = 0; i < 260; ++i)
        {
            kept += test.AddShort();
        }
        NS_TEST_EXPECT_MSG_EQ(kept, 256, "the other FIFO has its own room");
        NS_TEST_EXPECT_MSG_EQ(test.channel->GetColourStatistics().droppedShort, 4, "dropped");
        uint32_t seen = 0;
        test.channel->ForEachWaiting([&seen](const FabricItem&) { ++seen; });
        NS_TEST_EXPECT_MSG_EQ(seen, 512, "all can be looked at");
        test.Flush();
        NS_TEST_EXPECT_MSG_EQ(test.waiting, 0, "all come out");
        for (int i = 0; i < 300; ++i)
        {
            test.AddShort();
        }
        NS_TEST_EXPECT_MSG_EQ(test.AddLong(), true, "a full FIFO of short ones is no matter");
        test.Flush();
    }
};

/**
 * @ingroup trinity-tests
 * @brief ECN on the wire and at the tenant.
 */
class TenantEcnTestCase : public TrinityTestCase
{
  public:
    TenantEcnTestCase()
        : TrinityTestCase("ECN of tenants that use it and of tenants that do not")
    {
    }

  private:
    void Check() override
    {
        TrinityTestChannel test;
        test.AddShort();
        test.Drain();
        NS_TEST_EXPECT_MSG_EQ(test.lastEcn, FabricItem::ECT0, "all can be marked on the wire");
        test.ecn = FabricItem::ECT1;
        test.AddShort();
        test.Drain();
        NS_TEST_EXPECT_MSG_EQ(test.lastEcn, FabricItem::ECT1, "what the tenant sent stays");

        FabricItem item{};
        for (bool marked : {false, true})
        {
            item.SetEcn(FabricItem::NOT_ECT);
            HideTenantEcn(item);
            item.SetEcn(marked ? FabricItem::CE : item.GetEcn());
            RestoreTenantEcn(item);
            NS_TEST_EXPECT_MSG_EQ(item.GetEcn(), FabricItem::NOT_ECT, "it sees nothing of ECN");
            item.SetEcn(FabricItem::ECT0);
            HideTenantEcn(item);
            item.SetEcn(marked ? FabricItem::CE : item.GetEcn());
            RestoreTenantEcn(item);
            const auto expected = marked ? FabricItem::CE : FabricItem::ECT0;
            NS_TEST_EXPECT_MSG_EQ(item.GetEcn(), expected, "it sees its marks");
        }
    }
};

/**
 * @ingroup trinity-tests
 * @brief Red packets that are missed (Section 3.3, Problem 2).
 */
class MissedRedTestCase : public TrinityTestCase
{
  public:
    MissedRedTestCase()
        : TrinityTestCase("red packets that were sent and did not come")
    {
    }

  private:
    static void SendRed(TrinityTestChannel& test, uint32_t packets)
    {
        test.SetTokens(0, 0);
        const uint32_t before = test.channel->GetColourStatistics().redPackets;
        test.channel->AddRedReceived(before - m_sent); // those that emptied the bucket
        m_sent = before + packets;
        test.channel->SetRates(0, 8e6 * 1500);
        TrinityTestChannel::Wait(MilliSeconds(packets));
        for (uint32_t i = 0; i < packets; ++i)
        {
            test.AddLong();
        }
        test.Drain();
        test.channel->SetRates(0, 0);
    }

    void Check() override
    {
        constexpr int64_t LATER = INT64_MAX;
        const auto end = [](TrinityTestChannel& test) {
            test.channel->EndInterval(Simulator::Now().GetTimeStep());
            TrinityTestChannel::Wait(MicroSeconds(1));
        };
        TrinityTestChannel test;
        m_sent = 0;
        NS_TEST_EXPECT_MSG_EQ(test.channel->MissesRed(LATER), false, "no interval ended");
        end(test);
        SendRed(test, 10);
        end(test);
        NS_TEST_EXPECT_MSG_EQ(test.channel->MissesRed(LATER), true, "10 were sent");
        const int64_t before = Simulator::Now().GetTimeStep() - 2000;
        NS_TEST_EXPECT_MSG_EQ(test.channel->MissesRed(before), false, "too early to tell");
        test.channel->AddRedReceived(10);
        NS_TEST_EXPECT_MSG_EQ(test.channel->MissesRed(LATER), false, "they came before");
        SendRed(test, 5);
        end(test);
        NS_TEST_EXPECT_MSG_EQ(test.channel->MissesRed(LATER), true, "5 are missing");
        end(test);
        NS_TEST_EXPECT_MSG_EQ(test.channel->MissesRed(LATER), false, "none were sent since");
        SendRed(test, 5);
        test.channel->AddRedReceived(5);
        end(test);
        NS_TEST_EXPECT_MSG_EQ(test.channel->MissesRed(LATER), false, "the lost ones are forgotten");
    }

    inline static uint32_t m_sent{0}; //!< red packets accounted for
};

/**
 * @ingroup trinity-tests
 * @brief Trinity's channel.
 */
class TrinityChannelTestSuite : public TestSuite
{
  public:
    TrinityChannelTestSuite()
        : TestSuite("trinity-channel", Type::UNIT)
    {
        AddTestCase(new ColouringTestCase, Duration::QUICK);
        AddTestCase(new ColouredBucketsTestCase, Duration::QUICK);
        AddTestCase(new ColouredRatesTestCase, Duration::QUICK);
        AddTestCase(new ColouringRulesTestCase, Duration::QUICK);
        AddTestCase(new TransitionDelayTestCase, Duration::QUICK);
        AddTestCase(new ShimRoomTestCase, Duration::QUICK);
        AddTestCase(new TenantEcnTestCase, Duration::QUICK);
        AddTestCase(new MissedRedTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static TrinityChannelTestSuite g_trinityChannelTestSuite;
