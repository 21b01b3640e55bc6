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
      m_timer(DirectEvent::Call<&MufabPath::HandleTimer>, this),
      m_windows(m_ports.size()),
      m_links(m_ports.size()),
      m_claimed(m_ports.size()),
      m_confirmed(m_ports.size()),
      m_firstRate(ports.at(1)->GetDescription().rate),
      m_index(index)
{
}

double
MufabPath::GetSeconds() const
{
    return TimeStep(m_rtt).GetSeconds();
}

double
MufabPath::GetGuaranteedWindow() const
{
    return m_tokens * m_settings.share.unit * GetSeconds() / 8;
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
    const double bootstrap = GetGuaranteedWindow();
    m_admission.Join(bootstrap);
    // Without the first stage the window is one target BDP of the first link until it is known.
    LinkState first;
    first.capacity = static_cast<double>(m_firstRate.GetBitRate());
    const double bdp = m_settings.share.GetBdp(first, GetSeconds());
    const double window =
        std::max(m_settings.twoStage ? bootstrap : bdp, MufabSettings::LEAST_WINDOW);
    std::ranges::fill(m_windows, window);
    m_window.Set(window);
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
        m_claimed[hop] = GetAdvertisedWindow(hop);
    }
}

double
MufabPath::GetAdvertisedWindow(std::size_t hop) const
{
    const bool isRamping = m_settings.twoStage && m_admission.GetStage() == TwoStageAdmission::RAMP;
    if (m_settings.advertisement == MufabSettings::EQ3 || !isRamping)
    {
        return m_windows[hop];
    }
    return std::min(m_windows[hop], m_window.Get());
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
    UpdateWindow(probe, now);
    if (isBack && m_settings.twoStage)
    {
        // Nothing was sent, and so all links may seem idle: as if it joined (scenario 1).
        m_admission.Join(GetGuaranteedWindow());
        m_window.Set(std::max(GetGuaranteedWindow(), MufabSettings::LEAST_WINDOW));
    }
    CheckGuarantee(probe, now);
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
MufabPath::UpdateWindow(const MufabProbe& probe, int64_t now)
{
    if (m_windows.empty()) // nobody tells anything: what is guaranteed, and no more
    {
        m_window.Set(std::max(GetGuaranteedWindow(), MufabSettings::LEAST_WINDOW));
        return;
    }
    double share = std::numeric_limits<double>::infinity();
    double window = share;
    for (std::size_t hop = 0; hop < m_windows.size(); ++hop)
    {
        const LinkState& link = probe.records[hop].link;
        m_windows[hop] =
            std::max(m_settings.share.GetWindow(m_tokens, link, GetSeconds(), m_claimed[hop]),
                     MufabSettings::LEAST_WINDOW);
        share = std::min(share, m_settings.share.GetShare(m_tokens, link));
        window = std::min({window, m_windows[hop], m_settings.share.GetBdp(link, GetSeconds())});
        m_links[hop] = link;
    }
    if (m_settings.twoStage)
    {
        const double shareWindow = share * GetSeconds() / 8;
        const bool isDemandLimited = !IsBacklogged() && m_measuredRate < share; // scenario 2
        const double growth = m_channel.GetGrowth(m_admission.GetRamp(), shareWindow);
        window = m_admission.OnResponse({window, shareWindow, isDemandLimited, growth}, now, m_rtt);
    }
    m_window.Set(std::max(window, MufabSettings::LEAST_WINDOW));
}

void
MufabPath::CheckGuarantee(const MufabProbe& probe, int64_t now)
{
    if (now - m_judgedAt < m_rtt)
    {
        return;
    }
    m_judgedAt = now;
    const double guarantee = m_tokens * m_settings.share.unit;
    m_deficit = 0;
    for (std::size_t hop = 0; hop < m_windows.size(); ++hop)
    {
        const LinkState& link = probe.records[hop].link;
        if (!m_settings.share.IsQualified(link, 0))
        {
            m_deficit = std::max(m_deficit,
                                 -m_settings.share.GetHeadroom(link, 0) /
                                     (link.tokens * m_settings.share.unit));
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
    else if (m_state == FINISHING && now - m_finishedAt < m_settings.giveUp)
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
    const bool counts = current && current->m_state == ACTIVE;
    for (std::size_t hop = 0; hop < m_ports.size(); ++hop)
    {
        const LinkState& link = probe.records[hop].link;
        const bool isShared = counts && std::ranges::count(current->m_ports, m_ports[hop]) > 0;
        const double extra = isShared ? 0 : tokens;
        const double own = isShared ? current->m_measuredRate : 0;
        offer.qualified = offer.qualified && m_settings.share.IsQualified(link, extra);
        offer.headroom = std::min(offer.headroom, m_settings.share.GetHeadroom(link, extra));
        offer.predicted =
            std::min(offer.predicted, m_settings.share.PredictRate(tokens, link, extra, own));
    }
    return offer;
}

double
MufabPath::GetPredictedRate() const
{
    double rate = std::numeric_limits<double>::infinity();
    for (const LinkState& link : m_links)
    {
        rate = std::min(rate, m_settings.share.PredictRate(m_tokens, link, 0, m_measuredRate));
    }
    return rate;
}

} // namespace ns3
