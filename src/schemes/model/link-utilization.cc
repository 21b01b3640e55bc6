/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-utilization.h"

#include "ns3/direct-event.h"
#include "ns3/fabric-item.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LinkUtilization);

TypeId
LinkUtilization::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LinkUtilization").SetParent<PortStage>().SetGroupName("Schemes");
    return tid;
}

LinkUtilization::LinkUtilization(Time time)
    : m_time(static_cast<double>(time.GetTimeStep()))
{
}

void
LinkUtilization::Depart(FabricItem* item, const FabricPort& port)
{
    const int64_t now = DirectEvent::Now();
    m_busy = Get(now) * m_time + static_cast<double>(port.GetTransmissionSteps(item->size));
    m_last = now;
}

double
LinkUtilization::Get(int64_t now) const
{
    return m_busy / m_time * std::exp(static_cast<double>(m_last - now) / m_time);
}

} // namespace ns3
