/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dctcp-scheme.h"

#include "ns3/double.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DctcpScheme);

TypeId
DctcpScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DctcpScheme")
            .SetParent<TcpHostScheme>()
            .SetGroupName("Schemes")
            .AddConstructor<DctcpScheme>()
            .AddAttribute("MarkThreshold",
                          "A port marks while more than this waits, in bytes, packets or time "
                          "at the link's rate (AFQ Section 6.2: 20 packets at 10 "
                          "Gbit/s, 80 at 40 Gbit/s, which is 24us)",
                          QueueLimitValue(QueueLimit("24us")),
                          MakeQueueLimitAccessor(&DctcpScheme::m_markThreshold),
                          MakeQueueLimitChecker());
    return tid;
}

std::string
DctcpScheme::GetSummary() const
{
    return "DCTCP, ECN step marking, flow ECMP";
}

std::string
DctcpScheme::GetCongestionOps() const
{
    return "ns3::TcpDctcp";
}

Ptr<FabricQueueDisc>
DctcpScheme::CreateQueueDisc(const FabricPort::Description& port, QueueSize buffer) const
{
    return CreateMarkingQueueDisc(port, buffer, m_markThreshold);
}

} // namespace ns3
