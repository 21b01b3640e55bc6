/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-watch.h"

#include "ns3/simulator.h"

namespace ns3
{

FlowWatch::FlowWatch()
    : m_stopper(*this)
{
}

void
FlowWatch::StopAfter(Ptr<Workload> workload, Transports& transports)
{
    m_stopper.m_workload = workload;
    transports.AddObserver(&m_stopper);
}

void
FlowWatch::FlowStarted(const FlowRecord& /* record */)
{
    ++m_active;
}

void
FlowWatch::FlowFinished(const FlowRecord& /* record */)
{
    --m_active;
}

FlowWatch::Stopper::Stopper(const FlowWatch& watch)
    : m_watch(watch)
{
}

void
FlowWatch::Stopper::FlowFinished(const FlowRecord& /* record */)
{
    if (m_watch.m_active == 0 && m_workload->IsOver())
    {
        Simulator::Stop();
    }
}

} // namespace ns3
