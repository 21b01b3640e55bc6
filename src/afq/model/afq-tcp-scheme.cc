/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-tcp-scheme.h"

#include "afq-ports.h"

#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AfqTcpScheme);

TypeId
AfqTcpScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::AfqTcpScheme")
            .SetParent<TcpHostScheme>()
            .SetGroupName("Afq")
            .AddConstructor<AfqTcpScheme>()
            .AddAttribute("Queue",
                          "Discipline of each port, with its attributes; its buffer is the port's",
                          StringValue("afq"),
                          MakeStringAccessor(&AfqTcpScheme::m_queue),
                          MakeStringChecker())
            // A FIFO would put a host's short flows behind its long ones and hide what switches do.
            .AddAttribute("HostQueue",
                          "Discipline of each host's own port (left open by the paper); empty: as "
                          "Queue",
                          StringValue(""),
                          MakeStringAccessor(&AfqTcpScheme::m_hostQueue),
                          MakeStringChecker());
    return tid;
}

std::string
AfqTcpScheme::GetSummary() const
{
    return "TCP Reno as in Linux, approximate fair queueing, flow ECMP";
}

void
AfqTcpScheme::ReportResults(const Fabric& fabric,
                            const std::function<void(const std::string&, double)>& report) const
{
    AfqPorts::ReportAudit(fabric, report);
}

std::string
AfqTcpScheme::GetCongestionOps() const
{
    return "ns3::TcpLinuxReno";
}

Ptr<FabricQueueDisc>
AfqTcpScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    return AfqPorts::CreateQueueDisc(port, m_queue, m_hostQueue, buffer);
}

} // namespace ns3
