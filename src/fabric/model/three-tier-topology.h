/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef THREE_TIER_TOPOLOGY_H
#define THREE_TIER_TOPOLOGY_H

#include "topology.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Pods of racks and aggregation switches, joined by cores, with any numbers of each.
 *
 * Every rack has a link to each aggregation switch of its pod. Every aggregation switch has
 * CoreLinks links to cores: number i of its pod to cores i * CoreLinks, i * CoreLinks + 1, ...,
 * counted round.
 */
class ThreeTierTopology : public Topology
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
    /**
     * @brief Core links of each aggregation switch.
     * @return their number
     * @throws InputError if the cores would not have equally many links
     */
    uint32_t GetCoreLinks() const;

    /**
     * @brief Add a pod with its links to the cores.
     * @param fabric the fabric
     * @param cores the core switches
     */
    void AddPod(Fabric& fabric, const std::vector<Fabric::End>& cores) const;

    uint32_t m_pods;         //!< number of pods
    uint32_t m_racks;        //!< per pod
    uint32_t m_hosts;        //!< per rack
    uint32_t m_aggregations; //!< per pod
    uint32_t m_cores;        //!< number of cores
    uint32_t m_coreLinks;    //!< per aggregation switch; 0: one to each core
    DataRate m_hostRate;     //!< of links between hosts and racks
    DataRate m_fabricRate;   //!< of links between racks and aggregation switches
    DataRate m_coreRate;     //!< of links between aggregation switches and cores
    Time m_linkDelay;        //!< propagation delay of every link
};

} // namespace ns3

#endif /* THREE_TIER_TOPOLOGY_H */
