/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pulsed-workload.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/number-text.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PulsedWorkload");
NS_OBJECT_ENSURE_REGISTERED(PulsedWorkload);

TypeId
PulsedWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PulsedWorkload")
            .SetParent<Workload>()
            .SetGroupName("Workload")
            .AddConstructor<PulsedWorkload>()
            .AddAttribute("Period",
                          "Time from one start of all flows to the next (Nimble, Section 6.3.1: "
                          "1 ms).",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&PulsedWorkload::m_period),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("On",
                          "Time after which they are stopped, at most the period; 0: the period.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&PulsedWorkload::m_on),
                          MakeTimeChecker(Time()))
            .AddAttribute("Jitter",
                          "Flows of a period start uniformly within so long of its begin, at most "
                          "the period; each ends On after its own start.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&PulsedWorkload::m_maxDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("Flows",
                          "Flows of each sender at a time.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&PulsedWorkload::m_flows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "Destinations",
                "Where they go: Random (from each host to another, drawn for each flow), "
                "Permutation (all of a host to another one, which receives from no other) "
                "or Last (from each host but the last to the last).",
                EnumValue(PulsedWorkload::RANDOM),
                MakeEnumAccessor<Destinations>(&PulsedWorkload::m_destinations),
                MakeEnumChecker(PulsedWorkload::RANDOM,
                                "Random",
                                PulsedWorkload::PERMUTATION,
                                "Permutation",
                                PulsedWorkload::LAST,
                                "Last"));
    return tid;
}

std::string
PulsedWorkload::GetSummary() const
{
    return "Flows without end, stopped and started anew, in new pairs, period by period";
}

void
PulsedWorkload::DoPrepare()
{
    NS_LOG_FUNCTION(this);
    if (m_on > m_period)
    {
        throw InputError("pulsed:On",
                         SecondsText(m_on) + "s",
                         "at most the period, " + SecondsText(m_period) + "s");
    }
    if (m_maxDelay > m_period)
    {
        throw InputError("pulsed:Jitter",
                         SecondsText(m_maxDelay) + "s",
                         "at most the period, " + SecondsText(m_period) + "s");
    }
    for (uint32_t host = 0; m_destinations == LAST && host < HostCount() - 1; ++host)
    {
        if (IsLocal(host, HostCount() - 1))
        {
            throw InputError("pulsed:Destinations", "Last", "no other VM on the host of the last");
        }
    }
    if (m_destinations == PERMUTATION && !Derangement::IsPossible(HostCount(), GetIsLocal()))
    {
        throw InputError("pulsed:Destinations",
                         "Permutation",
                         "at most half of the VMs on one host");
    }
    m_begin = Time();
    m_drawn.clear();
}

Derangement::IsLocal
PulsedWorkload::GetIsLocal() const
{
    return [this](uint32_t a, uint32_t b) { return IsLocal(a, b); };
}

uint32_t
PulsedWorkload::ChooseDestination(uint32_t source)
{
    switch (m_destinations)
    {
    case LAST:
        return HostCount() - 1;
    case PERMUTATION:
        return m_permutation[source];
    default:
        return RandomHostBut(source);
    }
}

void
PulsedWorkload::DrawPeriod()
{
    if (m_destinations == PERMUTATION)
    {
        m_permutation = Derangement::Draw(HostCount(), GetIsLocal(), m_pairs);
    }
    const uint32_t senders = m_destinations == LAST ? HostCount() - 1 : HostCount();
    for (uint32_t number = 0; number < senders * m_flows; ++number)
    {
        FlowArrival& arrival = m_drawn.emplace_back();
        arrival.at = m_begin + RandomDelay(m_maxDelay);
        arrival.lifetime = m_on.IsZero() ? m_period : m_on;
        arrival.request.source = number / m_flows;
        arrival.request.destination = ChooseDestination(arrival.request.source);
    }
    std::ranges::stable_sort(m_drawn, {}, &FlowArrival::at);
    m_begin += m_period;
}

std::optional<FlowArrival>
PulsedWorkload::DoNext()
{
    if (m_drawn.empty())
    {
        DrawPeriod();
    }
    const FlowArrival arrival = m_drawn.front();
    m_drawn.pop_front();
    return arrival;
}

} // namespace ns3
