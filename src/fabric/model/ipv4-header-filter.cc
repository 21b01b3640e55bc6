/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ipv4-header-filter.h"

#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <array>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Ipv4HeaderFilter);

TypeId
Ipv4HeaderFilter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Ipv4HeaderFilter")
            .SetParent<Ipv4PacketFilter>()
            .SetGroupName("Fabric")
            .AddConstructor<Ipv4HeaderFilter>()
            .AddAttribute("Class",
                          "Number that the filter returns for a packet that matches: of the class "
                          "or of the queue",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Ipv4HeaderFilter::m_class),
                          MakeUintegerChecker<uint32_t>(0, INT32_MAX))
            .AddAttribute("Source",
                          "Address of the sender; 0.0.0.0: any",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&Ipv4HeaderFilter::m_source),
                          MakeIpv4AddressChecker())
            .AddAttribute("SourceMask",
                          "Bits of Source that count",
                          Ipv4MaskValue(Ipv4Mask::GetOnes()),
                          MakeIpv4MaskAccessor(&Ipv4HeaderFilter::m_sourceMask),
                          MakeIpv4MaskChecker())
            .AddAttribute("Destination",
                          "Address of the receiver; 0.0.0.0: any",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&Ipv4HeaderFilter::m_destination),
                          MakeIpv4AddressChecker())
            .AddAttribute("DestinationMask",
                          "Bits of Destination that count",
                          Ipv4MaskValue(Ipv4Mask::GetOnes()),
                          MakeIpv4MaskAccessor(&Ipv4HeaderFilter::m_destinationMask),
                          MakeIpv4MaskChecker())
            .AddAttribute("Protocol",
                          "IP protocol number, such as 6 (TCP) or 17 (UDP); 0: any",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Ipv4HeaderFilter::m_protocol),
                          MakeUintegerChecker<uint16_t>(0, 255))
            .AddAttribute("SourcePort",
                          "Port of the sender (TCP or UDP); 0: any",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Ipv4HeaderFilter::m_sourcePort),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("DestinationPort",
                          "Port of the receiver (TCP or UDP); 0: any",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Ipv4HeaderFilter::m_destinationPort),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Dscp",
                          "DSCP, 0 to 63; -1: any",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&Ipv4HeaderFilter::m_dscp),
                          MakeIntegerChecker<int16_t>(-1, 63));
    return tid;
}

bool
Ipv4HeaderFilter::MatchesPorts(Ptr<const Packet> packet, const Ipv4Header& header) const
{
    const uint8_t protocol = header.GetProtocol();
    std::array<uint8_t, 4> ports; // TCP and UDP begin alike
    if ((protocol != TcpL4Protocol::PROT_NUMBER && protocol != UdpL4Protocol::PROT_NUMBER) ||
        header.GetFragmentOffset() > 0 || packet->CopyData(ports.data(), 4) < 4)
    {
        return false;
    }
    return (m_sourcePort == 0 || m_sourcePort == (ports[0] << 8 | ports[1])) &&
           (m_destinationPort == 0 || m_destinationPort == (ports[2] << 8 | ports[3]));
}

int32_t
Ipv4HeaderFilter::DoClassify(Ptr<QueueDiscItem> item) const
{
    const Ptr<Ipv4QueueDiscItem> ip = DynamicCast<Ipv4QueueDiscItem>(item);
    const Ipv4Header& header = ip->GetHeader();
    if ((m_sourcePort > 0 || m_destinationPort > 0) && m_protocol > 0 &&
        m_protocol != TcpL4Protocol::PROT_NUMBER && m_protocol != UdpL4Protocol::PROT_NUMBER)
    {
        throw InputError("ns3::Ipv4HeaderFilter::Protocol",
                         std::to_string(m_protocol),
                         "6, 17 or 0 with ports, which TCP and UDP have");
    }
    const auto matches = [](Ipv4Address wanted, Ipv4Mask mask, Ipv4Address address) {
        return wanted.IsAny() || mask.IsMatch(wanted, address);
    };
    const bool hit =
        matches(m_source, m_sourceMask, header.GetSource()) &&
        matches(m_destination, m_destinationMask, header.GetDestination()) &&
        (m_protocol == 0 || m_protocol == header.GetProtocol()) &&
        (m_dscp < 0 || m_dscp == header.GetDscp()) &&
        ((m_sourcePort == 0 && m_destinationPort == 0) || MatchesPorts(ip->GetPacket(), header));
    return hit ? static_cast<int32_t>(m_class) : PF_NO_MATCH;
}

} // namespace ns3
