/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-control-deadlock.h"

#include "fabric-node.h"
#include "priority-flow-control.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

/// @brief A port and a priority that it may not send.
using Blocked = std::pair<const FabricPort*, uint8_t>;

/// @brief Bytes that wait at a blocked port, by the blocked port that they came from.
using Waiting = std::map<Blocked, uint64_t>;

/// @brief Blocked ports and what waits at each.
using BlockedPorts = std::map<Blocked, Waiting>;

/**
 * @param port a port
 * @return the port at its link's other end
 */
const FabricPort&
GetPeer(const FabricPort& port)
{
    const auto& description = port.GetDescription();
    return description.peer->GetPort(description.peerPort);
}

/**
 * @param port a port
 * @return priorities that it may not send and that its neighbour does not want now
 */
uint8_t
GetBlocked(const FabricPort& port)
{
    return port.GetFlowControl()->GetPaused() & GetPeer(port).GetFlowControl()->GetPausing();
}

/**
 * @brief Visit what waits at a port, as far as its discipline can tell.
 * @param port the port
 * @param visit called for each item
 */
void
VisitWaiting(const FabricPort& port, const std::function<void(const FabricItem&)>& visit)
{
    try
    {
        port.ForEachWaiting(visit);
    }
    catch (const InputError&)
    {
        // It cannot tell.
    }
}

/**
 * @brief Look what waits at blocked ports. An item that a blocked one is before waits for it, too.
 * @param control has the ports
 * @return all that are blocked
 */
BlockedPorts
FindBlocked(const PriorityFlowControl& control)
{
    BlockedPorts all;
    control.ForEachPort([&](const FabricPort& port, const FlowControlledPort& state) {
        const uint8_t blocked = GetBlocked(port);
        for (uint8_t priority = 0; priority < FlowControlledPort::PRIORITIES; ++priority)
        {
            if ((blocked >> priority) & 1)
            {
                all[{&port, priority}];
            }
        }
        if (!blocked || port.GetDescription().tier == 0)
        {
            return; // what waits at a host came by no link
        }
        const FabricNode& node = *port.GetDescription().node;
        VisitWaiting(port, [&](const FabricItem& item) {
            const FabricItem& first = state.GetHeld() ? *state.GetHeld() : item;
            const auto found = all.find({&port, FlowControlledPort::GetPriority(first)});
            if (found != all.end())
            {
                const FabricPort& sender = GetPeer(node.GetPort(item.inPort));
                found->second[{&sender, FlowControlledPort::GetPriority(item)}] += item.size;
            }
        });
    });
    return all;
}

/**
 * @brief Tell whether a port's neighbour will want its packets again.
 * @param port a blocked port
 * @param all those that may be blocked for good
 * @return true if what waits elsewhere is enough to get down to XON
 */
bool
CanGoOn(const Blocked& port, const BlockedPorts& all)
{
    uint64_t stuck = 0;
    for (const auto& [other, waiting] : all)
    {
        const auto from = waiting.find(port);
        stuck += from == waiting.end() ? 0 : from->second;
    }
    return stuck <= GetPeer(*port.first).GetFlowControl()->GetThresholds().resume;
}

/**
 * @brief Find a blocked port that a port that is blocked for good waits for.
 * @param port the port
 * @param all those that are blocked for good
 * @return the first at which something waits that came from the port
 */
const Blocked&
FindNext(const Blocked& port, const BlockedPorts& all)
{
    return std::ranges::find_if(all,
                                [&port](const auto& entry) { return entry.second.contains(port); })
        ->first;
}

} // namespace

FlowControlDeadlock
FindFlowControlDeadlock(const PriorityFlowControl& control)
{
    BlockedPorts all = FindBlocked(control);
    while (std::erase_if(all, [&all](const auto& entry) { return CanGoOn(entry.first, all); }) > 0)
    {
    }
    FlowControlDeadlock deadlock;
    if (all.empty())
    {
        return deadlock;
    }
    std::vector<Blocked> way{all.begin()->first};
    auto again = way.end();
    while (again == way.end())
    {
        const Blocked& next = FindNext(way.back(), all);
        again = std::ranges::find(way, next);
        if (again == way.end())
        {
            way.push_back(next);
            again = way.end();
        }
    }
    for (; again != way.end(); ++again)
    {
        deadlock.cycle.push_back(again->first);
    }
    deadlock.waiting = static_cast<uint32_t>(all.size() - deadlock.cycle.size());
    return deadlock;
}

} // namespace ns3
