/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-view.h"

namespace ns3
{

bool
TopologyView::HasUsable(uint16_t from, uint16_t to) const
{
    for (std::size_t word = 0; word < m_words; ++word)
    {
        if (~(m_cut[from * m_words + word] | m_cut[to * m_words + word]) != 0)
        {
            return true;
        }
    }
    return false;
}

TopologyViews::TopologyViews(const Fabric& fabric, const BouncingRoutes& routes)
    : m_ways(fabric.GetNLinks()),
      m_racks(routes.GetNRacks()),
      m_points(routes.GetNPoints())
{
    for (uint16_t rack = 0; rack < m_racks; ++rack)
    {
        for (uint16_t point = 0; point < m_points; ++point)
        {
            for (const uint32_t link : routes.GetUpLinks(fabric, rack, point))
            {
                m_ways[link].push_back({rack, point});
            }
        }
    }
}

std::shared_ptr<const TopologyView>
TopologyViews::Get(const std::vector<uint32_t>& down)
{
    if (down.empty())
    {
        return nullptr;
    }
    if (const auto known = m_known.find(down); known != m_known.end())
    {
        if (auto view = known->second.lock())
        {
            return view;
        }
    }
    std::erase_if(m_known, [](const auto& entry) { return entry.second.expired(); });
    auto view = Make(down);
    m_known.emplace(down, view);
    return view;
}

std::shared_ptr<const TopologyView>
TopologyViews::Make(const std::vector<uint32_t>& down) const
{
    std::shared_ptr<TopologyView> view(new TopologyView); // its constructor is private
    view->m_down = down;
    view->m_words = (m_points + TopologyView::BITS - 1) / TopologyView::BITS;
    view->m_cut.resize(m_racks * view->m_words);
    const auto cut = [&view](std::size_t rack, std::size_t point) {
        view->m_cut[rack * view->m_words + point / TopologyView::BITS] |=
            1ULL << (point % TopologyView::BITS);
    };
    for (const uint32_t link : down)
    {
        for (const Way& way : m_ways[link])
        {
            cut(way.rack, way.point);
        }
    }
    for (std::size_t rack = 0; rack < m_racks; ++rack)
    {
        for (std::size_t none = m_points; none < view->m_words * TopologyView::BITS; ++none)
        {
            cut(rack, none); // the rest of the last word
        }
    }
    return view;
}

} // namespace ns3
