/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-rate-meter.h"

#include "ns3/nstime.h"

namespace ns3
{

PortRateMeter::PortRateMeter(int64_t window)
    : m_window(window)
{
}

void
PortRateMeter::Advance(int64_t now)
{
    while (!m_departures.empty() && m_departures.front().time <= now - m_window)
    {
        m_bytes -= m_departures.front().bytes;
        m_departures.pop_front();
    }
}

void
PortRateMeter::Count(uint32_t bytes, int64_t now)
{
    Advance(now);
    m_bytes += bytes;
    if (m_departures.full())
    {
        m_departures.set_capacity(2 * m_departures.capacity());
    }
    m_departures.push_back({now, bytes});
}

double
PortRateMeter::GetRate(int64_t now)
{
    Advance(now);
    return 8 * m_bytes / Time(m_window).GetSeconds();
}

} // namespace ns3
