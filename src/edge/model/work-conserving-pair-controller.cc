/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "work-conserving-pair-controller.h"

#include "pair-edge.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WorkConservingPairController");
NS_OBJECT_ENSURE_REGISTERED(WorkConservingPairController);

TypeId
WorkConservingPairController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WorkConservingPairController")
            .SetParent<EcnPairController>()
            .SetGroupName("Edge")
            .AddAttribute(
                "Profile",
                "Reading of Trinity's Eq. 5, which the paper leaves open: Smoothed takes a moving "
                "average of the share of marks, DCTCP's estimator, Literal the share of the last "
                "interval, Prototype the rule of the authors' prototype, which knows no sets P "
                "and Q",
                EnumValue(SpareRateLaw::SMOOTHED),
                MakeEnumAccessor<SpareRateLaw::Profile>(&WorkConservingPairController::m_profile),
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
                          MakeDoubleAccessor(&WorkConservingPairController::m_alpha),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("BetaGain",
                          "Weight of the last interval in the moving average of marks; 0: that of "
                          "the profile, 1/16 with Smoothed (DCTCP's gain), or 1",
                          DoubleValue(0),
                          MakeDoubleAccessor(&WorkConservingPairController::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("UsableCapacity",
                          "C of Trinity's Eq. 2 over the rate of the host's link: what is left for "
                          "IP datagrams (prototype: 960 of 1000 Mbit/s)",
                          DoubleValue(0.96),
                          MakeDoubleAccessor(&WorkConservingPairController::m_usable),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "ReclaimIdleGuarantee",
                "Whether what idle VMs of the host are guaranteed is spare capacity for "
                "the others. Trinity's Eq. 2 says no; then a VM beside an idle one cannot "
                "use the whole link",
                BooleanValue(false),
                MakeBooleanAccessor(&WorkConservingPairController::m_reclaimIdle),
                MakeBooleanChecker())
            .AddAttribute("ShareAtOnce",
                          "Most pairs of a host that share what is spare anew as soon as one joins "
                          "(Eqs. 3 and 4); where there are more, it has its guarantee alone until "
                          "the interval ends (a choice: the paper has no time between intervals; "
                          "it takes time in proportion to the pairs)",
                          UintegerValue(100),
                          MakeUintegerAccessor(&WorkConservingPairController::m_shareAtOnce),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("UpdateAtReports",
                          "Whether R_W is computed as soon as a report comes, as in the authors' "
                          "prototype, where the measured ElasticSwitch's rate is, too, or when the "
                          "sender's own interval ends, half an interval later on average (Trinity "
                          "Section 3.2 says: periodically based on the received feedback)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&WorkConservingPairController::m_updateAtReports),
                          MakeBooleanChecker())
            .AddAttribute("LeastSpareRate",
                          "Least R_W of a pair that met congestion (a choice: it could not grow "
                          "from 0)",
                          DataRateValue(DataRate("10kbps")),
                          MakeDataRateAccessor(&WorkConservingPairController::m_leastRate),
                          MakeDataRateChecker())
            .AddAttribute("TrappedRate",
                          "R_W of a pair whose work-conserving packets are trapped behind "
                          "guaranteed ones (Trinity Section 3.3, Problem 2)",
                          DataRateValue(DataRate("10kbps")),
                          MakeDataRateAccessor(&WorkConservingPairController::m_trappedRate),
                          MakeDataRateChecker());
    return tid;
}

void
WorkConservingPairController::DoInstall()
{
    EcnPairController::DoInstall();
    const bool smoothed = m_profile == SpareRateLaw::SMOOTHED;
    SpareRateLaw::Settings settings;
    settings.profile = m_profile;
    settings.alpha = m_alpha > 0 ? m_alpha : smoothed ? 0.1 : 0.5;
    settings.gain = m_gain > 0 ? m_gain : smoothed ? 1.0 / 16 : 1;
    settings.least = static_cast<double>(m_leastRate.GetBitRate());
    settings.trapped = static_cast<double>(m_trappedRate.GetBitRate());
    m_law = SpareRateLaw(settings);
}

void
WorkConservingPairController::DoDispose()
{
    m_active.clear();
    m_states.clear();
    m_senders.clear();
    EcnPairController::DoDispose();
}

const SpareRateLaw::Pair*
WorkConservingPairController::FindPair(uint32_t pair) const
{
    const auto found = m_senders.find(pair);
    return found == m_senders.end() ? nullptr : &found->second.state;
}

double
WorkConservingPairController::GetSpareRate(uint32_t pair) const
{
    const SpareRateLaw::Pair* state = FindPair(pair);
    return state ? state->rate : 0;
}

double
WorkConservingPairController::GetCapacity() const
{
    FabricPort& port = GetEdge().GetFabric().GetHost(GetHost()).GetNicPort();
    return m_usable * static_cast<double>(port.GetDescription().rate.GetBitRate());
}

double
WorkConservingPairController::ComputeReserved() const
{
    const TenantTable& tenants = GetTenants();
    double reserved = 0;
    for (VmId vm : tenants.GetVmsOn(GetHost()))
    {
        reserved += static_cast<double>(tenants.GetVm(vm).send.GetBitRate());
    }
    for (PairId pair = 0; pair < tenants.GetNPairs(); ++pair)
    {
        const DataRate pipe = tenants.GetVmPair(pair).pipe;
        if (pipe.GetBitRate() > 0 && tenants.GetSource(pair) == GetHost())
        {
            reserved += static_cast<double>(pipe.GetBitRate());
        }
    }
    return reserved;
}

double
WorkConservingPairController::GetSpareCapacity() const
{
    double reserved = 0;
    if (m_reclaimIdle)
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
WorkConservingPairController::OnTermsChanged(uint32_t tenant)
{
    m_reserved = -1;
    EcnPairController::OnTermsChanged(tenant);
}

void
WorkConservingPairController::OnActivate(PairChannel& channel, int64_t now)
{
    Sender& sender = m_senders[channel.GetPair()];
    sender.channel = &channel;
    sender.state = {};
    sender.applied = -1; // tell the channel in any case
    m_active.push_back(&sender);
    m_states.push_back(&sender.state);
    EcnPairController::OnActivate(channel, now); // divides the hose
    sender.state.guarantee = GetGuarantee(channel.GetPair());
    if (m_active.size() > m_shareAtOnce)
    {
        ApplyRates(sender); // the others, too, hear of it when the interval ends
        return;
    }
    m_law.ShareFree(GetSpareCapacity(), m_states);
    for (Sender* each : m_active)
    {
        ApplyRates(*each);
    }
}

void
WorkConservingPairController::OnDeactivate(PairChannel& channel)
{
    Sender& sender = m_senders.at(channel.GetPair());
    std::erase(m_active, &sender);
    std::erase(m_states, &sender.state);
    EcnPairController::OnDeactivate(channel);
}

void
WorkConservingPairController::SetGuarantee(PairChannel& channel, double guarantee)
{
    Sender& sender = m_senders.at(channel.GetPair());
    sender.state.guarantee = guarantee;
    SetRates(channel, guarantee, sender.state.rate);
}

void
WorkConservingPairController::OnReport(PairChannel& channel, const PairReport& report, int64_t now)
{
    EcnPairController::OnReport(channel, report, now);
    const auto found = m_senders.find(channel.GetPair());
    if (found == m_senders.end())
    {
        return;
    }
    const uint16_t congestion = GetFields(report).congestion;
    SpareRateLaw::Pair& state = found->second.state;
    state.beta = congestion == ReportFields::NO_RED ? 0 : congestion / 10000.0;
    state.news = Judge(channel, report, now);
    if (m_updateAtReports)
    {
        UpdateActive();
    }
}

SpareRateLaw::News
WorkConservingPairController::Judge(PairChannel& /* channel */,
                                    const PairReport& /* report */,
                                    int64_t /* now */)
{
    return SpareRateLaw::REPORT;
}

void
WorkConservingPairController::UpdateRates(double capacity,
                                          double spare,
                                          const std::vector<SpareRateLaw::Pair*>& pairs)
{
    m_law.Update(capacity, spare, pairs);
}

void
WorkConservingPairController::ReportState(const PairChannel& channel,
                                          int64_t now,
                                          const PairChannel::StateVisitor& visit) const
{
    EcnPairController::ReportState(channel, now, visit);
    const SpareRateLaw::Pair& state = m_senders.at(channel.GetPair()).state;
    visit("spare_rate_bps", state.rate);
    visit("marked_share", state.beta);
    visit("is_cautious", state.isCautious);
}

void
WorkConservingPairController::OnChannelInterval(PairChannel& /* channel */, int64_t /* now */)
{
}

void
WorkConservingPairController::OnInterval(int64_t now)
{
    UpdateActive();
    for (Sender* sender : m_active)
    {
        OnChannelInterval(*sender->channel, now);
    }
}

void
WorkConservingPairController::UpdateActive()
{
    UpdateRates(GetCapacity(), GetSpareCapacity(), m_states);
    for (Sender* sender : m_active)
    {
        ApplyRates(*sender);
    }
}

void
WorkConservingPairController::ApplyRates(Sender& sender)
{
    if (sender.applied != sender.state.rate)
    {
        NS_LOG_LOGIC("pair " << sender.channel->GetPair() << " may send " << sender.state.rate
                             << " bit/s beyond its guarantee");
        sender.applied = sender.state.rate;
        SetRates(*sender.channel, sender.state.guarantee, sender.applied);
    }
}

} // namespace ns3
