/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "receiver-rate-law.h"

#include <algorithm>

namespace ns3
{

ReceiverRateLaw::ReceiverRateLaw(double gain, double least, double rate)
    : m_gain(gain),
      m_least(least),
      m_rate(rate)
{
}

void
ReceiverRateLaw::Update(double measured, double capacity)
{
    const double excess = (measured - capacity) / capacity;
    m_rate = std::clamp(m_rate * (1 - m_gain * excess), std::min(m_least, capacity), capacity);
}

} // namespace ns3
