/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ideal-fq-scheme.h"

#include "afq-ports.h"

#include "ns3/object-spec.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IdealFqScheme);

TypeId
IdealFqScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::IdealFqScheme")
            .SetParent<PortQueueScheme>()
            .SetGroupName("Afq")
            .AddConstructor<IdealFqScheme>()
            .AddAttribute("Transport",
                          "How hosts send, unless --transport says otherwise",
                          StringValue("packet-pair"),
                          MakeStringAccessor(&IdealFqScheme::m_transport),
                          MakeStringChecker())
            .AddAttribute("Queue",
                          "Discipline of each port, with its attributes; its buffer is the port's",
                          StringValue("ideal-fq"),
                          MakeStringAccessor(&IdealFqScheme::m_queue),
                          MakeStringChecker());
    return tid;
}

std::string
IdealFqScheme::GetSummary() const
{
    return "packet-pair hosts, ideal fair queueing, flow ECMP";
}

Ptr<Transport>
IdealFqScheme::CreateTransport(const std::string& spec)
{
    return CreateFromSpec<Transport>("--transport", spec.empty() ? m_transport : spec);
}

Ptr<FabricQueueDisc>
IdealFqScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    return AfqPorts::CreateQueueDisc(port, m_queue, "", buffer);
}

} // namespace ns3
