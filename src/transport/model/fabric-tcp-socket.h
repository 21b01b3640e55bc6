/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_TCP_SOCKET_H
#define FABRIC_TCP_SOCKET_H

#include "flow.h"

#include "ns3/socket-factory.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-socket-base.h"

#include <functional>

namespace ns3
{

/**
 * @ingroup transport
 * @brief Counters of what TCP senders sent.
 */
struct TcpSendCounts
{
    uint64_t segments{0};        //!< data segments, retransmissions included
    uint64_t retransmissions{0}; //!< data segments sent again
    uint64_t timeouts{0};        //!< retransmission timeouts of data

    /**
     * @brief Add.
     * @param other counters of another sender
     * @return the sum
     */
    TcpSendCounts& operator+=(const TcpSendCounts& other)
    {
        segments += other.segments;
        retransmissions += other.retransmissions;
        timeouts += other.timeouts;
        return *this;
    }
};

/**
 * @ingroup transport
 * @brief ns-3's TCP socket, made to last in a data center.
 *
 * The protocol is TcpSocketBase's. Three things are added:
 *
 * - Duplicate acknowledgments are counted per loss episode (RFC 6675, section 5). TcpSocketBase
 *   goes on counting while it reduces its window for an ECN echo, keeps the count when that is
 *   over, and then stops with an assertion at the next reordered packet.
 * - A listening socket takes connection requests only. TcpSocketBase lets a late segment of a
 *   connection that is over (which no other socket claims) change the ECN state that later
 *   connections inherit.
 * - The owner learns of the first transmission of payload and of the last acknowledgment, and can
 *   close without a word on the wire.
 */
class FabricTcpSocket : public TcpSocketBase
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    FabricTcpSocket();

    /**
     * @brief Copy a listening socket for a connection. Callbacks are not copied.
     * @param other the listening socket
     */
    FabricTcpSocket(const FabricTcpSocket& other);

    ~FabricTcpSocket() override;

    /**
     * @brief Have a function called when payload is sent for the first time.
     * @param callback called once
     */
    void SetFirstSentCallback(std::function<void()> callback);

    /**
     * @brief Have a function called when all that was given to the socket is acknowledged.
     * @param callback called after the acknowledgment was processed, so the socket may be given
     * more
     */
    void SetAllAcknowledgedCallback(std::function<void()> callback);

    /// @brief Counters of what the socket has sent so far.
    const TcpSendCounts& GetSendCounts() const
    {
        return m_counts;
    }

    /**
     * @brief The sender's state, for recorders.
     * @return window, RTT, ...
     */
    FlowState GetFlowState() const;

    /**
     * @brief Forget the connection: no segment is sent and no timer left, but what comes late for
     * the connection is still taken in, and not answered with a reset, as in TIME-WAIT (RFC 9293,
     * section 3.6.1).
     */
    void Linger();

    /// @brief Forget the connection altogether: its port is free.
    void Abandon();

    /**
     * @brief Set the highest rate that pacing allows.
     * @param rate the rate
     */
    void SetMaxPacingRate(DataRate rate);

    int Listen() override;

  protected:
    Ptr<TcpSocketBase> Fork() override;
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader) override;
    void NewAck(const SequenceNumber32& seq, bool resetRTO) override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void ReTxTimeout() override;

  private:
    /**
     * @brief A segment for the listening socket: if it asks for a connection, let it in.
     * @param packet starts with the TCP header
     * @param header its IPv4 header
     * @param port its source port
     * @param interface the interface that it came in by
     */
    void ForwardRequest(Ptr<Packet> packet,
                        Ipv4Header header,
                        uint16_t port,
                        Ptr<Ipv4Interface> interface);

    std::function<void()> m_firstSent;       //!< called at the first transmission of payload
    std::function<void()> m_allAcknowledged; //!< called when nothing is left to acknowledge
    TcpSendCounts m_counts;                  //!< sent so far
};

/**
 * @ingroup transport
 * @brief Makes the sockets of a Ns3Transport on a node, for stock ns-3 applications.
 *
 * Aggregated to the node of each host. An application that names "ns3::FabricTcpSocketFactory" as
 * its protocol gets a socket with the transport's settings.
 */
class FabricTcpSocketFactory : public SocketFactory
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Say how sockets are made.
     * @param maker makes a socket on the factory's node
     */
    void SetMaker(std::function<Ptr<Socket>()> maker);

    Ptr<Socket> CreateSocket() override;

  protected:
    void DoDispose() override;

  private:
    std::function<Ptr<Socket>()> m_maker; //!< makes a socket
};

/**
 * @ingroup transport
 * @brief DCTCP that halves its window when it loses a packet, as RFC 8257 section 3.5 asks for.
 *
 * ns3::TcpDctcp up to 3.44 reduces its window by the ECN estimate even then, which is nothing when
 * there are no marks.
 */
class TcpDctcpRfc8257 : public TcpDctcp
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override;
    Ptr<TcpCongestionOps> Fork() override;
};

} // namespace ns3

#endif /* FABRIC_TCP_SOCKET_H */
