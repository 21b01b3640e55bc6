/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_HOST_H
#define FABRIC_HOST_H

#include "edge-agent.h"
#include "fabric-node.h"

#include <vector>

namespace ns3
{

class Fabric;

/**
 * @ingroup fabric
 * @brief A host's network interface: its port, its chain of edge agents, and who gets what arrives.
 */
class alignas(64) FabricHost final : public FabricNode
{
  public:
    FabricHost();
    ~FabricHost() override;

    void Receive(FabricItem* item) override;
    void Touch(const FabricItem& item, bool further) const override;

    /**
     * @brief Send an item: through the edge agents, then out of the port.
     * @param item the item, now the host's; source and destination are set
     */
    void Send(FabricItem* item)
    {
        if (m_top)
        {
            m_top->Outgoing(item);
        }
        else
        {
            Transmit(item);
        }
    }

    /**
     * @brief Hand an item to the port, below all agents.
     * @param item the item
     */
    void Transmit(FabricItem* item)
    {
        m_ports[0].Send(item);
    }

    /**
     * @brief Drop an item of this host's own before it comes to the port.
     * @param item the item; gone afterwards
     */
    void DropOutgoing(FabricItem* item);

    /**
     * @brief From now on, tell those who send from this host when their items leave its port
     * (ItemSink::OnDeparture()). It costs nothing where nobody asks for it.
     */
    void TrackDepartures();

    /**
     * @brief Hand an item to its endpoint or to the host's device, above all agents.
     * @param item the item
     */
    void Deliver(FabricItem* item);

    /**
     * @brief Install an agent below those installed before.
     * @param agent the agent
     */
    void AddEdgeAgent(Ptr<EdgeAgent> agent);

    /// @brief The agents, from the transport's side to the port.
    const std::vector<Ptr<EdgeAgent>>& GetEdgeAgents() const
    {
        return m_agents;
    }

    /**
     * @brief Set the receiver of items that belong to no endpoint (FabricItem::flow is 0).
     * @param device outlives the host; nullptr: nobody, such items are dropped
     */
    void SetDevice(ItemSink* device)
    {
        m_device = device;
    }

    /// @brief The receiver of items that belong to no endpoint of the fabric, or nullptr.
    const ItemSink* GetDevice() const
    {
        return m_device;
    }

    /// @brief The port of the network interface.
    FabricPort& GetNicPort()
    {
        return m_ports[0];
    }

    /**
     * @brief Number of the host within the fabric.
     * @return the number, counted from 0
     */
    uint32_t GetIndex() const
    {
        return m_index;
    }

    /// @brief The fabric of the host.
    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /// @brief Items that arrived for nobody.
    uint64_t GetStrayItems() const
    {
        return m_stray;
    }

  private:
    friend class Fabric;

    class DepartureNotifier;

    Fabric* m_fabric{nullptr};            //!< the fabric of the host
    EdgeAgent* m_top{nullptr};            //!< agent next to the transport
    EdgeAgent* m_bottom{nullptr};         //!< agent next to the port
    ItemSink* m_device{nullptr};          //!< gets items that have no endpoint
    uint32_t m_index{0};                  //!< number of the host
    uint64_t m_stray{0};                  //!< items for nobody
    std::vector<Ptr<EdgeAgent>> m_agents; //!< from the transport's side to the port

    Ptr<DepartureNotifier> m_departures; //!< tells of departures; nullptr: nobody asked
};

} // namespace ns3

#endif /* FABRIC_HOST_H */
