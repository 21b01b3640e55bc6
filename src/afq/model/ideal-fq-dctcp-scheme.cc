/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ideal-fq-dctcp-scheme.h"

#include "ideal-fq-queue-disc.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IdealFqDctcpScheme);

TypeId
IdealFqDctcpScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::IdealFqDctcpScheme")
                            .SetParent<TcpHostScheme>()
                            .SetGroupName("Afq")
                            .AddConstructor<IdealFqDctcpScheme>();
    return tid;
}

std::string
IdealFqDctcpScheme::GetSummary() const
{
    return "DCTCP, ideal fair queueing with ECN per flow, flow ECMP";
}

std::string
IdealFqDctcpScheme::GetCongestionOps() const
{
    return "ns3::TcpDctcp";
}

Ptr<FabricQueueDisc>
IdealFqDctcpScheme::CreateQueueDisc(const FabricPort::Description& /* port */,
                                    QueueSize buffer) const
{
    return CreateObjectWithAttributes<IdealFqQueueDisc>("MaxSize", QueueSizeValue(buffer));
}

} // namespace ns3
