/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "token-assignment.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace ns3
{

namespace
{

/**
 * @param values some values
 * @return their indices, the least value first
 */
std::vector<std::size_t>
SortIndices(const std::vector<double>& values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&values](std::size_t i) { return values[i]; });
    return order;
}

} // namespace

std::vector<double>
AssignTokens(double tokens, const std::vector<TokenUse>& pairs, double boundedBelow)
{
    std::vector<double> assigned(pairs.size());
    if (pairs.empty())
    {
        return assigned;
    }
    double fair = tokens / static_cast<double>(pairs.size());
    double spare = 0;
    std::vector<double> grants; // of those that can use all they get
    std::vector<std::size_t> greedy;
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        if (!pairs[i].backlogged && pairs[i].used < boundedBelow * fair)
        {
            spare += fair - pairs[i].used;
            assigned[i] = fair;
        }
        else
        {
            greedy.push_back(i);
            grants.push_back(pairs[i].granted);
        }
    }
    auto left = static_cast<double>(greedy.size());
    fair += left > 0 ? spare / left : 0;
    for (const std::size_t i : SortIndices(grants))
    {
        left -= 1;
        assigned[greedy[i]] = std::min(fair, grants[i]);
        if (grants[i] < fair && left > 0)
        {
            fair += (fair - grants[i]) / left;
        }
    }
    return assigned;
}

std::vector<double>
AdmitTokens(double tokens, const std::vector<double>& demands, double boundedFrom)
{
    std::vector<double> granted(demands.size(), UNBOUND_TOKENS);
    auto left = static_cast<double>(demands.size());
    double fair = tokens / left;
    for (const std::size_t i : SortIndices(demands))
    {
        left -= 1;
        if (demands[i] >= boundedFrom * fair)
        {
            granted[i] = fair;
        }
        else if (left > 0)
        {
            fair += (fair - demands[i]) / left;
        }
    }
    return granted;
}

std::vector<double>
SplitTokens(double tokens, const std::vector<double>& used)
{
    std::vector<TokenUse> paths(used.size());
    std::ranges::transform(used, paths.begin(), [](double tx) { return TokenUse{.used = tx}; });
    return AssignTokens(tokens, paths);
}

std::vector<double>
RoundTokens(const std::vector<double>& tokens)
{
    std::vector<double> whole(tokens.size());
    double left = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i)
    {
        whole[i] = std::floor(tokens[i] + 1e-9);
        left += tokens[i] - whole[i];
    }
    for (std::size_t i = 0; i < whole.size() && left >= 1 - 1e-6; ++i, left -= 1)
    {
        whole[i] += 1;
    }
    return whole;
}

} // namespace ns3
