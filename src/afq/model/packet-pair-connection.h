/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PAIR_CONNECTION_H
#define PACKET_PAIR_CONNECTION_H

#include "packet-pair-receiver.h"
#include "packet-pair-sender.h"

#include "ns3/fabric.h"
#include "ns3/flow.h"

namespace ns3
{

class PacketPairTransport;

/**
 * @ingroup packet-pair
 * @brief UDP ports of the data.
 */
struct PacketPairPorts
{
    uint16_t source;      //!< at the sender
    uint16_t destination; //!< at the receiver
};

/**
 * @ingroup packet-pair
 * @brief A flow: a sender, a receiver, and what their packets have in common.
 */
class PacketPairConnection
{
  public:
    /**
     * @brief Set up; nothing is sent yet.
     * @param transport owner of the connection
     * @param record of the flow
     * @param ports of the data; tell the flows of two hosts apart
     * @param knowledge of the sender
     */
    PacketPairConnection(PacketPairTransport& transport,
                         const FlowRecord& record,
                         PacketPairPorts ports,
                         const PacketPairKnowledge& knowledge);

    PacketPairConnection(const PacketPairConnection&) = delete;
    PacketPairConnection& operator=(const PacketPairConnection&) = delete;

    /// @brief Begin to send.
    void Start();

    /// @brief The flow ends before its time; Close() as well.
    void Stop();

    /// @brief Nothing comes or goes any more.
    void Close();

    /**
     * @brief The flow's life so far.
     * @return the record
     */
    const FlowRecord& GetRecord() const
    {
        return m_record;
    }

    /**
     * @brief The sender.
     * @return the end that sends data
     */
    const PacketPairSender& GetSender() const
    {
        return m_sender;
    }

    // ---- For the two ends ----

    /**
     * @brief Settings.
     * @return the settings that all connections of the transport share
     */
    const PacketPairSettings& GetSettings() const
    {
        return m_settings;
    }

    /// @brief The transport that owns the connection.
    PacketPairTransport& GetTransport() const
    {
        return m_transport;
    }

    /// @brief The sender's host.
    FabricHost& GetSource() const
    {
        return m_source;
    }

    /// @brief The receiver's host.
    FabricHost& GetDestination() const
    {
        return m_destination;
    }

    /**
     * @brief Make a packet of the connection.
     * @param kind FabricItem::kind, tells the direction
     * @return the packet, with all but its size and the packet-pair header set
     */
    FabricItem* MakeItem(uint8_t kind) const;

    /**
     * @brief Measure a gap as imperfect clocks would.
     * @param gap the true one
     * @return the measured one
     */
    int64_t Perturb(int64_t gap) const;

    /**
     * @brief The receiver has everything up to a byte.
     * @param next the next byte expected
     */
    void HandleDelivered(uint64_t next);

    /// @brief The sender knows that all was delivered.
    void HandleAcknowledged();

  private:
    PacketPairTransport& m_transport;     //!< owner of the connection
    const PacketPairSettings& m_settings; //!< the transport's
    FabricHost& m_source;                 //!< the sender's host
    FabricHost& m_destination;            //!< the receiver's host
    FlowRecord m_record;                  //!< the flow's life
    uint64_t m_delivered{0};              //!< observers know of the bytes below
    uint32_t m_flow;                      //!< endpoints within the fabric
    uint32_t m_dataHash;                  //!< of the 5-tuple towards the receiver
    uint32_t m_answerHash;                //!< of the 5-tuple towards the sender
    PacketPairPorts m_ports;              //!< of the data
    PacketPairSender m_sender;            //!< sends data
    PacketPairReceiver m_receiver;        //!< gets data
};

} // namespace ns3

#endif /* PACKET_PAIR_CONNECTION_H */
