/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timing-wheel-scheduler.h"

#include "ns3/assert.h"
#include "ns3/event-impl.h"
#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TimingWheelScheduler");

NS_OBJECT_ENSURE_REGISTERED(TimingWheelScheduler);

namespace
{

/**
 * @param event an entry of the wheel
 * @return the scheduler's event
 */
Scheduler::Event
ToSchedulerEvent(const TimingWheel::Event& event)
{
    return {reinterpret_cast<EventImpl*>(event.payload), {event.time, event.uid, event.context}};
}

} // namespace

TypeId
TimingWheelScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TimingWheelScheduler")
                            .SetParent<Scheduler>()
                            .SetGroupName("Kernel")
                            .AddConstructor<TimingWheelScheduler>();
    return tid;
}

TimingWheelScheduler::TimingWheelScheduler()
{
    NS_LOG_FUNCTION(this);
}

TimingWheelScheduler::~TimingWheelScheduler()
{
    NS_LOG_FUNCTION(this);
}

void
TimingWheelScheduler::Insert(const Event& ev)
{
    NS_LOG_FUNCTION(this << ev.impl << ev.key.m_ts << ev.key.m_uid);
    m_wheel.Insert(
        {ev.key.m_ts, ev.key.m_uid, ev.key.m_context, reinterpret_cast<uintptr_t>(ev.impl)});
}

bool
TimingWheelScheduler::IsEmpty() const
{
    NS_LOG_FUNCTION(this);
    return m_wheel.IsEmpty();
}

Scheduler::Event
TimingWheelScheduler::PeekNext() const
{
    NS_LOG_FUNCTION(this);
    NS_ASSERT(!m_wheel.IsEmpty());
    return ToSchedulerEvent(m_wheel.Peek());
}

Scheduler::Event
TimingWheelScheduler::RemoveNext()
{
    NS_LOG_FUNCTION(this);
    NS_ASSERT(!m_wheel.IsEmpty());
    return ToSchedulerEvent(m_wheel.Pop());
}

void
TimingWheelScheduler::Remove(const Event& ev)
{
    NS_LOG_FUNCTION(this << ev.impl << ev.key.m_ts << ev.key.m_uid);
    m_wheel.Remove(ev.key.m_ts, ev.key.m_uid);
}

} // namespace ns3
