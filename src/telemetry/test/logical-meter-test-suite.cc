/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"
#include "meter-test.h"

#include "ns3/logical-meter.h"
#include "ns3/object-spec.h"
#include "ns3/test.h"

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

using namespace ns3;

using Rational = boost::multiprecision::cpp_rational; ///< an exact number

namespace
{

/**
 * @param attributes of the meter
 * @return the meter
 */
Ptr<Meter>
CreateLogicalMeter(const std::string& attributes)
{
    return CreateFromSpec<Meter>("meter", "logical:" + attributes);
}

/**
 * @brief Full packets at a constant rate.
 * @param attributes of the meter
 * @param gap between them in ns
 * @param count number of packets
 * @param bytes of each
 * @return the rate that is not red, in Gbps, over the second half
 */
double
GetAdmittedGbps(const std::string& attributes, int64_t gap, uint32_t count, uint32_t bytes = 1500)
{
    Ptr<const Meter> meter = CreateLogicalMeter(attributes);
    Meter::State state = meter->Start(0);
    uint32_t admitted = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const Colour colour = meter->Mark(state, gap * i, bytes);
        admitted += i >= count / 2 && colour != Colour::RED;
    }
    return admitted * bytes * 8.0 / (static_cast<double>(gap) * (count - count / 2));
}

} // namespace

/**
 * @ingroup telemetry-tests
 * @brief Occupancies and colours worked out by hand.
 */
class LogicalMeterTestCase : public TestCase
{
  public:
    LogicalMeterTestCase()
        : TestCase("occupancy and colours with exact multiplication")
    {
    }

  private:
    void DoRun() override
    {
        const std::string rate = "Rate=50Gbps,YellowBurst=16384,RedBurst=";
        MeterProbe probe(CreateLogicalMeter(rate + "409600"));
        std::string colours;
        for (int n = 1; n <= 545; ++n)
        {
            colours += probe.Send(120 * (n - 1), 1, 1500);
            NS_TEST_ASSERT_MSG_EQ(LogicalMeter::GetOccupancy(probe.state),
                                  1500 + 750 * (n - 1),
                                  "occupancy after packet " << n);
        }
        NS_TEST_EXPECT_MSG_EQ(colours.find('Y'), 20, "first yellow: packet 21");
        NS_TEST_EXPECT_MSG_EQ(colours.find('R'), std::string::npos, "no red before");
        NS_TEST_EXPECT_MSG_EQ(probe.Send(120 * 545, 1, 1500), "R", "packet 546: 410250 bytes");

        MeterProbe small(CreateLogicalMeter(rate + "81920"));
        colours.clear();
        for (int n = 1; n <= 108; ++n)
        {
            colours += small.Send(120 * (n - 1), 1, 1500);
        }
        NS_TEST_EXPECT_MSG_EQ(colours, std::string(20, 'G') + std::string(88, 'Y'), "1 to 108");
        NS_TEST_EXPECT_MSG_EQ(LogicalMeter::GetOccupancy(small.state), 81750, "after packet 108");
        NS_TEST_EXPECT_MSG_EQ(small.Send(120 * 108, 1, 1500), "R", "packet 109");
        NS_TEST_EXPECT_MSG_EQ(LogicalMeter::GetOccupancy(small.state), 81000, "drained");
        NS_TEST_EXPECT_MSG_EQ(small.Send(120 * 109, 1, 1500), "Y", "packet 110");
        NS_TEST_EXPECT_MSG_EQ(LogicalMeter::GetOccupancy(small.state), 81750, "after packet 110");
        NS_TEST_EXPECT_MSG_EQ(small.Send(120 * 110, 1, 1500), "R", "packet 111");
        NS_TEST_EXPECT_MSG_EQ(GetAdmittedGbps(rate + "81920", 120, 4000), 50, "admitted rate");

        MeterProbe level(CreateLogicalMeter(rate + "409600"));
        for (int n = 0; n < 1000; ++n)
        {
            NS_TEST_ASSERT_MSG_EQ(level.Send(240 * n, 1, 1500), "G", "at the rate itself");
            NS_TEST_ASSERT_MSG_EQ(LogicalMeter::GetOccupancy(level.state), 1500, "occupancy");
        }

        MeterProbe idle(CreateLogicalMeter(rate + "409600"));
        idle.Send(0, 10, 1000);
        NS_TEST_EXPECT_MSG_EQ(LogicalMeter::GetOccupancy(idle.state), 10'000, "before");
        idle.Send(10'000, 1, 1500);
        NS_TEST_EXPECT_MSG_EQ(LogicalMeter::GetOccupancy(idle.state), 1500, "drains to 0, no less");

        // The exact fill of the red threshold is admitted; a red packet moves the time on.
        MeterProbe edge(CreateLogicalMeter("Rate=8Gbps,YellowBurst=1000,RedBurst=3000"));
        NS_TEST_EXPECT_MSG_EQ(edge.Send(0, 3, 1000), "GYY", "3000 bytes of 3000");
        NS_TEST_EXPECT_MSG_EQ(edge.Send(999, 1, 1000), "R", "3001 bytes of 3000");
        NS_TEST_EXPECT_MSG_EQ(LogicalMeter::GetOccupancy(edge.state), 2001, "drained by 999");
        NS_TEST_EXPECT_MSG_EQ(edge.Send(1000, 1, 1000), "Y", "3000 bytes of 3000");

        // 1 Mbps with jumbo frames at twice that.
        MeterProbe slow(CreateLogicalMeter("Rate=1Mbps,YellowBurst=9000,RedBurst=9000"));
        colours.clear();
        for (int n = 0; n < 10; ++n)
        {
            colours += slow.Send(36'000'000LL * n, 1, 9000);
        }
        NS_TEST_EXPECT_MSG_EQ(colours, "GRGRGRGRGR", "every second packet");

        // A slow limiter under many packets: no drained fraction of a byte is lost.
        MeterProbe fine(CreateLogicalMeter("Rate=1Mbps,YellowBurst=1000,RedBurst=1000"));
        uint32_t admitted = 0;
        for (int n = 0; n < 1'000'000; ++n)
        {
            admitted += fine.Send(120LL * n, 1, 64) == "G";
        }
        NS_TEST_EXPECT_MSG_EQ(admitted, 15 + 234, "1000 bytes and 120 ms at 1 Mbps, in 64 bytes");

        NS_TEST_EXPECT_MSG_EQ(
            ErrorText([] { CreateLogicalMeter("YellowBurst=3000,RedBurst=2000")->Check(); }),
            "ns3::LogicalMeter::YellowBurst = '3000': at most RedBurst",
            "thresholds in the wrong order");
        NS_TEST_EXPECT_MSG_EQ(
            ErrorText([] { CreateLogicalMeter("Rate=1Mbps,YellowRate=2Mbps")->Check(); }),
            "ns3::LogicalMeter::YellowRate = '2000000': at most Rate",
            "rates in the wrong order");
        NS_TEST_EXPECT_MSG_EQ(
            ErrorText([] { CreateLogicalMeter("TimeWidth=3,SignificantBits=4")->Check(); }),
            "ns3::LogicalMeter::SignificantBits = '4': at most TimeWidth",
            "more bits than there are");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief The effect of the table look-up on a constant stream.
 */
class LogicalMeterTableTestCase : public TestCase
{
  public:
    LogicalMeterTableTestCase()
        : TestCase("rates with the multiplication table")
    {
    }

  private:
    void DoRun() override
    {
        const std::string table = "Rate=50Gbps,YellowBurst=16384,RedBurst=409600,SignificantBits=";
        MeterProbe probe(CreateLogicalMeter(table + "4"));
        probe.Send(0, 1, 1500);
        probe.Send(120, 1, 1500);
        NS_TEST_EXPECT_MSG_EQ(LogicalMeter::GetOccupancy(probe.state), 1500 + 728.125, "growth");

        const std::array<double, 7> gbps{39.792, 46.458, 49.792, 51.458, 50.625, 50.208, 50.000};
        for (std::size_t b = 1; b <= gbps.size(); ++b)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(GetAdmittedGbps(table + std::to_string(b), 120, 200'000),
                                      gbps[b - 1],
                                      0.002,
                                      b << " significant bits");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(GetAdmittedGbps(table + "4", 128, 200'000),
                                  52.930,
                                  0.002,
                                  "128 ns apart");

        // A long silence counts as 2^32 - 1 ns: 536870 bytes at 1 Mbps; as 8389 bytes with 26 bits.
        const auto drain = [](const std::string& width) {
            MeterProbe silent(CreateLogicalMeter(
                "Rate=1Mbps,SignificantBits=4,RedBurst=409600,TimeWidth=" + width));
            silent.Send(0, 273, 1500);
            silent.Send(1'000'000'000'000, 1, 64);
            return LogicalMeter::GetOccupancy(silent.state);
        };
        NS_TEST_EXPECT_MSG_EQ(drain("32"), 64, "32 bits empty it");
        NS_TEST_EXPECT_MSG_GT(drain("26"), 400'000, "26 bits do not");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Random packets against a queue in rational numbers.
 */
class LogicalMeterModelTestCase : public TestCase
{
  public:
    LogicalMeterModelTestCase()
        : TestCase("random packets against a queue in rational numbers")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(3);
        for (int i = 0; i < 5; ++i)
        {
            const uint64_t rate = random->GetInteger(1'000'003, 4'000'000'000U);
            const uint32_t yellow = random->GetInteger(1500, 20'000);
            const uint32_t red = yellow + random->GetInteger(1500, 60'000);
            MeterProbe probe(CreateLogicalMeter("Rate=" + std::to_string(rate) +
                                                "bps,YellowBurst=" + std::to_string(yellow) +
                                                ",RedBurst=" + std::to_string(red)));
            Rational queue = 0;
            int64_t last = 0;
            std::string seen;
            for (const auto& arrival :
                 MakeMeterArrivals(*random, 20'000, static_cast<double>(rate)))
            {
                queue -= Rational(rate) * (arrival.time - last) / 8'000'000'000;
                queue = queue < 0 ? Rational(0) : queue;
                last = arrival.time;
                std::string expected = "R";
                if (queue + arrival.bytes <= red)
                {
                    queue += arrival.bytes;
                    expected = queue > yellow ? "Y" : "G";
                }
                NS_TEST_ASSERT_MSG_EQ(probe.Send(arrival.time, 1, arrival.bytes),
                                      expected,
                                      "at " << arrival.time);
                seen += expected;
            }
            NS_TEST_EXPECT_MSG_GT(std::count(seen.begin(), seen.end(), 'Y'), 1000, "yellow");
            NS_TEST_EXPECT_MSG_GT(std::count(seen.begin(), seen.end(), 'R'), 1000, "red");
        }
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Every number of significant bits against queues in rational numbers.
 *
 * A group's mean is at most 2^-b above a time and 1 / (2^b + 2) below it, so that the imagined
 * queue never holds less than one that drains so much faster, nor more than one that drains so much
 * slower; and it is off the exact one by at most 2^-b of what drains while they have not been empty
 * together.
 */
class LogicalMeterBitsTestCase : public TestCase
{
  public:
    LogicalMeterBitsTestCase()
        : TestCase("1 to 32 significant bits: how far from an exact queue")
    {
    }

  private:
    /// @brief A queue of real bytes.
    struct Queue
    {
        Rational bytes; //!< that wait
        Rational rate;  //!< bytes per ns

        void Drain(int64_t ns)
        {
            bytes = std::max(Rational(0), Rational(bytes - rate * ns));
        }
    };

    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(5);
        for (uint32_t bits = 1; bits <= 32; ++bits)
        {
            CheckQueue(bits, *random);
            CheckAdmitted(bits, *random);
        }
    }

    /// @brief Nothing is red: all queues have the same arrivals.
    void CheckQueue(uint32_t bits, UniformRandomVariable& random)
    {
        const uint64_t bps = random.GetInteger(1'000'000, 4'000'000'000U);
        const Rational rate = Rational(bps) / 8'000'000'000;
        const Rational power(boost::multiprecision::cpp_int(1) << bits);
        MeterProbe probe(CreateLogicalMeter(
            "YellowBurst=100000000,RedBurst=100000000,SignificantBits=" + std::to_string(bits) +
            ",Rate=" + std::to_string(bps) + "bps"));
        Queue exact{0, rate};
        Queue fast{0, rate * (1 + 1 / power)};
        Queue slow{0, rate * (1 - 1 / (power + 2))};
        Rational most = 0; // by which the meter may be off the exact one
        Rational largest = 0;
        int64_t longest = 0;
        int64_t last = 0;
        for (const auto& arrival : MakeMeterArrivals(random, 2000, static_cast<double>(bps)))
        {
            const int64_t passed = arrival.time - last;
            last = arrival.time;
            longest = std::max(longest, passed);
            probe.Send(arrival.time, 1, arrival.bytes);
            const Rational occupancy = Rational(probe.state.excess) / (2 * TOKENS_PER_BYTE);
            for (Queue* queue : {&exact, &fast, &slow})
            {
                queue->Drain(passed);
                queue->bytes += arrival.bytes;
            }
            const bool bothWereEmpty = exact.bytes == arrival.bytes && occupancy == exact.bytes;
            most = bothWereEmpty ? Rational(0) : Rational(most + rate * passed / power);
            const Rational off = abs(Rational(occupancy - exact.bytes));
            largest = std::max(largest, off);
            NS_TEST_ASSERT_MSG_EQ((fast.bytes <= occupancy && occupancy <= slow.bytes),
                                  true,
                                  bits << " bits at " << arrival.time);
            NS_TEST_ASSERT_MSG_EQ((off <= most), true, bits << " bits: difference");
        }
        NS_TEST_EXPECT_MSG_EQ((largest == 0),
                              (longest >> bits == 0),
                              bits << " bits: exact or not");
    }

    /// @brief Far above the rate: what is admitted is what drains.
    void CheckAdmitted(uint32_t bits, UniformRandomVariable& random)
    {
        constexpr double BYTES_PER_NS = 1.25;
        constexpr double RED = 30'000;
        MeterProbe probe(CreateLogicalMeter(
            "Rate=10Gbps,YellowBurst=3000,RedBurst=30000,SignificantBits=" + std::to_string(bits)));
        double admitted = 0;
        int64_t now = 0;
        for (uint32_t i = 0; i < 20'000; ++i)
        {
            now += random.GetInteger(1, 600);
            admitted += probe.Send(now, 1, 1500) == "R" ? 0 : 1500;
        }
        const double drained = BYTES_PER_NS * static_cast<double>(now);
        const double power = std::pow(2.0, bits);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(admitted,
                                    drained * (1 + 1 / power) + RED,
                                    bits << " bits: at most");
        NS_TEST_EXPECT_MSG_GT(admitted,
                              drained * (1 - 1 / (power + 2)) - RED,
                              bits << " bits: at least");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Two rates, and how full a meter is.
 */
class LogicalMeterRatesTestCase : public TestCase
{
  public:
    LogicalMeterRatesTestCase()
        : TestCase("a yellow rate of its own; the fill between the thresholds")
    {
    }

  private:
    void DoRun() override
    {
        // 3 Gbps offered: yellow above 1 Gbps, red above 2 Gbps.
        MeterProbe two(
            CreateLogicalMeter("Rate=2Gbps,YellowRate=1Gbps,YellowBurst=3000,RedBurst=6000"));
        std::string colours;
        for (int n = 0; n < 30'000; ++n)
        {
            colours += two.Send(4'000LL * n, 1, 1500);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(std::count(colours.begin(), colours.end(), 'R'),
                                  10'000,
                                  10,
                                  "red");
        // 1.5 Gbps is below the red rate: all of it passes, and in the end all of it is yellow.
        colours.clear();
        for (int n = 0; n < 1000; ++n)
        {
            colours += two.Send(1'000'000'000 + 8'000LL * n, 1, 1500);
        }
        NS_TEST_EXPECT_MSG_EQ(colours.find('R'), std::string::npos, "no red");
        NS_TEST_EXPECT_MSG_EQ(colours.substr(0, 2), "GG", "a burst is green");
        NS_TEST_EXPECT_MSG_EQ(colours.substr(10).find('G'), std::string::npos, "then yellow");
        // What was yellow for long is green again soon: the imagined queue was bounded.
        NS_TEST_EXPECT_MSG_EQ(two.Send(2'000'000'000, 1, 1500), "G", "after a pause");

        const auto meter = CreateLogicalMeter("YellowBurst=81920,RedBurst=409600");
        const auto fill = [&meter](int64_t bytes) {
            const int64_t units = bytes * 2 * TOKENS_PER_BYTE;
            return meter->GetYellowFill({0, units, units});
        };
        NS_TEST_EXPECT_MSG_EQ(fill(0), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(fill(81920), 0, "at the yellow threshold");
        NS_TEST_EXPECT_MSG_EQ(fill(245760), 0.5, "between");
        NS_TEST_EXPECT_MSG_EQ(fill(409600), 1, "at the red threshold");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief 100,000 states of one profile.
 */
class LogicalMeterScaleTestCase : public TestCase
{
  public:
    LogicalMeterScaleTestCase()
        : TestCase("100,000 limiters of 1 Mbps, one packet each")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<const Meter> meter = CreateLogicalMeter("Rate=1Mbps,SignificantBits=4");
        std::vector<Meter::State> states(100'000, meter->Start(0));
        uint32_t green = 0;
        int64_t now = 0;
        for (Meter::State& state : states)
        {
            green += meter->Mark(state, now += 720, 9000) == Colour::GREEN;
        }
        NS_TEST_EXPECT_MSG_EQ(green, states.size(), "all green on first use");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief The logical meter.
 */
class LogicalMeterTestSuite : public TestSuite
{
  public:
    LogicalMeterTestSuite()
        : TestSuite("logical-meter", Type::UNIT)
    {
        AddTestCase(new LogicalMeterTestCase);
        AddTestCase(new LogicalMeterTableTestCase);
        AddTestCase(new LogicalMeterModelTestCase);
        AddTestCase(new LogicalMeterBitsTestCase);
        AddTestCase(new LogicalMeterRatesTestCase);
        AddTestCase(new LogicalMeterScaleTestCase);
    }
};

static LogicalMeterTestSuite g_logicalMeterTestSuite; ///< the suite
