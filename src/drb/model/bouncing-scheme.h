/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BOUNCING_SCHEME_H
#define BOUNCING_SCHEME_H

#include "bouncing-routes.h"
#include "bouncing-selector.h"
#include "decapsulator.h"
#include "topology-update.h"

#include "ns3/packet-maker.h"
#include "ns3/scheme.h"
#include "ns3/spec.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief Base of DRB, RB and RRB: each packet that leaves its rack is sent to a switch of the
 * highest layer that its server chooses and bounces there; receivers restore the order (CoNEXT
 * 2013). They differ in the selector alone.
 *
 * Where there is no layer of switches above the racks (a single switch, two switches with a link
 * between them), no packet has a choice of ways: then all go directly, which is said on standard
 * error and by bouncing_points = 0 among the results.
 */
class BouncingScheme : public Scheme
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    void ConfigureNodes(Network& network) override;
    void ReportResults(const Network& network, Results& results) const override;
    void ConfigurePackets(const Network& network, PacketMaker& packets) const override;
    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief Object that keeps the servers informed of failures.
     * @return it; nullptr before ConfigureNodes() and where there is nothing to choose
     */
    const TopologyUpdate* GetTopologyUpdate() const
    {
        return m_update.get();
    }

    /// @brief The forwarding tables; nullptr before ConfigureNodes().
    std::shared_ptr<const BouncingRoutes> GetRoutes() const
    {
        return m_routes;
    }

    /**
     * @brief Finder of the addresses to which outer headers lead: see
     * PacketMaker::SetOuterDestination().
     * @return says it of a packet; empty if OuterHeader is not an IPv4 header's 20 bytes, or before
     *         ConfigureNodes()
     */
    PacketMaker::OuterDestination GetOuterDestination() const;

  private:
    /**
     * @brief Refuse ports on the way up that could never hold a full packet with its outer header.
     * @param network the network, built
     */
    void CheckBuffers(const Network& network) const;
    void InstallDecapsulators(Fabric& fabric);
    void InstallBouncingAgents(Fabric& fabric);
    void ReportTables(const Fabric& fabric, Results& results) const;
    void ReportFailures(const Fabric& fabric, Results& results) const;

    Spec m_selector;                                            //!< attribute Selector
    uint16_t m_outerHeader;                                     //!< attribute OuterHeader
    bool m_withinRack;                                          //!< attribute WithinRack
    TopologyUpdate::Mode m_updateMode;                          //!< attribute TopologyUpdate
    TopologyUpdateSettings::Detection m_detection;              //!< attribute FailureDetection
    TopologyUpdateSettings::Flooding m_flooding;                //!< attribute Flooding
    Time m_helloInterval;                                       //!< attribute HelloInterval
    Time m_advertisementInterval;                               //!< attribute AdvertisementInterval
    std::shared_ptr<const BouncingRoutes> m_routes;             //!< the forwarding tables
    std::vector<std::unique_ptr<Decapsulator>> m_decapsulators; //!< of the bouncing switches
    std::unique_ptr<TopologyUpdate> m_update;                   //!< informs the servers
};

} // namespace ns3

#endif /* BOUNCING_SCHEME_H */
