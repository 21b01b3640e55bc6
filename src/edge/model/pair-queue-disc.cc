/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pair-queue-disc.h"

#include "pair-edge.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/log.h"
#include "ns3/object-spec.h"
#include "ns3/results.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PairQueueDisc");
NS_OBJECT_ENSURE_REGISTERED(PairQueueDisc);

namespace
{

/// Weight of a tenant that is guaranteed less, in bit/s, with TenantWeights=Guarantee (a choice).
constexpr uint64_t LEAST_WEIGHT = 1'000'000;

} // namespace

TypeId
PairQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PairQueueDisc")
            .SetParent<FabricQueueDisc>()
            .SetGroupName("Edge")
            .AddConstructor<PairQueueDisc>()
            .AddAttribute(
                "MaxSize",
                "Most that may wait of what belongs to no pair, in bytes, packets or time at "
                "the link's rate",
                QueueLimitValue(QueueLimit("8MB")),
                MakeQueueLimitAccessor(&PairQueueDisc::m_limit),
                MakeQueueLimitChecker())
            .AddAttribute("TenantWeights",
                          "What a tenant's weight is: what it is guaranteed to send from this host "
                          "(uFAB Section 4.1), its own weight, or the same for all",
                          EnumValue(PairQueueDisc::GUARANTEE),
                          MakeEnumAccessor<TenantWeights>(&PairQueueDisc::m_tenantWeights),
                          MakeEnumChecker(PairQueueDisc::GUARANTEE,
                                          "Guarantee",
                                          PairQueueDisc::WEIGHT,
                                          "Weight",
                                          PairQueueDisc::EQUAL,
                                          "Equal"))
            .AddAttribute("Levels",
                          "Weights of the queues, rising, where hardware has a few that tenants "
                          "share (uFAB Section 4.1: 8), as a list such as '1Gbps,2Gbps,5Gbps', or "
                          "of numbers unless TenantWeights=Guarantee. A tenant's weight is rounded "
                          "up to the next; empty: each tenant has a queue of its own",
                          StringValue(""),
                          MakeStringAccessor(&PairQueueDisc::m_levels),
                          MakeStringChecker())
            .AddAttribute("Inner",
                          "Discipline that what channels let go passes on its way to the link, as "
                          "in the network interface below a shim. All that may go is in it at "
                          "once, so it decides the order, and not the tenants' weights. It must "
                          "not drop; while it holds MaxSize the rest stays in the channels. "
                          "Empty: none",
                          SpecValue(""),
                          MakeSpecAccessor(&PairQueueDisc::m_innerSpec),
                          MakeSpecChecker<FabricQueueDisc>());
    return tid;
}

PairQueueDisc::PairQueueDisc()
    : m_timer(DirectEvent::Call<&PairQueueDisc::HandleTimer>, this)
{
}

PairQueueDisc::~PairQueueDisc() = default;

void
PairQueueDisc::SetInner(Ptr<FabricQueueDisc> inner)
{
    m_inner = inner;
}

void
PairQueueDisc::DoInstall()
{
    ResolveLimit("MaxSize", m_limit);
    FindEdge();
    SetUpScheduler();
    if (!m_innerSpec.IsEmpty())
    {
        m_inner = CreateFromSpec<FabricQueueDisc>("ns3::PairQueueDisc::Inner",
                                                  m_innerSpec,
                                                  {{"MaxSize", Create<QueueLimitValue>()}});
    }
    if (m_inner)
    {
        m_inner->SetOuter(this);
    }
    m_edge->AddHost(m_host, *this);
}

void
PairQueueDisc::FindEdge()
{
    if (GetPort() && GetPort()->GetDescription().tier == 0)
    {
        const auto* host = static_cast<const FabricHost*>(GetPort()->GetDescription().node);
        m_host = host->GetIndex();
        m_edge = PeekPointer(host->GetFabric().GetObject<PairEdge>());
    }
    if (!m_edge)
    {
        throw InputError("queue",
                         "pair",
                         "stands at the port of a host, in a scheme with VM pairs such as "
                         "static-reservation");
    }
}

void
PairQueueDisc::SetUpScheduler()
{
    const std::string argument = "ns3::PairQueueDisc::Levels";
    std::vector<double> levels;
    for (const std::string& entry : CutList(m_levels))
    {
        levels.push_back(m_tenantWeights == GUARANTEE
                             ? static_cast<double>(ParseRate(argument, entry).GetBitRate())
                             : ParseNumber(argument, entry));
        if (levels.back() <= 0 || (levels.size() > 1 && levels.back() <= levels.end()[-2]))
        {
            throw InputError(argument, m_levels, "rising weights above 0");
        }
    }
    m_scheduler.SetLevels(levels);
    m_default = std::make_unique<PairChannel>(m_limit);
    m_scheduler.AddChannel(*m_default, m_scheduler.AddTenant(1)); // UpdateDefaultWeight() follows
}

void
PairQueueDisc::UpdateDefaultWeight()
{
    double weight =
        m_tenantWeights == GUARANTEE ? static_cast<double>(GetLinkRate().GetBitRate()) : 1;
    for (TenantId tenant = 0;
         m_tenantWeights == WEIGHT && tenant < m_edge->GetTenants().GetNTenants();
         ++tenant)
    {
        weight = std::max(weight, ComputeWeight(tenant));
    }
    m_scheduler.SetWeight(0, weight);
}

void
PairQueueDisc::DoDispose()
{
    FabricQueueDisc::DoDispose(); // takes out what waits
    if (m_inner)
    {
        m_inner->Dispose();
        m_inner = nullptr;
    }
    m_channels.clear();
    m_edge = nullptr;
}

PairChannel&
PairQueueDisc::FindChannel(const FabricItem& item)
{
    const uint32_t pair = m_edge->GetPairOf(item);
    if (pair == 0)
    {
        return *m_default;
    }
    PairChannel* channel = m_edge->FindChannel(pair - 1);
    return channel ? *channel : AddChannel(pair - 1);
}

PairChannel&
PairQueueDisc::AddChannel(uint32_t pair)
{
    NS_ASSERT_MSG(m_edge->GetTenants().GetSource(pair) == m_host,
                  "pair " << pair << " does not send from host " << m_host);
    PairChannel& channel = *m_channels.emplace_back(m_edge->CreateChannel(pair));
    channel.m_home = this;
    channel.m_pair = pair;
    const TenantId tenant = m_edge->GetTenants().GetTenantOf(pair);
    m_scheduler.AddChannel(channel, FindTenant(tenant).number);
    if (m_edge->GetTenants().GetVmPair(pair).pipe.GetBitRate() > 0)
    {
        UpdateWeight(tenant);
    }
    return channel;
}

void
PairQueueDisc::Activate(PairChannel& channel, int64_t now)
{
    channel.m_isActive = true;
    if (&channel != m_default.get())
    {
        m_edge->GetController(m_host).OnActivate(channel, now);
    }
}

PairQueueDisc::LocalTenant&
PairQueueDisc::FindTenant(uint32_t tenant)
{
    const auto found = std::find_if(m_tenants.begin(), m_tenants.end(), [tenant](const auto& t) {
        return t.tenant == tenant;
    });
    if (found != m_tenants.end())
    {
        return *found;
    }
    return m_tenants.emplace_back(
        LocalTenant{tenant, m_scheduler.AddTenant(ComputeWeight(tenant))});
}

double
PairQueueDisc::ComputeWeight(uint32_t tenant) const
{
    const TenantTable& tenants = m_edge->GetTenants();
    if (m_tenantWeights != GUARANTEE)
    {
        return m_tenantWeights == WEIGHT ? tenants.GetTenant(tenant).weight : 1;
    }
    uint64_t guarantee = 0;
    for (VmId vm : tenants.GetVmsOn(m_host))
    {
        if (tenants.GetVm(vm).tenant == tenant)
        {
            guarantee += tenants.GetVm(vm).send.GetBitRate();
        }
    }
    for (const auto& channel : m_channels)
    {
        if (tenants.GetTenantOf(channel->m_pair) == tenant)
        {
            guarantee += tenants.GetVmPair(channel->m_pair).pipe.GetBitRate();
        }
    }
    return static_cast<double>(std::max(guarantee, LEAST_WEIGHT));
}

void
PairQueueDisc::UpdateWeight(uint32_t tenant)
{
    for (const LocalTenant& local : m_tenants)
    {
        if (local.tenant == tenant)
        {
            m_scheduler.SetWeight(local.number, ComputeWeight(tenant));
        }
    }
}

void
PairQueueDisc::Wake(PairChannel& channel)
{
    m_scheduler.Offer(channel);
    if (!m_inChannel)
    {
        WakePort();
    }
}

void
PairQueueDisc::SendControl(FabricItem* item)
{
    NS_ASSERT(item->GetClass() == FabricItem::CONTROL);
    if (m_inChannel)
    {
        EnqueueItem(item); // the port is at work, and will ask when the channel has done its own
    }
    else
    {
        GetPort()->Send(item);
    }
}

bool
PairQueueDisc::DoEnqueueItem(FabricItem* item)
{
    if (item->GetClass() == FabricItem::CONTROL)
    {
        m_control.Push(item);
        return true;
    }
    PairChannel& channel = FindChannel(*item);
    const int64_t now = DirectEvent::Now();
    if (GetPort()->IsIdle(now) && GetWaitingPackets() == 0)
    {
        m_scheduler.Restart();
    }
    m_inChannel = true;
    if (!channel.m_isActive)
    {
        Activate(channel, now);
    }
    const bool kept = m_scheduler.Enqueue(channel, item, now);
    m_inChannel = false;
    if (!kept)
    {
        ++channel.m_statistics.droppedPackets;
        WakePort(); // for what the controller woke or sent meanwhile
        return Drop(item, LIMIT_EXCEEDED_DROP);
    }
    return true;
}

FabricItem*
PairQueueDisc::Release()
{
    m_inChannel = true;
    FabricItem* item = m_scheduler.Dequeue(DirectEvent::Now());
    m_inChannel = false;
    return item;
}

FabricItem*
PairQueueDisc::DoDequeueItem()
{
    if (FabricItem* item = m_control.Pop())
    {
        return item;
    }
    if (m_inner)
    {
        FillInner();
    }
    FabricItem* item = m_inner ? m_inner->DequeueItem() : Release();
    UpdateTimer(item);
    return item ? item : m_control.Pop(); // a channel may have sent something itself
}

void
PairQueueDisc::FillInner()
{
    while (m_limit.Admits(m_inner->GetWaitingBytes(), m_inner->GetWaitingPackets(), 0))
    {
        FabricItem* item = Release();
        if (!item)
        {
            return;
        }
        if (!m_inner->EnqueueItem(item))
        {
            throw InputError("ns3::PairQueueDisc::Inner",
                             m_innerSpec.ToString(),
                             "must not drop: what may wait is limited in the channels");
        }
    }
}

void
PairQueueDisc::UpdateTimer(bool linkHasWork)
{
    const int64_t release = m_scheduler.GetNextRelease();
    if (!linkHasWork && release != PairChannel::NEVER)
    {
        m_timer.Set(release - DirectEvent::Now());
    }
    else if (release == PairChannel::NEVER)
    {
        m_timer.Cancel();
    }
}

void
PairQueueDisc::SetPausedPriorities(uint8_t priorities)
{
    if (m_inner)
    {
        m_inner->SetPausedPriorities(priorities);
    }
}

void
PairQueueDisc::HandleTimer()
{
    WakePort();
}

FabricItem*
PairQueueDisc::DoFlushItem()
{
    m_timer.Cancel();
    if (FabricItem* item = m_control.Pop())
    {
        return item;
    }
    if (FabricItem* item = m_inner ? m_inner->FlushItem() : nullptr)
    {
        return item;
    }
    if (FabricItem* item = m_scheduler.Flush(*m_default))
    {
        return item;
    }
    // On from the channel that the last item came from, so that to take all takes one round.
    for (size_t i = 0; i < m_channels.size(); ++i)
    {
        m_flushed = m_flushed < m_channels.size() ? m_flushed : 0;
        if (FabricItem* item = m_scheduler.Flush(*m_channels[m_flushed]))
        {
            return item;
        }
        ++m_flushed;
    }
    m_flushed = 0;
    return nullptr;
}

void
PairQueueDisc::ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const
{
    m_control.ForEach(visit);
    if (m_inner)
    {
        m_inner->ForEachWaiting(visit);
    }
    m_default->ForEachWaiting(visit);
    for (const auto& channel : m_channels)
    {
        channel->ForEachWaiting(visit);
    }
}

void
PairQueueDisc::ReportResults(Results& results) const
{
    for (const auto& channel : m_channels)
    {
        results.ReportPart("pair" + std::to_string(channel->m_pair),
                           [&] { channel->ReportResults(results); });
    }
}

} // namespace ns3
