/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../support/test/support-test.h"
#include "meter-test.h"

#include "ns3/boolean.h"
#include "ns3/object-spec.h"
#include "ns3/rfc-meters.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>

using namespace ns3;

using Rational = boost::multiprecision::cpp_rational; ///< an exact number

namespace
{

constexpr int64_t MS = 1'000'000; //!< ns

/**
 * @param spec a meter
 * @return the meter
 */
Ptr<Meter>
CreateMeter(const std::string& spec)
{
    return CreateFromSpec<Meter>("meter", spec);
}

/// @brief Parameters of either RFC, in its own units: bit/s and bytes.
struct Parameters
{
    uint64_t rate;        //!< CIR
    uint64_t peakRate;    //!< PIR (RFC 2698)
    uint32_t burst;       //!< CBS
    uint32_t secondBurst; //!< EBS or PBS
    bool aware;           //!< colour-aware mode
};

/// @brief RFC 2697, Section 3, in rational numbers.
class SingleRateModel
{
  public:
    explicit SingleRateModel(const Parameters& parameters)
        : m_parameters(parameters),
          m_tc(parameters.burst),
          m_te(parameters.secondBurst)
    {
    }

    Colour Mark(const MeterArrival& arrival)
    {
        m_tc += Rational(m_parameters.rate) * (arrival.time - m_last) / 8'000'000'000;
        m_last = arrival.time;
        if (m_tc > m_parameters.burst)
        {
            m_te += m_tc - m_parameters.burst;
            m_tc = m_parameters.burst;
        }
        if (m_te > m_parameters.secondBurst)
        {
            m_te = m_parameters.secondBurst;
        }
        const bool blind = !m_parameters.aware;
        if ((blind || arrival.before == Colour::GREEN) && m_tc - arrival.bytes >= 0)
        {
            m_tc -= arrival.bytes;
            return Colour::GREEN;
        }
        if ((blind || arrival.before != Colour::RED) && m_te - arrival.bytes >= 0)
        {
            m_te -= arrival.bytes;
            return Colour::YELLOW;
        }
        return Colour::RED;
    }

  private:
    Parameters m_parameters;
    Rational m_tc;
    Rational m_te;
    int64_t m_last{0};
};

/// @brief RFC 2698, Section 3, in rational numbers.
class TwoRateModel
{
  public:
    explicit TwoRateModel(const Parameters& parameters)
        : m_parameters(parameters),
          m_tc(parameters.burst),
          m_tp(parameters.secondBurst)
    {
    }

    Colour Mark(const MeterArrival& arrival)
    {
        const auto fill = [&](Rational& bucket, uint64_t rate, uint32_t burst) {
            bucket += Rational(rate) * (arrival.time - m_last) / 8'000'000'000;
            if (bucket > burst)
            {
                bucket = burst;
            }
        };
        fill(m_tc, m_parameters.rate, m_parameters.burst);
        fill(m_tp, m_parameters.peakRate, m_parameters.secondBurst);
        m_last = arrival.time;
        const bool aware = m_parameters.aware;
        if ((aware && arrival.before == Colour::RED) || m_tp - arrival.bytes < 0)
        {
            return Colour::RED;
        }
        m_tp -= arrival.bytes;
        if ((aware && arrival.before == Colour::YELLOW) || m_tc - arrival.bytes < 0)
        {
            return Colour::YELLOW;
        }
        m_tc -= arrival.bytes;
        return Colour::GREEN;
    }

  private:
    Parameters m_parameters;
    Rational m_tc;
    Rational m_tp;
    int64_t m_last{0};
};

} // namespace

/**
 * @ingroup telemetry-tests
 * @brief RFC 2697 by hand.
 */
class SingleRateMeterTestCase : public TestCase
{
  public:
    SingleRateMeterTestCase()
        : TestCase("single rate three color marker (RFC 2697)")
    {
    }

  private:
    void DoRun() override
    {
        const std::string spec = "single-rate:CommittedRate=1Mbps,CommittedBurst=3000,";
        MeterProbe probe(CreateMeter(spec + "ExcessBurst=3000"));
        NS_TEST_EXPECT_MSG_EQ(probe.Send(0, 5, 1500), "GGYYR", "both buckets are full");
        // 1500 tokens in 12 ms, all into the committed bucket.
        NS_TEST_EXPECT_MSG_EQ(probe.Send(12 * MS, 2, 1500), "GR", "after 12 ms");
        NS_TEST_EXPECT_MSG_EQ(probe.state.committed, 0, "Tc");
        NS_TEST_EXPECT_MSG_EQ(probe.state.excess, 0, "Te");
        NS_TEST_EXPECT_MSG_EQ(probe.Send(60 * MS, 5, 1500), "GGYYR", "6000 tokens later");

        MeterProbe exact(CreateMeter(spec + "ExcessBurst=1500"));
        exact.Send(0, 1, 1500);
        NS_TEST_EXPECT_MSG_EQ(exact.Send(0, 1, 1500), "G", "1500 tokens for 1500 bytes");
        exact.state = {0, 1499 * TOKENS_PER_BYTE, 1500 * TOKENS_PER_BYTE};
        NS_TEST_EXPECT_MSG_EQ(exact.Send(0, 1, 1500), "Y", "1499 tokens for 1500 bytes");
        NS_TEST_EXPECT_MSG_EQ(exact.state.committed, 1499 * TOKENS_PER_BYTE, "Tc is untouched");

        MeterProbe tight(
            CreateMeter("single-rate:CommittedRate=1Mbps,CommittedBurst=1000,ExcessBurst=1000"));
        NS_TEST_EXPECT_MSG_EQ(tight.Send(0, 3, 1500), "RRR", "larger than either bucket");
        NS_TEST_EXPECT_MSG_EQ(tight.Send(0, 3, 1000), "GYR", "which stayed full");

        MeterProbe aware(CreateMeter(spec + "ExcessBurst=1500,ColourAware=true"));
        NS_TEST_EXPECT_MSG_EQ(aware.Send(0, 2, 1500, Colour::YELLOW), "YR", "Tc full, then Te = 0");
        NS_TEST_EXPECT_MSG_EQ(aware.Send(0, 1, 64, Colour::RED), "R", "red stays red");
        aware.state = {0, 0, 1500 * TOKENS_PER_BYTE};
        NS_TEST_EXPECT_MSG_EQ(aware.Send(0, 1, 1500, Colour::GREEN), "Y", "Tc = 0");

        MeterProbe policer(CreateMeter(spec + "ExcessBurst=0"));
        NS_TEST_EXPECT_MSG_EQ(policer.Send(0, 3, 1500), "GGR", "a policer knows no yellow");

        // Nimble: the excess bucket never fills again under a lasting overload.
        MeterProbe nimble(CreateMeter("single-rate:CommittedRate=50Gbps,CommittedBurst=16384,"
                                      "ExcessBurst=65536"));
        std::string colours;
        for (int i = 0; i < 1000; ++i)
        {
            colours += nimble.Send(120 * i, 1, 1500);
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(colours.begin() + 500, colours.end(), 'Y'), 0, "yellow");
        NS_TEST_EXPECT_MSG_EQ(std::count(colours.begin() + 500, colours.end(), 'G'), 250, "green");

        NS_TEST_EXPECT_MSG_EQ(
            ErrorText([] { CreateMeter("single-rate:CommittedBurst=0,ExcessBurst=0")->Check(); }),
            "ns3::SingleRateMeter::CommittedBurst = '0': CommittedBurst or ExcessBurst must be "
            "larger than 0",
            "no bucket");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief RFC 2697 to the letter: tokens of one byte come one by one.
 */
class SingleRateTokenTestCase : public TestCase
{
  public:
    SingleRateTokenTestCase()
        : TestCase("RFC 2697 token by token")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t TICK = 8; // ns per token at 1 Gbps
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        MeterProbe probe(
            CreateMeter("single-rate:CommittedRate=1Gbps,CommittedBurst=4000,ExcessBurst=6001"));
        uint32_t tc = 4000;
        uint32_t te = 6001;
        int64_t token = 0;
        std::array<uint32_t, 3> seen{};
        for (const MeterArrival& arrival : MakeMeterArrivals(*random, 10'000, 1e9))
        {
            for (; token < arrival.time / TICK; ++token)
            {
                if (tc < 4000)
                {
                    ++tc;
                }
                else if (te < 6001)
                {
                    ++te;
                }
            }
            const bool green = tc >= arrival.bytes;
            const bool yellow = !green && te >= arrival.bytes;
            tc -= green ? arrival.bytes : 0;
            te -= yellow ? arrival.bytes : 0;
            const std::string expected = green ? "G" : yellow ? "Y" : "R";
            NS_TEST_ASSERT_MSG_EQ(probe.Send(token * TICK, 1, arrival.bytes), expected, "colour");
            ++seen[expected == "G" ? 0 : expected == "Y" ? 1 : 2];
        }
        NS_TEST_EXPECT_MSG_GT(*std::min_element(seen.begin(), seen.end()), 100, "of each colour");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief RFC 2698 by hand.
 */
class TwoRateMeterTestCase : public TestCase
{
  public:
    TwoRateMeterTestCase()
        : TestCase("two rate three color marker (RFC 2698)")
    {
    }

  private:
    void DoRun() override
    {
        const std::string spec = "two-rate:CommittedRate=1Mbps,CommittedBurst=3000,PeakRate=2Mbps,"
                                 "PeakBurst=6000";
        MeterProbe probe(CreateMeter(spec));
        NS_TEST_EXPECT_MSG_EQ(probe.Send(0, 6, 1500), "GGYYRR", "both buckets are full");
        NS_TEST_EXPECT_MSG_EQ(probe.Send(6 * MS, 1, 1500), "Y", "Tc = 750, Tp = 1500");
        NS_TEST_EXPECT_MSG_EQ(probe.state.committed, 750 * TOKENS_PER_BYTE, "Tc stays");
        NS_TEST_EXPECT_MSG_EQ(probe.state.excess, 0, "Tp");
        NS_TEST_EXPECT_MSG_EQ(probe.Send(12 * MS, 1, 1500), "G", "Tc = 1500, Tp = 1500");
        NS_TEST_EXPECT_MSG_EQ(probe.state.committed, 0, "Tc");

        // At equal rates the peak bucket runs out no later than the committed one.
        MeterProbe equal(
            CreateMeter("two-rate:CommittedRate=1Gbps,CommittedBurst=3000,PeakRate=1Gbps,"
                        "PeakBurst=6000"));
        std::string colours;
        for (int i = 0; i < 1000; ++i)
        {
            colours += equal.Send(6'000 * i, 1, 1500);
        }
        NS_TEST_EXPECT_MSG_EQ(colours.substr(100).find('Y'), std::string::npos, "no yellow");
        NS_TEST_EXPECT_MSG_EQ(std::count(colours.begin() + 100, colours.end(), 'G'), 450, "half");

        MeterProbe aware(CreateMeter(spec + ",ColourAware=true"));
        aware.state = {0, 0, 1500 * TOKENS_PER_BYTE};
        NS_TEST_EXPECT_MSG_EQ(aware.Send(0, 1, 1500, Colour::GREEN), "Y", "Tp = 1500, Tc = 0");
        aware.state = {0, 3000 * TOKENS_PER_BYTE, 3000 * TOKENS_PER_BYTE};
        NS_TEST_EXPECT_MSG_EQ(aware.Send(0, 1, 1500, Colour::YELLOW), "Y", "yellow stays");
        NS_TEST_EXPECT_MSG_EQ(aware.state.committed, 3000 * TOKENS_PER_BYTE, "Tc is untouched");
        NS_TEST_EXPECT_MSG_EQ(aware.Send(0, 1, 64, Colour::RED), "R", "red stays red");

        NS_TEST_EXPECT_MSG_EQ(
            ErrorText([] { CreateMeter("two-rate:CommittedRate=2Mbps,PeakRate=1Mbps")->Check(); }),
            "ns3::TwoRateMeter::PeakRate = '1000000bps': at least CommittedRate, 2000000bps",
            "rates in the wrong order");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Both meters against the RFCs' rules in rational numbers.
 */
class RfcMeterModelTestCase : public TestCase
{
  public:
    RfcMeterModelTestCase()
        : TestCase("random packets against rational numbers")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        for (const bool aware : {false, true})
        {
            for (int i = 0; i < 4; ++i)
            {
                const uint64_t rate = random->GetInteger(1'000'003, 4'000'000'000U);
                const Parameters parameters{rate,
                                            rate +
                                                random->GetInteger(0, static_cast<uint32_t>(rate)),
                                            random->GetInteger(1500, 20'000),
                                            random->GetInteger(1500, 60'000),
                                            aware};
                const auto arrivals = MakeMeterArrivals(*random, 10'000, static_cast<double>(rate));
                const std::string common = "CommittedRate=" + std::to_string(rate) + "bps" +
                                           ",CommittedBurst=" + std::to_string(parameters.burst) +
                                           (aware ? ",ColourAware=true," : ",");
                Compare<SingleRateModel>("single-rate:" + common + "ExcessBurst=" +
                                             std::to_string(parameters.secondBurst),
                                         parameters,
                                         arrivals);
                Compare<TwoRateModel>(
                    "two-rate:" + common + "PeakBurst=" + std::to_string(parameters.secondBurst) +
                        ",PeakRate=" + std::to_string(parameters.peakRate) + "bps",
                    parameters,
                    arrivals);
            }
        }
        NS_TEST_EXPECT_MSG_GT(*std::min_element(m_seen.begin(), m_seen.end()), 2500, "each colour");
    }

    /**
     * @brief Hold a meter against its model.
     * @tparam Model the model
     * @param spec the meter
     * @param parameters of both
     * @param arrivals the packets
     */
    template <class Model>
    void Compare(const std::string& spec,
                 const Parameters& parameters,
                 const std::vector<MeterArrival>& arrivals)
    {
        Ptr<const Meter> meter = CreateMeter(spec);
        Meter::State state = meter->Start(0);
        Model model(parameters);
        for (const MeterArrival& arrival : arrivals)
        {
            const Colour colour = meter->Mark(state, arrival.time, arrival.bytes, arrival.before);
            NS_TEST_ASSERT_MSG_EQ(colour, model.Mark(arrival), spec << " at " << arrival.time);
            ++m_seen[static_cast<uint8_t>(colour)];
        }
    }

    std::array<uint32_t, 3> m_seen{}; //!< packets by colour
};

/**
 * @ingroup telemetry-tests
 * @brief A state moves to another profile.
 */
class MeterSwitchTestCase : public TestCase
{
  public:
    MeterSwitchTestCase()
        : TestCase("a changed rate counts from the change on")
    {
    }

  private:
    void DoRun() override
    {
        const auto slow = CreateMeter("single-rate:CommittedRate=1Mbps,CommittedBurst=3000,"
                                      "ExcessBurst=3000");
        const auto fast = CreateMeter("single-rate:CommittedRate=1Gbps,CommittedBurst=2000,"
                                      "ExcessBurst=100");
        MeterProbe probe(slow);
        probe.Send(0, 4, 1500);
        Meter::State state = probe.state;
        slow->SwitchTo(*fast, state, 8 * MS);
        NS_TEST_EXPECT_MSG_EQ(state.committed, 1000 * TOKENS_PER_BYTE, "8 ms at 1 Mbps");
        fast->Settle(state, 8 * MS + 8);
        NS_TEST_EXPECT_MSG_EQ(state.committed, 1001 * TOKENS_PER_BYTE, "8 ns at 1 Gbps");

        state = slow->Start(0);
        slow->SwitchTo(*fast, state, 0);
        NS_TEST_EXPECT_MSG_EQ(state.committed, 2000 * TOKENS_PER_BYTE, "what fits");
        NS_TEST_EXPECT_MSG_EQ(state.excess, 100 * TOKENS_PER_BYTE, "what fits");

        const auto logical = CreateMeter("logical:Rate=1Gbps");
        slow->SwitchTo(*logical, state, 5);
        NS_TEST_EXPECT_MSG_EQ(state.committed, 0, "another kind of meter starts anew");
        NS_TEST_EXPECT_MSG_EQ(state.last, 5, "at the time of the change");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief The meters of RFC 2697 and RFC 2698.
 */
class RfcMeterTestSuite : public TestSuite
{
  public:
    RfcMeterTestSuite()
        : TestSuite("rfc-meter", Type::UNIT)
    {
        AddTestCase(new SingleRateMeterTestCase);
        AddTestCase(new SingleRateTokenTestCase);
        AddTestCase(new TwoRateMeterTestCase);
        AddTestCase(new RfcMeterModelTestCase);
        AddTestCase(new MeterSwitchTestCase);
    }
};

static RfcMeterTestSuite g_rfcMeterTestSuite; ///< the suite
