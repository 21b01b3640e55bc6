/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ideal-fq-scheme.h"

#include "ideal-fq-queue-disc.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IdealFqScheme);

TypeId
IdealFqScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::IdealFqScheme")
                            .SetParent<PacketPairScheme>()
                            .SetGroupName("Afq")
                            .AddConstructor<IdealFqScheme>();
    return tid;
}

std::string
IdealFqScheme::GetSummary() const
{
    return "packet-pair hosts, ideal fair queueing, flow ECMP";
}

Ptr<FabricQueueDisc>
IdealFqScheme::CreateQueueDisc(const FabricPort::Description& /* port */, QueueSize buffer) const
{
    return CreateObjectWithAttributes<IdealFqQueueDisc>("MaxSize", QueueSizeValue(buffer));
}

} // namespace ns3
