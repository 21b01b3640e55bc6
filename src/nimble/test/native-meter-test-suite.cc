/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/native-meter.h"
#include "ns3/object-spec.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

using namespace ns3;

namespace
{

using Rational = boost::multiprecision::cpp_rational;

/**
 * @brief Make a native meter.
 * @param attributes of the meter
 * @return the meter
 */
Ptr<Meter>
CreateNative(const std::string& attributes)
{
    const auto meter = CreateFromSpec<Meter>("meter", "native:" + attributes);
    meter->Check();
    return meter;
}

/**
 * @brief Colours of packets of 1500 bytes at constant gaps.
 * @param meter colours them
 * @param count packets
 * @param gap in ns
 * @return G, Y, R per packet
 */
std::string
MarkTrain(const Meter& meter, uint32_t count, int64_t gap)
{
    Meter::State state = meter.Start(0);
    std::string colours;
    for (uint32_t i = 0; i < count; ++i)
    {
        colours += "GYR"[static_cast<int>(meter.Mark(state, i * gap, 1500))];
    }
    return colours;
}

/// @brief The rule in the words of the specification: two buckets of real numbers of bytes, both
/// charged by every packet that is not red.
class TwoBuckets
{
  public:
    TwoBuckets(uint64_t rate, uint32_t yellowBurst, uint32_t redBurst)
        : m_rate(Rational(rate) / 8'000'000'000),
          m_yellowBurst(yellowBurst),
          m_redBurst(redBurst),
          m_yellow(yellowBurst),
          m_red(redBurst)
    {
    }

    Colour Mark(int64_t now, uint32_t bytes)
    {
        const Rational earned = m_rate * (now - m_last);
        m_last = now;
        m_yellow = std::min<Rational>(m_yellow + earned, m_yellowBurst);
        m_red = std::min<Rational>(m_red + earned, m_redBurst);
        if (m_red < bytes)
        {
            return Colour::RED;
        }
        m_red -= bytes;
        m_yellow -= bytes;
        return m_yellow < 0 ? Colour::YELLOW : Colour::GREEN;
    }

  private:
    Rational m_rate;        //!< bytes per ns
    Rational m_yellowBurst; //!< bytes
    Rational m_redBurst;    //!< bytes
    Rational m_yellow;      //!< bytes
    Rational m_red;         //!< bytes
    int64_t m_last{0};      //!< ns
};

} // namespace

/**
 * @ingroup nimble-tests
 * @brief The three modes on the paper's numbers.
 */
class NativeMeterModesTestCase : public TestCase
{
  public:
    NativeMeterModesTestCase()
        : TestCase("modes of native meters")
    {
    }

  private:
    void DoRun() override
    {
        const std::string attributes = "Rate=50Gbps,YellowBurst=16384,RedBurst=81920";
        const std::string occupancy =
            MarkTrain(*CreateNative(attributes + ",Mode=Occupancy"), 2000, 120);
        NS_TEST_EXPECT_MSG_EQ(occupancy.substr(0, 111),
                              std::string(20, 'G') + std::string(88, 'Y') + "RYR",
                              "packets 1-20 green, 21-108 yellow, then red and yellow in turn");
        const std::string single = MarkTrain(*CreateNative(attributes), 2000, 120);
        // By default, the single-rate marker itself.
        const auto one = CreateFromSpec<Meter>(
            "meter",
            "single-rate:CommittedRate=50Gbps,CommittedBurst=16384,ExcessBurst=65536");
        NS_TEST_EXPECT_MSG_EQ(single, MarkTrain(*one, 2000, 120), "RFC 2697");
        NS_TEST_EXPECT_MSG_EQ(single.substr(1990).find('Y'), std::string::npos, "no yellow");
        for (std::size_t i = 1990; i + 2 < single.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_NE(single[i], single[i + 1], "green and red in turn");
        }
        // PIR = CIR: as the two-rate marker itself.
        const auto two = CreateFromSpec<Meter>(
            "meter",
            "two-rate:CommittedRate=50Gbps,PeakRate=50Gbps,CommittedBurst=16384,PeakBurst=81920");
        NS_TEST_EXPECT_MSG_EQ(MarkTrain(*CreateNative(attributes + ",Mode=Rfc2698"), 2000, 120),
                              MarkTrain(*two, 2000, 120),
                              "RFC 2698");
        const auto rates = CreateFromSpec<Meter>(
            "meter",
            "two-rate:CommittedRate=20Gbps,PeakRate=50Gbps,CommittedBurst=16384,PeakBurst=81920");
        NS_TEST_EXPECT_MSG_EQ(
            MarkTrain(*CreateNative(attributes + ",Mode=Rfc2698,YellowRate=20Gbps"), 2000, 120),
            MarkTrain(*rates, 2000, 120),
            "RFC 2698 with two rates");
    }
};

/**
 * @ingroup nimble-tests
 * @brief Mode Occupancy against its rule, and a change of rate.
 */
class NativeMeterExactTestCase : public TestCase
{
  public:
    NativeMeterExactTestCase()
        : TestCase("mode Occupancy against two buckets in rational numbers")
    {
    }

  private:
    void DoRun() override
    {
        const std::string attributes = "Rate=7Gbps,YellowBurst=16384,RedBurst=65536";
        const auto meter = CreateNative(attributes + ",Mode=Occupancy");
        const auto logical = CreateFromSpec<Meter>("meter", "logical:" + attributes);
        TwoBuckets exact(7'000'000'000, 16384, 65536);
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        Meter::State state = meter->Start(0);
        Meter::State queue = logical->Start(0);
        int64_t now = 0;
        std::array<uint32_t, 3> seen{};
        for (uint32_t i = 0; i < 100'000; ++i)
        {
            now += random->GetInteger(0, 1500);
            const uint32_t bytes = random->GetInteger(64, 1500);
            const Colour colour = meter->Mark(state, now, bytes);
            ++seen[static_cast<uint8_t>(colour)];
            NS_TEST_ASSERT_MSG_EQ(colour, exact.Mark(now, bytes), "packet " << i);
            NS_TEST_ASSERT_MSG_EQ(colour, logical->Mark(queue, now, bytes), "packet " << i);
        }
        NS_TEST_EXPECT_MSG_GT(*std::min_element(seen.begin(), seen.end()), 100, "all colours");

        // What was earned before a change was earned at the old rate, and no burst is granted.
        const auto slow =
            CreateNative("Rate=1Mbps,YellowBurst=16384,RedBurst=65536,Mode=Occupancy");
        state = meter->Start(0);
        while (meter->Mark(state, 0, 1500) != Colour::RED)
        {
        }
        meter->SwitchTo(*slow, state, 100);
        NS_TEST_EXPECT_MSG_EQ(slow->Mark(state, 100, 1500), Colour::RED, "87.5 bytes were earned");
    }
};

/**
 * @ingroup nimble-tests
 * @brief Native meters.
 */
class NativeMeterTestSuite : public TestSuite
{
  public:
    NativeMeterTestSuite()
        : TestSuite("native-meter", Type::UNIT)
    {
        AddTestCase(new NativeMeterModesTestCase, Duration::QUICK);
        AddTestCase(new NativeMeterExactTestCase, Duration::QUICK);
    }
};

static NativeMeterTestSuite g_nativeMeterTestSuite; //!< registers itself
