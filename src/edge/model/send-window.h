/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEND_WINDOW_H
#define SEND_WINDOW_H

#include "ns3/nstime.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup edge
 * @brief So many bytes may be under way (uFAB Section 3.4).
 *
 * The other end reports how many bytes it has received so far. What has not been reported a timeout
 * after it left is lost and no longer under way. A window below one item lets an item go when
 * nothing is under way, and no sooner than size * RTT / window after the last: the rate is window /
 * RTT then, too. A paced window spreads all items like that; since the pace keeps the rate, an item
 * goes that fits in part. What others of its host took while it might have sent, it catches up.
 */
class SendWindow
{
  public:
    /// @brief The outcome of a report.
    struct Acknowledgment
    {
        uint64_t bytes; //!< reported for the first time
        int64_t rtt;    //!< time steps since the last of them left; below 0: not known
    };

    /**
     * @brief Make a window.
     * @param bytes the window, not negative
     * @param baseRtt round-trip time without queueing
     * @param timeout time after which what was not reported is lost
     * @param paced true if items leave at window / RTT, not as soon as there is room
     */
    SendWindow(double bytes, Time baseRtt, Time timeout, bool paced = false);

    /**
     * @brief Change the window.
     * @param bytes the window, not negative
     */
    void Set(double bytes)
    {
        m_window = bytes;
    }

    /// @brief The window, in bytes.
    double Get() const
    {
        return m_window;
    }

    /**
     * @brief The time at which an item may go.
     * @param size of the item in bytes
     * @param now the current time, in time steps
     * @return at most now: now; PairChannel::NEVER: not before a report or another window
     */
    int64_t GetReleaseTime(uint32_t size, int64_t now);

    /**
     * @brief An item leaves.
     * @param size of the item in bytes
     * @param now the current time, in time steps
     * @param more true if another waits behind it: if that leaves later than it might, because of
     * others, those behind it may follow sooner
     */
    void Charge(uint32_t size, int64_t now, bool more = false);

    /**
     * @brief The other end reported.
     * @param received bytes that it has received so far
     * @param now the current time, in time steps
     * @return the outcome
     */
    Acknowledgment Acknowledge(uint64_t received, int64_t now);

    /**
     * @brief It is known of a prefix of what left how much of it was received: the rest is lost,
     * even while later items are reported.
     * @param sent bytes of the prefix
     * @param received bytes of it that were received
     */
    void Reconcile(uint64_t sent, uint64_t received)
    {
        m_lost = received < sent && sent - received > m_lost ? sent - received : m_lost;
    }

    /**
     * @brief An item was received, and with it all that left before, or it never will be: what the
     * other end has not reported of that is lost, until it comes late after all.
     * @param end bytes that had left with the item
     */
    void Settle(uint64_t end);

    /**
     * @brief Take for lost all that left a timeout ago and was not reported, until it comes late
     * after all.
     * @param now the current time, in time steps
     */
    void GiveUpLost(int64_t now);

    /**
     * @brief The bytes under way. To ask changes nothing.
     * @param now the current time, in time steps
     * @return bytes
     */
    uint64_t GetInFlight(int64_t now) const;

    /// @brief Bytes given up as lost.
    uint64_t GetLostBytes() const
    {
        return m_lost;
    }

    /// @brief Bytes that left.
    uint64_t GetSentBytes() const
    {
        return m_sent;
    }

    /// @brief The round-trip time without queueing, in time steps.
    int64_t GetBaseRtt() const
    {
        return m_baseRtt;
    }

  private:
    /// @brief An item that left.
    struct Departure
    {
        int64_t time; //!< time of departure
        uint64_t end; //!< bytes that had left by then, its own included
    };

    /// @brief Bytes that are no longer under way.
    uint64_t GetSettled() const
    {
        return m_acknowledged + m_lost;
    }

    boost::circular_buffer<Departure>::iterator FindUnsettled();
    int64_t Pace(uint32_t size, int64_t from) const;

    double m_window;                   //!< in bytes
    int64_t m_baseRtt;                 //!< in time steps
    int64_t m_timeout;                 //!< in time steps
    bool m_paced;                      //!< true if items leave at window / RTT
    bool m_waits{false};               //!< true if only pace or others hold an item
    int64_t m_lastSent{INT64_MIN / 2}; //!< time at which the last item left, or should have
    uint32_t m_lastSize{0};            //!< size of the last item
    uint64_t m_sent{0};                //!< bytes that left
    uint64_t m_acknowledged{0};        //!< bytes reported as received
    uint64_t m_lost{0};                //!< bytes given up
    uint64_t m_settled{0};             //!< largest end given to Settle()
    boost::circular_buffer<Departure> m_departures; //!< of the last timeout
};

} // namespace ns3

#endif /* SEND_WINDOW_H */
