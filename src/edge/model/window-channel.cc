/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "window-channel.h"

#include "pair-report.h"

#include "ns3/results.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

WindowChannel::WindowChannel(QueueLimit limit, double window, Time baseRtt, Time timeout)
    : PairChannel(limit),
      m_window(window),
      m_baseRtt(baseRtt.GetTimeStep()),
      m_timeout(timeout.GetTimeStep())
{
}

void
WindowChannel::SetWindow(double window)
{
    m_window = window;
    Wake();
}

uint64_t
WindowChannel::GetInFlight(int64_t now)
{
    GiveUpLost(now);
    return m_sent - GetSettled();
}

boost::circular_buffer<WindowChannel::Departure>::iterator
WindowChannel::FindUnsettled()
{
    return std::upper_bound(m_departures.begin(),
                            m_departures.end(),
                            GetSettled(),
                            [](uint64_t settled, const Departure& d) { return settled < d.end; });
}

void
WindowChannel::GiveUpLost(int64_t now)
{
    // Whatever left a timeout ago has been reported by now, or will never be.
    while (!m_departures.empty() && m_departures.front().time + m_timeout <= now)
    {
        const uint64_t end = m_departures.front().end;
        if (end > GetSettled())
        {
            m_lost = end - m_acknowledged;
        }
        m_departures.pop_front();
    }
}

int64_t
WindowChannel::GetReleaseTime(int64_t now)
{
    const uint64_t inFlight = GetInFlight(now);
    const uint32_t size = m_fifo.Front()->size;
    if (static_cast<double>(inFlight + size) <= m_window)
    {
        return now;
    }
    if (inFlight > 0)
    {
        const auto first = FindUnsettled();
        return first == m_departures.end() ? NEVER : first->time + m_timeout;
    }
    const double gap = size * static_cast<double>(m_baseRtt) / m_window;
    return gap < static_cast<double>(INT64_MAX / 4)
               ? std::max(now, m_lastSent + static_cast<int64_t>(std::ceil(gap)))
               : NEVER;
}

FabricItem*
WindowChannel::Dequeue(int64_t now)
{
    FabricItem* item = PairChannel::Dequeue(now);
    m_sent += item->size;
    m_lastSent = now;
    if (m_departures.full())
    {
        m_departures.set_capacity(std::max<size_t>(8, 2 * m_departures.capacity()));
    }
    m_departures.push_back({now, m_sent});
    return item;
}

void
WindowChannel::OnReport(const PairReport& report, int64_t now)
{
    if (report.bytes <= m_acknowledged)
    {
        return;
    }
    const uint64_t bytes = report.bytes - m_acknowledged;
    m_acknowledged = report.bytes;
    if (GetSettled() > m_sent)
    {
        m_lost = m_sent - m_acknowledged; // what was given up came after all
    }
    const auto next = FindUnsettled();
    const int64_t rtt = next == m_departures.begin() ? -1 : now - std::prev(next)->time;
    OnAcknowledged(bytes, rtt, now);
    Wake();
}

void
WindowChannel::ReportResults(Results& results) const
{
    PairChannel::ReportResults(results);
    results.Add("pair_window_bytes", m_window);
    results.Add("pair_lost_bytes", static_cast<double>(m_lost));
}

} // namespace ns3
