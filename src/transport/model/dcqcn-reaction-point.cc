/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcqcn-reaction-point.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

DcqcnReactionPoint::DcqcnReactionPoint(const Parameters& parameters, double lineRate)
    : m_parameters(parameters),
      m_lineRate(lineRate),
      m_additiveRate(parameters.additiveRate > 0 ? parameters.additiveRate : lineRate / 1000),
      m_hyperRate(parameters.hyperRate > 0 ? parameters.hyperRate : 10 * m_additiveRate),
      m_rate(lineRate),
      m_target(lineRate)
{
}

double
DcqcnReactionPoint::GetAlpha(int64_t now) const
{
    if (m_alphaTime == 0)
    {
        return m_alpha; // there was no CNP yet
    }
    const auto periods = (now - m_alphaTime) / m_parameters.alphaPeriod;
    return m_alpha * std::pow(1 - m_parameters.gain, static_cast<double>(periods)); // Equation 2
}

void
DcqcnReactionPoint::HandleNotification(int64_t now)
{
    const double alpha = GetAlpha(now);
    m_target = m_rate;
    m_rate = std::max(m_rate * (1 - alpha / 2), std::min(m_parameters.minRate, m_rate));
    m_alpha = (1 - m_parameters.gain) * alpha + m_parameters.gain; // Equation 1
    m_alphaTime = now;
    m_timerTicks = 0;
    m_byteTicks = 0;
    m_bytes = 0;
    m_nextTick = now + m_parameters.timer;
    m_limited = true;
}

void
DcqcnReactionPoint::HandleSent(uint64_t bytes)
{
    if (!m_limited)
    {
        return;
    }
    m_bytes += bytes;
    while (m_bytes >= m_parameters.byteCounter)
    {
        m_bytes -= m_parameters.byteCounter;
        ++m_byteTicks;
        Increase();
    }
}

void
DcqcnReactionPoint::HandleTimer(int64_t now)
{
    while (m_limited && m_nextTick <= now)
    {
        m_nextTick += m_parameters.timer;
        ++m_timerTicks;
        Increase();
    }
}

void
DcqcnReactionPoint::Increase()
{
    // Figure 7. How far hyper increase has come is left open there; QCN (IEEE 802.1Qau, Section
    // 30.3), to which the paper refers, raises the target by the ticks of it times R_HAI.
    const uint32_t recovery = m_parameters.fastRecovery;
    const uint32_t both = std::min(m_timerTicks, m_byteTicks);
    if (both > recovery)
    {
        m_target += (both - recovery) * m_hyperRate;
    }
    else if (std::max(m_timerTicks, m_byteTicks) > recovery)
    {
        m_target += m_additiveRate; // Equation 4
    }
    m_target = std::min(m_target, m_lineRate);
    m_rate = (m_target + m_rate) / 2; // Equation 3
    constexpr double ALL = 0.999;     // of the line rate: halving the distance never ends
    if (m_rate >= ALL * m_lineRate)
    {
        m_rate = m_lineRate;
        m_limited = false;
    }
}

} // namespace ns3
