/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/bouncing-selector.h"
#include "ns3/digit-reversal.h"
#include "ns3/test.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

/**
 * @defgroup drb-tests Tests for digit-reversal bouncing
 * @ingroup drb
 * @ingroup tests
 */

namespace
{

using Digits = std::vector<uint32_t>; //!< up-links per switch of each layer

/**
 * @brief Bouncing points behind some layers.
 * @param radices up-links of each layer
 * @return their number
 */
uint32_t
Count(const Digits& radices)
{
    return std::accumulate(radices.begin(), radices.end(), 1U, std::multiplies<>());
}

/**
 * @brief Let a selector choose for one pair.
 * @tparam Selector the selector
 * @param radices up-links of each layer
 * @param turn the pair's first turn
 * @param packets number of packets
 * @return the points
 */
template <class Selector>
std::vector<uint32_t>
Choose(const Digits& radices, uint16_t turn, uint32_t packets)
{
    auto selector = CreateObject<Selector>();
    selector->SetLayers(radices);
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(7);
    std::vector<uint32_t> points(packets);
    std::ranges::generate(points, [&] { return selector->Choose(turn, *random); });
    return points;
}

/**
 * @brief The links of each layer that a point's way takes: the first digit, the first two, ...
 * @param point the point
 * @param radices up-links of each layer
 * @return a number per layer
 */
std::vector<uint32_t>
GetLinks(uint32_t point, const Digits& radices)
{
    std::vector<uint32_t> links;
    uint32_t behind = Count(radices);
    for (const uint32_t radix : radices)
    {
        behind /= radix;
        links.push_back(point / behind);
    }
    return links;
}

} // namespace

/**
 * @ingroup drb-tests
 * @brief The orders that the paper prints, and those that follow from its rule.
 */
class DigitReversalOrderTestCase : public TestCase
{
  public:
    DigitReversalOrderTestCase()
        : TestCase("digit-reversal order")
    {
    }

  private:
    void DoRun() override
    {
        Check({2, 2}, 0, {0, 2, 1, 3, 0, 2, 1, 3});
        Check({2, 2}, 1, {2, 1, 3, 0});
        Check({2, 2}, 3, {3, 0, 2, 1});
        Check({3, 3}, 0, {0, 3, 6, 1, 4, 7, 2, 5, 8});
        Check({4, 4}, 0, {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
        Check({12, 12}, 0, {0, 12, 24, 36, 48, 60, 72, 84, 96, 108, 120, 132, 1, 13, 25});
        Check({4, 32}, 0, {0, 32, 64, 96, 1, 33, 65, 97, 2, 34}); // VL2, d0 = 4, d1 = 64
        Check({4}, 2, {2, 3, 0, 1});                              // one layer of switches above
        Check({2, 2, 2}, 0, {0, 4, 2, 6, 1, 5, 3, 7});            // bit reversal
        for (const uint32_t m : {1, 2, 3, 4, 12, 24})
        {
            for (uint32_t turn = 0; turn < m * m; ++turn)
            {
                NS_TEST_EXPECT_MSG_EQ(ReverseDigits(turn, {m, m}), turn % m * m + turn / m, m);
                NS_TEST_EXPECT_MSG_EQ(ReverseDigits(ReverseDigits(turn, {m, m}), {m, m}), turn, m);
            }
        }
        for (const auto& [d0, half] : {std::pair{2U, 2U}, {4U, 32U}, {3U, 5U}})
        {
            for (uint32_t turn = 0; turn < d0 * half; ++turn)
            {
                const uint32_t expected = turn % d0 * half + turn / d0;
                NS_TEST_EXPECT_MSG_EQ(ReverseDigits(turn, {d0, half}), expected, "d0 " << d0);
            }
        }
    }

    /**
     * @param radices up-links of each layer
     * @param start the pair's first turn
     * @param expected the first points
     */
    void Check(const Digits& radices, uint16_t start, const std::vector<uint32_t>& expected)
    {
        const auto found =
            Choose<DigitReversalBouncingSelector>(radices,
                                                  start,
                                                  static_cast<uint32_t>(expected.size()));
        NS_TEST_EXPECT_MSG_EQ((found == expected), true, "start " << start);
    }
};

/**
 * @ingroup drb-tests
 * @brief Theorem 2: a link of layer i comes again after exactly the product of the first i radices.
 */
class VisitDistanceTestCase : public TestCase
{
  public:
    VisitDistanceTestCase()
        : TestCase("Theorem 2: visit distances")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t n = 4; n <= 24; n += 2)
        {
            Check({n / 2, n / 2});
            Check({n / 2, n / 2, n / 2}); // a layer more than the paper's
        }
        for (uint32_t d0 = 1; d0 <= 8; ++d0)
        {
            for (uint32_t d1 = 2; d1 <= 64; d1 += 2)
            {
                Check({d0, d1 / 2});
            }
        }
        Check({3, 4, 5});
    }

    /**
     * @param radices up-links of each layer
     */
    void Check(const Digits& radices)
    {
        const uint32_t points = Count(radices);
        // Two rounds and one packet more, so that the wrap is among what is seen.
        const auto order = Choose<DigitReversalBouncingSelector>(radices,
                                                                 static_cast<uint16_t>(points - 1),
                                                                 2 * points + 1);
        const std::set<uint32_t> visited(order.begin(), order.begin() + points);
        NS_TEST_EXPECT_MSG_EQ(visited.size(), points, "each point once per round");
        std::vector<std::map<uint32_t, uint32_t>> last(radices.size());
        for (uint32_t i = 0; i < order.size(); ++i)
        {
            const auto links = GetLinks(order[i], radices);
            uint32_t distance = 1;
            for (std::size_t layer = 0; layer < radices.size(); ++layer)
            {
                distance *= radices[layer];
                const auto [place, isFirst] = last[layer].try_emplace(links[layer], i);
                NS_TEST_EXPECT_MSG_EQ((isFirst || i - place->second == distance),
                                      true,
                                      "layer " << layer + 1 << ", packet " << i);
                place->second = i;
            }
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief Round robin keeps to an up-link for as many packets as there are points behind it.
 */
class RoundRobinOrderTestCase : public TestCase
{
  public:
    RoundRobinOrderTestCase()
        : TestCase("round-robin order")
    {
    }

  private:
    void DoRun() override
    {
        const auto small = Choose<RoundRobinBouncingSelector>({2, 2}, 0, 5);
        NS_TEST_EXPECT_MSG_EQ((small == std::vector<uint32_t>{0, 1, 2, 3, 0}), true, "n = 4");
        CheckRuns({12, 12});
        CheckRuns({4, 32});
    }

    /**
     * @param radices up-links of each layer
     */
    void CheckRuns(const Digits& radices)
    {
        const uint32_t points = Count(radices);
        const auto order = Choose<RoundRobinBouncingSelector>(radices, 0, 2 * points);
        for (uint32_t i = 0; i < order.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(GetLinks(order[i], radices)[0],
                                  i / (points / radices[0]) % radices[0],
                                  "packet " << i);
        }
    }
};

/**
 * @ingroup drb-tests
 * @brief Random bouncing is uniform and without memory.
 */
class RandomOrderTestCase : public TestCase
{
  public:
    RandomOrderTestCase()
        : TestCase("random order")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t DRAWS = 40'000;
        std::map<uint32_t, uint32_t> visits;
        for (const uint32_t point : Choose<RandomBouncingSelector>({2, 2}, 0, DRAWS))
        {
            ++visits[point];
        }
        NS_TEST_EXPECT_MSG_EQ(visits.size(), 4, "points");
        for (const auto& [point, count] : visits)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(count, 10'000, 350, "four sigma, point " << point);
        }

        const auto order = Choose<RandomBouncingSelector>({12, 12}, 0, DRAWS);
        uint32_t repeats = 0;
        for (uint32_t i = 1; i < DRAWS; ++i)
        {
            repeats += order[i] / 12 == order[i - 1] / 12 ? 1 : 0;
        }
        // A binomial's four sigma around 1/12.
        NS_TEST_EXPECT_MSG_EQ_TOL(repeats / (DRAWS - 1.0), 1.0 / 12, 0.0056, "same first up-link");

        std::vector<double> bins(144);
        for (const uint32_t point : order)
        {
            ++bins[point];
        }
        double statistic = 0;
        for (const double bin : bins)
        {
            statistic += (bin - DRAWS / 144.0) * (bin - DRAWS / 144.0) / (DRAWS / 144.0);
        }
        const boost::math::chi_squared distribution(143);
        NS_TEST_EXPECT_MSG_GT(boost::math::cdf(complement(distribution, statistic)), 0.001, "p");
    }
};

/**
 * @ingroup drb-tests
 * @brief Test suite of bouncing orders.
 */
class BouncingOrderTestSuite : public TestSuite
{
  public:
    BouncingOrderTestSuite()
        : TestSuite("bouncing-order", Type::UNIT)
    {
        AddTestCase(new DigitReversalOrderTestCase, Duration::QUICK);
        AddTestCase(new VisitDistanceTestCase, Duration::QUICK);
        AddTestCase(new RoundRobinOrderTestCase, Duration::QUICK);
        AddTestCase(new RandomOrderTestCase, Duration::QUICK);
    }
};

/// @ingroup drb-tests
/// Static variable for test initialization.
static BouncingOrderTestSuite g_bouncingOrderTestSuite;
