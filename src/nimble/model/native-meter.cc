/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "native-meter.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/logical-meter.h"
#include "ns3/object-factory.h"
#include "ns3/rfc-meters.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NativeMeter);

TypeId
NativeMeter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NativeMeter")
            .SetParent<Meter>()
            .SetGroupName("Nimble")
            .AddConstructor<NativeMeter>()
            .AddAttribute(
                "Mode",
                "Which packets are charged to which bucket: Rfc2697 (one rate) or Rfc2698 "
                "(Nimble, SOSR 2021, Section 3.1.1, cites both), or Occupancy, which is "
                "not in the paper: with it a TCP that hovers at the rate keeps being "
                "marked",
                EnumValue(NativeMeter::RFC2697),
                MakeEnumAccessor<Mode>(&NativeMeter::m_mode),
                MakeEnumChecker(NativeMeter::RFC2697,
                                "Rfc2697",
                                NativeMeter::RFC2698,
                                "Rfc2698",
                                NativeMeter::OCCUPANCY,
                                "Occupancy"))
            .AddAttribute("Rate",
                          "Rate of IP packets at which the red bucket fills, and the yellow one "
                          "unless it has its own (Nimble, SOSR 2021, Section 3.1.1: R, or R_red)",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&NativeMeter::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("YellowRate",
                          "Rate at which the yellow bucket fills, at most Rate (Nimble, SOSR 2021, "
                          "Section 3.1.1: R_yellow); 0: Rate",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&NativeMeter::m_yellowRate),
                          MakeDataRateChecker())
            .AddAttribute("YellowBurst",
                          "Depth of the yellow bucket in bytes (Nimble, SOSR 2021, Section 4.2: "
                          "16 KB)",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&NativeMeter::m_yellowBurst),
                          MakeUintegerChecker<uint32_t>(0, MAX_BURST))
            .AddAttribute("RedBurst",
                          "Depth of the red bucket in bytes (Nimble, SOSR 2021, Section 5: 400 KB "
                          "for a whole port)",
                          UintegerValue(409600),
                          MakeUintegerAccessor(&NativeMeter::m_redBurst),
                          MakeUintegerChecker<uint32_t>(1, MAX_BURST));
    return tid;
}

Ptr<Meter>
NativeMeter::CreateRule() const
{
    const UintegerValue yellowBurst(m_yellowBurst);
    const UintegerValue redBurst(m_redBurst);
    switch (m_mode)
    {
    case RFC2697:
        return CreateObjectWithAttributes<SingleRateMeter>(
            "CommittedRate",
            DataRateValue(m_rate),
            "CommittedBurst",
            yellowBurst,
            "ExcessBurst",
            UintegerValue(m_redBurst - std::min(m_yellowBurst, m_redBurst)));
    case RFC2698:
        return CreateObjectWithAttributes<TwoRateMeter>(
            "CommittedRate",
            DataRateValue(m_yellowRate.GetBitRate() > 0 ? m_yellowRate : m_rate),
            "PeakRate",
            DataRateValue(m_rate),
            "CommittedBurst",
            UintegerValue(std::max(1U, m_yellowBurst)), // the RFC has no 0; no packet fits 1
            "PeakBurst",
            redBurst);
    default:
        return CreateObjectWithAttributes<LogicalMeter>("Rate",
                                                        DataRateValue(m_rate),
                                                        "YellowRate",
                                                        DataRateValue(m_yellowRate),
                                                        "YellowBurst",
                                                        yellowBurst,
                                                        "RedBurst",
                                                        redBurst);
    }
}

void
NativeMeter::NotifyConstructionCompleted()
{
    Meter::NotifyConstructionCompleted();
    m_rule = CreateRule();
}

void
NativeMeter::Check() const
{
    const auto require = [](bool holds, const char* name, uint64_t value, const char* allowed) {
        if (!holds)
        {
            throw InputError(std::string("ns3::NativeMeter::") + name,
                             std::to_string(value),
                             allowed);
        }
    };
    require(m_yellowBurst <= m_redBurst, "YellowBurst", m_yellowBurst, "at most RedBurst");
    require(m_yellowRate <= m_rate, "YellowRate", m_yellowRate.GetBitRate(), "at most Rate");
    require(m_mode != RFC2697 || m_yellowRate.GetBitRate() == 0,
            "YellowRate",
            m_yellowRate.GetBitRate(),
            "0 in mode Rfc2697, which has one rate: Rfc2698 has two");
}

Meter::State
NativeMeter::Start(int64_t now) const
{
    return m_rule->Start(now);
}

void
NativeMeter::Settle(State& state, int64_t now) const
{
    m_rule->Settle(state, now);
}

Colour
NativeMeter::Mark(State& state, int64_t now, uint32_t bytes, Colour before) const
{
    return m_rule->Mark(state, now, bytes, before);
}

double
NativeMeter::GetYellowFill(const State& state) const
{
    return m_rule->GetYellowFill(state);
}

void
NativeMeter::ReportState(const State& state, const Report& report) const
{
    m_rule->ReportState(state, report);
}

void
NativeMeter::Clip(State& state) const
{
    m_rule->SwitchTo(*m_rule, state, state.last);
}

} // namespace ns3
