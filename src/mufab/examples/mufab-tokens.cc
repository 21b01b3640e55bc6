/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Algorithm 1 of uFAB (SIGCOMM 2022, Appendix E) exchange by exchange: the two examples of Figure
// 21, and how many tokens a VM gives out in the worst case. Simulates nothing.

#include "ns3/calculation.h"
#include "ns3/double.h"
#include "ns3/token-assignment.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace ns3;

namespace
{

/// @brief Tokens in the figure when nothing changes any more.
struct Outcome
{
    std::array<double, 3> a1; //!< phi_S of a1 for its pairs to a4, a5 and a6
    double a6ToA1;            //!< tokens that a6 leaves a1
    double a6ToA2;            //!< and a2
    uint32_t exchanges;       //!< after which nothing changed
};

/**
 * @brief Run one of the examples.
 * @param tokens phi of each VM
 * @param demand tokens' worth of what a1 sends to a4; below 0: without end
 * @return the outcome
 */
Outcome
RunExample(double tokens, double demand)
{
    std::vector<TokenUse> a1(3, {.used = tokens, .backlogged = true});
    std::vector<TokenUse> a2(1, {.used = tokens, .backlogged = true});
    if (demand >= 0)
    {
        a1[0] = {.used = demand, .backlogged = false};
    }
    Outcome outcome{};
    std::vector<double> before;
    for (uint32_t exchange = 1; exchange <= 10; ++exchange)
    {
        const auto fromA1 = AssignTokens(tokens, a1);
        const auto fromA2 = AssignTokens(tokens, a2);
        const auto granted = AdmitTokens(tokens, {fromA1[2], fromA2[0]});
        a1[2].granted = granted[0];
        a2[0].granted = granted[1];
        std::ranges::copy(fromA1, outcome.a1.begin());
        outcome.a6ToA1 = std::min(fromA1[2], granted[0]);
        outcome.a6ToA2 = std::min(fromA2[0], granted[1]);
        std::vector<double> now(fromA1);
        now.insert(now.end(), {outcome.a6ToA1, outcome.a6ToA2});
        if (now != before)
        {
            outcome.exchanges = exchange;
        }
        before = now;
    }
    return outcome;
}

/**
 * @brief Add up what a VM gives out in the worst case: some pairs have no data and keep their fair
 * share, the others have data without end and divide all of its tokens.
 * @param mostPairs of a VM; all numbers of pairs up to this, idle and not, are tried
 * @param tokens of the VM
 * @return the most that a VM gives out, over what it has
 */
double
FindMostGivenOut(uint32_t mostPairs, double tokens)
{
    double most = 0;
    for (uint32_t pairs = 1; pairs <= mostPairs; ++pairs)
    {
        for (uint32_t idle = 0; idle <= pairs; ++idle)
        {
            std::vector<TokenUse> uses(pairs, {.used = tokens, .backlogged = true});
            std::fill_n(uses.begin(), idle, TokenUse{.used = 0, .backlogged = false});
            const auto assigned = AssignTokens(tokens, uses);
            most = std::max(most, std::accumulate(assigned.begin(), assigned.end(), 0.0) / tokens);
        }
    }
    return most;
}

} // namespace

int
main(int argc, char* argv[])
{
    double tokens = 300;
    double demand = 30;
    uint32_t pairs = 50;
    Calculation calculation("mufab-tokens", "the examples of Figure 21, and tokens that are out");
    calculation.AddOption("tokens", "phi of each VM", tokens, MakeDoubleChecker<double>(1, 1e9));
    calculation.AddOption("demand",
                          "tokens' worth of what a1 sends to a4 in the second example",
                          demand,
                          MakeDoubleChecker<double>(0, 1e9));
    calculation.AddOption("pairs",
                          "most pairs of a VM whose tokens are added up",
                          pairs,
                          MakeUintegerChecker<uint32_t>(1, 1000));
    return calculation.Main(argc, argv, [&] {
        const Outcome greedy = RunExample(tokens, -1);
        const Outcome limited = RunExample(tokens, demand);
        for (std::size_t i = 0; i < 3; ++i)
        {
            const std::string pair = "a1_a" + std::to_string(4 + i);
            calculation.Report("a_" + pair, greedy.a1[i]);
            calculation.Report("b_" + pair, limited.a1[i]);
        }
        calculation.Report("a_a1_least_share", std::ranges::min(greedy.a1) / tokens);
        calculation.Report("a_a6_to_a1_share", greedy.a6ToA1 / tokens);
        calculation.Report("a_a6_to_a2_share", greedy.a6ToA2 / tokens);
        calculation.Report("b_a6_to_a2", limited.a6ToA2);
        calculation.Report("exchanges", std::max(greedy.exchanges, limited.exchanges));
        calculation.Report("most_given_out", FindMostGivenOut(pairs, tokens));
    });
}
