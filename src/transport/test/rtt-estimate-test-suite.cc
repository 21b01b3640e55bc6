/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/rtt-estimate.h"
#include "ns3/rtt-estimator.h"
#include "ns3/test.h"

#include <random>

using namespace ns3;

/**
 * @ingroup transport-tests
 * @brief The numbers of RFC 6298's rules for three samples, worked out by hand.
 */
class RttEstimateByHandTestCase : public TestCase
{
  public:
    RttEstimateByHandTestCase()
        : TestCase("three samples by hand")
    {
    }

  private:
    void DoRun() override
    {
        RttEstimate estimate;
        NS_TEST_EXPECT_MSG_EQ(estimate.GetSamples(), 0, "none yet");
        estimate.Add(800);
        NS_TEST_EXPECT_MSG_EQ(estimate.GetSmoothed(), 800, "rule 2.2: R");
        NS_TEST_EXPECT_MSG_EQ(estimate.GetVariation(), 400, "rule 2.2: R/2");
        estimate.Add(1600);
        NS_TEST_EXPECT_MSG_EQ(estimate.GetSmoothed(), 900, "7/8 of 800 and 1/8 of 1600");
        NS_TEST_EXPECT_MSG_EQ(estimate.GetVariation(), 500, "3/4 of 400 and 1/4 of 800");
        estimate.Add(100);
        NS_TEST_EXPECT_MSG_EQ(estimate.GetSmoothed(), 800, "7/8 of 900 and 1/8 of 100");
        NS_TEST_EXPECT_MSG_EQ(estimate.GetVariation(), 575, "3/4 of 500 and 1/4 of 800");
        NS_TEST_EXPECT_MSG_EQ(estimate.GetSamples(), 3, "three");
    }
};

/**
 * @ingroup transport-tests
 * @brief Beside ns-3's own estimator: equal after each of many samples, however they are rounded.
 */
class RttEstimateReferenceTestCase : public TestCase
{
  public:
    RttEstimateReferenceTestCase()
        : TestCase("as ns3::RttMeanDeviation")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937_64 random(1);
        for (int64_t scale : {10, 1000, 1000000, 1000000000})
        {
            RttEstimate estimate;
            auto reference = CreateObject<RttMeanDeviation>();
            for (int i = 0; i < 5000; ++i)
            {
                const auto rtt = static_cast<int64_t>(random() % (scale * (1 + i % 7)));
                estimate.Add(rtt);
                reference->Measurement(TimeStep(rtt));
                NS_TEST_ASSERT_MSG_EQ(estimate.GetSmoothed(),
                                      reference->GetEstimate().GetTimeStep(),
                                      "smoothed, sample " << i << " of scale " << scale);
                NS_TEST_ASSERT_MSG_EQ(estimate.GetVariation(),
                                      reference->GetVariation().GetTimeStep(),
                                      "variation, sample " << i << " of scale " << scale);
            }
            NS_TEST_EXPECT_MSG_EQ(estimate.GetSamples(), reference->GetNSamples(), "samples");
        }
    }
};

/**
 * @ingroup transport-tests
 * @brief RttEstimate.
 */
class RttEstimateTestSuite : public TestSuite
{
  public:
    RttEstimateTestSuite()
        : TestSuite("rtt-estimate", Type::UNIT)
    {
        AddTestCase(new RttEstimateByHandTestCase, Duration::QUICK);
        AddTestCase(new RttEstimateReferenceTestCase, Duration::QUICK);
    }
};

static RttEstimateTestSuite g_rttEstimateTestSuite; //!< registers the suite
