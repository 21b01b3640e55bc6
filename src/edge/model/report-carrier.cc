/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "report-carrier.h"

#include "pair-edge.h"

namespace ns3
{

namespace
{

constexpr uint16_t MOST_WITH_OPTION = 1500; //!< IP datagram with the option: Ethernet's MTU

} // namespace

ReportCarrier::ReportCarrier(PairEdge& edge, Time patience, uint16_t size)
    : m_edge(edge),
      m_patience(patience.GetTimeStep()),
      m_size(size),
      m_timer(DirectEvent::Call<&ReportCarrier::HandleTimer>, this)
{
}

void
ReportCarrier::Take(const PairReport& report)
{
    const int64_t deadline = DirectEvent::Now() + m_patience;
    const auto [place, isNew] = m_waiting.try_emplace(report.pair, Waiting{report, deadline});
    place->second.report = report;
    if (isNew)
    {
        m_looks.push_back({report.pair, deadline});
    }
    if (!m_timer.IsPending())
    {
        m_timer.Set(m_looks.front().time - DirectEvent::Now());
    }
}

void
ReportCarrier::Depart(FabricItem* item, const FabricPort& /* port */)
{
    if (m_waiting.empty() || item->extension || item->size + m_size > MOST_WITH_OPTION)
    {
        return;
    }
    const uint32_t tag = m_edge.GetFabric().GetFlowTag(*item).pair;
    if (tag == 0)
    {
        return;
    }
    const bool isAnswer = item->kind & FabricItem::TOWARDS_SENDER;
    const auto found = m_waiting.find(isAnswer ? tag - 1 : TenantTable::Reverse(tag - 1));
    if (found != m_waiting.end())
    {
        item->extension = new RidingReport(found->second.report);
        item->size += m_size;
        m_edge.CountRide();
        m_waiting.erase(found);
    }
}

PairReport
ReportCarrier::Unload(FabricItem& item, uint16_t size)
{
    const auto* riding = dynamic_cast<const RidingReport*>(item.extension);
    if (!riding)
    {
        return {};
    }
    const PairReport report = riding->report;
    delete item.extension;
    item.extension = nullptr;
    item.size -= size;
    return report;
}

void
ReportCarrier::HandleTimer()
{
    const int64_t now = DirectEvent::Now();
    while (!m_looks.empty() && m_looks.front().time <= now)
    {
        const auto found = m_waiting.find(m_looks.front().pair);
        m_looks.pop_front();
        if (found != m_waiting.end() && found->second.deadline <= now)
        {
            m_edge.SendReportPacket(found->second.report);
            m_waiting.erase(found);
        }
    }
    if (!m_looks.empty())
    {
        m_timer.Set(m_looks.front().time - now);
    }
}

} // namespace ns3
