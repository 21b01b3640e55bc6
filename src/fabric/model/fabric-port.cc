/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-port.h"

#include "fabric-node.h"
#include "priority-flow-control.h"

#include "ns3/assert.h"

namespace ns3
{

const DirectEvent::Tag FabricPort::ARRIVE =
    DirectEvent::Register(&FabricPort::Arrive,
                          {.prefetch = &FabricPort::PrefetchNode,
                           .prefetchFurther = &FabricPort::PrefetchArrival,
                           .discard = &FabricPort::DiscardItem});
const DirectEvent::Tag FabricPort::TRANSMIT_COMPLETE = DirectEvent::Register(
    &FabricPort::TransmitComplete,
    {.prefetch = &FabricPort::PrefetchQueue, .prefetchFurther = &FabricPort::PrefetchDeparture});
const DirectEvent::Tag FabricPort::HEAD_ARRIVES = DirectEvent::Register(
    &FabricPort::HeadArrives,
    {.prefetch = &FabricPort::PrefetchWire, .prefetchFurther = &FabricPort::PrefetchHead});

FabricPort::~FabricPort()
{
    while (FabricItem* item = m_onWire)
    {
        m_onWire = item->next;
        item->Release();
    }
}

void
FabricPort::Connect(const Description& description, uint32_t overhead)
{
    m_description = description;
    m_peer = description.peer;
    m_peerContext = description.peer->GetContext();
    m_peerPort = description.peerPort;
    m_overhead = static_cast<uint16_t>(overhead);
    m_delay = description.delay.GetTimeStep();
    const double stepsPerSecond = static_cast<double>(Seconds(1).GetTimeStep());
    const double bytesPerSecond = static_cast<double>(description.rate.GetBitRate()) / 8;
    m_stepsPerByte =
        static_cast<uint64_t>(stepsPerSecond / bytesPerSecond * (1 << FRACTION_BITS) + 0.5);
}

void
FabricPort::SetQueueDisc(Ptr<FabricQueueDisc> queue, bool singleEvent)
{
    m_ownedQueue = queue;
    m_queue = PeekPointer(queue);
    m_queue->SetPort(this);
    // A shared buffer decides on each arrival, even when this port is idle.
    m_transparent = m_queue->IsTransparentWhenEmpty() && !m_queue->m_sharedBuffer;
    m_singleEvent =
        singleEvent && m_egress.empty() && !m_queue->m_sharedBuffer && m_queue->IsPlainFifo(m_rule);
    m_special = GetWorkingMode();
}

FabricPort::Special
FabricPort::GetWorkingMode() const
{
    if (m_flowControl)
    {
        return FLOW_CONTROLLED;
    }
    return m_singleEvent ? SINGLE_EVENT : ORDINARY;
}

void
FabricPort::SetFlowControl(FlowControlledPort* control)
{
    m_flowControl = control;
    m_special = GetWorkingMode();
}

void
FabricPort::AddEgressStage(EgressStage* stage)
{
    NS_ASSERT_MSG(!m_onWire, "stages are added before traffic");
    m_egress.push_back(stage);
    m_hasEgress = true;
    m_singleEvent = false; // a stage runs at the start of transmission, which needs an event
    m_special = IsUp() ? GetWorkingMode() : DOWN;
}

void
FabricPort::Transmit(FabricItem* item, int64_t start)
{
    if (m_hasEgress) [[unlikely]]
    {
        RunEgressStages(item); // first, since a stage may make the item longer
    }
    m_busyUntil = start + GetTransmissionSteps(item->size);
    CountTransmission(item);
    item->arrival = m_peer;
    item->inPort = m_peerPort;
    DirectEvent::ScheduleAt(m_busyUntil + m_delay, ARRIVE, item, m_peerContext);
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
FabricPort::TransmitComplete(void* object)
{
    auto port = static_cast<FabricPort*>(object);
    port->m_transmitPending = false;
    if (port->m_special == ORDINARY) [[likely]]
    {
        port->TransmitNext(DirectEvent::Now());
    }
    else
    {
        port->WakeSpecially(); // under flow control a pause frame may have taken the link meanwhile
    }
}

void
FabricPort::Arrive(void* object)
{
    auto item = static_cast<FabricItem*>(object);
    item->arrival->Receive(item);
}

void
FabricPort::PrefetchNode(void* object)
{
    __builtin_prefetch(static_cast<FabricItem*>(object)->arrival);
}

void
FabricPort::PrefetchArrival(void* object)
{
    auto item = static_cast<const FabricItem*>(object);
    item->arrival->Prefetch(*item);
}

void
FabricPort::DiscardItem(void* object)
{
    static_cast<FabricItem*>(object)->Release();
}

void
FabricPort::PrefetchQueue(void* object)
{
    static_cast<FabricPort*>(object)->m_queue->Prefetch();
}

void
FabricPort::PrefetchDeparture(void* object)
{
    static_cast<FabricPort*>(object)->m_queue->PrefetchNext();
}

void
FabricPort::PrefetchWire(void* object)
{
    auto port = static_cast<const FabricPort*>(object);
    __builtin_prefetch(&port->m_onWire);
    __builtin_prefetch(port->m_peer);
}

void
FabricPort::PrefetchHead(void* object)
{
    __builtin_prefetch(static_cast<const FabricPort*>(object)->m_onWire);
}

void
FabricPort::RunEgressStages(FabricItem* item)
{
    for (EgressStage* stage : m_egress)
    {
        stage->Stamp(item, *this);
    }
}

void
FabricPort::SendSpecially(FabricItem* item)
{
    switch (m_special)
    {
    case SINGLE_EVENT:
        SendSingleEvent(item);
        break;
    case FLOW_CONTROLLED:
        SendControlled(item);
        break;
    default:
        if (m_flowControl)
        {
            m_flowControl->Admit(*item); // whatever is dropped is given back
        }
        m_queue->Drop(item, FabricQueueDisc::LINK_DOWN_DROP);
    }
}

// Under priority flow control. An item is charged to the input it came by for as long as it waits.

void
FabricPort::WakeSpecially()
{
    if (m_special != FLOW_CONTROLLED || m_transmitPending)
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
    m_flowControl->GiveBack(charge);
}

int64_t
FabricPort::SendFrame(FabricItem* frame, DirectEvent::Tag arrival)
{
    const int64_t start = std::max(m_busyUntil, DirectEvent::Now());
    m_busyUntil = start + GetTransmissionSteps(frame->size);
    DirectEvent::ScheduleAt(m_busyUntil + m_delay, arrival, frame, m_peerContext);
    return start;
}

// Single-event mode. All items that are waiting or on the wire stand in one list in the order of
// arrival, each with the time its transmission starts; only the head has an event, its arrival.

void
FabricPort::SendSingleEvent(FabricItem* item)
{
    const int64_t now = DirectEvent::Now();
    StartDueTransmissions(now);
    FabricQueueDisc& queue = *m_queue;
    if (queue.m_waitingBytes + item->size > m_rule.limitBytes) [[unlikely]]
    {
        queue.Drop(item, FabricQueueDisc::LIMIT_EXCEEDED_DROP);
        return;
    }
    if (queue.m_waitingBytes > m_rule.markBytes)
    {
        queue.MarkItem(item, FabricQueueDisc::THRESHOLD_MARK);
    }
    item->time = std::max(m_busyUntil, now);
    const bool waits = item->time > now;
    if (waits)
    {
        queue.Join(item->size);
    }
    else
    {
        CountTransmission(item);
    }
    m_busyUntil = item->time + GetTransmissionSteps(item->size);
    item->next = nullptr;
    if (m_onWire)
    {
        m_last->next = item;
    }
    else
    {
        m_onWire = item;
        DirectEvent::ScheduleAt(m_busyUntil + m_delay, HEAD_ARRIVES, this, m_peerContext);
    }
    m_last = item;
    if (waits && !m_nextStart)
    {
        m_nextStart = item;
    }
}

void
FabricPort::StartDueTransmissions(int64_t now)
{
    while (m_nextStart && m_nextStart->time <= now)
    {
        CountTransmission(m_nextStart);
        m_queue->Leave(m_nextStart);
        m_nextStart = m_nextStart->next;
    }
}

void
FabricPort::HeadArrives(void* object)
{
    auto port = static_cast<FabricPort*>(object);
    FabricItem* item = port->m_onWire;
    if (port->m_nextStart == item)
    {
        port->StartDueTransmissions(DirectEvent::Now());
    }
    port->m_onWire = item->next;
    if (FabricItem* head = port->m_onWire)
    {
        const int64_t end = head->time + port->GetTransmissionSteps(head->size);
        DirectEvent::ScheduleAt(end + port->m_delay, HEAD_ARRIVES, port, port->m_peerContext);
    }
    item->inPort = port->m_peerPort;
    port->m_peer->Receive(item);
}

// Single-event mode takes note of a start when the next item comes, so getters catch up.

uint64_t
FabricPort::GetTxPackets() const
{
    uint64_t packets = m_txPackets;
    const int64_t now = DirectEvent::Now();
    for (const FabricItem* item = m_nextStart; item && item->time <= now; item = item->next)
    {
        ++packets;
    }
    return packets;
}

uint64_t
FabricPort::GetTxBytes() const
{
    uint64_t bytes = m_txBytes;
    const int64_t now = DirectEvent::Now();
    for (const FabricItem* item = m_nextStart; item && item->time <= now; item = item->next)
    {
        bytes += item->size;
    }
    return bytes;
}

uint32_t
FabricPort::GetWaitingBytes()
{
    StartDueTransmissions(DirectEvent::Now());
    const FabricItem* held = m_flowControl ? m_flowControl->GetHeld() : nullptr;
    return m_queue->GetWaitingBytes() + (held ? held->size : 0);
}

uint32_t
FabricPort::GetWaitingPackets()
{
    StartDueTransmissions(DirectEvent::Now());
    const bool held = m_flowControl && m_flowControl->GetHeld();
    return m_queue->GetWaitingPackets() + (held ? 1 : 0);
}

void
FabricPort::ForEachWaiting(const std::function<void(const FabricItem&)>& visit)
{
    if (!IsSingleEvent())
    {
        if (m_flowControl && m_flowControl->GetHeld())
        {
            visit(*m_flowControl->GetHeld());
        }
        m_queue->ForEachWaiting(visit);
        return;
    }
    StartDueTransmissions(DirectEvent::Now()); // nothing waits in the discipline of this mode
    for (const FabricItem* item = m_nextStart; item; item = item->next)
    {
        visit(*item);
    }
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
        m_special = GetWorkingMode();
        if (m_flowControl)
        {
            m_flowControl->LinkRepaired();
        }
        Wake();
        return;
    }
    m_special = DOWN;
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
    DropUnstarted();
}

void
FabricPort::DropUnstarted()
{
    const int64_t now = DirectEvent::Now();
    StartDueTransmissions(now);
    if (!m_nextStart)
    {
        return;
    }
    // The last item on the wire becomes the last of the list.
    FabricItem** link = &m_onWire;
    while (*link != m_nextStart)
    {
        m_last = *link;
        link = &(*link)->next;
    }
    *link = nullptr;
    m_busyUntil = m_nextStart->time;
    while (FabricItem* item = m_nextStart)
    {
        m_nextStart = item->next;
        m_queue->DropWaiting(item, FabricQueueDisc::LINK_DOWN_DROP);
    }
}

} // namespace ns3
