/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-congestion-fork.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/nstime.h"

namespace ns3
{

namespace
{

/**
 * @brief Give a copy the value of an attribute, if there is such an attribute.
 * @tparam Value of the attribute
 * @param prototype has the value
 * @param fork the copy
 * @param name of the attribute
 */
template <typename Value>
void
CopyAttribute(const TcpCongestionOps& prototype, TcpCongestionOps& fork, const char* name)
{
    if (Value value; prototype.GetAttributeFailSafe(name, value))
    {
        fork.SetAttribute(name, value);
    }
}

} // namespace

void
RepairFork(const TcpCongestionOps& prototype, TcpCongestionOps& fork)
{
    CopyAttribute<BooleanValue>(prototype, fork, "TcpFriendliness");
    CopyAttribute<TimeValue>(prototype, fork, "RRTT");
    CopyAttribute<DoubleValue>(prototype, fork, "BetaLoss");
    CopyAttribute<DoubleValue>(prototype, fork, "BetaEcn");
}

Ptr<TcpCongestionOps>
ForkCongestionOps(TcpCongestionOps& prototype)
{
    const Ptr<TcpCongestionOps> fork = prototype.Fork();
    RepairFork(prototype, *fork);
    return fork;
}

} // namespace ns3
