/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hpcc-window.h"

#include <algorithm>

namespace ns3
{

HpccWindow::HpccWindow(const Parameters& parameters)
    : m_parameters(parameters),
      m_window(parameters.initialWindow),
      m_reference(parameters.initialWindow),
      m_utilization(1) // HPCC's own models start so
{
}

void
HpccWindow::HandleAcknowledged(const HpccPath& path, bool isNewRound)
{
    if (MeasureInflight(path))
    {
        ComputeWindow(isNewRound);
    }
    m_last = path;
}

bool
HpccWindow::MeasureInflight(const HpccPath& path)
{
    if (path.hops == 0 || path.hops != m_last.hops)
    {
        return false; // the first one, or another path
    }
    const double rtt = m_parameters.baseRtt;
    double most = 0;
    double interval = 0;
    for (uint32_t hop = 0; hop < path.hops; ++hop)
    {
        const HpccLink& now = path.links[hop];
        const HpccLink& before = m_last.links[hop];
        const auto passed = static_cast<double>(now.time - before.time);
        if (now.port != before.port || passed <= 0)
        {
            return false;
        }
        const double rate = static_cast<double>(now.sentBytes - before.sentBytes) / passed;
        const double used = std::min(now.queue, before.queue) / (now.rate * rtt) + rate / now.rate;
        if (used > most)
        {
            most = used;
            interval = passed;
        }
    }
    const double weight = std::min(interval, rtt) / rtt;
    m_utilization += weight * (most - m_utilization);
    return true;
}

void
HpccWindow::ComputeWindow(bool isNewRound)
{
    const double excess = m_utilization / m_parameters.utilization;
    const bool multiplies = excess >= 1 || m_stage >= m_parameters.mostAdding;
    m_window = (multiplies ? m_reference / excess : m_reference) + m_parameters.addition;
    m_window = std::clamp(m_window, m_parameters.leastWindow, m_parameters.initialWindow);
    if (isNewRound)
    {
        m_stage = multiplies ? 0 : m_stage + 1;
        m_reference = m_window;
    }
}

} // namespace ns3
