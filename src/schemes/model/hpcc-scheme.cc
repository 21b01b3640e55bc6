/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hpcc-scheme.h"

#include "ns3/object-spec.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HpccScheme);

TypeId
HpccScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HpccScheme")
                            .SetParent<PortQueueScheme>()
                            .SetGroupName("Schemes")
                            .AddConstructor<HpccScheme>()
                            .AddAttribute("Transport",
                                          "How hosts send, unless --transport says otherwise",
                                          StringValue("hpcc"),
                                          MakeStringAccessor(&HpccScheme::m_transport),
                                          MakeSpecChecker<Transport>(true));
    return tid;
}

std::string
HpccScheme::GetSummary() const
{
    return "HPCC, drop-tail, flow ECMP";
}

std::string
HpccScheme::GetTransportSpecs() const
{
    return m_transport;
}

} // namespace ns3
