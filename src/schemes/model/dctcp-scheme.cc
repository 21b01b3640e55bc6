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
    static TypeId tid = TypeId("ns3::DctcpScheme")
                            .SetParent<TcpHostScheme>()
                            .SetGroupName("Schemes")
                            .AddConstructor<DctcpScheme>()
                            .AddAttribute("MarkThreshold",
                                          "Packets of 1500 bytes waiting at a 10 Gbit/s port above "
                                          "which it marks; other rates in proportion (AFQ Section "
                                          "6.2: 20 packets at 10 Gbit/s, 80 at 40 Gbit/s)",
                                          DoubleValue(20),
                                          MakeDoubleAccessor(&DctcpScheme::m_markThreshold),
                                          MakeDoubleChecker<double>(0.0));
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
    constexpr double PACKET = 1500; // bytes
    return CreateMarkingQueueDisc(port, buffer, m_markThreshold * PACKET / 10);
}

} // namespace ns3
