/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "poisson-workload.h"

#include "ns3/double.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <vector>

namespace ns3
{

namespace
{

/// Probability that a VM sends to one more peer; the first is certain, so they are two on average.
constexpr double MORE_PEERS = 0.5;

} // namespace

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
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::HosePoissonWorkload")
                                .SetParent<PoissonWorkload>()
                                .SetGroupName("Workload")
                                .AddConstructor<HosePoissonWorkload>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "Flows between a tenant's VMs and a few peers each, in proportion to their "
               "guarantees";
    }

    /**
     * @brief Rate at which the tenant's flows arrive, once it is prepared.
     * @return flows per second
     * @throw InputError if the attributes do not give one
     */
    double GetFlowRate() const override
    {
        return m_part * PoissonWorkload::GetFlowRate();
    }

  private:
    void DoPrepare() override
    {
        const TenantTable* tenants = GetTenants();
        if (!tenants)
        {
            throw InputError("hose-poisson", "hosts", "is for the VMs of tenants");
        }
        double all = 0;
        for (VmId vm = 0; vm < tenants->GetNVms(); ++vm)
        {
            all += static_cast<double>(tenants->GetVm(vm).send.GetBitRate());
        }
        double sum = 0;
        m_guarantees.clear();
        for (const VmId vm : tenants->GetVmsOf(GetTenant()))
        {
            sum += static_cast<double>(tenants->GetVm(vm).send.GetBitRate());
            m_guarantees.push_back(sum);
        }
        if (sum == 0)
        {
            throw InputError("hose-poisson",
                             "no hose",
                             "the tenant's VMs must be guaranteed a rate");
        }
        m_part = sum / all;
        m_peers.clear();
        for (uint32_t vm = 0; vm < HostCount(); ++vm)
        {
            m_peers.push_back(DrawPeers(vm));
        }
        PoissonWorkload::DoPrepare();
    }

    void DrawPair(FlowRequest& request) override
    {
        const double drawn = m_pairs->GetValue(0, m_guarantees.back());
        request.source = static_cast<uint32_t>(std::ranges::upper_bound(m_guarantees, drawn) -
                                               m_guarantees.begin());
        const auto& peers = m_peers[request.source];
        request.destination = peers[RandomHostFrom(0, static_cast<uint32_t>(peers.size() - 1))];
    }

    /**
     * @brief Draw whom a VM sends to.
     * @param vm its index
     * @return indices of others, on other hosts
     */
    std::vector<uint32_t> DrawPeers(uint32_t vm)
    {
        std::vector<uint32_t> others;
        for (uint32_t other = 0; other < HostCount(); ++other)
        {
            if (!IsLocal(vm, other))
            {
                others.push_back(other);
            }
        }
        uint32_t peers = 1;
        while (peers < others.size() && m_pairs->GetValue(0, 1) < MORE_PEERS)
        {
            ++peers;
        }
        return RandomSample(others, peers);
    }

    double m_part{0};                           //!< of all flows
    std::vector<double> m_guarantees;           //!< of the first VM, the first two, ..., in bit/s
    std::vector<std::vector<uint32_t>> m_peers; //!< by VM
};

NS_OBJECT_ENSURE_REGISTERED(HosePoissonWorkload);

} // namespace ns3
