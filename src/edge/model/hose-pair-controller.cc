/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hose-pair-controller.h"

#include "hose-partition.h"
#include "pair-edge.h"
#include "unguaranteed-pairs.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("HosePairController");
NS_OBJECT_ENSURE_REGISTERED(HosePairController);

namespace
{

constexpr double UNBOUNDED = std::numeric_limits<double>::infinity(); //!< can use all

/// A pair with nothing waiting that has used less than this share of what it was given is bounded
/// by its demand, with Partition=MaxMin (a choice).
constexpr double BOUNDED_BELOW = 0.95;

} // namespace

TypeId
HosePairController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HosePairController")
            .SetParent<PairController>()
            .SetGroupName("Edge")
            .AddAttribute("Partition",
                          "How a VM divides its hose among its active pairs: equally (Trinity "
                          "Section 3.3), or max-min by demand (ElasticSwitch)",
                          EnumValue(HosePairController::MAX_MIN),
                          MakeEnumAccessor<Partition>(&HosePairController::m_partition),
                          MakeEnumChecker(HosePairController::EQUAL,
                                          "Equal",
                                          HosePairController::MAX_MIN,
                                          "MaxMin"))
            .AddAttribute("Interval",
                          "Time between reports, and between divisions of the hoses (Trinity "
                          "Section 5: 5 ms). A new one counts at once",
                          TimeValue(MilliSeconds(5)),
                          MakeTimeAccessor(&HosePairController::SetInterval,
                                           &HosePairController::GetInterval),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("IntervalJitter",
                          "Each interval is longer or shorter than Interval by a random share of "
                          "it, at most this one, so that hosts do not keep step (a choice)",
                          DoubleValue(0),
                          MakeDoubleAccessor(&HosePairController::m_jitter),
                          MakeDoubleChecker<double>(0, 0.9))
            .AddAttribute("PartitionInterval",
                          "Time between divisions of the hoses, if it is to be another; 0: as "
                          "Interval",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HosePairController::m_partitionInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ActiveIntervals",
                          "Intervals without traffic after which a pair no longer counts (a "
                          "choice; the papers do not say)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&HosePairController::m_activeIntervals),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DemandFactor",
                          "With Partition=MaxMin: demand of a bounded pair over its measured rate, "
                          "so that it can grow (a choice)",
                          DoubleValue(1.1),
                          MakeDoubleAccessor(&HosePairController::m_demandFactor),
                          MakeDoubleChecker<double>(1))
            .AddAttribute(
                "LeastGuarantee",
                "What a pair is guaranteed that has no guarantee, or less (a choice: with "
                "none it could not even open a connection). Pairs whose VMs have no hose share "
                "what hoses and pipes leave of both hosts' links, if that is less",
                DataRateValue(DataRate("1Mbps")),
                MakeDataRateAccessor(&HosePairController::m_leastGuarantee),
                MakeDataRateChecker());
    return tid;
}

HosePairController::HosePairController()
    : m_timer(DirectEvent::Call<&HosePairController::HandleTimer>, this),
      m_partitionTimer(DirectEvent::Call<&HosePairController::HandlePartitionTimer>, this),
      m_random(CreateObject<UniformRandomVariable>())
{
}

HosePairController::~HosePairController() = default;

void
HosePairController::DoDispose()
{
    m_timer.Cancel();
    m_partitionTimer.Cancel();
    m_senders.clear();
    m_vms.clear();
    m_unguaranteed = nullptr;
    PairController::DoDispose();
}

int64_t
HosePairController::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

Time
HosePairController::GetInterval() const
{
    return m_interval;
}

void
HosePairController::SetInterval(Time interval)
{
    m_interval = interval;
    if (m_timer.IsPending())
    {
        m_timer.Cancel();
        StartTimers();
    }
}

bool
HosePairController::HasReceivers() const
{
    return true;
}

std::unique_ptr<PairReceiver>
HosePairController::CreateReceiver(uint32_t pair)
{
    return std::make_unique<Receiver>(pair);
}

bool
HosePairController::HasPipe(uint32_t pair) const
{
    return GetTenants().GetVmPair(pair).pipe.GetBitRate() > 0;
}

bool
HosePairController::NeedsReports(uint32_t pair) const
{
    return !HasPipe(pair);
}

void
HosePairController::OnInterval(int64_t /* now */)
{
}

void
HosePairController::OnDeactivate(PairChannel& /* channel */)
{
}

double
HosePairController::GetGuarantee(uint32_t pair) const
{
    const auto found = m_senders.find(pair);
    return found == m_senders.end() ? 0 : found->second.guarantee;
}

void
HosePairController::OnActivate(PairChannel& channel, int64_t now)
{
    const uint32_t pair = channel.GetPair();
    SenderEnd& end = m_senders[pair];
    end.pair = pair;
    end.channel = &channel;
    end.granted = UNBOUNDED;
    Start(end, channel.GetStatistics().sentBytes, now);
    GetUnguaranteed().Join(pair);
    const uint32_t vm = GetTenants().GetVmPair(pair).from;
    LocalVm& local = m_vms[vm];
    local.senders.push_back(&end);
    DivideAmongSenders(vm, local);
    StartTimers();
}

void
HosePairController::OnReceive(PairReceiver& receiver, FabricItem& item, int64_t now)
{
    auto& own = static_cast<Receiver&>(receiver);
    if (!own.m_end.isActive) [[unlikely]]
    {
        own.m_end.pair = own.GetPair();
        Start(own.m_end, own.GetBytes(), now);
        LocalVm& local = m_vms[GetTenants().GetVmPair(own.GetPair()).to];
        local.receivers.push_back(&own);
        local.receiversJoined = true; // nobody asks for shares before the next interval
        StartTimers();
    }
    receiver.OnReceive(item, now);
}

void
HosePairController::OnReport(PairChannel& channel, const PairReport& report, int64_t now)
{
    const auto found = m_senders.find(channel.GetPair());
    if (found != m_senders.end() && report.share >= 0)
    {
        found->second.granted = report.share; // counts from the end of the interval
    }
    PairController::OnReport(channel, report, now);
}

void
HosePairController::OnTermsChanged(uint32_t tenant)
{
    GetUnguaranteed().Forget();
    for (auto& [vm, local] : m_vms)
    {
        if (GetTenants().GetVm(vm).tenant == tenant)
        {
            DivideAmongSenders(vm, local);
            DivideAmongReceivers(vm, local);
        }
    }
}

void
HosePairController::ReportState(const PairChannel& channel,
                                int64_t now,
                                const PairChannel::StateVisitor& visit) const
{
    PairController::ReportState(channel, now, visit);
    visit("guarantee_bps", GetGuarantee(channel.GetPair()));
}

void
HosePairController::StartTimers()
{
    if (!m_timer.IsPending())
    {
        m_timer.Set(DrawInterval());
    }
    if (!m_partitionInterval.IsZero() && !m_partitionTimer.IsPending())
    {
        m_partitionTimer.Set(m_partitionInterval.GetTimeStep());
    }
}

int64_t
HosePairController::DrawInterval()
{
    const int64_t interval = m_interval.GetTimeStep();
    if (m_jitter == 0)
    {
        return interval;
    }
    const double factor = m_random->GetValue(1 - m_jitter, 1 + m_jitter);
    return std::max<int64_t>(std::llround(static_cast<double>(interval) * factor), 1);
}

void
HosePairController::HandleTimer()
{
    const int64_t now = DirectEvent::Now();
    const bool divides = m_partitionInterval.IsZero();
    bool anyActive = false;
    for (auto& [vm, local] : m_vms)
    {
        AdmitReceivers(vm, local);
        DropInactive(local);
        if (divides)
        {
            MeasureDemands(local, now);
            DivideAmongReceivers(vm, local);
        }
        SendReports(local, now);
        if (divides)
        {
            DivideAmongSenders(vm, local);
        }
        anyActive |= !local.senders.empty() || !local.receivers.empty();
    }
    OnInterval(now);
    if (anyActive)
    {
        StartTimers();
    }
    else
    {
        m_partitionTimer.Cancel();
    }
}

void
HosePairController::HandlePartitionTimer()
{
    const int64_t now = DirectEvent::Now();
    for (auto& [vm, local] : m_vms)
    {
        AdmitReceivers(vm, local);
        MeasureDemands(local, now);
        DivideAmongReceivers(vm, local);
        DivideAmongSenders(vm, local);
    }
    m_partitionTimer.Set(m_partitionInterval.GetTimeStep());
}

void
HosePairController::Start(End& end, uint64_t bytes, int64_t now) const
{
    end.isActive = true;
    end.quiet = 0;
    end.seen = bytes;
    end.since = now;
    end.bytes = bytes;
    end.demand = UNBOUNDED;
}

void
HosePairController::Watch(End& end, uint64_t bytes, bool waits) const
{
    end.quiet = bytes > end.seen || waits ? 0 : end.quiet + 1;
    end.isActive = end.quiet < m_activeIntervals;
    end.seen = bytes;
}

void
HosePairController::DropInactive(LocalVm& local)
{
    for (SenderEnd* end : local.senders)
    {
        Watch(*end, end->channel->GetStatistics().sentBytes, end->channel->GetWaitingPackets() > 0);
        if (!end->isActive)
        {
            end->channel->SetInactive();
            GetUnguaranteed().Leave(end->pair);
            OnDeactivate(*end->channel);
        }
    }
    for (Receiver* receiver : local.receivers)
    {
        Watch(receiver->m_end, receiver->GetBytes(), false);
    }
    std::erase_if(local.senders, [](const SenderEnd* end) { return !end->isActive; });
    std::erase_if(local.receivers, [](const Receiver* r) { return !r->m_end.isActive; });
}

void
HosePairController::Measure(End& end, uint64_t bytes, bool waits, double reference, int64_t now)
    const
{
    const double seconds = TimeStep(now - end.since).ToDouble(Time::S);
    if (m_partition == MAX_MIN && seconds > 0)
    {
        const double rate = 8.0 * static_cast<double>(bytes - end.bytes) / seconds;
        const bool bounded = !waits && rate < BOUNDED_BELOW * reference;
        end.demand = bounded ? m_demandFactor * rate : UNBOUNDED;
    }
    end.bytes = bytes;
    end.since = now;
}

void
HosePairController::MeasureDemands(LocalVm& local, int64_t now)
{
    for (SenderEnd* end : local.senders)
    {
        Measure(*end,
                end->channel->GetStatistics().sentBytes,
                end->channel->GetWaitingPackets() > 0,
                end->guarantee,
                now);
    }
    for (Receiver* receiver : local.receivers)
    {
        End& end = receiver->m_end;
        Measure(end, receiver->GetBytes(), false, end.share, now);
    }
}

std::vector<double>
HosePairController::Divide(DataRate hose, std::vector<double> bounds) const
{
    if (m_partition == EQUAL)
    {
        std::fill(bounds.begin(), bounds.end(), UNBOUNDED);
    }
    return PartitionHose(static_cast<double>(hose.GetBitRate()), bounds);
}

void
HosePairController::DivideAmongSenders(uint32_t vm, LocalVm& local)
{
    std::vector<SenderEnd*> ends; // a pipe is beside the hose
    std::vector<double> bounds;
    for (SenderEnd* end : local.senders)
    {
        if (!HasPipe(end->pair))
        {
            ends.push_back(end);
            bounds.push_back(std::min(end->demand, end->granted));
        }
    }
    const std::vector<double> shares = Divide(GetTenants().GetVm(vm).send, bounds);
    for (size_t i = 0; i < ends.size(); ++i)
    {
        ends[i]->share = shares[i];
    }
    for (SenderEnd* end : local.senders)
    {
        Grant(*end);
    }
}

void
HosePairController::AdmitReceivers(uint32_t vm, LocalVm& local)
{
    if (local.receiversJoined)
    {
        DivideAmongReceivers(vm, local);
    }
}

void
HosePairController::DivideAmongReceivers(uint32_t vm, LocalVm& local)
{
    local.receiversJoined = false;
    std::vector<End*> ends;
    std::vector<double> bounds;
    for (Receiver* receiver : local.receivers)
    {
        if (!HasPipe(receiver->GetPair()))
        {
            ends.push_back(&receiver->m_end);
            bounds.push_back(receiver->m_end.demand);
        }
    }
    const std::vector<double> shares = Divide(GetTenants().GetVm(vm).receive, bounds);
    for (size_t i = 0; i < ends.size(); ++i)
    {
        ends[i]->share = shares[i];
    }
}

UnguaranteedPairs&
HosePairController::GetUnguaranteed()
{
    if (!m_unguaranteed) [[unlikely]]
    {
        m_unguaranteed = UnguaranteedPairs::Of(GetEdge());
    }
    return *m_unguaranteed;
}

double
HosePairController::GetLeastGuarantee(uint32_t pair)
{
    const auto least = static_cast<double>(m_leastGuarantee.GetBitRate());
    UnguaranteedPairs& pairs = GetUnguaranteed();
    return pairs.Includes(pair) ? std::min(least, pairs.GetShare(pair)) : least;
}

void
HosePairController::Grant(SenderEnd& end)
{
    const DataRate pipe = GetTenants().GetVmPair(end.pair).pipe;
    const double guarantee = pipe.GetBitRate() > 0 ? static_cast<double>(pipe.GetBitRate())
                                                   : std::max(std::min(end.share, end.granted),
                                                              GetLeastGuarantee(end.pair));
    if (guarantee != end.guarantee)
    {
        NS_LOG_LOGIC("pair " << end.pair << " is guaranteed " << guarantee << " bit/s");
        end.guarantee = guarantee;
        SetGuarantee(*end.channel, guarantee);
    }
}

void
HosePairController::SendReports(const LocalVm& local, int64_t now) const
{
    for (Receiver* receiver : local.receivers)
    {
        if (NeedsReports(receiver->GetPair()))
        {
            PairReport report = receiver->MakeReport(now);
            report.share = HasPipe(receiver->GetPair()) ? -1 : receiver->m_end.share;
            GetEdge().SendReport(report);
        }
    }
}

} // namespace ns3
