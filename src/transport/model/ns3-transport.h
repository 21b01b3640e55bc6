/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NS3_TRANSPORT_H
#define NS3_TRANSPORT_H

#include "fabric-tcp-socket.h"
#include "transport.h"

#include "ns3/fabric-stack-helper.h"
#include "ns3/tcp-socket-state.h"

#include <memory>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup transport
 * @brief ns-3's own TCP sockets on stock IPv4 hosts: the reference for all other transports.
 *
 * A flow is a connection of its own: handshake, data, and when the last byte is acknowledged both
 * ends forget it without a FIN, as if the connection went back to a pool. A flow that TCP gives up
 * (after DataRetries timeouts in a row) never finishes; GetFailedFlows() counts it.
 *
 * The defaults are a data center's; see the attributes. They are set for the sockets of the
 * transport and for those that an application makes with ns3::FabricTcpSocketFactory, not for all
 * sockets of the simulation.
 */
class Ns3Transport : public Transport
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    Ns3Transport();
    ~Ns3Transport() override;

    std::string GetSummary() const override;
    void StopFlow(FlowId flow) override;
    PacketSizes GetPacketSizes() const override;
    std::optional<HostLimit> GetHostLimit() const override;
    std::optional<uint64_t> CountRetransmissions() const override;
    std::vector<FlowState> GetStates(FlowId flow) const override;
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief The hosts' nodes and addresses, for stock applications beside the flows.
     * @return the helper that installed them, after Attach()
     */
    const FabricStackHelper& GetStack() const;

    /**
     * @brief Make a socket with the transport's settings.
     * @param host number of the host
     * @return a socket that is neither bound nor connected
     */
    Ptr<FabricTcpSocket> CreateSocket(uint32_t host) const;

    /**
     * @brief The sender's socket of a flow.
     * @param flow the flow
     * @return the socket, or nullptr if the flow is over
     */
    Ptr<FabricTcpSocket> GetSender(FlowId flow) const;

    /// @brief Counters of what all connections sent so far, those that are over included.
    TcpSendCounts GetSendCounts() const;

    /// @brief Flows that TCP gave up.
    uint64_t GetFailedFlows() const;

  protected:
    uint32_t GetLeadingSize(const FlowRequest& request) const override;
    void DoAttach() override;
    void DoStartFlow(const FlowRecord& record) override;
    void DoDispose() override;

  private:
    class Connection;

    Ptr<FabricTcpSocket> CreatePrototype() const;
    TypeId GetCongestionOps() const;

    /**
     * @brief Have a host take connections.
     * @param host number of the host
     */
    void Listen(uint32_t host);

    /**
     * @brief A connection is established at its receiver.
     * @param socket the receiver's socket
     * @param from the sender's address and port
     */
    void Accept(Ptr<Socket> socket, const Address& from);

    /**
     * @brief Close a socket when it has returned from what it is doing.
     * @param socket the socket
     * @param owner object that the socket's callbacks refer to: kept until then
     */
    static void AbandonLater(Ptr<FabricTcpSocket> socket, std::shared_ptr<Connection> owner);

    /**
     * @brief A flow is over.
     * @param connection of the flow
     */
    void Forget(Connection& connection);

    TypeId m_congestionOps;            //!< attribute CongestionOps
    TypeId m_recoveryOps;              //!< attribute RecoveryOps
    bool m_dctcpReactsToLoss;          //!< attribute DctcpReactsToLoss
    uint32_t m_segmentSize;            //!< attribute SegmentSize
    uint32_t m_initialCwnd;            //!< attribute InitialCwnd
    uint32_t m_initialSsThresh;        //!< attribute InitialSlowStartThreshold
    uint32_t m_sndBufSize;             //!< attribute SndBufSize
    uint32_t m_rcvBufSize;             //!< attribute RcvBufSize
    Time m_minRto;                     //!< attribute MinRto
    Time m_clockGranularity;           //!< attribute ClockGranularity
    Time m_initialRtt;                 //!< attribute InitialRtt
    Time m_connTimeout;                //!< attribute ConnTimeout
    uint32_t m_connCount;              //!< attribute ConnCount
    uint32_t m_dataRetries;            //!< attribute DataRetries
    uint32_t m_delAckCount;            //!< attribute DelAckCount
    Time m_delAckTimeout;              //!< attribute DelAckTimeout
    uint32_t m_reTxThreshold;          //!< attribute ReTxThreshold
    bool m_sack;                       //!< attribute Sack
    bool m_timestamp;                  //!< attribute Timestamp
    bool m_limitedTransmit;            //!< attribute LimitedTransmit
    TcpSocketState::UseEcn_t m_useEcn; //!< attribute UseEcn
    bool m_pacing;                     //!< attribute Pacing
    DataRate m_maxPacingRate;          //!< attribute MaxPacingRate

    FabricStackHelper m_stack;                     //!< the hosts' nodes
    Ptr<FabricTcpSocket> m_prototype;              //!< has the settings; sockets are its copies
    std::vector<Ptr<FabricTcpSocket>> m_listeners; //!< by host; nullptr until it gets a flow
    std::unordered_map<FlowId, std::shared_ptr<Connection>> m_connections; //!< flows under way
    std::unordered_map<uint64_t, Connection*> m_bySender; //!< the same by sender's host and port
    TcpSendCounts m_finishedCounts;                       //!< of flows that are over
    uint64_t m_failedFlows{0};                            //!< flows that TCP gave up
};

} // namespace ns3

#endif /* NS3_TRANSPORT_H */
