/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bouncing-agent.h"

#include "ns3/fabric.h"
#include "ns3/flow-hash.h"
#include "ns3/log.h"
#include "ns3/logged-item.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("BouncingAgent");
NS_OBJECT_ENSURE_REGISTERED(BouncingAgent);

TypeId
BouncingAgent::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BouncingAgent")
                            .SetParent<EdgeAgent>()
                            .SetGroupName("Drb")
                            .AddTraceSource("Bounce",
                                            "A packet is encapsulated",
                                            MakeTraceSourceAccessor(&BouncingAgent::m_bounceTrace),
                                            "ns3::BouncingAgent::BounceTracedCallback")
                            .AddTraceSource("View",
                                            "What the server believes of the network has changed",
                                            MakeTraceSourceAccessor(&BouncingAgent::m_viewTrace),
                                            "ns3::BouncingAgent::ViewTracedCallback");
    return tid;
}

BouncingAgent::BouncingAgent()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
BouncingAgent::Setup(const Settings& settings)
{
    m_settings = settings;
}

void
BouncingAgent::DoInstall()
{
    m_rack = GetHost().GetFabric().GetLocation(GetHost().GetIndex()).rack;
}

void
BouncingAgent::DoDispose()
{
    m_settings = {};
    m_random = nullptr;
    m_view = nullptr;
    EdgeAgent::DoDispose();
}

void
BouncingAgent::SetView(std::shared_ptr<const TopologyView> view)
{
    if (view != m_view)
    {
        m_view = std::move(view);
        m_viewTrace(m_view ? static_cast<uint32_t>(m_view->GetDownLinks().size()) : 0);
    }
}

void
BouncingAgent::StartUpdates(const std::shared_ptr<TopologyViews>& views,
                            const std::vector<uint32_t>& down)
{
    const uint32_t switches = GetHost().GetFabric().GetNSwitches();
    m_updates = std::make_unique<TopologyUpdateServer>(views, switches, down);
    SetView(m_updates->GetView());
}

void
BouncingAgent::Incoming(FabricItem* item)
{
    const TopologyMessage* message = TopologyMessage::Find(*item);
    if (!message) [[likely]]
    {
        DeliverOn(item);
        return;
    }
    if (message->advertisement && m_updates->Receive(*message->advertisement))
    {
        SetView(m_updates->GetView());
    }
    item->Release();
}

void
BouncingAgent::Outgoing(FabricItem* item)
{
    const Fabric& fabric = GetHost().GetFabric();
    const uint16_t rack = fabric.GetLocation(item->destination).rack;
    if (item->route || (rack == m_rack && !m_settings.withinRack))
    {
        SendOn(item);
        return;
    }
    if (m_view && !m_view->HasUsable(m_rack, rack)) [[unlikely]]
    {
        ++m_noPoint;
        GetHost().DropOutgoing(item);
        return;
    }
    const auto payload = fabric.GetPayload(*item);
    const bool hasPayload = payload && payload->length > 0;
    const uint32_t point = m_settings.selector ? TakeTurn(item->destination, hasPayload, rack)
                                               : HashConnection(item->hash, rack);
    NS_LOG_LOGIC(LoggedItem(*item, fabric) << ": by bouncing point " << point);
    item->route = m_settings.routes->GetUpRoute(m_rack, point);
    item->size += m_settings.outerHeader;
    m_bounceTrace(item->destination, point, hasPayload);
    SendOn(item);
}

uint32_t
BouncingAgent::TakeTurn(uint32_t destination, bool hasPayload, uint16_t rack)
{
    if (m_turns.empty())
    {
        m_turns.resize(GetHost().GetFabric().GetNHosts(), {NOT_STARTED, NOT_STARTED});
    }
    uint16_t& turn = m_turns[destination][hasPayload];
    if (turn == NOT_STARTED)
    {
        turn = static_cast<uint16_t>(m_random->GetInteger(0, m_settings.routes->GetNPoints() - 1));
    }
    uint32_t point = m_settings.selector->Choose(turn, *m_random);
    while (!IsUsable(rack, point)) [[unlikely]]
    {
        point = m_settings.selector->Choose(turn, *m_random);
    }
    return point;
}

uint32_t
BouncingAgent::HashConnection(uint32_t hash, uint16_t rack)
{
    if (!m_salt)
    {
        m_salt = m_random->GetInteger(0, UINT32_MAX - 1);
    }
    const uint32_t points = m_settings.routes->GetNPoints();
    uint32_t mixed = HashFiveTuple(hash, *m_salt, 0, 0, 0);
    while (!IsUsable(rack, mixed % points)) [[unlikely]]
    {
        mixed = HashFiveTuple(mixed, *m_salt, 0, 0, 0);
    }
    return mixed % points;
}

int64_t
BouncingAgent::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3
