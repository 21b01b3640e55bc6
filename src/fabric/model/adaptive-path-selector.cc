/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "adaptive-path-selector.h"

#include "fabric-switch.h"

#include "ns3/input-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AdaptivePathSelector);

TypeId
AdaptivePathSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::AdaptivePathSelector")
            .SetParent<PathSelector>()
            .SetGroupName("Fabric")
            .AddConstructor<AdaptivePathSelector>()
            .AddAttribute("ShortQueue",
                          "A port with fewer bytes waiting is taken before all others (DeTail's "
                          "first threshold, 16 KB)",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&AdaptivePathSelector::m_shortQueue),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("LongQueue",
                          "A port with as many bytes waiting, or more, is taken only if all are "
                          "so (DeTail's second threshold, 64 KB)",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&AdaptivePathSelector::m_longQueue),
                          MakeUintegerChecker<uint32_t>());
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
    if (m_longQueue < m_shortQueue)
    {
        throw InputError("ns3::AdaptivePathSelector::LongQueue",
                         std::to_string(m_longQueue),
                         "at least ShortQueue, " + std::to_string(m_shortQueue) + " bytes");
    }
    m_node = &node;
    m_candidates.reserve(node.GetNPorts());
}

uint32_t
AdaptivePathSelector::Choose(const FabricItem& /* item */, uint32_t group, uint32_t count)
{
    m_candidates.clear();
    uint32_t threshold = m_longQueue;
    for (uint32_t choice = 0; choice < count; ++choice)
    {
        const uint32_t bytes = m_node->GetChoice(group, choice).GetWaitingBytes();
        if (bytes < m_shortQueue && threshold != m_shortQueue)
        {
            threshold = m_shortQueue; // only short queues are eligible from now on
            m_candidates.clear();
        }
        if (bytes < threshold)
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
