/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spare-rate-law.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

SpareRateLaw::SpareRateLaw(const Settings& settings)
    : m_settings(settings)
{
}

void
SpareRateLaw::Update(double capacity, double spare, const std::vector<Pair*>& pairs) const
{
    if (m_settings.profile == PROTOTYPE)
    {
        for (Pair* pair : pairs)
        {
            UpdateAsPrototype(capacity, *pair);
        }
        return;
    }
    MoveCongested(pairs);
    UpdateCautious(spare, pairs);
    ShareFree(spare, pairs);
}

void
SpareRateLaw::MoveCongested(const std::vector<Pair*>& pairs)
{
    for (Pair* pair : pairs)
    {
        pair->isCautious |=
            pair->feedback == TRAPPED || (pair->feedback == REPORT && pair->beta > 0);
    }
}

void
SpareRateLaw::UpdateCautious(double spare, const std::vector<Pair*>& pairs) const
{
    // R_P is what a pair would have if it alone left Q, with the rates as they stand before all.
    double cautiousRate = 0;
    double freeWeight = 0;
    for (const Pair* pair : pairs)
    {
        (pair->isCautious ? cautiousRate : freeWeight) +=
            pair->isCautious ? pair->rate : pair->guarantee;
    }
    for (Pair* pair : pairs)
    {
        const Feedback feedback = std::exchange(pair->feedback, NO_REPORT);
        if (feedback == REPORT)
        {
            pair->estimate += m_settings.gain * (pair->beta - pair->estimate);
        }
        if (feedback == TRAPPED)
        {
            pair->rate = m_settings.trapped;
        }
        else if (feedback == REPORT && pair->beta > 0) // Eq. 5
        {
            pair->rate = std::max((1 - pair->estimate / 2) * pair->rate, m_settings.least);
        }
        else if (feedback == REPORT && pair->isCautious) // Eq. 6
        {
            const double weights = freeWeight + pair->guarantee;
            const double share = weights > 0 ? pair->guarantee / weights : 1;
            const double free =
                std::max((spare - (cautiousRate - pair->rate)) * share, m_settings.least);
            pair->rate = std::min(free, (1 + m_settings.alpha) * pair->rate);
            pair->isCautious = pair->rate < free;
        }
    }
}

void
SpareRateLaw::ShareFree(double spare, const std::vector<Pair*>& pairs) const
{
    if (m_settings.profile == PROTOTYPE)
    {
        return;
    }
    double free = spare; // Eq. 3
    double weights = 0;
    double count = 0;
    for (const Pair* pair : pairs)
    {
        free -= pair->isCautious ? pair->rate : 0;
        weights += pair->isCautious ? 0 : pair->guarantee;
        count += pair->isCautious ? 0 : 1;
    }
    free = std::max(free, 0.0);
    for (Pair* pair : pairs)
    {
        if (!pair->isCautious) // Eq. 4
        {
            pair->rate = free * (weights > 0 ? pair->guarantee / weights : 1 / count);
        }
    }
}

void
SpareRateLaw::UpdateAsPrototype(double capacity, Pair& pair) const
{
    const Feedback feedback = std::exchange(pair.feedback, NO_REPORT);
    const double marks = std::floor(100 * pair.beta) / 100; // it reports whole percent
    if (feedback == TRAPPED)
    {
        pair.rate = m_settings.trapped;
    }
    else if (feedback == REPORT && marks > 0)
    {
        pair.rate *= 1 - marks / 2;
    }
    else if (feedback == REPORT && pair.guarantee + pair.rate < capacity)
    {
        const double gap = capacity - pair.guarantee - pair.rate;
        pair.rate += std::max(m_settings.alpha * gap, m_settings.leastStep);
    }
}

} // namespace ns3
