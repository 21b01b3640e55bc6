/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-host.h"

#include "fabric.h"
#include "logged-item.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricHost");

/// @brief At the host's port: tells senders what becomes of their items there.
class FabricHost::DepartureNotifier : public PortStage
{
  public:
    explicit DepartureNotifier(const Fabric& fabric)
        : m_fabric(fabric)
    {
    }

    void Depart(FabricItem* item, const FabricPort& /* port */) override
    {
        if (ItemSink* sender = GetSender(*item))
        {
            sender->OnDeparture(*item);
        }
    }

    void NotifyDrop(FabricItem& item) const
    {
        if (ItemSink* sender = GetSender(item))
        {
            sender->OnHostDrop(item);
        }
    }

    void HandleDrop(const FabricItem* item, const char* /* reason */)
    {
        NotifyDrop(const_cast<FabricItem&>(*item));
    }

  private:
    ItemSink* GetSender(const FabricItem& item) const
    {
        return item.flow ? m_fabric.GetSendingEndpoint(item) : nullptr;
    }

    const Fabric& m_fabric; //!< knows the endpoints
};

FabricHost::FabricHost() = default;
FabricHost::~FabricHost() = default;

void
FabricHost::TrackDepartures()
{
    if (m_departures)
    {
        return;
    }
    m_departures = CreateObject<DepartureNotifier>(*m_fabric);
    GetNicPort().AddStage(m_departures);
    GetNicPort().GetQueueDisc().TraceConnectWithoutContext(
        "ItemDrop",
        MakeCallback(&DepartureNotifier::HandleDrop, PeekPointer(m_departures)));
}

void
FabricHost::DropOutgoing(FabricItem* item)
{
    NS_LOG_LOGIC(LoggedItem(*item, &m_ports[0]) << ": dropped before the port");
    if (m_departures)
    {
        m_departures->NotifyDrop(*item);
    }
    item->Release();
}

void
FabricHost::Receive(FabricItem* item)
{
    if (IsLost(item)) [[unlikely]]
    {
        return;
    }
    if (item->route && item->destination != m_index) [[unlikely]] // a wrong source route
    {
        ++m_stray;
        item->Release();
        return;
    }
    if (m_bottom)
    {
        m_bottom->Incoming(item);
    }
    else
    {
        Deliver(item);
    }
}

void
FabricHost::Touch(const FabricItem& item, bool further) const
{
    if (further)
    {
        m_ports[0].Touch(); // for the answer
        return;
    }
    __builtin_prefetch(item.transport);
    __builtin_prefetch(m_ports.get());
    __builtin_prefetch(m_bottom);
    __builtin_prefetch(item.flow ? m_fabric->GetEndpoint(item) : m_device);
}

void
FabricHost::Deliver(FabricItem* item)
{
    ItemSink* sink = item->flow ? m_fabric->GetEndpoint(*item) : m_device;
    if (sink) [[likely]]
    {
        sink->ReceiveItem(item);
        return;
    }
    NS_LOG_LOGIC(LoggedItem(*item, &m_ports[0]) << ": for nobody");
    ++m_stray; // such as a late retransmission for a flow that is over
    item->Release();
}

void
FabricHost::AddEdgeAgent(Ptr<EdgeAgent> agent)
{
    agent->m_host = this;
    agent->m_above = m_bottom;
    if (m_bottom)
    {
        m_bottom->m_below = PeekPointer(agent);
    }
    else
    {
        m_top = PeekPointer(agent);
    }
    m_bottom = PeekPointer(agent);
    m_agents.push_back(agent);
    agent->DoInstall();
}

} // namespace ns3
