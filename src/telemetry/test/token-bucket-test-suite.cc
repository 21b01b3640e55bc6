/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/token-bucket.h"

#include <boost/multiprecision/cpp_int.hpp>

using namespace ns3;

using Rational = boost::multiprecision::cpp_rational; ///< an exact number

/**
 * @ingroup telemetry-tests
 * @brief Releases worked out by hand (Trinity, token buckets of a channel).
 */
class TokenBucketTestCase : public TestCase
{
  public:
    TokenBucketTestCase()
        : TestCase("releases to the nanosecond")
    {
    }

  private:
    void DoRun() override
    {
        TokenBucket bucket(DataRate("100Mbps"), 32768);
        int packets = 0;
        while (bucket.Take(0, 1500))
        {
            ++packets;
        }
        NS_TEST_EXPECT_MSG_EQ(packets, 21, "packets of a full bucket");
        NS_TEST_EXPECT_MSG_EQ(bucket.GetBytes(0), 1268, "what remains");
        // 232 bytes are missing: 18.56 us at 100 Mbps.
        const int64_t first = bucket.GetReleaseTime(0, 1500);
        NS_TEST_EXPECT_MSG_EQ(first, 18'560, "the 22nd packet");
        NS_TEST_EXPECT_MSG_EQ(bucket.Take(first - 1, 1500), false, "one nanosecond too early");
        NS_TEST_EXPECT_MSG_EQ(bucket.Take(first, 1500), true, "on time");
        NS_TEST_EXPECT_MSG_EQ(bucket.GetReleaseTime(first, 1500), first + 120'000, "then every");

        TokenBucket changed(DataRate("100Mbps"), 3000);
        changed.Empty(0);
        NS_TEST_EXPECT_MSG_EQ(changed.GetBytes(56'000), 700, "56 us at 100 Mbps");
        changed.SetRate(56'000, DataRate("200Mbps"));
        NS_TEST_EXPECT_MSG_EQ(changed.GetReleaseTime(56'000, 1500), 88'000, "32 us at 200 Mbps");

        TokenBucket slow(DataRate("10kbps"), 1500);
        slow.Empty(0);
        NS_TEST_EXPECT_MSG_EQ(slow.GetReleaseTime(0, 1500), 1'200'000'000, "1.2 s at 10 kbps");
        NS_TEST_EXPECT_MSG_EQ(slow.GetReleaseTime(0, 1501), TokenBucket::NEVER, "too long for it");
        slow.SetRate(0, DataRate(0));
        NS_TEST_EXPECT_MSG_EQ(slow.GetReleaseTime(0, 1500), TokenBucket::NEVER, "no rate");
        NS_TEST_EXPECT_MSG_EQ(slow.GetReleaseTime(0, 0), 0, "nothing is needed");

        for (const char* rate : {"1bps", "10kbps", "1Gbps", "400Gbps"})
        {
            TokenBucket idle(DataRate(rate), 32768);
            idle.Empty(0);
            NS_TEST_EXPECT_MSG_EQ(idle.GetBytes(1'000'000'000'000'000), 32768, "full at " << rate);
        }
        TokenBucket shallow(DataRate("1Gbps"), 3000);
        shallow.SetDepth(0, 1000);
        NS_TEST_EXPECT_MSG_EQ(shallow.GetBytes(0), 1000, "what fits");
        shallow.SetDepth(0, 4000);
        NS_TEST_EXPECT_MSG_EQ(shallow.GetBytes(8'000), 2000, "a deeper one fills at its rate");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Random packets and changes of rate against rational numbers.
 */
class TokenBucketModelTestCase : public TestCase
{
  public:
    TokenBucketModelTestCase()
        : TestCase("random packets against rational numbers")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        uint64_t rate = 1'000'000'007;
        const uint32_t depth = 9000;
        TokenBucket bucket{DataRate(rate), depth};
        Rational tokens = depth;
        int64_t now = 0;
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < 100'000; ++i)
        {
            const int64_t gap = random->GetInteger(0, 12'000);
            const uint32_t size = random->GetInteger(64, 1500);
            now += gap;
            tokens += Rational(rate) * gap / 8'000'000'000;
            tokens = tokens > depth ? Rational(depth) : tokens;
            if (i % 1000 == 999)
            {
                rate = random->GetInteger(1'000'000, 4'000'000'000U);
                bucket.SetRate(now, DataRate(rate));
            }
            const bool there = tokens >= size;
            wrong += bucket.Take(now, size) != there;
            tokens -= there ? size : 0;
            if (i % 10 == 0)
            {
                // The last instant at which too little is there, and the first at which enough is.
                const int64_t release = bucket.GetReleaseTime(now, 1500);
                const auto at = [&](int64_t time) -> Rational {
                    return tokens + Rational(rate) * (time - now) / 8'000'000'000;
                };
                wrong += at(release) < 1500 || (release > now && at(release - 1) >= 1500);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, "decisions that differ");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Token buckets.
 */
class TokenBucketTestSuite : public TestSuite
{
  public:
    TokenBucketTestSuite()
        : TestSuite("token-bucket", Type::UNIT)
    {
        AddTestCase(new TokenBucketTestCase);
        AddTestCase(new TokenBucketModelTestCase);
    }
};

static TokenBucketTestSuite g_tokenBucketTestSuite; ///< the suite
