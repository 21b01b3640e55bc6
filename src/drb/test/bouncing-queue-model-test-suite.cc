/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/bouncing-network-model.h"
#include "ns3/bouncing-queue-model.h"
#include "ns3/test.h"

#include <array>
#include <string>

using namespace ns3;

namespace
{

using Model = BouncingQueueModel;

/**
 * @brief Simulate.
 * @param settings settings of the model
 * @param runs number of runs
 * @return the results
 */
Model::Result
Simulate(const Model::Settings& settings, uint32_t runs = 1)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    return Model::Simulate(settings, runs, *random);
}

} // namespace

/**
 * @ingroup drb-tests
 * @brief Random bouncing has an exact solution.
 */
class RandomQueueTestCase : public TestCase
{
  public:
    RandomQueueTestCase()
        : TestCase("hop 1 under random bouncing: exact mean and variance")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(Model::GetRandomMean(4, 0.95), 5.4625, 1e-9, "n = 4");
        NS_TEST_EXPECT_MSG_EQ_TOL(Model::GetRandomMean(8, 0.95), 7.71875, 1e-9, "n = 8");
        NS_TEST_EXPECT_MSG_EQ_TOL(Model::GetRandomMean(24, 0.95), 9.2229, 5e-5, "n = 24");
        NS_TEST_EXPECT_MSG_EQ_TOL(Model::GetRandomMean(48, 0.95), 9.5990, 5e-5, "n = 48");
        NS_TEST_EXPECT_MSG_EQ_TOL(Model::GetRandomMean(1'000'000, 0.95), 9.975, 1e-4, "M/D/1");
        NS_TEST_EXPECT_MSG_EQ_TOL(Model::GetRandomVariance(24, 0.95), 81.96, 0.005, "n = 24");
        NS_TEST_EXPECT_MSG_EQ_TOL(Model::GetRandomVariance(1'000'000, 0.95), 97, 0.5, "M/D/1");
        const double backlog = Model::GetRandomBacklogVariance(24, 0.95);
        NS_TEST_EXPECT_MSG_EQ_TOL(backlog, 81.08, 0.005, "n = 24, after the departure");
        for (const double load : {0.3, 0.8})
        {
            const auto found = Simulate({Model::RANDOM, 8, load, 1, false, 1000, 1'000'000});
            const double mean = Model::GetRandomMean(8, load);
            const double variance = Model::GetRandomVariance(8, load);
            NS_TEST_EXPECT_MSG_EQ_TOL(found.mean, mean, 0.02 * mean, "load " << load);
            NS_TEST_EXPECT_MSG_EQ_TOL(found.variance, variance, 0.05 * variance, "load " << load);
            const double left = Model::GetRandomBacklogVariance(8, load);
            NS_TEST_EXPECT_MSG_EQ_TOL(found.backlogMean, mean - load, 0.02 * mean, "load " << load);
            NS_TEST_EXPECT_MSG_EQ_TOL(found.backlogVariance, left, 0.05 * left, "load " << load);
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief The model's numbers at load 0.95 (and 1) with switches of 24 ports.
 */
class QueueNumbersTestCase : public TestCase
{
  public:
    QueueNumbersTestCase()
        : TestCase("24 ports, load 0.95: mean and variance by hop")
    {
    }

  private:
    void DoRun() override
    {
        const auto drb = Simulate({Model::DIGIT_REVERSAL, 24, 0.95, 1}, 3);
        const auto rrb = Simulate({Model::ROUND_ROBIN, 24, 0.95, 1}, 10);
        const auto rb = Simulate({Model::RANDOM, 24, 0.95, 1}, 60);
        NS_TEST_EXPECT_MSG_EQ_TOL(drb.mean, 2.21, 0.05, "DRB; the paper: 2.2");
        NS_TEST_EXPECT_MSG_EQ_TOL(drb.variance, 1.45, 0.1, "DRB; the paper: 1.45");
        NS_TEST_EXPECT_MSG_EQ_TOL(rrb.mean, 16, 1, "RRB; the paper: 16.0");
        NS_TEST_EXPECT_MSG_EQ_TOL(rrb.variance, 151, 15, "RRB; the paper: 151");
        NS_TEST_EXPECT_MSG_EQ_TOL(rb.mean, 9.22, 0.5, "RB, stationary");
        NS_TEST_EXPECT_MSG_EQ_TOL(rb.variance, 82, 8, "RB, stationary");

        // The paper's 7.9 and 58 are those of short runs from an empty network.
        const auto brief = Simulate({Model::RANDOM, 24, 0.95, 1, false, 0, 1100}, 4000);
        NS_TEST_EXPECT_MSG_EQ_TOL(brief.mean, 7.9, 0.2, "RB, 1100 slots");
        NS_TEST_EXPECT_MSG_EQ_TOL(brief.variance, 58, 4, "RB, 1100 slots");

        const auto full = Simulate({Model::DIGIT_REVERSAL, 24, 1, 1, false, 100, 100}, 5000);
        NS_TEST_EXPECT_MSG_EQ_TOL(full.mean, 2.518, 0.03, "DRB at load 1; the paper: 2.5");
        NS_TEST_EXPECT_MSG_EQ_TOL(full.backlogMean, 1.518, 0.03, "DRB at load 1, after departures");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(full.max, 12, "never above n/2");

        // Phases change slowly, so many short runs tell more than a few long ones.
        const auto second = Simulate({Model::DIGIT_REVERSAL, 24, 0.95, 2, false, 800, 500}, 80);
        const auto third = Simulate({Model::DIGIT_REVERSAL, 24, 0.95, 3, false, 800, 500}, 60);
        NS_TEST_EXPECT_MSG_EQ_TOL(second.mean, 5.15, 0.6, "hop 2");
        NS_TEST_EXPECT_MSG_EQ_TOL(second.variance, 13.3, 4, "hop 2");
        NS_TEST_EXPECT_MSG_EQ_TOL(third.mean, 4.9, 0.6, "hop 3");
        NS_TEST_EXPECT_MSG_EQ_TOL(third.variance, 10.2, 4, "hop 3");
    }
};

/**
 * @ingroup drb-tests
 * @brief Worst cases: all servers of a rack start at the same bouncing switch, load 1.
 */
class AlignedQueueTestCase : public TestCase
{
  public:
    AlignedQueueTestCase()
        : TestCase("aligned servers at load 1: exact")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t n : {4, 6, 8, 12, 24})
        {
            const uint32_t m = n / 2;
            // From the end of a cycle on, over whole cycles: averages are exact.
            const Model::Settings drb{Model::DIGIT_REVERSAL, n, 1, 1, true, m * m, 10 * m * m};
            const auto reversed = Simulate(drb);
            NS_TEST_EXPECT_MSG_EQ(reversed.max, m, "DRB, n = " << n);
            NS_TEST_EXPECT_MSG_EQ_TOL(reversed.mean, (m + 1) / 2.0, 1e-9, "DRB, n = " << n);
            Model::Settings rrb = drb;
            rrb.order = Model::ROUND_ROBIN;
            const auto inTurn = Simulate(rrb);
            NS_TEST_EXPECT_MSG_EQ(inTurn.max, m * (m - 1) + 1, "RRB, n = " << n);
            NS_TEST_EXPECT_MSG_EQ_TOL(inTurn.mean, m * (m - 1) / 2.0 + 1, 1e-9, "RRB, n = " << n);
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief Properties of any queue.
 */
class QueueSanityTestCase : public TestCase
{
  public:
    QueueSanityTestCase()
        : TestCase("no load, one input, conservation, bounds")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto order : {Model::DIGIT_REVERSAL, Model::ROUND_ROBIN, Model::RANDOM})
        {
            for (const uint32_t hop : {1, 2, 3})
            {
                const auto idle = Simulate({order, 8, 0, hop, false, 0, 1000});
                NS_TEST_EXPECT_MSG_EQ(idle.max, 0, "no load, hop " << hop);
                const auto busy = Simulate({order, 8, 0.9, hop, false, 500, 20'000}, 3);
                NS_TEST_EXPECT_MSG_EQ(busy.arrivals, busy.departures + busy.left, "conservation");
                NS_TEST_EXPECT_MSG_EQ_TOL(busy.arrivals / 61'500.0, 0.9, 0.05, "hop " << hop);
            }
            const auto single = Simulate({order, 2, 1, 1, false, 1, 1000});
            NS_TEST_EXPECT_MSG_EQ(single.mean, 1, "one input, load 1");
            NS_TEST_EXPECT_MSG_EQ(single.variance, 0, "one input, load 1");
        }
        for (const uint32_t n : {4, 8, 24})
        {
            const uint32_t m = n / 2;
            for (const double load : {0.5, 0.95, 1.0})
            {
                const auto drb = Simulate({Model::DIGIT_REVERSAL, n, load, 1, false, 0, 2000}, 100);
                NS_TEST_EXPECT_MSG_LT_OR_EQ(drb.max, m, "any phases, n = " << n);
                const auto rrb = Simulate({Model::ROUND_ROBIN, n, load, 1, false, 0, 2000}, 100);
                NS_TEST_EXPECT_MSG_LT_OR_EQ(rrb.max, m * (m - 1) + 1, "any phases, n = " << n);
            }
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief The whole network, all hops: what the first three are without the model's thinning.
 */
class NetworkModelTestCase : public TestCase
{
  public:
    NetworkModelTestCase()
        : TestCase("whole fat-tree, 24 ports, load 0.95")
    {
    }

  private:
    /**
     * @brief Simulate and check what holds of any order.
     * @param settings settings of the model
     * @return by hop
     */
    std::array<Model::Result, 5> SimulateNetwork(const Model::Settings& settings)
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        const auto results = BouncingNetworkModel::Simulate(settings, *random);
        const double servers = settings.ports * settings.ports * settings.ports / 4.0;
        const double slots = settings.warmUp + settings.slots;
        NS_TEST_EXPECT_MSG_EQ_TOL(results[0].arrivals / servers / slots,
                                  settings.load,
                                  0.01,
                                  "load");
        for (std::size_t hop = 0; hop < results.size(); ++hop)
        {
            NS_TEST_EXPECT_MSG_EQ(results[hop].arrivals,
                                  results[hop].departures + results[hop].left,
                                  "conservation, hop " << hop + 1);
            if (hop > 0)
            {
                NS_TEST_EXPECT_MSG_EQ(results[hop].arrivals,
                                      results[hop - 1].departures,
                                      "to hop " << hop + 1);
            }
        }
        return results;
    }

    void DoRun() override
    {
        const Model::Settings settings{Model::DIGIT_REVERSAL, 24, 0.95, 1, false, 600, 200};
        const auto drb = SimulateNetwork(settings);
        const std::array<double, 5> means{2.21, 5.28, 4.83, 2.34, 2.81};
        const std::array<double, 5> variances{1.45, 13.7, 10.9, 1.46, 3.1};
        for (std::size_t hop = 0; hop < 5; ++hop)
        {
            // Hops 2 and 3 depend on the phases that were drawn: by a tenth from draw to draw.
            const bool varies = hop == 1 || hop == 2;
            NS_TEST_EXPECT_MSG_EQ_TOL(drb[hop].mean,
                                      means[hop],
                                      (varies ? 0.15 : 0.03) * means[hop],
                                      hop + 1);
            NS_TEST_EXPECT_MSG_EQ_TOL(drb[hop].variance,
                                      variances[hop],
                                      (varies ? 0.3 : 0.1) * variances[hop],
                                      hop + 1);
        }
        auto ordered = settings;
        ordered.isOrdered = true;
        const auto sameOrder = SimulateNetwork(ordered);
        NS_TEST_EXPECT_MSG_EQ_TOL(sameOrder[0].mean, drb[0].mean, 0.03, "no difference at hop 1");
        NS_TEST_EXPECT_MSG_GT(sameOrder[4].mean, 1.07 * drb[4].mean, "but where paths meet");
        const auto rrb = SimulateNetwork({Model::ROUND_ROBIN, 24, 0.95, 1, false, 600, 200});
        NS_TEST_EXPECT_MSG_EQ_TOL(rrb[0].mean, 15.79, 1, "RRB, hop 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(rrb[1].mean, 3.14, 0.3, "RRB, hop 2");
        const auto sum = [](const auto& results) {
            double mean = 0;
            for (const auto& result : results)
            {
                mean += result.mean;
            }
            return mean;
        };
        NS_TEST_EXPECT_MSG_LT(sum(drb), 0.6 * sum(rrb), "over the path");
        const auto aligned = SimulateNetwork({Model::DIGIT_REVERSAL, 8, 1, 1, true, 16, 160});
        NS_TEST_EXPECT_MSG_EQ(aligned[0].max, 4, "n/2");
        NS_TEST_EXPECT_MSG_EQ_TOL(aligned[0].mean, 2.5, 1e-9, "(n/2 + 1) / 2");
    }
};

/**
 * @ingroup drb-tests
 * @brief Test suite of the queue model.
 */
class BouncingQueueModelTestSuite : public TestSuite
{
  public:
    BouncingQueueModelTestSuite()
        : TestSuite("bouncing-queue-model", Type::UNIT)
    {
        AddTestCase(new RandomQueueTestCase, Duration::QUICK);
        AddTestCase(new QueueNumbersTestCase, Duration::QUICK);
        AddTestCase(new AlignedQueueTestCase, Duration::QUICK);
        AddTestCase(new QueueSanityTestCase, Duration::QUICK);
        AddTestCase(new NetworkModelTestCase, Duration::QUICK);
    }
};

/// @ingroup drb-tests
/// Static variable for test initialization.
static BouncingQueueModelTestSuite g_bouncingQueueModelTestSuite;
