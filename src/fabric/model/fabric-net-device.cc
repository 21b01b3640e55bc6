/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-net-device.h"

#include "flow-hash.h"

#include "ns3/channel.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FabricNetDevice");
NS_OBJECT_ENSURE_REGISTERED(FabricNetDevice);

namespace
{

constexpr uint16_t LEAST_MTU = 68;    //!< every IPv4 link carries that much (RFC 791)
constexpr uint32_t LEAST_HEADER = 20; //!< IPv4 header without options in bytes
constexpr uint32_t MOST_HEADER = 60;  //!< IPv4 header with all options in bytes
constexpr uint32_t PORTS = 4;         //!< both ports, at the start of TCP, UDP, SCTP, DCCP
constexpr uint32_t TCP_HEADER = 20;   //!< TCP header without options in bytes
constexpr uint32_t UDP_HEADER = 8;    //!< UDP header in bytes
constexpr uint8_t TCP = 6;            //!< IP protocol number
constexpr uint8_t UDP = 17;           //!< IP protocol number
constexpr uint8_t TCP_ACK = 0x10;     //!< flag of byte 13 of a TCP header

/**
 * @brief Read 16 bits in network order.
 * @param bytes their place
 * @return the value
 */
uint16_t
Read16(const uint8_t* bytes)
{
    return static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
}

/**
 * @brief Read 32 bits in network order.
 * @param bytes their place
 * @return the value
 */
uint32_t
Read32(const uint8_t* bytes)
{
    return static_cast<uint32_t>(Read16(bytes)) << 16 | Read16(bytes + 2);
}

/**
 * @brief The key of a connection at one end.
 * @param peer the host at the other end
 * @param port of this end
 * @param peerPort of the other end
 * @return all in one number
 */
uint64_t
FlowKey(uint32_t peer, uint16_t port, uint16_t peerPort)
{
    return uint64_t{peer} << 32 | uint32_t{port} << 16 | peerPort;
}

/**
 * @brief True if an IP protocol's header starts with a source and a destination port.
 * @param protocol IP protocol number
 * @return true for TCP, UDP, DCCP and SCTP
 */
bool
HasPorts(uint8_t protocol)
{
    return protocol == TCP || protocol == UDP || protocol == 33 || protocol == 132;
}

/**
 * @brief True if a TCP segment only acknowledges.
 * @param tcp its header
 * @param size bytes of header and payload
 * @return true if it has an acknowledgment and no payload
 */
bool
IsBareAcknowledgment(const uint8_t* tcp, uint32_t size)
{
    return (tcp[12] >> 4) * 4u == size && (tcp[13] & TCP_ACK);
}

} // namespace

TypeId
FabricNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FabricNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Fabric")
            .AddConstructor<FabricNetDevice>()
            .AddAttribute("Mtu",
                          "Largest IP datagram in bytes",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&FabricNetDevice::SetMtu, &FabricNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>(LEAST_MTU))
            .AddAttribute("DscpPriorities",
                          "Priority in the fabric by DSCP, such as \"46=0 0=1 10=2\"; a DSCP that "
                          "is not named has priority 0, the most urgent",
                          StringValue(""),
                          MakeStringAccessor(&FabricNetDevice::SetDscpPriorities,
                                             &FabricNetDevice::GetDscpPriorities),
                          MakeStringChecker())
            .AddTraceSource("MacTx",
                            "The stack sends a packet",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_macTxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet from the stack cannot be sent: no IPv4, no such host, too "
                            "large, or the link is down",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_macTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet arrived and goes up to the stack",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_macRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A packet goes either way, as a packet sniffer on the host sees it",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_snifferTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

FabricNetDevice::FabricNetDevice() = default;

FabricNetDevice::~FabricNetDevice() = default;

void
FabricNetDevice::DoDispose()
{
    // The fabric may have been disposed of before, and its hosts with it.
    if (m_fabric && m_host < m_fabric->GetNHosts())
    {
        m_fabric->GetHost(m_host).SetDevice(nullptr);
        m_fabric->TraceDisconnectWithoutContext(
            "LinkState",
            MakeCallback(&FabricNetDevice::HandleLinkState, this));
    }
    m_fabric = nullptr;
    m_node = nullptr;
    m_receive = ReceiveCallback();
    m_receivePromisc = PromiscReceiveCallback();
    m_linkChanges.clear();
    NetDevice::DoDispose();
}

void
FabricNetDevice::Attach(Ptr<Fabric> fabric, uint32_t host)
{
    NS_ASSERT_MSG(!m_fabric, "the device is attached");
    m_fabric = fabric;
    m_host = host;
    m_nHosts = fabric->GetNHosts();
    fabric->GetHost(host).SetDevice(this);
    fabric->TraceConnectWithoutContext("LinkState",
                                       MakeCallback(&FabricNetDevice::HandleLinkState, this));
}

uint32_t
FabricNetDevice::GetHostIndex() const
{
    return m_host;
}

bool
FabricNetDevice::Send(Ptr<Packet> packet, const Address& /* dest */, uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << protocolNumber);
    if (protocolNumber != Ipv4L3Protocol::PROT_NUMBER)
    {
        return Refuse(packet, m_sendDrops.notIpv4);
    }
    if (packet->GetSize() > m_mtu)
    {
        return Refuse(packet, m_sendDrops.tooLarge);
    }
    if (!IsLinkUp())
    {
        return Refuse(packet, m_sendDrops.linkDown);
    }
    FabricItem* item = FabricItem::Create();
    if (uint64_t* counter = Parse(*item, *packet))
    {
        item->Release();
        return Refuse(packet, *counter);
    }
    m_macTxTrace(packet);
    m_snifferTrace(packet);
    item->packet = GetPointer(packet);
    m_fabric->GetHost(m_host).Send(item);
    return true;
}

uint64_t*
FabricNetDevice::Parse(FabricItem& item, const Packet& packet)
{
    uint8_t bytes[MOST_HEADER + TCP_HEADER];
    const uint32_t copied = packet.CopyData(bytes, sizeof(bytes));
    const uint32_t header = (bytes[0] & 0xf) * 4u;
    if (copied < LEAST_HEADER || bytes[0] >> 4 != 4 || header < LEAST_HEADER || header > copied)
    {
        return &m_sendDrops.notIpv4;
    }
    item.source = m_host;
    item.destination = Read32(bytes + 16) - FIRST_ADDRESS;
    if (item.destination >= m_nHosts || item.destination == m_host)
    {
        return &m_sendDrops.unknownDestination;
    }
    item.size = static_cast<uint16_t>(packet.GetSize());
    item.tos = bytes[1];
    item.priority = m_priorities[item.tos >> 2];
    // Only a datagram's first fragment has ports. Without them all fragments take the same path.
    const bool isFragment = (Read16(bytes + 6) & 0x3fff) != 0; // more fragments, or an offset
    const uint8_t protocol = bytes[9];
    const bool hasPorts = !isFragment && HasPorts(protocol) && copied >= header + PORTS;
    const uint16_t port = hasPorts ? Read16(bytes + header) : 0;
    const uint16_t peerPort = hasPorts ? Read16(bytes + header + 2) : 0;
    item.hash = HashFiveTuple(item.source, item.destination, port, peerPort, protocol);
    const auto flow = m_flows.find(FlowKey(item.destination, port, peerPort));
    if (flow != m_flows.end())
    {
        item.flow = flow->second.flow;
        item.kind |= flow->second.kind;
    }
    if (protocol == TCP && !isFragment && copied >= header + TCP_HEADER &&
        IsBareAcknowledgment(bytes + header, item.size - header))
    {
        item.SetClass(FabricItem::ANSWER);
    }
    return nullptr;
}

void
FabricNetDevice::AddFlow(FabricNetDevice& receiver,
                         uint16_t port,
                         uint16_t receiverPort,
                         const FlowTag& tag)
{
    const uint32_t flow = m_fabric->AddEndpoints(&receiver, this, tag);
    m_flows.insert_or_assign(FlowKey(receiver.m_host, port, receiverPort), StackFlow{flow, 0});
    receiver.m_flows.insert_or_assign(FlowKey(m_host, receiverPort, port),
                                      StackFlow{flow, FabricItem::TOWARDS_SENDER});
}

void
FabricNetDevice::RemoveFlow(FabricNetDevice& receiver, uint16_t port, uint16_t receiverPort)
{
    m_flows.erase(FlowKey(receiver.m_host, port, receiverPort));
    receiver.m_flows.erase(FlowKey(m_host, receiverPort, port));
}

std::optional<ItemSink::Payload>
FabricNetDevice::GetPayload(FabricItem& item) const
{
    if (!item.packet)
    {
        return std::nullopt;
    }
    const auto packet = item.packet->Copy();
    Ipv4Header ip;
    packet->RemoveHeader(ip);
    const bool isFragment = ip.GetFragmentOffset() > 0 || !ip.IsLastFragment();
    if (isFragment || ip.GetProtocol() != TCP)
    {
        const uint32_t header = !isFragment && ip.GetProtocol() == UDP ? UDP_HEADER : 0;
        return Payload{0, packet->GetSize() - std::min(packet->GetSize(), header), false, false};
    }
    TcpHeader tcp;
    if (packet->RemoveHeader(tcp) == 0)
    {
        return std::nullopt;
    }
    const bool opens = tcp.GetFlags() & TcpHeader::SYN;
    if (packet->GetSize() == 0 && !opens)
    {
        return std::nullopt;
    }
    // A SYN takes one number.
    return Payload{tcp.GetSequenceNumber().GetValue() + (opens ? 1 : 0), packet->GetSize(), opens};
}

bool
FabricNetDevice::Refuse(Ptr<const Packet> packet, uint64_t& counter)
{
    ++counter;
    m_macTxDropTrace(packet);
    return false;
}

void
FabricNetDevice::ReceiveItem(FabricItem* item)
{
    if (!item->packet)
    {
        ++m_receiveDrops;
        item->Release();
        return;
    }
    Ptr<Packet> packet(item->packet, false); // takes the item's reference over
    item->packet = nullptr;
    const uint8_t tos = item->tos;
    item->Release();
    if (packet->GetReferenceCount() > 1)
    {
        packet = packet->Copy(); // the sender, or a trace sink of its, may still hold the packet
    }
    WriteTos(packet, tos);
    // The stack insists on its node's context. The fabric provides it, unless it was built before
    // the node and other nodes are older.
    if (Simulator::GetContext() == m_node->GetId()) [[likely]]
    {
        DeliverUp(packet);
    }
    else
    {
        Simulator::ScheduleWithContext(m_node->GetId(),
                                       Time(0),
                                       &FabricNetDevice::DeliverUp,
                                       Ptr<FabricNetDevice>(this),
                                       packet);
    }
}

void
FabricNetDevice::DeliverUp(Ptr<Packet> packet)
{
    m_snifferTrace(packet);
    m_macRxTrace(packet);
    if (!m_receivePromisc.IsNull())
    {
        m_receivePromisc(this,
                         packet,
                         Ipv4L3Protocol::PROT_NUMBER,
                         m_address,
                         m_address,
                         PACKET_HOST);
    }
    m_receive(this, packet, Ipv4L3Protocol::PROT_NUMBER, m_address);
}

void
FabricNetDevice::WriteTos(Ptr<Packet> packet, uint8_t tos)
{
    uint8_t bytes[2];
    packet->CopyData(bytes, sizeof(bytes));
    if (bytes[1] == tos)
    {
        return;
    }
    Ipv4Header header;
    packet->RemoveHeader(header);
    header.SetTos(tos);
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    packet->AddHeader(header);
}

void
FabricNetDevice::HandleLinkState(uint32_t link, bool /* up */)
{
    if (m_fabric->GetHost(m_host).GetNicPort().GetDescription().link != link)
    {
        return;
    }
    for (const auto& callback : m_linkChanges)
    {
        callback();
    }
}

void
FabricNetDevice::SetDscpPriorities(std::string text)
{
    const char* const argument = "DscpPriorities";
    const char* const allowed = "DSCP=priority pairs, such as \"46=0 0=1\"; a DSCP is 0 to 63, a "
                                "priority 0 to 255";
    m_dscpPriorities = text;
    m_priorities.fill(0);
    std::istringstream words(text);
    for (std::string word; words >> word;)
    {
        const auto equals = word.find('=');
        if (equals == std::string::npos)
        {
            throw InputError(argument, text, allowed);
        }
        const uint64_t dscp = ParseCount(argument, word.substr(0, equals));
        const uint64_t priority = ParseCount(argument, word.substr(equals + 1));
        if (dscp >= m_priorities.size() || priority > UINT8_MAX)
        {
            throw InputError(argument, text, allowed);
        }
        m_priorities[dscp] = static_cast<uint8_t>(priority);
    }
}

std::string
FabricNetDevice::GetDscpPriorities() const
{
    return m_dscpPriorities;
}

const FabricNetDevice::SendDrops&
FabricNetDevice::GetSendDrops() const
{
    return m_sendDrops;
}

uint64_t
FabricNetDevice::GetReceiveDrops() const
{
    return m_receiveDrops;
}

void
FabricNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
FabricNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
FabricNetDevice::GetChannel() const
{
    return nullptr; // the fabric is no ns-3 channel
}

void
FabricNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
FabricNetDevice::GetAddress() const
{
    return m_address;
}

bool
FabricNetDevice::SetMtu(const uint16_t mtu)
{
    if (mtu < LEAST_MTU)
    {
        return false;
    }
    m_mtu = mtu;
    return true;
}

uint16_t
FabricNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
FabricNetDevice::IsLinkUp() const
{
    return m_fabric && m_fabric->IsBuilt() && m_fabric->GetHost(m_host).GetNicPort().IsUp();
}

void
FabricNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChanges.push_back(callback);
}

bool
FabricNetDevice::IsBroadcast() const
{
    return false;
}

Address
FabricNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast(); // ns-3 asks although IsBroadcast() is false
}

bool
FabricNetDevice::IsMulticast() const
{
    return false;
}

Address
FabricNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
FabricNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
FabricNetDevice::IsBridge() const
{
    return false;
}

bool
FabricNetDevice::IsPointToPoint() const
{
    return false;
}

bool
FabricNetDevice::SendFrom(Ptr<Packet> packet,
                          const Address& /* source */,
                          const Address& dest,
                          uint16_t protocolNumber)
{
    return Send(packet, dest, protocolNumber); // no link-layer header carries the source
}

Ptr<Node>
FabricNetDevice::GetNode() const
{
    return m_node;
}

void
FabricNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
FabricNetDevice::NeedsArp() const
{
    return false;
}

void
FabricNetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_receive = cb;
}

void
FabricNetDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_receivePromisc = cb;
}

bool
FabricNetDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3
