/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-meter.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SharedMeter);

TypeId
SharedMeter::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SharedMeter").SetParent<Meter>().SetGroupName("Telemetry");
    return tid;
}

void
SharedMeter::SetProfile(Ptr<const Meter> profile, int64_t now)
{
    profile->Check();
    if (m_profile)
    {
        m_profile->SwitchTo(*profile, m_state, now);
    }
    else
    {
        m_state = profile->Start(now);
    }
    m_profile = profile;
}

void
SharedMeter::Check() const
{
    m_profile->Check();
}

Meter::State
SharedMeter::Start(int64_t /* now */) const
{
    return m_state;
}

Colour
SharedMeter::Mark(State& state, int64_t now, uint32_t bytes, Colour before) const
{
    m_before = m_state;
    const Colour colour = m_profile->Mark(m_state, now, bytes, before);
    state = m_state;
    return colour;
}

void
SharedMeter::Settle(State& state, int64_t now) const
{
    m_profile->Settle(m_state, now);
    state = m_state;
}

Meter::State
SharedMeter::GetSettled(const State& /* state */, int64_t now) const
{
    return m_profile->GetSettled(m_state, now);
}

void
SharedMeter::Refund(State& state, const State& /* before */, int64_t now) const
{
    m_profile->Refund(m_state, m_before, now);
    state = m_state;
}

void
SharedMeter::ReportState(const State& state, const Report& report) const
{
    m_profile->ReportState(state, report);
}

double
SharedMeter::GetYellowFill(const State& /* state */) const
{
    return m_profile->GetYellowFill(m_state);
}

void
SharedMeter::Clip(State& /* state */) const
{
}

} // namespace ns3
