/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-stages.h"

#include <algorithm>

namespace ns3
{

int64_t
LinkStage::GetWidth() const
{
    const uint64_t one = fastest->GetDescription().rate.GetBitRate();
    return static_cast<int64_t>((rate + one - 1) / one);
}

void
LinkStage::Add(const FabricPort& port)
{
    const auto& link = port.GetDescription();
    if (!fastest || fastest->GetDescription().rate < link.rate)
    {
        fastest = &port;
    }
    delay = std::min(delay, link.delay.GetTimeStep());
    rate += link.rate.GetBitRate();
    ++links;
}

std::vector<LinkStage>
FindLinkStages(const Fabric& fabric,
               const std::vector<const FabricPort*>& path,
               uint32_t destination)
{
    const uint16_t rack = fabric.GetLocation(destination).rack;
    std::vector<LinkStage> stages(path.size());
    stages.front().Add(*path.front());
    stages.back().Add(*path.back());
    std::vector<const FabricNode*> nodes{path.front()->GetDescription().peer};
    std::vector<const FabricNode*> next;
    for (std::size_t i = 1; i + 1 < path.size(); ++i)
    {
        next.clear();
        for (const FabricNode* node : nodes)
        {
            for (const uint16_t hop : dynamic_cast<const FabricSwitch*>(node)->GetNextHops(rack))
            {
                const FabricPort& port = node->GetPort(hop);
                const FabricNode* peer = port.GetDescription().peer;
                stages[i].Add(port);
                if (std::find(next.begin(), next.end(), peer) == next.end())
                {
                    next.push_back(peer);
                }
            }
        }
        std::swap(nodes, next);
    }
    return stages;
}

bool
HaveSeveralPaths(const std::vector<LinkStage>& stages)
{
    return std::any_of(stages.begin(), stages.end(), [](const LinkStage& stage) {
        return stage.links > 1;
    });
}

bool
HasSeveralPaths(const Fabric& fabric,
                const std::vector<const FabricPort*>& path,
                uint32_t destination)
{
    const uint16_t rack = fabric.GetLocation(destination).rack;
    for (std::size_t i = 1; i + 1 < path.size(); ++i)
    {
        const FabricNode* node = path[i - 1]->GetDescription().peer;
        if (dynamic_cast<const FabricSwitch*>(node)->GetNextHops(rack).size() > 1)
        {
            return true;
        }
    }
    return false;
}

} // namespace ns3
