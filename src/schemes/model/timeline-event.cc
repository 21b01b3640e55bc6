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

std::optional<TimelineEvent::Toggle>
TimelineEvent::GetToggle() const
{
    return std::nullopt;
}

} // namespace ns3
