/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_SWITCH_H
#define FABRIC_SWITCH_H

#include "fabric-node.h"
#include "path-selector.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Where a host is attached.
 */
struct HostLocation
{
    uint16_t rack; //!< the switch's number among those that hosts are attached to
    uint16_t slot; //!< the host's number at that switch
};

/**
 * @ingroup fabric
 * @brief Looks at an item between its arrival at a switch and the choice of the output port.
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
 * there. Tables are small: a port list per set of next hops, a set per rack.
 */
class alignas(64) FabricSwitch : public FabricNode
{
  public:
    static constexpr uint8_t MAX_HOPS = 64; //!< an item that passed more switches is in a loop
    static constexpr uint16_t NO_RACK = UINT16_MAX; //!< no host is attached to the switch

    void Receive(FabricItem* item) override;

    /**
     * @brief Add a stage before forwarding.
     * @param stage outlives the switch; stages run in the order of being added
     */
    void AddIngressStage(IngressStage* stage);

    /**
     * @brief Tier of the switch; 1: hosts are attached.
     * @return the tier
     */
    uint32_t GetTier() const
    {
        return m_tier;
    }

    /**
     * @brief Unique name, such as "leaf0".
     * @return the name
     */
    const std::string& GetName() const
    {
        return m_name;
    }

    /**
     * @brief How the switch chooses among equal-cost ports.
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
     * @brief Items dropped because no port leads to their destination.
     * @return number of items
     */
    uint64_t GetNoRouteDrops() const
    {
        return m_noRoute;
    }

    /**
     * @brief Items dropped after too many hops.
     * @return number of items
     */
    uint64_t GetLoopDrops() const
    {
        return m_loops;
    }

  private:
    friend class Fabric;

    /**
     * @brief Where to go for a rack: a set of equal-cost ports, or, at the rack itself, the hosts'
     * ports.
     *
     * Sets are nearly always neighbouring ports, which need no list.
     */
    struct NextHops
    {
        uint16_t first{0};    //!< first port, or place of the list in m_lists
        uint16_t count{0};    //!< number of ports; 0: the rack cannot be reached
        bool listed{false};   //!< whether the ports stand in m_lists
        bool attached{false}; //!< whether this is the rack itself: a port per host slot
        uint16_t set{0};      //!< number of the set, for the path selector
    };

    /**
     * @brief Choose the output port.
     * @param item the item
     * @return the port, or nullptr if none leads to the destination
     */
    FabricPort* Forward(const FabricItem& item);

    /**
     * @brief Forget all next hops.
     * @param racks number of racks
     */
    void ClearNextHops(std::size_t racks);

    /**
     * @brief Set the equal-cost ports towards a rack.
     * @param rack the rack
     * @param ports port numbers in rising order; the same ports for another rack are the same set
     */
    void SetNextHops(uint16_t rack, const std::vector<uint16_t>& ports);

    /**
     * @brief Let the ingress stages see an item.
     * @param item the item
     * @return false if one of them took it away
     */
    bool RunIngressStages(FabricItem* item);

    void Discard(FabricItem* item, uint64_t& counter);

    /**
     * @brief Fill an entry of the table.
     * @param rack the rack
     * @param ports port numbers
     * @param attached whether they are the ports of the rack's hosts, by slot
     */
    void SetEntry(uint16_t rack, const std::vector<uint16_t>& ports, bool attached);

    // First line, with what FabricNode holds: what each item touches.
    const HostLocation* m_locations{nullptr}; //!< of every host, the fabric's
    const NextHops* m_table{nullptr};         //!< m_nextHops' entries
    PathSelector* m_chooser{nullptr};         //!< m_selector

    bool m_hasIngress{false};                  //!< whether there are ingress stages
    uint32_t m_tier{0};                        //!< tier of the switch
    uint16_t m_rack{NO_RACK};                  //!< this switch's rack
    bool m_up{true};                           //!< whether the switch works
    std::vector<uint16_t> m_hostPorts;         //!< port of each attached host, by slot
    std::vector<NextHops> m_nextHops;          //!< by rack
    std::vector<std::vector<uint16_t>> m_sets; //!< the different sets of next hops
    std::vector<uint16_t> m_lists;             //!< ports of the sets that are not neighbours
    Ptr<PathSelector> m_selector;              //!< chooses among equal-cost ports
    std::vector<IngressStage*> m_ingress;      //!< run before forwarding
    uint64_t m_noRoute{0};                     //!< items without a way to go
    uint64_t m_loops{0};                       //!< items that went too far
    std::string m_name;                        //!< unique name
};

} // namespace ns3

#endif /* FABRIC_SWITCH_H */
