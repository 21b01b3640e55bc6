/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exponential-flow-size-distribution.h"

#include "ns3/double.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ExponentialFlowSizeDistribution);

TypeId
ExponentialFlowSizeDistribution::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ExponentialFlowSizeDistribution")
            .SetParent<FlowSizeDistribution>()
            .SetGroupName("Workload")
            .AddConstructor<ExponentialFlowSizeDistribution>()
            .AddAttribute("Mean",
                          "Mean without clipping, in bytes.",
                          DoubleValue(100000),
                          MakeDoubleAccessor(&ExponentialFlowSizeDistribution::m_mean),
                          MakeDoubleChecker<double>(1, MAX_FLOW_SIZE));
    return tid;
}

double
ExponentialFlowSizeDistribution::DoQuantile(double probability) const
{
    return -m_mean * std::log1p(-probability);
}

double
ExponentialFlowSizeDistribution::DoCdf(double bytes) const
{
    return -std::expm1(-bytes / m_mean);
}

double
ExponentialFlowSizeDistribution::DoLimitedMean(double limit) const
{
    return -m_mean * std::expm1(-limit / m_mean);
}

} // namespace ns3
