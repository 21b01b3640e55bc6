/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trinity-rate-control.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fabric-host.h"
#include "ns3/log.h"
#include "ns3/pair-edge.h"
#include "ns3/report-header.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TrinityRateControl");

TypeId
TrinityRateControl::Settings::AddAttributes(TypeId tid)
{
    return tid
        .AddAttribute(
            "Profile",
            "Reading of Trinity's Eq. 5, which the paper leaves open: Smoothed takes a moving "
            "average of the share of marks, DCTCP's estimator, Literal the share of the last "
            "interval, Prototype the rule of the authors' prototype, which knows no sets P "
            "and Q",
            EnumValue(SpareRateLaw::SMOOTHED),
            MakeEnumAccessor<SpareRateLaw::Profile>(&Settings::profile),
            MakeEnumChecker(SpareRateLaw::LITERAL,
                            "Literal",
                            SpareRateLaw::SMOOTHED,
                            "Smoothed",
                            SpareRateLaw::PROTOTYPE,
                            "Prototype"))
        .AddAttribute("Alpha",
                      "Growth of R_W per interval without marks (Trinity Eq. 6, which names no "
                      "value); 0: that of the profile, 0.1 with Smoothed (a choice), or 0.5 "
                      "(prototype)",
                      DoubleValue(0),
                      MakeDoubleAccessor(&Settings::alpha),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("BetaGain",
                      "Weight of the last interval in the moving average of marks; 0: that of "
                      "the profile, 1/16 with Smoothed (DCTCP's gain), or 1",
                      DoubleValue(0),
                      MakeDoubleAccessor(&Settings::betaGain),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("UsableCapacity",
                      "C of Trinity's Eq. 2 over the rate of the host's link: what is left for "
                      "IP datagrams (prototype: 960 of 1000 Mbit/s)",
                      DoubleValue(0.96),
                      MakeDoubleAccessor(&Settings::usableCapacity),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("ReclaimIdleGuarantee",
                      "Whether what idle VMs of the host are guaranteed is spare capacity for "
                      "the others. Trinity's Eq. 2 says no; then a VM beside an idle one cannot "
                      "use the whole link",
                      BooleanValue(false),
                      MakeBooleanAccessor(&Settings::reclaimIdle),
                      MakeBooleanChecker())
        .AddAttribute("ShareAtOnce",
                      "Most pairs of a host that share what is spare anew as soon as one joins "
                      "(Eqs. 3 and 4); where there are more, it has its guarantee alone until "
                      "the interval ends (a choice: the paper has no time between intervals; "
                      "it takes time in proportion to the pairs)",
                      UintegerValue(100),
                      MakeUintegerAccessor(&Settings::shareAtOnce),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("UpdateAtReports",
                      "Whether R_W is computed as soon as a report comes, as in the authors' "
                      "prototype, where the measured ElasticSwitch's rate is, too, or when the "
                      "sender's own interval ends, half an interval later on average (Trinity "
                      "Section 3.2 says: periodically based on the received feedback)",
                      BooleanValue(true),
                      MakeBooleanAccessor(&Settings::updateAtReports),
                      MakeBooleanChecker())
        .AddAttribute("LeastSpareRate",
                      "Least R_W of a pair that met congestion (a choice: it could not grow "
                      "from 0)",
                      DataRateValue(DataRate("10kbps")),
                      MakeDataRateAccessor(&Settings::leastRate),
                      MakeDataRateChecker())
        .AddAttribute("TrappedRate",
                      "R_W of a pair whose work-conserving packets are trapped behind "
                      "guaranteed ones (Trinity Section 3.3, Problem 2)",
                      DataRateValue(DataRate("10kbps")),
                      MakeDataRateAccessor(&Settings::trappedRate),
                      MakeDataRateChecker());
}

TrinityRateControl::TrinityRateControl(RateSetter setRates)
    : m_setRates(std::move(setRates))
{
}

void
TrinityRateControl::Install(const Settings& settings, const PairEdge& edge, uint32_t host)
{
    m_settings = &settings;
    m_edge = &edge;
    m_host = host;
    const bool smoothed = settings.profile == SpareRateLaw::SMOOTHED;
    SpareRateLaw::Settings law;
    law.profile = settings.profile;
    law.alpha = settings.alpha > 0 ? settings.alpha : smoothed ? 0.1 : 0.5;
    law.gain = settings.betaGain > 0 ? settings.betaGain : smoothed ? 1.0 / 16 : 1;
    law.least = static_cast<double>(settings.leastRate.GetBitRate());
    law.trapped = static_cast<double>(settings.trappedRate.GetBitRate());
    m_shares = SpareRateLaw(law);
    m_law = [this](double capacity, double spare, const auto& pairs) {
        m_shares.Update(capacity, spare, pairs);
    };
}

void
TrinityRateControl::SetLaw(Law law)
{
    m_law = std::move(law);
}

void
TrinityRateControl::Clear()
{
    m_active.clear();
    m_states.clear();
    m_senders.clear();
}

double
TrinityRateControl::GetCapacity() const
{
    FabricPort& port = m_edge->GetFabric().GetHost(m_host).GetNicPort();
    return m_settings->usableCapacity *
           static_cast<double>(port.GetDescription().rate.GetBitRate());
}

double
TrinityRateControl::ComputeReserved() const
{
    const TenantTable& tenants = m_edge->GetTenants();
    double reserved = 0;
    for (VmId vm : tenants.GetVmsOn(m_host))
    {
        reserved += static_cast<double>(tenants.GetVm(vm).send.GetBitRate());
    }
    for (PairId pair = 0; pair < tenants.GetNPairs(); ++pair)
    {
        const DataRate pipe = tenants.GetVmPair(pair).pipe;
        if (pipe.GetBitRate() > 0 && tenants.GetSource(pair) == m_host)
        {
            reserved += static_cast<double>(pipe.GetBitRate());
        }
    }
    return reserved;
}

double
TrinityRateControl::GetSpareCapacity() const // Eq. 2
{
    double reserved = 0;
    if (m_settings->reclaimIdle)
    {
        for (const Sender* sender : m_active)
        {
            reserved += sender->state.guarantee;
        }
    }
    else
    {
        m_reserved = m_reserved < 0 ? ComputeReserved() : m_reserved;
        reserved = m_reserved;
    }
    return std::max(GetCapacity() - reserved, 0.0);
}

void
TrinityRateControl::ForgetReserved()
{
    m_reserved = -1;
}

void
TrinityRateControl::Join(PairChannel& channel)
{
    Sender& sender = m_senders[channel.GetPair()];
    sender.channel = &channel;
    sender.state = {};
    sender.applied = -1; // tell the channel in any case
    m_active.push_back(&sender);
    m_states.push_back(&sender.state);
}

void
TrinityRateControl::Start(PairChannel& channel, double guarantee)
{
    Sender& sender = m_senders.at(channel.GetPair());
    sender.state.guarantee = guarantee;
    if (m_active.size() > m_settings->shareAtOnce)
    {
        ApplyRates(sender); // the others, too, hear of it when the interval ends
        return;
    }
    m_shares.ShareFree(GetSpareCapacity(), m_states);
    for (Sender* each : m_active)
    {
        ApplyRates(*each);
    }
}

void
TrinityRateControl::Leave(PairChannel& channel)
{
    Sender& sender = m_senders.at(channel.GetPair());
    std::erase(m_active, &sender);
    std::erase(m_states, &sender.state);
}

void
TrinityRateControl::SetGuarantee(PairChannel& channel, double guarantee)
{
    Sender& sender = m_senders.at(channel.GetPair());
    sender.state.guarantee = guarantee;
    m_setRates(channel, guarantee, sender.state.rate);
}

void
TrinityRateControl::HandleReport(PairChannel& channel,
                                 uint16_t congestion,
                                 SpareRateLaw::Feedback feedback)
{
    SpareRateLaw::Pair& state = m_senders.at(channel.GetPair()).state;
    state.beta = congestion == ReportFields::NO_RED ? 0 : congestion / 10000.0;
    state.feedback = feedback;
    if (m_settings->updateAtReports)
    {
        Update();
    }
}

void
TrinityRateControl::Update()
{
    m_law(GetCapacity(), GetSpareCapacity(), m_states);
    for (Sender* sender : m_active)
    {
        ApplyRates(*sender);
    }
}

void
TrinityRateControl::ApplyRates(Sender& sender)
{
    if (sender.applied != sender.state.rate)
    {
        NS_LOG_LOGIC("pair " << sender.channel->GetPair() << " may send " << sender.state.rate
                             << " bit/s beyond its guarantee");
        sender.applied = sender.state.rate;
        m_setRates(*sender.channel, sender.state.guarantee, sender.applied);
    }
}

double
TrinityRateControl::GetSpareRate(uint32_t pair) const
{
    const SpareRateLaw::Pair* state = FindPair(pair);
    return state ? state->rate : 0;
}

const SpareRateLaw::Pair*
TrinityRateControl::FindPair(uint32_t pair) const
{
    const auto found = m_senders.find(pair);
    return found == m_senders.end() ? nullptr : &found->second.state;
}

std::vector<PairChannel*>
TrinityRateControl::GetActiveChannels() const
{
    std::vector<PairChannel*> channels;
    for (const Sender* sender : m_active)
    {
        channels.push_back(sender->channel);
    }
    return channels;
}

void
TrinityRateControl::ReportState(const PairChannel& channel,
                                const PairChannel::StateVisitor& visit) const
{
    const SpareRateLaw::Pair& state = m_senders.at(channel.GetPair()).state;
    visit("spare_rate_bps", state.rate);
    visit("marked_share", state.beta);
    visit("is_cautious", state.isCautious);
}

} // namespace ns3
