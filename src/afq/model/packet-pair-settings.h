/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_SETTINGS_H
#define PACKET_PAIR_SETTINGS_H

#include "packet-pair-segment.h"

#include "ns3/connection-pool.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup afq
 * @defgroup packet-pair Packet-pair flow control
 * @brief The end hosts' side of AFQ (NSDI 2018, Sec. 5 and Fig. 13), on the fabric's items.
 */

/**
 * @ingroup packet-pair
 * @brief Settings shared by all connections of a PacketPairTransport; its attributes say what each
 * means.
 */
struct PacketPairSettings
{
    /// @brief Packets that a receiver acknowledges.
    enum AckPolicy
    {
        EVERY_PACKET, //!< each packet
        PER_PAIR,     //!< pairs, single packets, and whatever is out of order
    };

    uint32_t m_segmentSize;        //!< payload of a full packet in bytes
    double m_gain;                 //!< of the average of gaps
    double m_cwndFactor;           //!< in-flight bound over bandwidth-delay product
    uint32_t m_bdpFloor;           //!< least bandwidth-delay product in bytes
    bool m_pairInFlight;           //!< true if a pair may be in flight while RTT exceeds gap
    Time m_minRto;                 //!< least retransmission timeout
    Time m_maxRto;                 //!< most that backing off makes of it
    Time m_initialRto;             //!< retransmission timeout at start-up
    uint32_t m_bytesPerRound;      //!< of the AFQ ports
    bool m_rateChangeCompensation; //!< true if pairs are skipped and packets injected
    AckPolicy m_ackPolicy;         //!< packets that a receiver acknowledges
    Time m_timestampJitter;        //!< largest error of a measured gap
    Persistence m_persistence;     //!< assignment of flows to connections
    uint32_t m_mostConnections;    //!< of a host pair that reuses idle ones; 0: no limit
    Time m_estimateLifetime;       //!< idle time after which the share is forgotten

    /// @brief MSS of the paper: IP datagram of a full packet, the unit of BDP and of bytes in
    /// flight.
    uint32_t GetPacketSize() const
    {
        return m_segmentSize + PacketPairSegment::HEADERS;
    }
};

} // namespace ns3

#endif /* PACKET_PAIR_SETTINGS_H */
