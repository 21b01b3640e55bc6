/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_ESTIMATOR_H
#define PACKET_PAIR_ESTIMATOR_H

#include "packet-pair-settings.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup packet-pair
 * @brief Estimates a flow's share, least round trip and marked fraction from acknowledgments.
 *
 * Pure arithmetic: AckReceive() of Fig. 13 without the sending. All times are in time steps. MSS is
 * the IP datagram of a full packet, for that is what takes time on a link and a place in a queue.
 */
class PacketPairEstimator
{
  public:
    /**
     * @brief Set up.
     * @param settings gains, factors and sizes; outlive the estimator
     */
    explicit PacketPairEstimator(const PacketPairSettings& settings);

    /**
     * @brief A pair was acknowledged.
     * @param gap between the arrivals of its packets, positive
     * @param second size of its second packet in bytes, which only at a flow's end is less than MSS
     * @param rtt from sending the first packet to the acknowledgment of the second
     */
    void AddPair(int64_t gap, uint32_t second, int64_t rtt);

    /**
     * @brief Packets were acknowledged.
     * @param bytes their size
     * @param marked true if they had met congestion
     */
    void AddAcknowledged(uint32_t bytes, bool marked);

    /// @brief The share is no longer known; least round trip and marks are.
    void ForgetShare()
    {
        m_gap = 0;
    }

    /**
     * @brief True if there is an estimate.
     * @return false before the first pair was acknowledged, and after ForgetShare()
     */
    bool IsReady() const
    {
        return m_gap > 0;
    }

    /// @brief Average gap between full packets, in time steps; 0 before there is an estimate.
    double GetGap() const
    {
        return m_gap;
    }

    /// @brief Least round-trip time, in time steps; the largest number before there is an estimate.
    int64_t GetMinRtt() const
    {
        return m_minRtt;
    }

    /// @brief Estimate of the flow's share of the bottleneck, MSS / gap, in bit/s; 0 before there
    /// is an estimate.
    double GetLinkRate() const;

    /// @brief Rate to send at: the share, throttled by marks, in bit/s; 0 before there is an
    /// estimate.
    double GetRate() const;

    /**
     * @brief Bandwidth-delay product, of the share and not of the throttled rate.
     * @return bytes, at least the floor; 0 before there is an estimate
     */
    double GetBdp() const;

    /// @brief Most bytes in flight with which a pair is still sent; 0 before there is an estimate.
    double GetInFlightBound() const;

    /**
     * @brief Average fraction of marked packets.
     * @return from 0 to 1
     */
    double GetAlpha() const
    {
        return m_alpha;
    }

    /**
     * @brief Time that bytes take at the rate to send at.
     * @param bytes IP datagrams
     * @return time steps
     */
    int64_t GetSendingTime(uint32_t bytes) const;

    /**
     * @brief Bytes that a former share would have put in flight beyond those of the present one.
     * @param formerGap average gap of that time
     * @return bytes; negative if the share has grown
     */
    double GetExcess(double formerGap) const;

  private:
    const PacketPairSettings& m_settings; //!< of the transport
    double m_mss;                         //!< IP datagram of a full packet in bytes
    double m_gap{0};                      //!< average in time steps; 0: there is none
    double m_alpha{0};                    //!< average fraction of marked packets
    int64_t m_minRtt{std::numeric_limits<int64_t>::max()}; //!< least RTT in time steps
    uint64_t m_acknowledged{0};                            //!< bytes in this window
    uint64_t m_marked{0};                                  //!< of these
};

} // namespace ns3

#endif /* PACKET_PAIR_ESTIMATOR_H */
