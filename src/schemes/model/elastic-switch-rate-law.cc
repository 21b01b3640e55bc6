/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "elastic-switch-rate-law.h"

#include <algorithm>

namespace ns3
{

ElasticSwitchRateLaw::ElasticSwitchRateLaw(const Settings& settings)
    : m_settings(settings)
{
}

void
ElasticSwitchRateLaw::SetGuarantee(double guarantee)
{
    m_guarantee = guarantee;
    m_rate = std::max(m_rate, guarantee);
}

void
ElasticSwitchRateLaw::Restart()
{
    m_rate = m_guarantee;
}

void
ElasticSwitchRateLaw::Update(double congested, Time /* now */)
{
    if (congested > 0)
    {
        m_rate = m_guarantee;
    }
    else if (m_rate < m_settings.target)
    {
        m_rate +=
            std::max(m_settings.increase * (m_settings.target - m_rate), m_settings.leastIncrease);
    }
}

double
ElasticSwitchRateLaw::GetRate() const
{
    return m_rate;
}

} // namespace ns3
