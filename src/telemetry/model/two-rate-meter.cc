/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "two-rate-meter.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TwoRateMeter);

TypeId
TwoRateMeter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TwoRateMeter")
            .SetParent<Meter>()
            .SetGroupName("Telemetry")
            .AddConstructor<TwoRateMeter>()
            .AddAttribute("CommittedRate",
                          "CIR: rate of IP packets that is committed (RFC 2698, Section 2)",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&TwoRateMeter::m_committedRate),
                          MakeDataRateChecker())
            .AddAttribute("PeakRate",
                          "PIR: rate of IP packets beyond which they are red, at least "
                          "CommittedRate (RFC 2698, Section 2)",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&TwoRateMeter::m_peakRate),
                          MakeDataRateChecker())
            .AddAttribute("CommittedBurst",
                          "CBS: depth of the committed bucket in bytes (RFC 2698, Section 2). The "
                          "default is the yellow threshold of Nimble (SOSR 2021, Section 4.2)",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&TwoRateMeter::m_committedBurst),
                          MakeUintegerChecker<uint32_t>(1, MAX_BURST))
            .AddAttribute("PeakBurst",
                          "PBS: depth of the peak bucket in bytes (RFC 2698, Section 2). The "
                          "default is the red threshold of Nimble (SOSR 2021, Section 5: 400 KB)",
                          UintegerValue(409600),
                          MakeUintegerAccessor(&TwoRateMeter::m_peakBurst),
                          MakeUintegerChecker<uint32_t>(1, MAX_BURST))
            .AddAttribute("ColourAware",
                          "Whether a packet's colour before limits the colour it gets (RFC 2698, "
                          "Section 3)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TwoRateMeter::m_colourAware),
                          MakeBooleanChecker());
    return tid;
}

void
TwoRateMeter::Check() const
{
    if (m_peakRate < m_committedRate)
    {
        throw InputError("ns3::TwoRateMeter::PeakRate",
                         std::to_string(m_peakRate.GetBitRate()) + "bps",
                         "at least CommittedRate, " + std::to_string(m_committedRate.GetBitRate()) +
                             "bps");
    }
}

Meter::State
TwoRateMeter::Start(int64_t now) const
{
    return {now, m_committedBurst * TOKENS_PER_BYTE, m_peakBurst * TOKENS_PER_BYTE};
}

void
TwoRateMeter::Settle(State& state, int64_t now) const
{
    const int64_t elapsed = now - state.last;
    state.committed += EarnTokens(static_cast<int64_t>(m_committedRate.GetBitRate()),
                                  elapsed,
                                  m_committedBurst * TOKENS_PER_BYTE - state.committed);
    state.excess += EarnTokens(static_cast<int64_t>(m_peakRate.GetBitRate()),
                               elapsed,
                               m_peakBurst * TOKENS_PER_BYTE - state.excess);
    state.last = now;
}

Colour
TwoRateMeter::Mark(State& state, int64_t now, uint32_t bytes, Colour before) const
{
    Settle(state, now);
    const Colour best = m_colourAware ? before : Colour::GREEN;
    const int64_t needed = bytes * TOKENS_PER_BYTE;
    if (best == Colour::RED || state.excess < needed)
    {
        return Colour::RED;
    }
    state.excess -= needed;
    if (best == Colour::YELLOW || state.committed < needed)
    {
        return Colour::YELLOW;
    }
    state.committed -= needed;
    return Colour::GREEN;
}

double
TwoRateMeter::GetYellowFill(const State& state) const
{
    return 1 -
           static_cast<double>(state.excess) / static_cast<double>(m_peakBurst * TOKENS_PER_BYTE);
}

void
TwoRateMeter::ReportState(const State& state, const Report& report) const
{
    report("committed_bytes", static_cast<double>(state.committed) / TOKENS_PER_BYTE);
    report("peak_bytes", static_cast<double>(state.excess) / TOKENS_PER_BYTE);
    report("rate_bps", static_cast<double>(m_peakRate.GetBitRate()));
}

void
TwoRateMeter::Clip(State& state) const
{
    state.committed = std::min(state.committed, m_committedBurst * TOKENS_PER_BYTE);
    state.excess = std::min(state.excess, m_peakBurst * TOKENS_PER_BYTE);
}

} // namespace ns3
