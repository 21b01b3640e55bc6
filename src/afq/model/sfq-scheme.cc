/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sfq-scheme.h"

#include "ns3/drr-queue-disc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SfqScheme);

TypeId
SfqScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SfqScheme")
                            .SetParent<TcpHostScheme>()
                            .SetGroupName("Afq")
                            .AddConstructor<SfqScheme>();
    return tid;
}

std::string
SfqScheme::GetSummary() const
{
    return "TCP Reno, stochastic fair queueing over 32 queues, flow ECMP";
}

std::string
SfqScheme::GetCongestionOps() const
{
    return "ns3::TcpLinuxReno";
}

Ptr<FabricQueueDisc>
SfqScheme::CreateQueueDisc(const FabricPort::Description& /* port */, QueueSize buffer) const
{
    return CreateObjectWithAttributes<DrrQueueDisc>("MaxSize",
                                                    QueueSizeValue(buffer),
                                                    "Queues",
                                                    UintegerValue(32),
                                                    "Classify",
                                                    StringValue("Flow"),
                                                    "Quantum",
                                                    UintegerValue(1500),
                                                    "DropPolicy",
                                                    StringValue("Tail"));
}

} // namespace ns3
