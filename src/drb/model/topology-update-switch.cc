/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-update-switch.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TopologyUpdateSwitch");

namespace
{

constexpr uint8_t NETWORK_CONTROL = 48 << 2; //!< ToS field: class selector 6 (RFC 4594)

/// Hello intervals of silence after which a link counts as failed (not in the paper).
constexpr int64_t DEAD_AFTER = 3;

/// Bytes of a hello, and of an advertisement without its ports: headers of IPv4 and UDP, kind,
/// origin, sequence number (not in the paper).
constexpr uint16_t MESSAGE_SIZE = 40;

/// Bytes that each port adds to an advertisement: port, neighbor, state (not in the paper).
constexpr uint16_t PORT_STATE_SIZE = 8;

} // namespace

TopologyUpdateSwitch::TopologyUpdateSwitch(const Fabric& fabric,
                                           uint32_t index,
                                           const TopologyUpdateSettings& settings)
    : m_node(fabric.GetSwitch(index)),
      m_index(index),
      m_settings(settings),
      m_sequences(fabric.GetNSwitches())
{
    for (uint16_t p = 0; p < m_node.GetNPorts(); ++p)
    {
        const FabricPort* port = &m_node.GetPort(p);
        const auto& description = port->GetDescription();
        if (description.peerTier == 0)
        {
            m_servers.push_back(p);
            continue;
        }
        const bool isSecond = port == fabric.GetLink(description.link)[1];
        const LinkEnd end = 2 * description.link + (isSecond ? 1 : 0);
        m_links.push_back({p, end, description.peerTier > description.tier, true, Time(0)});
    }
    m_node.AddIngressStage(this);
}

TopologyUpdateSwitch::Link*
TopologyUpdateSwitch::Find(uint16_t port)
{
    const auto link = std::find_if(m_links.begin(), m_links.end(), [port](const Link& l) {
        return l.port == port;
    });
    return link == m_links.end() ? nullptr : &*link;
}

void
TopologyUpdateSwitch::SetInitialState(uint16_t port, bool up, Time heard)
{
    Link& link = *Find(port);
    link.up = up;
    link.heard = heard;
}

void
TopologyUpdateSwitch::Start(Time hello, Time advertisement)
{
    if (m_settings.detection == TopologyUpdateSettings::HELLO)
    {
        Call(hello, &TopologyUpdateSwitch::SendHellos);
        for (std::size_t i = 0; i < m_links.size(); ++i)
        {
            if (m_links[i].up)
            {
                AwaitHello(i);
            }
        }
    }
    if (!m_settings.advertisementInterval.IsZero())
    {
        Call(advertisement, &TopologyUpdateSwitch::HandleAdvertisementTimer);
    }
}

void
TopologyUpdateSwitch::Call(Time delay, void (TopologyUpdateSwitch::*method)())
{
    Simulator::ScheduleWithContext(m_node.GetContext(), delay, method, this);
}

// ---- Detection ----

void
TopologyUpdateSwitch::SendHellos()
{
    for (const Link& link : m_links)
    {
        m_counts.hellos += Send(link.port, nullptr);
    }
    Call(m_settings.helloInterval, &TopologyUpdateSwitch::SendHellos);
}

void
TopologyUpdateSwitch::ReceiveHello(Link& link)
{
    link.heard = Simulator::Now();
    if (!link.up)
    {
        SetPortUp(link.port, true);
        AwaitHello(&link - m_links.data());
    }
}

void
TopologyUpdateSwitch::AwaitHello(std::size_t link)
{
    const Time due = m_links[link].heard + DEAD_AFTER * m_settings.helloInterval;
    Simulator::ScheduleWithContext(m_node.GetContext(),
                                   std::max(due - Simulator::Now(), Time(0)),
                                   &TopologyUpdateSwitch::CheckHello,
                                   this,
                                   link);
}

void
TopologyUpdateSwitch::CheckHello(std::size_t link)
{
    const Time silence = Simulator::Now() - m_links[link].heard;
    if (silence < DEAD_AFTER * m_settings.helloInterval)
    {
        AwaitHello(link); // a hello came since
    }
    else
    {
        SetPortUp(m_links[link].port, false);
    }
}

void
TopologyUpdateSwitch::SetPortUp(uint16_t port, bool up)
{
    Link& link = *Find(port);
    if (link.up != up)
    {
        NS_LOG_INFO(m_node.GetName() << ": port " << port << (up ? " works" : " failed"));
        link.up = up;
        ScheduleAdvertisement();
    }
}

// ---- Advertisements ----

void
TopologyUpdateSwitch::ScheduleAdvertisement()
{
    if (!m_advertisePending) // what is found at one time is said at once
    {
        m_advertisePending = true;
        Call(Time(0), &TopologyUpdateSwitch::Advertise);
    }
}

void
TopologyUpdateSwitch::HandleAdvertisementTimer()
{
    ScheduleAdvertisement();
    Call(m_settings.advertisementInterval, &TopologyUpdateSwitch::HandleAdvertisementTimer);
}

void
TopologyUpdateSwitch::Advertise()
{
    m_advertisePending = false;
    auto advertisement = std::make_shared<LinkStateAdvertisement>();
    advertisement->origin = m_index;
    advertisement->sequence = ++m_sequences[m_index];
    for (const Link& link : m_links)
    {
        advertisement->ports.push_back({link.end, link.up});
    }
    const uint64_t before = m_counts.advertisements;
    const bool toSwitches = Forward(advertisement, nullptr) > 0;
    m_counts.originated += m_counts.advertisements > before ? 1 : 0;
    m_counts.broadcast += toSwitches ? 1 : 0;
}

void
TopologyUpdateSwitch::ReceiveAdvertisement(
    const std::shared_ptr<const LinkStateAdvertisement>& advertisement,
    const Link& from)
{
    uint32_t& last = m_sequences[advertisement->origin];
    if (advertisement->sequence <= last)
    {
        ++m_counts.duplicates;
        return;
    }
    last = advertisement->sequence;
    Forward(advertisement, &from);
}

uint32_t
TopologyUpdateSwitch::Forward(const std::shared_ptr<const LinkStateAdvertisement>& advertisement,
                              const Link* from)
{
    uint32_t copies = 0;
    for (const Link& to : m_links)
    {
        if (to.up && MayPass(from, to))
        {
            copies += Send(to.port, advertisement);
        }
    }
    m_counts.advertisements += copies;
    for (const uint16_t port : m_servers)
    {
        m_counts.advertisements += Send(port, advertisement);
    }
    return copies;
}

bool
TopologyUpdateSwitch::MayPass(const Link* from, const Link& to) const
{
    if (from && from->port == to.port)
    {
        return false;
    }
    if (m_settings.flooding == TopologyUpdateSettings::UNRESTRICTED)
    {
        return true;
    }
    return from ? !(from->leadsUp && to.leadsUp) // rule 3
                : m_node.GetTier() > 1;          // rule 2
}

// ---- Messages ----

uint32_t
TopologyUpdateSwitch::Send(uint16_t port,
                           const std::shared_ptr<const LinkStateAdvertisement>& advertisement)
{
    if (!m_node.GetPort(port).IsUp())
    {
        return 0;
    }
    FabricItem* item = FabricItem::Create();
    item->extension = new TopologyMessage(advertisement);
    item->tos = NETWORK_CONTROL;
    item->SetClass(FabricItem::CONTROL);
    item->size = MESSAGE_SIZE;
    if (advertisement)
    {
        const std::size_t states = advertisement->ports.size() * PORT_STATE_SIZE;
        item->size = static_cast<uint16_t>(item->size + states);
    }
    m_node.GetPort(port).Send(item);
    return 1;
}

bool
TopologyUpdateSwitch::Process(FabricItem* item)
{
    const TopologyMessage* message = TopologyMessage::Find(*item);
    if (!message)
    {
        return true;
    }
    if (Link* from = Find(item->inPort)) // a server has nothing to say (rule 1)
    {
        if (message->advertisement)
        {
            ReceiveAdvertisement(message->advertisement, *from);
        }
        else
        {
            ReceiveHello(*from);
        }
    }
    item->Release();
    return false;
}

} // namespace ns3
