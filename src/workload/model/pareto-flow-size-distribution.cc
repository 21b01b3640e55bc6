/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pareto-flow-size-distribution.h"

#include "ns3/double.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ParetoFlowSizeDistribution);

TypeId
ParetoFlowSizeDistribution::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ParetoFlowSizeDistribution")
            .SetParent<FlowSizeDistribution>()
            .SetGroupName("Workload")
            .AddConstructor<ParetoFlowSizeDistribution>()
            .AddAttribute(
                "Shape",
                "Tail exponent; near 1 the mean grows without bound (AFQ, Section 6.2.1).",
                DoubleValue(1.1),
                MakeDoubleAccessor(&ParetoFlowSizeDistribution::m_shape),
                MakeDoubleChecker<double>(1.01, 1000))
            .AddAttribute("Mean",
                          "Mean without clipping, in bytes (AFQ, Section 6.2.1).",
                          DoubleValue(30000),
                          MakeDoubleAccessor(&ParetoFlowSizeDistribution::m_mean),
                          MakeDoubleChecker<double>(1, MAX_FLOW_SIZE));
    return tid;
}

double
ParetoFlowSizeDistribution::Scale() const
{
    return m_mean * (m_shape - 1) / m_shape;
}

double
ParetoFlowSizeDistribution::DoQuantile(double probability) const
{
    return Scale() * std::pow(1 - probability, -1 / m_shape);
}

double
ParetoFlowSizeDistribution::DoCdf(double bytes) const
{
    return bytes <= Scale() ? 0.0 : 1 - std::pow(Scale() / bytes, m_shape);
}

double
ParetoFlowSizeDistribution::DoLimitedMean(double limit) const
{
    if (limit <= Scale())
    {
        return limit;
    }
    // The mean less what lies beyond the limit: the integral of 1 - CDF from there on.
    return m_mean - Scale() / (m_shape - 1) * std::pow(Scale() / limit, m_shape - 1);
}

} // namespace ns3
