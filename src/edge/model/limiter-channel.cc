/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "limiter-channel.h"

#include "ns3/input-error.h"
#include "ns3/results.h"

#include <string>

namespace ns3
{

LimiterChannel::LimiterChannel(const FlowQueues::Terms& terms, DataRate rate, uint32_t depth)
    : PairChannel(terms),
      m_bucket(rate, depth, m_clock.Now())
{
}

void
LimiterChannel::SetRate(DataRate rate)
{
    if (rate == m_bucket.GetRate())
    {
        return;
    }
    m_bucket.SetRate(m_clock.Now(), rate);
    Wake();
}

bool
LimiterChannel::Enqueue(FabricItem* item, int64_t now)
{
    if (item->size > m_bucket.GetDepth())
    {
        throw InputError("BucketDepth",
                         std::to_string(m_bucket.GetDepth()),
                         "at least the size of every packet; there is one of " +
                             std::to_string(item->size) + " bytes");
    }
    return PairChannel::Enqueue(item, now);
}

int64_t
LimiterChannel::GetReleaseTime(int64_t now)
{
    const int64_t release = m_bucket.GetReleaseTime(m_clock.Now(), m_queues.Front()->size);
    return release == TokenBucket::NEVER ? NEVER : now + m_clock.GetDelayUntil(release);
}

FabricItem*
LimiterChannel::Dequeue(int64_t now)
{
    FabricItem* item = PairChannel::Dequeue(now);
    m_bucket.Take(m_clock.Now(), item->size);
    return item;
}

void
LimiterChannel::ReportState(int64_t now, const StateVisitor& visit) const
{
    PairChannel::ReportState(now, visit);
    visit("rate_bps", static_cast<double>(GetRate().GetBitRate()));
}

void
LimiterChannel::ReportResults(Results& results) const
{
    PairChannel::ReportResults(results);
    results.Add("pair_rate_bps", static_cast<double>(GetRate().GetBitRate()));
}

} // namespace ns3
