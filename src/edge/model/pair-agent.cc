/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pair-agent.h"

#include "pair-edge.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PairAgent);

TypeId
PairAgent::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PairAgent").SetParent<EdgeAgent>().SetGroupName("Edge");
    return tid;
}

PairAgent::PairAgent(PairEdge& edge)
    : m_edge(edge)
{
}

void
PairAgent::Incoming(FabricItem* item)
{
    if (item->extension) [[unlikely]]
    {
        m_edge.UnloadReport(*item);
    }
    if (const uint32_t pair = m_edge.GetPairOf(*item))
    {
        m_edge.Receive(pair - 1, *item);
    }
    DeliverOn(item);
}

} // namespace ns3
