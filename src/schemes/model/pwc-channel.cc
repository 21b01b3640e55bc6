/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pwc-channel.h"

#include "ns3/pair-report.h"

#include <algorithm>
#include <limits>

namespace ns3
{

PwcChannel::PwcChannel(const FlowQueues::Terms& terms, Parts parts, Time baseRtt, Time timeout)
    : WindowChannel(terms, std::numeric_limits<double>::infinity(), baseRtt, timeout),
      m_parts(std::move(parts)),
      m_rtt(baseRtt.GetTimeStep())
{
    ApplyWindow();
}

void
PwcChannel::ApplyWindow()
{
    if (m_parts.window)
    {
        SetWindow(m_parts.window->GetWindow() * PACKET);
    }
}

void
PwcChannel::SetWeight(double weight)
{
    if (m_parts.window)
    {
        m_parts.window->SetWeight(weight);
    }
}

bool
PwcChannel::TakeLosses()
{
    const bool more = GetLostBytes() > m_lost;
    m_lost = GetLostBytes();
    return more && m_parts.window;
}

int64_t
PwcChannel::GetReleaseTime(int64_t now)
{
    int64_t release = WindowChannel::GetReleaseTime(now);
    if (TakeLosses()) // nothing told of them
    {
        m_parts.window->HandleTimeout(m_rtt, now);
        ApplyWindow();
        release = WindowChannel::GetReleaseTime(now);
    }
    if (m_parts.bucket && release != NEVER)
    {
        const int64_t filled =
            m_parts.bucket->GetReleaseTime(m_clock.Now(), m_queues.Front()->size);
        release = filled == TokenBucket::NEVER
                      ? NEVER
                      : std::max(release, now + m_clock.GetDelayUntil(filled));
    }
    return release;
}

FabricItem*
PwcChannel::Dequeue(int64_t now)
{
    FabricItem* item = WindowChannel::Dequeue(now);
    if (m_parts.bucket)
    {
        m_parts.bucket->Take(m_clock.Now(), item->size);
    }
    return item;
}

void
PwcChannel::OnReport(const PairReport& report, int64_t now)
{
    if (m_parts.bucket && report.extra[RATE_EXTRA] > 0)
    {
        m_parts.bucket->SetRate(m_clock.Now(), DataRate(report.extra[RATE_EXTRA]));
        Wake();
    }
    WindowChannel::OnReport(report, now);
    if (TakeLosses())
    {
        m_parts.window->HandleLoss(m_rtt, now);
        ApplyWindow();
    }
}

void
PwcChannel::OnAcknowledged(uint64_t bytes, int64_t rtt, int64_t now)
{
    if (!m_parts.window || rtt < 0)
    {
        return;
    }
    m_rtt = rtt;
    const double packets = static_cast<double>(bytes) / PACKET;
    const double inFlight = static_cast<double>(GetInFlight(now)) / PACKET;
    SwiftWindow& window = *m_parts.window;
    window.HandleAcknowledged(window.CountForGrowth(packets, inFlight),
                              static_cast<double>(rtt),
                              0,
                              rtt,
                              now);
    ApplyWindow();
}

void
PwcChannel::ReportState(int64_t now, const StateVisitor& visit) const
{
    PairChannel::ReportState(now, visit);
    if (m_parts.window)
    {
        visit("window_bytes", GetWindow());
    }
    if (m_parts.bucket)
    {
        visit("rate_bps", static_cast<double>(m_parts.bucket->GetRate().GetBitRate()));
    }
}

} // namespace ns3
