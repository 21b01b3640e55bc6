/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "priority-flow-control.h"

#include "fabric.h"

#include "ns3/former-settings.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/log.h"
#include "ns3/results.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PriorityFlowControl");
NS_OBJECT_ENSURE_REGISTERED(PriorityFlowControl);

/// Sizes were bytes.
static const FormerSettings g_formerPriorityFlowControlSettings{
    {"ns3::PriorityFlowControl", "Buffer", 1, "B"},
    {"ns3::PriorityFlowControl", "Headroom", 1, "B"},
    {"ns3::PriorityFlowControl", "XonDistance", 1, "B"},
};

const DirectEvent::Tag FlowControlledPort::FRAME_ARRIVES =
    DirectEvent::Register(&FlowControlledPort::FrameArrives,
                          {.discard = &FlowControlledPort::DiscardFrame});

// ---- A port as the receiver of its link's other direction ----

bool
FlowControlledPort::Admit(const FabricItem& item)
{
    const Charge charge(item);
    if (!m_inputs || !((m_lossless >> charge.priority) & 1))
    {
        return true; // waits at a host, or may be lost
    }
    m_control->CheckPacketSize(charge.size); // what a transport does not know of, such as probes
    FlowControlledPort& input = m_inputs[charge.inPort];
    uint32_t& bytes = input.m_bytes[charge.priority];
    bytes += charge.size;
    if (bytes <= input.m_thresholds.buffer)
    {
        return true;
    }
    ++m_control->m_overflows;
    return false;
}

void
FlowControlledPort::PauseIfNeeded(const Charge& charge)
{
    if (!m_inputs)
    {
        return;
    }
    FlowControlledPort& input = m_inputs[charge.inPort];
    const uint32_t bytes = input.m_bytes[charge.priority];
    const auto bit = static_cast<uint8_t>(1 << charge.priority);
    input.m_peakBytes = std::max(input.m_peakBytes, bytes);
    if (bytes > input.m_thresholds.pause && !(input.m_pausing & bit))
    {
        input.m_pausing |= bit;
        ++m_control->m_pauses;
        input.Tell();
    }
}

void
FlowControlledPort::Refund(const Charge& charge)
{
    const auto bit = static_cast<uint8_t>(1 << charge.priority);
    if (!m_inputs || !(m_lossless & bit))
    {
        return;
    }
    FlowControlledPort& input = m_inputs[charge.inPort];
    uint32_t& bytes = input.m_bytes[charge.priority];
    NS_ASSERT_MSG(bytes >= charge.size, "an item's size or priority changed while it waited");
    bytes -= charge.size;
    if ((input.m_pausing & bit) && bytes <= input.m_thresholds.resume)
    {
        input.m_pausing &= static_cast<uint8_t>(~bit);
        input.Tell();
    }
}

void
FlowControlledPort::ItemDropped(const FabricItem* item, const char* /* reason */)
{
    Refund(Charge(*item));
}

void
FlowControlledPort::Tell()
{
    if (DirectEvent::Now() < m_frameStart)
    {
        m_frame->As<PauseFrame>().paused = m_pausing; // the one that waits says it all
        return;
    }
    if (!m_port->IsUp())
    {
        return; // LinkRepaired() at the other end will ask
    }
    m_frame = FabricItem::Create();
    m_frame->size = PriorityFlowControl::FRAME_BYTES;
    m_frame->As<PauseFrame>() = {m_peer, m_port, m_pausing};
    m_frameStart = m_port->SendFrame(m_frame, FRAME_ARRIVES);
    ++m_control->m_frames;
}

// ---- A port as a sender ----

void
FlowControlledPort::FrameArrives(void* object)
{
    auto item = static_cast<FabricItem*>(object);
    const PauseFrame frame = item->As<PauseFrame>();
    if (frame.receiver && !frame.sender->WasHitByFailure(item))
    {
        frame.receiver->SetPaused(frame.paused);
        frame.receiver->m_port->Wake();
    }
    item->Release();
}

void
FlowControlledPort::DiscardFrame(void* object)
{
    static_cast<FabricItem*>(object)->Release();
}

void
FlowControlledPort::SetPaused(uint8_t priorities)
{
    if (priorities == m_paused)
    {
        return;
    }
    NS_LOG_LOGIC(m_port->GetDescription().name << " may not send priorities " << +priorities);
    const int64_t now = DirectEvent::Now();
    if (m_paused)
    {
        m_pausedTime += now - m_pausedSince;
    }
    m_pausedSince = now;
    m_paused = priorities;
    m_port->GetQueueDisc().SetPausedPriorities(priorities);
    m_control->m_pausedTrace(m_port, priorities);
}

Time
FlowControlledPort::GetPausedTime() const
{
    return TimeStep(m_pausedTime + (m_paused ? DirectEvent::Now() - m_pausedSince : 0));
}

FabricItem*
FlowControlledPort::TakeNext()
{
    FabricItem* item = m_held ? TakeHeld() : m_port->GetQueueDisc().DequeueItem();
    if (item && IsPaused(*item))
    {
        m_held = item;
        return nullptr;
    }
    return item;
}

void
FlowControlledPort::LinkFailed()
{
    SetPaused(0);
    if (DirectEvent::Now() <= m_frameStart) // a frame under way is lost anyway
    {
        m_frame->As<PauseFrame>().receiver = nullptr;
        m_frameStart = INT64_MIN;
    }
}

void
FlowControlledPort::LinkRepaired()
{
    // Bringing a link up takes far longer than a frame, so what the receiver wants is known then.
    SetPaused(m_peer->m_pausing);
}

// ---- The whole fabric ----

TypeId
PriorityFlowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PriorityFlowControl")
            .SetParent<FlowControl>()
            .SetGroupName("Fabric")
            .AddConstructor<PriorityFlowControl>()
            .AddAttribute("Priorities",
                          "Priorities under flow control (FabricItem::priority), as a list such "
                          "as '0,3'; all others may be lost. 7 stands for all from 7 on",
                          StringValue("0,1,2,3,4,5,6,7"),
                          MakeStringAccessor(&PriorityFlowControl::m_priorities),
                          MakeStringChecker())
            .AddAttribute("Buffer",
                          "Memory that a switch has for each priority of each input, in bytes or "
                          "time at the link's rate; 0B: enough that a link never runs idle because "
                          "it was paused",
                          QueueLimitValue(QueueLimit("0B")),
                          MakeQueueLimitAccessor(&PriorityFlowControl::m_bufferSize),
                          MakeQueueLimitChecker(LengthUnits::BYTES_OR_TIME))
            .AddAttribute("Headroom",
                          "Part of Buffer for what comes after the packet that makes the switch "
                          "send a pause, in bytes or time at the link's rate; 0B: computed from "
                          "the link, so that nothing is lost",
                          QueueLimitValue(QueueLimit("0B")),
                          MakeQueueLimitAccessor(&PriorityFlowControl::m_fixedHeadroom),
                          MakeQueueLimitChecker(LengthUnits::BYTES_OR_TIME))
            .AddAttribute("XonDistance",
                          "A paused neighbour may resume when so much less than XOFF is held, in "
                          "bytes or time at the link's rate, or nothing",
                          QueueLimitValue(QueueLimit("3000B")),
                          MakeQueueLimitAccessor(&PriorityFlowControl::m_resumeDistance),
                          MakeQueueLimitChecker(LengthUnits::BYTES_OR_TIME))
            .AddAttribute("MaxPacket",
                          "Largest packet in bytes, on which the headroom depends; the default is "
                          "that of an envelope frame (IEEE 802.3, Section 3.2.7)",
                          UintegerValue(2000),
                          MakeUintegerAccessor(&PriorityFlowControl::m_maxPacket),
                          MakeUintegerChecker<uint32_t>(FRAME_BYTES, 65535))
            .AddTraceSource("Paused",
                            "A port was paused or may go on",
                            MakeTraceSourceAccessor(&PriorityFlowControl::m_pausedTrace),
                            "ns3::PriorityFlowControl::PausedTracedCallback");
    return tid;
}

void
PriorityFlowControl::DoDispose()
{
    for (FabricPort* port : m_fabricPorts)
    {
        if (FabricItem* held = port->GetFlowControl()->TakeHeld())
        {
            held->Release();
        }
    }
    m_fabricPorts.clear();
    FlowControl::DoDispose();
}

uint8_t
PriorityFlowControl::ReadPriorities() const
{
    uint8_t priorities = 0;
    for (const std::string& entry : CutList(m_priorities))
    {
        const uint64_t priority = ParseCount("ns3::PriorityFlowControl::Priorities", entry);
        if (priority >= FlowControlledPort::PRIORITIES)
        {
            throw InputError("ns3::PriorityFlowControl::Priorities", entry, "0 to 7");
        }
        priorities |= static_cast<uint8_t>(1 << priority);
    }
    return priorities;
}

uint32_t
PriorityFlowControl::ComputeHeadroom(const FabricPort& port) const
{
    const auto& description = port.GetDescription();
    const FabricPort& sender = description.peer->GetPort(description.peerPort);
    const int64_t packet = port.GetTransmissionSteps(m_maxPacket);
    const int64_t reaction = packet + port.GetTransmissionSteps(FRAME_BYTES) +
                             port.GetDelaySteps() + sender.GetDelaySteps();
    // The link carries largest packets back to back, frame overhead not counted, and then the last.
    const double sent = std::ceil(1.0 * reaction * m_maxPacket / packet) + m_maxPacket;
    return static_cast<uint32_t>(std::min<double>(sent, UINT32_MAX / 4));
}

uint32_t
PriorityFlowControl::ResolveBytes(const std::string& attribute,
                                  const QueueLimit& limit,
                                  DataRate rate)
{
    constexpr uint32_t MOST = 1 << 30; // sums of several are below 4 GiB
    const std::string argument = "ns3::PriorityFlowControl::" + attribute;
    const uint32_t bytes = limit.Resolve(argument, rate).GetBytes();
    if (bytes > MOST)
    {
        throw InputError(argument, limit.ToString(), "at most 1 GiB");
    }
    return bytes;
}

FlowControlledPort::Thresholds
PriorityFlowControl::ComputeThresholds(const FabricPort& port) const
{
    FlowControlledPort::Thresholds thresholds{};
    const DataRate rate = port.GetDescription().rate;
    const uint32_t computed = ComputeHeadroom(port);
    const uint32_t fixed = ResolveBytes("Headroom", m_fixedHeadroom, rate);
    const uint32_t buffer = ResolveBytes("Buffer", m_bufferSize, rate);
    const uint32_t distance = ResolveBytes("XonDistance", m_resumeDistance, rate);
    thresholds.headroom = fixed > 0 ? fixed : computed;
    // Between the order to resume and the end of the first packet that follows it, what was held
    // goes on for the time of the headroom.
    thresholds.buffer =
        buffer > 0 ? buffer : thresholds.headroom + m_maxPacket + distance + computed;
    const uint32_t least = thresholds.headroom + m_maxPacket;
    if (thresholds.buffer < least)
    {
        throw InputError("ns3::PriorityFlowControl::Buffer",
                         m_bufferSize.ToString(),
                         "at least headroom and one packet, for port " +
                             port.GetDescription().name + " " + std::to_string(least) + " bytes");
    }
    thresholds.pause = thresholds.buffer - least;
    thresholds.resume = thresholds.pause - std::min(thresholds.pause, distance);
    return thresholds;
}

void
PriorityFlowControl::CheckPacketSize(uint32_t bytes) const
{
    if (bytes > m_maxPacket)
    {
        throw InputError("ns3::PriorityFlowControl::MaxPacket",
                         std::to_string(m_maxPacket),
                         "at least the size of every packet; there is one of " +
                             std::to_string(bytes) + " bytes");
    }
}

void
PriorityFlowControl::Install(const Fabric& fabric)
{
    const uint8_t lossless = ReadPriorities();
    const auto add = [&](FabricNode& node, bool isSwitch) {
        m_ports.push_back(std::make_unique<FlowControlledPort[]>(node.GetNPorts()));
        for (uint32_t i = 0; i < node.GetNPorts(); ++i)
        {
            FabricPort& port = node.GetPort(i);
            FlowControlledPort& state = m_ports.back()[i];
            state.m_port = &port;
            state.m_control = this;
            state.m_inputs = isSwitch ? m_ports.back().get() : nullptr;
            state.m_lossless = lossless;
            state.m_thresholds = isSwitch ? ComputeThresholds(port) : state.m_thresholds;
            port.SetFlowControl(&state);
            port.GetQueueDisc().TraceConnectWithoutContext(
                "ItemDrop",
                MakeCallback(&FlowControlledPort::ItemDropped, &state));
            m_fabricPorts.push_back(&port);
        }
    };
    for (uint32_t i = 0; i < fabric.GetNHosts(); ++i)
    {
        add(fabric.GetHost(i), false);
    }
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        add(fabric.GetSwitch(i), true);
    }
    for (FabricPort* port : m_fabricPorts)
    {
        const auto& description = port->GetDescription();
        port->GetFlowControl()->m_peer =
            description.peer->GetPort(description.peerPort).GetFlowControl();
    }
}

void
PriorityFlowControl::ForEachPort(
    const std::function<void(const FabricPort&, const FlowControlledPort&)>& visit) const
{
    for (const FabricPort* port : m_fabricPorts)
    {
        visit(*port, *port->GetFlowControl());
    }
}

void
PriorityFlowControl::ReportResults(Results& results) const
{
    double paused = 0;
    double longest = 0;
    uint32_t peak = 0;
    ForEachPort([&](const FabricPort&, const FlowControlledPort& port) {
        const double time = port.GetPausedTime().GetSeconds();
        paused += time;
        longest = std::max(longest, time);
        peak = std::max(peak, port.GetPeakBytes());
    });
    results.Add("pfc_pauses", static_cast<double>(m_pauses));
    results.Add("pfc_frames", static_cast<double>(m_frames));
    results.Add("pfc_paused_mean_s", paused / static_cast<double>(m_fabricPorts.size()));
    results.Add("pfc_paused_max_s", longest);
    results.Add("pfc_input_peak_bytes", peak);
    results.Add("pfc_overflow_packets", static_cast<double>(m_overflows));
}

} // namespace ns3
