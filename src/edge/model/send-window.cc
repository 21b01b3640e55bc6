/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "send-window.h"

#include "pair-channel.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ns3
{

SendWindow::SendWindow(double bytes, Time baseRtt, Time timeout, bool paced)
    : m_window(bytes),
      m_baseRtt(baseRtt.GetTimeStep()),
      m_timeout(timeout.GetTimeStep()),
      m_paced(paced)
{
}

uint64_t
SendWindow::GetInFlight(int64_t now) const
{
    const auto younger = std::ranges::find_if(m_departures, [this, now](const Departure& d) {
        return d.time + m_timeout > now;
    });
    const bool isAnyOld = younger != m_departures.begin();
    return m_sent - std::max(GetSettled(), isAnyOld ? std::prev(younger)->end : 0);
}

boost::circular_buffer<SendWindow::Departure>::iterator
SendWindow::FindUnsettled()
{
    return std::upper_bound(m_departures.begin(),
                            m_departures.end(),
                            GetSettled(),
                            [](uint64_t settled, const Departure& d) { return settled < d.end; });
}

void
SendWindow::GiveUpLost(int64_t now)
{
    // Whatever left a timeout ago has been reported by now, or will never be.
    while (!m_departures.empty() && m_departures.front().time + m_timeout <= now)
    {
        const uint64_t end = m_departures.front().end;
        if (end > GetSettled())
        {
            m_lost = end - m_acknowledged;
            m_settled = end;
        }
        m_departures.pop_front();
    }
}

void
SendWindow::Settle(uint64_t end)
{
    m_settled = std::max(m_settled, end);
    m_lost = m_settled > m_acknowledged ? m_settled - m_acknowledged : 0;
}

int64_t
SendWindow::Pace(uint32_t size, int64_t from) const
{
    const double gap = size * static_cast<double>(m_baseRtt) / m_window;
    return gap < static_cast<double>(INT64_MAX / 4) ? from + static_cast<int64_t>(std::ceil(gap))
                                                    : PairChannel::NEVER;
}

int64_t
SendWindow::GetReleaseTime(uint32_t size, int64_t now)
{
    GiveUpLost(now);
    const uint64_t inFlight = GetInFlight(now);
    const uint32_t room = m_paced ? 1 : size;
    if (static_cast<double>(inFlight + room) <= m_window)
    {
        return m_paced ? std::max(now, Pace(m_lastSize, m_lastSent)) : now;
    }
    m_waits = false;
    if (inFlight > 0)
    {
        const auto first = FindUnsettled();
        return first == m_departures.end() ? PairChannel::NEVER : first->time + m_timeout;
    }
    return std::max(now, Pace(m_paced ? m_lastSize : size, m_lastSent));
}

void
SendWindow::Charge(uint32_t size, int64_t now, bool more)
{
    // A paced item that leaves late may be followed so much sooner, by no more than its own gap: a
    // pair that was idle saves up nothing. If it had to wait for others of its host it is two gaps:
    // a scheduler that serves weights has some go several times in a row, and would serve all in
    // turn if they could not. More would send bursts.
    const int64_t due = m_paced ? Pace(m_lastSize, m_lastSent) : now;
    m_lastSent = now;
    if (due <= now)
    {
        const int64_t next = Pace(size, due);
        const int64_t late = m_waits ? std::max(due, now - 2 * (next - due)) : now;
        m_lastSent = now <= next ? due : late;
    }
    m_waits = more;
    m_lastSize = size;
    m_sent += size;
    if (m_departures.full())
    {
        m_departures.set_capacity(std::max<size_t>(8, 2 * m_departures.capacity()));
    }
    m_departures.push_back({now, m_sent});
}

SendWindow::Acknowledgment
SendWindow::Acknowledge(uint64_t received, int64_t now)
{
    if (received <= m_acknowledged)
    {
        return {0, -1};
    }
    const uint64_t bytes = received - m_acknowledged;
    m_acknowledged = received;
    if (GetSettled() > m_sent)
    {
        m_lost = m_sent - m_acknowledged; // what was given up came after all
    }
    const auto next = FindUnsettled();
    return {bytes, next == m_departures.begin() ? -1 : now - std::prev(next)->time};
}

} // namespace ns3
