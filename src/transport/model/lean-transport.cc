/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lean-transport.h"

#include "tcp-ops-compatibility.h"

#include "ns3/attribute-form.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/former-settings.h"
#include "ns3/input-error.h"
#include "ns3/number-text.h"
#include "ns3/segment-size.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LeanTransport);

/// Former attribute SmallQueue: the Backlog in bytes; 0: no limit.
static const FormerSettings g_formerLeanTransportSettings{
    {"ns3::LeanTransport", "SmallQueue", 1, "B", 0, "0", {"Backlog"}},
};

namespace
{

// The source ports of a host's connections in turn: those of RFC 6335, section 6, in the order in
// which ns-3's sockets take them, so that flow-hash routing gives a flow the same path with both.
constexpr uint32_t FIRST_PORT = 49153;
constexpr uint32_t LOWEST_PORT = 49152;
constexpr uint32_t PORTS = 65536 - LOWEST_PORT;

/**
 * @brief Make an object of a class that the user named.
 * @tparam T base class
 * @param argument the option that the user set
 * @param name the name, with or without "ns3::"
 * @return the object
 * @throws InputError if there is no such class
 */
template <class T>
Ptr<T>
CreateNamed(const std::string& argument, const std::string& name)
{
    const std::string base = T::GetTypeId().GetName();
    TypeId tid;
    const bool found = TypeId::LookupByNameFailSafe(name, &tid) ||
                       TypeId::LookupByNameFailSafe("ns3::" + name, &tid);
    const Ptr<T> object = found ? CreateOps<T>(tid) : nullptr;
    if (!object)
    {
        throw InputError(argument, name, "the name of a class derived from " + base);
    }
    return object;
}

} // namespace

TypeId
LeanTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LeanTransport")
            .SetParent<Transport>()
            .SetGroupName("Transport")
            .AddConstructor<LeanTransport>()
            .AddAttribute("CongestionOps",
                          "TypeId of the congestion control, any TcpCongestionOps",
                          StringValue("ns3::TcpLinuxReno"),
                          MakeStringAccessor(&LeanTransport::m_congestionOps),
                          MakeClassNameChecker<TcpCongestionOps>())
            .AddAttribute("RecoveryOps",
                          "TypeId of the window's course during recovery, any TcpRecoveryOps",
                          StringValue("ns3::TcpPrrRecovery"),
                          MakeStringAccessor(&LeanTransport::m_recoveryOps),
                          MakeClassNameChecker<TcpRecoveryOps>())
            .AddAttribute("SegmentSize",
                          "Payload of a full segment in bytes",
                          UintegerValue(1460),
                          MakeUintegerAccessor(Setting(&LeanTcpSettings::m_segmentSize)),
                          MakeUintegerChecker<uint32_t>(LEAST_SEGMENT, 65000))
            .AddAttribute("InitialCwnd",
                          "Initial congestion window in segments (RFC 6928: 10)",
                          UintegerValue(10),
                          MakeUintegerAccessor(Setting(&LeanTcpSettings::m_initialCwnd)),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("InitialSlowStartThreshold",
                          "Initial slow start threshold in bytes",
                          UintegerValue(UINT32_MAX),
                          MakeUintegerAccessor(Setting(&LeanTcpSettings::m_initialSsThresh)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Handshake",
                          "Whether a connection begins with SYN, SYN-ACK and ACK; data follows the "
                          "ACK",
                          BooleanValue(true),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_handshake)),
                          MakeBooleanChecker())
            .AddAttribute("Persistence",
                          "PerFlow: each flow has a connection of its own; ReuseIdle: it takes an "
                          "idle connection of its host pair, or opens another one; Shared: all "
                          "flows of a host pair are messages on one connection",
                          EnumValue(Persistence::PER_FLOW),
                          MakeEnumAccessor<Persistence>(Setting(&LeanTcpSettings::m_persistence)),
                          MakePersistenceChecker())
            .AddAttribute(
                "MostConnections",
                "With Persistence=ReuseIdle: connections that a host pair has at most (25 "
                "in AFQ's testbed); flows that find all busy wait on them in turn. 0: as "
                "many as are needed",
                UintegerValue(0),
                MakeUintegerAccessor(Setting(&LeanTcpSettings::m_mostConnections)),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "OpenTogether",
                "With Persistence=ReuseIdle and MostConnections: the first flow of a host "
                "pair opens all of them, not only the one that it takes",
                BooleanValue(false),
                MakeBooleanAccessor(Setting(&LeanTcpSettings::m_openTogether)),
                MakeBooleanChecker())
            .AddAttribute("DelAckCount",
                          "In-order segments that one acknowledgment covers; 1: none is delayed",
                          UintegerValue(1),
                          MakeUintegerAccessor(Setting(&LeanTcpSettings::m_delAckCount)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DelAckTimeout",
                          "Most that an acknowledgment is delayed",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_delAckTimeout)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RcvBufSize",
                          "Receive buffer in bytes, the largest window; the application reads "
                          "at once",
                          UintegerValue(4 << 20),
                          MakeUintegerAccessor(Setting(&LeanTcpSettings::m_rcvWindow)),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute("WindowScaling",
                          "Whether the window may exceed 65535 bytes (RFC 7323)",
                          BooleanValue(true),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_windowScaling)),
                          MakeBooleanChecker())
            .AddAttribute("MaxWindow",
                          "Cap on the sender's window in bytes, for papers with a fixed window; 0: "
                          "none",
                          UintegerValue(0),
                          MakeUintegerAccessor(Setting(&LeanTcpSettings::m_maxWindow)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Sack",
                          "Selective acknowledgments (RFC 2018, RFC 6675); without: RFC 6582",
                          BooleanValue(true),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_sack)),
                          MakeBooleanChecker())
            .AddAttribute("LimitedTransmit",
                          "Whether the first duplicate acknowledgments release new data (RFC 3042)",
                          BooleanValue(true),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_limitedTransmit)),
                          MakeBooleanChecker())
            .AddAttribute("ReTxThreshold",
                          "Duplicate acknowledgments that tell of a loss (DupThresh of RFC 6675); "
                          "high values tolerate reordering",
                          UintegerValue(3),
                          MakeUintegerAccessor(Setting(&LeanTcpSettings::m_reTxThreshold)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Rack",
                          "Detect losses by time instead of by duplicates (RFC 8985; its "
                          "probes are TailLossProbe); needs Sack",
                          BooleanValue(false),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_rack)),
                          MakeBooleanChecker())
            .AddAttribute("RackReorderingWindow",
                          "How much later than a segment sent after it a segment may be delivered; "
                          "0: a quarter of the least RTT (RFC 8985, section 6.2)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_rackReorderingWindow)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TailLossProbe",
                          "Send new data or the last segment again two round trips after nothing "
                          "more could be sent, instead of waiting for the retransmission timeout "
                          "(RFC 8985, section 7; Linux since 3.10); needs Sack",
                          BooleanValue(false),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_tailLossProbe)),
                          MakeBooleanChecker())
            .AddAttribute("MinProbeTimeout",
                          "Least time before a tail loss probe (Linux before 4.12: 10 ms)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_minProbeTimeout)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ProbeDelay",
                          "With one segment in flight, whose acknowledgment may be delayed, a tail "
                          "loss probe waits longer by this (RFC 8985, section 7.2)",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_probeDelay)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MinRto",
                          "Least retransmission timeout (AFQ, section 6.2.1); at least "
                          "ClockGranularity. A queue that holds longer, such as a host's own with "
                          "HostBuffer=8MB, brings retransmissions without a drop: see Backlog",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_minRto)),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("MaxRto",
                          "Most that backing off makes of the retransmission timeout (RFC 6298, "
                          "rule 2.5)",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_maxRto)),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("InitialRto",
                          "Retransmission timeout of data before there is an RTT sample. Without "
                          "Handshake it has to exceed the round trip; after SYNs that timed out "
                          "the data's is no less than thrice the time since the first of them",
                          TimeValue(MicroSeconds(2500)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_initialRto)),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("ConnTimeout",
                          "A SYN is sent again after this, then after twice, ...",
                          TimeValue(MicroSeconds(2500)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_connTimeout)),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("ClockGranularity",
                          "G of RFC 6298: least allowance for the variation of the RTT",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_clockGranularity)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Timestamp",
                          "Timestamp option (RFC 7323): 12 bytes per packet; retransmissions give "
                          "RTT samples as well",
                          BooleanValue(false),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_timestamps)),
                          MakeBooleanChecker())
            .AddAttribute(
                "UseEcn",
                "Explicit congestion notification (RFC 3168); DCTCP has it on always",
                EnumValue(TcpSocketState::Off),
                MakeEnumAccessor<TcpSocketState::UseEcn_t>(Setting(&LeanTcpSettings::m_ecn)),
                MakeEnumChecker(TcpSocketState::Off, "Off", TcpSocketState::On, "On"))
            .AddAttribute("DctcpAckRule",
                          "How a receiver echoes marks: Latched until CWR (RFC 3168, section "
                          "6.1.3), PerPacket with an acknowledgment at each change (RFC 8257, "
                          "section 3.2), or Auto: as the congestion control wants it",
                          EnumValue(BY_CONGESTION_OPS),
                          MakeEnumAccessor<EcnEcho>(Setting(&LeanTcpSettings::m_ecnEcho)),
                          MakeEnumChecker(BY_CONGESTION_OPS,
                                          "Auto",
                                          LATCHED,
                                          "Latched",
                                          PER_PACKET,
                                          "PerPacket"))
            .AddAttribute("DctcpReactsToLoss",
                          "Whether DCTCP halves its window after a loss (RFC 8257, section 3.5); "
                          "ns-3's does not",
                          BooleanValue(true),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_dctcpReactsToLoss)),
                          MakeBooleanChecker())
            .AddAttribute("Dscp",
                          "Differentiated services codepoint of all packets; ECN is independent of "
                          "it",
                          UintegerValue(0),
                          MakeUintegerAccessor(Setting(&LeanTcpSettings::m_dscp)),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("RestartAfterIdle",
                          "Whether a persistent connection that was idle longer than its RTO falls "
                          "back to the initial window (RFC 5681, section 4.1)",
                          BooleanValue(true),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_restartAfterIdle)),
                          MakeBooleanChecker())
            .AddAttribute("Pacing",
                          "Spread segments over the round trip",
                          BooleanValue(false),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_pacing)),
                          MakeBooleanChecker())
            .AddAttribute("PaceInitialWindow",
                          "Whether the first window is paced as well",
                          BooleanValue(false),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_paceInitialWindow)),
                          MakeBooleanChecker())
            .AddAttribute("MaxPacingRate",
                          "Most that pacing lets out",
                          DataRateValue(DataRate("1600Gb/s")),
                          MakeDataRateAccessor(Setting(&LeanTcpSettings::m_maxPacingRate)),
                          MakePositiveRateChecker())
            .AddAttribute("Backlog",
                          "Most that a connection has in the port of its own host, in bytes, "
                          "packets or time at the link's rate (TCP small queues; Linux 3.6: "
                          "128KiB)",
                          QueueLimitValue(QueueLimit()),
                          MakeQueueLimitAccessor(Setting(&LeanTcpSettings::m_backlog)),
                          MakeQueueLimitChecker())
            .AddAttribute("SmallQueueTime",
                          "The same as time at the pacing rate, at least two packets and at most "
                          "Backlog (Linux since 3.12: about 1 ms); 0: Backlog alone counts",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_smallQueueTime)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "BurstSize",
                "Most payload in bytes that is handed to the port in one, as segmentation "
                "offload does (Linux: 65536), in whole segments, at least two; 0: every "
                "segment by itself",
                UintegerValue(0),
                MakeUintegerAccessor(Setting(&LeanTcpSettings::m_burstSize)),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("BurstTime",
                          "The same as time at the pacing rate, at most BurstSize (Linux since "
                          "3.12: about 1 ms); 0: BurstSize alone counts",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(Setting(&LeanTcpSettings::m_burstTime)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("BurstWindowShare",
                          "Nothing is sent until a full burst or the window over this may be "
                          "(Linux: tcp_tso_win_divisor, 3); 0: what may be sent is",
                          UintegerValue(3),
                          MakeUintegerAccessor(Setting(&LeanTcpSettings::m_burstWindowShare)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "CoalesceTime",
                "Longest that a segment waits at the receiver for others, to be handed to "
                "its TCP with them as one (interrupt coalescing, GRO); 0: not at all",
                TimeValue(Time(0)),
                MakeTimeAccessor(Setting(&LeanTcpSettings::m_coalesceTime)),
                MakeTimeChecker(Time(0)))
            .AddAttribute("CoalesceSize",
                          "Most payload in bytes that is handed to a receiver's TCP as one (Linux: "
                          "65536)",
                          UintegerValue(65536),
                          MakeUintegerAccessor(Setting(&LeanTcpSettings::m_coalesceSize)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("CoalescedCountOnce",
                          "Whether DelAckCount counts what is handed up as one, or the segments in "
                          "it, as Linux does",
                          BooleanValue(false),
                          MakeBooleanAccessor(Setting(&LeanTcpSettings::m_coalescedCountOnce)),
                          MakeBooleanChecker())
            .AddAttribute("Conformance",
                          "Where ns-3's TcpSocketBase departs from the RFCs: Rfc, or Ns3 to do as "
                          "it does (set DctcpReactsToLoss to false as well); the documentation "
                          "lists the places",
                          EnumValue(RFC),
                          MakeEnumAccessor<Conformance>(Setting(&LeanTcpSettings::m_conformance)),
                          MakeEnumChecker(RFC, "Rfc", NS3, "Ns3"))
            .AddTraceSource("RoundTrip",
                            "A connection measured a round trip, from sending a segment to its "
                            "acknowledgment (RFC 6298)",
                            MakeTraceSourceAccessor(Setting(&LeanTcpSettings::m_roundTripTrace)),
                            "ns3::Time::TracedCallback");
    return tid;
}

LeanTransport::LeanTransport()
    : m_deletion(DirectEvent::Call<&LeanTransport::DeleteClosed>, this)
{
}

LeanTransport::~LeanTransport() = default;

void
LeanTransport::DoDispose()
{
    m_deletion.Cancel();
    m_flows.clear();
    m_persistent = {};
    m_open.clear();
    m_closed.clear();
    m_congestionPrototype = nullptr;
    m_recoveryPrototype = nullptr;
    Transport::DoDispose();
}

void
LeanTransport::CheckSettings() const
{
    if (m_minRto < m_clockGranularity)
    {
        throw InputError("MinRto",
                         TimeText(m_minRto),
                         "at least ClockGranularity, " + TimeText(m_clockGranularity));
    }
    if (m_maxRto < m_minRto)
    {
        throw InputError("MaxRto", TimeText(m_maxRto), "at least MinRto, " + TimeText(m_minRto));
    }
    const auto checkWindow = [this](const char* name, uint32_t window) {
        if (window < m_segmentSize)
        {
            throw InputError(name,
                             std::to_string(window),
                             "at least SegmentSize, " + std::to_string(m_segmentSize));
        }
    };
    checkWindow("RcvBufSize", m_windowScaling ? m_rcvWindow : std::min(m_rcvWindow, 65535U));
    checkWindow("MaxWindow", m_maxWindow ? m_maxWindow : UINT32_MAX);
    if (m_rack && !m_sack)
    {
        throw InputError("Rack", "true", "only with Sack");
    }
    if (m_tailLossProbe && !m_sack)
    {
        throw InputError("TailLossProbe", "true", "only with Sack");
    }
    if (m_openTogether && (m_persistence != Persistence::REUSE_IDLE || m_mostConnections == 0))
    {
        throw InputError("OpenTogether",
                         "true",
                         "only with Persistence=ReuseIdle and MostConnections");
    }
    if (!m_smallQueueTime.IsZero() && !m_backlog.IsInBytes())
    {
        throw InputError("Backlog",
                         m_backlog.ToString(),
                         "in bytes or as time beside SmallQueueTime, " +
                             TimeText(m_smallQueueTime));
    }
    if (uint64_t{m_initialCwnd} * m_segmentSize > UINT32_MAX / 2)
    {
        throw InputError("InitialCwnd",
                         std::to_string(m_initialCwnd),
                         "less than 2 GiB of segments");
    }
}

void
LeanTransport::CreatePrototypes()
{
    m_congestionPrototype = CreateNamed<TcpCongestionOps>("CongestionOps", GetCongestionOps());
    m_recoveryPrototype = CreateNamed<TcpRecoveryOps>("RecoveryOps", m_recoveryOps);
    // Only Init() tells what use of ECN a congestion control wants.
    auto state = CreateObject<TcpSocketState>();
    state->m_segmentSize = m_segmentSize;
    state->m_initialCWnd = m_initialCwnd;
    state->m_useEcn = m_ecn;
    m_congestionPrototype->Fork()->Init(state);
    m_useEcn = state->m_useEcn != TcpSocketState::Off;
    m_dctcp = m_useEcn && state->m_ecnMode == TcpSocketState::DctcpEcn;
    m_echoPerPacket = m_ecnEcho == PER_PACKET || (m_ecnEcho == BY_CONGESTION_OPS && m_dctcp);
}

void
LeanTransport::DoAttach()
{
    CheckSettings();
    CheckBacklog("Backlog", m_backlog);
    CreatePrototypes();
    m_opened.resize(m_fabric->GetNHosts());
}

void
LeanTransport::DoStartFlow(const FlowRecord& record)
{
    LeanTcpStream& connection = ChooseConnection(record.request);
    m_flows[record.id] = &connection;
    if (connection.IsIdle())
    {
        connection.SetTag(record.GetTag());
    }
    connection.AddMessage(record);
}

LeanTcpStream&
LeanTransport::ChooseConnection(const FlowRequest& request)
{
    if (m_persistence == Persistence::PER_FLOW)
    {
        return OpenConnection(request);
    }
    auto& connections = m_persistent.GetConnections(request);
    while (m_openTogether && connections.size() < m_mostConnections)
    {
        connections.push_back(&OpenConnection(request));
        connections.back()->GetSender().Open();
    }
    return m_persistent.Choose(request, GetMostConnections(), [&]() -> LeanTcpStream& {
        return OpenConnection(request);
    });
}

uint32_t
LeanTransport::GetMostConnections() const
{
    return m_persistence == Persistence::SHARED ? 1 : m_mostConnections;
}

LeanTcpStream&
LeanTransport::OpenConnection(const FlowRequest& request)
{
    auto connection = std::make_unique<LeanTcpStream>(*this,
                                                      request.source,
                                                      request.destination,
                                                      TakePort(request.source));
    LeanTcpStream& opened = *connection;
    Adopt(std::move(connection));
    return opened;
}

uint16_t
LeanTransport::TakePort(uint32_t source)
{
    const uint32_t offset = FIRST_PORT - LOWEST_PORT + m_opened[source]++;
    return static_cast<uint16_t>(LOWEST_PORT + offset % PORTS);
}

void
LeanTransport::Adopt(std::unique_ptr<LeanTcpConnection> connection)
{
    const LeanTcpConnection* key = connection.get();
    m_open.emplace(key, std::move(connection));
}

std::string
LeanTransport::GetSummary() const
{
    return "TCP without sockets or an IP stack, driving ns-3's congestion control; any of them";
}

void
LeanTransport::StopFlow(FlowId flow)
{
    LeanTcpStream* connection = GetConnection(flow);
    if (connection)
    {
        const FlowRecord record = connection->StopMessage(flow);
        HandleFinished(*connection, record);
    }
}

void
LeanTransport::HandleFinished(LeanTcpStream& connection, const FlowRecord& record)
{
    m_flows.erase(record.id);
    if (m_persistence == Persistence::PER_FLOW)
    {
        Close(connection);
    }
    NotifyFinished(record);
}

void
LeanTransport::Close(LeanTcpConnection& connection)
{
    connection.Close();
    m_closedStatistics += connection.GetStatistics();
    const auto open = m_open.find(&connection);
    m_closed.push_back(std::move(open->second));
    m_open.erase(open);
    if (!m_deletion.IsPending())
    {
        m_deletion.Set(0);
    }
}

void
LeanTransport::DeleteClosed()
{
    m_closed.clear();
}

LeanTcpStream*
LeanTransport::GetConnection(FlowId flow) const
{
    const auto found = m_flows.find(flow);
    return found == m_flows.end() ? nullptr : found->second;
}

std::vector<FlowState>
LeanTransport::GetStates(FlowId flow) const
{
    const LeanTcpStream* connection = GetConnection(flow);
    return connection ? std::vector{connection->GetSender().GetFlowState()}
                      : std::vector<FlowState>();
}

std::optional<uint64_t>
LeanTransport::CountRetransmissions() const
{
    return GetStatistics().retransmissions;
}

LeanTcpStatistics
LeanTransport::GetStatistics() const
{
    LeanTcpStatistics sum = m_closedStatistics;
    for (const auto& [connection, owner] : m_open)
    {
        sum += owner->GetStatistics();
    }
    return sum;
}

Transport::PacketSizes
LeanTransport::GetPacketSizes() const
{
    const uint32_t options = m_timestamps ? LeanTcpHeader::TIMESTAMP_OPTION : 0;
    return {m_segmentSize,
            LeanTcpHeader::GetSize(options + m_dataOption),
            LeanTcpHeader::GetSize(options + m_acknowledgmentOption),
            m_delAckCount == 1 && m_coalesceTime.IsZero()};
}

uint32_t
LeanTransport::GetLeadingSize(const FlowRequest& request) const
{
    return m_handshake && m_persistent.WouldOpen(request, GetMostConnections())
               ? GetPacketSizes().acknowledgment
               : 0;
}

} // namespace ns3
