/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_CHANNEL_H
#define WINDOW_CHANNEL_H

#include "pair-channel.h"

#include "ns3/nstime.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup edge
 * @brief A channel with a window: so many bytes of its pair may be under way (uFAB Section 3.4).
 *
 * The other end reports how many bytes it has received so far (AcknowledgingReceiver). What has not
 * been reported a timeout after it left is lost and no longer under way. A window below one item
 * lets an item go when nothing is under way, and no sooner than size * RTT / window after the last:
 * the pair's rate is window / RTT then, too.
 */
class WindowChannel : public PairChannel
{
  public:
    /**
     * @brief Make a channel.
     * @param limit most that may wait
     * @param window in bytes of IP datagrams, not negative
     * @param baseRtt round-trip time without queueing
     * @param timeout time after which what was not reported is lost
     */
    WindowChannel(QueueLimit limit, double window, Time baseRtt, Time timeout);

    int64_t GetReleaseTime(int64_t now) override;
    FabricItem* Dequeue(int64_t now) override;
    void OnReport(const PairReport& report, int64_t now) override;
    void ReportResults(Results& results) const override;

    /**
     * @brief Change the window.
     * @param window in bytes, not negative
     */
    void SetWindow(double window);

    /**
     * @brief The window.
     * @return bytes
     */
    double GetWindow() const
    {
        return m_window;
    }

    /**
     * @brief What is under way.
     * @param now the current time, in time steps
     * @return bytes
     */
    uint64_t GetInFlight(int64_t now);

    /**
     * @brief Bytes given up as lost.
     * @return bytes
     */
    uint64_t GetLostBytes() const
    {
        return m_lost;
    }

  protected:
    /**
     * @brief Items were reported for the first time, for subclasses that change the window.
     * @param bytes their bytes
     * @param rtt time steps since the last of them left; below 0: not known
     * @param now the current time, in time steps
     */
    virtual void OnAcknowledged(uint64_t bytes, int64_t rtt, int64_t now)
    {
        (void)bytes;
        (void)rtt;
        (void)now;
    }

    /**
     * @brief The round-trip time without queueing.
     * @return time steps
     */
    int64_t GetBaseRtt() const
    {
        return m_baseRtt;
    }

  private:
    /// @brief An item that left.
    struct Departure
    {
        int64_t time; //!< when
        uint64_t end; //!< bytes that had left by then, its own included
    };

    /// @brief Bytes that are no longer under way.
    uint64_t GetSettled() const
    {
        return m_acknowledged + m_lost;
    }

    boost::circular_buffer<Departure>::iterator FindUnsettled();
    void GiveUpLost(int64_t now);

    double m_window;                                //!< in bytes
    int64_t m_baseRtt;                              //!< in time steps
    int64_t m_timeout;                              //!< in time steps
    int64_t m_lastSent{INT64_MIN / 2};              //!< when the last item left
    uint64_t m_sent{0};                             //!< bytes that left
    uint64_t m_acknowledged{0};                     //!< bytes reported as received
    uint64_t m_lost{0};                             //!< bytes given up
    boost::circular_buffer<Departure> m_departures; //!< of the last timeout
};

} // namespace ns3

#endif /* WINDOW_CHANNEL_H */
