/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-channel.h"

#include "mufab-pair-controller.h"
#include "probe-exchange.h"

#include "ns3/pair-edge.h"
#include "ns3/results.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// Weight of the last token period in what a pair is said to use; the paper has a rate meter and
/// says no more. A pair of 100 Mbps sends a packet in four periods.
constexpr double USE_GAIN = 0.25;

} // namespace

MufabChannel::MufabChannel(MufabPairController& controller,
                           uint32_t pair,
                           const FlowQueues::Terms& terms)
    : PairChannel(terms),
      m_controller(controller),
      m_pair(pair),
      m_source(controller.GetTenants().GetSource(pair)),
      m_destination(controller.GetTenants().GetDestination(pair)),
      m_nPaths(controller.GetNPaths(m_source, m_destination)),
      m_slots(std::max(1U, std::min(controller.GetSettings().pathsPerPair, m_nPaths))),
      m_timer(DirectEvent::Call<&MufabChannel::HandleTimer>, this),
      m_idleTimer(DirectEvent::Call<&MufabChannel::HandleIdle>, this),
      m_backgroundTimer(DirectEvent::Call<&MufabChannel::HandleBackground>, this)
{
    for (Slot& slot : m_slots)
    {
        slot.queues.SetTerms(terms);
    }
}

ProbeExchange&
MufabChannel::GetExchange() const
{
    return m_controller.GetExchange();
}

// ---- Data ----

uint32_t
MufabChannel::ChooseSlot(const FabricItem& item)
{
    if (m_slots.size() == 1) [[likely]]
    {
        return 0;
    }
    const auto [found, isNew] = m_slotOf.try_emplace(item.hash);
    if (isNew)
    {
        // A flow keeps its path; paths get flows in proportion to their windows.
        double sum = 0;
        for (const Slot& slot : m_slots)
        {
            sum += slot.path ? slot.path->GetWindow().Get() : 1;
        }
        double draw = m_controller.GetRandom().GetValue(0, sum);
        for (; found->second + 1U < m_slots.size(); ++found->second)
        {
            const Slot& slot = m_slots[found->second];
            draw -= slot.path ? slot.path->GetWindow().Get() : 1;
            if (draw < 0)
            {
                break;
            }
        }
    }
    return found->second;
}

bool
MufabChannel::Enqueue(FabricItem* item, int64_t /* now */)
{
    return m_slots[ChooseSlot(*item)].queues.Push(item);
}

std::optional<uint32_t>
MufabChannel::FindReleased(int64_t now, int64_t& earliest)
{
    earliest = NEVER;
    for (std::size_t i = 0; i < m_slots.size(); ++i)
    {
        const auto index = static_cast<uint32_t>((m_nextSlot + i) % m_slots.size());
        Slot& slot = m_slots[index];
        if (!slot.path || slot.queues.IsEmpty())
        {
            continue;
        }
        const int64_t release =
            std::max(slot.heldUntil, slot.path->GetReleaseTime(slot.queues.Front()->size, now));
        if (release <= now)
        {
            return index;
        }
        earliest = std::min(earliest, release);
    }
    return std::nullopt;
}

int64_t
MufabChannel::GetReleaseTime(int64_t now)
{
    int64_t earliest;
    return FindReleased(now, earliest) ? now : earliest;
}

FabricItem*
MufabChannel::Dequeue(int64_t now)
{
    int64_t earliest;
    const auto index = FindReleased(now, earliest);
    NS_ASSERT(index);
    m_nextSlot = (*index + 1) % m_slots.size();
    Slot& slot = m_slots[*index];
    FabricItem* item = slot.queues.Pop();
    item->route = slot.path->GetRoutes().forward;
    m_lastSent = now;
    slot.path->OnSent(item->size, now);
    return item;
}

FabricItem*
MufabChannel::Flush()
{
    for (Slot& slot : m_slots)
    {
        if (FabricItem* item = slot.queues.Pop())
        {
            return item;
        }
    }
    return nullptr;
}

void
MufabChannel::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    for (const Slot& slot : m_slots)
    {
        slot.queues.ForEach(visit);
    }
}

bool
MufabChannel::IsWaiting(const MufabPath& path) const
{
    return std::ranges::any_of(m_slots, [&path](const Slot& slot) {
        return slot.path == &path && !slot.queues.IsEmpty();
    });
}

// ---- Joining and leaving ----

MufabPath&
MufabChannel::FindPath(uint16_t index)
{
    const auto found = std::ranges::find_if(m_paths, [index](const auto& path) {
        return path->GetIndex() == index;
    });
    return found != m_paths.end()
               ? **found
               : *m_paths.emplace_back(
                     m_controller.MakePath(*this, m_source, m_destination, index));
}

void
MufabChannel::Activate(int64_t now)
{
    m_active = true;
    m_lastSent = now;
    m_measuredAt = now;
    m_measuredBytes = GetStatistics().sentBytes;
    const MufabSettings& settings = m_controller.GetSettings();
    m_idleTimer.Set(MufabSettings::IDLE_ROUNDS * settings.largestRtt);
    if (settings.conservationPeriod.IsStrictlyPositive() && m_nPaths > m_slots.size())
    {
        m_backgroundTimer.Set(settings.conservationPeriod.GetTimeStep());
    }
    DistributeTokens();
    for (const Slot& slot : m_slots)
    {
        if (slot.path)
        {
            slot.path->Start(slot.path->GetTokens(), now);
        }
    }
    JoinNextSlot(now);
}

void
MufabChannel::JoinNextSlot(int64_t now)
{
    const auto slot = std::ranges::find(m_slots, nullptr, &Slot::path);
    if (slot == m_slots.end() || m_nPaths == 0)
    {
        return;
    }
    const auto index = static_cast<uint32_t>(slot - m_slots.begin());
    if (m_nPaths == 1)
    {
        Take(index, FindPath(0), now);
    }
    else
    {
        Ask(JOIN, index, now);
    }
}

void
MufabChannel::Leave(int64_t now)
{
    m_active = false;
    SetInactive();
    m_candidates.isOpen = false;
    m_timer.Cancel();
    m_backgroundTimer.Cancel();
    for (const Slot& slot : m_slots)
    {
        if (slot.path)
        {
            slot.path->Finish(now);
        }
    }
    m_controller.OnLeave(*this);
}

void
MufabChannel::HandleIdle()
{
    const int64_t now = DirectEvent::Now();
    const MufabSettings& settings = m_controller.GetSettings();
    const int64_t idle = MufabSettings::IDLE_ROUNDS * settings.largestRtt;
    if (GetWaitingPackets() > 0)
    {
        m_idleTimer.Set(idle);
    }
    else if (now - m_lastSent < idle)
    {
        m_idleTimer.Set(m_lastSent + idle - now);
    }
    else
    {
        Leave(now);
    }
}

// ---- Probes ----

void
MufabChannel::SendProbe(MufabPath& path,
                        MufabProbe* probe,
                        ProbeHeader::Type type,
                        uint32_t sequence,
                        int64_t now)
{
    const PathTable::Path& routes = path.GetRoutes();
    probe->type = type;
    probe->request = type;
    probe->room = static_cast<uint8_t>(path.GetPorts().size());
    probe->path = path.GetIndex();
    probe->pair = m_pair;
    probe->sequence = sequence;
    probe->demand = m_active ? m_assigned : 0;
    probe->sentAt = now;
    probe->back = routes.back;
    probe->units = m_controller.GetSettings().GetUnits();
    SendControl(GetExchange().MakeItem(
        probe,
        m_source,
        m_destination,
        routes.forward,
        m_controller.GetSettings().GetProbeSize(routes.forward[0] + 1U, probe->room)));
}

void
MufabChannel::OnResponse(const MufabProbe& probe, int64_t now)
{
    MufabPath& path = FindPath(probe.path);
    if (probe.type == ProbeHeader::FAILURE)
    {
        const bool isOfData = probe.sequence == 0;
        if (!isOfData || (m_nPaths > 1 && !path.IsFailed())) // data tell it again and again
        {
            path.OnFailure(now);
        }
    }
    else if (probe.request == ProbeHeader::PROBE)
    {
        ++m_responses;
        m_granted = probe.tokens;
        DistributeTokens();
        if (path.OnResponse(probe, now))
        {
            Wake();
            if (path.IsViolating() && WantsMigration())
            {
                m_controller.RequestMigration(*this, now);
            }
        }
    }
    else
    {
        path.OnResponse(probe, now);
    }
    if (probe.request == ProbeHeader::QUERY)
    {
        OnOffer(probe, path, now);
    }
}

void
MufabChannel::OnAcknowledgment(const PathAcknowledgment& acknowledgment, int64_t now)
{
    SendWindow& window = FindPath(acknowledgment.path).GetWindow();
    const auto [bytes, rtt] = window.Acknowledge(acknowledgment.bytes, now);
    if (rtt >= 0)
    {
        GetExchange().GetRtts().Add(TimeStep(rtt));
    }
    if (bytes > 0)
    {
        Wake();
    }
}

// ---- Tokens ----

TokenUse
MufabChannel::MeasureUse(double unit, int64_t period, int64_t now)
{
    const uint64_t sent = GetStatistics().sentBytes;
    if (now > m_measuredAt)
    {
        const double rate = 8 * static_cast<double>(sent - m_measuredBytes) /
                            TimeStep(now - m_measuredAt).GetSeconds();
        // Tokens are also assigned when another pair of the VM wakes up, within a period.
        const double periods =
            static_cast<double>(now - m_measuredAt) / static_cast<double>(period);
        m_usedRate += (1 - std::pow(1 - USE_GAIN, periods)) * (rate - m_usedRate);
        m_measuredBytes = sent;
        m_measuredAt = now;
    }
    return {m_usedRate / unit, GetWaitingPackets() > 0, m_granted};
}

void
MufabChannel::AssignTokens(double tokens)
{
    m_assigned = tokens;
    DistributeTokens();
}

void
MufabChannel::DistributeTokens()
{
    if (m_slots.size() == 1) [[likely]]
    {
        if (m_slots[0].path)
        {
            m_slots[0].path->SetTokens(GetTokens());
        }
        return;
    }
    std::vector<double> used;
    for (const Slot& slot : m_slots)
    {
        used.push_back(slot.path ? slot.path->GetMeasuredRate() / m_controller.GetUnit() : 0);
    }
    const std::vector<double> tokens = SplitTokens(GetTokens(), used);
    for (std::size_t i = 0; i < m_slots.size(); ++i)
    {
        if (m_slots[i].path)
        {
            m_slots[i].path->SetTokens(tokens[i]);
        }
    }
}

// ---- Paths ----

std::vector<uint16_t>
MufabChannel::DrawCandidates(Reason reason, uint32_t slot, int64_t now)
{
    std::vector<uint16_t> others;
    for (uint32_t index = 0; index < m_nPaths; ++index)
    {
        const bool isUsed = std::ranges::any_of(m_slots, [index](const Slot& s) {
            return s.path && s.path->GetIndex() == index;
        });
        const auto known = std::ranges::find_if(m_paths, [index](const auto& path) {
            return path->GetIndex() == index;
        });
        if (!isUsed && (known == m_paths.end() || !(*known)->IsExcluded(now)))
        {
            others.push_back(static_cast<uint16_t>(index));
        }
    }
    if (others.empty() && !m_slots[slot].path)
    {
        others.push_back(0); // something must be tried
    }
    // A path is watched for long (Section 3.5): the one that has been better is asked again.
    const auto watched = reason == CONSERVATION && m_betterSince >= 0
                             ? std::ranges::find(others, m_betterPath)
                             : others.end();
    const bool isWatching = watched != others.end();
    if (isWatching)
    {
        std::swap(others.front(), *watched);
    }
    const auto wanted = std::min<std::size_t>(others.size(), m_controller.GetSettings().candidates);
    for (std::size_t i = isWatching; i < wanted; ++i)
    {
        const auto last = static_cast<uint32_t>(others.size() - 1);
        std::swap(others[i], others[m_controller.GetRandom().GetInteger(i, last)]);
    }
    others.resize(wanted);
    return others;
}

void
MufabChannel::Ask(Reason reason, uint32_t slot, int64_t now)
{
    m_candidates = {true, reason, slot, {}, {}, {}, now};
    for (const uint16_t index : DrawCandidates(reason, slot, now))
    {
        m_candidates.asked.push_back(&FindPath(index));
    }
    if (m_candidates.asked.empty())
    {
        m_candidates.isOpen = false;
        m_timer.Set(m_controller.GetSettings().retry.GetTimeStep());
        return;
    }
    m_timer.Set(m_controller.GetSettings().GetTimeout());
    for (MufabPath* path : m_candidates.asked)
    {
        path->Query(now);
    }
}

void
MufabChannel::OnOffer(const MufabProbe& probe, MufabPath& path, int64_t now)
{
    const bool isLate = probe.sentAt != m_candidates.since;
    const auto asked = std::ranges::find(m_candidates.asked, &path);
    if (!m_candidates.isOpen || isLate || asked == m_candidates.asked.end())
    {
        return;
    }
    m_candidates.asked.erase(asked);
    if (probe.type == ProbeHeader::RESPONSE)
    {
        m_candidates.paths.push_back(&path);
        m_candidates.offers.push_back(
            path.Assess(probe, GetTokens(), m_slots[m_candidates.slot].path));
    }
    if (m_candidates.asked.empty())
    {
        Decide(now);
    }
}

void
MufabChannel::Decide(int64_t now)
{
    m_candidates.isOpen = false;
    m_timer.Cancel();
    if (m_candidates.reason == CONSERVATION)
    {
        DecideConservation(now);
        return;
    }
    const auto& offers = m_candidates.offers;
    MufabPath* current = m_slots[m_candidates.slot].path;
    auto chosen = ChooseQualified(offers,
                                  m_controller.GetSettings().preference,
                                  m_controller.GetUnit(),
                                  m_controller.GetRandom());
    if (!chosen && m_candidates.reason != VIOLATION)
    {
        chosen = ChooseLeastBad(offers);
    }
    if (chosen)
    {
        Take(m_candidates.slot, *m_candidates.paths[*chosen], now);
    }
    else if (m_candidates.reason == JOIN && !m_candidates.asked.empty())
    {
        Take(m_candidates.slot, *m_candidates.asked.front(), now); // its losses will tell
    }
    else if (m_candidates.reason == VIOLATION)
    {
        current->KeepViolating();
    }
    else
    {
        m_timer.Set(m_controller.GetSettings().retry.GetTimeStep());
    }
}

std::optional<std::size_t>
MufabChannel::ChooseBetter() const
{
    const auto& [isOpen, reason, slot, asked, paths, offers, since] = m_candidates;
    const auto best = ChooseFastest(offers);
    for (std::size_t i = 0; best && m_betterSince >= 0 && i < paths.size(); ++i)
    {
        // Of paths that are as good the answers alone decide which comes first.
        const bool isAsGood =
            offers[*best].predicted < MufabSettings::CONSERVATION_GAIN * offers[i].predicted;
        if (paths[i]->GetIndex() == m_betterPath && offers[i].qualified && isAsGood)
        {
            return i;
        }
    }
    return best;
}

void
MufabChannel::DecideConservation(int64_t now)
{
    const MufabSettings& settings = m_controller.GetSettings();
    MufabPath& current = *m_slots[m_candidates.slot].path;
    const auto best = ChooseBetter();
    if (!best || m_candidates.offers[*best].predicted <
                     MufabSettings::CONSERVATION_GAIN * current.GetPredictedRate())
    {
        m_betterSince = -1;
        return;
    }
    MufabPath& path = *m_candidates.paths[*best];
    if (m_betterSince < 0 || m_betterPath != path.GetIndex())
    {
        m_betterPath = path.GetIndex();
        m_betterSince = m_candidates.since;
    }
    if (m_candidates.since - m_betterSince >= settings.conservationTime.GetTimeStep())
    {
        m_betterSince = -1;
        Take(m_candidates.slot, path, now);
    }
}

void
MufabChannel::Take(uint32_t index, MufabPath& path, int64_t now)
{
    const MufabSettings& settings = m_controller.GetSettings();
    Slot& slot = m_slots[index];
    MufabPath* old = slot.path;
    slot.path = &path;
    slot.joinedAt = now;
    DistributeTokens();
    path.Start(path.GetTokens(), now); // before the old one finishes: no link forgets the pair
    if (old && old != &path)
    {
        if (settings.keepOrder)
        {
            const int64_t rtt = std::max(old->GetRtt(), old->GetLastRtt());
            slot.heldUntil = now + std::min(rtt, 4 * settings.largestRtt);
        }
        old->Finish(now);
        ++m_migrations;
        m_controller.OnMigrated(*this, *old, path);
    }
    Wake();
    JoinNextSlot(now);
}

void
MufabChannel::OnPathFailed(MufabPath& path, int64_t now)
{
    const auto slot = std::ranges::find(m_slots, &path, &Slot::path);
    if (slot == m_slots.end() || m_nPaths == 1)
    {
        return; // a single path is asked again and again by its probes
    }
    const auto index = static_cast<uint32_t>(slot - m_slots.begin());
    const bool isAsking = m_candidates.isOpen && m_candidates.slot == index &&
                          (m_candidates.reason == JOIN || m_candidates.reason == FAILURE);
    if (!isAsking)
    {
        Ask(FAILURE, index, now);
    }
}

bool
MufabChannel::WantsMigration() const
{
    return m_active && m_nPaths > m_slots.size() && !m_candidates.isOpen &&
           std::ranges::any_of(m_slots, [](const Slot& slot) {
               return slot.path && slot.path->IsViolating();
           });
}

double
MufabChannel::GetDeficit() const
{
    double deficit = 0;
    for (const Slot& slot : m_slots)
    {
        deficit = std::max(deficit, slot.path ? slot.path->GetDeficit() : 0);
    }
    return deficit;
}

void
MufabChannel::Migrate(int64_t now)
{
    for (uint32_t index = 0; index < m_slots.size(); ++index)
    {
        if (m_slots[index].path && m_slots[index].path->IsViolating())
        {
            Ask(VIOLATION, index, now);
            return;
        }
    }
}

void
MufabChannel::HandleTimer()
{
    const int64_t now = DirectEvent::Now();
    if (m_candidates.isOpen)
    {
        Decide(now);
        return;
    }
    for (uint32_t index = 0; m_active && index < m_slots.size(); ++index)
    {
        if (m_slots[index].path && m_slots[index].path->IsFailed())
        {
            Ask(FAILURE, index, now);
            return;
        }
    }
    if (m_active)
    {
        JoinNextSlot(now); // all paths that it asked have failed
    }
}

void
MufabChannel::HandleBackground()
{
    const int64_t now = DirectEvent::Now();
    m_backgroundTimer.Set(m_controller.GetSettings().conservationPeriod.GetTimeStep());
    if (!m_candidates.isOpen && m_slots[0].path && !m_slots[0].path->IsFailed())
    {
        Ask(CONSERVATION, 0, now);
    }
}

void
MufabChannel::ReportState(int64_t now, const StateVisitor& visit) const
{
    PairChannel::ReportState(now, visit);
    double window = 0;
    uint64_t inFlight = 0;
    for (const auto& path : m_paths)
    {
        window += path->GetState() == MufabPath::ACTIVE ? path->GetWindow().Get() : 0;
        inFlight += path->GetWindow().GetInFlight(now);
    }
    visit("window_bytes", window);
    visit("in_flight_bytes", static_cast<double>(inFlight));
    visit("tokens", GetTokens());
    visit("path", m_slots[0].path ? m_slots[0].path->GetIndex() : -1);
    visit("responses", m_responses);
}

void
MufabChannel::ReportResults(Results& results) const
{
    PairChannel::ReportResults(results);
    results.Add("pair_migrations", m_migrations);
    results.Add("pair_tokens", GetTokens());
    double window = 0;
    uint64_t lost = 0;
    for (const auto& path : m_paths)
    {
        window += path->GetState() == MufabPath::ACTIVE ? path->GetWindow().Get() : 0;
        lost += path->GetWindow().GetLostBytes();
    }
    results.Add("pair_window_bytes", window);
    results.Add("pair_lost_bytes", static_cast<double>(lost));
}

} // namespace ns3
