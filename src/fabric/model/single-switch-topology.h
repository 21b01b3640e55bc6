/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SINGLE_SWITCH_TOPOLOGY_H
#define SINGLE_SWITCH_TOPOLOGY_H

#include "topology.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief A star: all hosts are attached to one switch.
 */
class SingleSwitchTopology : public Topology
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
    uint32_t m_hosts;    //!< number of hosts
    DataRate m_hostRate; //!< of every link
    Time m_linkDelay;    //!< propagation delay of every link
};

} // namespace ns3

#endif /* SINGLE_SWITCH_TOPOLOGY_H */
