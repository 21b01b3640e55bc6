/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARETO_FLOW_SIZE_DISTRIBUTION_H
#define PARETO_FLOW_SIZE_DISTRIBUTION_H

#include "flow-size-distribution.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Pareto flow sizes. The defaults are AFQ's synthetic workload (Section 6.2.1).
 */
class ParetoFlowSizeDistribution : public FlowSizeDistribution
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

    /**
     * @brief Smallest size, the law's scale.
     * @return size in bytes
     */
    double Scale() const;

    double m_shape; //!< tail exponent
    double m_mean;  //!< mean without clipping in bytes
};

} // namespace ns3

#endif /* PARETO_FLOW_SIZE_DISTRIBUTION_H */
