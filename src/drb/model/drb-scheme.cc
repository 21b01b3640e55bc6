/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "drb-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DrbScheme);

TypeId
DrbScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DrbScheme")
                            .SetParent<BouncingScheme>()
                            .SetGroupName("Drb")
                            .AddConstructor<DrbScheme>();
    return tid;
}

std::string
DrbScheme::GetSummary() const
{
    return "TCP, each packet bounces at a top switch: digit-reversal order; order restored";
}

Ptr<BouncingSelector>
DrbScheme::CreateSelector() const
{
    return CreateObject<DigitReversalBouncingSelector>();
}

} // namespace ns3
