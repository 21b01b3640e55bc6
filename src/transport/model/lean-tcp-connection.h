/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_TCP_CONNECTION_H
#define LEAN_TCP_CONNECTION_H

#include "lean-tcp-receiver.h"
#include "lean-tcp-sender.h"
#include "lean-tcp-settings.h"

#include "ns3/fabric.h"
#include "ns3/huge-pages.h"

namespace ns3
{

class LeanTransport;

/**
 * @ingroup lean-tcp
 * @brief A TCP connection: a sender, a receiver, and the packets between them. What the bytes are
 * is for derived classes to say.
 */
class LeanTcpConnection : public InHugePages
{
  public:
    static constexpr uint32_t MAX_UNSCALED_WINDOW = 65535; //!< of a 16-bit field, in bytes

    /**
     * @brief Set up; nothing is sent yet.
     * @param transport the owner of the connection
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

    virtual ~LeanTcpConnection() = default;

    /**
     * @brief Say what the connection carries from now on.
     * @param tag for the fabric
     */
    void SetTag(const FlowTag& tag);

    /**
     * @brief Gets the flow that the connection carries.
     * @return the last argument of SetTag()
     */
    const FlowTag& GetTag() const;

    /// @brief Nothing comes or goes any more.
    void Close();

    // ---- For the two ends ----

    /**
     * @brief Settings.
     * @return settings of all connections of the transport
     */
    const LeanTcpSettings& GetSettings() const
    {
        return m_settings;
    }

    /**
     * @brief Counters.
     * @return counters of what was sent so far
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
     * @brief The sender.
     * @return the end that sends data
     */
    const LeanTcpSender& GetSender() const
    {
        return m_sender;
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

    /// @brief Port of the sender.
    uint16_t GetSourcePort() const
    {
        return m_port;
    }

    /// @brief Port of the receiver.
    uint16_t GetDestinationPort() const;

    /**
     * @brief Make a packet of the connection.
     * @param kind FabricItem::kind, tells the direction
     * @return the packet, with all but size and header set
     */
    FabricItem* MakeItem(uint8_t kind) const;

    /**
     * @brief Make a packet of data.
     * @param again true if the data was sent before
     * @return the packet, with all but size and header set
     */
    FabricItem* MakeDataItem(bool again) const
    {
        FabricItem* item = MakeItem(0);
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

    /// @brief Size of a SYN or SYN-ACK, in bytes of IP datagram.
    uint32_t GetSynSize() const;

    // ---- What a derived class is told ----

    /**
     * @brief The sender sent payload for the first time.
     * @param end first byte behind
     */
    virtual void OnSent(uint64_t end) = 0;

    /**
     * @brief The receiver has everything up to a byte.
     * @param next the next byte expected
     */
    virtual void OnDelivered(uint64_t next) = 0;

    /**
     * @brief The sender knows that the receiver has everything up to a byte. May end the
     * connection.
     * @param head first byte not acknowledged
     */
    virtual void OnAcknowledged(uint64_t head) = 0;

    // ---- The same of a subflow (LeanTcpSettings::m_multipath), which shares its data with others

    /**
     * @brief The sender looks for new data.
     * @return the end of the byte stream if it sends now; no less than what was sent
     */
    virtual uint64_t GetStreamEnd()
    {
        return m_sender.GetNextNew();
    }

    /**
     * @brief The sender sends a segment.
     * @param number of the segment
     * @param header gets the place of its payload in the data
     */
    virtual void MapData(uint64_t number, LeanTcpHeader& header)
    {
        (void)number;
        (void)header;
    }

    /**
     * @brief The receiver got a segment, in order or not, and will acknowledge it.
     * @param header says the place of its payload in the data
     */
    virtual void OnMappedData(const LeanTcpHeader& header)
    {
        (void)header;
    }

    /**
     * @brief The receiver sends an acknowledgment.
     * @param header gets how far the data has come
     */
    virtual void AcknowledgeData(LeanTcpHeader& header)
    {
        (void)header;
    }

    /**
     * @brief The sender got an acknowledgment.
     * @param header says how far the data has come
     */
    virtual void OnDataAcknowledgment(const LeanTcpHeader& header)
    {
        (void)header;
    }

    /// @brief The handshake is over and the first window was sent.
    virtual void OnEstablished()
    {
    }

    /// @brief The retransmission timer of the sender expired.
    virtual void OnTimeout()
    {
    }

  protected:
    /**
     * @brief Send packets on a way of their own.
     * @param forward source route of packets to the receiver, or nullptr; outlives the connection
     * @param back the same to the sender
     */
    void SetRoutes(const uint16_t* forward, const uint16_t* back)
    {
        m_forwardRoute = forward;
        m_backRoute = back;
    }

    LeanTransport& m_transport;        //!< the owner of the connection
    const LeanTcpSettings& m_settings; //!< the transport's

  private:
    FabricHost& m_source;                    //!< the sender's host
    FabricHost& m_destination;               //!< the receiver's host
    uint32_t m_sourceIndex;                  //!< of the sender's host
    uint32_t m_destinationIndex;             //!< of the receiver's host
    uint16_t m_port;                         //!< of the sender
    uint32_t m_flow;                         //!< endpoints within the fabric
    uint32_t m_dataHash;                     //!< of the 5-tuple towards the receiver
    uint32_t m_acknowledgmentHash;           //!< of the 5-tuple towards the sender
    uint8_t m_dataTos;                       //!< DSCP and ECN codepoint of new data
    uint8_t m_controlTos;                    //!< the same of everything else
    const uint16_t* m_forwardRoute{nullptr}; //!< of packets to the receiver, or nullptr
    const uint16_t* m_backRoute{nullptr};    //!< of packets to the sender, or nullptr
    LeanTcpStatistics m_statistics;          //!< counters of what was sent
    LeanTcpSender m_sender;                  //!< sends data
    LeanTcpReceiver m_receiver;              //!< gets data
};

} // namespace ns3

#endif /* LEAN_TCP_CONNECTION_H */
