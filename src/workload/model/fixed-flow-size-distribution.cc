/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-flow-size-distribution.h"

#include "ns3/double.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FixedFlowSizeDistribution);

TypeId
FixedFlowSizeDistribution::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FixedFlowSizeDistribution")
                            .SetParent<FlowSizeDistribution>()
                            .SetGroupName("Workload")
                            .AddConstructor<FixedFlowSizeDistribution>()
                            .AddAttribute("Bytes",
                                          "Size of every flow in bytes.",
                                          DoubleValue(100000),
                                          MakeDoubleAccessor(&FixedFlowSizeDistribution::m_bytes),
                                          MakeDoubleChecker<double>(1, MAX_FLOW_SIZE));
    return tid;
}

double
FixedFlowSizeDistribution::DoQuantile(double /* probability */) const
{
    return m_bytes;
}

double
FixedFlowSizeDistribution::DoCdf(double bytes) const
{
    return bytes < m_bytes ? 0.0 : 1.0;
}

double
FixedFlowSizeDistribution::DoLimitedMean(double limit) const
{
    return std::min(m_bytes, limit);
}

} // namespace ns3
