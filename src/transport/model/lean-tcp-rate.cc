/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-rate.h"

#include <algorithm>

namespace ns3
{

void
LeanTcpRate::RecordSent(LeanTcpScoreboard::RateMark& mark, bool idle, int64_t now)
{
    if (idle)
    {
        m_connection.m_firstSentTime = TimeStep(now);
        m_connection.m_deliveredTime = TimeStep(now);
    }
    mark.delivered = m_connection.m_delivered;
    mark.deliveredTime = m_connection.m_deliveredTime.GetTimeStep();
    mark.firstSent = m_connection.m_firstSentTime.GetTimeStep();
    mark.appLimited = m_connection.m_appLimited != 0;
}

void
LeanTcpRate::RecordAppLimited(uint32_t inFlight)
{
    const auto delivered = static_cast<uint32_t>(m_connection.m_delivered);
    m_connection.m_appLimited = std::max<uint32_t>(delivered + inFlight, 1);
}

void
LeanTcpRate::RecordDelivered(const LeanTcpScoreboard::Delivery& delivery, int64_t now)
{
    m_connection.m_delivered += delivery.bytes;
    if (delivery.bytes == 0 || !delivery.mark)
    {
        return;
    }
    const LeanTcpScoreboard::RateMark& mark = *delivery.mark;
    m_connection.m_deliveredTime = TimeStep(now);
    m_connection.m_firstSentTime = TimeStep(delivery.markSent);
    m_connection.m_txItemDelivered = static_cast<uint32_t>(mark.delivered);
    m_sample.m_priorDelivered = static_cast<uint32_t>(mark.delivered);
    m_sample.m_priorTime = TimeStep(mark.deliveredTime);
    m_sample.m_isAppLimited = mark.appLimited;
    m_sample.m_sendElapsed = TimeStep(delivery.markSent - mark.firstSent);
    m_sample.m_ackElapsed = TimeStep(now - mark.deliveredTime);
}

const TcpRateOps::TcpRateSample&
LeanTcpRate::MakeSample(uint32_t delivered, uint32_t lost, uint32_t priorInFlight, Time minRtt)
{
    if (m_connection.m_appLimited && m_connection.m_delivered > m_connection.m_appLimited)
    {
        m_connection.m_appLimited = 0; // what was sent before the pause has been delivered
    }
    m_sample.m_ackedSacked = delivered;
    m_sample.m_bytesLoss = lost;
    m_sample.m_priorInFlight = priorInFlight;
    m_sample.m_interval = std::max(m_sample.m_sendElapsed, m_sample.m_ackElapsed);
    m_sample.m_delivered = static_cast<int32_t>(m_connection.m_delivered) -
                           static_cast<int32_t>(m_sample.m_priorDelivered);
    if (m_sample.m_interval < minRtt || m_sample.m_interval.IsZero())
    {
        // An interval shorter than a round trip comes from a retransmission that was not needed.
        m_sample.m_interval = Time(0);
        m_sample.m_priorTime = Time(0);
        return m_sample;
    }
    m_sample.m_deliveryRate = DataRate(
        static_cast<uint64_t>(m_sample.m_delivered * 8.0 / m_sample.m_interval.GetSeconds()));
    m_connection.m_rateDelivered = m_sample.m_delivered;
    m_connection.m_rateInterval = m_sample.m_interval;
    m_connection.m_rateAppLimited = m_sample.m_isAppLimited;
    return m_sample;
}

} // namespace ns3
