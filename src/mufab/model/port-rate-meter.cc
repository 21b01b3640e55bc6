/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-rate-meter.h"

#include "ns3/nstime.h"

#include <cmath>

namespace ns3
{

PortRateMeter::PortRateMeter(Kind kind, int64_t window)
    : m_kind(kind),
      m_window(window),
      m_departures(kind == SLIDING ? 64 : 0)
{
}

void
PortRateMeter::Advance(int64_t now)
{
    switch (m_kind)
    {
    case SLIDING:
        while (!m_departures.empty() && m_departures.front().time <= now - m_window)
        {
            m_bytes -= m_departures.front().bytes;
            m_departures.pop_front();
        }
        break;
    case FIXED:
        if (now - m_since >= m_window)
        {
            m_complete = now - m_since < 2 * m_window ? m_bytes : 0;
            m_since = now / m_window * m_window;
            m_bytes = 0;
        }
        break;
    case EWMA:
        m_bytes *= std::exp(-static_cast<double>(now - m_since) / static_cast<double>(m_window));
        m_since = now;
        break;
    }
}

void
PortRateMeter::Count(uint32_t bytes, int64_t now)
{
    Advance(now);
    m_bytes += bytes;
    if (m_kind == SLIDING)
    {
        if (m_departures.full())
        {
            m_departures.set_capacity(2 * m_departures.capacity());
        }
        m_departures.push_back({now, bytes});
    }
}

double
PortRateMeter::GetRate(int64_t now)
{
    Advance(now);
    const double seconds = Time(m_window).GetSeconds();
    return 8 * (m_kind == FIXED ? m_complete : m_bytes) / seconds;
}

} // namespace ns3
