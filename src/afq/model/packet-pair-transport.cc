/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-transport.h"

#include "packet-pair-header-writer.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/number-text.h"
#include "ns3/packet-maker.h"
#include "ns3/segment-size.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PacketPairTransport);

namespace
{

constexpr uint32_t FIRST_PORT = 49152;         //!< ephemeral ports are this and above (RFC 6335)
constexpr uint32_t PORTS = 65536 - FIRST_PORT; //!< number of ephemeral ports

} // namespace

TypeId
PacketPairTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PacketPairTransport")
            .SetParent<Transport>()
            .SetGroupName("Afq")
            .AddConstructor<PacketPairTransport>()
            .AddAttribute(
                "SegmentSize",
                "Payload of a full packet in bytes. The paper's MSS is this and the 40 "
                "bytes of IP, UDP and packet-pair header: it is what queues see, so gaps, "
                "bytes in flight and BDP all count IP datagrams",
                UintegerValue(1460),
                MakeUintegerAccessor(Setting(&PacketPairSettings::m_segmentSize)),
                MakeUintegerChecker<uint32_t>(LEAST_SEGMENT, 65000))
            .AddAttribute("Gain",
                          "Weight of a new gap in the average of gaps (Fig. 13: GAIN, not given; "
                          "0.125 to 0.5 work)",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(Setting(&PacketPairSettings::m_gain)),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("CwndFactor",
                          "A pair is sent unless more than this many bandwidth-delay products are "
                          "in flight (Sec. 5 and Fig. 13: CWND_FACTOR)",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(Setting(&PacketPairSettings::m_cwndFactor)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("BdpFloor",
                          "Least bandwidth-delay product in bytes of IP datagrams; 0: none, as in "
                          "the paper. Larger values lose packets in a large incast",
                          UintegerValue(1500),
                          MakeUintegerAccessor(Setting(&PacketPairSettings::m_bdpFloor)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "PairInFlight",
                "Whether the bound on bytes in flight is at least one pair while the "
                "least RTT exceeds the gap. The paper has no such bound: flows with a BDP of 1 to "
                "4/3 MSS fall short of their share",
                BooleanValue(false),
                MakeBooleanAccessor(Setting(&PacketPairSettings::m_pairInFlight)),
                MakeBooleanChecker())
            .AddAttribute("MinRto",
                          "Least retransmission timeout (Sec. 6.2.1)",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(Setting(&PacketPairSettings::m_minRto)),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("MaxRto",
                          "Most that backing off makes of the retransmission timeout (RFC 6298, "
                          "rule 2.5)",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(Setting(&PacketPairSettings::m_maxRto)),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("InitialRto",
                          "The first pair is sent again after this; 10 ms suits a path of 200 us",
                          TimeValue(MicroSeconds(2500)),
                          MakeTimeAccessor(Setting(&PacketPairSettings::m_initialRto)),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("BytesPerRound",
                          "BpR of the AFQ ports in bytes. What exceeds MSS is inserted as time at "
                          "line rate between the packets of a pair (Sec. 5), which caps the "
                          "estimate at MSS/BpR of the line rate",
                          UintegerValue(1500),
                          MakeUintegerAccessor(Setting(&PacketPairSettings::m_bytesPerRound)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "RateChangeCompensation",
                "Whether pairs are skipped when the estimate falls and packets injected "
                "when it rises (Sec. 5; not in Fig. 13)",
                BooleanValue(false),
                MakeBooleanAccessor(Setting(&PacketPairSettings::m_rateChangeCompensation)),
                MakeBooleanChecker())
            .AddAttribute("AckPolicy",
                          "What a receiver acknowledges: EveryPacket, or PerPair: pairs, single "
                          "packets, and whatever is out of order",
                          EnumValue(EVERY_PACKET),
                          MakeEnumAccessor<AckPolicy>(Setting(&PacketPairSettings::m_ackPolicy)),
                          MakeEnumChecker(EVERY_PACKET, "EveryPacket", PER_PAIR, "PerPair"))
            .AddAttribute("TimestampJitter",
                          "Error of a measured gap: uniform from 0 to this, in place of the noise "
                          "of a NIC's clock",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(Setting(&PacketPairSettings::m_timestampJitter)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Persistence",
                "PerFlow: each flow has a connection of its own; ReuseIdle: it takes an "
                "idle connection of its host pair, or opens another one; Shared: all "
                "flows of a host pair have one connection, one after another. A "
                "connection's next flow begins with what the former has learned",
                EnumValue(Persistence::PER_FLOW),
                MakeEnumAccessor<Persistence>(Setting(&PacketPairSettings::m_persistence)),
                MakePersistenceChecker())
            .AddAttribute("MostConnections",
                          "With Persistence=ReuseIdle: connections that a host pair has at most "
                          "(25 in AFQ's testbed); flows that find all busy wait on them in turn. "
                          "0: as many as are needed",
                          UintegerValue(0),
                          MakeUintegerAccessor(Setting(&PacketPairSettings::m_mostConnections)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("EstimateLifetime",
                          "A connection that was idle for longer begins with a pair again, as "
                          "TCP's window falls back after a retransmission timeout; the default is "
                          "Linux's least",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(Setting(&PacketPairSettings::m_estimateLifetime)),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Estimate",
                            "A pair was acknowledged: gap, share, least RTT and rate now",
                            MakeTraceSourceAccessor(&PacketPairTransport::m_estimateTrace),
                            "ns3::PacketPairTransport::EstimateTracedCallback")
            .AddTraceSource("Retransmission",
                            "A packet is sent again",
                            MakeTraceSourceAccessor(&PacketPairTransport::m_retransmissionTrace),
                            "ns3::PacketPairTransport::RetransmissionTracedCallback")
            .AddTraceSource("Timeout",
                            "Nothing was acknowledged for the retransmission timeout",
                            MakeTraceSourceAccessor(&PacketPairTransport::m_timeoutTrace),
                            "ns3::PacketPairTransport::TimeoutTracedCallback");
    return tid;
}

PacketPairTransport::PacketPairTransport()
    : m_deletion(DirectEvent::Call<&PacketPairTransport::DeleteClosed>, this),
      m_jitter(CreateObject<UniformRandomVariable>())
{
}

PacketPairTransport::~PacketPairTransport() = default;

void
PacketPairTransport::DoDispose()
{
    m_deletion.Cancel();
    m_connections.clear();
    m_closed.clear();
    m_lineOf.clear();
    m_pool = {};
    m_lines.clear();
    m_jitter = nullptr;
    Transport::DoDispose();
}

std::string
PacketPairTransport::GetSummary() const
{
    return "AFQ's end hosts: packets in pairs, paced at the share that their gap tells";
}

void
PacketPairTransport::DoAttach()
{
    if (m_maxRto < m_minRto)
    {
        throw InputError("MaxRto", TimeText(m_maxRto), "at least MinRto, " + TimeText(m_minRto));
    }
    m_jitterSteps = static_cast<double>(m_timestampJitter.GetTimeStep());
    m_connections.resize(1); // flows count from 1
    m_opened.resize(m_fabric->GetNHosts());
}

void
PacketPairTransport::ConfigurePackets(PacketMaker& packets) const
{
    packets.AddHeaderWriter(std::make_unique<PacketPairHeaderWriter>());
}

int64_t
PacketPairTransport::AssignStreams(int64_t stream)
{
    m_jitter->SetStream(stream);
    return 1;
}

PacketPairPorts
PacketPairTransport::TakePorts(uint32_t host)
{
    // No two connections of a run have the same 5-tuple: when the source ports have been used up,
    // they are used again towards the next destination port.
    const uint32_t number = m_opened[host]++;
    return {static_cast<uint16_t>(FIRST_PORT + number % PORTS),
            static_cast<uint16_t>(GetServerPort() + number / PORTS)};
}

void
PacketPairTransport::DoStartFlow(const FlowRecord& record)
{
    m_connections.resize(record.id + 1);
    if (m_persistence == Persistence::PER_FLOW)
    {
        Begin(record, TakePorts(record.request.source));
        return;
    }
    Line& line = ChooseLine(record.request);
    m_lineOf[record.id] = &line;
    line.flows.push_back(record);
    if (line.flows.size() == 1)
    {
        BeginNext(line);
    }
}

PacketPairTransport::Line&
PacketPairTransport::ChooseLine(const FlowRequest& request)
{
    const uint32_t most = m_persistence == Persistence::SHARED ? 1 : m_mostConnections;
    return m_pool.Choose(request, most, [&]() -> Line& {
        return m_lines.emplace_back(Line{TakePorts(request.source), {}, {}, {}});
    });
}

void
PacketPairTransport::Begin(const FlowRecord& record,
                           PacketPairPorts ports,
                           const std::optional<PacketPairKnowledge>& knowledge)
{
    auto& connection = m_connections[record.id];
    connection = std::make_unique<PacketPairConnection>(
        *this,
        record,
        ports,
        knowledge.value_or(PacketPairKnowledge{PacketPairEstimator(*this), {}}));
    connection->Start();
}

void
PacketPairTransport::BeginNext(Line& line)
{
    if (line.knowledge && Simulator::Now() - line.idleSince > m_estimateLifetime)
    {
        line.knowledge->estimator.ForgetShare();
    }
    Begin(line.flows.front(), line.ports, line.knowledge);
}

void
PacketPairTransport::LeaveLine(const PacketPairConnection& connection)
{
    const auto found = m_lineOf.find(connection.GetRecord().id);
    if (found == m_lineOf.end())
    {
        return;
    }
    Line& line = *found->second;
    m_lineOf.erase(found);
    line.knowledge.emplace(connection.GetSender().GetKnowledge());
    line.idleSince = Simulator::Now();
    line.flows.pop_front();
    if (!line.IsIdle())
    {
        BeginNext(line);
    }
}

void
PacketPairTransport::StopWaiting(FlowId flow)
{
    const auto found = m_lineOf.find(flow);
    if (found == m_lineOf.end())
    {
        return; // over
    }
    auto& flows = found->second->flows;
    m_lineOf.erase(found);
    const auto waiting = std::find_if(flows.begin(), flows.end(), [flow](const FlowRecord& record) {
        return record.id == flow;
    });
    FlowRecord record = *waiting;
    flows.erase(waiting);
    record.delivered = Simulator::Now();
    record.acknowledged = Simulator::Now();
    NotifyFinished(record);
}

void
PacketPairTransport::StopFlow(FlowId flow)
{
    if (PacketPairConnection* connection = m_connections.at(flow).get())
    {
        connection->Stop();
        HandleFinished(*connection);
    }
    else
    {
        StopWaiting(flow);
    }
}

void
PacketPairTransport::HandleFinished(PacketPairConnection& connection)
{
    const FlowRecord record = connection.GetRecord();
    connection.Close();
    LeaveLine(connection);
    m_closed.push_back(std::move(m_connections[record.id]));
    if (!m_deletion.IsPending())
    {
        m_deletion.Set(0);
    }
    NotifyFinished(record);
}

void
PacketPairTransport::DeleteClosed()
{
    m_closed.clear();
}

Transport::PacketSizes
PacketPairTransport::GetPacketSizes() const
{
    return {m_segmentSize, PacketPairSegment::HEADERS, PacketPairSegment::HEADERS};
}

const PacketPairConnection*
PacketPairTransport::GetConnection(FlowId flow) const
{
    return m_connections.at(flow).get();
}

std::vector<FlowState>
PacketPairTransport::GetStates(FlowId flow) const
{
    const PacketPairConnection* connection =
        flow < m_connections.size() ? m_connections[flow].get() : nullptr;
    return connection ? std::vector{connection->GetSender().GetState()} : std::vector<FlowState>();
}

void
PacketPairTransport::HandleEstimate(const PacketPairConnection& connection)
{
    m_estimateTrace(connection.GetRecord().id, connection.GetSender().GetEstimator());
}

void
PacketPairTransport::HandleRetransmission(const PacketPairConnection& connection, uint64_t sequence)
{
    ++m_retransmissions;
    m_retransmissionTrace(connection.GetRecord().id, sequence);
}

void
PacketPairTransport::HandleTimeout(const PacketPairConnection& connection)
{
    ++m_timeouts;
    m_timeoutTrace(connection.GetRecord().id);
}

uint64_t
PacketPairTransport::GetRetransmissions() const
{
    return m_retransmissions;
}

uint64_t
PacketPairTransport::GetTimeouts() const
{
    return m_timeouts;
}

} // namespace ns3
