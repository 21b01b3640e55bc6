/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-node.h"

#include "logged-item.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricNode");

namespace
{

/// @brief The direct event: an item arrives.
void
Arrive(void* object)
{
    auto item = static_cast<FabricItem*>(object);
    item->arrival->Receive(item);
}

/// @brief The end of the simulation forestalls it.
void
DiscardArrival(void* object)
{
    static_cast<FabricItem*>(object)->Release();
}

/// @brief First the node, then what it needs.
void
TouchArrival(void* object, std::size_t step)
{
    const auto item = static_cast<const FabricItem*>(object);
    if (step > 0)
    {
        item->arrival->Touch(*item, step > 1);
        return;
    }
    __builtin_prefetch(item->arrival);
    if (item->route)
    {
        __builtin_prefetch(item->route);
    }
}

} // namespace

const DirectEvent::Tag FabricNode::ARRIVAL =
    DirectEvent::Register(Arrive, {.touch = TouchArrival, .discard = DiscardArrival});

bool
FabricNode::LoseIfHit(FabricItem* item)
{
    if (!m_ports[item->inPort].WasHitByFailure(item))
    {
        return false;
    }
    NS_LOG_LOGIC(LoggedItem(*item, &m_ports[item->inPort]) << ": lost, the link failed");
    ++m_lostInFlight;
    item->Release();
    return true;
}

} // namespace ns3
