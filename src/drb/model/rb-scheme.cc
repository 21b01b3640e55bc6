/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rb-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RbScheme);

TypeId
RbScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RbScheme")
                            .SetParent<BouncingScheme>()
                            .SetGroupName("Drb")
                            .AddConstructor<RbScheme>();
    return tid;
}

std::string
RbScheme::GetSummary() const
{
    return "TCP, each packet bounces at a top switch: drawn at random; order restored";
}

Ptr<BouncingSelector>
RbScheme::CreateSelector() const
{
    return CreateObject<RandomBouncingSelector>();
}

} // namespace ns3
