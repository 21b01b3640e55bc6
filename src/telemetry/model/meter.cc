/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "meter.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Meter);

std::ostream&
operator<<(std::ostream& os, Colour colour)
{
    constexpr const char* NAMES[] = {"green", "yellow", "red"};
    return os << NAMES[static_cast<uint8_t>(colour)];
}

TypeId
Meter::GetTypeId()
{
    static TypeId tid = TypeId("ns3::Meter").SetParent<Object>().SetGroupName("Telemetry");
    return tid;
}

Meter::State
Meter::GetSettled(const State& state, int64_t now) const
{
    State settled = state;
    Settle(settled, now);
    return settled;
}

void
Meter::ReportState(const State& /* state */, const Report& /* report */) const
{
}

void
Meter::Refund(State& state, const State& before, int64_t now) const
{
    state = before;
    Settle(state, now);
}

void
Meter::SwitchTo(const Meter& next, State& state, int64_t now) const
{
    Settle(state, now);
    if (next.GetInstanceTypeId() == GetInstanceTypeId())
    {
        next.Clip(state);
    }
    else
    {
        state = next.Start(now);
    }
}

} // namespace ns3
