/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-scheme.h"

#include "packet-pair-header-writer.h"
#include "packet-pair-transport.h"

#include "ns3/attribute-form.h"
#include "ns3/network.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PacketPairScheme);

TypeId
PacketPairScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PacketPairScheme")
                            .SetParent<PortQueueScheme>()
                            .SetGroupName("Afq")
                            .AddAttribute("Transport",
                                          "How hosts send, unless --transport says otherwise",
                                          StringValue("packet-pair"),
                                          MakeStringAccessor(&PacketPairScheme::m_transport),
                                          MakeSpecChecker<Transport>(true));
    return tid;
}

/**
 * Beside other transports' items nobody knows which are packet-pair's.
 */
void
PacketPairScheme::ConfigurePackets(const Network& network, PacketMaker& packets) const
{
    if (network.GetTransports()->GetN() == 1 &&
        DynamicCast<PacketPairTransport>(network.GetTransports()->Get(0)))
    {
        packets.AddHeaderWriter(std::make_unique<PacketPairHeaderWriter>());
    }
}

std::string
PacketPairScheme::GetTransportSpecs() const
{
    return m_transport;
}

} // namespace ns3
