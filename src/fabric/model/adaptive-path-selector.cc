/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "adaptive-path-selector.h"

#include "fabric-port.h"
#include "fabric-switch.h"

#include "ns3/former-settings.h"
#include "ns3/input-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AdaptivePathSelector);

/// Thresholds were bytes.
static const FormerSettings g_formerAdaptivePathSelectorSettings{
    {"ns3::AdaptivePathSelector", "ShortQueue", 1, "B"},
    {"ns3::AdaptivePathSelector", "LongQueue", 1, "B"},
};

TypeId
AdaptivePathSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::AdaptivePathSelector")
            .SetParent<PathSelector>()
            .SetGroupName("Fabric")
            .AddConstructor<AdaptivePathSelector>()
            .AddAttribute("ShortQueue",
                          "A port with less than this waiting is taken before all others, in "
                          "bytes, packets or time at the link's rate (DeTail's first threshold, 16 "
                          "KB)",
                          QueueLimitValue(QueueLimit("16KiB")),
                          MakeQueueLimitAccessor(&AdaptivePathSelector::m_shortQueue),
                          MakeQueueLimitChecker())
            .AddAttribute("LongQueue",
                          "A port with as much waiting, or more, is taken only if all are so, in "
                          "bytes, packets or time at the link's rate (DeTail's second threshold, "
                          "64 KB)",
                          QueueLimitValue(QueueLimit("64KiB")),
                          MakeQueueLimitAccessor(&AdaptivePathSelector::m_longQueue),
                          MakeQueueLimitChecker());
    return tid;
}

AdaptivePathSelector::AdaptivePathSelector()
    : m_state(DrawSeed(AUTOMATIC_STREAM))
{
}

int64_t
AdaptivePathSelector::AssignStreams(int64_t stream)
{
    m_state = DrawSeed(stream);
    return 1;
}

void
AdaptivePathSelector::SetSwitch(FabricSwitch& node)
{
    m_thresholds.clear();
    for (uint32_t i = 0; i < node.GetNPorts(); ++i)
    {
        const DataRate rate = node.GetPort(i).GetDescription().rate;
        const Thresholds at{m_shortQueue.Resolve("ns3::AdaptivePathSelector::ShortQueue", rate),
                            m_longQueue.Resolve("ns3::AdaptivePathSelector::LongQueue", rate)};
        if (at.longQueue != at.shortQueue && !at.shortQueue.IsWithin(at.longQueue))
        {
            throw InputError("ns3::AdaptivePathSelector::LongQueue",
                             m_longQueue.ToString(),
                             "at least ShortQueue, " + m_shortQueue.ToString());
        }
        m_thresholds.push_back(at);
    }
    m_node = &node;
    m_candidates.reserve(node.GetNPorts());
}

uint32_t
AdaptivePathSelector::Choose(const FabricItem& /* item */, uint32_t group, uint32_t count)
{
    m_candidates.clear();
    bool foundShort = false; // only short queues are eligible then
    for (uint32_t choice = 0; choice < count; ++choice)
    {
        const FabricPort& port = m_node->GetChoice(group, choice);
        const uint32_t bytes = port.GetWaitingBytes();
        const uint32_t packets = port.GetWaitingPackets();
        const Thresholds& at = m_thresholds[port.GetDescription().index];
        const bool isShort = at.shortQueue.Admits(bytes, packets, 1);
        if (isShort && !foundShort)
        {
            foundShort = true;
            m_candidates.clear();
        }
        if (isShort || (!foundShort && at.longQueue.Admits(bytes, packets, 1)))
        {
            m_candidates.push_back(choice);
        }
    }
    if (m_candidates.empty())
    {
        return Draw(m_state, count);
    }
    return m_candidates[Draw(m_state, static_cast<uint32_t>(m_candidates.size()))];
}

} // namespace ns3
