/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "static-reservation-scheme.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StaticReservationScheme);

TypeId
StaticReservationScheme::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StaticReservationScheme")
                            .SetParent<PairScheme>()
                            .SetGroupName("Schemes")
                            .AddConstructor<StaticReservationScheme>();
    return tid;
}

std::string
StaticReservationScheme::GetSummary() const
{
    return "each VM pair limited to its guarantee at the sender, drop-tail, flow ECMP";
}

std::string
StaticReservationScheme::GetDefaultController() const
{
    return "static";
}

std::map<std::string, std::string>
StaticReservationScheme::GetControllerDefaults() const
{
    return {{"FlowOrder", "Fifo"}}; // as in the prototype of Trinity's authors
}

} // namespace ns3
