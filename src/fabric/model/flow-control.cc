/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-control.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowControl);

TypeId
FlowControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FlowControl").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

void
FlowControl::CheckPacketSize(uint32_t /* bytes */) const
{
}

} // namespace ns3
