/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-path.h"

#include "mufab-port-stage.h"

#include "ns3/fabric-port.h"
#include "ns3/pair-channel.h"

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

MufabPath::MufabPath(Listener& listener,
                     const MufabSettings& settings,
                     uint16_t index,
                     const ProbeExchange::Route& route)
    : m_listener(listener),
      m_settings(settings),
      m_path(route.path),
      m_ports(GetTellingPorts(route.ports)),
      m_rtt(settings.ownRtt ? ProbeExchange::GetBaseRtt(route.ports) : settings.largestRtt),
      m_window(0, TimeStep(m_rtt), TimeStep(settings.GetTimeout()), settings.paced),
      m_law(settings,
            m_rtt,
            m_ports.size(),
            static_cast<double>(route.ports.at(1)->GetDescription().rate.GetBitRate())),
      m_timer(DirectEvent::Call<&MufabPath::HandleTimer>, this),
      m_links(m_ports.size()),
      m_claimed(m_ports.size()),
      m_confirmed(m_ports.size()),
      m_index(index)
{
}

// ---- Its life ----

void
MufabPath::Start(int64_t now)
{
    m_state = ACTIVE;
    m_losses = 0;
    m_violations = 0;
    m_blocked = false;
    m_window.Set(m_law.Join(m_tokens));
    m_sentAtResponse = m_window.GetSentBytes();
    m_respondedAt = now;
    m_judgedAt = now;
}

void
MufabPath::Finish(int64_t now)
{
    m_state = FINISHING;
    m_finishedAt = now;
    m_finishRetry = m_settings.GetTimeout();
}

bool
MufabPath::GiveUp(int64_t now)
{
    if (now - m_finishedAt < m_settings.giveUp.GetTimeStep())
    {
        m_finishRetry *= 2;
        return false;
    }
    m_state = IDLE;
    m_outstanding = false;
    return true;
}

// ---- Probes ----

void
MufabPath::HandleTimer()
{
    m_listener.OnProbeTimer(*this);
}

void
MufabPath::UpdateClaim()
{
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
MufabPath::Confirm(const MufabProbe& probe)
{
    if (probe.version == m_version)
    {
        m_confirmedVersion = m_version;
        m_confirmedTokens = m_claimedTokens;
        m_confirmed = m_claimed;
    }
}

MufabProbe*
MufabPath::CreateProbe(ProbeHeader::Type type, int64_t now)
{
    auto* probe = new MufabProbe;
    probe->type = type;
    probe->request = type;
    probe->room = static_cast<uint8_t>(m_ports.size());
    probe->path = m_index;
    probe->sequence = ++m_sequence;
    probe->sentAt = now;
    probe->back = m_path.back;
    if (type == ProbeHeader::QUERY)
    {
        return probe;
    }
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
    return probe;
}

bool
MufabPath::IsProbeDue(bool isBacklogged, int64_t now) const
{
    if (m_outstanding || m_state != ACTIVE)
    {
        return false;
    }
    const uint64_t sent = m_window.GetSentBytes();
    switch (m_settings.clock)
    {
    case MufabSettings::AFTER_RESPONSE:
        return sent - m_sentAtResponse >= MufabSettings::PROBE_EVERY;
    case MufabSettings::AFTER_PROBE:
        return sent - m_sentAtProbe >= MufabSettings::PROBE_EVERY;
    case MufabSettings::PERIODIC:
        return now >= m_probedAt + m_settings.probeRounds * m_rtt &&
               (sent > m_sentAtProbe || isBacklogged);
    }
    return false;
}

bool
MufabPath::HandleResponse(const MufabProbe& probe, bool isBacklogged, int64_t now)
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
    Confirm(probe);
    if (m_state != ACTIVE)
    {
        return false;
    }
    m_outstanding = false;
    m_losses = 0;
    m_timer.Cancel();
    Measure(now);
    UpdateWindow(probe, isBack, isBacklogged, now);
    CheckGuarantee(isBacklogged, now);
    m_sentAtResponse = m_window.GetSentBytes();
    m_respondedAt = now;
    m_blocked = false;
    if (m_settings.clock == MufabSettings::PERIODIC)
    {
        m_timer.Set(std::max<int64_t>(0, m_probedAt + m_settings.probeRounds * m_rtt - now));
    }
    return true;
}

void
MufabPath::Measure(int64_t now)
{
    const double seconds = TimeStep(now - m_respondedAt).GetSeconds();
    const auto bytes = static_cast<double>(m_window.GetSentBytes() - m_sentAtResponse);
    m_measuredRate = seconds > 0 ? 8 * bytes / seconds : 0;
}

// ---- Data ----

void
MufabPath::UpdateWindow(const MufabProbe& probe, bool isBack, bool isBacklogged, int64_t now)
{
    m_window.Reconcile(probe.sentBytes, probe.receivedBytes);
    for (std::size_t hop = 0; hop < m_links.size(); ++hop)
    {
        m_links[hop] = probe.records[hop].link;
    }
    m_window.Set(
        m_law.HandleResponse(m_links, m_claimed, {m_tokens, m_measuredRate, isBacklogged}, now));
    if (isBack)
    {
        m_window.Set(m_law.Rejoin(m_tokens));
    }
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

// ---- Judging the path ----

void
MufabPath::CheckGuarantee(bool isBacklogged, int64_t now)
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
    if (m_blocked && isBacklogged && m_measuredRate < MufabSettings::VIOLATION_BELOW * guarantee)
    {
        m_deficit = std::max(m_deficit, 1 - m_measuredRate / guarantee);
    }
    m_violations = m_deficit > 0 ? m_violations + 1 : 0;
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
