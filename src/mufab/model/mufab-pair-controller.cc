/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-pair-controller.h"

#include "mufab-receiver.h"
#include "probe-exchange.h"
#include "probe-header-writer.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/number-text.h"
#include "ns3/pair-edge.h"
#include "ns3/pair-queue-disc.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MufabPairController");

NS_OBJECT_ENSURE_REGISTERED(MufabPairController);

namespace
{

constexpr uint16_t IP_HEADER = 20;          //!< bytes
constexpr uint16_t LARGEST_DATAGRAM = 1500; //!< bytes

/// Hose in bit/s that a VM without a guarantee counts for, so that it gets something (a choice).
constexpr uint64_t LEAST_GUARANTEE = 1'000'000;

/// A pair that uses less than this share of its fair share, with nothing waiting, has tokens to
/// give away, and a receiver bounds one that asks for that share. Algorithm 1 has 1 and forgets
/// what waits: a pair held back by congestion would give its tokens away.
constexpr double BOUNDED_BELOW = 0.95;

} // namespace

TypeId
MufabPairController::GetTypeId()
{
    using Self = MufabPairController;
    static TypeId tid =
        TypeId("ns3::MufabPairController")
            .SetParent<PairController>()
            .SetGroupName("Mufab")
            .AddConstructor<MufabPairController>()
            .AddAttribute("UnitBandwidth",
                          "B_u, what a token is guaranteed at least, which the paper does not "
                          "name: with 10 Mbps a field of 16 bits holds the tokens of a 400G link",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&Self::m_unit),
                          MakeDataRateChecker())
            .AddAttribute("TargetUtilization",
                          "eta, share of each link's rate that is to be used, above 0 and at most "
                          "1 (Section 3.3, footnote 5)",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&Self::m_utilization),
                          MakeDoubleChecker<double>())
            .AddAttribute("TokenPeriod",
                          "Time between two assignments of tokens (Section 5.1)",
                          TimeValue(MicroSeconds(32)),
                          MakeTimeAccessor(&Self::m_tokenPeriod),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("BaseRtt",
                          "T_max, for pairs and switches, at least the largest base RTT of the "
                          "network; 0: that, a packet of 1500 bytes there and an acknowledgment "
                          "back with nothing in the way (testbed: 24 us)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Self::m_baseRtt),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("OwnRtt",
                          "Whether Eq. 3 and the first windows use each path's own base RTT, as "
                          "they are printed, or the largest of the network. At rest Eq. 3 gives "
                          "equal windows per token: with base RTTs of their own, pairs with 12 "
                          "and 24 us would share a link 2:1",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_ownRtt),
                          MakeBooleanChecker())
            .AddAttribute("Pacing",
                          "Whether packets leave at window / T. Without it a pair whose RTT is "
                          "less than T is faster than its share",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_paced),
                          MakeBooleanChecker())
            .AddAttribute("TwoStage",
                          "Whether admission has two stages, which bounds the latency (Section "
                          "3.4); without, it is uFAB' (Section 5.2)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_twoStage),
                          MakeBooleanChecker())
            .AddAttribute("Advertisement",
                          "What a pair tells a link as its window, whose sum is W: the window in "
                          "force, as Section 3.4 has the same symbol for both (Used), or always "
                          "that of Eq. 3 (Eq3). With Used, pairs that lack data keep others from "
                          "using all of the link; with Eq3, they may send a burst of a BDP each",
                          EnumValue(MufabSettings::USED),
                          MakeEnumAccessor<MufabSettings::Advertisement>(&Self::m_advertisement),
                          MakeEnumChecker(MufabSettings::USED, "Used", MufabSettings::EQ3, "Eq3"))
            .AddAttribute("WindowCap",
                          "Most that Eq. 3 gives for a link and that a pair tells it, in target "
                          "BDPs (1: Eq. 3 as printed; the window in force is one BDP at most in "
                          "any case). With 1, a pair with few tokens cannot use what pairs with "
                          "more of them, held back by other links, leave: their part of W stays "
                          "below their part of Phi. More lets windows wind up on idle links",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Self::m_windowCap),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("ProbeClock",
                          "When a pair sends its next probe: when it has sent L_w = 4096 bytes "
                          "since the response (AfterResponse, Section 4.1), or since the last "
                          "probe if that was answered (AfterProbe), or every ProbeRounds base "
                          "RTTs (Periodic, Section 5.6)",
                          EnumValue(MufabSettings::AFTER_RESPONSE),
                          MakeEnumAccessor<MufabSettings::ProbeClock>(&Self::m_clock),
                          MakeEnumChecker(MufabSettings::AFTER_RESPONSE,
                                          "AfterResponse",
                                          MufabSettings::AFTER_PROBE,
                                          "AfterProbe",
                                          MufabSettings::PERIODIC,
                                          "Periodic"))
            .AddAttribute("ProbeRounds",
                          "Base RTTs between two probes, with ProbeClock=Periodic",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Self::m_probeRounds),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ProbeSize",
                          "IP datagram of a probe in bytes, at most 1500; 0: that of its fields, "
                          "20 of IP, 1 and one per switch of the source route, 3 or 4, and 8 per "
                          "switch (Appendix G). The paper's 1.28 % of overhead at 4 KB mean 53 "
                          "bytes with Ethernet, 39 without: two switches",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Self::m_probeSize),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Encoding",
                          "Whether probes carry values as they are (Exact) or what the fields of "
                          "Appendix G hold (Wire). The paper gives the fields no units, and whole "
                          "tokens are too coarse for many pairs of small guarantees",
                          EnumValue(MufabPairController::EXACT),
                          MakeEnumAccessor<Encoding>(&Self::m_encoding),
                          MakeEnumChecker(MufabPairController::EXACT,
                                          "Exact",
                                          MufabPairController::WIRE,
                                          "Wire"))
            .AddAttribute("TokenBits",
                          "Width of the pair's tokens in a probe: 24 as the legend of Fig. 22 "
                          "says, or 16 as it is drawn",
                          UintegerValue(24),
                          MakeUintegerAccessor(&Self::m_tokenBits),
                          MakeUintegerChecker<uint32_t>(16, 24))
            .AddAttribute("GiveUp",
                          "Time after which no more finish probes are sent: switches clean up "
                          "then (Section 4.2). From one to the next the time doubles",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&Self::m_giveUp),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Candidates",
                          "Paths that are asked at once, at most 16. The paper: a few, chosen at "
                          "random",
                          UintegerValue(4),
                          MakeUintegerAccessor(&Self::m_candidates),
                          MakeUintegerChecker<uint32_t>(1, 16))
            .AddAttribute("Preference",
                          "Which of the qualified paths is taken: at random, in proportion to "
                          "what is left (Headroom), the one with most left (Most), or at random "
                          "(Uniform). The paper: at random, with a preference",
                          EnumValue(PathPreference::HEADROOM),
                          MakeEnumAccessor<PathPreference>(&Self::m_preference),
                          MakeEnumChecker(PathPreference::HEADROOM,
                                          "Headroom",
                                          PathPreference::MOST,
                                          "Most",
                                          PathPreference::UNIFORM,
                                          "Uniform"))
            .AddAttribute("FreezeRounds",
                          "N: after a migration for its guarantee's sake a host waits 1 to N base "
                          "RTTs until the next (Sections 3.5 and 5.6)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&Self::m_freezeRounds),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Retry",
                          "Time until a path that has failed is asked again",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&Self::m_retry),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("KeepOrder",
                          "Whether data wait, after a migration, until the old path is empty: for "
                          "its base RTT or the last that was measured, at most 4 base RTTs "
                          "(Section 3.5, an option)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_keepOrder),
                          MakeBooleanChecker())
            .AddAttribute("PathsPerPair",
                          "Underlay paths that a pair uses at once (Section 6, Appendix F)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Self::m_pathsPerPair),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("ConservationPeriod",
                          "Time between two looks at other paths for work conservation; 0: none. "
                          "The paper does not say how often",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&Self::m_conservationPeriod),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ConservationTime",
                          "Time for which another path must have been better until a pair takes "
                          "it (Section 3.5)",
                          TimeValue(Seconds(30)),
                          MakeTimeAccessor(&Self::m_conservationTime),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Migration",
                            "A pair went to another path",
                            MakeTraceSourceAccessor(&Self::m_migrationTrace),
                            "ns3::MufabPairController::MigrationTracedCallback");
    return tid;
}

MufabPairController::MufabPairController()
    : m_random(CreateObject<UniformRandomVariable>()),
      m_tokenTimer(DirectEvent::Call<&MufabPairController::HandleTokenTimer>, this),
      m_freezeTimer(DirectEvent::Call<&MufabPairController::HandleFreezeTimer>, this)
{
}

MufabPairController::~MufabPairController() = default;

void
MufabPairController::DoDispose()
{
    m_vms.clear();
    m_incoming.clear();
    m_exchange = nullptr;
    PairController::DoDispose();
}

std::string
MufabPairController::GetSummary() const
{
    return "uFAB-E: each pair has tokens, a window by what switches tell, and a path that can keep "
           "its guarantee";
}

void
MufabPairController::DoInstall()
{
    CheckAttributes();
    m_exchange = ProbeExchange::Of(GetEdge().GetFabric());
    m_exchange->SetController(GetHost(), this);
}

void
MufabPairController::CheckAttributes() const
{
    const std::string name = "ns3::MufabPairController::";
    if (m_utilization <= 0 || m_utilization > 1)
    {
        throw InputError(name + "TargetUtilization",
                         std::to_string(m_utilization),
                         "above 0 and at most 1");
    }
    if (m_unit.GetBitRate() == 0)
    {
        throw InputError(name + "UnitBandwidth", "0", "a rate above 0");
    }
    if (m_tokenBits != 16 && m_tokenBits != 24)
    {
        throw InputError(name + "TokenBits", std::to_string(m_tokenBits), "16 or 24");
    }
    if (m_probeSize > LARGEST_DATAGRAM || (m_probeSize > 0 && m_probeSize < IP_HEADER))
    {
        throw InputError(name + "ProbeSize",
                         std::to_string(m_probeSize),
                         "0, or 20 to 1500 bytes: a probe is one packet");
    }
}

void
MufabPairController::OnBuilt()
{
    if (m_baseRtt.IsZero())
    {
        return;
    }
    // Whatever is not answered within some base RTTs counts as lost.
    const int64_t largest = m_exchange->GetLargestBaseRtt();
    if (m_baseRtt.GetTimeStep() < largest)
    {
        throw InputError("ns3::MufabPairController::BaseRtt",
                         NanosecondsText(m_baseRtt) + "ns",
                         "at least " + NanosecondsText(TimeStep(largest)) +
                             " ns, the largest base RTT of the network; or 0, for just that");
    }
    m_exchange->SetLargestBaseRtt(m_baseRtt.GetTimeStep());
}

void
MufabPairController::Resolve()
{
    if (m_isResolved) [[likely]]
    {
        return;
    }
    m_isResolved = true;
    m_settings = {
        .share = {static_cast<double>(m_unit.GetBitRate()), m_utilization, m_windowCap},
        .largestRtt = m_exchange->GetLargestBaseRtt(),
        .ownRtt = m_ownRtt,
        .paced = m_paced,
        .twoStage = m_twoStage,
        .advertisement = m_advertisement,
        .clock = m_clock,
        .probeRounds = m_probeRounds,
        .giveUp = m_giveUp.GetTimeStep(),
        .candidates = m_candidates,
        .preference = m_preference,
        .retry = m_retry.GetTimeStep(),
        .keepOrder = m_keepOrder,
        .pathsPerPair = m_pathsPerPair,
        .conservationPeriod = m_conservationPeriod.GetTimeStep(),
        .conservationTime = m_conservationTime.GetTimeStep(),
    };
}

void
MufabPairController::ReportResults(Results& results) const
{
    m_exchange->ReportResults(results);
}

int64_t
MufabPairController::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint16_t
MufabPairController::GetProbeSize(uint32_t switches, uint32_t records) const
{
    return m_probeSize > 0 ? m_probeSize
                           : static_cast<uint16_t>(IP_HEADER + 1 + switches + 1 + m_tokenBits / 8 +
                                                   8 * records);
}

void
MufabPairController::SendControl(FabricItem* item)
{
    GetEdge().GetQueueDisc(GetHost()).SendControl(item);
}

// ---- Channels and paths ----

std::unique_ptr<PairChannel>
MufabPairController::CreateChannel(uint32_t pair)
{
    Resolve();
    return std::make_unique<MufabChannel>(*this, pair, GetChannelTerms());
}

uint32_t
MufabPairController::GetNPaths(uint32_t source, uint32_t destination)
{
    Fabric& fabric = GetEdge().GetFabric();
    return fabric.GetPathTable().GetNPaths(fabric.GetLocation(source).rack,
                                           fabric.GetLocation(destination).rack);
}

std::unique_ptr<MufabPath>
MufabPairController::MakePath(MufabChannel& channel,
                              uint32_t source,
                              uint32_t destination,
                              uint16_t index)
{
    Fabric& fabric = GetEdge().GetFabric();
    const PathTable::Path path = fabric.GetPathTable().Get(fabric.GetLocation(source).rack,
                                                           fabric.GetLocation(destination).rack,
                                                           index);
    std::vector<FabricPort*> ports = fabric.GetPathTable().GetPorts(path);
    ports.insert(ports.begin(), &fabric.GetHost(source).GetNicPort());
    const FabricPort::Description& last = fabric.GetHost(destination).GetNicPort().GetDescription();
    ports.push_back(&last.peer->GetPort(last.peerPort));
    auto made = std::make_unique<MufabPath>(channel, m_settings, index, path, ports);
    if (made->GetPorts().size() > ProbeHeader::MAX_HOPS)
    {
        throw InputError("--topology",
                         std::to_string(made->GetPorts().size()) + " switches from host " +
                             std::to_string(source) + " to host " + std::to_string(destination),
                         "at most " + std::to_string(ProbeHeader::MAX_HOPS) +
                             ", for which a probe has room");
    }
    return made;
}

// ---- Tokens of VMs that send ----

double
MufabPairController::GetTokens(DataRate hose) const
{
    return static_cast<double>(std::max(hose.GetBitRate(), LEAST_GUARANTEE)) / GetUnit();
}

void
MufabPairController::OnActivate(PairChannel& channel, int64_t now)
{
    auto& mufab = static_cast<MufabChannel&>(channel);
    const uint32_t vm = GetTenants().GetVmPair(channel.GetPair()).from;
    LocalVm& local = m_vms[vm];
    local.senders.push_back(&mufab);
    AssignSenders(vm, local, now);
    if (!m_tokenTimer.IsPending())
    {
        m_tokenTimer.Set(m_tokenPeriod.GetTimeStep());
    }
    mufab.Activate(now);
}

void
MufabPairController::OnLeave(MufabChannel& channel)
{
    std::erase(m_vms.at(GetTenants().GetVmPair(channel.GetPair()).from).senders, &channel);
}

void
MufabPairController::AssignSenders(uint32_t vm, LocalVm& local, int64_t now)
{
    std::vector<TokenUse> uses;
    std::vector<MufabChannel*> hosed; // those that share the VM's hose
    for (MufabChannel* channel : local.senders)
    {
        const TokenUse use = channel->MeasureUse(GetUnit(), m_tokenPeriod.GetTimeStep(), now);
        const DataRate pipe = GetTenants().GetVmPair(channel->GetPair()).pipe;
        if (pipe.GetBitRate() > 0)
        {
            channel->AssignTokens(static_cast<double>(pipe.GetBitRate()) / GetUnit());
            continue;
        }
        uses.push_back(use);
        hosed.push_back(channel);
    }
    std::vector<double> tokens =
        ns3::AssignTokens(GetTokens(GetTenants().GetVm(vm).send), uses, BOUNDED_BELOW);
    if (m_encoding == WIRE)
    {
        tokens = RoundTokens(tokens);
    }
    for (std::size_t i = 0; i < hosed.size(); ++i)
    {
        hosed[i]->AssignTokens(tokens[i]);
    }
}

void
MufabPairController::HandleTokenTimer()
{
    const int64_t now = DirectEvent::Now();
    bool isActive = false;
    for (auto& [vm, local] : m_vms)
    {
        if (!local.senders.empty())
        {
            isActive = true;
            AssignSenders(vm, local, now);
        }
    }
    if (isActive)
    {
        m_tokenTimer.Set(m_tokenPeriod.GetTimeStep());
    }
}

void
MufabPairController::OnTermsChanged(uint32_t tenant)
{
    const int64_t now = DirectEvent::Now();
    for (auto& [vm, local] : m_vms)
    {
        if (GetTenants().GetVm(vm).tenant == tenant)
        {
            AssignSenders(vm, local, now);
            local.isChanged = true;
        }
    }
}

// ---- Tokens of VMs that receive ----

bool
MufabPairController::HasReceivers() const
{
    return true;
}

std::unique_ptr<ItemHeaderWriter>
MufabPairController::CreateHeaderWriter() const
{
    return std::make_unique<ProbeHeaderWriter>();
}

std::unique_ptr<PairReceiver>
MufabPairController::CreateReceiver(uint32_t pair)
{
    return std::make_unique<MufabReceiver>(pair, *this);
}

void
MufabPairController::OnData(uint32_t pair, int64_t now)
{
    const auto found = m_incoming.find(pair);
    if (found != m_incoming.end())
    {
        found->second.lastSeen = now;
    }
}

void
MufabPairController::OnProbe(MufabProbe& probe)
{
    const VmPair& pair = GetTenants().GetVmPair(probe.pair);
    const auto* receiver = static_cast<const MufabReceiver*>(GetEdge().FindReceiver(probe.pair));
    probe.receivedBytes = receiver ? receiver->GetBytesOf(probe.path) : 0;
    if (probe.type == ProbeHeader::QUERY || pair.pipe.GetBitRate() > 0)
    {
        probe.tokens = UNBOUND_TOKENS;
        return;
    }
    const int64_t now = DirectEvent::Now();
    LocalVm& local = m_vms[pair.to];
    ReceivingEnd& end = m_incoming[probe.pair];
    if (probe.type != ProbeHeader::PROBE)
    {
        // A pair that asks for nothing has left. One that went to another path still asks.
        if (probe.demand == 0 && end.isActive)
        {
            end.isActive = false;
            std::erase(local.receivers, &end);
            local.isChanged = true;
        }
        probe.tokens = UNBOUND_TOKENS;
        return;
    }
    if (!end.isActive)
    {
        end.isActive = true;
        local.receivers.push_back(&end);
        local.isChanged = true;
    }
    local.isChanged |= end.demand != probe.demand;
    end.demand = probe.demand;
    end.lastSeen = now;
    Admit(pair.to, local, now);
    probe.tokens = end.demand >= BOUNDED_BELOW * local.level ? local.level : UNBOUND_TOKENS;
}

void
MufabPairController::Admit(uint32_t vm, LocalVm& local, int64_t now)
{
    Resolve();
    const int64_t timeout = m_settings.GetTimeout();
    if (now - local.sweptAt >= timeout)
    {
        local.sweptAt = now;
        local.isChanged |= std::erase_if(local.receivers, [now, timeout](ReceivingEnd* end) {
                               end->isActive = now - end->lastSeen < timeout;
                               return !end->isActive;
                           }) > 0;
    }
    if (!local.isChanged)
    {
        return;
    }
    local.isChanged = false;
    std::vector<double> demands;
    for (const ReceivingEnd* end : local.receivers)
    {
        demands.push_back(end->demand);
    }
    // All that are bounded are granted the same.
    const auto granted =
        AdmitTokens(GetTokens(GetTenants().GetVm(vm).receive), demands, BOUNDED_BELOW);
    local.level = std::ranges::min(granted);
}

// ---- What comes from the network ----

void
MufabPairController::OnResponse(const MufabProbe& probe)
{
    if (PairChannel* channel = GetEdge().FindChannel(probe.pair))
    {
        static_cast<MufabChannel*>(channel)->OnResponse(probe, DirectEvent::Now());
    }
}

void
MufabPairController::OnAcknowledgment(const PathAcknowledgment& acknowledgment)
{
    if (PairChannel* channel = GetEdge().FindChannel(acknowledgment.pair))
    {
        static_cast<MufabChannel*>(channel)->OnAcknowledgment(acknowledgment, DirectEvent::Now());
    }
}

// ---- Admission ----

double
MufabPairController::GetGrowth(double /* ramp */, double share) const
{
    return share;
}

// ---- Migration ----

void
MufabPairController::RequestMigration(MufabChannel& channel, int64_t now)
{
    if (m_freeze.IsOpen(now))
    {
        m_freeze.Close(*m_random, m_freezeRounds, m_settings.largestRtt, now);
        channel.Migrate(now);
    }
    else if (!m_freezeTimer.IsPending())
    {
        m_freezeTimer.Set(m_freeze.GetOpening() - now);
    }
}

void
MufabPairController::HandleFreezeTimer()
{
    MufabChannel* neediest = nullptr;
    for (const auto& [vm, local] : m_vms)
    {
        for (MufabChannel* channel : local.senders)
        {
            if (channel->WantsMigration() &&
                (!neediest || channel->GetDeficit() > neediest->GetDeficit()))
            {
                neediest = channel;
            }
        }
    }
    if (neediest)
    {
        RequestMigration(*neediest, DirectEvent::Now());
    }
}

void
MufabPairController::OnMigrated(const MufabChannel& channel,
                                const MufabPath& from,
                                const MufabPath& to)
{
    NS_LOG_LOGIC("pair " << channel.GetPair() << " goes from path " << from.GetIndex()
                         << " to path " << to.GetIndex());
    ++m_exchange->GetStatistics().migrations;
    m_migrationTrace(channel.GetPair(), from.GetIndex(), to.GetIndex());
}

} // namespace ns3
