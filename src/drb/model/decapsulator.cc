/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "decapsulator.h"

namespace ns3
{

Decapsulator::Decapsulator(FabricSwitch& node,
                           const Fabric& fabric,
                           std::shared_ptr<const BouncingRoutes> routes,
                           uint16_t outerHeader)
    : m_node(node),
      m_fabric(fabric),
      m_routes(std::move(routes)),
      m_index(node.GetContext() - fabric.GetSwitch(0).GetContext()),
      m_outerHeader(outerHeader)
{
}

bool
Decapsulator::Process(FabricItem* item)
{
    if (!m_routes->IsUpRoute(item->route))
    {
        return true;
    }
    const uint32_t point = m_routes->GetPoint(item->route);
    if (m_routes->GetSwitch(point) != m_index)
    {
        return true; // addressed to another switch: forwarded, outer header and all
    }
    item->route = nullptr;
    item->size -= m_outerHeader;
    ++m_decapsulated;
    const uint16_t rack = m_fabric.GetLocation(item->destination).rack;
    m_node.GetPort(m_routes->GetDownPort(point, rack)).Send(item);
    return false;
}

} // namespace ns3
