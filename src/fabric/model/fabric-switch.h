/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_SWITCH_H
#define FABRIC_SWITCH_H

#include "fabric-node.h"
#include "path-selector.h"
#include "route-table.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief The place where a host is attached.
 */
struct HostLocation
{
    uint16_t rack; //!< the switch's number among those that hosts are attached to
    uint16_t slot; //!< the host's number at that switch
};

/**
 * @ingroup fabric
 * @brief Looks at an item between its arrival at a switch and the choice of the output port, which
 * the stage may make itself. What does not concern that choice is better a PortStage.
 */
class IngressStage
{
  public:
    virtual ~IngressStage() = default;

    /**
     * @brief Classify, meter, answer, re-route.
     * @param item the item
     * @return false if the stage took the item away (kept, answered or released it)
     */
    virtual bool Process(FabricItem* item) = 0;
};

/**
 * @ingroup fabric
 * @brief A switch: classify, forward, and leave the rest to the output port.
 *
 * Forwarding looks the destination's rack up, then chooses among the equal-cost ports that lead
 * there. Switches in like places have equal tables and share one.
 */
class alignas(64) FabricSwitch final : public FabricNode
{
  public:
    static constexpr uint8_t MAX_HOPS = 64; //!< an item that passed more switches is in a loop
    static constexpr uint16_t NO_RACK = UINT16_MAX; //!< no host is attached to the switch

    void Receive(FabricItem* item) override;
    void Touch(const FabricItem& item, bool further) const override;

    /**
     * @brief Add a stage before forwarding.
     * @param stage outlives the switch; stages run in the order of being added
     */
    void AddIngressStage(IngressStage* stage);

    /// @brief Tier of the switch; 1: hosts are attached.
    uint32_t GetTier() const
    {
        return m_tier;
    }

    /// @brief Unique name, such as "leaf0".
    const std::string& GetName() const
    {
        return m_name;
    }

    /**
     * @brief The choice of the switch among equal-cost ports.
     * @return the selector
     */
    Ptr<PathSelector> GetPathSelector() const
    {
        return m_selector;
    }

    /**
     * @brief Equal-cost ports towards a rack.
     * @param rack the rack
     * @return port numbers in rising order; empty if the rack cannot be reached
     */
    std::vector<uint16_t> GetNextHops(uint16_t rack) const;

    /**
     * @brief One of a set of equal-cost ports, as a PathSelector is to choose among.
     * @param group names the set
     * @param choice number of the port within the set
     * @return the port
     */
    FabricPort& GetChoice(uint32_t group, uint32_t choice) const
    {
        return m_ports[m_routes->sets[group][choice]];
    }

    /// @brief Items dropped because no port leads to their destination.
    uint64_t GetNoRouteDrops() const
    {
        return m_noRoute;
    }

    /// @brief Items dropped because their source route leads to a port that does not exist, or ends
    /// at a switch that their destination is not attached to.
    uint64_t GetBadRouteDrops() const
    {
        return m_badRoutes;
    }

    /// @brief Items dropped after too many hops.
    uint64_t GetLoopDrops() const
    {
        return m_loops;
    }

  private:
    friend class Fabric;
    friend class FabricRouting;

    /**
     * @brief Choose the output port.
     * @param item the item
     * @return the port, or nullptr if none leads to the destination
     */
    FabricPort* Forward(const FabricItem& item);

    /**
     * @brief Guess the output port of an item that has not arrived.
     * @param item the item
     * @return a port; nullptr if there are several, among which the choice must wait
     */
    const FabricPort* PredictPort(const FabricItem& item) const;

    /**
     * @brief Find the output port of an item with a source route.
     * @param item the item
     * @return the port, or nullptr if the route is wrong
     */
    FabricPort* FollowRoute(const FabricItem& item);

    /**
     * @brief The port of an attached host.
     * @param slot the host's number at this switch
     * @return the port
     */
    FabricPort* GetHostPort(uint16_t slot) const
    {
        return &m_ports[m_hostsListed ? m_hostPorts[slot] : m_firstHostPort + slot];
    }

    /**
     * @brief Attach a host.
     * @param port the port that leads to it
     * @return the host's slot
     */
    uint16_t AddHost(uint16_t port);

    /**
     * @brief Use a table, which others may use as well.
     * @param routes the table
     */
    void SetRoutes(std::shared_ptr<const RouteTable> routes);

    /**
     * @brief Let the ingress stages see an item.
     * @param item the item
     * @return false if one of them took it away
     */
    bool RunIngressStages(FabricItem* item);

    void Discard(FabricItem* item, uint64_t& counter, const char* reason);

    // What each item touches comes first.
    const HostLocation* m_locations{nullptr}; //!< of every host, the fabric's
    const NextHops* m_table{nullptr};         //!< m_routes->racks
    PathSelector* m_chooser{nullptr};         //!< m_selector
    bool m_hasIngress{false};                 //!< true if there are ingress stages
    bool m_hostsListed{false};                //!< true if the hosts' ports are not neighbours
    uint16_t m_rack{NO_RACK};                 //!< this switch's rack
    uint16_t m_firstHostPort{0};              //!< port of slot 0

    bool m_up{true};                            //!< true while the switch works
    uint32_t m_tier{0};                         //!< tier of the switch
    std::vector<uint16_t> m_hostPorts;          //!< port of each attached host, by slot
    std::shared_ptr<const RouteTable> m_routes; //!< shared with switches in like places
    Ptr<PathSelector> m_selector;               //!< chooses among equal-cost ports
    std::vector<IngressStage*> m_ingress;       //!< run before forwarding
    uint64_t m_noRoute{0};                      //!< items without a way to go
    uint64_t m_badRoutes{0};                    //!< items with a wrong source route
    uint64_t m_loops{0};                        //!< items that went too far
    std::string m_name;                         //!< unique name
};

} // namespace ns3

#endif /* FABRIC_SWITCH_H */
