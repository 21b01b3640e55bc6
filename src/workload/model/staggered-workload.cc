/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "staggered-workload.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/log.h"
#include "ns3/number-text.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("StaggeredWorkload");
NS_OBJECT_ENSURE_REGISTERED(StaggeredWorkload);

TypeId
StaggeredWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::StaggeredWorkload")
            .SetParent<Workload>()
            .SetGroupName("Workload")
            .AddConstructor<StaggeredWorkload>()
            .AddAttribute("Flows",
                          "How many flows (AFQ gives no number).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&StaggeredWorkload::m_flows),
                          MakeUintegerChecker<uint32_t>(1, 100'000))
            .AddAttribute("Sources",
                          "So many of the first hosts send, in turn; 1: all flows share one host.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&StaggeredWorkload::m_sources),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Spacing",
                          "Time from start to start, and from stop to stop (AFQ, Appendix B).",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&StaggeredWorkload::m_spacing),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("Hold",
                          "Time for which all flows are there, beyond one spacing.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&StaggeredWorkload::m_hold),
                          MakeTimeChecker(Time()))
            .AddAttribute("Jitter",
                          "A flow starts later by a time drawn uniformly up to this.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&StaggeredWorkload::m_maxDelay),
                          MakeTimeChecker(Time()));
    return tid;
}

std::string
StaggeredWorkload::GetSummary() const
{
    return "Long-lived flows start one by one, then stop one by one";
}

Time
StaggeredWorkload::GetEnd() const
{
    return GetStartTime() + (2 * m_flows - 1) * m_spacing + m_hold;
}

void
StaggeredWorkload::DoPrepare()
{
    NS_LOG_FUNCTION(this);
    if (m_sources >= HostCount())
    {
        throw InputError("staggered:Sources",
                         std::to_string(m_sources),
                         "must be below the number of hosts, " + std::to_string(HostCount()));
    }
    if (m_maxDelay >= m_spacing) // flows would start out of order, and after they are to stop
    {
        throw InputError("staggered:Jitter",
                         SecondsText(m_maxDelay) + "s",
                         "must be below Spacing, " + SecondsText(m_spacing) + "s");
    }
    CheckedSeconds("staggered:Spacing",
                   SecondsText(m_spacing) + "s",
                   2.0 * m_flows * m_spacing.GetSeconds() + m_hold.GetSeconds());
    for (uint32_t i = 0; i < m_flows; ++i)
    {
        FlowArrival flow;
        const Time delay = RandomDelay(m_maxDelay);
        flow.at = i * m_spacing + delay;
        // The first stops one spacing, and Hold, after the last start is due.
        flow.lifetime = m_flows * m_spacing + m_hold - delay;
        flow.request.source = i % m_sources;
        flow.request.destination = HostCount() - 1;
        flow.request.group = i;
        Plan(flow);
    }
}

} // namespace ns3
