/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARKING_LOT_TOPOLOGY_H
#define PARKING_LOT_TOPOLOGY_H

#include "topology.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Switches in a row, each with hosts of its own, as on the way out of a parking lot.
 *
 * A flow to a host far away passes many links, on each of which it meets others. Hosts are numbered
 * switch by switch. Ports between switches have the role "switch-switch".
 */
class ParkingLotTopology : public Topology
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
    uint32_t m_switches;       //!< in the row
    uint32_t m_hostsPerSwitch; //!< hosts attached to each
    DataRate m_hostRate;       //!< of each link to a host
    DataRate m_trunkRate;      //!< of each link between switches
    Time m_linkDelay;          //!< propagation delay of every link
};

} // namespace ns3

#endif /* PARKING_LOT_TOPOLOGY_H */
