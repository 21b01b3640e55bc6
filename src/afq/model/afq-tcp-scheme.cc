/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-tcp-scheme.h"

#include "afq-queue-disc.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AfqTcpScheme);

TypeId
AfqTcpScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AfqTcpScheme")
                            .SetParent<TcpHostScheme>()
                            .SetGroupName("Afq")
                            .AddConstructor<AfqTcpScheme>();
    return tid;
}

std::string
AfqTcpScheme::GetSummary() const
{
    return "TCP Reno as in Linux, approximate fair queueing, flow ECMP";
}

std::string
AfqTcpScheme::GetCongestionOps() const
{
    return "ns3::TcpLinuxReno";
}

Ptr<FabricQueueDisc>
AfqTcpScheme::CreateQueueDisc(const FabricPort::Description& /* port */, QueueSize buffer) const
{
    return CreateObjectWithAttributes<AfqQueueDisc>("MaxSize", QueueSizeValue(buffer));
}

} // namespace ns3
