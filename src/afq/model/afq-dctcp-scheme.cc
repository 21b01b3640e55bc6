/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-dctcp-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AfqDctcpScheme);

TypeId
AfqDctcpScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AfqDctcpScheme")
                            .SetParent<AfqTcpScheme>()
                            .SetGroupName("Afq")
                            .AddConstructor<AfqDctcpScheme>();
    return tid;
}

std::string
AfqDctcpScheme::GetSummary() const
{
    return "DCTCP, approximate fair queueing with ECN per flow, flow ECMP";
}

std::string
AfqDctcpScheme::GetCongestionOps() const
{
    return "ns3::TcpDctcp";
}

} // namespace ns3
