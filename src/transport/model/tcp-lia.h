/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_LIA_H
#define TCP_LIA_H

#include "ns3/simple-ref-count.h"
#include "ns3/tcp-linux-reno.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup mptcp
 * @brief Windows and RTTs that the subflows of a multipath connection know of each other (RFC
 * 6356).
 *
 * Windows count in whole segments, as those of ns3::TcpLinuxReno do.
 */
class LiaCoupling : public SimpleRefCount<LiaCoupling>
{
  public:
    /**
     * @brief Add a subflow, of which nothing is known yet.
     * @return its number, counted from 0
     */
    uint32_t Join();

    /**
     * @brief Learn of a subflow.
     * @param subflow its number
     * @param window congestion window in segments
     * @param rtt smoothed RTT in seconds; 0: not known yet, the subflow does not count
     */
    void Update(uint32_t subflow, uint32_t window, double rtt);

    /**
     * @brief Aggressiveness of the connection: alpha of RFC 6356, section 3.
     * @return w * max(w_i / rtt_i^2) / (sum of w_i / rtt_i)^2; 1 if no RTT is known
     */
    double GetAlpha() const;

    /**
     * @brief Segments to be acknowledged on any subflow for its window to grow by one segment.
     * @return w / alpha; 0 if no RTT is known
     */
    double GetCoupledSegments() const;

  private:
    /// @brief A subflow.
    struct Member
    {
        double window{0};      //!< w_i in segments
        double rate{0};        //!< w_i / rtt_i
        double rateOverRtt{0}; //!< w_i / rtt_i^2
    };

    std::vector<Member> m_members; //!< by number
};

/**
 * @ingroup mptcp
 * @brief Linked increases: Reno whose congestion avoidance is coupled to that of other connections
 * (RFC 6356). Slow start and decrease are Reno's, and so is everything without a coupling.
 */
class TcpLia : public TcpLinuxReno
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    TcpLia() = default;

    /**
     * @brief Copy settings; the copy is coupled to nothing.
     * @param other the object to copy
     */
    TcpLia(const TcpLia& other);

    /**
     * @brief Couple to the other connections that have the same coupling.
     * @param coupling shared by them
     */
    void SetCoupling(Ptr<LiaCoupling> coupling);

    std::string GetName() const override;
    Ptr<TcpCongestionOps> Fork() override;
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;
    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override;

  protected:
    void CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;

  private:
    /**
     * @brief Tell the coupling.
     * @param state of the connection
     * @param window in segments
     */
    void Publish(const TcpSocketState& state, uint32_t window) const;

    Ptr<LiaCoupling> m_coupling; //!< shared with the other subflows, or nullptr
    uint32_t m_number{0};        //!< of this one
    double m_acknowledged{0};    //!< segments acknowledged that did not make the window grow
};

} // namespace ns3

#endif /* TCP_LIA_H */
