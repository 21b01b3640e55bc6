/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-agent.h"

#include "fabric-host.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EdgeAgent);

TypeId
EdgeAgent::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EdgeAgent").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

void
EdgeAgent::SendOn(FabricItem* item)
{
    if (m_below)
    {
        m_below->Outgoing(item);
    }
    else
    {
        m_host->Transmit(item);
    }
}

void
EdgeAgent::DeliverOn(FabricItem* item)
{
    if (m_above)
    {
        m_above->Incoming(item);
    }
    else
    {
        m_host->Deliver(item);
    }
}

void
EdgeAgent::DoDispose()
{
    m_host = nullptr;
    m_below = nullptr;
    m_above = nullptr;
    Object::DoDispose();
}

} // namespace ns3
