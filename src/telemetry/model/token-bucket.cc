/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "token-bucket.h"

#include "ns3/assert.h"

namespace ns3
{

TokenBucket::TokenBucket(DataRate rate, uint32_t depth, int64_t now)
    : m_rate(static_cast<int64_t>(rate.GetBitRate())),
      m_depth(depth * TOKENS_PER_BYTE),
      m_tokens(m_depth),
      m_last(now)
{
    NS_ASSERT(depth <= MAX_BURST);
}

void
TokenBucket::SetRate(int64_t now, DataRate rate)
{
    Settle(now);
    m_rate = static_cast<int64_t>(rate.GetBitRate());
}

void
TokenBucket::SetDepth(int64_t now, uint32_t depth)
{
    NS_ASSERT(depth <= MAX_BURST);
    Settle(now);
    m_depth = depth * TOKENS_PER_BYTE;
    m_tokens = std::min(m_tokens, m_depth);
}

void
TokenBucket::Empty(int64_t now)
{
    m_tokens = 0;
    m_last = now;
}

int64_t
TokenBucket::GetReleaseTime(int64_t now, uint32_t bytes)
{
    Settle(now);
    const int64_t needed = bytes * TOKENS_PER_BYTE;
    const int64_t missing = needed - m_tokens;
    if (missing <= 0)
    {
        return now;
    }
    if (needed > m_depth || m_rate == 0)
    {
        return NEVER;
    }
    return now + (missing - 1) / m_rate + 1;
}

double
TokenBucket::GetBytes(int64_t now)
{
    Settle(now);
    return static_cast<double>(m_tokens) / static_cast<double>(TOKENS_PER_BYTE);
}

} // namespace ns3
