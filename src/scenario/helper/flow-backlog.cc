/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-backlog.h"

#include "ns3/simulator.h"

namespace ns3
{

void
FlowBacklog::SetEnd(Time end)
{
    m_end.time = end;
}

void
FlowBacklog::Advance()
{
    const Time now = Simulator::Now();
    if (m_samples == 0 && now >= m_halfway.time)
    {
        m_halfway = {m_halfway.time, m_now.bytes, m_now.flows};
        m_samples = 1;
    }
    if (m_samples == 1 && now >= m_end.time)
    {
        m_end = {m_end.time, m_now.bytes, m_now.flows};
        m_samples = 2;
    }
    m_now.time = now;
}

void
FlowBacklog::FlowStarted(const FlowRecord& record)
{
    if (!m_hasBegun)
    {
        m_hasBegun = true;
        m_halfway.time = Simulator::Now() + (m_end.time - Simulator::Now()) / 2;
    }
    Advance();
    if (record.request.bytes > 0)
    {
        m_hadFlows = true;
        m_now.bytes += record.request.bytes;
        ++m_now.flows;
    }
}

void
FlowBacklog::FlowDelivered(const FlowRecord& record, uint32_t bytes)
{
    Advance();
    if (record.request.bytes > 0)
    {
        m_now.bytes -= bytes;
    }
}

void
FlowBacklog::FlowFinished(const FlowRecord& record)
{
    Advance();
    if (record.request.bytes > 0)
    {
        m_now.bytes -= record.request.bytes - record.deliveredBytes; // lost for good, or given up
        --m_now.flows;
    }
}

} // namespace ns3
