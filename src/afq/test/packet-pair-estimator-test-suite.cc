/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/packet-pair-estimator.h"
#include "ns3/packet-pair-sender.h"
#include "ns3/test.h"

#include <cmath>

using namespace ns3;

namespace
{

constexpr int64_t US = 1000;      //!< time steps in a microsecond
constexpr uint32_t PACKET = 1500; //!< IP datagram of a full packet

/**
 * @return the settings that the estimator reads, at the transport's defaults
 */
PacketPairSettings
MakeSettings()
{
    PacketPairSettings settings{};
    settings.m_segmentSize = 1460;
    settings.m_gain = 0.5;
    settings.m_cwndFactor = 1.5;
    settings.m_bdpFloor = 1500;
    settings.m_pairInFlight = true;
    return settings;
}

/**
 * @brief An estimator that has seen pairs of a constant gap.
 */
struct Primed : public PacketPairEstimator
{
    /**
     * @brief Set up.
     * @param settings outlive the estimator
     * @param gap in time steps
     * @param minRtt in time steps
     */
    Primed(const PacketPairSettings& settings, int64_t gap, int64_t minRtt)
        : PacketPairEstimator(settings)
    {
        AddPair(gap, PACKET, minRtt + gap);
    }
};

} // namespace

/**
 * @ingroup afq-tests
 * @brief The first gap is taken as it is, later ones are averaged.
 */
class PacketPairGapTestCase : public TestCase
{
  public:
    PacketPairGapTestCase()
        : TestCase("average of gaps")
    {
    }

  private:
    void DoRun() override
    {
        PacketPairSettings settings = MakeSettings();
        PacketPairEstimator estimator(settings);
        NS_TEST_EXPECT_MSG_EQ(estimator.IsReady(), false, "nothing is known");
        NS_TEST_EXPECT_MSG_EQ(estimator.GetInFlightBound(), 0.0, "bdp 0");
        estimator.AddPair(1200, PACKET, 11200);
        NS_TEST_EXPECT_MSG_EQ(estimator.IsReady(), true, "first pair");
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetLinkRate(), 10e9, 1, "10 Gbps");
        const double gaps[] = {3000, 3900, 4350, 4575};
        const double rates[] = {4.0e9, 3.077e9, 2.759e9, 2.623e9};
        for (int i = 0; i < 4; ++i)
        {
            estimator.AddPair(4800, PACKET, 14800);
            NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetGap(), gaps[i], 1e-6, "gap " << i);
            NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetLinkRate(), rates[i], 0.0005e9, "rate " << i);
        }

        settings.m_gain = 0.125;
        Primed slow(settings, 1200, 10 * US);
        slow.AddPair(4800, PACKET, 14800);
        NS_TEST_EXPECT_MSG_EQ_TOL(slow.GetGap(), 1650, 1e-6, "gain 1/8");
        NS_TEST_EXPECT_MSG_EQ_TOL(slow.GetLinkRate(), 7.273e9, 0.0005e9, "gain 1/8");
    }
};

/**
 * @ingroup afq-tests
 * @brief A short second packet tells the same rate as a full one.
 */
class PacketPairShortSecondTestCase : public TestCase
{
  public:
    PacketPairShortSecondTestCase()
        : TestCase("a second packet shorter than MSS")
    {
    }

  private:
    void DoRun() override
    {
        const PacketPairSettings settings = MakeSettings();
        for (const uint32_t size : {41U, 150U, 750U, 1500U})
        {
            PacketPairEstimator estimator(settings);
            estimator.AddPair(size * 8, size, 20 * US); // at 1 Gbps
            NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetLinkRate(), 1e9, 1, size << " bytes");
        }
    }
};

/**
 * @ingroup afq-tests
 * @brief The least RTT is without the gap.
 */
class PacketPairMinRttTestCase : public TestCase
{
  public:
    PacketPairMinRttTestCase()
        : TestCase("least RTT without the gap")
    {
    }

  private:
    void DoRun() override
    {
        const PacketPairSettings settings = MakeSettings();
        PacketPairEstimator estimator(settings);
        estimator.AddPair(4800, PACKET, 10 * US + 4800);
        NS_TEST_EXPECT_MSG_EQ(estimator.GetMinRtt(), 10 * US, "one sample");
        estimator.AddPair(4800, PACKET, 30 * US);
        NS_TEST_EXPECT_MSG_EQ(estimator.GetMinRtt(), 10 * US, "a larger one");
        estimator.AddPair(1200, PACKET, 10 * US);
        NS_TEST_EXPECT_MSG_EQ(estimator.GetMinRtt(), 8800, "a smaller one");
    }
};

/**
 * @ingroup afq-tests
 * @brief Periods of pairs, bandwidth-delay products and bounds.
 */
class PacketPairPacingTestCase : public TestCase
{
  public:
    PacketPairPacingTestCase()
        : TestCase("period of pairs and bound on bytes in flight")
    {
    }

  private:
    void DoRun() override
    {
        PacketPairSettings settings = MakeSettings();
        const Primed fast(settings, 1200, 10 * US);
        NS_TEST_EXPECT_MSG_EQ(fast.GetSendingTime(2 * PACKET), 2400, "10 Gbps");
        NS_TEST_EXPECT_MSG_EQ_TOL(fast.GetBdp(), 12500, 1e-6, "10 Gbps, 10 us");
        NS_TEST_EXPECT_MSG_EQ_TOL(fast.GetInFlightBound(), 18750, 1e-6, "1.5 times that");
        const Primed slow(settings, 4800, 10 * US);
        NS_TEST_EXPECT_MSG_EQ(slow.GetSendingTime(2 * PACKET), 9600, "2.5 Gbps");
        NS_TEST_EXPECT_MSG_EQ_TOL(slow.GetBdp(), 3125, 1e-6, "2.5 Gbps, 10 us");
        NS_TEST_EXPECT_MSG_EQ_TOL(slow.GetInFlightBound(), 4687.5, 1e-6, "1.5 times that");
        for (const uint32_t floor : {0U, 1500U, 3000U})
        {
            settings.m_bdpFloor = floor;
            const Primed crowded(settings, 120 * US, 10 * US); // a hundredth of 10 Gbps
            const double bdp = std::max<double>(floor, 125);
            NS_TEST_EXPECT_MSG_EQ_TOL(crowded.GetBdp(), bdp, 1e-6, "floor " << floor);
            NS_TEST_EXPECT_MSG_EQ_TOL(crowded.GetInFlightBound(), 1.5 * bdp, 1e-6, "its bound");
        }
        // A round trip a little longer than the gap.
        settings.m_bdpFloor = 1500;
        for (const bool pair : {false, true})
        {
            settings.m_pairInFlight = pair;
            const Primed tight(settings, 8 * US, 10 * US);
            NS_TEST_EXPECT_MSG_EQ_TOL(tight.GetInFlightBound(),
                                      (pair ? 3000.0 : 1.5 * 1875),
                                      1e-6,
                                      "a pair");
            const Primed looser(settings, 11 * US, 10 * US);
            NS_TEST_EXPECT_MSG_EQ_TOL(looser.GetInFlightBound(), 2250, 1e-6, "a longer gap");
        }
    }
};

/**
 * @ingroup afq-tests
 * @brief Marks throttle the rate by alpha/2, once per window, and nothing else.
 */
class PacketPairEcnTestCase : public TestCase
{
  public:
    PacketPairEcnTestCase()
        : TestCase("average of marked fractions")
    {
    }

  private:
    /**
     * @brief Let more than a window of packets be acknowledged.
     * @param estimator the estimator
     * @param marked number of marked ones among them
     */
    void AddWindow(PacketPairEstimator& estimator, uint32_t marked)
    {
        // BDP 12500: the ninth packet exceeds it.
        for (uint32_t i = 0; i < 9; ++i)
        {
            const double alpha = estimator.GetAlpha();
            estimator.AddAcknowledged(PACKET, i < marked);
            if (i < 8)
            {
                NS_TEST_EXPECT_MSG_EQ(estimator.GetAlpha(), alpha, "within the window");
            }
        }
    }

    void DoRun() override
    {
        PacketPairSettings settings = MakeSettings();
        Primed estimator(settings, 1200, 10 * US);
        NS_TEST_EXPECT_MSG_EQ(estimator.GetRate(), estimator.GetLinkRate(), "alpha 0");
        AddWindow(estimator, 9);
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetAlpha(), 0.0625, 1e-9, "one marked window");
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetRate(), 0.96875 * 10e9, 1, "its rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetLinkRate(), 10e9, 1, "the share stays");
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetBdp(), 12500, 1e-6, "and its BDP");
        NS_TEST_EXPECT_MSG_EQ(estimator.GetSendingTime(2 * PACKET),
                              std::llround(2400 / 0.96875),
                              "period");
        for (int i = 1; i < 10; ++i)
        {
            AddWindow(estimator, 9);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetAlpha(), 1 - std::pow(15.0 / 16, 10), 1e-9, "ten");
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetAlpha(), 0.4755, 0.00005, "ten");
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetRate(), 0.7622e10, 0.00005e10, "ten");
        const double alpha = estimator.GetAlpha();
        AddWindow(estimator, 3);
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetAlpha(),
                                  15.0 / 16 * alpha + 1.0 / 16 / 3,
                                  1e-9,
                                  "a third marked");

        for (int i = 0; i < 400; ++i)
        {
            AddWindow(estimator, 9);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetRate(), 5e9, 1, "alpha 1: half the share");

        settings.m_bdpFloor = 0;
        Primed tiny(settings, 12 * US, US); // BDP 125 bytes: the window is 2 MSS
        tiny.AddAcknowledged(PACKET, true);
        tiny.AddAcknowledged(PACKET, true);
        NS_TEST_EXPECT_MSG_EQ(tiny.GetAlpha(), 0.0, "2 MSS do not exceed 2 MSS");
        tiny.AddAcknowledged(PACKET, true);
        NS_TEST_EXPECT_MSG_EQ(tiny.GetAlpha(), 0.0625, "3 MSS do");
    }
};

/**
 * @ingroup afq-tests
 * @brief Spacing inside a pair, and what a changed rate is too much or too little.
 */
class PacketPairArithmeticTestCase : public TestCase
{
  public:
    PacketPairArithmeticTestCase()
        : TestCase("spacing inside pairs, and excess after a change of rate")
    {
    }

  private:
    void DoRun() override
    {
        const DataRate line("10Gbps");
        const std::pair<uint32_t, int64_t> cases[] = {{9000, 6000},
                                                      {4500, 2400},
                                                      {2000, 400},
                                                      {1500, 0},
                                                      {500, 0}};
        for (const auto& [bytesPerRound, spacing] : cases)
        {
            NS_TEST_EXPECT_MSG_EQ(
                PacketPairSender::GetIntraPairSpacing(bytesPerRound, PACKET, line),
                NanoSeconds(spacing),
                "BpR " << bytesPerRound);
        }

        PacketPairSettings settings = MakeSettings();
        settings.m_gain = 1;
        Primed estimator(settings, 1200, 10 * US);
        estimator.AddPair(4800, PACKET, 20 * US);
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetExcess(1200), 9375, 1e-6, "10 to 2.5 Gbps");
        estimator.AddPair(1200, PACKET, 20 * US);
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.GetExcess(4800), -9375, 1e-6, "2.5 to 10 Gbps");
    }
};

/**
 * @ingroup afq-tests
 * @brief Tests of PacketPairEstimator.
 */
class PacketPairEstimatorTestSuite : public TestSuite
{
  public:
    PacketPairEstimatorTestSuite()
        : TestSuite("packet-pair-estimator", Type::UNIT)
    {
        AddTestCase(new PacketPairGapTestCase);
        AddTestCase(new PacketPairShortSecondTestCase);
        AddTestCase(new PacketPairMinRttTestCase);
        AddTestCase(new PacketPairPacingTestCase);
        AddTestCase(new PacketPairEcnTestCase);
        AddTestCase(new PacketPairArithmeticTestCase);
    }
};

static PacketPairEstimatorTestSuite g_packetPairEstimatorTestSuite; //!< registers the suite
