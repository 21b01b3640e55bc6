/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXPONENTIAL_FLOW_SIZE_DISTRIBUTION_H
#define EXPONENTIAL_FLOW_SIZE_DISTRIBUTION_H

#include "flow-size-distribution.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Exponential flow sizes: a light tail, for comparison with queueing theory.
 */
class ExponentialFlowSizeDistribution : public FlowSizeDistribution
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    double DoQuantile(double probability) const override;
    double DoCdf(double bytes) const override;
    double DoLimitedMean(double limit) const override;

    double m_mean; //!< mean without clipping in bytes
};

} // namespace ns3

#endif /* EXPONENTIAL_FLOW_SIZE_DISTRIBUTION_H */
