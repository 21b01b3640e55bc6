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
     * @param idle whether nothing is in flight
     * @param now current time in time steps
     */
    void NoteSent(LeanTcpScoreboard::RateMark& mark, bool idle, int64_t now);

    /**
     * @brief Everything was sent although the window allowed more.
     * @param inFlight bytes in flight
     */
    void NoteAppLimited(uint32_t inFlight);

    /**
     * @brief An acknowledgment came.
     * @param delivery what it brought
     * @param now current time in time steps
     */
    void NoteDelivered(const LeanTcpScoreboard::Delivery& delivery, int64_t now);

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

} // namespace ns3

#endif /* LEAN_TCP_RATE_H */
