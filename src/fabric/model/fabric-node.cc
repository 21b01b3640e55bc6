/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-node.h"

namespace ns3
{

DirectEvent::Tag
FabricNode::GetArrival() const
{
    static const DirectEvent::Tag tag = RegisterArrival<FabricNode>();
    return tag;
}

bool
FabricNode::LoseIfHit(FabricItem* item)
{
    if (!m_ports[item->inPort].WasHitByFailure(item))
    {
        return false;
    }
    ++m_lostInFlight;
    item->Release();
    return true;
}

} // namespace ns3
