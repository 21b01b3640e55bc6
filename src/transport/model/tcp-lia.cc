/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-lia.h"

#include "tcp-ops-compatibility.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TcpLia);

namespace
{

/**
 * @param state of a connection
 * @return congestion window in whole segments, at least one
 */
uint32_t
CountSegments(const TcpSocketState& state)
{
    return std::max(1U, state.m_cWnd.Get() / state.m_segmentSize);
}

} // namespace

uint32_t
LiaCoupling::Join()
{
    m_members.emplace_back();
    return static_cast<uint32_t>(m_members.size() - 1);
}

void
LiaCoupling::Update(uint32_t subflow, uint32_t window, double rtt)
{
    if (rtt > 0)
    {
        const double rate = window / rtt;
        m_members[subflow] = {static_cast<double>(window), rate, rate / rtt};
    }
}

double
LiaCoupling::GetAlpha() const
{
    double total = 0;
    for (const Member& member : m_members)
    {
        total += member.window;
    }
    return total > 0 ? total / GetCoupledSegments() : 1;
}

double
LiaCoupling::GetCoupledSegments() const
{
    if (m_members.size() == 1)
    {
        return m_members[0].window; // exactly: one subflow is Reno
    }
    double rate = 0;
    double best = 0;
    for (const Member& member : m_members)
    {
        rate += member.rate;
        best = std::max(best, member.rateOverRtt);
    }
    return best > 0 ? rate * rate / best : 0;
}

TypeId
TcpLia::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TcpLia")
                            .SetParent<TcpLinuxReno>()
                            .SetGroupName("Transport")
                            .AddConstructor<TcpLia>();
    return tid;
}

TcpLia::TcpLia(const TcpLia& other)
    : TcpLinuxReno(other)
{
}

void
TcpLia::SetCoupling(Ptr<LiaCoupling> coupling)
{
    m_coupling = coupling;
    m_number = m_coupling->Join();
}

std::string
TcpLia::GetName() const
{
    return "TcpLia";
}

Ptr<TcpCongestionOps>
TcpLia::Fork()
{
    return CopyObject<TcpLia>(this);
}

void
TcpLia::Publish(const TcpSocketState& state, uint32_t window) const
{
    if (m_coupling)
    {
        m_coupling->Update(m_number, window, SmoothedRtt(state).Get().GetSeconds());
    }
}

void
TcpLia::PktsAcked(Ptr<TcpSocketState> tcb, uint32_t /* segmentsAcked */, const Time& /* rtt */)
{
    Publish(*tcb, CountSegments(*tcb));
}

void
TcpLia::CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event)
{
    if (event == TcpSocketState::CA_EVENT_LOSS)
    {
        Publish(*tcb, 1); // a timeout: maybe no acknowledgment will ever tell of the window
    }
}

void
TcpLia::CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    if (!tcb->m_isCwndLimited)
    {
        return; // as TcpLinuxReno: a window that is not used is not tried, either
    }
    // Reno's counting (RFC 5681, section 3.1) with other numbers: RFC 6356, section 3 lets the
    // window grow by alpha / w per segment, yet by no more than Reno's 1 / w_i.
    const uint32_t window = CountSegments(*tcb);
    Publish(*tcb, window);
    double needed = window;
    if (m_coupling)
    {
        needed = std::max(needed, m_coupling->GetCoupledSegments());
    }
    if (m_acknowledged >= needed) // gathered when more was needed
    {
        m_acknowledged = 0;
        tcb->m_cWnd += tcb->m_segmentSize;
    }
    m_acknowledged += segmentsAcked;
    if (m_acknowledged >= needed)
    {
        const double growth = std::floor(m_acknowledged / needed);
        m_acknowledged -= growth * needed;
        tcb->m_cWnd += static_cast<uint32_t>(growth) * tcb->m_segmentSize;
    }
}

} // namespace ns3
