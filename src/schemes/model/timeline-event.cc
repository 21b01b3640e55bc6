/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-event.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TimelineEvent);

TypeId
TimelineEvent::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TimelineEvent").SetParent<Object>().SetGroupName("Schemes");
    return tid;
}

std::vector<std::string>
TimelineEvent::GetNeeded() const
{
    return {};
}

std::optional<TimelineEvent::Toggle>
TimelineEvent::GetToggle() const
{
    return std::nullopt;
}

bool
TimelineEvent::NeedsTenantWorkloads() const
{
    return false;
}

void
TimelineEvent::Rehearse(const Network& /* network */,
                        TenantTable& /* tenants */,
                        const std::string& /* argument */) const
{
}

void
TimelineEvent::Announce(Network& /* network */, bool /* isFirst */)
{
}

} // namespace ns3
