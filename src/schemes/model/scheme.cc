/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme.h"

#include "ns3/object-spec.h"
#include "ns3/tenant-source.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Scheme);

TypeId
Scheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Scheme").SetParent<Object>().SetGroupName("Schemes");
    return tid;
}

Ptr<Transport>
Scheme::CreateTransport(const std::string& spec) const
{
    return CreateFromSpec<Transport>("--transport", spec);
}

Ptr<TenantSource>
Scheme::CreateDefaultTenants() const
{
    return nullptr;
}

bool
Scheme::LimitsTenants() const
{
    return false;
}

void
Scheme::ConfigureNodes(Network& /* network */)
{
}

void
Scheme::ReportResults(const Network& /* network */, Results& /* results */) const
{
}

void
Scheme::ConfigurePackets(const Network& /* network */, PacketMaker& /* packets */) const
{
}

int64_t
Scheme::AssignStreams(int64_t /* stream */)
{
    return 0;
}

} // namespace ns3
