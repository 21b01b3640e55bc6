/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Scheme);

TypeId
Scheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Scheme").SetParent<Object>().SetGroupName("Schemes");
    return tid;
}

void
Scheme::ConfigureNodes(Fabric& /* fabric */)
{
}

void
Scheme::ReportResults(const Fabric& /* fabric */, Results& /* results */) const
{
}

int64_t
Scheme::AssignStreams(int64_t /* stream */)
{
    return 0;
}

} // namespace ns3
