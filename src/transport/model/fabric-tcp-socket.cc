/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-tcp-socket.h"

#include "tcp-congestion-fork.h"
#include "tcp-flow-state.h"

#include "ns3/ipv4-end-point.h"
#include "ns3/log.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricTcpSocket");
NS_OBJECT_ENSURE_REGISTERED(FabricTcpSocket);
NS_OBJECT_ENSURE_REGISTERED(FabricTcpSocketFactory);
NS_OBJECT_ENSURE_REGISTERED(TcpDctcpRfc8257);

TypeId
FabricTcpSocket::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricTcpSocket")
                            .SetParent<TcpSocketBase>()
                            .SetGroupName("Transport")
                            .AddConstructor<FabricTcpSocket>();
    return tid;
}

FabricTcpSocket::FabricTcpSocket() = default;

FabricTcpSocket::FabricTcpSocket(const FabricTcpSocket& other)
    : TcpSocketBase(other)
{
    if (m_congestionControl)
    {
        RepairFork(*other.m_congestionControl, *m_congestionControl);
    }
}

FabricTcpSocket::~FabricTcpSocket() = default;

void
FabricTcpSocket::SetFirstSentCallback(std::function<void()> callback)
{
    m_firstSent = std::move(callback);
}

void
FabricTcpSocket::SetAllAcknowledgedCallback(std::function<void()> callback)
{
    m_allAcknowledged = std::move(callback);
}

void
FabricTcpSocket::SetMaxPacingRate(DataRate rate)
{
    m_tcb->m_maxPacingRate = rate;
    m_tcb->m_pacingRate = rate;
}

void
FabricTcpSocket::Linger()
{
    m_firstSent = nullptr;
    m_allAcknowledged = nullptr;
    SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                       MakeNullCallback<void, Ptr<Socket>>());
    SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(), MakeNullCallback<void, Ptr<Socket>>());
    SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
    m_state = CLOSED;
    CancelAllTimers();
    if (m_endPoint)
    {
        m_endPoint->SetRxCallback(
            MakeNullCallback<void, Ptr<Packet>, Ipv4Header, uint16_t, Ptr<Ipv4Interface>>());
    }
}

void
FabricTcpSocket::Abandon()
{
    Linger();
    DeallocateEndPoint();
}

FlowState
FabricTcpSocket::GetFlowState() const
{
    return GetTcpFlowState(*m_tcb, m_congestionControl);
}

int
FabricTcpSocket::Listen()
{
    const int result = TcpSocketBase::Listen();
    if (result == 0 && m_endPoint)
    {
        m_endPoint->SetRxCallback(
            MakeCallback(&FabricTcpSocket::ForwardRequest, Ptr<FabricTcpSocket>(this)));
    }
    return result;
}

void
FabricTcpSocket::ForwardRequest(Ptr<Packet> packet,
                                Ipv4Header header,
                                uint16_t port,
                                Ptr<Ipv4Interface> interface)
{
    TcpHeader tcp;
    packet->PeekHeader(tcp);
    if ((tcp.GetFlags() & (TcpHeader::SYN | TcpHeader::ACK)) == TcpHeader::SYN)
    {
        ForwardUp(packet, header, port, interface);
    }
}

Ptr<TcpSocketBase>
FabricTcpSocket::Fork()
{
    return CopyObject<FabricTcpSocket>(this);
}

void
FabricTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    // This acknowledgment will be processed in the open state, either because the socket is in it
    // or because the acknowledgment ends the reduction of the window. What was counted before
    // belongs to an episode that is over; within the open state nothing is ever counted, as the
    // first duplicate ends it.
    const auto state = m_tcb->m_congState.Get();
    if (state == TcpSocketState::CA_OPEN ||
        (state == TcpSocketState::CA_CWR && tcpHeader.GetAckNumber() > m_recover))
    {
        m_dupAckCount = 0;
    }
    TcpSocketBase::ReceivedAck(packet, tcpHeader);
}

void
FabricTcpSocket::NewAck(const SequenceNumber32& seq, bool resetRTO)
{
    TcpSocketBase::NewAck(seq, resetRTO); // asks the application for more
    if (m_allAcknowledged && m_txBuffer->Size() == 0)
    {
        m_allAcknowledged();
    }
}

uint32_t
FabricTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    if (m_firstSent)
    {
        std::exchange(m_firstSent, nullptr)();
    }
    ++m_counts.segments;
    m_counts.retransmissions += seq < m_tcb->m_highTxMark.Get() ? 1 : 0;
    return TcpSocketBase::SendDataPacket(seq, maxSize, withAck);
}

void
FabricTcpSocket::ReTxTimeout()
{
    m_counts.timeouts += m_state == ESTABLISHED && m_txBuffer->Size() > 0 ? 1 : 0;
    TcpSocketBase::ReTxTimeout();
}

TypeId
FabricTcpSocketFactory::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FabricTcpSocketFactory")
                            .SetParent<SocketFactory>()
                            .SetGroupName("Transport")
                            .AddConstructor<FabricTcpSocketFactory>();
    return tid;
}

void
FabricTcpSocketFactory::SetMaker(std::function<Ptr<Socket>()> maker)
{
    m_maker = std::move(maker);
}

Ptr<Socket>
FabricTcpSocketFactory::CreateSocket()
{
    return m_maker();
}

void
FabricTcpSocketFactory::DoDispose()
{
    m_maker = nullptr;
    SocketFactory::DoDispose();
}

TypeId
TcpDctcpRfc8257::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TcpDctcpRfc8257")
                            .SetParent<TcpDctcp>()
                            .SetGroupName("Transport")
                            .AddConstructor<TcpDctcpRfc8257>();
    return tid;
}

std::string
TcpDctcpRfc8257::GetName() const
{
    return "TcpDctcpRfc8257";
}

uint32_t
TcpDctcpRfc8257::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    if (tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        return std::max(bytesInFlight / 2, 2 * tcb->m_segmentSize); // RFC 5681, equation 4
    }
    return TcpDctcp::GetSsThresh(tcb, bytesInFlight);
}

void
TcpDctcpRfc8257::CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event)
{
    // A retransmission timeout. GetSsThresh() was called just before and could not tell it from an
    // ECN echo. Further timeouts of the same episode change nothing.
    if (event == TcpSocketState::CA_EVENT_LOSS && tcb->m_congState != TcpSocketState::CA_LOSS)
    {
        tcb->m_ssThresh = std::max(tcb->m_bytesInFlight.Get() / 2, 2 * tcb->m_segmentSize);
    }
    TcpDctcp::CwndEvent(tcb, event);
}

Ptr<TcpCongestionOps>
TcpDctcpRfc8257::Fork()
{
    return CopyObject<TcpDctcpRfc8257>(this);
}

} // namespace ns3
