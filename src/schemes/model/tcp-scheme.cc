/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TcpScheme);

TypeId
TcpScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TcpScheme")
                            .SetParent<TcpHostScheme>()
                            .SetGroupName("Schemes")
                            .AddConstructor<TcpScheme>();
    return tid;
}

std::string
TcpScheme::GetSummary() const
{
    return "TCP Reno as in Linux, drop-tail queues, flow ECMP";
}

std::string
TcpScheme::GetCongestionOps() const
{
    return "ns3::TcpLinuxReno";
}

} // namespace ns3
