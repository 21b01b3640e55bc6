/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-scheme.h"

#include "afq-ports.h"

#include "ns3/object-spec.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AfqScheme);

TypeId
AfqScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::AfqScheme")
            .SetParent<PortQueueScheme>()
            .SetGroupName("Afq")
            .AddConstructor<AfqScheme>()
            .AddAttribute("Transport",
                          "How hosts send, unless --transport says otherwise",
                          StringValue("packet-pair"),
                          MakeStringAccessor(&AfqScheme::m_transport),
                          MakeStringChecker())
            .AddAttribute("Queue",
                          "Discipline of each port, with its attributes; its buffer is the port's",
                          StringValue("afq"),
                          MakeStringAccessor(&AfqScheme::m_queue),
                          MakeStringChecker())
            // A FIFO would put a host's short flows behind its long ones and hide what switches do.
            .AddAttribute("HostQueue",
                          "Discipline of each host's own port (left open by the paper); empty: as "
                          "Queue",
                          StringValue(""),
                          MakeStringAccessor(&AfqScheme::m_hostQueue),
                          MakeStringChecker());
    return tid;
}

std::string
AfqScheme::GetSummary() const
{
    return "AFQ: packet-pair hosts, approximate fair queueing, flow ECMP";
}

void
AfqScheme::ReportResults(const Fabric& fabric,
                         const std::function<void(const std::string&, double)>& report) const
{
    AfqPorts::ReportAudit(fabric, report);
}

Ptr<Transport>
AfqScheme::CreateTransport(const std::string& spec)
{
    return CreateFromSpec<Transport>("--transport", spec.empty() ? m_transport : spec);
}

Ptr<FabricQueueDisc>
AfqScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    return AfqPorts::CreateQueueDisc(port, m_queue, m_hostQueue, buffer);
}

} // namespace ns3
