/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trinity-pair-controller.h"

#include "trinity-colours.h"

#include "ns3/boolean.h"
#include "ns3/pair-edge.h"
#include "ns3/pair-queue-disc.h"
#include "ns3/report-header-writer.h"
#include "ns3/results.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TrinityPairController);

namespace
{

constexpr int64_t FORGET_AFTER = 60; //!< seconds after which an idle flow is forgotten (a choice)

} // namespace

TypeId
TrinityPairController::GetTypeId()
{
    static TypeId tid =
        TrinityRateControl::Settings::AddAttributes(
            MarkReceiver::Settings::AddAttributes(TypeId("ns3::TrinityPairController")
                                                      .SetParent<HosePairController>()
                                                      .SetGroupName("Trinity")
                                                      .AddConstructor<TrinityPairController>()))
            .AddAttribute("FlowThreshold",
                          "Bytes of payload from which on a flow is long (Section 3.2: a few or "
                          "tens of KB; prototype: 100 KiB)",
                          UintegerValue(102400),
                          MakeUintegerAccessor(&TrinityPairController::m_threshold),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("FlowIdleReset",
                          "Idle time after which a flow counts as short again, for connections "
                          "that carry many short messages (Section 4.1, footnote 1, which names no "
                          "time); 0: never",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&TrinityPairController::m_idleReset),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("GreenBucketDepth",
                          "Most green tokens of a pair, in bytes (prototype: 32 KiB)",
                          UintegerValue(32768),
                          MakeUintegerAccessor(&TrinityPairController::m_greenDepth),
                          MakeUintegerChecker<uint32_t>(1500, MAX_BURST))
            .AddAttribute("RedBucketDepth",
                          "Most red tokens of a pair, in bytes (prototype: 32 KiB)",
                          UintegerValue(32768),
                          MakeUintegerAccessor(&TrinityPairController::m_redDepth),
                          MakeUintegerChecker<uint32_t>(1500, MAX_BURST))
            .AddAttribute("Tau",
                          "How long a flow's change from red to green is put off (Section 3.3, "
                          "Problem 3, which names no time; a choice: about one base RTT). Never "
                          "longer than the green bucket takes to fill from the one packet "
                          "whose tokens it has by then; 0: changes at once",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&TrinityPairController::m_tau),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TickInterval",
                          "Time between the releases of a polling shim (prototype: 100 us); 0: "
                          "packets leave as soon as they have their tokens",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&TrinityPairController::m_tick),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DetectTrapping",
                          "Whether R_W falls to TrappedRate when red packets were sent and none "
                          "came (Section 3.3, Problem 2)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TrinityPairController::m_detectTrapping),
                          MakeBooleanChecker())
            .AddAttribute("TrapConfirmIntervals",
                          "Reports in a row without red packets after which a pair is trapped (a "
                          "choice; the paper has 1)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TrinityPairController::m_trapIntervals),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("BaseRtt",
                          "Red packets that left so long before a report came are missed there (a "
                          "choice; the paper does not say which interval it compares)",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&TrinityPairController::m_baseRtt),
                          MakeTimeChecker(Time(0)));
    return tid;
}

TrinityPairController::TrinityPairController()
    : m_rates([](PairChannel& channel, double guaranteed, double spare) {
          static_cast<TrinityChannel&>(channel).SetRates(guaranteed, spare);
      })
{
}

std::string
TrinityPairController::GetSummary() const
{
    return "Trinity's shim: guaranteed traffic green, work-conserving traffic red";
}

void
TrinityPairController::DoInstall()
{
    HosePairController::DoInstall();
    m_rates.Install(*this, GetEdge(), GetHost());
    m_channel.limit = GetChannelTerms().limit;
    m_channel.greenDepth = m_greenDepth;
    m_channel.redDepth = m_redDepth;
    m_channel.classification.threshold = m_threshold;
    m_channel.classification.idleReset = m_idleReset.GetTimeStep();
    m_channel.classification.forget = Seconds(FORGET_AFTER).GetTimeStep();
    m_channel.classification.fabric = &GetEdge().GetFabric();
    m_channel.tau = m_tau.GetNanoSeconds();
    m_channel.tick = m_tick.GetNanoSeconds();
}

void
TrinityPairController::DoDispose()
{
    m_rates.Clear();
    HosePairController::DoDispose();
}

std::optional<uint32_t>
TrinityPairController::GetBucketDepth() const
{
    return std::min(m_greenDepth, m_redDepth);
}

void
TrinityPairController::ReportResults(Results& results) const
{
    double green = 0;
    double red = 0;
    for (uint32_t host = 0; host < GetEdge().GetFabric().GetNHosts(); ++host)
    {
        for (const auto& channel : GetEdge().GetQueueDisc(host).GetChannels())
        {
            if (const auto own = dynamic_cast<const TrinityChannel*>(channel.get()))
            {
                green += static_cast<double>(own->GetColourStatistics().greenBytes);
                red += static_cast<double>(own->GetColourStatistics().redBytes);
            }
        }
    }
    results.Add("trinity_green_bytes", green);
    results.Add("trinity_red_bytes", red);
}

std::unique_ptr<PairChannel>
TrinityPairController::CreateChannel(uint32_t /* pair */)
{
    return std::make_unique<TrinityChannel>(m_channel);
}

std::unique_ptr<PairReceiver>
TrinityPairController::CreateReceiver(uint32_t pair)
{
    return std::make_unique<MarkReceiver>(pair, GetDscp(TrinityColour::RED), markUnit);
}

std::unique_ptr<ItemHeaderWriter>
TrinityPairController::CreateHeaderWriter() const
{
    return std::make_unique<ReportHeaderWriter>();
}

bool
TrinityPairController::NeedsReports(uint32_t /* pair */) const
{
    return true;
}

void
TrinityPairController::OnActivate(PairChannel& channel, int64_t now)
{
    m_rates.Join(channel);
    HosePairController::OnActivate(channel, now); // divides the hose
    m_rates.Start(channel, GetGuarantee(channel.GetPair()));
}

void
TrinityPairController::OnDeactivate(PairChannel& channel)
{
    m_rates.Leave(channel);
}

void
TrinityPairController::SetGuarantee(PairChannel& channel, double guarantee)
{
    m_rates.SetGuarantee(channel, guarantee);
}

void
TrinityPairController::OnTermsChanged(uint32_t tenant)
{
    m_rates.ForgetReserved();
    HosePairController::OnTermsChanged(tenant);
}

void
TrinityPairController::OnReport(PairChannel& channel, const PairReport& report, int64_t now)
{
    HosePairController::OnReport(channel, report, now);
    const ReportFields fields = MarkReceiver::GetFields(report);
    const auto feedback = Judge(static_cast<TrinityChannel&>(channel), fields, now);
    m_rates.HandleReport(channel, fields.congestion, feedback);
}

SpareRateLaw::Feedback
TrinityPairController::Judge(TrinityChannel& channel, const ReportFields& fields, int64_t now)
{
    channel.AddRedReceived(fields.redPackets);
    const bool suspicious = m_detectTrapping && fields.congestion == ReportFields::NO_RED &&
                            channel.MissesRed(now - m_baseRtt.GetTimeStep());
    if (!suspicious)
    {
        channel.suspicions = 0;
        return SpareRateLaw::REPORT;
    }
    return ++channel.suspicions < m_trapIntervals ? SpareRateLaw::NO_REPORT : SpareRateLaw::TRAPPED;
}

void
TrinityPairController::OnInterval(int64_t now)
{
    m_rates.Update();
    for (PairChannel* channel : m_rates.GetActiveChannels())
    {
        static_cast<TrinityChannel*>(channel)->EndInterval(now);
    }
}

void
TrinityPairController::ReportState(const PairChannel& channel,
                                   int64_t now,
                                   const PairChannel::StateVisitor& visit) const
{
    HosePairController::ReportState(channel, now, visit);
    m_rates.ReportState(channel, visit);
}

} // namespace ns3
