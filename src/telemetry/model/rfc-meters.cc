/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rfc-meters.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SingleRateMeter);
NS_OBJECT_ENSURE_REGISTERED(TwoRateMeter);

TypeId
SingleRateMeter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SingleRateMeter")
            .SetParent<Meter>()
            .SetGroupName("Telemetry")
            .AddConstructor<SingleRateMeter>()
            .AddAttribute("CommittedRate",
                          "CIR: rate of IP packets that is committed (RFC 2697, Section 2)",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&SingleRateMeter::m_cir),
                          MakeDataRateChecker())
            .AddAttribute("CommittedBurst",
                          "CBS: depth of the committed bucket in bytes (RFC 2697, Section 2). The "
                          "default is the yellow threshold of Nimble (SOSR 2021, Section 4.2)",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&SingleRateMeter::m_cbs),
                          MakeUintegerChecker<uint32_t>(0, MAX_BURST))
            .AddAttribute("ExcessBurst",
                          "EBS: depth of the excess bucket in bytes (RFC 2697, Section 2); 0: "
                          "nothing is yellow. The default adds up to the red threshold of Nimble "
                          "(SOSR 2021, Section 5: 400 KB)",
                          UintegerValue(393216),
                          MakeUintegerAccessor(&SingleRateMeter::m_ebs),
                          MakeUintegerChecker<uint32_t>(0, MAX_BURST))
            .AddAttribute("ColourAware",
                          "Whether a packet's colour before limits the colour it gets (RFC 2697, "
                          "Section 3)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SingleRateMeter::m_colourAware),
                          MakeBooleanChecker());
    return tid;
}

void
SingleRateMeter::Check() const
{
    if (m_cbs == 0 && m_ebs == 0)
    {
        throw InputError("ns3::SingleRateMeter::CommittedBurst",
                         "0",
                         "CommittedBurst or ExcessBurst must be larger than 0");
    }
}

Meter::State
SingleRateMeter::Start(int64_t now) const
{
    return {now, m_cbs * TOKENS_PER_BYTE, m_ebs * TOKENS_PER_BYTE};
}

void
SingleRateMeter::Settle(State& state, int64_t now) const
{
    const int64_t room = m_cbs * TOKENS_PER_BYTE - state.committed;
    const int64_t excessRoom = m_ebs * TOKENS_PER_BYTE - state.excess;
    const int64_t earned =
        EarnTokens(static_cast<int64_t>(m_cir.GetBitRate()), now - state.last, room + excessRoom);
    const int64_t committed = std::min(earned, room);
    state.committed += committed;
    state.excess += earned - committed;
    state.last = now;
}

Colour
SingleRateMeter::Mark(State& state, int64_t now, uint32_t bytes, Colour before) const
{
    Settle(state, now);
    const Colour best = m_colourAware ? before : Colour::GREEN;
    const int64_t needed = bytes * TOKENS_PER_BYTE;
    if (best == Colour::GREEN && state.committed >= needed)
    {
        state.committed -= needed;
        return Colour::GREEN;
    }
    if (best != Colour::RED && state.excess >= needed)
    {
        state.excess -= needed;
        return Colour::YELLOW;
    }
    return Colour::RED;
}

double
SingleRateMeter::GetYellowFill(const State& state) const
{
    const auto depth = static_cast<double>(m_ebs * TOKENS_PER_BYTE);
    return depth == 0 ? 1 : 1 - static_cast<double>(state.excess) / depth;
}

void
SingleRateMeter::ReportState(const State& state, const Report& report) const
{
    report("committed_bytes", static_cast<double>(state.committed) / TOKENS_PER_BYTE);
    report("excess_bytes", static_cast<double>(state.excess) / TOKENS_PER_BYTE);
    report("rate_bps", static_cast<double>(m_cir.GetBitRate()));
}

void
SingleRateMeter::Clip(State& state) const
{
    state.committed = std::min(state.committed, m_cbs * TOKENS_PER_BYTE);
    state.excess = std::min(state.excess, m_ebs * TOKENS_PER_BYTE);
}

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
                          MakeDataRateAccessor(&TwoRateMeter::m_cir),
                          MakeDataRateChecker())
            .AddAttribute("PeakRate",
                          "PIR: rate of IP packets beyond which they are red, at least "
                          "CommittedRate (RFC 2698, Section 2)",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&TwoRateMeter::m_pir),
                          MakeDataRateChecker())
            .AddAttribute("CommittedBurst",
                          "CBS: depth of the committed bucket in bytes (RFC 2698, Section 2). The "
                          "default is the yellow threshold of Nimble (SOSR 2021, Section 4.2)",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&TwoRateMeter::m_cbs),
                          MakeUintegerChecker<uint32_t>(1, MAX_BURST))
            .AddAttribute("PeakBurst",
                          "PBS: depth of the peak bucket in bytes (RFC 2698, Section 2). The "
                          "default is the red threshold of Nimble (SOSR 2021, Section 5: 400 KB)",
                          UintegerValue(409600),
                          MakeUintegerAccessor(&TwoRateMeter::m_pbs),
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
    if (m_pir < m_cir)
    {
        throw InputError("ns3::TwoRateMeter::PeakRate",
                         std::to_string(m_pir.GetBitRate()) + "bps",
                         "at least CommittedRate, " + std::to_string(m_cir.GetBitRate()) + "bps");
    }
}

Meter::State
TwoRateMeter::Start(int64_t now) const
{
    return {now, m_cbs * TOKENS_PER_BYTE, m_pbs * TOKENS_PER_BYTE};
}

void
TwoRateMeter::Settle(State& state, int64_t now) const
{
    const int64_t elapsed = now - state.last;
    state.committed += EarnTokens(static_cast<int64_t>(m_cir.GetBitRate()),
                                  elapsed,
                                  m_cbs * TOKENS_PER_BYTE - state.committed);
    state.excess += EarnTokens(static_cast<int64_t>(m_pir.GetBitRate()),
                               elapsed,
                               m_pbs * TOKENS_PER_BYTE - state.excess);
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
    return 1 - static_cast<double>(state.excess) / static_cast<double>(m_pbs * TOKENS_PER_BYTE);
}

void
TwoRateMeter::ReportState(const State& state, const Report& report) const
{
    report("committed_bytes", static_cast<double>(state.committed) / TOKENS_PER_BYTE);
    report("peak_bytes", static_cast<double>(state.excess) / TOKENS_PER_BYTE);
    report("rate_bps", static_cast<double>(m_pir.GetBitRate()));
}

void
TwoRateMeter::Clip(State& state) const
{
    state.committed = std::min(state.committed, m_cbs * TOKENS_PER_BYTE);
    state.excess = std::min(state.excess, m_pbs * TOKENS_PER_BYTE);
}

} // namespace ns3
