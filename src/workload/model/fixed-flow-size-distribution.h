/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIXED_FLOW_SIZE_DISTRIBUTION_H
#define FIXED_FLOW_SIZE_DISTRIBUTION_H

#include "flow-size-distribution.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Flows of one size.
 */
class FixedFlowSizeDistribution : public FlowSizeDistribution
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

    double m_bytes; //!< the size in bytes
};

} // namespace ns3

#endif /* FIXED_FLOW_SIZE_DISTRIBUTION_H */
