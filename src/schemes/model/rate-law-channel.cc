/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rate-law-channel.h"

#include "ns3/pair-report.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

RateLawChannel::RateLawChannel(const FlowQueues::Terms& terms,
                               uint32_t depth,
                               Signal signal,
                               std::unique_ptr<PairRateLaw> law)
    : EcnLimiterChannel(terms, DataRate(0), depth),
      m_signal(signal),
      m_law(std::move(law))
{
}

void
RateLawChannel::SetGuarantee(double guarantee)
{
    m_law->SetGuarantee(guarantee);
    ApplyRate();
}

void
RateLawChannel::Restart()
{
    m_law->Restart();
    ApplyRate();
}

void
RateLawChannel::ApplyRate()
{
    SetRate(DataRate(static_cast<uint64_t>(std::llround(m_law->GetRate()))));
}

uint64_t
RateLawChannel::CountLost(const PairReport& report)
{
    // What had left when the last report came is not under way any more.
    const uint64_t missing = m_sent > report.bytes ? m_sent - report.bytes : 0;
    m_sent = GetStatistics().sentBytes;
    const uint64_t lost = missing > m_lost ? missing - m_lost : 0;
    m_lost += lost;
    return lost;
}

void
RateLawChannel::OnReport(const PairReport& report, int64_t now)
{
    const uint64_t received = report.bytes - m_received;
    const uint64_t marked = report.markedBytes - m_marked;
    const uint64_t lost = CountLost(report);
    m_received = report.bytes;
    m_marked = report.markedBytes;
    const uint64_t congested = m_signal == MARKS ? marked : lost;
    const uint64_t all = m_signal == MARKS ? received : received + lost;
    if (all > 0) // else there was nothing to learn from
    {
        m_law->Update(static_cast<double>(congested) / static_cast<double>(all), TimeStep(now));
        ApplyRate();
    }
}

} // namespace ns3
