/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VL2_TOPOLOGY_H
#define VL2_TOPOLOGY_H

#include "topology.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief VL2 (Greenberg et al., SIGCOMM 2009): racks with few fast up-links, which are faster than
 * the servers' links.
 *
 * The wiring is that of the DRB paper (CoNEXT 2013, Sections 2.1 and 3.2). Each rack switch has D0
 * up-links. Each of the D2 aggregation switches has D1 ports, half of them down to racks and half
 * of them up, one to each of the D1/2 spines. Aggregation switches form groups of D0; the D1/2
 * racks of a group are joined to all of it. So aggregation switch i has port i at every spine, and
 * its up-link number s leads to spine s.
 */
class Vl2Topology : public Topology
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
        uint32_t spines;       //!< spine switches, also racks per group
        uint32_t groups;       //!< groups of aggregation switches kept
        uint32_t hostsPerRack; //!< servers of a rack
    };

    /**
     * @brief Work the counts out.
     * @return the counts
     * @throws InputError if attributes contradict each other
     */
    Counts Count() const;

    /**
     * @brief Add a group of aggregation switches with its racks and its links to the spines.
     * @param fabric the fabric
     * @param counts the numbers
     * @param spines the spine switches
     */
    void AddGroup(Fabric& fabric,
                  const Counts& counts,
                  const std::vector<Fabric::End>& spines) const;

    uint32_t m_d0;             //!< up-links of a rack switch
    uint32_t m_d1;             //!< ports of an aggregation switch
    uint32_t m_d2;             //!< ports of a spine switch: aggregation switches
    uint32_t m_groups;         //!< groups kept; 0: all
    double m_oversubscription; //!< server links over up-links of a rack
    DataRate m_hostRate;       //!< of links between servers and rack switches
    DataRate m_fabricRate;     //!< of links between switches
    Time m_linkDelay;          //!< propagation delay of every link
};

} // namespace ns3

#endif /* VL2_TOPOLOGY_H */
