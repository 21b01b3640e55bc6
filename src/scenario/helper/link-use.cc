/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-use.h"

#include <algorithm>

namespace ns3
{

Ptr<LinkUse>
LinkUse::Watch(FabricPort& port)
{
    const auto use = CreateObject<LinkUse>();
    port.AddStage(use);
    return use;
}

void
LinkUse::Depart(FabricItem* item, const FabricPort& port)
{
    const int64_t now = DirectEvent::Now();
    const int64_t transmission = port.GetTransmissionSteps(item->size);
    m_busy += transmission;
    m_end = now + transmission;
    while (!m_arrivals.empty() && m_arrivals.front() < now)
    {
        m_arrivals.pop_front();
    }
    m_arrivals.push_back(m_end + port.GetDelaySteps());
}

Time
LinkUse::GetBusyTime() const
{
    return TimeStep(m_busy - std::max<int64_t>(0, m_end - DirectEvent::Now()));
}

uint64_t
LinkUse::GetOnLink() const
{
    return m_arrivals.end() - std::ranges::upper_bound(m_arrivals, DirectEvent::Now());
}

uint64_t
LinkUse::GetArriving() const
{
    return std::ranges::equal_range(m_arrivals, DirectEvent::Now()).size();
}

} // namespace ns3
