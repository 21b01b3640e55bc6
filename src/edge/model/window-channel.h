/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_CHANNEL_H
#define WINDOW_CHANNEL_H

#include "pair-channel.h"
#include "send-window.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup edge
 * @brief A channel with a window: so many bytes of its pair may be under way (uFAB Section 3.4).
 *
 * The other end reports how many bytes it has received so far (AcknowledgingReceiver).
 */
class WindowChannel : public PairChannel
{
  public:
    /**
     * @brief Make a channel.
     * @param terms of the queues in which items wait
     * @param window in bytes of IP datagrams, not negative
     * @param baseRtt round-trip time without queueing
     * @param timeout time after which what was not reported is lost
     */
    WindowChannel(const FlowQueues::Terms& terms, double window, Time baseRtt, Time timeout);

    int64_t GetReleaseTime(int64_t now) override;
    FabricItem* Dequeue(int64_t now) override;
    void OnReport(const PairReport& report, int64_t now) override;
    void ReportState(int64_t now, const StateVisitor& visit) const override;
    void ReportResults(Results& results) const override;

    /**
     * @brief Change the window.
     * @param window in bytes, not negative
     */
    void SetWindow(double window);

    /// @brief The window, in bytes.
    double GetWindow() const
    {
        return m_window.Get();
    }

    /**
     * @brief The bytes under way.
     * @param now the current time, in time steps
     * @return bytes
     */
    uint64_t GetInFlight(int64_t now)
    {
        m_window.GiveUpLost(now);
        return m_window.GetInFlight(now);
    }

    /// @brief Bytes given up as lost.
    uint64_t GetLostBytes() const
    {
        return m_window.GetLostBytes();
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

    /// @brief The round-trip time without queueing, in time steps.
    int64_t GetBaseRtt() const
    {
        return m_window.GetBaseRtt();
    }

  private:
    SendWindow m_window; //!< bytes that may be under way, and that are
};

} // namespace ns3

#endif /* WINDOW_CHANNEL_H */
