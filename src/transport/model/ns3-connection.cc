/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3-connection.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Ns3Connection");

Ns3Transport::Connection::Connection(Ns3Transport& transport, const FlowRecord& record)
    : m_transport(transport),
      m_record(record),
      m_unsent(record.request.bytes > 0 ? record.request.bytes : UINT64_MAX)
{
}

Ns3Transport::Connection::~Connection()
{
    if (m_sendingDevice)
    {
        m_sendingDevice->RemoveFlow(*m_receivingDevice, m_port, m_receiverPort);
    }
}

void
Ns3Transport::Connection::Start()
{
    const FlowRequest& request = m_record.request;
    m_sender = m_transport.CreateSocket(request.source);
    m_sender->SetFirstSentCallback([this] {
        m_hasSent = true;
        m_record.firstSent = Simulator::Now();
    });
    m_sender->SetAllAcknowledgedCallback([this] { HandleAllAcknowledged(); });
    m_sender->SetSendCallback(MakeCallback(&Connection::HandleSendable, this));
    m_sender->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                 MakeCallback(&Connection::HandleFailure, this));
    m_sender->SetCloseCallbacks(MakeCallback(&Connection::HandleFailure, this),
                                MakeCallback(&Connection::HandleFailure, this));
    if (m_sender->Bind() != 0)
    {
        throw InputError("flows from one host at a time",
                         "more than " + std::to_string(MOST_PORTS),
                         "a host has that many TCP ports");
    }
    Address local;
    m_sender->GetSockName(local);
    m_port = InetSocketAddress::ConvertFrom(local).GetPort();
    m_senderKey = MakeSenderKey(request.source, m_port);
    m_receiverPort = m_transport.GetServerPort();
    m_sendingDevice = m_transport.m_stack.GetDevice(request.source);
    m_receivingDevice = m_transport.m_stack.GetDevice(request.destination);
    m_sendingDevice->AddFlow(*m_receivingDevice, m_port, m_receiverPort, m_record.GetTag());
    const auto address = FabricStackHelper::GetAddress(request.destination);
    m_sender->Connect(InetSocketAddress(address, m_receiverPort));
    FillBuffer();
}

void
Ns3Transport::Connection::SetReceiver(Ptr<FabricTcpSocket> socket)
{
    m_receiver = socket;
    m_receiver->SetRecvCallback(MakeCallback(&Connection::HandleReadable, this));
}

void
Ns3Transport::Connection::Stop()
{
    const Time now = Simulator::Now();
    m_record.firstSent = m_hasSent ? m_record.firstSent : now;
    m_record.delivered = now;
    m_record.acknowledged = now;
    Finish();
}

void
Ns3Transport::Connection::FillBuffer()
{
    // Whole segments: one that is cut where the buffer ends would be sent short.
    const uint64_t room = m_sender->GetTxAvailable();
    const uint64_t segment = m_transport.m_segmentSize;
    const uint64_t size = std::min(m_unsent, room > segment ? room - room % segment : room);
    if (size > 0 && m_sender->Send(Create<Packet>(static_cast<uint32_t>(size)), 0) >= 0)
    {
        m_unsent -= m_record.request.bytes > 0 ? size : 0;
    }
}

void
Ns3Transport::Connection::HandleSendable(Ptr<Socket> /* socket */, uint32_t available)
{
    // Every acknowledgment makes a little room. Wait until half of the buffer is free.
    if (!m_isOver && m_unsent > 0 && available >= m_transport.m_sndBufSize / 2)
    {
        FillBuffer();
    }
}

void
Ns3Transport::Connection::HandleReadable(Ptr<Socket> socket)
{
    const Ptr<Packet> packet = socket->Recv();
    if (m_isOver || !packet)
    {
        return;
    }
    m_received += packet->GetSize();
    m_record.delivered = Simulator::Now();
    m_transport.NotifyDelivered(m_record, packet->GetSize());
}

void
Ns3Transport::Connection::HandleAllAcknowledged()
{
    if (!m_isOver && m_unsent == 0)
    {
        NS_ASSERT_MSG(m_received == m_record.request.bytes, "acknowledged but not delivered");
        m_record.acknowledged = Simulator::Now();
        Finish();
    }
}

void
Ns3Transport::Connection::HandleFailure(Ptr<Socket> /* socket */)
{
    if (!m_isOver)
    {
        NS_LOG_WARN("TCP gave flow " << m_record.id << " up");
        ++m_transport.m_failedFlows;
        m_isOver = true;
        m_transport.Forget(*this);
    }
}

void
Ns3Transport::Connection::Finish()
{
    m_isOver = true;
    m_transport.Forget(*this);
    m_transport.NotifyFinished(m_record);
}

} // namespace ns3
