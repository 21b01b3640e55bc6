/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "swift-window.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

SwiftWindow::SwiftWindow(const Parameters& parameters,
                         double baseTarget,
                         double window,
                         double weight)
    : m_parameters(parameters),
      m_baseTarget(baseTarget),
      m_window(window),
      m_weight(weight)
{
}

double
SwiftWindow::GetTarget(uint32_t hops) const
{
    const Parameters& p = m_parameters;
    const double target = m_baseTarget + hops * p.hopDelay;
    if (p.scalingRange <= 0)
    {
        return target;
    }
    const double slope =
        p.scalingRange / (1 / std::sqrt(p.scalingMinWindow) - 1 / std::sqrt(p.scalingMaxWindow));
    const double offset = -slope / std::sqrt(p.scalingMaxWindow);
    return target +
           std::clamp(slope / std::sqrt(m_window / m_weight) + offset, 0.0, p.scalingRange);
}

void
SwiftWindow::HandleAcknowledged(double packets,
                                double delay,
                                uint32_t hops,
                                int64_t rtt,
                                int64_t now)
{
    m_timeouts = 0;
    const double target = GetTarget(hops);
    if (delay < target)
    {
        const double increase = m_weight * m_parameters.increase * packets;
        SetWindow(m_window + (m_window >= 1 ? increase / m_window : increase), now);
    }
    else if (MayDecrease(rtt, now))
    {
        const double excess = m_parameters.decrease * (delay - target) / delay;
        SetWindow(m_window * std::max(1 - excess, 1 - m_parameters.maxDecrease), now);
    }
}

void
SwiftWindow::HandleLoss(int64_t rtt, int64_t now)
{
    m_timeouts = 0;
    if (MayDecrease(rtt, now))
    {
        SetWindow(m_window * (1 - m_parameters.maxDecrease), now);
    }
}

void
SwiftWindow::HandleTimeout(int64_t rtt, int64_t now)
{
    if (++m_timeouts >= m_parameters.resetAfter)
    {
        SetWindow(m_parameters.minWindow, now);
    }
    else if (MayDecrease(rtt, now))
    {
        SetWindow(m_window * (1 - m_parameters.maxDecrease), now);
    }
}

void
SwiftWindow::SetWindow(double window, int64_t now)
{
    window = std::clamp(window, m_parameters.minWindow, m_parameters.maxWindow);
    if (window < m_window)
    {
        m_lastDecrease = now;
    }
    m_window = window;
}

} // namespace ns3
