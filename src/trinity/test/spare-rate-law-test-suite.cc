/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/random-variable-stream.h"
#include "ns3/spare-rate-law.h"
#include "ns3/test.h"

#include <algorithm>
#include <vector>

using namespace ns3;

namespace
{

constexpr double M = 1e6; ///< bit/s in Mbit/s

/**
 * @brief A pair of a test.
 * @param guarantee R_G in Mbit/s
 * @param rate R_W in Mbit/s
 * @param isCautious true if it is in Q
 * @return the pair
 */
SpareRateLaw::Pair
MakeLawPair(double guarantee, double rate = 0, bool isCautious = false)
{
    SpareRateLaw::Pair pair;
    pair.guarantee = guarantee * M;
    pair.rate = rate * M;
    pair.isCautious = isCautious;
    return pair;
}

/**
 * @brief A report comes.
 * @param pair the pair
 * @param beta share of marks
 */
void
HandleReport(SpareRateLaw::Pair& pair, double beta)
{
    pair.feedback = SpareRateLaw::REPORT;
    pair.beta = beta;
}

} // namespace

/**
 * @ingroup trinity-tests
 * @brief Rates of pairs that met no congestion (Trinity Eqs. 3 and 4).
 */
class FreeRateTestCase : public TestCase
{
  public:
    FreeRateTestCase()
        : TestCase("set P: spare capacity by guarantee")
    {
    }

  private:
    void DoRun() override
    {
        const SpareRateLaw law;
        auto a = MakeLawPair(200);
        auto b = MakeLawPair(300);
        law.ShareFree(500 * M, {&a, &b});
        NS_TEST_EXPECT_MSG_EQ_TOL(a.rate, 200 * M, 1, "both free");
        NS_TEST_EXPECT_MSG_EQ_TOL(b.rate, 300 * M, 1, "both free");
        a = MakeLawPair(200, 120, true);
        law.ShareFree(500 * M, {&a, &b});
        NS_TEST_EXPECT_MSG_EQ_TOL(a.rate, 120 * M, 1, "in Q");
        NS_TEST_EXPECT_MSG_EQ_TOL(b.rate, 380 * M, 1, "what Q leaves");
        a = MakeLawPair(200, 600, true);
        law.ShareFree(500 * M, {&a, &b});
        NS_TEST_EXPECT_MSG_EQ(b.rate, 0, "Q has it all");
        auto lone = MakeLawPair(100);
        law.ShareFree(900 * M, {&lone});
        NS_TEST_EXPECT_MSG_EQ_TOL(lone.rate, 900 * M, 1, "a lone pair");
        auto c = MakeLawPair(0);
        auto d = MakeLawPair(0);
        law.ShareFree(900 * M, {&c, &d});
        NS_TEST_EXPECT_MSG_EQ_TOL(d.rate, 450 * M, 1, "nobody is guaranteed anything");
        law.ShareFree(900 * M, {});
    }
};

/**
 * @ingroup trinity-tests
 * @brief Rates of pairs that met congestion (Trinity Eqs. 5 and 6) and the moves between the sets.
 */
class CautiousRateTestCase : public TestCase
{
  public:
    CautiousRateTestCase()
        : TestCase("set Q: back-off, growth, and the way back to P")
    {
    }

  private:
    /// @brief Let one pair with all of the link hear of marks.
    void Step(SpareRateLaw::Pair& pair, double beta, double spare = 900 * M)
    {
        HandleReport(pair, beta);
        m_law.Update(1000 * M, spare, {&pair});
    }

    void DoRun() override
    {
        auto pair = MakeLawPair(100, 120, true);
        Step(pair, 0.4);
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.rate / M, 96, 1e-9, "Eq. 5");
        pair = MakeLawPair(100, 800, true);
        for (double expected : {400, 200, 100, 50, 25})
        {
            Step(pair, 1);
            NS_TEST_EXPECT_MSG_EQ_TOL(pair.rate / M, expected, 1e-9, "Eq. 5 with all marked");
        }
        pair = MakeLawPair(100, 800);
        Step(pair, 0.01);
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.rate / M, 796, 1e-9, "Eq. 5 on the way to Q");
        NS_TEST_EXPECT_MSG_EQ(pair.isCautious, true, "any mark leads to Q");
        Step(pair, 0, 2000 * M);
        NS_TEST_EXPECT_MSG_EQ(pair.isCautious, true, "stays in Q until it has R_P");
        Step(pair, 0);
        NS_TEST_EXPECT_MSG_EQ(pair.isCautious, false, "has R_P");
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.rate, 900 * M, 1e-9, "Eq. 4");
        pair = MakeLawPair(150, 850);
        Step(pair, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL((pair.guarantee + pair.rate) / M, 575, 1e-9, "without colours");
        Step(pair, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.rate / M, 637.5, 1e-9, "without colours");

        auto a = MakeLawPair(200, 120, true);
        auto b = MakeLawPair(300);
        for (double expected : {180, 200})
        {
            NS_TEST_EXPECT_MSG_EQ(a.isCautious, true, "in Q");
            HandleReport(a, 0);
            m_law.Update(1000 * M, 500 * M, {&a, &b});
            NS_TEST_EXPECT_MSG_EQ_TOL(a.rate / M, expected, 1e-9, "Eq. 6 up to R_P");
        }
        NS_TEST_EXPECT_MSG_EQ(a.isCautious, false, "in P again");
        NS_TEST_EXPECT_MSG_EQ_TOL(b.rate / M, 300, 1e-9, "in P");

        a = MakeLawPair(100, 123.456, true);
        const double before = a.rate;
        for (int i = 0; i < 3; ++i)
        {
            m_law.Update(1000 * M, 900 * M, {&a});
            NS_TEST_EXPECT_MSG_EQ(a.rate, before, "no report, no change");
        }
    }

    SpareRateLaw m_law; //!< by the letter
};

/**
 * @ingroup trinity-tests
 * @brief A pair whose packets are trapped starts again from very little.
 */
class TrappedRateTestCase : public TestCase
{
  public:
    TrappedRateTestCase()
        : TestCase("trapped pairs")
    {
    }

  private:
    void DoRun() override
    {
        const SpareRateLaw law;
        auto pair = MakeLawPair(100, 400);
        pair.feedback = SpareRateLaw::TRAPPED;
        law.Update(1000 * M, 900 * M, {&pair});
        NS_TEST_EXPECT_MSG_EQ(pair.rate, 10e3, "10 kbit/s");
        NS_TEST_EXPECT_MSG_EQ(pair.isCautious, true, "in Q");
        for (double expected : {15e3, 22.5e3, 33.75e3})
        {
            HandleReport(pair, 0);
            law.Update(1000 * M, 900 * M, {&pair});
            NS_TEST_EXPECT_MSG_EQ_TOL(pair.rate, expected, 1e-6, "grows again");
        }
        auto idle = MakeLawPair(100, 0);
        HandleReport(idle, 1);
        law.Update(1000 * M, 0, {&idle});
        NS_TEST_EXPECT_MSG_EQ(idle.rate, 10e3, "never 0 in Q");
    }
};

/**
 * @ingroup trinity-tests
 * @brief The other readings of the law.
 */
class LawProfilesTestCase : public TestCase
{
  public:
    LawProfilesTestCase()
        : TestCase("profiles Smoothed and Prototype")
    {
    }

  private:
    void DoRun() override
    {
        SpareRateLaw::Settings settings;
        settings.profile = SpareRateLaw::SMOOTHED;
        settings.alpha = 0.1;
        settings.gain = 1.0 / 16;
        const SpareRateLaw smoothed(settings);
        auto pair = MakeLawPair(100, 800);
        HandleReport(pair, 1);
        smoothed.Update(1000 * M, 900 * M, {&pair});
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.estimate, 0.0625, 1e-12, "average");
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.rate / M, 775, 1e-9, "Eq. 5");
        HandleReport(pair, 1);
        smoothed.Update(1000 * M, 900 * M, {&pair});
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.estimate, 0.12109, 1e-5, "average");
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.rate / M, 728.08, 0.01, "Eq. 5");
        pair = MakeLawPair(100, 100, true);
        pair.estimate = 0.5;
        HandleReport(pair, 0);
        smoothed.Update(1000 * M, 800 * M, {&pair});
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.rate / M, 110, 1e-9, "Eq. 6 although the average is not 0");
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.estimate, 0.46875, 1e-12, "average");

        settings = {};
        settings.profile = SpareRateLaw::PROTOTYPE;
        const SpareRateLaw prototype(settings);
        pair = MakeLawPair(100);
        prototype.ShareFree(860 * M, {&pair});
        NS_TEST_EXPECT_MSG_EQ(pair.rate, 0, "it starts at its guarantee");
        for (double total :
             {530.0, 745.0, 852.5, 906.25, 933.125, 946.5625, 956.5625, 966.5625, 966.5625})
        {
            HandleReport(pair, 0.009); // less than a percent
            prototype.Update(960 * M, 860 * M, {&pair});
            NS_TEST_EXPECT_MSG_EQ_TOL(pair.guarantee / M + pair.rate / M, total, 1e-6, "total");
        }
        pair.rate = 400 * M;
        HandleReport(pair, 0.505);
        prototype.Update(960 * M, 860 * M, {&pair});
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.rate / M, 300, 1e-6, "50 percent");
    }
};

/**
 * @ingroup trinity-tests
 * @brief Properties of the law under random reports.
 */
class LawPropertiesTestCase : public TestCase
{
  public:
    LawPropertiesTestCase()
        : TestCase("random reports: nothing negative, no more than is spare but for what Q kept")
    {
    }

  private:
    void DoRun() override
    {
        const SpareRateLaw law;
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(17);
        std::vector<SpareRateLaw::Pair> pairs(5);
        std::vector<SpareRateLaw::Pair*> pointers;
        for (auto& pair : pairs)
        {
            pair = MakeLawPair(random->GetInteger(0, 3) * 50);
            pointers.push_back(&pair);
        }
        const double spare = 500 * M;
        law.ShareFree(spare, pointers);
        for (int interval = 0; interval < 3000; ++interval)
        {
            for (auto& pair : pairs)
            {
                pair.feedback = static_cast<SpareRateLaw::Feedback>(random->GetInteger(0, 2));
                pair.beta = random->GetInteger(0, 1) ? random->GetValue(0, 1) : 0;
            }
            law.Update(1000 * M, spare, pointers);
            double free = 0;
            double cautious = 0;
            for (const auto& pair : pairs)
            {
                (pair.isCautious ? cautious : free) += pair.rate;
                NS_TEST_EXPECT_MSG_GT_OR_EQ(pair.rate, (pair.isCautious ? 10e3 : 0), "in bounds");
                NS_TEST_EXPECT_MSG_EQ(pair.feedback,
                                      SpareRateLaw::NO_REPORT,
                                      "feedback is taken once");
            }
            NS_TEST_EXPECT_MSG_LT_OR_EQ(free, std::max(spare - cautious, 0.0) + 1, "C_P");
        }
    }
};

/**
 * @ingroup trinity-tests
 * @brief Trinity's work-conserving rates.
 */
class SpareRateLawTestSuite : public TestSuite
{
  public:
    SpareRateLawTestSuite()
        : TestSuite("spare-rate-law", Type::UNIT)
    {
        AddTestCase(new FreeRateTestCase, Duration::QUICK);
        AddTestCase(new CautiousRateTestCase, Duration::QUICK);
        AddTestCase(new TrappedRateTestCase, Duration::QUICK);
        AddTestCase(new LawProfilesTestCase, Duration::QUICK);
        AddTestCase(new LawPropertiesTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static SpareRateLawTestSuite g_spareRateLawTestSuite;
