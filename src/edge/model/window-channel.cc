/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "window-channel.h"

#include "departure-stamp.h"
#include "pair-report.h"

#include "ns3/results.h"

#include <cmath>

namespace ns3
{

WindowChannel::WindowChannel(const FlowQueues::Terms& terms,
                             double window,
                             Time baseRtt,
                             Time timeout)
    : PairChannel(terms),
      m_window(window, baseRtt, timeout)
{
}

void
WindowChannel::SetWindow(double window)
{
    const bool more = window > m_window.Get();
    m_window.Set(window);
    if (more)
    {
        Wake();
    }
}

int64_t
WindowChannel::GetReleaseTime(int64_t now)
{
    return m_window.GetReleaseTime(m_queues.Front()->size, now);
}

FabricItem*
WindowChannel::Dequeue(int64_t now)
{
    FabricItem* item = PairChannel::Dequeue(now);
    m_window.Charge(item->size, now);
    DepartureStamp::PutOn(*item, m_window.GetSentBytes(), now);
    return item;
}

void
WindowChannel::OnReport(const PairReport& report, int64_t now)
{
    const auto [bytes, rtt] = m_window.Acknowledge(report.bytes, now);
    const uint64_t end = DepartureStamp::GetEnd(report);
    if (end > 0)
    {
        m_window.Settle(end);
    }
    if (bytes > 0)
    {
        OnAcknowledged(bytes, end > 0 ? now - DepartureStamp::GetTime(report) : rtt, now);
        Wake();
    }
}

void
WindowChannel::ReportState(int64_t now, const StateVisitor& visit) const
{
    PairChannel::ReportState(now, visit);
    visit("window_bytes", GetWindow());
    visit("in_flight_bytes", static_cast<double>(m_window.GetInFlight(now)));
}

void
WindowChannel::ReportResults(Results& results) const
{
    PairChannel::ReportResults(results);
    if (std::isfinite(GetWindow())) // else nothing bounds what is in flight
    {
        results.Add("pair_window_bytes", GetWindow());
    }
    results.Add("pair_lost_bytes", static_cast<double>(GetLostBytes()));
}

} // namespace ns3
