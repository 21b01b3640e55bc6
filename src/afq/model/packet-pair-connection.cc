/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-connection.h"

#include "packet-pair-transport.h"

#include "ns3/flow-hash.h"
#include "ns3/simulator.h"

namespace ns3
{

namespace
{

constexpr uint8_t UDP_PROTOCOL = 17; //!< in the 5-tuple; switches hash the ports of UDP and TCP

constexpr uint64_t ENDLESS = UINT64_MAX / 4; //!< bytes of a flow that goes on until stopped

} // namespace

PacketPairConnection::PacketPairConnection(PacketPairTransport& transport,
                                           const FlowRecord& record,
                                           PacketPairPorts ports,
                                           const PacketPairKnowledge& knowledge)
    : m_transport(transport),
      m_settings(transport.GetSettings()),
      m_source(transport.GetFabric().GetHost(record.request.source)),
      m_destination(transport.GetFabric().GetHost(record.request.destination)),
      m_record(record),
      m_dataHash(HashFiveTuple(record.request.source,
                               record.request.destination,
                               ports.source,
                               ports.destination,
                               UDP_PROTOCOL)),
      m_answerHash(HashFiveTuple(record.request.destination,
                                 record.request.source,
                                 ports.destination,
                                 ports.source,
                                 UDP_PROTOCOL)),
      m_ports(ports),
      m_sender(*this, record.request.bytes ? record.request.bytes : ENDLESS, knowledge),
      m_receiver(*this)
{
    m_flow = transport.GetFabric().AddEndpoints(&m_receiver, &m_sender, record.GetTag());
}

void
PacketPairConnection::Start()
{
    m_record.firstSent = Simulator::Now();
    m_sender.Start();
}

void
PacketPairConnection::Stop()
{
    m_record.delivered = Simulator::Now();
    m_record.acknowledged = Simulator::Now();
}

void
PacketPairConnection::Close()
{
    m_sender.Close();
    m_transport.GetFabric().RemoveEndpoints(m_flow);
}

FabricItem*
PacketPairConnection::MakeItem(uint8_t kind) const
{
    const bool toSender = kind & FabricItem::TOWARDS_SENDER;
    FabricItem* item = FabricItem::Create();
    item->hash = toSender ? m_answerHash : m_dataHash;
    item->flow = m_flow;
    item->source = (toSender ? m_destination : m_source).GetIndex();
    item->destination = (toSender ? m_source : m_destination).GetIndex();
    item->kind = kind;
    item->SetClass(toSender ? FabricItem::ANSWER : FabricItem::DATA);
    item->tos = toSender ? FabricItem::NOT_ECT : FabricItem::ECT0;
    auto& segment = item->As<PacketPairSegment>();
    segment.sourcePort = toSender ? m_ports.destination : m_ports.source;
    segment.destinationPort = toSender ? m_ports.source : m_ports.destination;
    return item;
}

int64_t
PacketPairConnection::Perturb(int64_t gap) const
{
    return gap + m_transport.DrawTimestampError();
}

void
PacketPairConnection::HandleDelivered(uint64_t next)
{
    if (next == m_delivered)
    {
        return;
    }
    const auto bytes = static_cast<uint32_t>(next - m_delivered);
    m_delivered = next;
    m_record.delivered = Simulator::Now();
    m_transport.HandleDelivered(m_record, bytes);
}

void
PacketPairConnection::HandleAcknowledged()
{
    m_record.acknowledged = Simulator::Now();
    m_transport.HandleFinished(*this);
}

} // namespace ns3
