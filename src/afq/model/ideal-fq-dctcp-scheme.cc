/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ideal-fq-dctcp-scheme.h"

#include "afq-ports.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IdealFqDctcpScheme);

TypeId
IdealFqDctcpScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::IdealFqDctcpScheme")
            .SetParent<TcpHostScheme>()
            .SetGroupName("Afq")
            .AddConstructor<IdealFqDctcpScheme>()
            .AddAttribute("Queue",
                          "Discipline of each port, with its attributes; its buffer is the port's",
                          StringValue("ideal-fq"),
                          MakeStringAccessor(&IdealFqDctcpScheme::m_queue),
                          MakeStringChecker());
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
IdealFqDctcpScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    return AfqPorts::CreateQueueDisc(port, m_queue, "", buffer);
}

} // namespace ns3
