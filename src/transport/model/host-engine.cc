/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-engine.h"

#include "reliable-flow.h"

#include "ns3/fabric.h"

namespace ns3
{

HostEngine::HostEngine(FabricHost& host, Time time)
    : m_host(host),
      m_time(time.GetTimeStep()),
      m_timer(DirectEvent::Call<&HostEngine::Finish>, this, host.GetContext())
{
}

HostEngine::~HostEngine()
{
    while (FabricItem* item = m_waiting.Pop())
    {
        item->Release();
    }
}

void
HostEngine::Take(FabricItem* item)
{
    if (m_waiting.IsEmpty())
    {
        m_timer.Set(m_time);
    }
    m_waiting.Push(item);
}

void
HostEngine::Finish()
{
    FabricItem* item = m_waiting.Pop();
    if (!m_waiting.IsEmpty())
    {
        m_timer.Set(m_time);
    }
    ReliableFlow::Process(m_host.GetFabric(), item);
}

} // namespace ns3
