/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mptcp-subflow.h"

#include "lean-transport.h"
#include "mptcp-connection.h"

namespace ns3
{

MptcpSubflow::MptcpSubflow(LeanTransport& transport,
                           std::shared_ptr<MptcpConnection> connection,
                           const FlowRequest& request,
                           const MptcpPath& path)
    : LeanTcpConnection(transport,
                        request.source,
                        request.destination,
                        transport.TakePort(request.source)),
      m_connection(std::move(connection)),
      m_places(16) // a power of two
{
    SetPath(path);
}

void
MptcpSubflow::OnSent(uint64_t end)
{
    if (m_segments - GetSender().GetScoreboard().GetFirst() == m_places.size()) [[unlikely]]
    {
        GrowPlaces();
    }
    const auto length = static_cast<uint32_t>(end - m_sent);
    GetPlace(m_segments) = m_connection->Take(*this, length);
    ++m_segments;
    m_sent = end;
}

void
MptcpSubflow::GrowPlaces()
{
    const std::size_t size = m_places.size();
    std::vector<uint64_t> old(2 * size);
    old.swap(m_places);
    for (uint64_t number = m_segments - size; number < m_segments; ++number)
    {
        GetPlace(number) = old[number & (size - 1)];
    }
}

uint64_t
MptcpSubflow::GetStreamEnd()
{
    return m_sent + m_connection->Offer(*this);
}

void
MptcpSubflow::MapData(uint64_t number, LeanTcpHeader& header)
{
    header.acknowledgment = GetPlace(number);
}

void
MptcpSubflow::OnMappedData(const LeanTcpHeader& header)
{
    m_connection->HandleData(header.acknowledgment, header.length);
}

void
MptcpSubflow::AcknowledgeData(LeanTcpHeader& header)
{
    header.sequence = m_connection->GetNextExpected();
}

void
MptcpSubflow::OnDelivered(uint64_t /* next */)
{
    m_connection->Deliver();
}

void
MptcpSubflow::OnDataAcknowledgment(const LeanTcpHeader& header)
{
    m_connection->HandleDataAcknowledgment(header.sequence, header.window);
}

void
MptcpSubflow::OnAcknowledged(uint64_t /* head */)
{
    m_connection->HandleAcknowledged(*this);
}

void
MptcpSubflow::OnEstablished()
{
    m_connection->HandleEstablished();
}

void
MptcpSubflow::OnTimeout()
{
    m_connection->HandleTimeout(*this);
}

} // namespace ns3
