/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-fair-queueing-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HostFairQueueingScheme);

TypeId
HostFairQueueingScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HostFairQueueingScheme")
                            .SetParent<PairScheme>()
                            .SetGroupName("Schemes")
                            .AddConstructor<HostFairQueueingScheme>();
    return tid;
}

std::string
HostFairQueueingScheme::GetSummary() const
{
    return "tenants share hosts' links by guarantee, drop-tail, flow ECMP";
}

std::string
HostFairQueueingScheme::GetDefaultController() const
{
    return "open";
}

std::string
HostFairQueueingScheme::GetDefaultTenants() const
{
    return "groups";
}

} // namespace ns3
