/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_SETTINGS_H
#define LEAN_TCP_SETTINGS_H

#include "connection-pool.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/queue-limit.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup transport
 * @defgroup lean-tcp Lean TCP
 * @brief TCP on the fabric's items, driving ns-3's congestion control objects.
 */

/**
 * @ingroup lean-tcp
 * @brief Settings that all connections of a LeanTransport share; its attributes say what each
 * means.
 */
struct LeanTcpSettings
{
    /// @brief Rules to follow where ns-3's TcpSocketBase departs from the RFCs.
    enum Conformance
    {
        RFC, //!< those of the RFCs
        NS3, //!< those of TcpSocketBase
    };

    /// @brief Manner in which a receiver echoes congestion experienced.
    enum EcnEcho
    {
        BY_CONGESTION_OPS, //!< PER_PACKET if the congestion control is DCTCP's kind, else LATCHED
        LATCHED,           //!< until the sender has answered with CWR (RFC 3168, section 6.1.3)
        PER_PACKET,        //!< exactly for the packets that were marked (RFC 8257, section 3.2)
    };

    uint32_t m_segmentSize;         //!< payload of a full segment in bytes
    uint32_t m_initialCwnd;         //!< segments
    uint32_t m_initialSsThresh;     //!< bytes
    bool m_handshake;               //!< SYN and SYN-ACK are exchanged first
    uint32_t m_delAckCount;         //!< segments that one acknowledgment covers
    Time m_delAckTimeout;           //!< most that an acknowledgment is delayed
    uint32_t m_rcvWindow;           //!< bytes that a receiver accepts
    bool m_windowScaling;           //!< a window may exceed 65535 bytes
    uint32_t m_maxWindow;           //!< cap on the sender's window in bytes; 0: none
    bool m_sack;                    //!< selective acknowledgments
    bool m_limitedTransmit;         //!< send new data on the first duplicate acknowledgments
    uint32_t m_reTxThreshold;       //!< duplicate acknowledgments that tell of a loss
    bool m_rack;                    //!< detect losses by time
    Time m_rackReorderingWindow;    //!< time that a segment may be late; 0: min RTT / 4
    bool m_tailLossProbe;           //!< send a probe before the retransmission timeout
    Time m_minProbeTimeout;         //!< least time before it
    Time m_probeDelay;              //!< longer by so much with one segment in flight
    Time m_minRto;                  //!< least retransmission timeout
    Time m_maxRto;                  //!< most
    Time m_initialRto;              //!< before there is an RTT sample
    Time m_connTimeout;             //!< the same for a SYN
    Time m_clockGranularity;        //!< G of RFC 6298
    bool m_timestamps;              //!< RFC 7323
    TcpSocketState::UseEcn_t m_ecn; //!< RFC 3168: what the user asked for
    EcnEcho m_ecnEcho;              //!< manner in which a receiver echoes
    bool m_dctcpReactsToLoss;       //!< RFC 8257, section 3.5
    bool m_restartAfterIdle;        //!< RFC 5681, section 4.1
    bool m_pacing;                  //!< spread segments over the round trip
    bool m_paceInitialWindow;       //!< the first window as well
    DataRate m_maxPacingRate;       //!< most
    QueueLimit m_backlog;           //!< most of a connection in its host's port
    Time m_smallQueueTime;          //!< the same as time at the pacing rate; 0: m_backlog it is
    uint32_t m_burstSize;           //!< payload that is handed over as one; 0: segment by segment
    Time m_burstTime;               //!< the same as time at the pacing rate; 0: m_burstSize it is
    uint32_t m_burstWindowShare;    //!< a burst is no less than the window over this; 0: at once
    Time m_coalesceTime;            //!< longest that a segment waits to be handed up; 0: not at all
    uint32_t m_coalesceSize;        //!< most payload that is handed up as one
    bool m_coalescedCountOnce;      //!< m_delAckCount counts what is handed up, not segments
    uint8_t m_dscp;                 //!< of all packets
    Conformance m_conformance;      //!< RFC or ns-3
    Persistence m_persistence;      //!< use of connections by flows
    uint32_t m_mostConnections;     //!< of a host pair with REUSE_IDLE; 0: no limit
    bool m_openTogether;            //!< the first flow of a pair opens them all

    Ptr<TcpCongestionOps> m_congestionPrototype; //!< forked for each connection
    Ptr<TcpRecoveryOps> m_recoveryPrototype;     //!< forked for each connection
    bool m_dctcp{false};      //!< the congestion control asks for DCTCP's use of ECN
    bool m_useEcn{false};     //!< ECN is on, asked for by the user or the congestion control
    uint32_t m_synOption{0};  //!< bytes of options on SYNs besides those of TCP
    uint32_t m_dataOption{0}; //!< the same on data
    uint32_t m_acknowledgmentOption{0};    //!< the same on acknowledgments
    bool m_multipath{false};               //!< connections are subflows that share data
    bool m_echoPerPacket{false};           //!< the rule that m_ecnEcho comes to
    TracedCallback<Time> m_roundTripTrace; //!< trace source RoundTrip

    /// @brief True if a connection follows ns-3 where it departs from the RFCs.
    bool LikeNs3() const
    {
        return m_conformance == NS3;
    }
};

/**
 * @ingroup lean-tcp
 * @brief Counters of what connections sent.
 */
struct LeanTcpStatistics
{
    uint64_t segments{0};         //!< data segments, retransmissions included
    uint64_t retransmissions{0};  //!< data segments sent again
    uint64_t fastRecoveries{0};   //!< times that loss recovery was entered without a timeout
    uint64_t timeouts{0};         //!< retransmission timeouts, of SYNs included
    uint64_t probes{0};           //!< tail loss probes
    uint64_t windowReductions{0}; //!< times that the window was reduced for an ECN echo
    uint64_t acknowledgments{0};  //!< segments without payload that the receiver sent

    /**
     * @brief Add.
     * @param other counters of another connection
     * @return the sum
     */
    LeanTcpStatistics& operator+=(const LeanTcpStatistics& other)
    {
        segments += other.segments;
        retransmissions += other.retransmissions;
        fastRecoveries += other.fastRecoveries;
        timeouts += other.timeouts;
        probes += other.probes;
        windowReductions += other.windowReductions;
        acknowledgments += other.acknowledgments;
        return *this;
    }
};

} // namespace ns3

#endif /* LEAN_TCP_SETTINGS_H */
