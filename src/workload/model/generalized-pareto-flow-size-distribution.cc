/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "generalized-pareto-flow-size-distribution.h"

#include "ns3/double.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GeneralizedParetoFlowSizeDistribution);

TypeId
GeneralizedParetoFlowSizeDistribution::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::GeneralizedParetoFlowSizeDistribution")
            .SetParent<FlowSizeDistribution>()
            .SetGroupName("Workload")
            .AddConstructor<GeneralizedParetoFlowSizeDistribution>()
            .AddAttribute("Shape",
                          "Shape of the tail, the inverse of Pareto's exponent (Atikoglu et al., "
                          "SIGMETRICS 2012, Section 5.2).",
                          DoubleValue(0.348238),
                          MakeDoubleAccessor(&GeneralizedParetoFlowSizeDistribution::m_shape),
                          MakeDoubleChecker<double>(0.001, 0.99))
            .AddAttribute("Mean",
                          "Mean without clipping, in bytes; 329 in the same paper (scale 214.476).",
                          DoubleValue(329.072),
                          MakeDoubleAccessor(&GeneralizedParetoFlowSizeDistribution::m_mean),
                          MakeDoubleChecker<double>(1, MAX_FLOW_SIZE));
    return tid;
}

double
GeneralizedParetoFlowSizeDistribution::Scale() const
{
    return m_mean * (1 - m_shape);
}

double
GeneralizedParetoFlowSizeDistribution::DoQuantile(double probability) const
{
    return Scale() / m_shape * (std::pow(1 - probability, -m_shape) - 1);
}

double
GeneralizedParetoFlowSizeDistribution::DoCdf(double bytes) const
{
    return 1 - std::pow(1 + m_shape * bytes / Scale(), -1 / m_shape);
}

double
GeneralizedParetoFlowSizeDistribution::DoLimitedMean(double limit) const
{
    // The integral of 1 - CDF up to the limit.
    return m_mean * (1 - std::pow(1 + m_shape * limit / Scale(), 1 - 1 / m_shape));
}

} // namespace ns3
