/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_H
#define FABRIC_H

#include "fabric-host.h"
#include "fabric-routing.h"
#include "fabric-switch.h"
#include "flow-tag.h"
#include "path-table.h"

#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class FlowControl;
class Results;

/**
 * @ingroup fabric
 * @brief A network of hosts and switches.
 *
 * Life of a fabric: a topology adds nodes and links, a scheme says which discipline a port gets and
 * how switches choose paths, Build() puts all together, then traffic runs and links may fail.
 */
class Fabric : public Object
{
  public:
    /// @brief Most links: a slip of the hand in a topology's attributes is more.
    static constexpr uint32_t MAX_LINKS = 1'000'000;

    /// @brief Get the type ID.
    static TypeId GetTypeId();

    Fabric();
    ~Fabric() override;

    /// @brief One end of a link.
    struct End
    {
        bool isHost;    //!< a host, not a switch
        uint32_t index; //!< number of the host or switch
    };

    /// @brief Makes the discipline for a port.
    using QueueDiscFactory =
        std::function<Ptr<FabricQueueDisc>(const FabricPort::Description& port)>;

    // ---- What a topology says ----

    /**
     * @brief Name the tiers, from the hosts up, such as {"host", "leaf", "spine"}.
     * @param names a name per tier
     */
    void SetTierNames(std::vector<std::string> names);

    /**
     * @brief Add a host.
     * @return the host's end for Connect()
     */
    End AddHost();

    /**
     * @brief Add a switch, named after its tier and its number there ("leaf0", "leaf1", ...).
     * @param tier its tier, at least 1
     * @return the switch's end for Connect()
     */
    End AddSwitch(uint32_t tier);

    /**
     * @brief Lay a link. A host has one.
     * @param a one end
     * @param b the other end
     * @param rate in each direction
     * @param delay propagation delay in each direction
     * @return number of the link, counted from 0
     */
    uint32_t Connect(End a, End b, DataRate rate, Time delay);

    // ---- What a scheme says ----

    /**
     * @brief Say which discipline a port gets; without this call, DropTailQueueDisc.
     * @param factory called once per port by Build()
     */
    void SetQueueDiscFactory(QueueDiscFactory factory);

    /// @brief Makes the path selector of a switch.
    using PathSelectorFactory = std::function<Ptr<PathSelector>()>;

    /**
     * @brief Say how switches choose among equal-cost paths; without this call,
     * FlowHashPathSelector.
     * @param factory called once per switch by Build()
     */
    void SetPathSelectorFactory(PathSelectorFactory factory);

    /**
     * @brief The same with an ns-3 object factory.
     * @param factory makes a PathSelector per switch
     */
    void SetPathSelector(const ObjectFactory& factory);

    /**
     * @brief Put all links under flow control, before Build(); without this call there is none.
     * @param control the flow control, such as PriorityFlowControl; nullptr: none
     */
    void SetFlowControl(Ptr<FlowControl> control);

    /**
     * @brief The flow control of the links.
     * @return the flow control; nullptr: there is none
     */
    Ptr<FlowControl> GetFlowControl() const;

    /**
     * @brief Set the event context of what happens at a host, before Wire().
     * @param host the host
     * @param context such as the id of the ns-3 Node that stands for the host
     */
    void SetHostContext(uint32_t host, uint32_t context);

    /**
     * @brief Lay the links and find the ways of the network. No node or link may be added
     * afterwards; where hosts are, links and routes are known, but ports have no discipline yet.
     */
    void Wire();

    /// @brief Wire(), unless that was done, and give ports and switches what the scheme says.
    void Build();

    /**
     * @brief Assign fixed random variable stream numbers, after Build().
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    // ---- The built fabric ----

    /**
     * @brief True once Build() was called.
     * @return true if traffic can run
     */
    bool IsBuilt() const
    {
        return m_built;
    }

    /// @brief Number of hosts.
    uint32_t GetNHosts() const;

    /// @brief Number of switches.
    uint32_t GetNSwitches() const;

    /**
     * @brief Number of links.
     * @return number of links; a link has two directions
     */
    uint32_t GetNLinks() const;

    /**
     * @brief A host.
     * @param index number of the host
     * @return the host
     */
    FabricHost& GetHost(uint32_t index) const;

    /**
     * @brief A switch.
     * @param index number of the switch, in the order of being added
     * @return the switch
     */
    FabricSwitch& GetSwitch(uint32_t index) const;

    /**
     * @brief The ports at the two ends of a link.
     * @param link number of the link
     * @return the port that sends from a to b, and the one that sends from b to a
     */
    std::array<FabricPort*, 2> GetLink(uint32_t link) const;

    /**
     * @brief Visit every port, hosts' first.
     * @param visit called with each port
     */
    void ForEachPort(const std::function<void(FabricPort&)>& visit) const;

    /**
     * @brief Have all that stands in the fabric report: disciplines, stages, edge agents, flow
     * control. What is at a host's own port is not in totals.
     * @param results takes it
     */
    void ReportResults(Results& results) const;

    /**
     * @brief Sum of the rates of all ports of a role.
     * @param role such as "leaf-spine"
     * @return the capacity; 0 if there is no such port
     */
    DataRate GetCapacity(const std::string& role) const;

    /// @brief Roles of ports in the fabric, in order of first appearance.
    std::vector<std::string> GetRoles() const;

    /**
     * @brief Share of the ordered pairs of distinct hosts whose path crosses a port of a role.
     * @param role such as "leaf-spine"
     * @return between 0 and 1
     */
    double GetCrossingProbability(const std::string& role) const;

    /**
     * @brief The place where a host is attached.
     * @param host the host
     * @return rack and slot
     */
    HostLocation GetLocation(uint32_t host) const;

    /**
     * @brief Number of racks.
     * @return switches that hosts are attached to
     */
    uint32_t GetNRacks() const;

    /**
     * @brief The switch of a rack.
     * @param rack the rack (HostLocation::rack)
     * @return number of the switch
     */
    uint32_t GetRackSwitch(uint16_t rack) const;

    /**
     * @brief Number of a switch.
     * @param node the switch
     * @return for GetSwitch()
     */
    uint32_t GetSwitchIndex(const FabricNode& node) const;

    /**
     * @brief Ports along one shortest path.
     * @param source sending host
     * @param destination receiving host
     * @return the ports, from the source's NIC to the last switch's; empty if there is no path
     */
    std::vector<const FabricPort*> GetPath(uint32_t source, uint32_t destination) const;

    /**
     * @brief All paths between racks as source routes, found as they are asked for.
     * @return the table of this fabric, the same each time
     */
    PathTable& GetPathTable();

    // ---- Endpoints ----

    /**
     * @brief Register the receivers of a flow's items.
     * @param receiver gets what goes towards the receiver
     * @param sender gets what goes towards the sender (FabricItem::TOWARDS_SENDER)
     * @param tag identity of the flow
     * @return the value for FabricItem::flow; never given twice
     */
    uint32_t AddEndpoints(ItemSink* receiver, ItemSink* sender, const FlowTag& tag = {});

    /**
     * @brief Give a flow another identity from now on, such as a connection that is used again.
     * @param flow number from AddEndpoints()
     * @param tag its new identity
     */
    void SetFlowTag(uint32_t flow, const FlowTag& tag)
    {
        FlowBlock& block = *m_flows.at(flow / FlowBlock::SIZE);
        NS_ASSERT_MSG(&block != m_over.get(), "flow " << flow << " is long over");
        block.tags[flow % FlowBlock::SIZE] = tag;
    }

    /**
     * @brief The identity of an item's flow.
     * @param item the item
     * @return the tag; all 0 for what an ns-3 device sends. Stays when the flow is over, until
     * FlowBlock::KEPT more flows have begun: no item of it is under way then
     */
    const FlowTag& GetFlowTag(const FabricItem& item) const
    {
        return GetFlowTag(item.flow);
    }

    /**
     * @brief Gets the tag of a flow.
     * @param flow number from AddEndpoints()
     * @return the tag
     */
    const FlowTag& GetFlowTag(uint32_t flow) const
    {
        return m_flows[flow / FlowBlock::SIZE]->tags[flow % FlowBlock::SIZE];
    }

    /**
     * @brief Tell whether a flow has no endpoints any more.
     * @param flow number from AddEndpoints()
     * @return true after RemoveEndpoints()
     */
    bool IsOver(uint32_t flow) const
    {
        const auto& sinks = GetEndpoints(flow);
        return flow > 0 && !sinks[0] && !sinks[1];
    }

    /**
     * @brief Nobody gets the items of a flow any more: late ones are dropped.
     * @param flow number from AddEndpoints()
     */
    void RemoveEndpoints(uint32_t flow);

    /**
     * @brief The receiver of an item.
     * @param item the item; its flow is not 0
     * @return the sink, or nullptr if the flow is over
     */
    ItemSink* GetEndpoint(const FabricItem& item) const
    {
        return GetEndpoints(item.flow)[item.kind & FabricItem::TOWARDS_SENDER];
    }

    /**
     * @brief Ask the endpoint that an item is for what the item carries.
     * @param item the item, of any transport or of an ns-3 device
     * @return the place of its payload in its flow; nothing for an item without payload, or if the
     *         flow is over
     */
    std::optional<ItemSink::Payload> GetPayload(FabricItem& item) const
    {
        const ItemSink* sink =
            item.flow ? GetEndpoint(item) : m_hosts[item.destination]->GetDevice();
        return sink ? sink->GetPayload(item) : std::nullopt;
    }

    /**
     * @brief The sender of an item.
     * @param item the item; its flow is not 0
     * @return the sink at its other end, or nullptr if the flow is over
     */
    ItemSink* GetSendingEndpoint(const FabricItem& item) const
    {
        return GetEndpoints(item.flow)[~item.kind & FabricItem::TOWARDS_SENDER];
    }

    // ---- Failures ----

    /**
     * @brief A link fails or is repaired: at once for packets, for routing after RouteUpdateDelay.
     *
     * What waits for the link and what is under way on it is lost.
     *
     * @param link number of the link
     * @param up true if it works
     */
    void SetLinkUp(uint32_t link, bool up);

    /**
     * @brief A switch fails or is repaired, with all its links.
     * @param index number of the switch
     * @param up true if it works
     */
    void SetSwitchUp(uint32_t index, bool up);

    /**
     * @brief Signature of the trace source LinkState.
     * @param link number of the link
     * @param up true if it works now
     */
    typedef void (*LinkStateTracedCallback)(uint32_t link, bool up);

  protected:
    void DoDispose() override;

  private:
    /// @brief A link to be laid by Wire().
    struct LinkSpec
    {
        End a;             //!< one end
        End b;             //!< the other end
        DataRate rate;     //!< in each direction
        Time delay;        //!< in each direction
        uint16_t portA{0}; //!< port number at a
        uint16_t portB{0}; //!< port number at b
        bool up{true};     //!< true if the link itself works
    };

    FabricNode& GetNode(End end) const;
    uint32_t GetTier(End end) const;
    void AllocatePorts();
    void LocateHosts();
    void WirePort(const LinkSpec& link, uint32_t number, bool fromA);
    void ApplyLinkState(const LinkSpec& link);

    /// @brief Endpoints and tags of flows whose numbers follow each other.
    struct FlowBlock
    {
        static constexpr uint32_t SIZE = 256;   //!< flows
        static constexpr uint32_t KEPT = 65536; //!< flows that begin before it may be given back

        std::array<std::array<ItemSink*, 2>, SIZE> endpoints{}; //!< receiver, sender
        std::array<FlowTag, SIZE> tags{};                       //!< identity of each
        uint32_t present{0};                                    //!< flows that have endpoints
    };

    /**
     * @param flow number from AddEndpoints()
     * @return receiver and sender; null once it is over
     */
    const std::array<ItemSink*, 2>& GetEndpoints(uint32_t flow) const
    {
        return m_flows[flow / FlowBlock::SIZE]->endpoints[flow % FlowBlock::SIZE];
    }

    /// @brief Begin a block, and give back those whose flows are long over.
    void AddFlowBlock();

    std::vector<std::unique_ptr<FabricHost>> m_hosts;      //!< the hosts
    std::vector<std::unique_ptr<FabricSwitch>> m_switches; //!< the switches
    std::vector<LinkSpec> m_links;                         //!< the links
    std::vector<HostLocation> m_locations;                 //!< place of each host
    std::vector<uint32_t> m_racks;                         //!< switch of each rack
    std::unique_ptr<FabricRouting> m_routing;              //!< gives the switches their tables
    std::unique_ptr<PathTable> m_paths;                    //!< made on first use
    std::vector<std::string> m_tierNames;                  //!< from the hosts up
    std::vector<uint32_t> m_tierSizes;                     //!< switches by tier
    QueueDiscFactory m_makeQueueDisc;                      //!< makes each port's discipline
    PathSelectorFactory m_makeSelector;                    //!< makes each switch's path selector
    Ptr<FlowControl> m_flowControl;                        //!< nullptr: none
    std::vector<std::shared_ptr<FlowBlock>> m_flows;       //!< all, the first for hosts' devices
    std::shared_ptr<FlowBlock> m_over; //!< stands for each block whose flows are long over
    std::vector<uint32_t> m_oldBlocks; //!< begun long ago, with flows that were not over
    uint32_t m_lastFlow{0};            //!< number that AddEndpoints() gave last
    uint32_t m_frameOverhead;          //!< attribute FrameOverhead
    Time m_forwardingDelay;            //!< attribute ForwardingDelay
    Time m_routeUpdateDelay;           //!< attribute RouteUpdateDelay
    TracedCallback<uint32_t, bool> m_linkStateTrace; //!< a link failed or was repaired
    bool m_built{false};                             //!< true once Build() was called
};

} // namespace ns3

#endif /* FABRIC_H */
