/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GENERALIZED_PARETO_FLOW_SIZE_DISTRIBUTION_H
#define GENERALIZED_PARETO_FLOW_SIZE_DISTRIBUTION_H

#include "flow-size-distribution.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Generalized Pareto flow sizes from 0 on, as those of values in a key-value cache (Atikoglu
 * et al., SIGMETRICS 2012, Section 5.2).
 */
class GeneralizedParetoFlowSizeDistribution : public FlowSizeDistribution
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
     * @brief The law's scale.
     * @return size in bytes
     */
    double Scale() const;

    double m_shape; //!< attribute Shape
    double m_mean;  //!< attribute Mean
};

} // namespace ns3

#endif /* GENERALIZED_PARETO_FLOW_SIZE_DISTRIBUTION_H */
