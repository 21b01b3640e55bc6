/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_RATE_H
#define LEAN_TCP_RATE_H

#include "lean-tcp-scoreboard.h"

#include "ns3/tcp-rate-ops.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup lean-tcp
 * @brief Estimates the rate at which a connection delivers, for congestion controls such as BBR
 *        (draft-cheng-iccrg-delivery-rate-estimation).
 *
 * It fills the structures of ns-3's TcpRateOps, whose own implementation needs TcpTxBuffer's items.
 */
class LeanTcpRate
{
  public:
    /**
     * @brief A segment is about to be sent.
     * @param mark of the segment
     * @param idle true if nothing is in flight
     * @param now current time in time steps
     */
    void RecordSent(LeanTcpScoreboard::RateMark& mark, bool idle, int64_t now);

    /**
     * @brief Everything was sent although the window allowed more.
     * @param inFlight bytes in flight
     */
    void RecordAppLimited(uint32_t inFlight);

    /**
     * @brief An acknowledgment came.
     * @param delivery segments that it acknowledged
     * @param now current time in time steps
     */
    void RecordDelivered(const LeanTcpScoreboard::Delivery& delivery, int64_t now);

    /**
     * @brief Sample the rate after an acknowledgment.
     * @param delivered bytes that it brought
     * @param lost bytes taken to be lost since the one before
     * @param priorInFlight bytes in flight before it
     * @param minRtt least RTT so far; a shorter interval gives no sample
     * @return the sample
     */
    const TcpRateOps::TcpRateSample& MakeSample(uint32_t delivered,
                                                uint32_t lost,
                                                uint32_t priorInFlight,
                                                Time minRtt);

    /**
     * @brief The connection so far.
     * @return totals
     */
    const TcpRateOps::TcpRateConnection& GetConnection() const
    {
        return m_connection;
    }

  private:
    TcpRateOps::TcpRateConnection m_connection; //!< totals
    TcpRateOps::TcpRateSample m_sample;         //!< latest sample
};

/**
 * @ingroup lean-tcp
 * @brief Takes what a congestion control says of the rate: that the application limits it, as the
 *        BBR of ns-3 3.45 and later does while it probes for the least RTT.
 */
class LeanTcpRateOps : public TcpRateLinux
{
  public:
    /**
     * @param rate of the connection; outlives what calls this
     */
    explicit LeanTcpRateOps(LeanTcpRate& rate)
        : m_rate(rate)
    {
    }

    /**
     * @brief Everything that is sent until now is limited by the application. Declared by ns-3's
     * base since 3.45, so without `override`.
     * @param inFlight bytes in flight
     */
    virtual void SetAppLimited(uint32_t inFlight)
    {
        m_rate.RecordAppLimited(inFlight);
    }

  private:
    LeanTcpRate& m_rate; //!< takes it
};

} // namespace ns3

#endif /* LEAN_TCP_RATE_H */
