/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "unseeded-hash-path-selector.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(UnseededHashPathSelector);

TypeId
UnseededHashPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::UnseededHashPathSelector")
                            .SetParent<PathSelector>()
                            .SetGroupName("Fabric")
                            .AddConstructor<UnseededHashPathSelector>();
    return tid;
}

uint32_t
UnseededHashPathSelector::Choose(const FabricItem& item, uint32_t /* group */, uint32_t count)
{
    uint64_t state = item.hash;
    return Draw(state, count);
}

int64_t
UnseededHashPathSelector::AssignStreams(int64_t /* stream */)
{
    return 0;
}

} // namespace ns3
