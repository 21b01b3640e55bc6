/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "logical-meter.h"

#include "ns3/input-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LogicalMeter);

namespace
{

/// @brief Unit of the occupancies: half a token, since a rate is multiplied by twice a time.
constexpr int64_t UNITS_PER_BYTE = 2 * TOKENS_PER_BYTE;

} // namespace

TypeId
LogicalMeter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LogicalMeter")
            .SetParent<Meter>()
            .SetGroupName("Telemetry")
            .AddConstructor<LogicalMeter>()
            .AddAttribute("Rate",
                          "Rate of IP packets at which the imagined queue drains (Nimble, SOSR "
                          "2021, Section 4.1)",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&LogicalMeter::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("YellowRate",
                          "Rate of a second imagined queue that decides what is yellow, at most "
                          "Rate (Nimble, SOSR 2021, Section 3.1.1); 0: there is one queue for both",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&LogicalMeter::m_yellowRate),
                          MakeDataRateChecker())
            .AddAttribute("YellowBurst",
                          "Bytes in the queue beyond which a packet is yellow (Nimble, SOSR 2021, "
                          "Section 4.2: 16 KB)",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&LogicalMeter::m_yellowBurst),
                          MakeUintegerChecker<uint32_t>(0, MAX_BURST))
            .AddAttribute("RedBurst",
                          "Bytes in the queue beyond which a packet is red (Nimble, SOSR 2021, "
                          "Section 5: 400 KB for a whole port)",
                          UintegerValue(409600),
                          MakeUintegerAccessor(&LogicalMeter::m_redBurst),
                          MakeUintegerChecker<uint32_t>(1, MAX_BURST))
            .AddAttribute("SignificantBits",
                          "Bits of the time since the last packet that the multiplication looks at "
                          "(Nimble, SOSR 2021, Section 6.1.1: 4); 0: all, exactly",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LogicalMeter::SetSignificantBits,
                                               &LogicalMeter::GetSignificantBits),
                          MakeUintegerChecker<uint32_t>(0, ApproximateMultiplier::MAX_WIDTH))
            .AddAttribute(
                "TimeWidth",
                "Bits of the time since the last packet, in ns; a longer time counts as "
                "the longest (Nimble, SOSR 2021, Figure 17: 32). Only with "
                "SignificantBits",
                UintegerValue(32),
                MakeUintegerAccessor(&LogicalMeter::SetTimeWidth, &LogicalMeter::GetTimeWidth),
                MakeUintegerChecker<uint32_t>(1, ApproximateMultiplier::MAX_WIDTH));
    return tid;
}

LogicalMeter::LogicalMeter()
    : m_multiplier(ApproximateMultiplier::MAX_WIDTH, 0)
{
}

void
LogicalMeter::SetTimeWidth(uint32_t bits)
{
    m_timeWidth = bits;
    CreateMultiplier();
}

uint32_t
LogicalMeter::GetTimeWidth() const
{
    return m_timeWidth;
}

void
LogicalMeter::SetSignificantBits(uint32_t bits)
{
    m_significantBits = bits;
    CreateMultiplier();
}

uint32_t
LogicalMeter::GetSignificantBits() const
{
    return m_significantBits;
}

void
LogicalMeter::CreateMultiplier()
{
    const uint32_t width = m_significantBits == 0 ? ApproximateMultiplier::MAX_WIDTH : m_timeWidth;
    m_multiplier = ApproximateMultiplier(width, m_significantBits);
}

void
LogicalMeter::Check() const
{
    const auto require = [](bool holds, const char* name, uint64_t value, const char* allowed) {
        if (!holds)
        {
            throw InputError(std::string("ns3::LogicalMeter::") + name,
                             std::to_string(value),
                             allowed);
        }
    };
    require(m_yellowBurst <= m_redBurst, "YellowBurst", m_yellowBurst, "at most RedBurst");
    require(m_yellowRate <= m_rate, "YellowRate", m_yellowRate.GetBitRate(), "at most Rate");
    require(m_significantBits <= m_timeWidth,
            "SignificantBits",
            m_significantBits,
            "at most TimeWidth");
}

Meter::State
LogicalMeter::Start(int64_t now) const
{
    return {now, 0, 0};
}

void
LogicalMeter::Settle(State& state, int64_t now) const
{
    auto& [last, yellowOccupancy, occupancy] = state;
    const auto doubledTime = // twice A(dT), in which the half of a mean is a whole number
        static_cast<int64_t>(m_multiplier.GetDoubledMean(static_cast<uint64_t>(now - last)));
    const auto drained = [doubledTime](DataRate rate, int64_t most) {
        return EarnTokens(static_cast<int64_t>(rate.GetBitRate()), doubledTime, most);
    };
    occupancy -= drained(m_rate, occupancy);
    yellowOccupancy -= drained(GetYellowRate(), yellowOccupancy);
    last = now;
}

Colour
LogicalMeter::Mark(State& state, int64_t now, uint32_t bytes, Colour /* before */) const
{
    Settle(state, now);
    auto& [last, yellowOccupancy, occupancy] = state;
    const int64_t length = bytes * UNITS_PER_BYTE;
    const int64_t red = m_redBurst * UNITS_PER_BYTE;
    if (occupancy + length > red)
    {
        return Colour::RED;
    }
    occupancy += length;
    // At a lower rate of its own the queue for yellow would grow without end.
    yellowOccupancy = std::min(yellowOccupancy + length, red);
    return yellowOccupancy > m_yellowBurst * UNITS_PER_BYTE ? Colour::YELLOW : Colour::GREEN;
}

DataRate
LogicalMeter::GetYellowRate() const
{
    return m_yellowRate.GetBitRate() > 0 ? m_yellowRate : m_rate;
}

double
LogicalMeter::GetYellowFill(const State& state) const
{
    const double bytes = static_cast<double>(state.committed) / UNITS_PER_BYTE;
    const double room = static_cast<double>(m_redBurst) - m_yellowBurst;
    return room == 0 ? 1 : std::clamp((bytes - m_yellowBurst) / room, 0.0, 1.0);
}

double
LogicalMeter::GetOccupancy(const State& state)
{
    return static_cast<double>(state.excess) / UNITS_PER_BYTE;
}

void
LogicalMeter::ReportState(const State& state, const Report& report) const
{
    report("occupancy_bytes", GetOccupancy(state));
    report("yellow_bytes", m_yellowBurst);
    report("red_bytes", m_redBurst);
    report("rate_bps", static_cast<double>(m_rate.GetBitRate()));
}

void
LogicalMeter::Clip(State& state) const
{
    state.excess = std::min(state.excess, m_redBurst * UNITS_PER_BYTE);
    state.committed = std::min(state.committed, m_redBurst * UNITS_PER_BYTE);
}

} // namespace ns3
