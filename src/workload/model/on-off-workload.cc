/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "on-off-workload.h"

#include "flow-size-distribution.h"

#include "ns3/input-error.h"

#include <cmath>
#include <functional>
#include <queue>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(OnOffWorkload);
NS_OBJECT_ENSURE_REGISTERED(FairOnOffWorkload);

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

TypeId
FairOnOffWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FairOnOffWorkload")
            .SetParent<SizedWorkload>()
            .SetGroupName("Workload")
            .AddConstructor<FairOnOffWorkload>()
            .AddAttribute("ThinkTime",
                          "Mean of the exponential pause between a flow's ideal end and the next "
                          "start.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&FairOnOffWorkload::m_thinkTime),
                          MakeTimeChecker(Time()))
            .AddAttribute("Jitter",
                          "First flows start uniformly within so long.",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&FairOnOffWorkload::m_maxDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("Rate",
                          "Payload that the shared link carries.",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&FairOnOffWorkload::m_rate),
                          MakeDataRateChecker());
    return tid;
}

std::string
FairOnOffWorkload::GetSummary() const
{
    return "As on-off, at the times of an ideally shared link, whatever becomes of the flows";
}

void
FairOnOffWorkload::DoPrepare()
{
    SizedWorkload::DoPrepare();
    if (m_rate.GetBitRate() == 0)
    {
        throw InputError("Rate", "0bps", "above 0");
    }
    TimeValue stop;
    GetAttribute("Stop", stop);
    if (stop.Get().IsZero())
    {
        throw InputError("Stop", "0s", "above 0: all flows are known before the first one starts");
    }
    // What comes next, the earliest first: a time, or the service at which a flow is over.
    using Event = std::pair<double, uint32_t>;
    using Events = std::priority_queue<Event, std::vector<Event>, std::greater<>>;
    Events starts;
    Events ends;
    for (uint32_t sender = 0; sender + 1 < HostCount(); ++sender)
    {
        starts.emplace(RandomDelay(m_maxDelay).GetSeconds(), sender);
    }
    const double rate = static_cast<double>(m_rate.GetBitRate()) / 8;
    double now = 0;
    double served = 0; // bytes that a flow present since the beginning has received
    while (!starts.empty() || !ends.empty())
    {
        const double share = ends.empty() ? rate : rate / static_cast<double>(ends.size());
        const double next = ends.empty() ? 0 : now + (ends.top().first - served) / share;
        if (!starts.empty() && (ends.empty() || starts.top().first < next))
        {
            const auto [at, sender] = starts.top();
            starts.pop();
            served += share * (at - now);
            now = at;
            if (!MayStart(Seconds(now) + GetStartTime()))
            {
                continue;
            }
            const FlowRequest request{sender, HostCount() - 1, GetSizes()->NextSize()};
            ends.emplace(served + static_cast<double>(request.bytes), sender);
            Plan({Seconds(now), request, Time()});
        }
        else
        {
            const auto [over, sender] = ends.top();
            ends.pop();
            served = over;
            now = next;
            const double pause = m_thinkTime.GetSeconds() * m_intervals->GetValue();
            starts.emplace(now + pause, sender);
        }
    }
}

} // namespace ns3
