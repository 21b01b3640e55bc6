/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-update.h"

#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

TopologyUpdate::TopologyUpdate(Fabric& fabric,
                               std::shared_ptr<const BouncingRoutes> routes,
                               Mode mode,
                               const TopologyUpdateSettings& settings)
    : m_fabric(fabric),
      m_mode(mode),
      m_settings(settings),
      m_routes(std::move(routes))
{
    fabric.TraceConnectWithoutContext("LinkState",
                                      MakeCallback(&TopologyUpdate::LinkChanged, this));
    if (m_mode == ALWAYS)
    {
        Simulator::ScheduleNow(&TopologyUpdate::Start, this); // until then links may fail
    }
}

void
TopologyUpdate::AddServer(BouncingAgent* agent)
{
    m_agents.push_back(agent);
    agent->TraceConnectWithoutContext("View", MakeCallback(&TopologyUpdate::ServerTold, this));
}

void
TopologyUpdate::ServerTold(uint32_t /* down */)
{
    Change& change = m_changes.back(); // views follow from changes alone
    change.firstTold = change.views == 0 ? Simulator::Now() : change.firstTold;
    change.lastTold = Simulator::Now();
    ++change.views;
}

void
TopologyUpdate::LinkChanged(uint32_t link, bool up)
{
    const auto ports = m_fabric.GetLink(link);
    const auto& description = ports[0]->GetDescription();
    if (description.tier == 0 || description.peerTier == 0)
    {
        return; // no other way leads to that server: there is nothing to choose
    }
    if (m_changes.empty() || m_changes.back().time != Simulator::Now())
    {
        m_changes.push_back({Simulator::Now(), Time(0), Time(0)});
    }
    if (m_mode == AT_ONCE || (!IsRunning() && Simulator::Now().IsZero()))
    {
        if (up)
        {
            m_known.erase(link);
        }
        else
        {
            m_known.insert(link);
        }
        InformAll();
        return;
    }
    if (!IsRunning())
    {
        Start();
    }
    if (m_settings.detection == TopologyUpdateSettings::LINK_DOWN)
    {
        for (const FabricPort* port : ports)
        {
            const uint32_t first = m_fabric.GetSwitch(0).GetContext();
            const uint32_t index = port->GetDescription().node->GetContext() - first;
            m_switches[index]->SetPortUp(port->GetDescription().index, up);
        }
    }
}

void
TopologyUpdate::InformAll()
{
    if (!m_views)
    {
        m_views = std::make_shared<TopologyViews>(m_fabric, *m_routes);
    }
    const auto view = m_views->Get({m_known.begin(), m_known.end()});
    for (BouncingAgent* agent : m_agents)
    {
        agent->SetView(view);
    }
}

void
TopologyUpdate::Start()
{
    if (IsRunning())
    {
        return;
    }
    InformAll();
    const std::vector<uint32_t> known(m_known.begin(), m_known.end());
    for (BouncingAgent* agent : m_agents)
    {
        agent->StartUpdates(m_views, known);
    }
    // Each switch says its first hello at a random moment of the first interval, and is taken to
    // have said one an interval before that.
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(m_stream);
    const auto draw = [&random](Time interval) { return interval * random->GetValue(0, 1); };
    std::vector<Time> hellos;
    for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
    {
        hellos.push_back(draw(m_settings.helloInterval));
        m_switches.push_back(std::make_unique<TopologyUpdateSwitch>(m_fabric, i, m_settings));
    }
    for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
    {
        const FabricSwitch& node = m_fabric.GetSwitch(i);
        for (uint16_t p = 0; p < node.GetNPorts(); ++p)
        {
            const auto& port = node.GetPort(p).GetDescription();
            if (port.peerTier > 0)
            {
                const uint32_t peer = port.peer->GetContext() - m_fabric.GetSwitch(0).GetContext();
                m_switches[i]->SetInitialState(p,
                                               !m_known.contains(port.link),
                                               Simulator::Now() + hellos[peer] -
                                                   m_settings.helloInterval);
            }
        }
        m_switches[i]->Start(hellos[i], draw(m_settings.advertisementInterval));
    }
}

TopologyUpdate::Counts
TopologyUpdate::GetCounts() const
{
    Counts sum;
    for (const auto& daemon : m_switches)
    {
        const auto& counts = daemon->GetCounts();
        sum.hellos += counts.hellos;
        sum.originated += counts.originated;
        sum.broadcast += counts.broadcast;
        sum.advertisements += counts.advertisements;
        sum.duplicates += counts.duplicates;
        sum.originators += counts.originated > 0 ? 1 : 0;
        sum.broadcasters += counts.broadcast > 0 ? 1 : 0;
    }
    for (const BouncingAgent* agent : m_agents)
    {
        if (const TopologyUpdateServer* server = agent->GetUpdates())
        {
            sum.received += server->GetReceived();
            sum.receivedDuplicates += server->GetDuplicates();
        }
    }
    return sum;
}

} // namespace ns3
