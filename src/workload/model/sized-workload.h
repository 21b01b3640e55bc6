/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIZED_WORKLOAD_H
#define SIZED_WORKLOAD_H

#include "flow-size-distribution.h"
#include "workload.h"

#include "ns3/spec.h"

#include <string>

namespace ns3
{

/**
 * @ingroup workload
 * @brief A workload whose flow sizes come from a distribution.
 */
class SizedWorkload : public Workload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Choose the flow sizes by what a user typed.
     * @param spec as CreateFlowSizes() takes it
     */
    void SetSizes(const Spec& spec);

    /**
     * @brief The argument of SetSizes().
     * @return the specification
     */
    Spec GetSizesSpec() const;

    /**
     * @brief The flow sizes, for their mean.
     * @return the distribution
     * @throw InputError if what was chosen is no distribution
     */
    Ptr<FlowSizeDistribution> GetSizes() const;

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;
    void DoPrepare() override;

  private:
    Spec m_spec;                               //!< argument of SetSizes()
    mutable Ptr<FlowSizeDistribution> m_sizes; //!< the distribution; null until first needed
};

} // namespace ns3

#endif /* SIZED_WORKLOAD_H */
