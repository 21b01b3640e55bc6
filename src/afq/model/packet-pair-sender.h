/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_SENDER_H
#define PACKET_PAIR_SENDER_H

#include "packet-pair-estimator.h"
#include "packet-pair-scoreboard.h"

#include "ns3/data-rate.h"
#include "ns3/direct-timer.h"
#include "ns3/fabric-item.h"
#include "ns3/flow.h"
#include "ns3/rtt-estimate.h"

namespace ns3
{

class PacketPairConnection;

/**
 * @ingroup packet-pair
 * @brief A sender's knowledge of its path, for the next flow on a persistent connection.
 */
struct PacketPairKnowledge
{
    PacketPairEstimator estimator; //!< gap, least round trip, marks
    RttEstimate rtt;               //!< for the timeout (RFC 6298)
};

/**
 * @ingroup packet-pair
 * @brief The end of a connection that sends: pairs at the estimated rate, and what was lost again.
 *
 * The names of Fig. 13 are kept: SendPacketPair(), and AckReceive in HandlePairSample().
 */
class PacketPairSender : public ItemSink
{
  public:
    /**
     * @brief Set up.
     * @param connection of the sender
     * @param bytes payload of the flow
     * @param knowledge of a flow that had the connection before; if it has an estimate, there is
     * no start-up
     */
    PacketPairSender(PacketPairConnection& connection,
                     uint64_t bytes,
                     const PacketPairKnowledge& knowledge);

    /// @brief Send the first pair.
    void Start();

    /// @brief Nothing is sent any more.
    void Close();

    /**
     * @brief An acknowledgment came.
     * @param item the acknowledgment
     */
    void ReceiveItem(FabricItem* item) override;

    /**
     * @brief Estimates of the path.
     * @return the estimator
     */
    const PacketPairEstimator& GetEstimator() const
    {
        return m_estimator;
    }

    /// @brief Knowledge of the path, the timeout's RTT estimate included.
    PacketPairKnowledge GetKnowledge() const
    {
        return {m_estimator, m_rtt};
    }

    /**
     * @brief The sender's state, for recorders.
     * @return nothing of window, RTT and rate before there is an estimate
     */
    FlowState GetState() const;

    /// @brief IP datagrams taken to be in the network (bytes).
    uint64_t GetBytesInFlight() const;

    /**
     * @brief Extra time between the packets of a pair, so that they fall into different rounds
     * (Sec. 5).
     * @param bytesPerRound BpR of the AFQ ports
     * @param packetSize MSS, as IP datagram in bytes
     * @param lineRate of the sender's link
     * @return BpR - MSS at line rate; 0 if BpR is no more than MSS
     */
    static Time GetIntraPairSpacing(uint32_t bytesPerRound, uint32_t packetSize, DataRate lineRate);

  private:
    /// @brief Fig. 13.
    enum State : uint8_t
    {
        STARTUP, //!< nothing is known of the path
        NORMAL,  //!< pairs are paced
    };

    // ---- Sending ----

    void SendPacketPair();
    void SendSecond();
    void SendFrom(uint64_t sequence, uint8_t flags);
    void SendNext(uint8_t flags);
    uint64_t FindNext() const;
    void ScheduleNextPair(uint32_t sent);
    void HandlePacingTimer();
    bool IsBlocked() const;

    // ---- Acknowledgments ----

    void HandlePairSample(const PacketPairSegment& answer, int64_t rtt);
    void CompensateRateChange(double formerGap);
    void HandleNewlyAcknowledged(uint64_t next);

    // ---- Losses ----

    void HandleOutOfOrder(uint64_t begin, uint64_t end);
    void HandleTimeout();
    void RestartTimeout();

    PacketPairConnection& m_connection;   //!< the sender's connection
    const PacketPairSettings& m_settings; //!< of the transport
    PacketPairEstimator m_estimator;      //!< of the path
    RttEstimate m_rtt;                    //!< for the timeout (RFC 6298)
    DirectTimer m_pacing;                 //!< expires when the next packet is due
    DirectTimer m_timeout;                //!< retransmission timer
    int64_t m_pairSent{0};                //!< start of the latest pair, in time steps
    const uint64_t m_end;                 //!< payload of the flow in bytes
    uint64_t m_head{0};                   //!< first byte not acknowledged
    uint64_t m_highest{0};                //!< first byte never sent
    uint64_t m_again{0};                  //!< first byte that may have to be sent again
    uint64_t m_lossEdge{0};               //!< missing payload from m_again up to here is lost
    PacketPairScoreboard m_arrived;       //!< payload that has arrived above m_head
    uint32_t m_pair{0};                   //!< number of the latest pair
    uint32_t m_skipped{0};                //!< pairs yet to be skipped
    uint8_t m_backoff{0};                 //!< times that the timeout was doubled
    State m_state;                        //!< of Fig. 13
    bool m_secondDue{false};              //!< the pacing timer is for the second packet of a pair
};

} // namespace ns3

#endif /* PACKET_PAIR_SENDER_H */
