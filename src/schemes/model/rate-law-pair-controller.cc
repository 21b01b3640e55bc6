/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rate-law-pair-controller.h"

#include "ns3/enum.h"
#include "ns3/fabric-host.h"
#include "ns3/fabric.h"
#include "ns3/pair-edge.h"
#include "ns3/report-header-writer.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RateLawPairController);

TypeId
RateLawPairController::GetTypeId()
{
    static TypeId tid = MarkReceiver::Settings::AddAttributes(
        TypeId("ns3::RateLawPairController")
            .SetParent<HosePairController>()
            .SetGroupName("Schemes")
            .AddAttribute("BucketDepth",
                          "Most bytes that a pair sends at once, at least the largest packet "
                          "(Trinity's prototype: 32768)",
                          UintegerValue(32768),
                          MakeUintegerAccessor(&RateLawPairController::m_bucketDepth),
                          MakeUintegerChecker<uint32_t>(1500, MAX_BURST))
            .AddAttribute(
                "Signal",
                "What counts as congestion: ECN marks, or losses, which are what left "
                "an interval ago and has not arrived",
                EnumValue(RateLawChannel::MARKS),
                MakeEnumAccessor<RateLawChannel::Signal>(&RateLawPairController::m_signal),
                MakeEnumChecker(RateLawChannel::MARKS, "Marks", RateLawChannel::LOSSES, "Losses")));
    return tid;
}

double
RateLawPairController::GetLinkRate() const
{
    FabricHost& host = GetEdge().GetFabric().GetHost(GetHost());
    return static_cast<double>(host.GetNicPort().GetDescription().rate.GetBitRate());
}

std::optional<uint32_t>
RateLawPairController::GetBucketDepth() const
{
    return m_bucketDepth;
}

std::unique_ptr<PairChannel>
RateLawPairController::CreateChannel(uint32_t /* pair */)
{
    return std::make_unique<RateLawChannel>(GetChannelTerms(),
                                            m_bucketDepth,
                                            m_signal,
                                            CreateLaw());
}

std::unique_ptr<PairReceiver>
RateLawPairController::CreateReceiver(uint32_t pair)
{
    return std::make_unique<MarkReceiver>(pair, MarkReceiver::ANY_DSCP, markUnit);
}

std::unique_ptr<ItemHeaderWriter>
RateLawPairController::CreateHeaderWriter() const
{
    return std::make_unique<ReportHeaderWriter>();
}

bool
RateLawPairController::NeedsReports(uint32_t /* pair */) const
{
    return true;
}

void
RateLawPairController::SetGuarantee(PairChannel& channel, double guarantee)
{
    static_cast<RateLawChannel&>(channel).SetGuarantee(guarantee);
}

void
RateLawPairController::OnActivate(PairChannel& channel, int64_t now)
{
    HosePairController::OnActivate(channel, now);
    static_cast<RateLawChannel&>(channel).Restart();
}

} // namespace ns3
