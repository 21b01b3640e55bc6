/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-maker.h"

#include "fabric-net-device.h"

#include "ns3/ipv4-header.h"
#include "ns3/udp-header.h"
#include "ns3/udp-l4-protocol.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t IPV4_HEADER = 20;   //!< without options, in bytes
constexpr uint32_t UDP_HEADERS = 28;   //!< IPv4 and UDP, in bytes
constexpr uint8_t IP_IN_IP = 4;        //!< IP protocol number (RFC 2003)
constexpr uint8_t EXPERIMENT = 253;    //!< IP protocol number for experiments (RFC 3692)
constexpr uint16_t DISCARD_PORT = 9;   //!< nothing tries to read such payload (RFC 863)
constexpr uint16_t FIRST_PORT = 49152; //!< ephemeral ports are this and above (RFC 6335)
constexpr uint32_t N_PORTS = 16384;    //!< number of ephemeral ports

/**
 * @brief Put an IPv4 header in front of a packet.
 * @param packet the packet: all after the header
 * @param source address of the sender
 * @param destination address of the receiver
 * @param tos ToS byte
 * @param protocol IP protocol number of what follows
 */
void
PutIpv4Header(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t tos,
              uint8_t protocol)
{
    Ipv4Header header;
    header.SetSource(source);
    header.SetDestination(destination);
    header.SetProtocol(protocol);
    header.SetTos(tos);
    header.SetTtl(64);
    header.SetDontFragment();
    header.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    header.EnableChecksum();
    packet->AddHeader(header);
}

} // namespace

Ptr<Packet>
ItemHeaderWriter::MakePacket(const FabricItem& item) const
{
    if (item.size < UDP_HEADERS)
    {
        auto packet = Create<Packet>(item.size - std::min<uint32_t>(item.size, IPV4_HEADER));
        AddIpv4Header(packet, item, EXPERIMENT);
        return packet;
    }
    auto packet = Create<Packet>(item.size - UDP_HEADERS);
    const auto port = static_cast<uint16_t>(FIRST_PORT + item.flow % N_PORTS);
    const bool isAnswer = item.kind & FabricItem::TOWARDS_SENDER;
    AddUdpHeader(packet, item, isAnswer ? DISCARD_PORT : port, isAnswer ? port : DISCARD_PORT);
    return packet;
}

void
ItemHeaderWriter::AddUdpHeader(Ptr<Packet> packet,
                               const FabricItem& item,
                               uint16_t sourcePort,
                               uint16_t destinationPort)
{
    UdpHeader udp;
    udp.SetSourcePort(sourcePort);
    udp.SetDestinationPort(destinationPort);
    udp.EnableChecksums();
    udp.InitializeChecksum(FabricNetDevice::GetHostAddress(item.source),
                           FabricNetDevice::GetHostAddress(item.destination),
                           UdpL4Protocol::PROT_NUMBER);
    packet->AddHeader(udp);
    AddIpv4Header(packet, item, UdpL4Protocol::PROT_NUMBER);
}

void
ItemHeaderWriter::AddIpv4Header(Ptr<Packet> packet, const FabricItem& item, uint8_t protocol)
{
    PutIpv4Header(packet,
                  FabricNetDevice::GetHostAddress(item.source),
                  FabricNetDevice::GetHostAddress(item.destination),
                  item.tos,
                  protocol);
}

void
PacketMaker::AddHeaderWriter(std::unique_ptr<ItemHeaderWriter> writer)
{
    m_writers.push_back(std::move(writer));
}

void
PacketMaker::SetOuterDestination(OuterDestination outer)
{
    m_outer = std::move(outer);
}

Ptr<Packet>
PacketMaker::MakePacket(const FabricItem& item) const
{
    const auto outer = m_outer ? m_outer(item) : std::nullopt;
    if (!outer)
    {
        return MakeInner(item);
    }
    FabricItem inner = item;
    inner.size -= IPV4_HEADER;
    auto packet = MakeInner(inner);
    PutIpv4Header(packet, FabricNetDevice::GetHostAddress(item.source), *outer, item.tos, IP_IN_IP);
    return packet;
}

Ptr<Packet>
PacketMaker::MakeInner(const FabricItem& item) const
{
    if (item.packet)
    {
        auto packet = item.packet->Copy();
        FabricNetDevice::WriteTos(packet, item.tos);
        return packet;
    }
    for (const auto& writer : m_writers)
    {
        if (auto packet = writer->MakePacket(item))
        {
            return packet;
        }
    }
    return ItemHeaderWriter().MakePacket(item);
}

} // namespace ns3
