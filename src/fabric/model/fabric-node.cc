/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-node.h"

#include "logged-item.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricNode");

const DirectEvent::Tag FabricNode::ARRIVAL = DirectEvent::Register(
    [](void* object) {
        auto item = static_cast<FabricItem*>(object);
        item->arrival->Receive(item);
    },
    GetArrivalHooks());

DirectEvent::Hooks
FabricNode::GetArrivalHooks()
{
    const auto prefetchNode = [](void* item) {
        __builtin_prefetch(static_cast<FabricItem*>(item)->arrival);
    };
    const auto prefetchNodeAndRoute = [](void* object) {
        auto item = static_cast<FabricItem*>(object);
        __builtin_prefetch(item->arrival);
        if (item->route)
        {
            __builtin_prefetch(item->route);
        }
    };
    const auto prefetch = [](void* object) {
        auto item = static_cast<FabricItem*>(object);
        item->arrival->Prefetch(*item);
    };
    const auto prefetchFurther = [](void* object) {
        auto item = static_cast<FabricItem*>(object);
        item->arrival->PrefetchFurther(*item);
    };
    return {.prefetch = {prefetchNodeAndRoute, prefetch, prefetchFurther},
            .prefetchNext = prefetchNode,
            .discard = [](void* item) { static_cast<FabricItem*>(item)->Release(); }};
}

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
