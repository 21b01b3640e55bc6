/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DECAPSULATOR_H
#define DECAPSULATOR_H

#include "bouncing-routes.h"

#include "ns3/fabric-switch.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup drb
 * @brief Decapsulates packets at a bouncing switch (Sections 3.2 and 4): takes the outer IPv4
 * header off a packet that is addressed to the switch, or to a virtual switch that is a part of it,
 * and sends the inner packet down towards its destination. It keeps no state of flows.
 *
 * An outer header is FabricItem::route: one of the up-routes of BouncingRoutes, with the point in
 * the place that this switch looks at. Both headers share FabricItem::tos. That is what RFC 6040
 * says: the outer header starts with the inner ECN field, and Congestion Experienced on it, which
 * only ECN-capable packets get, is copied inward.
 */
class Decapsulator : public IngressStage
{
  public:
    /**
     * @brief Set up.
     * @param node the switch
     * @param fabric its fabric
     * @param routes the fabric's tables
     * @param outerHeader bytes of an outer header
     */
    Decapsulator(FabricSwitch& node,
                 const Fabric& fabric,
                 std::shared_ptr<const BouncingRoutes> routes,
                 uint16_t outerHeader);

    bool Process(FabricItem* item) override;

    /**
     * @brief Outer headers taken off.
     * @return number of packets
     */
    uint64_t GetDecapsulated() const
    {
        return m_decapsulated;
    }

  private:
    FabricSwitch& m_node;                           //!< the switch
    const Fabric& m_fabric;                         //!< its fabric
    std::shared_ptr<const BouncingRoutes> m_routes; //!< the fabric's tables
    uint32_t m_index;                               //!< number of the switch in the fabric
    uint16_t m_outerHeader;                         //!< bytes
    uint64_t m_decapsulated{0};                     //!< packets
};

} // namespace ns3

#endif /* DECAPSULATOR_H */
