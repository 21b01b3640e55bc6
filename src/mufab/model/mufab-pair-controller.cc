/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-pair-controller.h"

#include "mufab-receiver.h"
#include "probe-header-writer.h"

#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/number-text.h"
#include "ns3/pair-edge.h"
#include "ns3/pair-queue-disc.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MufabPairController");

NS_OBJECT_ENSURE_REGISTERED(MufabPairController);

namespace
{

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
    static TypeId tid =
        MufabSettings::AddAttributes(TypeId("ns3::MufabPairController")
                                         .SetParent<PairController>()
                                         .SetGroupName("Mufab")
                                         .AddConstructor<MufabPairController>())
            .AddTraceSource("Migration",
                            "A pair went to another path",
                            MakeTraceSourceAccessor(&MufabPairController::m_migrationTrace),
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
    m_exchange->SetHost(GetHost(), this);
}

void
MufabPairController::OnBuilt()
{
    largestRtt = m_exchange->GetLargestBaseRtt();
    if (baseRtt.IsZero())
    {
        return;
    }
    // Whatever is not answered within some base RTTs counts as lost.
    if (baseRtt.GetTimeStep() < largestRtt)
    {
        throw InputError("ns3::MufabPairController::BaseRtt",
                         NanosecondsText(baseRtt) + "ns",
                         "at least " + NanosecondsText(TimeStep(largestRtt)) +
                             " ns, the largest base RTT of the network; or 0, for just that");
    }
    largestRtt = baseRtt.GetTimeStep();
    m_exchange->SetLargestBaseRtt(largestRtt);
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

void
MufabPairController::SendControl(FabricItem* item)
{
    GetEdge().GetQueueDisc(GetHost()).SendControl(item);
}

// ---- Pairs ----

std::unique_ptr<PairChannel>
MufabPairController::CreateChannel(uint32_t pair)
{
    MufabPair::Host& host = *this;
    return std::make_unique<MufabPair>(host,
                                       *this,
                                       *m_exchange,
                                       *m_random,
                                       GetTenants().GetSource(pair),
                                       GetTenants().GetDestination(pair),
                                       GetChannelTerms());
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
    auto& pair = static_cast<MufabPair&>(channel);
    const uint32_t vm = GetTenants().GetVmPair(pair.GetPair()).from;
    LocalVm& local = m_vms[vm];
    local.senders.push_back(&pair);
    AssignSenders(vm, local, now);
    if (!m_tokenTimer.IsPending())
    {
        m_tokenTimer.Set(tokenPeriod.GetTimeStep());
    }
    pair.HandleDemand(now);
}

void
MufabPairController::OnIdle(MufabPair& pair)
{
    std::erase(m_vms.at(GetTenants().GetVmPair(pair.GetPair()).from).senders, &pair);
}

void
MufabPairController::AssignSenders(uint32_t vm, LocalVm& local, int64_t now)
{
    std::vector<TokenUse> uses;
    std::vector<MufabPair*> hosed; // those that share the VM's hose
    for (MufabPair* pair : local.senders)
    {
        const TokenUse use = pair->MeasureUse(now);
        const DataRate pipe = GetTenants().GetVmPair(pair->GetPair()).pipe;
        if (pipe.GetBitRate() > 0)
        {
            pair->AssignTokens(static_cast<double>(pipe.GetBitRate()) / GetUnit());
            continue;
        }
        uses.push_back(use);
        hosed.push_back(pair);
    }
    std::vector<double> tokens =
        ns3::AssignTokens(GetTokens(GetTenants().GetVm(vm).send), uses, BOUNDED_BELOW);
    if (encoding == WIRE)
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
        m_tokenTimer.Set(tokenPeriod.GetTimeStep());
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
    return std::make_unique<MufabReceiver>(pair, *m_exchange);
}

void
MufabPairController::OnReceive(PairReceiver& receiver, FabricItem& item, int64_t now)
{
    PairController::OnReceive(receiver, item, now);
    SendControl(static_cast<MufabReceiver&>(receiver).Acknowledge(item));
    const auto found = m_incoming.find(receiver.GetPair());
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
    const int64_t timeout = GetTimeout();
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
        const int64_t now = DirectEvent::Now();
        auto& pair = static_cast<MufabPair&>(*channel);
        if (pair.HandleResponse(probe, now))
        {
            RequestMigration(pair, now);
        }
    }
}

void
MufabPairController::OnAcknowledgment(const PathAcknowledgment& acknowledgment)
{
    if (PairChannel* channel = GetEdge().FindChannel(acknowledgment.pair))
    {
        static_cast<MufabPair*>(channel)->HandleAcknowledgment(acknowledgment, DirectEvent::Now());
    }
}

// ---- Migration ----

void
MufabPairController::RequestMigration(MufabPair& pair, int64_t now)
{
    if (m_freeze.IsOpen(now))
    {
        m_freeze.Close(*m_random, freezeRounds, largestRtt, now);
        pair.Migrate(now);
    }
    else if (!m_freezeTimer.IsPending())
    {
        m_freezeTimer.Set(m_freeze.GetOpening() - now);
    }
}

void
MufabPairController::HandleFreezeTimer()
{
    MufabPair* neediest = nullptr;
    for (const auto& [vm, local] : m_vms)
    {
        for (MufabPair* pair : local.senders)
        {
            if (pair->WantsMigration() &&
                (!neediest || pair->GetDeficit() > neediest->GetDeficit()))
            {
                neediest = pair;
            }
        }
    }
    if (neediest)
    {
        RequestMigration(*neediest, DirectEvent::Now());
    }
}

void
MufabPairController::OnMigrated(const MufabPair& pair, uint16_t from, uint16_t to)
{
    NS_LOG_LOGIC("pair " << pair.GetPair() << " goes from path " << from << " to path " << to);
    m_migrationTrace(pair.GetPair(), from, to);
}

} // namespace ns3
