/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "on-off-workload.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(OnOffWorkload);

TypeId
OnOffWorkload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::OnOffWorkload")
                            .SetParent<ClosedLoopWorkload>()
                            .SetGroupName("Workload")
                            .AddConstructor<OnOffWorkload>();
    return tid;
}

std::string
OnOffWorkload::GetSummary() const
{
    return "Every host but the last keeps flows to the last one, with pauses between them";
}

uint32_t
OnOffWorkload::GetSenderCount() const
{
    return HostCount() - 1;
}

uint32_t
OnOffWorkload::ChooseDestination(uint32_t /* sender */)
{
    return HostCount() - 1;
}

} // namespace ns3
