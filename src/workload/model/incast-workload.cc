/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "incast-workload.h"

#include "flow-size-distribution.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/log.h"
#include "ns3/number-text.h"
#include "ns3/shuffle.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("IncastWorkload");
NS_OBJECT_ENSURE_REGISTERED(IncastWorkload);

TypeId
IncastWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::IncastWorkload")
            .SetParent<Workload>()
            .SetGroupName("Workload")
            .AddConstructor<IncastWorkload>()
            .AddAttribute("Senders",
                          "Hosts that answer a request.",
                          UintegerValue(32),
                          MakeUintegerAccessor(&IncastWorkload::m_senders),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Bytes",
                          "Size of the whole answer in bytes (AFQ, Section 6.2.4).",
                          DoubleValue(1.5e6),
                          MakeDoubleAccessor(&IncastWorkload::m_bytes),
                          MakeDoubleChecker<double>(1, MAX_FLOW_SIZE))
            .AddAttribute("Receiver",
                          "Index of the host that asks.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&IncastWorkload::m_receiver),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AllAsk",
                          "Whether every host asks at the time of each request, not only Receiver "
                          "(AFQ, Section 6.2.4: a client on every host).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&IncastWorkload::m_allAsk),
                          MakeBooleanChecker())
            .AddAttribute("Requests",
                          "How many requests, one after the other.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&IncastWorkload::m_requests),
                          MakeUintegerChecker<uint32_t>(1, 1'000'000))
            .AddAttribute("Interval",
                          "Time from request to request.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&IncastWorkload::m_interval),
                          MakeTimeChecker(Time()))
            .AddAttribute("Jitter",
                          "Answers start uniformly within so long of the request (as in the "
                          "simulator published with AFQ).",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&IncastWorkload::m_maxDelay),
                          MakeTimeChecker(Time()));
    return tid;
}

std::string
IncastWorkload::GetSummary() const
{
    return "Several hosts answer one request at once";
}

void
IncastWorkload::DoPrepare()
{
    NS_LOG_FUNCTION(this);
    if (m_receiver >= HostCount())
    {
        throw InputError("incast:Receiver",
                         std::to_string(m_receiver),
                         "must be below the number of hosts, " + std::to_string(HostCount()));
    }
    if (m_senders >= HostCount())
    {
        throw InputError("incast:Senders",
                         std::to_string(m_senders),
                         "must be below the number of hosts, " + std::to_string(HostCount()));
    }
    if (m_bytes < m_senders)
    {
        throw InputError("incast:Bytes",
                         std::to_string(std::llround(m_bytes)),
                         "must be at least 1 for each of the " + std::to_string(m_senders) +
                             " senders");
    }
    if (m_requests > 1 && m_interval < m_maxDelay)
    {
        throw InputError("incast:Interval",
                         std::to_string(m_interval.GetSeconds()) + "s",
                         "must be no less than Jitter");
    }
    for (uint32_t host = 0; host < HostCount(); ++host)
    {
        if ((m_allAsk || host == m_receiver) && m_senders > GetOthers(host).size())
        {
            throw InputError("incast:Senders",
                             std::to_string(m_senders),
                             "at most " + std::to_string(GetOthers(host).size()) +
                                 ", the VMs on other hosts than that of VM " +
                                 std::to_string(host));
        }
    }
    CheckedSeconds("incast:Interval",
                   SecondsText(m_interval) + "s",
                   m_requests * m_interval.GetSeconds());
    m_answered = 0;
}

std::vector<uint32_t>
IncastWorkload::GetOthers(uint32_t receiver) const
{
    auto others = AllHosts(HostCount());
    std::erase_if(others, [&](uint32_t host) { return IsLocal(host, receiver); });
    return others;
}

UnstartedFlows
IncastWorkload::GetUnstarted() const
{
    // Answers are planned request by request.
    UnstartedFlows unstarted = Workload::GetUnstarted();
    if (!IsHalted())
    {
        const uint64_t asking = m_allAsk ? HostCount() : 1;
        unstarted.flows += (m_requests - m_answered) * asking * m_senders;
    }
    return unstarted;
}

std::optional<FlowArrival>
IncastWorkload::DoNext()
{
    auto arrival = Workload::DoNext();
    if (!arrival && m_answered < m_requests)
    {
        const uint32_t first = m_allAsk ? 0 : m_receiver;
        const uint32_t last = m_allAsk ? HostCount() - 1 : m_receiver;
        for (uint32_t receiver = first; receiver <= last; ++receiver)
        {
            PlanAnswers(receiver, m_answered * (last - first + 1) + receiver - first);
        }
        ++m_answered;
        arrival = Workload::DoNext();
    }
    return arrival;
}

void
IncastWorkload::PlanAnswers(uint32_t receiver, uint32_t group)
{
    auto senders = GetOthers(receiver);
    Shuffle(senders.begin(), senders.end(), m_pairs);
    const uint64_t bytes = std::llround(m_bytes);
    for (uint32_t i = 0; i < m_senders; ++i)
    {
        FlowArrival answer;
        answer.at = m_answered * m_interval + RandomDelay(m_maxDelay);
        answer.request.source = senders[i];
        answer.request.destination = receiver;
        answer.request.bytes = bytes / m_senders + (i < bytes % m_senders ? 1 : 0);
        answer.request.group = group;
        Plan(answer);
    }
}

} // namespace ns3
