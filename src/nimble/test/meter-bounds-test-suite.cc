/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/meter.h"
#include "ns3/object-spec.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <array>
#include <cmath>

using namespace ns3;

namespace
{

/// @brief Packets at random times: bursts at line rate, pauses, and a load above the limit.
class RandomTraffic
{
  public:
    /// @param stream of the random numbers
    explicit RandomTraffic(int64_t stream)
        : m_random(CreateObject<UniformRandomVariable>())
    {
        m_random->SetStream(stream);
    }

    /// @brief Go on to the next packet.
    void Next()
    {
        bytes = m_random->GetInteger(64, 1500);
        const bool pause = m_random->GetInteger(0, 199) == 0;
        now += pause ? m_random->GetInteger(0, 100'000) : m_random->GetInteger(10, 400);
    }

    int64_t now{0};    //!< of the packet, in ns
    uint32_t bytes{0}; //!< of the packet

  private:
    Ptr<UniformRandomVariable> m_random; //!< draws
};

/// @brief Queue of the packets that pass a meter, drained at a rate: the most that it ever holds is
/// the most by which any window exceeds rate times window.
class WindowBound
{
  public:
    /// @param bytesPerNs rate
    explicit WindowBound(double bytesPerNs)
        : m_rate(bytesPerNs)
    {
    }

    /// @brief A packet passed.
    void Add(int64_t now, uint32_t bytes)
    {
        m_held = std::max(0.0, m_held - m_rate * static_cast<double>(now - m_last)) + bytes;
        m_last = now;
        most = std::max(most, m_held);
        passed += bytes;
    }

    double most{0};   //!< bytes
    double passed{0}; //!< bytes

  private:
    double m_rate;     //!< bytes per ns
    double m_held{0};  //!< bytes
    int64_t m_last{0}; //!< ns
};

} // namespace

/**
 * @ingroup nimble-tests
 * @brief In any window, a class gets at most rate times window plus burst.
 */
class MeterWindowTestCase : public TestCase
{
  public:
    MeterWindowTestCase()
        : TestCase("admitted bytes in any window")
    {
    }

  private:
    /**
     * @brief Send 50,000 packets through a meter.
     * @param spec of the meter, whose rate is 10 Gbit/s
     * @param burst most beyond the rate
     * @param faster by which the meter's rate may be too large
     * @return bytes that passed
     */
    double Check(const std::string& spec, double burst, double faster)
    {
        constexpr double RATE = 1.25; // bytes per ns
        const auto meter = CreateFromSpec<Meter>("meter", spec);
        meter->Check();
        RandomTraffic traffic(1);
        WindowBound bound(RATE * (1 + faster));
        Meter::State state = meter->Start(0);
        for (uint32_t i = 0; i < 50'000; ++i)
        {
            traffic.Next();
            if (meter->Mark(state, traffic.now, traffic.bytes) != Colour::RED)
            {
                bound.Add(traffic.now, traffic.bytes);
            }
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bound.most, burst + 1e-3, spec);
        return bound.passed;
    }

    void DoRun() override
    {
        const std::string bursts = "Rate=10Gbps,YellowBurst=20000,RedBurst=150000";
        const double exact = Check("logical:" + bursts, 150'000, 0);
        for (const std::string mode : {"Occupancy", "Rfc2697", "Rfc2698"})
        {
            const double passed = Check("native:" + bursts + ",Mode=" + mode, 150'000, 0);
            NS_TEST_EXPECT_MSG_EQ_TOL(passed, exact, 0.001 * exact, mode);
        }
        // A look-up errs by at most 2^-b upwards and 1 / (2^b + 2) downwards.
        for (int bits = 1; bits <= 32; ++bits)
        {
            const double steps = std::ldexp(1, bits);
            const double passed =
                Check("logical:" + bursts + ",SignificantBits=" + std::to_string(bits),
                      150'000,
                      1 / steps);
            NS_TEST_EXPECT_MSG_GT(passed,
                                  0.999 * exact * (1 - 1 / (steps + 2)),
                                  bits << " bits hold it back further than they may");
        }
    }
};

/**
 * @ingroup nimble-tests
 * @brief Both markers against their rules in whole numbers, over a million packets.
 */
class MillionPacketsTestCase : public TestCase
{
  public:
    MillionPacketsTestCase()
        : TestCase("a million packets through the RFCs' meters")
    {
    }

  private:
    /// @brief A bucket in the smallest unit in which nothing is rounded: 2^-6 bytes at the rates
    /// used here, times in units of 4 ns.
    struct Bucket
    {
        int64_t depth;  //!< 2^-6 bytes
        int64_t rate;   //!< per 4 ns
        int64_t tokens; //!< now
    };

    void DoRun() override
    {
        // 2.5 and 5 Gbit/s are 80 and 160 such units in 4 ns.
        const auto single = CreateFromSpec<Meter>(
            "meter",
            "single-rate:CommittedRate=2500Mbps,CommittedBurst=6000,ExcessBurst=9000");
        const auto two = CreateFromSpec<Meter>(
            "meter",
            "two-rate:CommittedRate=2500Mbps,PeakRate=5Gbps,CommittedBurst=6000,PeakBurst=9000");
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(5);
        Meter::State singleState = single->Start(0);
        Meter::State twoState = two->Start(0);
        constexpr int64_t BYTE = 64;
        Bucket c1{6000 * BYTE, 80, 6000 * BYTE};
        Bucket e1{9000 * BYTE, 80, 9000 * BYTE};
        Bucket c2 = c1;
        Bucket p2{9000 * BYTE, 160, 9000 * BYTE};
        int64_t now = 0;
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < 1'000'000; ++i)
        {
            const int64_t steps = random->GetInteger(0, 800);
            const uint32_t bytes = random->GetInteger(64, 1500);
            now += 4 * steps;
            wrong += single->Mark(singleState, now, bytes) != MarkSingle(c1, e1, steps, bytes);
            wrong += two->Mark(twoState, now, bytes) != MarkTwo(c2, p2, steps, bytes);
        }
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, "colours that differ");
    }

    /// @brief RFC 2697, Sections 2 and 3: what does not fit the first bucket goes to the second.
    static Colour MarkSingle(Bucket& c, Bucket& e, int64_t steps, uint32_t bytes)
    {
        const int64_t earned = c.rate * steps;
        const int64_t room = c.depth - c.tokens;
        c.tokens += std::min(earned, room);
        e.tokens = std::min(e.depth, e.tokens + std::max<int64_t>(0, earned - room));
        const int64_t needed = 64 * static_cast<int64_t>(bytes);
        for (Bucket* bucket : {&c, &e})
        {
            if (bucket->tokens - needed >= 0)
            {
                bucket->tokens -= needed;
                return bucket == &c ? Colour::GREEN : Colour::YELLOW;
            }
        }
        return Colour::RED;
    }

    /// @brief RFC 2698, Sections 2 and 3: both fill by themselves.
    static Colour MarkTwo(Bucket& c, Bucket& p, int64_t steps, uint32_t bytes)
    {
        for (Bucket* bucket : {&c, &p})
        {
            bucket->tokens = std::min(bucket->depth, bucket->tokens + bucket->rate * steps);
        }
        const int64_t needed = 64 * static_cast<int64_t>(bytes);
        if (p.tokens - needed < 0)
        {
            return Colour::RED;
        }
        p.tokens -= needed;
        if (c.tokens - needed < 0)
        {
            return Colour::YELLOW;
        }
        c.tokens -= needed;
        return Colour::GREEN;
    }
};

/**
 * @ingroup nimble-tests
 * @brief Test suite of the most that meters let through.
 */
class MeterBoundsTestSuite : public TestSuite
{
  public:
    MeterBoundsTestSuite()
        : TestSuite("meter-bounds", Type::UNIT)
    {
        AddTestCase(new MeterWindowTestCase, Duration::QUICK);
        AddTestCase(new MillionPacketsTestCase, Duration::QUICK);
    }
};

static MeterBoundsTestSuite g_meterBoundsTestSuite; //!< registers itself
