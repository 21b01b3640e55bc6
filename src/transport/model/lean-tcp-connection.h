/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_CONNECTION_H
#define LEAN_TCP_CONNECTION_H

#include "flow.h"
#include "lean-tcp-receiver.h"
#include "lean-tcp-sender.h"
#include "lean-tcp-settings.h"

#include "ns3/fabric.h"

#include <deque>

namespace ns3
{

class LeanTransport;

/**
 * @ingroup lean-tcp
 * @brief A TCP connection: a sender, a receiver, and the messages on the byte stream between them.
 */
class LeanTcpConnection
{
  public:
    static constexpr uint32_t MAX_UNSCALED_WINDOW = 65535; //!< of a 16-bit field, in bytes

    /**
     * @brief Set up; nothing is sent yet.
     * @param transport what the connection belongs to
     * @param source sending host
     * @param destination receiving host
     * @param port source port, which tells the connections of two hosts apart
     */
    LeanTcpConnection(LeanTransport& transport,
                      uint32_t source,
                      uint32_t destination,
                      uint16_t port);

    LeanTcpConnection(const LeanTcpConnection&) = delete;
    LeanTcpConnection& operator=(const LeanTcpConnection&) = delete;

    /// @brief Nothing comes or goes any more.
    void Close();

    // ---- Messages ----

    /**
     * @brief Append a message to the byte stream.
     * @param record of the flow that it is
     */
    void AddMessage(const FlowRecord& record);

    /**
     * @brief Take what was not sent of a message out of the byte stream, and forget the message.
     * @param flow the message's flow
     * @return the flow's record
     */
    FlowRecord StopMessage(FlowId flow);

    /**
     * @brief Whether no message is under way.
     * @return true if so
     */
    bool IsIdle() const
    {
        return m_messages.empty();
    }

    // ---- For the two ends ----

    /**
     * @brief Settings.
     * @return what all connections of the transport have in common
     */
    const LeanTcpSettings& GetSettings() const
    {
        return m_settings;
    }

    /**
     * @brief Counters.
     * @return what was sent so far
     */
    LeanTcpStatistics& GetStatistics()
    {
        return m_statistics;
    }

    /**
     * @brief The sender.
     * @return the end that sends data
     */
    LeanTcpSender& GetSender()
    {
        return m_sender;
    }

    /**
     * @brief The sender's host.
     * @return the host
     */
    FabricHost& GetSource() const
    {
        return m_source;
    }

    /**
     * @brief The receiver's host.
     * @return the host
     */
    FabricHost& GetDestination() const
    {
        return m_destination;
    }

    /**
     * @brief Make a packet of the connection.
     * @param kind FabricItem::kind, tells the direction
     * @return the packet, with all but size and header set
     */
    FabricItem* CreateItem(uint8_t kind) const;

    /**
     * @brief Make a packet of data.
     * @param again whether the data was sent before
     * @return the packet, with all but size and header set
     */
    FabricItem* CreateDataItem(bool again) const
    {
        FabricItem* item = CreateItem(0);
        item->tos = again ? m_controlTos : m_dataTos;
        return item;
    }

    /**
     * @brief Send a packet of the connection.
     * @param item the packet, now the host's
     */
    void Send(FabricItem* item) const
    {
        (item->kind & FabricItem::TOWARDS_SENDER ? m_destination : m_source).Send(item);
    }

    /**
     * @brief Size of a SYN or SYN-ACK.
     * @return bytes of IP datagram
     */
    uint32_t GetSynSize() const;

    /**
     * @brief The sender sent payload for the first time.
     * @param end first byte behind
     */
    void HandleSent(uint64_t end)
    {
        if (end > m_unsent) [[unlikely]]
        {
            NoteFirstSent(end);
        }
    }

    /**
     * @brief The receiver has everything up to a byte.
     * @param next the next byte expected
     */
    void HandleDelivered(uint64_t next);

    /**
     * @brief The sender knows that the receiver has everything up to a byte. May end the
     * connection.
     * @param head first byte not acknowledged
     */
    void HandleAcknowledged(uint64_t head);

  private:
    /// @brief A flow's bytes in the stream.
    struct Message
    {
        FlowRecord record; //!< of the flow
        uint64_t begin;    //!< first byte
        uint64_t end;      //!< first byte behind
        bool begun;        //!< whether some of it was sent
    };

    void NoteFirstSent(uint64_t end);

    LeanTransport& m_transport;        //!< what the connection belongs to
    const LeanTcpSettings& m_settings; //!< the transport's
    FabricHost& m_source;              //!< the sender's host
    FabricHost& m_destination;         //!< the receiver's host
    uint32_t m_flow;                   //!< endpoints within the fabric
    uint32_t m_dataHash;               //!< of the 5-tuple towards the receiver
    uint32_t m_acknowledgmentHash;     //!< of the 5-tuple towards the sender
    uint8_t m_dataTos;                 //!< DSCP and ECN codepoint of new data
    uint8_t m_controlTos;              //!< the same of everything else
    uint64_t m_end{0};                 //!< of the byte stream
    uint64_t m_unsent{UINT64_MAX};     //!< begin of the first message of which nothing was sent
    uint64_t m_delivered{0};           //!< observers know of the bytes below
    std::deque<Message> m_messages;    //!< those not acknowledged, in the order of the stream
    LeanTcpStatistics m_statistics;    //!< what was sent
    LeanTcpSender m_sender;            //!< sends data
    LeanTcpReceiver m_receiver;        //!< gets data
};

} // namespace ns3

#endif /* LEAN_TCP_CONNECTION_H */
