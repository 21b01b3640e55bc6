/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-node.h"

namespace ns3
{

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
