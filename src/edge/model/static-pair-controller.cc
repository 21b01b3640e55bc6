/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "static-pair-controller.h"

#include "limiter-channel.h"

#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StaticPairController);

TypeId
StaticPairController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::StaticPairController")
            .SetParent<HosePairController>()
            .SetGroupName("Edge")
            .AddConstructor<StaticPairController>()
            .AddAttribute("BucketDepth",
                          "Most bytes that a pair sends at once, at least the largest packet "
                          "(Trinity's prototype: 32768)",
                          UintegerValue(32768),
                          MakeUintegerAccessor(&StaticPairController::m_bucketDepth),
                          MakeUintegerChecker<uint32_t>(1500, MAX_BURST));
    return tid;
}

std::string
StaticPairController::GetSummary() const
{
    return "each pair is limited to its guarantee";
}

std::optional<uint32_t>
StaticPairController::GetBucketDepth() const
{
    return m_bucketDepth;
}

std::unique_ptr<PairChannel>
StaticPairController::CreateChannel(uint32_t /* pair */)
{
    return std::make_unique<LimiterChannel>(GetChannelTerms(), DataRate(0), m_bucketDepth);
}

void
StaticPairController::SetGuarantee(PairChannel& channel, double guarantee)
{
    static_cast<LimiterChannel&>(channel).SetRate(
        DataRate(static_cast<uint64_t>(std::llround(guarantee))));
}

} // namespace ns3
