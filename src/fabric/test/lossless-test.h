/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSSLESS_TEST_H
#define LOSSLESS_TEST_H

#include "test-network.h"

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/priority-flow-control.h"
#include "ns3/string.h"

#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup fabric-tests
 * @brief A network under priority flow control whose disciplines have no limit of their own.
 */
class LosslessNetwork : public TestNetwork
{
  public:
    /**
     * @param topology specification of a topology, or what adds nodes and links
     * @param control specification of the flow control; empty: there is none
     * @param queue specification of the disciplines
     */
    template <class T>
    LosslessNetwork(const T& topology,
                    const std::string& control,
                    const std::string& queue = "drop-tail")
        : TestNetwork(topology)
    {
        fabric->SetQueueDiscFactory([queue](const FabricPort::Description&) {
            return CreateFromSpec<FabricQueueDisc>("queue",
                                                   queue,
                                                   {{"MaxSize", Create<QueueLimitValue>()}});
        });
        if (!control.empty())
        {
            flowControl =
                DynamicCast<PriorityFlowControl>(CreateFromSpec<FlowControl>("control", control));
            fabric->SetFlowControl(flowControl);
        }
    }

    /// @brief Packets that wait anywhere.
    uint64_t GetWaiting() const
    {
        uint64_t waiting = 0;
        fabric->ForEachPort([&](FabricPort& port) { waiting += port.GetWaitingPackets(); });
        return waiting;
    }

    /**
     * @brief True if flow control remembers something although nothing is under way.
     * @return true if a port is paused, pauses another or holds bytes
     */
    bool IsAnythingLeft() const
    {
        bool left = false;
        flowControl->ForEachPort([&](const FabricPort&, const FlowControlledPort& port) {
            left = left || port.GetPaused() || port.GetPausing() || port.GetHeld();
            for (uint8_t i = 0; i < FlowControlledPort::PRIORITIES; ++i)
            {
                left = left || port.GetBytes(i) > 0;
            }
        });
        return left;
    }

    /// @brief True if each item that was sent arrived exactly once.
    bool AllArrivedOnce() const
    {
        std::vector<bool> seen(sent);
        for (const auto& arrival : recorder.arrivals)
        {
            if (seen.at(arrival.sequence))
            {
                return false;
            }
            seen[arrival.sequence] = true;
        }
        return recorder.arrivals.size() == sent;
    }

    Ptr<PriorityFlowControl> flowControl; //!< nullptr: none
};

} // namespace ns3

#endif /* LOSSLESS_TEST_H */
