/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mptcp-connection.h"

#include "mptcp-transport.h"
#include "tcp-ops-compatibility.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <array>

namespace ns3
{

MptcpConnection::MptcpConnection(MptcpTransport& transport,
                                 const FlowRecord& record,
                                 std::vector<MptcpPath> paths)
    : m_transport(transport),
      m_record(record),
      m_paths(std::move(paths)),
      m_coupling(transport.IsCoupled() ? Create<LiaCoupling>() : nullptr),
      m_end(record.request.bytes ? record.request.bytes : LeanTcpHeader::ENDLESS),
      m_window(transport.GetSettings().m_rcvWindow)
{
    m_subflows.reserve(m_paths.size());
}

void
MptcpConnection::Open(const std::shared_ptr<MptcpConnection>& self)
{
    m_self = self;
    OpenSubflow(0);
}

void
MptcpConnection::OpenSubflow(std::size_t number)
{
    auto subflow = std::make_unique<MptcpSubflow>(m_transport,
                                                  m_self.lock(),
                                                  m_record.request,
                                                  m_paths[number]);
    subflow->SetTag(m_record.GetTag());
    m_subflows.push_back(subflow.get());
    LeanTcpSender& sender = subflow->GetSender();
    if (m_coupling)
    {
        DynamicCast<TcpLia>(sender.GetCongestionOps())->SetCoupling(m_coupling);
    }
    m_transport.Adopt(std::move(subflow));
    sender.Open();
}

void
MptcpConnection::HandleEstablished()
{
    // A path joins a connection that exists (RFC 8684, section 3.2), and only for data that is
    // left.
    while (m_subflows.size() < m_paths.size() && m_next < m_end)
    {
        OpenSubflow(m_subflows.size());
    }
}

void
MptcpConnection::ForgetPaths()
{
    std::fill(m_paths.begin(), m_paths.end(), MptcpPath{});
    for (MptcpSubflow* subflow : m_subflows)
    {
        subflow->SetPath({});
    }
}

// ---- Sending ----

MptcpConnection::Reinjection*
MptcpConnection::FindReinjection(const MptcpSubflow& subflow)
{
    // What was acknowledged meanwhile needs no other way.
    while (!m_reinjections.empty() && m_reinjections.front().end <= m_acknowledged)
    {
        m_reinjections.pop_front();
    }
    const auto found =
        std::find_if(m_reinjections.begin(), m_reinjections.end(), [&](const Reinjection& r) {
            return r.origin != &subflow && r.end > std::max(r.begin, m_acknowledged);
        });
    if (found == m_reinjections.end())
    {
        return nullptr;
    }
    found->begin = std::max(found->begin, m_acknowledged);
    return &*found;
}

uint64_t
MptcpConnection::Offer(const MptcpSubflow& subflow)
{
    if (!m_reinjections.empty()) [[unlikely]]
    {
        if (const Reinjection* reinjection = FindReinjection(subflow))
        {
            return reinjection->end - reinjection->begin;
        }
    }
    const uint64_t left = m_end - m_next;
    const uint64_t room = left > 0 ? GetRoom() : 0;
    if (room >= left)
    {
        return left;
    }
    if (room >= m_transport.GetSettings().m_segmentSize)
    {
        return room;
    }
    m_refused = true; // a window's rest is not cut off (RFC 9293, section 3.8.6.2.1)
    return 0;
}

uint64_t
MptcpConnection::Take(const MptcpSubflow& subflow, uint32_t length)
{
    if (!m_reinjections.empty()) [[unlikely]]
    {
        if (Reinjection* reinjection = FindReinjection(subflow))
        {
            m_transport.CountReinjected(length);
            const uint64_t begin = reinjection->begin;
            reinjection->begin += length;
            if (reinjection->begin == reinjection->end && reinjection == &m_reinjections.front())
            {
                m_reinjections.pop_front();
            }
            return begin;
        }
    }
    if (m_next == 0) [[unlikely]]
    {
        m_record.firstSent = Simulator::Now();
    }
    m_next += length;
    return m_next - length;
}

uint64_t
MptcpConnection::GetRoom() const
{
    if (m_subflows.size() == 1)
    {
        return UINT64_MAX; // the windows of the subflow are those of the connection
    }
    uint64_t room = m_window > GetOutstanding() ? m_window - GetOutstanding() : 0;
    if (const uint32_t limit = m_transport.GetSettings().m_maxWindow)
    {
        uint64_t underWay = 0;
        for (const MptcpSubflow* subflow : m_subflows)
        {
            underWay += subflow->GetSender().GetScoreboard().GetPipe();
        }
        room = std::min<uint64_t>(room, limit > underWay ? limit - underWay : 0);
    }
    return room;
}

void
MptcpConnection::AskOthers(const MptcpSubflow& subflow)
{
    std::array<MptcpSubflow*, MptcpTransport::MAX_SUBFLOWS> others{};
    const auto end =
        std::copy_if(m_subflows.begin(),
                     m_subflows.end(),
                     others.begin(),
                     [&subflow](MptcpSubflow* other) {
                         return other != &subflow && other->GetSender().IsEstablished();
                     });
    std::stable_sort(others.begin(), end, [](MptcpSubflow* a, MptcpSubflow* b) {
        return SmoothedRtt(*a->GetSender().GetState()).Get() <
               SmoothedRtt(*b->GetSender().GetState()).Get();
    });
    std::for_each(others.begin(), end, [](MptcpSubflow* other) {
        LeanTcpSender& sender = other->GetSender();
        sender.SetStreamEnd(sender.GetNextNew());
    });
}

void
MptcpConnection::HandleDataAcknowledgment(uint64_t next, uint32_t window)
{
    if (next >= m_acknowledged)
    {
        m_acknowledged = next;
        m_window = window;
    }
}

void
MptcpConnection::HandleAcknowledged(const MptcpSubflow& subflow)
{
    if (m_acknowledged >= m_end)
    {
        m_record.acknowledged = Simulator::Now();
        m_transport.Finish(*this);
    }
    else if (m_refused && GetRoom() >= m_transport.GetSettings().m_segmentSize)
    {
        m_refused = false;
        AskOthers(subflow);
    }
}

void
MptcpConnection::HandleTimeout(MptcpSubflow& subflow)
{
    if (!m_transport.Reinjects() || m_subflows.size() == 1)
    {
        return;
    }
    subflow.ForEachOutstanding([&](uint64_t begin, uint64_t end) {
        if (end > m_acknowledged)
        {
            m_reinjections.push_back({begin, end, &subflow});
        }
    });
    AskOthers(subflow);
}

// ---- Receiving ----

void
MptcpConnection::Deliver()
{
    const uint64_t from = m_delivered;
    m_delivered = m_data.GetNext();
    if (m_delivered > from)
    {
        m_record.delivered = Simulator::Now();
        m_transport.HandleDelivered(m_record, static_cast<uint32_t>(m_delivered - from));
    }
}

} // namespace ns3
