/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sfq-scheme.h"

#include "afq-ports.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SfqScheme);

TypeId
SfqScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SfqScheme")
            .SetParent<TcpHostScheme>()
            .SetGroupName("Afq")
            .AddConstructor<SfqScheme>()
            .AddAttribute("Queue",
                          "Discipline of each port, with its attributes; its buffer is the port's",
                          StringValue("drr:Queues=32,Classify=Flow,Quantum=1500,DropPolicy=Tail"),
                          MakeStringAccessor(&SfqScheme::m_queue),
                          MakeStringChecker());
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
SfqScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    return AfqPorts::CreateQueueDisc(port, m_queue, "", buffer);
}

} // namespace ns3
