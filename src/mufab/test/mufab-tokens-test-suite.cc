/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/test.h"
#include "ns3/token-assignment.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @brief A pair that can use all it gets.
TokenUse
Greedy(double granted = UNBOUND_TOKENS)
{
    return {.used = 0, .backlogged = true, .granted = granted};
}

/// @brief A pair that uses so much.
TokenUse
Bounded(double used)
{
    return {.used = used};
}

} // namespace

/**
 * @ingroup mufab-tests
 * @brief Algorithms 1 and 2 in worked numbers, where the printed ones divide by zero as well.
 */
class TokenAssignmentTestCase : public TestCase
{
  public:
    TokenAssignmentTestCase()
        : TestCase("Algorithms 1 and 2")
    {
    }

  private:
    void Expect(const std::vector<double>& tokens,
                const std::vector<double>& expected,
                const std::string& what)
    {
        NS_TEST_ASSERT_MSG_EQ(tokens.size(), expected.size(), what);
        for (std::size_t i = 0; i < tokens.size(); ++i)
        {
            if (expected[i] == UNBOUND_TOKENS)
            {
                NS_TEST_EXPECT_MSG_EQ(tokens[i], UNBOUND_TOKENS, what);
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(tokens[i], expected[i], 1e-9, what);
        }
    }

    void DoRun() override
    {
        Expect(AssignTokens(300, {Greedy(), Greedy(), Greedy()}), {100, 100, 100}, "greedy");
        Expect(AssignTokens(300, {Bounded(30), Greedy(), Greedy()}), {100, 135, 135}, "bounded");
        Expect(AssignTokens(300, {Greedy(30), Greedy(), Greedy()}), {30, 135, 135}, "one granted");
        Expect(AssignTokens(300, {Greedy(30), Greedy(120), Greedy()}), {30, 120, 150}, "two");
        Expect(AssignTokens(300, {Greedy(), Greedy(120), Greedy(30)}), {150, 120, 30}, "unsorted");
        Expect(AssignTokens(300, {Greedy(30), Greedy(40), Greedy(50)}), {30, 40, 50}, "three");
        std::vector<TokenUse> ten(9, Bounded(0));
        ten.push_back(Greedy());
        std::vector<double> expected(9, 30);
        expected.push_back(300);
        Expect(AssignTokens(300, ten), expected, "nine idle");
        Expect(AssignTokens(300, std::vector<TokenUse>(3, Bounded(0))), {100, 100, 100}, "idle");
        Expect(AssignTokens(300, {}), {}, "nobody");
        Expect(AssignTokens(300, {Greedy(100)}), {100}, "one that the receiver limits");
        Expect(AssignTokens(300, {Bounded(96), Bounded(96), Greedy()}, 0.95),
               {100, 100, 100},
               "a rate that is nearly the share gives nothing away");

        Expect(AdmitTokens(300, {100, 300}), {UNBOUND_TOKENS, 200}, "receiver");
        Expect(AdmitTokens(300, {300, 100}), {200, UNBOUND_TOKENS}, "receiver, unsorted");
        Expect(AdmitTokens(300, {10, 40, 100, 300}),
               {UNBOUND_TOKENS, UNBOUND_TOKENS, UNBOUND_TOKENS, 150},
               "four");
        Expect(AdmitTokens(300, {100}), {UNBOUND_TOKENS}, "one that asks for less");
        Expect(AdmitTokens(300, {300, 300, 300}), {100, 100, 100}, "three that ask for all");
        Expect(AdmitTokens(300, {133, 165}, 0.95), {UNBOUND_TOKENS, 167}, "what it was granted");
        Expect(AdmitTokens(300, {}), {}, "nobody");

        Expect(SplitTokens(100, {20, 80}), {50, 80}, "two paths");
        Expect(SplitTokens(100, {0, 10, 40, 40}), {25, 25, 45, 45}, "four paths");
        Expect(SplitTokens(100, {60, 60}), {50, 50}, "both full");
        Expect(SplitTokens(100, {50, 50}), {50, 50}, "both at their share");
        Expect(SplitTokens(100, {0, 0}), {50, 50}, "both idle");

        Expect(RoundTokens(std::vector<double>(7, 300.0 / 7)), {43, 43, 43, 43, 43, 43, 42}, "7");
        Expect(RoundTokens({100, 135.5, 64.5}), {101, 135, 64}, "in sum as many");
    }
};

/**
 * @ingroup mufab-tests
 * @brief Fig. 21: four pairs of one virtual fabric, sender and receivers in turn.
 */
class Figure21TestCase : public TestCase
{
  public:
    Figure21TestCase()
        : TestCase("the examples of Fig. 21")
    {
    }

  private:
    /**
     * @brief Four rounds of exchange.
     * @param first a1 to a4
     * @param others tokens of a1-a5 and a1-a6
     * @param last tokens of a2-a6
     */
    void Check(const TokenUse& first, double others, double last)
    {
        double grantedA1 = UNBOUND_TOKENS;
        double grantedA2 = UNBOUND_TOKENS;
        for (int round = 0; round < 4; ++round)
        {
            const auto a1 = AssignTokens(300, {first, Greedy(), Greedy(grantedA1)});
            const auto a2 = AssignTokens(300, {Greedy(grantedA2)});
            NS_TEST_EXPECT_MSG_EQ_TOL(a1[0], 100, 1e-9, "a1 to a4 keeps a third");
            NS_TEST_EXPECT_MSG_EQ_TOL(a1[1], others, 1e-9, "a1 to a5");
            NS_TEST_EXPECT_MSG_EQ_TOL(a1[2], others, 1e-9, "a1 to a6");
            NS_TEST_EXPECT_MSG_EQ_TOL(a2[0], (round == 0 ? 300 : last), 1e-9, "a2 to a6");
            const auto a6 = AdmitTokens(300, {a1[2], a2[0]});
            grantedA1 = a6[0];
            grantedA2 = a6[1];
            NS_TEST_EXPECT_MSG_EQ_TOL(std::min(a1[2], grantedA1), others, 1e-9, "a6 to a1");
            NS_TEST_EXPECT_MSG_EQ_TOL(std::min(a2[0], grantedA2), last, 1e-9, "a6 to a2");
        }
    }

    void DoRun() override
    {
        Check(Greedy(), 100, 200);
        Check(Bounded(30), 135, 165);
    }
};

/**
 * @ingroup mufab-tests
 * @brief Bounds that hold for any tokens: nobody gives more than it has, but for what
 * demand-limited pairs keep.
 */
class TokenSumsTestCase : public TestCase
{
  public:
    TokenSumsTestCase()
        : TestCase("sums of tokens")
    {
    }

  private:
    void DoRun() override
    {
        uint32_t state = 1;
        const auto draw = [&state](double most) {
            state = state * 1664525 + 1013904223;
            return most * (state >> 8) / (1 << 24);
        };
        for (int trial = 0; trial < 2000; ++trial)
        {
            std::vector<TokenUse> pairs(1 + static_cast<std::size_t>(draw(12)));
            for (TokenUse& pair : pairs)
            {
                pair = {draw(100), draw(1) < 0.5, draw(1) < 0.5 ? draw(200) : UNBOUND_TOKENS};
            }
            const auto tokens = AssignTokens(300, pairs);
            const double sum = std::reduce(tokens.begin(), tokens.end());
            NS_TEST_ASSERT_MSG_LT(sum, 600 + 1e-6, "less than twice");
            std::vector<double> demands;
            std::ranges::transform(tokens, std::back_inserter(demands), [](double t) {
                return 3 * t;
            });
            const auto granted = AdmitTokens(300, demands);
            double admitted = 0;
            for (std::size_t i = 0; i < demands.size(); ++i)
            {
                admitted += std::min(demands[i], granted[i]);
            }
            const double asked = std::reduce(demands.begin(), demands.end());
            NS_TEST_ASSERT_MSG_EQ_TOL(admitted, std::min(300.0, asked), 1e-6, "all, no more");
        }
    }
};

/**
 * @ingroup mufab-tests
 * @brief Tokens of VM pairs.
 */
class MufabTokensTestSuite : public TestSuite
{
  public:
    MufabTokensTestSuite()
        : TestSuite("mufab-tokens", Type::UNIT)
    {
        AddTestCase(new TokenAssignmentTestCase, Duration::QUICK);
        AddTestCase(new Figure21TestCase, Duration::QUICK);
        AddTestCase(new TokenSumsTestCase, Duration::QUICK);
    }
};

/// The suite registers itself.
static MufabTokensTestSuite g_mufabTokensTestSuite;
