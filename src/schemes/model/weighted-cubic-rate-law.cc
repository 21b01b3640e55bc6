/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "weighted-cubic-rate-law.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

WeightedCubicRateLaw::WeightedCubicRateLaw(const Settings& settings)
    : m_settings(settings)
{
}

void
WeightedCubicRateLaw::SetGuarantee(double guarantee)
{
    m_guarantee = guarantee;
    m_probe = std::max(m_probe, guarantee);
    m_goal = std::max(m_goal, guarantee);
}

void
WeightedCubicRateLaw::Restart()
{
    m_probe = m_goal = m_guarantee;
    m_steps = 1;
}

void
WeightedCubicRateLaw::Update(double congested, Time now)
{
    if (congested > 0)
    {
        Decrease(congested, now);
    }
    else if (now >= m_holdEnd)
    {
        Increase(now);
    }
}

void
WeightedCubicRateLaw::Decrease(double congested, Time now)
{
    if (m_probe > m_guarantee) // a pair at its guarantee has nothing to hold back
    {
        m_holdEnd = now + Seconds(m_settings.holdBits / m_guarantee);
    }
    m_goal = m_probe;
    m_congested = now;
    m_probe = std::max(m_guarantee, m_probe * (1 - m_settings.decrease * congested));
    m_steps = 1;
}

void
WeightedCubicRateLaw::Increase(Time now)
{
    const double gap = m_goal - m_probe;
    if (gap > GetStep()) // closer than that, the goal is reached
    {
        const double passed =
            std::min((now - m_congested).GetSeconds() / m_settings.concaveTime, 0.9);
        m_probe += m_settings.concaveGain * gap * std::pow(1 - passed, 3);
    }
    else
    {
        m_probe += GetCaution() * GetStep();
        m_steps += m_settings.stepGrowth;
    }
    m_probe = std::min(m_probe, std::max(m_guarantee, m_settings.mostRate));
}

double
WeightedCubicRateLaw::GetStep() const
{
    return m_settings.convexStep * m_steps * m_guarantee / m_settings.weightUnit;
}

double
WeightedCubicRateLaw::GetCaution() const
{
    const double above = (m_probe - m_guarantee) / m_guarantee;
    return std::clamp(1 - m_settings.caution * above, m_settings.leastCaution, 1.0);
}

Time
WeightedCubicRateLaw::GetHoldEnd() const
{
    return m_holdEnd;
}

double
WeightedCubicRateLaw::GetRate() const
{
    return m_probe;
}

} // namespace ns3
