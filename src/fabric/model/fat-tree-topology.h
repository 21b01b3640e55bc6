/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAT_TREE_TOPOLOGY_H
#define FAT_TREE_TOPOLOGY_H

#include "topology.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Three tiers of switches with K ports each (Al-Fares et al., SIGCOMM 2008, section 3.1).
 *
 * A pod has K/2 edge and K/2 aggregation switches, each edge with K/2 hosts; (K/2)^2 core switches
 * join K pods. Aggregation switch number i of each pod has links to cores i*K/2 ... i*K/2 + K/2-1.
 *
 * Three attributes depart from that. Pods keeps fewer pods than K, with all cores. An edge
 * oversubscription r attaches r * K/2 hosts to each edge switch instead of K/2. An aggregation
 * oversubscription r leaves K/2 / r of the K/2 core links of each aggregation switch, and as many
 * cores as those need.
 */
class FatTreeTopology : public Topology
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    void AddTo(Fabric& fabric) const override;
    std::string GetSummary() const override;

  private:
    /// @brief Numbers that follow from the attributes.
    struct Counts
    {
        uint32_t pods;         //!< number of pods
        uint32_t half;         //!< edge switches per pod, also aggregation switches per pod
        uint32_t hostsPerEdge; //!< hosts attached to each edge switch
        uint32_t uplinks;      //!< core links of each aggregation switch
    };

    /**
     * @brief Work the counts out.
     * @return the counts
     * @throws InputError if attributes contradict each other
     */
    Counts Count() const;

    /**
     * @brief Add a pod with its links to the cores.
     * @param fabric the fabric
     * @param counts the numbers
     * @param cores the core switches
     */
    void AddPod(Fabric& fabric, const Counts& counts, const std::vector<Fabric::End>& cores) const;

    uint32_t m_k;                         //!< ports per switch
    uint32_t m_pods;                      //!< pods kept; 0: all
    double m_edgeOversubscription;        //!< host over aggregation links of an edge switch
    double m_aggregationOversubscription; //!< edge over core links of an aggregation switch
    DataRate m_hostRate;                  //!< of links between hosts and edge switches
    DataRate m_fabricRate;                //!< of links between edge and aggregation switches
    DataRate m_coreRate;                  //!< of links between aggregation and core switches
    Time m_linkDelay;                     //!< propagation delay of every link
};

} // namespace ns3

#endif /* FAT_TREE_TOPOLOGY_H */
