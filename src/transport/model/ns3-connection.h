/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NS3_CONNECTION_H
#define NS3_CONNECTION_H

#include "ns3-transport.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup transport
 * @brief A flow over ns-3's sockets: both its ends.
 */
class Ns3Transport::Connection
{
  public:
    /// @brief TCP ports that ns-3 chooses a sender's from.
    static constexpr uint32_t MOST_PORTS = 16384;

    /**
     * @brief Set up; nothing is sent yet.
     * @param transport the owner of the connection
     * @param record of the flow
     */
    Connection(Ns3Transport& transport, const FlowRecord& record);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /**
     * @brief Name a sender.
     * @param host number of the host
     * @param port TCP port
     * @return a key
     */
    static uint64_t MakeSenderKey(uint32_t host, uint16_t port)
    {
        return static_cast<uint64_t>(host) << 16 | port;
    }

    /// @brief Connect, and have data ready for when the connection is established.
    void Start();

    /// @brief The flow's life ends here.
    void Stop();

    /**
     * @brief The connection is established at the receiver.
     * @param socket the receiver's socket
     */
    void SetReceiver(Ptr<FabricTcpSocket> socket);

    /// @brief The sender's socket.
    const Ptr<FabricTcpSocket>& GetSender() const
    {
        return m_sender;
    }

    /// @brief The receiver's socket; nullptr while the connection is not established.
    const Ptr<FabricTcpSocket>& GetReceiver() const
    {
        return m_receiver;
    }

    /**
     * @brief The sender's host and port.
     * @return the result of MakeSenderKey() for them
     */
    uint64_t GetSenderKey() const
    {
        return m_senderKey;
    }

    /**
     * @brief The flow's life so far.
     * @return the record
     */
    const FlowRecord& GetRecord() const
    {
        return m_record;
    }

  private:
    void FillBuffer();
    void HandleSendable(Ptr<Socket> socket, uint32_t available);
    void HandleReadable(Ptr<Socket> socket);
    void HandleAllAcknowledged();
    void HandleFailure(Ptr<Socket> socket);
    void Finish();

    Ns3Transport& m_transport;              //!< settings
    FlowRecord m_record;                    //!< the flow's life
    uint64_t m_unsent;                      //!< bytes not given to the socket yet
    uint64_t m_received{0};                 //!< bytes taken from the receiver's socket
    uint16_t m_port{0};                     //!< the sender's
    uint16_t m_receiverPort{0};             //!< the receiver's
    uint64_t m_senderKey{0};                //!< the sender's host and port
    bool m_hasSent{false};                  //!< true if payload was sent
    bool m_isOver{false};                   //!< true if the flow finished, failed or was stopped
    Ptr<FabricNetDevice> m_sendingDevice;   //!< tags what the sender sends; nullptr: not yet
    Ptr<FabricNetDevice> m_receivingDevice; //!< tags what the receiver sends
    Ptr<FabricTcpSocket> m_sender;          //!< the sender's socket
    Ptr<FabricTcpSocket> m_receiver; //!< the receiver's socket, once the connection is established
};

} // namespace ns3

#endif /* NS3_CONNECTION_H */
