/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-estimator.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// Weight of the latest window in the average of marked fractions: g of DCTCP (RFC 8257, Section
/// 3.3); the paper gives none.
constexpr double ECN_GAIN = 1.0 / 16;

} // namespace

PacketPairEstimator::PacketPairEstimator(const PacketPairSettings& settings)
    : m_settings(settings),
      m_mss(settings.GetPacketSize())
{
}

void
PacketPairEstimator::AddPair(int64_t gap, uint32_t second, int64_t rtt)
{
    NS_ASSERT(gap > 0 && second > 0);
    // The acknowledgment echoes the first packet's time but leaves when the second packet arrives.
    // With the gap in it, the round trip would add one MSS to the bandwidth-delay product.
    m_minRtt = std::min(m_minRtt, std::max<int64_t>(rtt - gap, 1));
    // The bottleneck serves as many bytes as the second packet has in one gap.
    const double sample = static_cast<double>(gap) * m_mss / second;
    m_gap = IsReady() ? (1 - m_settings.m_gain) * m_gap + m_settings.m_gain * sample : sample;
}

void
PacketPairEstimator::AddAcknowledged(uint32_t bytes, bool marked)
{
    m_acknowledged += bytes;
    m_marked += marked ? bytes : 0;
    if (!IsReady() || m_acknowledged <= std::max(GetBdp(), 2 * m_mss))
    {
        return;
    }
    // As DCTCP (RFC 8257, Sec. 3.3), once per window.
    const double fraction = static_cast<double>(m_marked) / m_acknowledged;
    m_alpha = (1 - ECN_GAIN) * m_alpha + ECN_GAIN * fraction;
    m_acknowledged = 0;
    m_marked = 0;
}

double
PacketPairEstimator::GetLinkRate() const
{
    return IsReady() ? m_mss * 8 * Seconds(1).GetTimeStep() / m_gap : 0;
}

double
PacketPairEstimator::GetRate() const
{
    return GetLinkRate() * (1 - m_alpha / 2);
}

double
PacketPairEstimator::GetBdp() const
{
    // linkRate * minRTT
    return IsReady() ? std::max<double>(m_mss / m_gap * m_minRtt, m_settings.m_bdpFloor) : 0;
}

double
PacketPairEstimator::GetInFlightBound() const
{
    const double bound = m_settings.m_cwndFactor * GetBdp();
    // With less than a pair, a flow that sends pairs runs dry where the round trip outlasts the
    // gap: the next pair waits for the answer to the first packet, and the second is served
    // meanwhile.
    const bool runsDry = m_settings.m_pairInFlight && IsReady() && m_minRtt > m_gap;
    return runsDry ? std::max(bound, 2 * m_mss) : bound;
}

int64_t
PacketPairEstimator::GetSendingTime(uint32_t bytes) const
{
    return std::llround(bytes / m_mss * m_gap / (1 - m_alpha / 2));
}

double
PacketPairEstimator::GetExcess(double formerGap) const
{
    return (m_mss / formerGap - m_mss / m_gap) * m_minRtt;
}

} // namespace ns3
