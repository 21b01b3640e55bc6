/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOSE_POISSON_WORKLOAD_H
#define HOSE_POISSON_WORKLOAD_H

#include "poisson-workload.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Flows from each VM of a tenant to a few others, in proportion to what VMs are guaranteed
 * (for uFAB, Section 5.5).
 *
 * Load and Capacity are those of all tenants together: a tenant has the part that its VMs have of
 * what all VMs are guaranteed to send, and a VM the same part of its tenant's. Each VM draws its
 * peers once: one, and another with a probability, again and again.
 */
class HosePoissonWorkload : public PoissonWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

    /**
     * @brief Rate at which the tenant's flows arrive, once it is prepared.
     * @return flows per second
     * @throw InputError if the attributes do not give one
     */
    double GetFlowRate() const override;

  private:
    void DoPrepare() override;
    void DrawPair(FlowRequest& request) override;

    /**
     * @brief Draw whom a VM sends to.
     * @param vm its index
     * @return indices of others, on other hosts
     */
    std::vector<uint32_t> DrawPeers(uint32_t vm);

    double m_part{0};                           //!< of all flows
    std::vector<double> m_guarantees;           //!< of the first VM, the first two, ..., in bit/s
    std::vector<std::vector<uint32_t>> m_peers; //!< by VM
};

} // namespace ns3

#endif /* HOSE_POISSON_WORKLOAD_H */
