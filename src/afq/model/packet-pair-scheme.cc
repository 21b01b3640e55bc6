/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-pair-scheme.h"

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
                                          MakeSpecChecker<Transport>());
    return tid;
}

std::string
PacketPairScheme::GetTransportSpecs() const
{
    return m_transport;
}

} // namespace ns3
