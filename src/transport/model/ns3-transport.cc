/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3-transport.h"

#include "ns3-connection.h"
#include "tcp-ops-compatibility.h"

#include "ns3/attribute-form.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/rtt-estimator.h"
#include "ns3/segment-size.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-linux-reno.h"
#include "ns3/tcp-prr-recovery.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Ns3Transport);

namespace
{

constexpr uint32_t HEADERS = 40;        //!< IPv4 and TCP without options, in bytes
constexpr uint32_t TIMESTAMPS = 12;     //!< timestamp option with padding, in bytes
constexpr uint32_t ETHERNET_MTU = 1500; //!< least MTU of the devices, in bytes
constexpr int64_t LINGERING = 10;       //!< ms that packets of a connection may be under way

/// @brief Refuse defaults of ns-3's TCP that the transport sets itself.
void
CheckDefaults()
{
    const auto check = [](TypeId tid, const std::string& attribute, const std::string& ours) {
        CheckDefault(tid, attribute, "--transport=ns3:" + ours);
    };
    for (std::size_t i = 0; i < Ns3Transport::GetTypeId().GetAttributeN(); ++i)
    {
        const std::string name = Ns3Transport::GetTypeId().GetAttribute(i).name;
        TypeId::AttributeInformation unused;
        if (FabricTcpSocket::GetTypeId().LookupAttributeByName(name, &unused))
        {
            check(FabricTcpSocket::GetTypeId(), name, name);
        }
    }
    check(TcpSocketState::GetTypeId(), "EnablePacing", "Pacing");
    check(TcpSocketState::GetTypeId(), "MaxPacingRate", "MaxPacingRate");
    check(RttEstimator::GetTypeId(), "InitialEstimation", "InitialRtt");
    check(TcpL4Protocol::GetTypeId(), "SocketType", "CongestionOps");
    check(TcpL4Protocol::GetTypeId(), "RecoveryType", "RecoveryOps");
}

} // namespace

TypeId
Ns3Transport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Ns3Transport")
            .SetParent<Transport>()
            .SetGroupName("Transport")
            .AddConstructor<Ns3Transport>()
            .AddAttribute("CongestionOps",
                          "Congestion control: ns3::TcpLinuxReno, ns3::TcpNewReno, ns3::TcpCubic, "
                          "ns3::TcpDctcp or any other TcpCongestionOps",
                          TypeIdValue(TcpLinuxReno::GetTypeId()),
                          MakeTypeIdAccessor(&Ns3Transport::m_congestionOps),
                          MakeTypeIdChecker())
            .AddAttribute("RecoveryOps",
                          "How the window moves during loss recovery; ns-3's own default",
                          TypeIdValue(TcpPrrRecovery::GetTypeId()),
                          MakeTypeIdAccessor(&Ns3Transport::m_recoveryOps),
                          MakeTypeIdChecker())
            .AddAttribute("DctcpReactsToLoss",
                          "Whether DCTCP halves its window on a loss as RFC 8257 section 3.5 asks "
                          "for; ns3::TcpDctcp, the reference here, does not",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Ns3Transport::m_dctcpReactsToLoss),
                          MakeBooleanChecker())
            .AddAttribute("SegmentSize",
                          "Payload of a full segment in bytes; 1460 fills 1500 without options "
                          "(ns-3: 536)",
                          UintegerValue(1460),
                          MakeUintegerAccessor(&Ns3Transport::m_segmentSize),
                          MakeUintegerChecker<uint32_t>(LEAST_SEGMENT, 65000))
            .AddAttribute("InitialCwnd",
                          "Initial window in segments (RFC 6928; AFQ's simulations: 2)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&Ns3Transport::m_initialCwnd),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("InitialSlowStartThreshold",
                          "Initial slow start threshold in bytes",
                          UintegerValue(UINT32_MAX),
                          MakeUintegerAccessor(&Ns3Transport::m_initialSsThresh),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "SndBufSize",
                "Send buffer in bytes; takes nearly every flow as a whole, so that it never "
                "limits: payload without content costs no memory (ns-3: 131072)",
                UintegerValue(1 << 30),
                MakeUintegerAccessor(&Ns3Transport::m_sndBufSize),
                MakeUintegerChecker<uint32_t>(2))
            .AddAttribute("RcvBufSize",
                          "Receive buffer in bytes, the largest window (ns-3: 131072)",
                          UintegerValue(4 << 20),
                          MakeUintegerAccessor(&Ns3Transport::m_rcvBufSize),
                          MakeUintegerChecker<uint32_t>(1, 1 << 30))
            .AddAttribute("MinRto",
                          "Least retransmission timeout (AFQ section 6.2.1; ns-3: 1 s)",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&Ns3Transport::m_minRto),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("ClockGranularity",
                          "G of RFC 6298, which the timeout exceeds the smoothed round trip by at "
                          "least (ns-3: 1 ms)",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&Ns3Transport::m_clockGranularity),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("InitialRtt",
                          "Round trip assumed before one is measured (ns-3: 1 s)",
                          TimeValue(MicroSeconds(2500)),
                          MakeTimeAccessor(&Ns3Transport::m_initialRtt),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("ConnTimeout",
                          "A SYN is sent again after this, then after twice, ... (ns-3: 3 s)",
                          TimeValue(MicroSeconds(2500)),
                          MakeTimeAccessor(&Ns3Transport::m_connTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("ConnCount",
                          "SYNs before TCP gives the flow up (ns-3: 6, with its longer timeout)",
                          UintegerValue(15),
                          MakeUintegerAccessor(&Ns3Transport::m_connCount),
                          MakeUintegerChecker<uint32_t>(1, 30))
            .AddAttribute("DataRetries",
                          "Timeouts in a row before TCP gives the flow up (Linux: 15, ns-3: 6)",
                          UintegerValue(15),
                          MakeUintegerAccessor(&Ns3Transport::m_dataRetries),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("DelAckCount",
                          "Segments that one acknowledgment covers; with 2 the last segment of a "
                          "flow may wait for DelAckTimeout (ns-3: 2)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Ns3Transport::m_delAckCount),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DelAckTimeout",
                          "Most that an acknowledgment is delayed (ns-3: 200 ms)",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&Ns3Transport::m_delAckTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute(
                "ReTxThreshold",
                "Duplicate acknowledgments that tell of a loss (RFC 5681); raise it under "
                "packet spray without re-sequencing",
                UintegerValue(3),
                MakeUintegerAccessor(&Ns3Transport::m_reTxThreshold),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Sack",
                          "Selective acknowledgments (RFC 2018; AFQ's baseline has none)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Ns3Transport::m_sack),
                          MakeBooleanChecker())
            .AddAttribute("Timestamp",
                          "Timestamp option (RFC 7323): 12 bytes more per packet, and ns-3's ticks "
                          "of 1 ms are too coarse for round trips of 10 us (ns-3: on)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Ns3Transport::m_timestamp),
                          MakeBooleanChecker())
            .AddAttribute("LimitedTransmit",
                          "Send new data on the first duplicate acknowledgments (RFC 3042)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Ns3Transport::m_limitedTransmit),
                          MakeBooleanChecker())
            .AddAttribute("UseEcn",
                          "Explicit congestion notification (RFC 3168); DCTCP has it on always",
                          EnumValue(TcpSocketState::Off),
                          MakeEnumAccessor<TcpSocketState::UseEcn_t>(&Ns3Transport::m_useEcn),
                          MakeEnumChecker(TcpSocketState::Off,
                                          "Off",
                                          TcpSocketState::On,
                                          "On",
                                          TcpSocketState::AcceptOnly,
                                          "AcceptOnly"))
            .AddAttribute("Pacing",
                          "Spread segments over the round trip",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Ns3Transport::m_pacing),
                          MakeBooleanChecker())
            .AddAttribute("MaxPacingRate",
                          "Highest rate that pacing allows (ns-3: 4 Gb/s)",
                          DataRateValue(DataRate("1000Gbps")),
                          MakeDataRateAccessor(&Ns3Transport::m_maxPacingRate),
                          MakePositiveRateChecker());
    return tid;
}

Ns3Transport::Ns3Transport() = default;

Ns3Transport::~Ns3Transport() = default;

void
Ns3Transport::DoDispose()
{
    for (const auto& [id, connection] : m_connections)
    {
        connection->GetSender()->Abandon();
        if (connection->GetReceiver())
        {
            connection->GetReceiver()->Abandon();
        }
    }
    for (const auto& listener : m_listeners)
    {
        if (listener)
        {
            listener->Abandon();
        }
    }
    m_connections.clear();
    m_bySender.clear();
    m_listeners.clear();
    m_prototype = nullptr;
    Transport::DoDispose();
}

void
Ns3Transport::DoAttach()
{
    if (m_fabric->GetHost(0).GetDevice())
    {
        throw InputError("--transport", "ns3", "only one transport puts an IPv4 stack on hosts");
    }
    CheckDefaults();
    const PacketSizes sizes = GetPacketSizes();
    m_stack.SetDeviceAttribute("Mtu",
                               UintegerValue(std::max(ETHERNET_MTU, sizes.payload + sizes.header)));
    m_stack.Install(m_fabric);
    m_listeners.resize(m_fabric->GetNHosts());
    m_prototype = CreatePrototype();
    for (uint32_t host = 0; host < m_fabric->GetNHosts(); ++host)
    {
        auto factory = CreateObject<FabricTcpSocketFactory>();
        factory->SetMaker([this, host] { return CreateSocket(host); });
        m_stack.GetNode(host)->AggregateObject(factory);
    }
}

TypeId
Ns3Transport::GetCongestionOps() const
{
    if (!CreateOps<TcpCongestionOps>(m_congestionOps))
    {
        throw InputError("CongestionOps",
                         m_congestionOps.GetName(),
                         "a congestion control of ns-3, such as ns3::TcpCubic");
    }
    const bool isDctcp = m_congestionOps == TcpDctcp::GetTypeId();
    return isDctcp && m_dctcpReactsToLoss ? TcpDctcpRfc8257::GetTypeId() : m_congestionOps;
}

Ptr<FabricTcpSocket>
Ns3Transport::CreatePrototype() const
{
    if (!CreateOps<TcpRecoveryOps>(m_recoveryOps))
    {
        throw InputError("RecoveryOps",
                         m_recoveryOps.GetName(),
                         "a loss recovery of ns-3, such as ns3::TcpClassicRecovery");
    }
    auto socket = CreateObject<FabricTcpSocket>();
    socket->SetAttribute("SegmentSize", UintegerValue(m_segmentSize));
    socket->SetAttribute("InitialCwnd", UintegerValue(m_initialCwnd));
    socket->SetAttribute("InitialSlowStartThreshold", UintegerValue(m_initialSsThresh));
    socket->SetAttribute("SndBufSize", UintegerValue(m_sndBufSize));
    socket->SetAttribute("RcvBufSize", UintegerValue(m_rcvBufSize));
    socket->SetAttribute("MinRto", TimeValue(m_minRto));
    socket->SetAttribute("ClockGranularity", TimeValue(m_clockGranularity));
    socket->SetAttribute("ConnTimeout", TimeValue(m_connTimeout));
    socket->SetAttribute("ConnCount", UintegerValue(m_connCount));
    socket->SetAttribute("DataRetries", UintegerValue(m_dataRetries));
    socket->SetAttribute("DelAckCount", UintegerValue(m_delAckCount));
    socket->SetAttribute("DelAckTimeout", TimeValue(m_delAckTimeout));
    socket->SetAttribute("ReTxThreshold", UintegerValue(m_reTxThreshold));
    socket->SetAttribute("Sack", BooleanValue(m_sack));
    socket->SetAttribute("Timestamp", BooleanValue(m_timestamp));
    socket->SetAttribute("LimitedTransmit", BooleanValue(m_limitedTransmit));
    socket->SetAttribute("UseEcn", EnumValue(m_useEcn));
    socket->SetPacingStatus(m_pacing);
    socket->SetMaxPacingRate(m_maxPacingRate);

    auto rtt = CreateObject<RttMeanDeviation>();
    rtt->SetAttribute("InitialEstimation", TimeValue(m_initialRtt));
    rtt->Reset();
    socket->SetRtt(rtt);
    // After UseEcn, which DCTCP overrules.
    socket->SetCongestionControlAlgorithm(
        ObjectFactory(GetCongestionOps().GetName()).Create<TcpCongestionOps>());
    socket->SetRecoveryAlgorithm(ObjectFactory(m_recoveryOps.GetName()).Create<TcpRecoveryOps>());
    return socket;
}

Ptr<FabricTcpSocket>
Ns3Transport::CreateSocket(uint32_t host) const
{
    // Copying costs far less than setting all attributes again, by name, for every flow.
    auto socket = CopyObject<FabricTcpSocket>(m_prototype);
    const Ptr<Node> node = m_stack.GetNode(host);
    socket->SetNode(node);
    socket->SetTcp(node->GetObject<TcpL4Protocol>());
    return socket;
}

void
Ns3Transport::Listen(uint32_t host)
{
    if (m_listeners[host])
    {
        return;
    }
    auto listener = CreateSocket(host);
    if (listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), GetServerPort())) != 0)
    {
        throw InputError("--transport",
                         "ns3",
                         "flows are sent to TCP port " + std::to_string(GetServerPort()) +
                             ", to which an application on host " + std::to_string(host) +
                             " listens");
    }
    listener->Listen();
    listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                MakeCallback(&Ns3Transport::Accept, this));
    m_listeners[host] = listener;
}

void
Ns3Transport::Accept(Ptr<Socket> socket, const Address& from)
{
    const auto sender = InetSocketAddress::ConvertFrom(from);
    const uint32_t host = FabricStackHelper::GetHost(sender.GetIpv4());
    const auto found = m_bySender.find(Connection::MakeSenderKey(host, sender.GetPort()));
    const auto receiver = StaticCast<FabricTcpSocket>(socket);
    if (found != m_bySender.end())
    {
        found->second->SetReceiver(receiver);
    }
    else
    {
        AbandonLater(receiver, nullptr); // the flow was stopped during the handshake
    }
}

void
Ns3Transport::AbandonLater(Ptr<FabricTcpSocket> socket, std::shared_ptr<Connection> owner)
{
    // The socket may be the caller, and some of its own events hold a bare pointer to it. Those
    // that are scheduled until then come before the last reference is dropped.
    Simulator::ScheduleNow([socket, owner] { socket->Linger(); });
    Simulator::Schedule(MilliSeconds(LINGERING), [socket] {
        socket->Abandon();
        Simulator::ScheduleNow([socket] {});
    });
}

void
Ns3Transport::DoStartFlow(const FlowRecord& record)
{
    Listen(record.request.destination);
    const auto connection = std::make_shared<Connection>(*this, record);
    m_connections.emplace(record.id, connection);
    connection->Start();
    m_bySender.emplace(connection->GetSenderKey(), connection.get());
}

std::string
Ns3Transport::GetSummary() const
{
    return "ns-3's own TCP sockets on stock IPv4 hosts, the reference";
}

void
Ns3Transport::StopFlow(FlowId flow)
{
    const auto found = m_connections.find(flow);
    if (found != m_connections.end())
    {
        found->second->Stop();
    }
}

void
Ns3Transport::Forget(Connection& connection)
{
    m_bySender.erase(connection.GetSenderKey());
    auto found = m_connections.find(connection.GetRecord().id);
    const std::shared_ptr<Connection> owner = std::move(found->second);
    m_connections.erase(found);
    m_finishedCounts += owner->GetSender()->GetSendCounts();
    AbandonLater(owner->GetSender(), owner);
    if (owner->GetReceiver())
    {
        AbandonLater(owner->GetReceiver(), owner);
    }
}

Transport::PacketSizes
Ns3Transport::GetPacketSizes() const
{
    const uint32_t header = HEADERS + (m_timestamp ? TIMESTAMPS : 0);
    return {m_segmentSize, header, header, m_delAckCount == 1};
}

std::optional<Transport::HostLimit>
Ns3Transport::GetHostLimit() const
{
    return HostLimit{Connection::MOST_PORTS, MilliSeconds(LINGERING)};
}

uint32_t
Ns3Transport::GetLeadingSize(const FlowRequest& /* request */) const
{
    return GetPacketSizes().acknowledgment; // each flow opens a connection
}

int64_t
Ns3Transport::AssignStreams(int64_t stream)
{
    return m_stack.AssignStreams(stream);
}

const FabricStackHelper&
Ns3Transport::GetStack() const
{
    return m_stack;
}

Ptr<FabricTcpSocket>
Ns3Transport::GetSender(FlowId flow) const
{
    const auto found = m_connections.find(flow);
    return found == m_connections.end() ? nullptr : found->second->GetSender();
}

TcpSendCounts
Ns3Transport::GetSendCounts() const
{
    TcpSendCounts sum = m_finishedCounts;
    for (const auto& [flow, connection] : m_connections)
    {
        sum += connection->GetSender()->GetSendCounts();
    }
    return sum;
}

std::vector<FlowState>
Ns3Transport::GetStates(FlowId flow) const
{
    const Ptr<FabricTcpSocket> sender = GetSender(flow);
    return sender ? std::vector{sender->GetFlowState()} : std::vector<FlowState>();
}

std::optional<uint64_t>
Ns3Transport::CountRetransmissions() const
{
    return GetSendCounts().retransmissions;
}

uint64_t
Ns3Transport::GetFailedFlows() const
{
    return m_failedFlows;
}

} // namespace ns3
