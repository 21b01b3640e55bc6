/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "meter-test.h"

#include "ns3/logical-meter.h"
#include "ns3/object-spec.h"
#include "ns3/shared-meter.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>

using namespace ns3;

namespace
{

/**
 * @param gbps rate
 * @return a logical meter of that rate
 */
Ptr<const Meter>
CreateProfile(uint32_t gbps)
{
    return CreateFromSpec<Meter>("meter",
                                 "logical:Rate=" + std::to_string(gbps) +
                                     "Gbps,YellowBurst=4000,RedBurst=9000");
}

} // namespace

/**
 * @ingroup telemetry-tests
 * @brief Packets of several users are coloured as if all were one's.
 */
class SharedMeterTestCase : public TestCase
{
  public:
    SharedMeterTestCase()
        : TestCase("users of a shared meter are metered together")
    {
    }

  private:
    void DoRun() override
    {
        const auto shared = CreateObject<SharedMeter>();
        shared->SetProfile(CreateProfile(10), 0);
        shared->Check();
        const auto single = CreateProfile(10);
        Meter::State expected = single->Start(0);
        std::array<Meter::State, 3> users{shared->Start(0), shared->Start(0), shared->Start(0)};
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        std::array<uint32_t, 3> seen{};
        for (const auto& arrival : MakeMeterArrivals(*random, 20'000, 10e9))
        {
            Meter::State& user = users[random->GetInteger(0, 2)];
            const Colour colour = shared->Mark(user, arrival.time, arrival.bytes);
            NS_TEST_ASSERT_MSG_EQ(colour,
                                  single->Mark(expected, arrival.time, arrival.bytes),
                                  "at " << arrival.time);
            NS_TEST_ASSERT_MSG_EQ(shared->GetYellowFill(user),
                                  single->GetYellowFill(expected),
                                  "fill");
            ++seen[static_cast<uint8_t>(colour)];
        }
        NS_TEST_EXPECT_MSG_GT(*std::min_element(seen.begin(), seen.end()), 1000, "all colours");
        CheckChange();
    }

    /// @brief Another rate, and a packet that is taken back.
    void CheckChange()
    {
        const auto shared = CreateObject<SharedMeter>();
        shared->SetProfile(CreateProfile(8), 0); // a byte per ns
        Meter::State a = shared->Start(0);
        Meter::State b = shared->Start(0);
        shared->Mark(a, 0, 6000);
        shared->SetProfile(CreateProfile(80), 1000); // 5000 bytes wait
        NS_TEST_EXPECT_MSG_EQ(shared->Mark(b, 1000, 4001), Colour::RED, "9001 bytes");
        NS_TEST_EXPECT_MSG_EQ(shared->Mark(b, 1000, 4000), Colour::YELLOW, "9000 bytes");
        shared->Refund(b, b, 1000);
        const Meter::State now = shared->GetSettled(a, 1100);
        NS_TEST_EXPECT_MSG_EQ(LogicalMeter::GetOccupancy(now), 4000, "1000 of 5000 bytes are gone");
        double reported = 0;
        shared->ReportState(now, [&reported](const std::string& name, double value) {
            reported = name == "occupancy_bytes" ? value : reported;
        });
        NS_TEST_EXPECT_MSG_EQ(reported, 4000, "what is told is of the state that was asked for");
        NS_TEST_EXPECT_MSG_EQ(shared->Mark(a, 1000, 4000), Colour::YELLOW, "9000 bytes again");
        NS_TEST_EXPECT_MSG_EQ(shared->Mark(b, 1900, 4000), Colour::GREEN, "10 bytes per ns");
    }
};

/**
 * @ingroup telemetry-tests
 * @brief Meters that several users share.
 */
class SharedMeterTestSuite : public TestSuite
{
  public:
    SharedMeterTestSuite()
        : TestSuite("shared-meter", Type::UNIT)
    {
        AddTestCase(new SharedMeterTestCase);
    }
};

static SharedMeterTestSuite g_sharedMeterTestSuite; ///< the suite
