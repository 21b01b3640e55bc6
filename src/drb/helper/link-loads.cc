/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-loads.h"

#include <algorithm>

namespace ns3
{

LinkLoads::LinkLoads(const Fabric& fabric, const BouncingRoutes& routes)
    : m_fabric(fabric),
      m_routes(routes),
      m_up(static_cast<std::size_t>(routes.GetNRacks()) * routes.GetNPoints()),
      m_down(m_up.size()),
      m_hosts(fabric.GetNHosts())
{
    fabric.ForEachPort(
        [this](const FabricPort& port) { m_place[&port] = static_cast<uint32_t>(m_place.size()); });
    m_loads.resize(m_place.size());
    const auto layers = static_cast<std::ptrdiff_t>(routes.GetRadices().size());
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const std::size_t first =
            static_cast<std::size_t>(fabric.GetLocation(host).rack) * routes.GetNPoints();
        for (std::size_t place = first; place < first + routes.GetNPoints(); ++place)
        {
            // From the host up, and down to it again.
            const auto path =
                routes.GetPath(fabric, host, static_cast<uint32_t>(place - first), host);
            Links links(path.size());
            std::ranges::transform(path, links.begin(), [this](const FabricPort* port) {
                return m_place.at(port);
            });
            m_hosts[host] = {links.front(), links.back()};
            if (!m_up[place].empty())
            {
                break; // another host of the rack was here
            }
            const auto top = links.begin() + 1 + layers;
            m_up[place].assign(links.begin() + 1, top);
            m_down[place].assign(top, links.end() - 1);
        }
    }
}

void
LinkLoads::Add(uint32_t source,
               uint32_t destination,
               double rate,
               const std::vector<double>& shares)
{
    const double bps =
        rate * static_cast<double>(
                   m_fabric.GetHost(source).GetNicPort().GetDescription().rate.GetBitRate());
    const std::size_t points = m_routes.GetNPoints();
    const std::size_t from = m_fabric.GetLocation(source).rack * points;
    const std::size_t to = m_fabric.GetLocation(destination).rack * points;
    for (std::size_t point = 0; point < points; ++point)
    {
        const double part = bps * shares[point];
        if (part <= 0)
        {
            continue;
        }
        m_loads[m_hosts[source].front()] += part;
        m_loads[m_hosts[destination].back()] += part;
        for (const Links* links : {&m_up[from + point], &m_down[to + point]})
        {
            for (const uint32_t link : *links)
            {
                m_loads[link] += part;
            }
        }
    }
}

double
LinkLoads::GetLoad(const FabricPort& port) const
{
    return m_loads[m_place.at(&port)] /
           static_cast<double>(port.GetDescription().rate.GetBitRate());
}

uint32_t
LinkLoads::GetLink(const FabricPort& port) const
{
    const FabricPort::Description& description = port.GetDescription();
    const auto highest = static_cast<uint32_t>(m_routes.GetRadices().size() + 1);
    return description.peerTier > description.tier ? description.tier
                                                   : 2 * highest - description.tier;
}

void
LinkLoads::Clear()
{
    std::ranges::fill(m_loads, 0);
}

} // namespace ns3
