/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pwc-pair-controller.h"

#include "base-rtt.h"

#include "ns3/boolean.h"
#include "ns3/departure-stamp.h"
#include "ns3/double.h"
#include "ns3/fabric-host.h"
#include "ns3/fabric.h"
#include "ns3/pair-edge.h"
#include "ns3/tenant-table.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PwcPairController);

namespace
{

constexpr uint32_t REPORT_SIZE = 46; //!< PairEdge::ReportSize, for base RTTs

/// Swift's target delay, without flow scaling, over the base RTT of a pair (a choice, as Swift's
/// BaseTargetFactor).
constexpr double TARGET_FACTOR = 1.25;
/// fs_range of Swift over the base RTT of a pair (5 in the published model of csg-htsim).
constexpr double SCALING_FACTOR = 5;
/// Time after which what was not reported is lost, in ms (a choice: longer than 4 MB take at 10
/// Gbit/s).
constexpr int64_t LOST_AFTER = 4;
/// Constants of Swift for a pair of weight 1 (those of published models).
constexpr SwiftWindow::Parameters SWIFT{.increase = 1,
                                        .decrease = 0.8,
                                        .maxDecrease = 0.5,
                                        .minWindow = 0.001,
                                        .maxWindow = 1000,
                                        .hopDelay = 0,
                                        .scalingRange = 0,
                                        .scalingMinWindow = 0.1,
                                        .scalingMaxWindow = 100,
                                        .resetAfter = 5};

} // namespace

/// @brief Takes stamps off and says what its VM grants.
class PwcPairController::CountingReceiver : public HosePairController::Receiver
{
  public:
    using Receiver::Receiver;

    void OnReceive(FabricItem& item, int64_t now) override
    {
        Receiver::OnReceive(item, now);
        DepartureStamp::TakeOff(item, m_report);
    }

    PairReport MakeReport(int64_t now) override
    {
        reported = GetBytes();
        return Receiver::MakeReport(now);
    }

    /**
     * @brief The VM's grant has changed.
     * @param rate in bit/s
     */
    void SetGrantedRate(double rate)
    {
        m_report.extra[PwcChannel::RATE_EXTRA] = static_cast<uint64_t>(rate);
    }

    uint64_t reported{0}; //!< bytes when the last report was made
    int64_t quiet{0};     //!< control intervals since data came
    bool isActive{false}; //!< true if it stands in ReceivingVm::senders
};

TypeId
PwcPairController::GetTypeId()
{
    using Self = PwcPairController;
    static TypeId tid =
        TypeId("ns3::PwcPairController")
            .SetParent<HosePairController>()
            .SetGroupName("Schemes")
            .AddConstructor<PwcPairController>()
            .AddAttribute("Picnic",
                          "Whether receivers grant rates (PicNIC')",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_picnic),
                          MakeBooleanChecker())
            .AddAttribute("Wcc",
                          "Whether pairs have a window of a weighted Swift (WCC)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_wcc),
                          MakeBooleanChecker())
            .AddAttribute("RateGain",
                          "alpha of the receiver's rate (EyeQ: 0.5)",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Self::m_gain),
                          MakeDoubleChecker<double>(0, 2))
            .AddAttribute("RateInterval",
                          "Control interval of the receiver's rate (EyeQ: 200 us)",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&Self::m_rateInterval),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("InactiveAfter",
                          "Time without data after which a VM has no part of its host's link, and "
                          "a sender is told no more rates (EyeQ: 10 ms)",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&Self::m_inactiveAfter),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("ReportEvery",
                          "Bytes of a pair from report to report (EyeQ: 10,000); with Wcc each "
                          "packet is reported",
                          UintegerValue(10000),
                          MakeUintegerAccessor(&Self::m_reportEvery),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DrainShare",
                          "Share of its link that a host grants (uFAB Section 5.1: 0.95 for all "
                          "schemes; EyeQ 0.9)",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&Self::m_drain),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("InitialShare",
                          "Share of its own link at which a pair sends until the receiver says "
                          "otherwise (EyeQ's module: 5 of 10 Gbit/s)",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Self::m_initialShare),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute("LeastRate",
                          "Least that a receiver grants (EyeQ's module: 1 Mbit/s)",
                          DataRateValue(DataRate("1Mbps")),
                          MakeDataRateAccessor(&Self::m_leastRate),
                          MakeDataRateChecker())
            .AddAttribute("BucketDepth",
                          "Most bytes that a pair sends at once (EyeQ: 64 KB)",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&Self::m_bucketDepth),
                          MakeUintegerChecker<uint32_t>(1500, 1U << 26))
            .AddAttribute("InitialWindow",
                          "First window in packets; 0: one bandwidth-delay product of the host's "
                          "link (a choice; neither paper says)",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Self::m_initialWindow),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("WindowValidation",
                          "As Swift's: whether a window grows only while it is used up (congestion "
                          "window validation, RFC 7661). Neither Swift's Algorithm 1 nor the "
                          "published model of csg-htsim asks for it",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_validation),
                          MakeBooleanChecker());
    return tid;
}

PwcPairController::PwcPairController()
    : m_rateTimer(DirectEvent::Call<&PwcPairController::HandleRateTimer>, this)
{
}

std::string
PwcPairController::GetSummary() const
{
    return "receivers grant rates (PicNIC'), pairs have a weighted Swift (WCC)";
}

void
PwcPairController::DoInstall()
{
    HosePairController::DoInstall();
    FabricHost& host = GetEdge().GetFabric().GetHost(GetHost());
    m_linkRate = static_cast<double>(host.GetNicPort().GetDescription().rate.GetBitRate());
}

void
PwcPairController::DoDispose()
{
    m_rateTimer.Cancel();
    m_vms.clear();
    m_channels.clear();
    HosePairController::DoDispose();
}

std::optional<uint32_t>
PwcPairController::GetBucketDepth() const
{
    return m_picnic ? std::optional(m_bucketDepth) : std::nullopt;
}

std::unique_ptr<PairChannel>
PwcPairController::CreateChannel(uint32_t pair)
{
    const Time baseRtt = GetBaseRtt(GetEdge().GetFabric(),
                                    GetTenants().GetSource(pair),
                                    GetTenants().GetDestination(pair),
                                    PwcChannel::PACKET,
                                    REPORT_SIZE);
    PwcChannel::Parts parts;
    if (m_picnic)
    {
        const auto rate = static_cast<uint64_t>(m_initialShare * m_linkRate);
        parts.bucket.emplace(DataRate(rate), m_bucketDepth, NanosecondClock().Now());
    }
    if (m_wcc)
    {
        const auto rtt = static_cast<double>(baseRtt.GetTimeStep());
        const double bdp = m_linkRate * baseRtt.GetSeconds() / 8 / PwcChannel::PACKET;
        SwiftWindow::Parameters swift = SWIFT;
        swift.scalingRange = SCALING_FACTOR * rtt;
        swift.validation = m_validation;
        parts.window.emplace(swift,
                             TARGET_FACTOR * rtt,
                             m_initialWindow > 0 ? m_initialWindow : std::max(1.0, bdp));
    }
    auto channel =
        std::make_unique<PwcChannel>(GetChannelTerms(), parts, baseRtt, MilliSeconds(LOST_AFTER));
    m_channels.push_back(channel.get());
    return channel;
}

std::unique_ptr<PairReceiver>
PwcPairController::CreateReceiver(uint32_t pair)
{
    return std::make_unique<CountingReceiver>(pair);
}

bool
PwcPairController::NeedsReports(uint32_t /* pair */) const
{
    return true;
}

double
PwcPairController::GetWeight(double guarantee) const
{
    return m_meanHose > 0 && guarantee > 0 ? guarantee / m_meanHose : 1;
}

bool
PwcPairController::UpdateMeanHose()
{
    const TenantTable& tenants = GetTenants();
    if (tenants.GetNVms() == m_countedVms)
    {
        return false;
    }
    m_countedVms = tenants.GetNVms();
    double sum = 0;
    for (VmId vm = 0; vm < m_countedVms; ++vm)
    {
        sum += static_cast<double>(tenants.GetVm(vm).send.GetBitRate());
    }
    m_meanHose = sum / m_countedVms;
    return true;
}

void
PwcPairController::SetGuarantee(PairChannel& channel, double guarantee)
{
    UpdateMeanHose();
    static_cast<PwcChannel&>(channel).SetWeight(GetWeight(guarantee));
}

void
PwcPairController::OnInterval(int64_t now)
{
    HosePairController::OnInterval(now);
    if (UpdateMeanHose()) // VMs have come into being with their first flow
    {
        for (PwcChannel* channel : m_channels)
        {
            channel->SetWeight(GetWeight(GetGuarantee(channel->GetPair())));
        }
    }
}

double
PwcPairController::GetGrantedRate(uint32_t vm) const
{
    const auto found = m_vms.find(vm);
    return found == m_vms.end() ? 0 : found->second.law.GetRate();
}

void
PwcPairController::OnReceive(PairReceiver& receiver, FabricItem& item, int64_t now)
{
    HosePairController::OnReceive(receiver, item, now);
    auto& own = static_cast<CountingReceiver&>(receiver);
    if (m_picnic)
    {
        CountForGrant(own, item.size);
    }
    if (m_wcc || own.GetBytes() - own.reported >= m_reportEvery)
    {
        GetEdge().SendReport(own.MakeReport(now));
    }
}

void
PwcPairController::CountForGrant(CountingReceiver& receiver, uint32_t bytes)
{
    const uint32_t number = GetTenants().GetVmPair(receiver.GetPair()).to;
    ReceivingVm& vm = m_vms
                          .try_emplace(number,
                                       ReceivingVm{{m_gain,
                                                    static_cast<double>(m_leastRate.GetBitRate()),
                                                    m_drain * m_linkRate}})
                          .first->second;
    vm.bytes += bytes;
    receiver.SetGrantedRate(vm.law.GetRate());
    if (!receiver.isActive)
    {
        receiver.isActive = true;
        vm.senders.push_back(&receiver);
    }
    receiver.quiet = 0;
    if (!m_rateTimer.IsPending())
    {
        m_rateTimer.Set(m_rateInterval.GetTimeStep());
    }
}

void
PwcPairController::HandleRateTimer()
{
    const int64_t now = DirectEvent::Now();
    const auto getGuarantee = [this](uint32_t vm) {
        return static_cast<double>(
            std::max(GetTenants().GetVm(vm).receive, m_leastRate).GetBitRate());
    };
    double sum = 0;
    for (const auto& [number, vm] : m_vms)
    {
        sum += getGuarantee(number);
    }
    const double drain = m_drain * m_linkRate;
    for (auto& [number, vm] : m_vms)
    {
        vm.law.Update(8 * static_cast<double>(vm.bytes) / m_rateInterval.GetSeconds(),
                      getGuarantee(number) / sum * drain);
        vm.bytes = 0;
        TellSenders(vm, now);
    }
    // A VM that was silent for long starts with all of the link again.
    std::erase_if(m_vms, [](const auto& entry) { return entry.second.senders.empty(); });
    if (!m_vms.empty())
    {
        m_rateTimer.Set(m_rateInterval.GetTimeStep());
    }
}

void
PwcPairController::TellSenders(ReceivingVm& vm, int64_t now)
{
    const int64_t most = m_inactiveAfter.GetTimeStep() / m_rateInterval.GetTimeStep();
    for (CountingReceiver* receiver : vm.senders)
    {
        receiver->isActive = ++receiver->quiet <= most;
        receiver->SetGrantedRate(vm.law.GetRate());
        GetEdge().SendReport(receiver->MakeReport(now));
    }
    std::erase_if(vm.senders, [](const CountingReceiver* r) { return !r->isActive; });
}

} // namespace ns3
