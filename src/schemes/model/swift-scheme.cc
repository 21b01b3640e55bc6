/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "swift-scheme.h"

#include "ns3/object-spec.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SwiftScheme);

TypeId
SwiftScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SwiftScheme")
                            .SetParent<PortQueueScheme>()
                            .SetGroupName("Schemes")
                            .AddConstructor<SwiftScheme>()
                            .AddAttribute("Transport",
                                          "How hosts send, unless --transport says otherwise",
                                          StringValue("swift"),
                                          MakeStringAccessor(&SwiftScheme::m_transport),
                                          MakeSpecChecker<Transport>(true));
    return tid;
}

std::string
SwiftScheme::GetSummary() const
{
    return "Swift, drop-tail, flow ECMP";
}

std::string
SwiftScheme::GetTransportSpecs() const
{
    return m_transport;
}

} // namespace ns3
