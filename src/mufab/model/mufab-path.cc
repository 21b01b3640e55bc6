/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-path.h"

#include "mufab-channel.h"
#include "mufab-port-stage.h"
#include "probe-exchange.h"

#include "ns3/fabric-port.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace ns3
{

namespace
{

/**
 * @param ports that data leave by, the sender's own first
 * @return those of switches that have uFAB-C, which write a record into each probe
 */
std::vector<FabricPort*>
GetTellingPorts(const std::vector<FabricPort*>& ports)
{
    std::vector<FabricPort*> telling;
    std::ranges::copy_if(ports, std::back_inserter(telling), [](const FabricPort* port) {
        return port->GetDescription().tier > 0 &&
               std::ranges::any_of(port->GetStages(), [](const Ptr<PortStage>& stage) {
                   return dynamic_cast<const MufabPortStage*>(PeekPointer(stage)) != nullptr;
               });
    });
    return telling;
}

} // namespace

MufabPath::MufabPath(MufabChannel& channel,
                     const MufabSettings& settings,
                     uint16_t index,
                     const PathTable::Path& path,
                     const std::vector<FabricPort*>& ports)
    : m_channel(channel),
      m_settings(settings),
      m_path(path),
      m_ports(GetTellingPorts(ports)),
      m_rtt(settings.ownRtt ? ProbeExchange::GetBaseRtt(ports) : settings.largestRtt),
      m_window(0, TimeStep(m_rtt), TimeStep(settings.GetTimeout()), settings.paced),
      m_law(settings,
            m_rtt,
            m_ports.size(),
            static_cast<double>(ports.at(1)->GetDescription().rate.GetBitRate())),
      m_timer(DirectEvent::Call<&MufabPath::HandleTimer>, this),
      m_links(m_ports.size()),
      m_claimed(m_ports.size()),
      m_confirmed(m_ports.size()),
      m_index(index)
{
}

bool
MufabPath::IsBacklogged() const
{
    return m_channel.IsWaiting(*this);
}

void
MufabPath::Start(double tokens, int64_t now)
{
    m_state = ACTIVE;
    m_tokens = tokens;
    m_losses = 0;
    m_violations = 0;
    m_blocked = false;
    m_window.Set(m_law.Join(m_tokens));
    m_sentAtResponse = m_window.GetSentBytes();
    m_respondedAt = now;
    m_judgedAt = now;
    SendProbe(ProbeHeader::PROBE, now);
}

void
MufabPath::Finish(int64_t now)
{
    if (m_state != ACTIVE)
    {
        return;
    }
    m_state = FINISHING;
    m_finishedAt = now;
    m_finishRetry = m_settings.GetTimeout();
    SendProbe(ProbeHeader::FINISH, now);
}

void
MufabPath::Query(int64_t now)
{
    m_channel.SendProbe(*this, new MufabProbe, ProbeHeader::QUERY, ++m_sequence, now);
}

void
MufabPath::UpdateClaim()
{
    // What was told is told again until it is answered, so that switches know what they have added.
    if (m_version != m_confirmedVersion)
    {
        return;
    }
    ++m_version;
    m_claimedTokens = m_tokens;
    for (std::size_t hop = 0; hop < m_claimed.size(); ++hop)
    {
        m_claimed[hop] = m_law.GetAdvertised(hop);
    }
}

void
MufabPath::SendProbe(ProbeHeader::Type type, int64_t now)
{
    auto* probe = new MufabProbe;
    if (type == ProbeHeader::PROBE)
    {
        UpdateClaim();
    }
    probe->tokens = m_claimedTokens;
    probe->version = m_version;
    probe->confirmedTokens = m_confirmedTokens;
    probe->confirmedVersion = m_confirmedVersion;
    for (std::size_t hop = 0; hop < m_claimed.size(); ++hop)
    {
        probe->records[hop].window = m_claimed[hop];
        probe->records[hop].confirmed = m_confirmed[hop];
    }
    probe->sentBytes = m_window.GetSentBytes();
    m_outstanding = true;
    m_probedAt = now;
    m_sentAtProbe = m_window.GetSentBytes();
    m_timer.Set(type == ProbeHeader::FINISH ? m_finishRetry : m_settings.GetTimeout());
    m_channel.SendProbe(*this, probe, type, ++m_sequence, now);
}

void
MufabPath::OnSent(uint32_t size, int64_t now)
{
    m_window.Charge(size, now, IsBacklogged());
    ProbeIfDue(now);
}

void
MufabPath::ProbeIfDue(int64_t now)
{
    if (m_outstanding || m_state != ACTIVE)
    {
        return;
    }
    const uint64_t sent = m_window.GetSentBytes();
    bool isDue = false;
    switch (m_settings.clock)
    {
    case MufabSettings::AFTER_RESPONSE:
        isDue = sent - m_sentAtResponse >= MufabSettings::PROBE_EVERY;
        break;
    case MufabSettings::AFTER_PROBE:
        isDue = sent - m_sentAtProbe >= MufabSettings::PROBE_EVERY;
        break;
    case MufabSettings::PERIODIC:
        isDue = now >= m_probedAt + m_settings.probeRounds * m_rtt &&
                (sent > m_sentAtProbe || IsBacklogged());
        break;
    }
    if (isDue)
    {
        SendProbe(ProbeHeader::PROBE, now);
    }
}

bool
MufabPath::OnResponse(const MufabProbe& probe, int64_t now)
{
    const bool isBack = m_failed && probe.sentAt >= m_failedAt; // it left before: it says nothing
    m_failed = m_failed && !isBack;
    if (probe.request == ProbeHeader::QUERY || probe.sequence <= m_answered)
    {
        return false;
    }
    m_answered = probe.sequence;
    m_lastRtt = now - probe.sentAt;
    if (probe.request == ProbeHeader::FINISH)
    {
        if (m_state == FINISHING && probe.hops == probe.room)
        {
            m_state = IDLE;
            m_outstanding = false;
            m_timer.Cancel();
        }
        return false;
    }
    if (probe.version == m_version)
    {
        m_confirmedVersion = m_version;
        m_confirmedTokens = m_claimedTokens;
        m_confirmed = m_claimed;
    }
    if (m_state != ACTIVE)
    {
        return false;
    }
    m_window.Reconcile(probe.sentBytes, probe.receivedBytes);
    m_outstanding = false;
    m_losses = 0;
    m_timer.Cancel();
    Measure(now);
    for (std::size_t hop = 0; hop < m_links.size(); ++hop)
    {
        m_links[hop] = probe.records[hop].link;
    }
    m_window.Set(
        m_law.OnResponse(m_links, m_claimed, {m_tokens, m_measuredRate, IsBacklogged()}, now));
    if (isBack)
    {
        m_window.Set(m_law.Rejoin(m_tokens));
    }
    CheckGuarantee(now);
    m_sentAtResponse = m_window.GetSentBytes();
    m_respondedAt = now;
    m_blocked = false;
    if (m_settings.clock == MufabSettings::PERIODIC)
    {
        m_timer.Set(std::max<int64_t>(0, m_probedAt + m_settings.probeRounds * m_rtt - now));
    }
    if (m_failed)
    {
        SendProbe(ProbeHeader::PROBE, now); // without data none would be due
    }
    ProbeIfDue(now);
    return true;
}

void
MufabPath::Measure(int64_t now)
{
    const double seconds = TimeStep(now - m_respondedAt).GetSeconds();
    const auto bytes = static_cast<double>(m_window.GetSentBytes() - m_sentAtResponse);
    m_measuredRate = seconds > 0 ? 8 * bytes / seconds : 0;
}

void
MufabPath::CheckGuarantee(int64_t now)
{
    if (now - m_judgedAt < m_rtt)
    {
        return;
    }
    m_judgedAt = now;
    const BandwidthShare& share = m_law.GetEquations();
    const double guarantee = m_tokens * share.unit;
    m_deficit = 0;
    for (const LinkState& link : m_links)
    {
        if (!share.IsQualified(link, 0))
        {
            m_deficit =
                std::max(m_deficit, -share.GetHeadroom(link, 0) / (link.tokens * share.unit));
        }
    }
    if (m_blocked && IsBacklogged() && m_measuredRate < MufabSettings::VIOLATION_BELOW * guarantee)
    {
        m_deficit = std::max(m_deficit, 1 - m_measuredRate / guarantee);
    }
    m_violations = m_deficit > 0 ? m_violations + 1 : 0;
}

void
MufabPath::OnFailure(int64_t now)
{
    if (m_state == ACTIVE)
    {
        m_channel.GetExchange().GetStatistics().lostProbes += m_outstanding;
        Fail(now);
        if (m_state == ACTIVE && !m_outstanding)
        {
            SendProbe(ProbeHeader::PROBE, now); // without data none would be due
        }
    }
    else
    {
        m_failed = true;
        m_failedAt = now;
    }
}

void
MufabPath::HandleTimer()
{
    const int64_t now = DirectEvent::Now();
    if (m_state == ACTIVE && !m_outstanding)
    {
        ProbeIfDue(now);
    }
    else if (m_state == ACTIVE)
    {
        HandleLoss(now);
    }
    else if (m_state == FINISHING && now - m_finishedAt < m_settings.giveUp.GetTimeStep())
    {
        ++m_channel.GetExchange().GetStatistics().lostProbes;
        m_finishRetry *= 2;
        SendProbe(ProbeHeader::FINISH, now);
    }
    else
    {
        m_state = IDLE;
        m_outstanding = false;
    }
}

void
MufabPath::HandleLoss(int64_t now)
{
    ++m_channel.GetExchange().GetStatistics().lostProbes;
    ++m_losses;
    if (m_losses >= MufabSettings::LOSSES_TO_FAIL && !m_failed)
    {
        Fail(now);
    }
    if (m_state == ACTIVE) // the pair may have left
    {
        SendProbe(ProbeHeader::PROBE, now);
    }
}

void
MufabPath::Fail(int64_t now)
{
    if (!m_failed)
    {
        ++m_channel.GetExchange().GetStatistics().failedPaths;
    }
    m_failed = true;
    m_failedAt = now;
    m_channel.OnPathFailed(*this, now);
}

int64_t
MufabPath::GetReleaseTime(uint32_t size, int64_t now)
{
    if (m_failed)
    {
        return PairChannel::NEVER;
    }
    const int64_t release = m_window.GetReleaseTime(size, now);
    m_blocked |= release > now;
    return release;
}

PathOffer
MufabPath::Assess(const MufabProbe& probe, double tokens, const MufabPath* current) const
{
    PathOffer offer{true,
                    std::numeric_limits<double>::infinity(),
                    std::numeric_limits<double>::infinity()};
    const BandwidthShare& share = m_law.GetEquations();
    const bool counts = current && current->m_state == ACTIVE;
    for (std::size_t hop = 0; hop < m_ports.size(); ++hop)
    {
        const LinkState& link = probe.records[hop].link;
        const bool isShared = counts && std::ranges::count(current->m_ports, m_ports[hop]) > 0;
        const double extra = isShared ? 0 : tokens;
        const double own = isShared ? current->m_measuredRate : 0;
        offer.qualified = offer.qualified && share.IsQualified(link, extra);
        offer.headroom = std::min(offer.headroom, share.GetHeadroom(link, extra));
        offer.predicted = std::min(offer.predicted, share.PredictRate(tokens, link, extra, own));
    }
    return offer;
}

double
MufabPath::GetPredictedRate() const
{
    double rate = std::numeric_limits<double>::infinity();
    for (const LinkState& link : m_links)
    {
        rate = std::min(rate, m_law.GetEquations().PredictRate(m_tokens, link, 0, m_measuredRate));
    }
    return rate;
}

} // namespace ns3
