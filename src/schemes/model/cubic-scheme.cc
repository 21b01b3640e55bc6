/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cubic-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CubicScheme);

TypeId
CubicScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CubicScheme")
                            .SetParent<TcpHostScheme>()
                            .SetGroupName("Schemes")
                            .AddConstructor<CubicScheme>();
    return tid;
}

std::string
CubicScheme::GetSummary() const
{
    return "TCP Cubic, drop-tail queues, flow ECMP";
}

std::string
CubicScheme::GetCongestionOps() const
{
    return "ns3::TcpCubic";
}

} // namespace ns3
