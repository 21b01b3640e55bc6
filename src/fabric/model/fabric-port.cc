/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-port.h"

#include "fabric-node.h"
#include "logged-item.h"
#include "priority-flow-control.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricPort");

const DirectEvent::Tag FabricPort::TRANSMIT_COMPLETE =
    DirectEvent::Register(DirectEvent::Call<&FabricPort::TransmitComplete>,
                          {.touch = &FabricPort::TouchDeparture});

void
FabricPort::Connect(const Description& description, uint32_t overhead)
{
    m_description = description;
    m_peer = description.peer;
    m_peerContext = description.peer->GetContext();
    m_peerPort = description.peerPort;
    if (g_log.IsEnabled(LOG_LOGIC))
    {
        m_special |= STAGED | LOGGED;
    }
    m_overhead = static_cast<uint16_t>(overhead);
    m_delay = description.delay.GetTimeStep();
    const double stepsPerSecond = static_cast<double>(Seconds(1).GetTimeStep());
    const double bytesPerSecond = static_cast<double>(description.rate.GetBitRate()) / 8;
    m_stepsPerByte =
        static_cast<uint64_t>(stepsPerSecond / bytesPerSecond * (1 << FRACTION_BITS) + 0.5);
}

void
FabricPort::SetQueueDisc(Ptr<FabricQueueDisc> queue)
{
    m_ownedQueue = queue;
    m_queue = PeekPointer(queue);
    m_queue->SetPort(this);
    // A shared buffer decides on each arrival, even when this port is idle.
    m_transparent = m_queue->m_passesWhenIdle && !m_queue->m_sharedBuffer;
}

void
FabricPort::SetFlowControl(FlowControlledPort* control)
{
    m_flowControl = control;
    m_special |= FLOW_CONTROLLED;
}

void
FabricPort::AddStage(Ptr<PortStage> stage)
{
    m_stages.push_back(stage);
    m_special |= STAGED;
}

inline void
FabricPort::PutOnLink(FabricItem* item, int64_t start)
{
    m_busyUntil = start + GetTransmissionSteps(item->size);
    ++m_txPackets;
    m_txBytes += item->size;
    item->arrival = m_peer;
    item->inPort = m_peerPort;
    DirectEvent::ScheduleAt(m_busyUntil + m_delay, FabricNode::ARRIVAL, item, m_peerContext);
}

void
FabricPort::Transmit(FabricItem* item, int64_t start)
{
    if (m_special & STAGED) [[unlikely]]
    {
        TransmitStaged(item, start);
        return;
    }
    PutOnLink(item, start);
}

void
FabricPort::TransmitStaged(FabricItem* item, int64_t start)
{
    RunDepart(item); // first, since a stage may make the item longer
    PutOnLink(item, start);
    if (m_special & LOGGED) [[unlikely]]
    {
        NS_LOG_LOGIC(LoggedItem(*item, this)
                     << ": leaves, " << item->size << " bytes, arrives in "
                     << TimeStep(m_busyUntil + m_delay - start).As(Time::NS));
    }
}

void
FabricPort::TransmitNext(int64_t now)
{
    if (FabricItem* item = m_queue->DequeueItem()) [[likely]]
    {
        Transmit(item, now);
        if (m_queue->GetWaitingPackets() > 0)
        {
            AwaitTransmitComplete();
        }
    }
}

void
FabricPort::AwaitTransmitComplete()
{
    m_transmitPending = true;
    DirectEvent::ScheduleAt(m_busyUntil, TRANSMIT_COMPLETE, this, m_peerContext);
}

void
FabricPort::TransmitComplete()
{
    m_transmitPending = false;
    if (IsUnrestricted()) [[likely]]
    {
        TransmitNext(DirectEvent::Now());
    }
    else
    {
        WakeControlled(); // under flow control a pause frame may have taken the link meanwhile
    }
}

void
FabricPort::TouchDeparture(void* object, std::size_t step)
{
    const auto* port = static_cast<const FabricPort*>(object);
    if (step == 0)
    {
        port->Touch();
    }
    else if (step == 1)
    {
        port->m_queue->Touch();
    }
}

void
FabricPort::Touch() const
{
    __builtin_prefetch(m_queue);
    __builtin_prefetch(&m_queue->m_port);
}

bool
FabricPort::RunAdmit(FabricItem* item)
{
    return std::ranges::all_of(m_stages, [item, this](const Ptr<PortStage>& stage) {
        return stage->Admit(item, *this);
    });
}

void
FabricPort::RunDepart(FabricItem* item)
{
    for (const Ptr<PortStage>& stage : m_stages)
    {
        stage->Depart(item, *this);
    }
}

void
FabricPort::AdmitAndSend(FabricItem* item)
{
    if (m_special & LOGGED) [[unlikely]]
    {
        NS_LOG_LOGIC(LoggedItem(*item, this) << ": comes behind " << GetWaitingBytes() << " bytes");
    }
    if (!RunAdmit(item))
    {
        return;
    }
    if (IsUnrestricted())
    {
        TransmitOrEnqueue(item);
        return;
    }
    if (IsUp())
    {
        SendControlled(item);
        return;
    }
    if (m_flowControl)
    {
        m_flowControl->Admit(*item); // whatever is dropped is given back
    }
    m_queue->Drop(item, FabricQueueDisc::LINK_DOWN_DROP);
}

// Under priority flow control. An item is charged to the input it came by for as long as it waits.

void
FabricPort::WakeControlled()
{
    if (!IsUp() || m_transmitPending)
    {
        return;
    }
    const int64_t now = DirectEvent::Now();
    if (now >= m_busyUntil)
    {
        TransmitNextControlled(now);
    }
    else if (m_queue->GetWaitingPackets() > 0 || m_flowControl->GetHeld())
    {
        AwaitTransmitComplete();
    }
}

void
FabricPort::SendControlled(FabricItem* item)
{
    FlowControlledPort& control = *m_flowControl;
    const int64_t now = DirectEvent::Now();
    const bool idle = now >= m_busyUntil && !m_transmitPending;
    if (m_transparent && idle && m_queue->GetWaitingPackets() == 0 && control.MayPass(*item))
    {
        Transmit(item, now);
        return;
    }
    const FlowControlledPort::Charge charge(*item);
    if (!control.Admit(*item))
    {
        m_queue->Drop(item, PriorityFlowControl::BUFFER_DROP);
        return;
    }
    if (m_queue->EnqueueItem(item))
    {
        Wake();
    }
    control.PauseIfNeeded(charge); // not before: the item may have gone on at once
}

void
FabricPort::TransmitNextControlled(int64_t now)
{
    FabricItem* item = m_flowControl->TakeNext();
    if (!item)
    {
        return; // the end of the pause will wake the port
    }
    const FlowControlledPort::Charge charge(*item); // while inPort is still that of this node
    Transmit(item, now);
    if (m_queue->GetWaitingPackets() > 0)
    {
        AwaitTransmitComplete();
    }
    m_flowControl->Refund(charge);
}

int64_t
FabricPort::SendFrame(FabricItem* frame, DirectEvent::Tag arrival)
{
    const int64_t start = std::max(m_busyUntil, DirectEvent::Now());
    m_busyUntil = start + GetTransmissionSteps(frame->size);
    DirectEvent::ScheduleAt(m_busyUntil + m_delay, arrival, frame, m_peerContext);
    return start;
}

uint32_t
FabricPort::GetWaitingBytes() const
{
    const FabricItem* held = m_flowControl ? m_flowControl->GetHeld() : nullptr;
    return m_queue->GetWaitingBytes() + (held ? held->size : 0);
}

uint32_t
FabricPort::GetWaitingPackets() const
{
    const bool held = m_flowControl && m_flowControl->GetHeld();
    return m_queue->GetWaitingPackets() + (held ? 1 : 0);
}

void
FabricPort::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    if (m_flowControl && m_flowControl->GetHeld())
    {
        visit(*m_flowControl->GetHeld());
    }
    m_queue->ForEachWaiting(visit);
}

void
FabricPort::SetUp(bool up)
{
    if (IsUp() == up)
    {
        return;
    }
    if (up)
    {
        m_special &= ~DOWN;
        if (m_flowControl)
        {
            m_flowControl->LinkRepaired();
        }
        Wake();
        return;
    }
    m_special |= DOWN;
    m_failedAt = DirectEvent::Now();
    m_description.node->m_hadFailure = true;
    if (m_flowControl)
    {
        m_flowControl->LinkFailed();
        if (FabricItem* held = m_flowControl->TakeHeld())
        {
            m_queue->Drop(held, FabricQueueDisc::LINK_DOWN_DROP);
        }
    }
    m_queue->Flush(FabricQueueDisc::LINK_DOWN_DROP);
}

} // namespace ns3
