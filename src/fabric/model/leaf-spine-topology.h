/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAF_SPINE_TOPOLOGY_H
#define LEAF_SPINE_TOPOLOGY_H

#include "topology.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Two tiers of switches: every leaf has a link to every spine, hosts are attached to leaves.
 *
 * Oversubscription is HostsPerLeaf x HostRate / (Spines x FabricRate). The defaults are the cluster
 * of AFQ (NSDI 2018), section 6.2.1, whose 10 us round trip comes from 0.86 us per link.
 */
class LeafSpineTopology : public Topology
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void AddTo(Fabric& fabric) const override;
    std::string GetSummary() const override;

  private:
    uint32_t m_leaves;       //!< number of leaf switches
    uint32_t m_hostsPerLeaf; //!< hosts attached to each leaf
    uint32_t m_spines;       //!< number of spine switches
    DataRate m_hostRate;     //!< of links between hosts and leaves
    DataRate m_fabricRate;   //!< of links between leaves and spines
    Time m_linkDelay;        //!< propagation delay of every link
};

} // namespace ns3

#endif /* LEAF_SPINE_TOPOLOGY_H */
