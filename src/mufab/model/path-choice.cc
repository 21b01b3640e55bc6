/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-choice.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * @param offers some paths
 * @param value value to compare, of a path
 * @param onlyQualified true if others do not count
 * @return index of the path with the greatest value, the first of several
 */
template <class Value>
std::optional<std::size_t>
FindGreatest(const std::vector<PathOffer>& offers, const Value& value, bool onlyQualified)
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < offers.size(); ++i)
    {
        if ((offers[i].qualified || !onlyQualified) &&
            (!best || value(offers[i]) > value(offers[*best])))
        {
            best = i;
        }
    }
    return best;
}

} // namespace

std::optional<std::size_t>
ChooseQualified(const std::vector<PathOffer>& offers,
                PathPreference preference,
                double least,
                UniformRandomVariable& random)
{
    if (preference == PathPreference::MOST)
    {
        return FindGreatest(offers, [](const PathOffer& offer) { return offer.headroom; }, true);
    }
    std::vector<double> weights;
    double sum = 0;
    for (const PathOffer& offer : offers)
    {
        const double weight =
            preference == PathPreference::UNIFORM ? 1 : std::max(least, offer.headroom);
        weights.push_back(offer.qualified ? weight : 0);
        sum += weights.back();
    }
    if (sum <= 0)
    {
        return std::nullopt;
    }
    double draw = random.GetValue(0, sum);
    std::size_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        if (weights[i] > 0)
        {
            last = i;
            if (draw < weights[i])
            {
                return i;
            }
        }
        draw -= weights[i];
    }
    return last; // the draw was the very end
}

std::optional<std::size_t>
ChooseLeastBad(const std::vector<PathOffer>& offers)
{
    return FindGreatest(offers, [](const PathOffer& offer) { return offer.headroom; }, false);
}

std::optional<std::size_t>
ChooseFastest(const std::vector<PathOffer>& offers)
{
    return FindGreatest(offers, [](const PathOffer& offer) { return offer.predicted; }, true);
}

} // namespace ns3
