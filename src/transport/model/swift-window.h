/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWIFT_WINDOW_H
#define SWIFT_WINDOW_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup transport
 * @brief A congestion window that keeps delay at a target (Swift: Kumar et al., SIGCOMM 2020,
 * Algorithm 1 and Section 3.1), with a weight.
 *
 * Below the target the window grows by some packets per round trip, above it shrinks by what the
 * delay exceeds it, once per round trip. The target grows with the number of hops (topology
 * scaling) and as the window shrinks (flow scaling), so that flows that share a link agree on the
 * sum of their windows. Windows are in packets and may be below one.
 *
 * A weight w makes a flow behave as w flows together: it adds w times as much, and its target is
 * that of a flow with the w-th part of its window. Flows with a common delay then have windows in
 * proportion to their weights.
 *
 * Plain arithmetic, for a transport or for a channel of a VM pair: the owner tells what was
 * measured. Times are in time steps.
 */
class SwiftWindow
{
  public:
    /// @brief The constants.
    struct Parameters
    {
        double increase;         //!< ai, packets per round trip
        double decrease;         //!< beta, share of the excess delay that the window loses
        double maxDecrease;      //!< max_mdf, most that it loses at once
        double minWindow;        //!< min_cwnd, packets
        double maxWindow;        //!< max_cwnd, packets
        double hopDelay;         //!< of the target for each hop
        double scalingRange;     //!< fs_range, most that flow scaling adds; 0: no flow scaling
        double scalingMinWindow; //!< fs_min_cwnd, window with all of it
        double scalingMaxWindow; //!< fs_max_cwnd, window with nothing of it
        uint32_t resetAfter;     //!< RETX_RESET_THRESHOLD, timeouts in a row
        bool validation{false};  //!< grow only while used up, see CountForGrowth()
    };

    /**
     * @brief Start.
     * @param parameters the constants
     * @param baseTarget target delay without hops and flow scaling
     * @param window initial window in packets
     * @param weight above 0
     */
    SwiftWindow(const Parameters& parameters, double baseTarget, double window, double weight = 1);

    /**
     * @brief Packets were acknowledged.
     * @param packets their number, see CountForGrowth(); 0: only the delay is known
     * @param delay the delay measured
     * @param hops switches that they passed
     * @param rtt round-trip time
     * @param now the current time
     */
    void HandleAcknowledged(double packets, double delay, uint32_t hops, int64_t rtt, int64_t now);

    /**
     * @brief Congestion window validation (RFC 7661): packets by which a window may grow.
     * @param packets that were acknowledged
     * @param inFlight packets still on the way
     * @return all of them; with validation none if there was room for another packet
     */
    double CountForGrowth(double packets, double inFlight) const
    {
        return m_parameters.validation && inFlight + packets + 1 <= m_window ? 0 : packets;
    }

    /**
     * @brief A loss was found by what came after it (fast recovery).
     * @param rtt round-trip time
     * @param now the current time
     */
    void HandleLoss(int64_t rtt, int64_t now);

    /**
     * @brief A retransmission timeout.
     * @param rtt round-trip time
     * @param now the current time
     */
    void HandleTimeout(int64_t rtt, int64_t now);

    /**
     * @brief The delay that is aimed at.
     * @param hops switches on the path
     * @return time steps
     */
    double GetTarget(uint32_t hops) const;

    /**
     * @brief The window.
     * @return packets, maybe below one
     */
    double GetWindow() const
    {
        return m_window;
    }

    /**
     * @brief Time to wait after a packet before the next, with a window below one packet.
     * @param rtt round-trip time
     * @return time steps; 0 with a window of one packet or more
     */
    double GetPacingDelay(int64_t rtt) const
    {
        return m_window < 1 ? static_cast<double>(rtt) / m_window : 0;
    }

    /**
     * @brief Change the weight.
     * @param weight above 0
     */
    void SetWeight(double weight)
    {
        m_weight = weight;
    }

    /**
     * @brief Change the target delay without hops and flow scaling, as on another path.
     * @param baseTarget time steps
     */
    void SetBaseTarget(double baseTarget)
    {
        m_baseTarget = baseTarget;
    }

  private:
    bool MayDecrease(int64_t rtt, int64_t now) const
    {
        return now - m_lastDecrease >= rtt;
    }

    void SetWindow(double window, int64_t now);

    Parameters m_parameters;               //!< the constants
    double m_baseTarget;                   //!< see SetBaseTarget()
    double m_window;                       //!< cwnd, packets
    double m_weight;                       //!< see SetWeight()
    int64_t m_lastDecrease{INT64_MIN / 2}; //!< time of the window's last decrease
    uint32_t m_timeouts{0};                //!< in a row
};

} // namespace ns3

#endif /* SWIFT_WINDOW_H */
