/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reliable-flow.h"

#include "reliable-transport.h"

#include "ns3/flow-hash.h"
#include "ns3/log.h"
#include "ns3/logged-item.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ReliableFlow");

namespace
{

constexpr uint64_t UNENDING = UINT64_MAX / 2; //!< packets of a flow that goes on until stopped
constexpr uint32_t DUP_THRESH =
    3; //!< later packets acknowledged after which one is lost (RFC 6675)

/**
 * @brief Make the loss recovery of a sender.
 * @param kind go-back-N or selective repeat
 * @return the object
 */
std::unique_ptr<LossRecovery>
CreateRecovery(LossRecovery::Kind kind)
{
    if (kind == LossRecovery::GO_BACK_N)
    {
        return std::make_unique<GoBackN>();
    }
    return std::make_unique<SelectiveRepeat>(DUP_THRESH);
}

} // namespace

void
ReliableFlow::Sender::ReceiveItem(FabricItem* item)
{
    const ReliableHeader header = item->As<ReliableHeader>();
    if (item->extension) [[unlikely]]
    {
        flow.OnExtension(*item->extension);
    }
    item->Release();
    flow.TakeAnswer(header);
}

void
ReliableFlow::Sender::OnDeparture(FabricItem& item)
{
    flow.HandleDeparture(item.As<ReliableHeader>());
}

void
ReliableFlow::Sender::OnHostDrop(FabricItem& item)
{
    // Without a line that takes its time, a sender at line rate would send all it has at once.
    flow.m_notBefore = DirectEvent::Now() + flow.GetPort().GetTransmissionSteps(item.size);
    OnDeparture(item);
}

void
ReliableFlow::Receiver::ReceiveItem(FabricItem* item)
{
    flow.HandleArrival(item);
}

void
ReliableFlow::Receiver::Process(FabricItem* item)
{
    flow.HandleData(item);
}

void
ReliableFlow::Process(const Fabric& fabric, FabricItem* item)
{
    if (ItemSink* sink = fabric.GetEndpoint(*item))
    {
        static_cast<Receiver*>(sink)->Process(item);
    }
    else
    {
        item->Release(); // the flow was stopped
    }
}

void
ReliableFlow::Receiver::OnDeparture(FabricItem& item)
{
    auto& header = item.As<ReliableHeader>();
    header.atReceiver = DirectEvent::Now() - header.arrived;
}

std::optional<ItemSink::Payload>
ReliableFlow::Receiver::GetPayload(FabricItem& item) const
{
    const uint64_t number = item.As<ReliableHeader>().number;
    return Payload{number * flow.m_transport.m_payload, flow.GetPayload(number)};
}

ReliableFlow::ReliableFlow(ReliableTransport& transport, const FlowRecord& record)
    : m_transport(transport),
      m_record(record),
      m_source(transport.GetFabric().GetHost(record.request.source)),
      m_destination(transport.GetFabric().GetHost(record.request.destination)),
      m_total(record.request.bytes ? (record.request.bytes - 1) / transport.m_payload + 1
                                   : UNENDING),
      m_baseRtt(transport.GetBaseRtt(record.request.source, record.request.destination)),
      m_recovery(CreateRecovery(transport.m_recovery)),
      m_smallQueue(m_source, transport.m_backlog, DirectEvent::Call<&ReliableFlow::SendAll>, this),
      m_timer(DirectEvent::Call<&ReliableFlow::HandleTimer>, this, m_source.GetContext()),
      m_smoothedRtt(m_baseRtt.GetTimeStep()),
      m_rttVariation(m_smoothedRtt / 2)
{
    constexpr uint8_t UDP = 17; // of the 5-tuple
    const auto port = static_cast<uint16_t>(record.id);
    const uint16_t serverPort = transport.GetServerPort();
    const auto [from, to] = std::pair{record.request.source, record.request.destination};
    m_dataHash = HashFiveTuple(from, to, port, serverPort, UDP);
    m_answerHash = HashFiveTuple(to, from, serverPort, port, UDP);
    m_flow = transport.GetFabric().AddEndpoints(&m_receiver, &m_sender, record.GetTag());
    if (transport.m_acknowledgeEvery > 1)
    {
        m_answerAt = std::make_unique<DirectTimer>(DirectEvent::Call<&ReliableFlow::AnswerHeld>,
                                                   this,
                                                   m_destination.GetContext());
    }
}

ReliableFlow::~ReliableFlow()
{
    m_timer.Cancel();
    m_smallQueue.Close();
    ReleaseHeld();
    m_transport.GetFabric().RemoveEndpoints(m_flow);
}

FlowState
ReliableFlow::GetState() const
{
    FlowState state;
    state.rtt = TimeStep(m_smoothedRtt).GetSeconds();
    state.inFlight = static_cast<double>(GetInFlight()) * GetFullPacketSize();
    return state;
}

uint32_t
ReliableFlow::GetFullPacketSize() const
{
    return m_transport.m_payload + m_transport.m_header;
}

void
ReliableFlow::Start()
{
    m_record.firstSent = Simulator::Now();
    m_progress = DirectEvent::Now();
    SendAll();
}

void
ReliableFlow::Stop()
{
    m_record.delivered = Simulator::Now();
    Finish();
}

void
ReliableFlow::Finish()
{
    m_record.acknowledged = Simulator::Now();
    m_transport.Forget(*this);
}

uint32_t
ReliableFlow::GetPayload(uint64_t number) const
{
    const uint32_t full = m_transport.m_payload;
    return number + 1 == m_total ? static_cast<uint32_t>(m_record.request.bytes - number * full)
                                 : full;
}

uint32_t
ReliableFlow::GetPacketSize(uint64_t number) const
{
    return GetPayload(number) + m_transport.m_header;
}

void
ReliableFlow::SendAll()
{
    const int64_t now = DirectEvent::Now();
    m_release = NEVER;
    while (m_recovery->GetNext() < m_total)
    {
        const int64_t release = std::max(GetReleaseTime(now), m_notBefore);
        if (release > now)
        {
            m_release = release;
            break;
        }
        if (!m_smallQueue.Admits(GetPacketSize(m_recovery->GetNext()), 1, m_smallQueue.GetLimit()))
        {
            break; // it calls again
        }
        SendPacket(now);
    }
    SetTimer();
}

void
ReliableFlow::SendPacket(int64_t now)
{
    const uint64_t number = m_recovery->GetNext();
    if (number < m_recovery->GetEnd())
    {
        NS_LOG_LOGIC(m_record.GetTag() << ": sends packet " << number << " again");
        ++m_transport.m_retransmissions;
    }
    FabricItem* item = FabricItem::Create();
    item->hash = m_dataHash;
    item->flow = m_flow;
    item->source = m_record.request.source;
    item->destination = m_record.request.destination;
    item->size = static_cast<uint16_t>(GetPacketSize(number));
    item->tos = FabricItem::ECT0;
    item->priority = m_transport.m_priority;
    auto& header = item->As<ReliableHeader>();
    header.kind = ReliableHeader::DATA;
    header.number = number;
    header.serial = m_recovery->Send();
    header.sent = now; // until it departs
    m_smallQueue.Add(item->size);
    AttachExtension(*item);
    OnSent(item->size, now);
    m_source.Send(item);
}

void
ReliableFlow::HandleDeparture(ReliableHeader& header)
{
    const int64_t now = DirectEvent::Now();
    header.sent = now;
    m_smallQueue.Remove(GetPacketSize(header.number));
    if (header.number == m_recovery->GetFirstUnacknowledged())
    {
        m_progress = now;
    }
    SetTimer(); // the last packet to leave may be another one: from now on a timeout is due
}

void
ReliableFlow::SetTimer()
{
    const int64_t next = std::min({m_release, GetDeadline(), GetTimeoutAt()});
    if (next < NEVER)
    {
        m_timer.Set(std::max<int64_t>(next - DirectEvent::Now(), 0));
    }
    else
    {
        m_timer.Cancel();
    }
}

void
ReliableFlow::HandleTimer()
{
    const int64_t now = DirectEvent::Now();
    if (GetDeadline() <= now)
    {
        OnDeadline(now);
    }
    if (GetTimeoutAt() <= now)
    {
        HandleTimeout(now);
    }
    SendAll();
}

int64_t
ReliableFlow::GetTimeoutAt() const
{
    if (m_recovery->GetInFlight() <= m_smallQueue.GetPackets())
    {
        return NEVER; // nothing has left the host
    }
    const int64_t most = m_transport.m_maxTimeout.GetTimeStep();
    // RFC 6298, Section 2.
    const int64_t timeout =
        std::max(m_transport.m_minTimeout.GetTimeStep(), m_smoothedRtt + 4 * m_rttVariation);
    const double backedOff = static_cast<double>(timeout) * static_cast<double>(1ULL << m_backoff);
    return m_progress + static_cast<int64_t>(std::min(backedOff, static_cast<double>(most)));
}

void
ReliableFlow::HandleTimeout(int64_t now)
{
    constexpr uint32_t MOST_DOUBLINGS = 30;
    ++m_transport.m_timeouts;
    NS_LOG_LOGIC(m_record.GetTag()
                 << ": timeout, first packet " << m_recovery->GetFirstUnacknowledged());
    m_progress = now;
    m_backoff = std::min(m_backoff + 1, MOST_DOUBLINGS);
    m_recovery->GiveUp();
    OnTimeout(now);
}

void
ReliableFlow::TakeAnswer(const ReliableHeader& header)
{
    const int64_t now = DirectEvent::Now();
    if (header.kind == ReliableHeader::NOTIFICATION)
    {
        OnNotification(now);
        SendAll();
        return;
    }
    const auto change = m_recovery->Take(
        {header.number, header.serial, header.next, header.kind == ReliableHeader::REFUSAL});
    TakeRttSample(now - header.sent);
    if (change.acknowledged > 0)
    {
        m_progress = now;
        m_backoff = 0;
    }
    if (m_recovery->GetFirstUnacknowledged() == m_total)
    {
        Finish();
        return;
    }
    OnAnswer(header, change.acknowledged, now);
    if (change.lost)
    {
        OnLoss(now);
    }
    SendAll();
}

void
ReliableFlow::TakeRttSample(int64_t rtt)
{
    if (!std::exchange(m_sampled, true))
    {
        m_smoothedRtt = rtt;
        m_rttVariation = rtt / 2;
        return;
    }
    m_rttVariation += (std::abs(m_smoothedRtt - rtt) - m_rttVariation) / 4;
    m_smoothedRtt += (rtt - m_smoothedRtt) / 8;
}

void
ReliableFlow::HandleArrival(FabricItem* item)
{
    const int64_t now = DirectEvent::Now();
    auto& header = item->As<ReliableHeader>();
    header.arrived = now;
    header.hops = item->hops;
    OnData(*item, now);
    if (HostEngine* engine = m_transport.GetEngine(m_record.request.destination))
    {
        engine->Take(item);
    }
    else
    {
        HandleData(item);
    }
}

void
ReliableFlow::HandleData(FabricItem* item)
{
    const int64_t now = DirectEvent::Now();
    const auto& header = item->As<ReliableHeader>();
    const uint64_t before = m_reassembly.GetNext();
    if (m_transport.m_recovery == LossRecovery::GO_BACK_N && header.number > before)
    {
        if (!std::exchange(m_refused, true))
        {
            Answer(item, ReliableHeader::REFUSAL);
        }
        else
        {
            item->Release();
        }
        return;
    }
    const bool expected = header.number == before && !m_reassembly.HasGap();
    m_reassembly.Add(header.number);
    const uint64_t next = m_reassembly.GetNext();
    if (expected && next < m_total && ++m_unanswered < m_transport.m_acknowledgeEvery)
    {
        HoldBack(item);
    }
    else
    {
        Answer(item, ReliableHeader::ACKNOWLEDGMENT);
    }
    if (next > before)
    {
        m_refused = false;
        Deliver(before, next, now);
    }
}

void
ReliableFlow::Deliver(uint64_t first, uint64_t end, int64_t now)
{
    uint64_t bytes = (end - first - 1) * m_transport.m_payload + GetPayload(end - 1);
    m_record.delivered = TimeStep(now);
    m_transport.NotifyDelivered(m_record, static_cast<uint32_t>(bytes));
}

void
ReliableFlow::HoldBack(FabricItem* item)
{
    ReleaseHeld();
    m_held = item;
    if (!m_answerAt->IsPending())
    {
        // The window may hold fewer packets than are waited for, or the rate be low.
        m_answerAt->Set(m_baseRtt.GetTimeStep() / 2);
    }
}

void
ReliableFlow::ReleaseHeld()
{
    if (m_held)
    {
        std::exchange(m_held, nullptr)->Release();
    }
}

void
ReliableFlow::AnswerHeld()
{
    Answer(std::exchange(m_held, nullptr), ReliableHeader::ACKNOWLEDGMENT);
}

void
ReliableFlow::Answer(FabricItem* item, ReliableHeader::Kind kind)
{
    m_unanswered = 0;
    ReleaseHeld();
    if (m_answerAt)
    {
        m_answerAt->Cancel();
    }
    ReliableHeader header = item->As<ReliableHeader>();
    ItemExtension* carried = std::exchange(item->extension, nullptr);
    item->Release();
    header.kind = kind;
    header.next = m_reassembly.GetNext();
    SendToSender(header, m_transport.m_acknowledgment, m_transport.m_priority, carried);
}

void
ReliableFlow::SendToSender(const ReliableHeader& header,
                           uint32_t size,
                           uint8_t priority,
                           ItemExtension* carried)
{
    FabricItem* item = FabricItem::Create();
    item->source = m_record.request.destination;
    item->destination = m_record.request.source;
    item->hash = m_answerHash;
    item->flow = m_flow;
    item->kind = FabricItem::TOWARDS_SENDER;
    item->SetClass(FabricItem::ANSWER);
    item->size = static_cast<uint16_t>(size);
    item->priority = priority;
    item->extension = carried;
    item->As<ReliableHeader>() = header;
    m_destination.Send(item);
}

void
ReliableFlow::SendNotification(uint32_t size, uint8_t priority)
{
    ReliableHeader header{};
    header.kind = ReliableHeader::NOTIFICATION;
    SendToSender(header, size, priority);
}

} // namespace ns3
