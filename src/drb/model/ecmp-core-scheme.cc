/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ecmp-core-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EcmpCoreScheme);

TypeId
EcmpCoreScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EcmpCoreScheme")
                            .SetParent<BouncingScheme>()
                            .SetGroupName("Drb")
                            .AddConstructor<EcmpCoreScheme>();
    return tid;
}

std::string
EcmpCoreScheme::GetSummary() const
{
    return "TCP, ECMP that takes every connection up to a top switch, drawn by hash";
}

Ptr<BouncingSelector>
EcmpCoreScheme::CreateSelector() const
{
    return nullptr;
}

uint16_t
EcmpCoreScheme::GetDefaultOuterHeader() const
{
    return 0; // switches hash what hosts send
}

Time
EcmpCoreScheme::GetDefaultResequencingTimeout() const
{
    return Time(0); // packets of a connection stay in order
}

} // namespace ns3
