/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DUMBBELL_TOPOLOGY_H
#define DUMBBELL_TOPOLOGY_H

#include "topology.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Two switches with a bottleneck between them and hosts at either side.
 *
 * Hosts 0 ... Left-1 are at the left, the others at the right. The bottleneck's ports have the role
 * "switch-switch".
 */
class DumbbellTopology : public Topology
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
    uint32_t m_left;           //!< hosts at the left
    uint32_t m_right;          //!< hosts at the right
    DataRate m_leftRate;       //!< of links to hosts at the left
    DataRate m_rightRate;      //!< of links to hosts at the right
    DataRate m_bottleneckRate; //!< of the link between the switches
    Time m_leftDelay;          //!< propagation delay of links to hosts at the left
    Time m_rightDelay;         //!< propagation delay of links to hosts at the right
    Time m_bottleneckDelay;    //!< propagation delay of the link between the switches
};

} // namespace ns3

#endif /* DUMBBELL_TOPOLOGY_H */
