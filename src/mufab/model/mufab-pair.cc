/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-pair.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/results.h"

#include <cmath>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MufabPair");

namespace
{

/// Weight of the last token period in what a pair is said to use; the paper has a rate meter and
/// says no more. A pair of 100 Mbps sends a packet in four periods.
constexpr double USE_GAIN = 0.25;

/// Most base RTTs for which data wait, with KeepOrder, until the old path is empty.
constexpr int64_t MOST_HELD_ROUNDS = 4;

} // namespace

MufabPair::MufabPair(Host& host,
                     const MufabSettings& settings,
                     ProbeExchange& exchange,
                     UniformRandomVariable& random,
                     uint32_t source,
                     uint32_t destination,
                     const FlowQueues::Terms& terms)
    : PairChannel(terms),
      m_host(host),
      m_settings(settings),
      m_exchange(exchange),
      m_random(random),
      m_source(source),
      m_destination(destination),
      m_nPaths(exchange.GetNPaths(source, destination)),
      m_slots(std::max(1U, std::min(settings.pathsPerPair, m_nPaths))),
      m_searchTimer(DirectEvent::Call<&MufabPair::HandleSearchTimer>, this),
      m_idleTimer(DirectEvent::Call<&MufabPair::HandleIdleTimer>, this),
      m_observationTimer(DirectEvent::Call<&MufabPair::HandleObservationTimer>, this)
{
    for (Slot& slot : m_slots)
    {
        slot.queues.SetTerms(terms);
    }
}

std::ostream&
operator<<(std::ostream& os, MufabPair::State state)
{
    constexpr const char* NAMES[] =
        {"IDLE", "JOINING", "SENDING", "MIGRATING", "OBSERVING", "RECOVERING", "RETRYING"};
    return os << NAMES[static_cast<int>(state)];
}

template <class Test>
std::optional<uint32_t>
MufabPair::FindSlot(const Test& test) const
{
    const auto found = std::ranges::find_if(m_slots, test);
    return found != m_slots.end() ? std::optional(static_cast<uint32_t>(found - m_slots.begin()))
                                  : std::nullopt;
}

// ---- The state machine ----
//
// Drawn in mufab-pair.h. First the events that change the state, then the steps that they share.

void
MufabPair::Enter(State state)
{
    NS_LOG_LOGIC("pair " << GetPair() << ": " << m_state << " to " << state);
    m_state = state;
}

// Event: demand. IDLE -> SENDING or JOINING.
void
MufabPair::HandleDemand(int64_t now)
{
    m_lastSent = now;
    m_measuredAt = now;
    m_measuredBytes = GetStatistics().sentBytes;
    m_idleTimer.Set(MufabSettings::IDLE_ROUNDS * m_settings.largestRtt);
    if (m_settings.conservationPeriod.IsStrictlyPositive() && m_nPaths > m_slots.size())
    {
        m_observationTimer.Set(m_settings.conservationPeriod.GetTimeStep());
    }
    DistributeTokens();
    for (const Slot& slot : m_slots)
    {
        if (slot.path)
        {
            StartPath(*slot.path, now);
        }
    }
    Join(now);
}

// Event: trigger (i), and the host allows it. SENDING, RETRYING -> MIGRATING.
void
MufabPair::Migrate(int64_t now)
{
    if (const auto slot = FindSlot(&Slot::IsViolating))
    {
        Ask(State::MIGRATING, *slot, now);
    }
}

// Event: trigger (ii), time to look. SENDING, RETRYING -> OBSERVING.
void
MufabPair::HandleObservationTimer()
{
    m_observationTimer.Set(m_settings.conservationPeriod.GetTimeStep());
    if (!IsSearching() && m_slots[0].path && !m_slots[0].path->IsFailed())
    {
        Ask(State::OBSERVING, 0, DirectEvent::Now());
    }
}

// Event: an active path fails. Any state but IDLE -> RECOVERING; a pair with a single path waits
// for that, which is asked again and again by its probes.
void
MufabPair::HandlePathFailure(MufabPath& path, int64_t now)
{
    m_exchange.GetStatistics().failedPaths += !path.IsFailed();
    path.Fail(now);
    const auto slot = FindSlot([&path](const Slot& s) { return s.path == &path; });
    const bool isAsking = m_state == State::RECOVERING && m_search.GetSlot() == slot;
    if (slot && m_nPaths > 1 && !isAsking)
    {
        Ask(State::RECOVERING, *slot, now);
    }
}

// Event: candidates are awaited no longer, or Retry is over. RETRYING -> RECOVERING, JOINING, or
// SENDING if the path is back.
void
MufabPair::HandleSearchTimer()
{
    const int64_t now = DirectEvent::Now();
    if (IsSearching())
    {
        Decide(now);
    }
    else if (const auto failed = FindSlot(&Slot::IsFailed))
    {
        Ask(State::RECOVERING, *failed, now);
    }
    else
    {
        Join(now);
    }
}

// Event: 8 base RTTs without data. Any state -> IDLE.
void
MufabPair::HandleIdleTimer()
{
    const int64_t now = DirectEvent::Now();
    const int64_t idle = MufabSettings::IDLE_ROUNDS * m_settings.largestRtt;
    if (GetWaitingPackets() > 0)
    {
        m_idleTimer.Set(idle);
        return;
    }
    if (now - m_lastSent < idle)
    {
        m_idleTimer.Set(m_lastSent + idle - now);
        return;
    }
    Enter(State::IDLE);
    SetInactive();
    m_searchTimer.Cancel();
    m_observationTimer.Cancel();
    for (const Slot& slot : m_slots)
    {
        if (slot.path)
        {
            FinishPath(*slot.path, now);
        }
    }
    m_host.OnIdle(*this);
}

// The next slot without a path gets one.
void
MufabPair::Join(int64_t now)
{
    const auto slot = FindSlot([](const Slot& s) { return !s.path; });
    if (!slot)
    {
        Enter(State::SENDING);
    }
    else if (m_nPaths == 1)
    {
        Take(*slot, FindPath(0), now);
    }
    else if (m_nPaths > 1)
    {
        Ask(State::JOINING, *slot, now);
    }
    else
    {
        Enter(State::JOINING); // for good: no path leads there
    }
}

// A search begins, whatever went on before.
void
MufabPair::Ask(State state, uint32_t slot, int64_t now)
{
    const auto candidates = m_search.Draw(GetUsablePaths(slot, now),
                                          state == State::OBSERVING,
                                          m_settings.candidates,
                                          m_random);
    m_search.Begin(slot, candidates, now);
    if (candidates.empty())
    {
        RetryLater();
        return;
    }
    Enter(state);
    m_searchTimer.Set(m_settings.GetTimeout());
    for (const uint16_t candidate : candidates)
    {
        SendProbe(FindPath(candidate), ProbeHeader::QUERY, now);
    }
}

// A search ends. JOINING, RECOVERING -> SENDING or RETRYING; MIGRATING, OBSERVING -> SENDING.
void
MufabPair::Decide(int64_t now)
{
    m_searchTimer.Cancel();
    const uint32_t slot = m_search.GetSlot();
    if (const auto chosen = Choose())
    {
        Take(slot, FindPath(*chosen), now);
    }
    else if (m_state == State::JOINING || m_state == State::RECOVERING)
    {
        RetryLater();
    }
    else
    {
        if (m_state == State::MIGRATING)
        {
            m_slots[slot].path->KeepViolating();
        }
        Enter(State::SENDING);
    }
}

void
MufabPair::RetryLater()
{
    Enter(State::RETRYING);
    m_searchTimer.Set(m_settings.retry.GetTimeStep());
}

// A path is taken -> SENDING, or JOINING if another slot lacks one.
void
MufabPair::Take(uint32_t index, MufabPath& path, int64_t now)
{
    Slot& slot = m_slots[index];
    MufabPath* old = slot.path;
    slot.path = &path;
    DistributeTokens();
    StartPath(path, now); // before the old one finishes: no link forgets the pair
    if (old && old != &path)
    {
        if (m_settings.keepOrder)
        {
            const int64_t rtt = std::max(old->GetRtt(), old->GetLastRtt());
            slot.heldUntil = now + std::min(rtt, MOST_HELD_ROUNDS * m_settings.largestRtt);
        }
        FinishPath(*old, now);
        ++m_migrations;
        ++m_exchange.GetStatistics().migrations;
        m_host.OnMigrated(*this, old->GetIndex(), path.GetIndex());
    }
    Wake();
    Join(now);
}

// ---- What probes tell ----

// Event: a response. One to a probe sets the window, one to a query is an offer.
bool
MufabPair::HandleResponse(const MufabProbe& probe, int64_t now)
{
    MufabPath& path = FindPath(probe.path);
    bool isFresh = false;
    if (probe.type == ProbeHeader::FAILURE)
    {
        HandleFailureResponse(probe, path, now);
    }
    else
    {
        if (probe.request == ProbeHeader::PROBE)
        {
            ++m_responses;
            m_granted = probe.tokens;
            DistributeTokens();
        }
        isFresh = path.HandleResponse(probe, IsBacklogged(path), now);
    }
    if (isFresh)
    {
        if (path.IsFailed())
        {
            SendProbe(path, ProbeHeader::PROBE, now); // without data none would be due
        }
        ProbeIfDue(path, now);
        Wake();
    }
    if (probe.request == ProbeHeader::QUERY)
    {
        HandleOffer(probe, path, now);
    }
    return isFresh && path.IsViolating() && WantsMigration();
}

// Event: a candidate answers. The last answer decides.
void
MufabPair::HandleOffer(const MufabProbe& probe, const MufabPath& path, int64_t now)
{
    if (!IsSearching() || !m_search.Awaits(probe.path, probe.sentAt))
    {
        return;
    }
    std::optional<PathOffer> offer;
    if (probe.type == ProbeHeader::RESPONSE)
    {
        offer = path.Assess(probe, GetTokens(), m_slots[m_search.GetSlot()].path);
    }
    m_search.Add(probe.path, offer);
    if (m_search.IsComplete())
    {
        Decide(now);
    }
}

// Event: a probe is lost, or due by the clock. The second loss in a row makes the path fail.
void
MufabPair::OnProbeTimer(MufabPath& path)
{
    const int64_t now = DirectEvent::Now();
    const bool isFinishing = path.GetState() == MufabPath::FINISHING;
    if (!path.IsProbing())
    {
        ProbeIfDue(path, now);
        return;
    }
    if (isFinishing && path.GiveUp(now))
    {
        return;
    }
    ++m_exchange.GetStatistics().lostProbes;
    if (!isFinishing && path.CountLoss())
    {
        HandlePathFailure(path, now);
    }
    SendProbe(path, isFinishing ? ProbeHeader::FINISH : ProbeHeader::PROBE, now);
}

// Event: a switch could not forward a probe or data of a path, which makes it fail.
void
MufabPair::HandleFailureResponse(const MufabProbe& probe, MufabPath& path, int64_t now)
{
    const bool isOfData = probe.sequence == 0;
    if (isOfData && (m_nPaths == 1 || path.IsFailed())) // data tell it again and again
    {
        return;
    }
    if (path.GetState() != MufabPath::ACTIVE)
    {
        path.Fail(now);
        return;
    }
    m_exchange.GetStatistics().lostProbes += path.IsProbing();
    HandlePathFailure(path, now);
    if (!path.IsProbing())
    {
        SendProbe(path, ProbeHeader::PROBE, now); // without data none would be due
    }
}

// ---- Choosing a path ----

std::optional<uint16_t>
MufabPair::Choose()
{
    if (m_state == State::OBSERVING)
    {
        return m_search.ChooseBetter(m_slots[m_search.GetSlot()].path->GetPredictedRate(),
                                     MufabSettings::CONSERVATION_GAIN,
                                     m_settings.conservationTime.GetTimeStep());
    }
    auto chosen = m_search.ChooseQualified(m_settings.preference, m_settings.GetUnit(), m_random);
    if (!chosen && m_state != State::MIGRATING)
    {
        chosen = m_search.ChooseLeastBad();
    }
    if (!chosen && m_state == State::JOINING)
    {
        chosen = m_search.ChooseSilent(); // its losses will tell
    }
    return chosen;
}

bool
MufabPair::IsSearching() const
{
    return m_state == State::JOINING || m_state == State::MIGRATING ||
           m_state == State::OBSERVING || m_state == State::RECOVERING;
}

bool
MufabPair::WantsMigration() const
{
    return m_state != State::IDLE && !IsSearching() && m_nPaths > m_slots.size() &&
           FindSlot(&Slot::IsViolating);
}

double
MufabPair::GetDeficit() const
{
    double deficit = 0;
    for (const Slot& slot : m_slots)
    {
        deficit = std::max(deficit, slot.path ? slot.path->GetDeficit() : 0);
    }
    return deficit;
}

// ---- Paths and their probes ----

MufabPath&
MufabPair::FindPath(uint16_t index)
{
    const auto found = std::ranges::find(m_paths, index, &MufabPath::GetIndex);
    if (found != m_paths.end())
    {
        return **found;
    }
    MufabPath::Listener& listener = *this;
    auto made = std::make_unique<MufabPath>(listener,
                                            m_settings,
                                            index,
                                            m_exchange.GetRoute(m_source, m_destination, index));
    if (made->GetPorts().size() > ProbeHeader::MAX_HOPS)
    {
        throw InputError("--topology",
                         std::to_string(made->GetPorts().size()) + " switches from host " +
                             std::to_string(m_source) + " to host " + std::to_string(m_destination),
                         "at most " + std::to_string(ProbeHeader::MAX_HOPS) +
                             ", for which a probe has room");
    }
    return *m_paths.emplace_back(std::move(made));
}

std::vector<uint16_t>
MufabPair::GetUsablePaths(uint32_t slot, int64_t now) const
{
    std::vector<uint16_t> usable;
    for (uint32_t index = 0; index < m_nPaths; ++index)
    {
        const bool isUsed = std::ranges::any_of(m_slots, [index](const Slot& s) {
            return s.path && s.path->GetIndex() == index;
        });
        const auto known = std::ranges::find(m_paths, index, &MufabPath::GetIndex);
        if (!isUsed && (known == m_paths.end() || !(*known)->IsExcluded(now)))
        {
            usable.push_back(static_cast<uint16_t>(index));
        }
    }
    if (usable.empty() && !m_slots[slot].path)
    {
        usable.push_back(0); // something must be tried
    }
    return usable;
}

void
MufabPair::StartPath(MufabPath& path, int64_t now)
{
    path.Start(now);
    SendProbe(path, ProbeHeader::PROBE, now);
}

void
MufabPair::FinishPath(MufabPath& path, int64_t now)
{
    if (path.GetState() == MufabPath::ACTIVE)
    {
        path.Finish(now);
        SendProbe(path, ProbeHeader::FINISH, now);
    }
}

void
MufabPair::SendProbe(MufabPath& path, ProbeHeader::Type type, int64_t now)
{
    MufabProbe* probe = path.CreateProbe(type, now);
    const uint16_t* route = path.GetRoutes().forward;
    const bool hasLeft = type == ProbeHeader::FINISH && m_state == State::IDLE;
    probe->pair = GetPair();
    probe->demand = hasLeft ? 0 : m_assigned;
    probe->units = m_settings.GetUnits();
    SendControl(m_exchange.MakeItem(probe,
                                    m_source,
                                    m_destination,
                                    route,
                                    m_settings.GetProbeSize(route[0] + 1U, probe->room)));
}

void
MufabPair::ProbeIfDue(MufabPath& path, int64_t now)
{
    if (path.IsProbeDue(IsBacklogged(path), now))
    {
        SendProbe(path, ProbeHeader::PROBE, now);
    }
}

// ---- Data ----

bool
MufabPair::IsBacklogged(const MufabPath& path) const
{
    return std::ranges::any_of(m_slots, [&path](const Slot& slot) {
        return slot.path == &path && !slot.queues.IsEmpty();
    });
}

uint32_t
MufabPair::ChooseSlot(const FabricItem& item)
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
        double draw = m_random.GetValue(0, sum);
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
MufabPair::Enqueue(FabricItem* item, int64_t /* now */)
{
    return m_slots[ChooseSlot(*item)].queues.Push(item);
}

std::optional<uint32_t>
MufabPair::FindReleased(int64_t now, int64_t& earliest)
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
MufabPair::GetReleaseTime(int64_t now)
{
    int64_t earliest;
    return FindReleased(now, earliest) ? now : earliest;
}

FabricItem*
MufabPair::Dequeue(int64_t now)
{
    int64_t earliest;
    const auto index = FindReleased(now, earliest);
    NS_ASSERT(index);
    m_nextSlot = (*index + 1) % m_slots.size();
    Slot& slot = m_slots[*index];
    FabricItem* item = slot.queues.Pop();
    item->route = slot.path->GetRoutes().forward;
    m_lastSent = now;
    slot.path->HandleSent(item->size, IsBacklogged(*slot.path), now);
    ProbeIfDue(*slot.path, now);
    return item;
}

FabricItem*
MufabPair::Flush()
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
MufabPair::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    for (const Slot& slot : m_slots)
    {
        slot.queues.ForEach(visit);
    }
}

void
MufabPair::HandleAcknowledgment(const PathAcknowledgment& acknowledgment, int64_t now)
{
    SendWindow& window = FindPath(acknowledgment.path).GetWindow();
    const auto [bytes, rtt] = window.Acknowledge(acknowledgment.bytes, now);
    if (rtt >= 0)
    {
        m_exchange.GetRtts().Add(TimeStep(rtt));
    }
    if (bytes > 0)
    {
        Wake();
    }
}

// ---- Tokens ----

TokenUse
MufabPair::MeasureUse(int64_t now)
{
    const uint64_t sent = GetStatistics().sentBytes;
    if (now > m_measuredAt)
    {
        const double rate = 8 * static_cast<double>(sent - m_measuredBytes) /
                            TimeStep(now - m_measuredAt).GetSeconds();
        // Tokens are also assigned when another pair of the VM wakes up, within a period.
        const double periods = static_cast<double>(now - m_measuredAt) /
                               static_cast<double>(m_settings.tokenPeriod.GetTimeStep());
        m_usedRate += (1 - std::pow(1 - USE_GAIN, periods)) * (rate - m_usedRate);
        m_measuredBytes = sent;
        m_measuredAt = now;
    }
    return {m_usedRate / m_settings.GetUnit(), GetWaitingPackets() > 0, m_granted};
}

void
MufabPair::AssignTokens(double tokens)
{
    m_assigned = tokens;
    DistributeTokens();
}

void
MufabPair::DistributeTokens()
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
        used.push_back(slot.path ? slot.path->GetMeasuredRate() / m_settings.GetUnit() : 0);
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

// ---- Results ----

double
MufabPair::GetActiveWindow() const
{
    double window = 0;
    for (const auto& path : m_paths)
    {
        window += path->GetState() == MufabPath::ACTIVE ? path->GetWindow().Get() : 0;
    }
    return window;
}

void
MufabPair::ReportState(int64_t now, const StateVisitor& visit) const
{
    PairChannel::ReportState(now, visit);
    uint64_t inFlight = 0;
    for (const auto& path : m_paths)
    {
        inFlight += path->GetWindow().GetInFlight(now);
    }
    visit("window_bytes", GetActiveWindow());
    visit("in_flight_bytes", static_cast<double>(inFlight));
    visit("tokens", GetTokens());
    visit("path", m_slots[0].path ? m_slots[0].path->GetIndex() : -1);
    visit("responses", m_responses);
}

void
MufabPair::ReportResults(Results& results) const
{
    PairChannel::ReportResults(results);
    results.Add("pair_migrations", m_migrations);
    results.Add("pair_tokens", GetTokens());
    results.Add("pair_window_bytes", GetActiveWindow());
    uint64_t lost = 0;
    for (const auto& path : m_paths)
    {
        lost += path->GetWindow().GetLostBytes();
    }
    results.Add("pair_lost_bytes", static_cast<double>(lost));
}

} // namespace ns3
