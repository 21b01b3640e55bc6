/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-watch.h"

#include "ns3/simulator.h"

namespace ns3
{

void
FlowWatch::StopAfter(Ptr<Workload> workload)
{
    m_workload = workload;
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
    if (m_workload && m_active == 0 && m_workload->IsOver())
    {
        Simulator::Stop();
    }
}

} // namespace ns3
