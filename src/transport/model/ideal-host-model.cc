/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ideal-host-model.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IdealHostModel);

TypeId
IdealHostModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::IdealHostModel")
                            .SetParent<HostModel>()
                            .SetGroupName("Transport")
                            .AddConstructor<IdealHostModel>();
    return tid;
}

std::string
IdealHostModel::GetSummary() const
{
    return "packet by packet, at once; transports as their attributes say";
}

void
IdealHostModel::Configure(Ptr<Transport> /* transport */) const
{
}

} // namespace ns3
