/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "closed-loop-workload.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ClosedLoopWorkload");
NS_OBJECT_ENSURE_REGISTERED(ClosedLoopWorkload);

TypeId
ClosedLoopWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ClosedLoopWorkload")
            .SetParent<SizedWorkload>()
            .SetGroupName("Workload")
            .AddConstructor<ClosedLoopWorkload>()
            .AddAttribute("Outstanding",
                          "Flows that each host keeps going.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ClosedLoopWorkload::m_outstanding),
                          MakeUintegerChecker<uint32_t>(1, 10'000))
            .AddAttribute("ThinkTime",
                          "Mean of the exponential pause between a flow's end and the next start.",
                          TimeValue(Time()),
                          MakeTimeAccessor(&ClosedLoopWorkload::m_thinkTime),
                          MakeTimeChecker(Time()))
            .AddAttribute("Jitter",
                          "First flows start uniformly within so long.",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&ClosedLoopWorkload::m_maxDelay),
                          MakeTimeChecker(Time()));
    return tid;
}

std::string
ClosedLoopWorkload::GetSummary() const
{
    return "Every host keeps a number of flows to random others outstanding";
}

bool
ClosedLoopWorkload::IsOver() const
{
    return !MayStart(Simulator::Now());
}

uint32_t
ClosedLoopWorkload::GetSenderCount() const
{
    return HostCount();
}

uint32_t
ClosedLoopWorkload::ChooseDestination(uint32_t sender)
{
    return RandomHostBut(sender);
}

FlowRequest
ClosedLoopWorkload::Draw(uint32_t sender)
{
    FlowRequest request;
    request.source = sender;
    request.destination = ChooseDestination(sender);
    request.bytes = GetSizes()->NextSize();
    return request;
}

void
ClosedLoopWorkload::DoPrepare()
{
    NS_LOG_FUNCTION(this);
    SizedWorkload::DoPrepare();
    for (uint32_t sender = 0; sender < GetSenderCount(); ++sender)
    {
        for (uint32_t i = 0; i < m_outstanding; ++i)
        {
            Plan({RandomDelay(m_maxDelay), Draw(sender), Time()});
        }
    }
}

void
ClosedLoopWorkload::DoStart()
{
    m_transports->AddObserver(this);
}

void
ClosedLoopWorkload::DoStarted(FlowId flow, const FlowRequest& request)
{
    m_running[flow] = request.source;
}

void
ClosedLoopWorkload::FlowFinished(const FlowRecord& record)
{
    const auto flow = m_running.find(record.id);
    if (flow == m_running.end())
    {
        return; // of another workload
    }
    const double pause = m_thinkTime.GetTimeStep() * m_intervals->GetValue();
    Simulator::Schedule(TimeStep(std::llround(pause)),
                        &ClosedLoopWorkload::Continue,
                        this,
                        flow->second);
    m_running.erase(flow);
}

void
ClosedLoopWorkload::Continue(uint32_t sender)
{
    if (m_transports && MayStart(Simulator::Now()))
    {
        StartFlow(Draw(sender));
    }
}

} // namespace ns3
