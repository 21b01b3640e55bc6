/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-update-server.h"

#include <algorithm>

namespace ns3
{

TopologyUpdateServer::TopologyUpdateServer(std::shared_ptr<TopologyViews> views,
                                           uint32_t switches,
                                           const std::vector<uint32_t>& down)
    : m_views(std::move(views)),
      m_sequences(switches),
      m_view(m_views->Get(down))
{
    for (const uint32_t link : down)
    {
        m_down.insert(m_down.end(), {2 * link, 2 * link + 1});
    }
}

bool
TopologyUpdateServer::Receive(const LinkStateAdvertisement& advertisement)
{
    ++m_received;
    uint32_t& last = m_sequences[advertisement.origin];
    if (advertisement.sequence <= last)
    {
        ++m_duplicates;
        return false;
    }
    last = advertisement.sequence;
    bool news = false;
    for (const auto& [end, up] : advertisement.ports)
    {
        const auto place = std::lower_bound(m_down.begin(), m_down.end(), end);
        const bool wasUp = place == m_down.end() || *place != end;
        if (up == wasUp)
        {
            continue;
        }
        news = true;
        if (up)
        {
            m_down.erase(place);
        }
        else
        {
            m_down.insert(place, end);
        }
    }
    if (!news)
    {
        return false;
    }
    const auto view = m_views->Get(GetDownLinks());
    const bool changed = view != m_view; // equal views are the same object
    m_view = view;
    return changed;
}

std::vector<uint32_t>
TopologyUpdateServer::GetDownLinks() const
{
    std::vector<uint32_t> links(m_down.size());
    std::transform(m_down.begin(), m_down.end(), links.begin(), [](LinkEnd end) {
        return end / 2;
    });
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

} // namespace ns3
