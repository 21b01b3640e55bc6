/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-scheme.h"

#include "afq-queue-disc.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AfqScheme);

TypeId
AfqScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AfqScheme")
                            .SetParent<PacketPairScheme>()
                            .SetGroupName("Afq")
                            .AddConstructor<AfqScheme>();
    return tid;
}

std::string
AfqScheme::GetSummary() const
{
    return "AFQ: packet-pair hosts, approximate fair queueing, flow ECMP";
}

Ptr<FabricQueueDisc>
AfqScheme::CreateQueueDisc(const FabricPort::Description& /* port */, QueueSize buffer) const
{
    return CreateObjectWithAttributes<AfqQueueDisc>("MaxSize", QueueSizeValue(buffer));
}

} // namespace ns3
