/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reliable-transport.h"

#include "reliable-flow.h"

#include "ns3/enum.h"
#include "ns3/former-settings.h"
#include "ns3/input-error.h"
#include "ns3/number-text.h"
#include "ns3/results.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ReliableTransport);

/// Former attribute PortPackets: the Backlog as a number of packets.
static const FormerSettings g_formerReliableTransportSettings{
    {"ns3::ReliableTransport", "PortPackets", 1, "p", 0, "", {"Backlog"}},
};

TypeId
ReliableTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ReliableTransport")
            .SetParent<Transport>()
            .SetGroupName("Transport")
            .AddAttribute("AcknowledgeEvery",
                          "Packets in order from acknowledgment to acknowledgment; fewer if half a "
                          "round trip without load has passed since the first of them, so that a "
                          "window of fewer packets goes on. The last packet of a flow and all "
                          "others are acknowledged at once",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ReliableTransport::m_acknowledgeEvery),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Backlog",
                          "Most that a flow has in the port of its own host, in bytes, packets or "
                          "time at the link's rate: flows of a host take turns, as the port pulls",
                          QueueLimitValue(QueueLimit("2p")),
                          MakeQueueLimitAccessor(&ReliableTransport::m_backlog),
                          MakeQueueLimitChecker())
            .AddAttribute("Priority",
                          "Class in the fabric of data and acknowledgments, 0 the most urgent "
                          "(FabricItem::priority)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ReliableTransport::m_priority),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("ProcessingTime",
                          "Time that a receiving host takes for each data packet, one after the "
                          "other, before it answers; 0: none",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&ReliableTransport::m_processingTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxTimeout",
                          "Longest time without an acknowledgment after which what is under way "
                          "is sent again; it doubles from MinTimeout at each timeout",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&ReliableTransport::m_maxTimeout),
                          MakeTimeChecker(TimeStep(1)));
    return tid;
}

ReliableTransport::ReliableTransport() = default;

ReliableTransport::~ReliableTransport() = default;

void
ReliableTransport::DoDispose()
{
    m_flows.clear();
    m_engines.clear();
    Transport::DoDispose();
}

void
ReliableTransport::DoAttach()
{
    if (m_minTimeout > m_maxTimeout)
    {
        throw InputError(GetInstanceTypeId().GetName() + "::MinTimeout",
                         TimeText(m_minTimeout),
                         "at most MaxTimeout, " + TimeText(m_maxTimeout));
    }
    CheckBacklog("Backlog", m_backlog);
    for (uint32_t host = 0; host < m_fabric->GetNHosts(); ++host)
    {
        m_fabric->GetHost(host).TrackDepartures();
        if (m_processingTime.IsStrictlyPositive())
        {
            m_engines.push_back(
                std::make_unique<HostEngine>(m_fabric->GetHost(host), m_processingTime));
        }
    }
}

void
ReliableTransport::DoStartFlow(const FlowRecord& record)
{
    auto flow = CreateFlow(record);
    ReliableFlow& started = *flow;
    m_flows.emplace(record.id, std::move(flow));
    started.Start();
}

void
ReliableTransport::StopFlow(FlowId flow)
{
    if (ReliableFlow* found = FindFlow(flow))
    {
        found->Stop();
    }
}

Time
ReliableTransport::GetBaseRtt(uint32_t source, uint32_t destination) const
{
    FlowRequest packet;
    packet.source = source;
    packet.destination = destination;
    packet.bytes = m_payload;
    const Time ideal = GetIdealCompletionTime(packet);
    return ideal.IsZero() ? m_minTimeout : ideal; // there is no path now
}

ReliableFlow*
ReliableTransport::FindFlow(FlowId flow) const
{
    const auto found = m_flows.find(flow);
    return found == m_flows.end() ? nullptr : found->second.get();
}

void
ReliableTransport::Forget(ReliableFlow& flow)
{
    const FlowRecord record = flow.GetRecord();
    m_flows.erase(record.id); // the flow's last act was to call
    NotifyFinished(record);
}

Transport::PacketSizes
ReliableTransport::GetPacketSizes() const
{
    return {m_payload, m_header, m_acknowledgment, m_acknowledgeEvery == 1};
}

std::vector<FlowState>
ReliableTransport::GetStates(FlowId flow) const
{
    const ReliableFlow* found = FindFlow(flow);
    return found ? std::vector{found->GetState()} : std::vector<FlowState>();
}

std::optional<uint64_t>
ReliableTransport::CountRetransmissions() const
{
    return m_retransmissions;
}

void
ReliableTransport::ReportResults(Results& results) const
{
    Transport::ReportResults(results);
    results.Add("timeouts", static_cast<double>(m_timeouts));
}

} // namespace ns3
