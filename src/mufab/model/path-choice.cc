/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-choice.h"

#include <algorithm>
#include <utility>

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

// ---- A search ----

std::vector<uint16_t>
PathSearch::Draw(std::vector<uint16_t> usable,
                 bool isObserving,
                 uint32_t most,
                 UniformRandomVariable& random) const
{
    const auto better =
        isObserving && m_betterSince >= 0 ? std::ranges::find(usable, m_betterPath) : usable.end();
    const bool isAskedAgain = better != usable.end();
    if (isAskedAgain)
    {
        std::swap(usable.front(), *better);
    }
    const auto wanted = std::min<std::size_t>(usable.size(), most);
    for (std::size_t i = isAskedAgain; i < wanted; ++i)
    {
        const auto last = static_cast<uint32_t>(usable.size() - 1);
        std::swap(usable[i], usable[random.GetInteger(static_cast<uint32_t>(i), last)]);
    }
    usable.resize(wanted);
    return usable;
}

void
PathSearch::Begin(uint32_t slot, const std::vector<uint16_t>& candidates, int64_t now)
{
    m_slot = slot;
    m_since = now;
    m_awaited = candidates;
    m_paths.clear();
    m_offers.clear();
}

bool
PathSearch::Awaits(uint16_t path, int64_t sentAt) const
{
    return sentAt == m_since && std::ranges::find(m_awaited, path) != m_awaited.end();
}

void
PathSearch::Add(uint16_t path, const std::optional<PathOffer>& offer)
{
    std::erase(m_awaited, path);
    if (offer)
    {
        m_paths.push_back(path);
        m_offers.push_back(*offer);
    }
}

std::optional<uint16_t>
PathSearch::GetPath(const std::optional<std::size_t>& index) const
{
    return index ? std::optional(m_paths[*index]) : std::nullopt;
}

std::optional<uint16_t>
PathSearch::ChooseQualified(PathPreference preference,
                            double least,
                            UniformRandomVariable& random) const
{
    return GetPath(ns3::ChooseQualified(m_offers, preference, least, random));
}

std::optional<uint16_t>
PathSearch::ChooseLeastBad() const
{
    return GetPath(ns3::ChooseLeastBad(m_offers));
}

std::optional<uint16_t>
PathSearch::ChooseSilent() const
{
    return m_awaited.empty() ? std::nullopt : std::optional(m_awaited.front());
}

std::optional<uint16_t>
PathSearch::ChooseBetter(double rate, double gain, int64_t time)
{
    auto best = ChooseFastest(m_offers);
    for (std::size_t i = 0; best && m_betterSince >= 0 && i < m_paths.size(); ++i)
    {
        const bool isAsGood = m_offers[*best].predicted < gain * m_offers[i].predicted;
        if (m_paths[i] == m_betterPath && m_offers[i].qualified && isAsGood)
        {
            best = i;
            break;
        }
    }
    if (!best || m_offers[*best].predicted < gain * rate)
    {
        m_betterSince = -1;
        return std::nullopt;
    }
    if (m_betterSince < 0 || m_betterPath != m_paths[*best])
    {
        m_betterPath = m_paths[*best];
        m_betterSince = m_since;
    }
    if (m_since - m_betterSince < time)
    {
        return std::nullopt;
    }
    m_betterSince = -1;
    return m_betterPath;
}

} // namespace ns3
