/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rrb-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RrbScheme);

TypeId
RrbScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RrbScheme")
                            .SetParent<BouncingScheme>()
                            .SetGroupName("Drb")
                            .AddConstructor<RrbScheme>();
    return tid;
}

std::string
RrbScheme::GetSummary() const
{
    return "TCP, each packet bounces at a top switch: round robin; order restored";
}

Ptr<BouncingSelector>
RrbScheme::CreateSelector() const
{
    return CreateObject<RoundRobinBouncingSelector>();
}

} // namespace ns3
