/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-congestion-fork.h"

#include "ns3/boolean.h"
#include "ns3/tcp-cubic.h"

namespace ns3
{

void
RepairFork(const TcpCongestionOps& prototype, TcpCongestionOps& fork)
{
    if (dynamic_cast<const TcpCubic*>(&prototype))
    {
        BooleanValue friendliness;
        prototype.GetAttribute("TcpFriendliness", friendliness);
        fork.SetAttribute("TcpFriendliness", friendliness);
    }
}

Ptr<TcpCongestionOps>
ForkCongestionOps(TcpCongestionOps& prototype)
{
    const Ptr<TcpCongestionOps> fork = prototype.Fork();
    RepairFork(prototype, *fork);
    return fork;
}

} // namespace ns3
