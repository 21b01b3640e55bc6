/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_CONTROL_DEADLOCK_H
#define FLOW_CONTROL_DEADLOCK_H

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricPort;
class PriorityFlowControl;

/**
 * @ingroup fabric
 * @brief Ports that are paused for good, because they wait for each other.
 */
struct FlowControlDeadlock
{
    std::vector<const FabricPort*> cycle; //!< each waits for the next, the last for the first
    uint32_t waiting{0};                  //!< other ports that only those could let go on
};

/**
 * @ingroup fabric
 * @brief Find ports that nothing will let go on.
 *
 * A paused port goes on when the input at its link's other end has sent on as much as lies above
 * XON. That it never will if too much of what it holds waits at ports that are paused for good
 * themselves. These are what is left of all paused ports when those are taken away, again and
 * again, that can go on (Coffman et al., ACM Computing Surveys 3(2), 1971: a graph of resources is
 * reduced). Of those left, some wait for each other in a ring.
 *
 * What waits in a discipline that cannot tell is taken to go on.
 *
 * @param control has the ports
 * @return the first ring found; its cycle is empty if there is none
 */
FlowControlDeadlock FindFlowControlDeadlock(const PriorityFlowControl& control);

} // namespace ns3

#endif /* FLOW_CONTROL_DEADLOCK_H */
