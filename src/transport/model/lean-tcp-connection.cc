/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-tcp-connection.h"

#include "lean-transport.h"

#include "ns3/flow-hash.h"

namespace ns3
{

LeanTcpConnection::LeanTcpConnection(LeanTransport& transport,
                                     uint32_t source,
                                     uint32_t destination,
                                     uint16_t port)
    : m_transport(transport),
      m_settings(transport.GetSettings()),
      m_source(transport.GetFabric().GetHost(source)),
      m_destination(transport.GetFabric().GetHost(destination)),
      m_sourceIndex(source),
      m_destinationIndex(destination),
      m_port(port),
      m_dataHash(HashFiveTuple(source, destination, port, transport.GetServerPort(), TCP_PROTOCOL)),
      m_acknowledgmentHash(
          HashFiveTuple(destination, source, transport.GetServerPort(), port, TCP_PROTOCOL)),
      m_controlTos(static_cast<uint8_t>(m_settings.m_dscp << 2)),
      m_sender(*this),
      m_receiver(*this)
{
    // RFC 3168 knows ECT on new data only; DCTCP's networks drop what is not ECT (RFC 8257,
    // section 3.4).
    const uint8_t ect = m_sender.GetState()->m_ectCodePoint;
    m_dataTos = m_controlTos | (m_settings.m_useEcn ? ect : 0);
    if (m_settings.m_dctcp)
    {
        m_controlTos = m_dataTos;
    }
    m_flow = transport.GetFabric().AddEndpoints(&m_receiver, &m_sender);
}

void
LeanTcpConnection::SetTag(const FlowTag& tag)
{
    m_transport.GetFabric().SetFlowTag(m_flow, tag);
}

const FlowTag&
LeanTcpConnection::GetTag() const
{
    return m_transport.GetFabric().GetFlowTag(m_flow);
}

void
LeanTcpConnection::Close()
{
    m_sender.Close();
    m_receiver.Close();
    m_transport.GetFabric().RemoveEndpoints(m_flow);
}

uint16_t
LeanTcpConnection::GetDestinationPort() const
{
    return m_transport.GetServerPort();
}

uint32_t
LeanTcpConnection::GetSynSize() const
{
    return LeanTcpHeader::GetSize(
        (m_settings.m_windowScaling ? LeanTcpHeader::WINDOW_SCALE_OPTION : 0) +
        (m_settings.m_sack ? LeanTcpHeader::SACK_PERMITTED_OPTION : 0) +
        (m_settings.m_timestamps ? LeanTcpHeader::TIMESTAMP_OPTION : 0) + m_settings.m_synOption);
}

FabricItem*
LeanTcpConnection::MakeItem(uint8_t kind) const
{
    const bool toSender = kind & FabricItem::TOWARDS_SENDER;
    FabricItem* item = FabricItem::Create();
    item->hash = toSender ? m_acknowledgmentHash : m_dataHash;
    item->flow = m_flow;
    item->source = toSender ? m_destinationIndex : m_sourceIndex;
    item->destination = toSender ? m_sourceIndex : m_destinationIndex;
    item->route = toSender ? m_backRoute : m_forwardRoute;
    item->kind = kind;
    item->SetClass(toSender ? FabricItem::ANSWER : FabricItem::DATA);
    item->tos = m_controlTos;
    return item;
}

} // namespace ns3
