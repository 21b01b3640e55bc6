/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "near-names.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @param a a word
 * @param b another word
 * @return number of characters to insert, delete or replace to make one of the other (Levenshtein)
 */
std::size_t
GetEditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j)
        {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

} // namespace

std::vector<std::string>
SortByNearness(const std::string& word, std::vector<std::string> names)
{
    std::ranges::stable_sort(names, {}, [&word](const std::string& name) {
        return GetEditDistance(word, name);
    });
    return names;
}

std::string
SuggestName(const std::string& word, const std::vector<std::string>& names)
{
    const auto isNear = [&word](const std::string& name) {
        return 3 * GetEditDistance(word, name) <= std::max(word.size(), name.size());
    };
    const std::vector<std::string> sorted = SortByNearness(word, names);
    const auto near = std::ranges::find_if(sorted, isNear);
    return near == sorted.end() ? "" : " (did you mean '" + *near + "'?)";
}

} // namespace ns3
