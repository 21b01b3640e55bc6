/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_NODE_H
#define FABRIC_NODE_H

#include "fabric-item.h"
#include "fabric-port.h"

#include "ns3/direct-event.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief A host or a switch: something with ports that items arrive at.
 */
class FabricNode : public InHugePages
{
  public:
    virtual ~FabricNode() = default;

    /**
     * @brief An item arrived over a link.
     * @param item the item, now the node's
     */
    virtual void Receive(FabricItem* item) = 0;

    /**
     * @brief Fetch the memory that Receive() will touch. Called where very many events are pending
     * (DirectEvent::Hooks), after the node's own is there; changes nothing.
     * @param item an item that will arrive soon
     * @param further true if what the call before asked for is there, too
     */
    virtual void Touch(const FabricItem& item, bool further) const
    {
        (void)item;
        (void)further;
    }

    static const DirectEvent::Tag ARRIVAL; //!< of the direct event that an item arrives

    /// @brief Number of ports.
    uint32_t GetNPorts() const
    {
        return m_nPorts;
    }

    /**
     * @brief A port.
     * @param index the port, counted from 0 in the order of wiring
     * @return the port
     */
    FabricPort& GetPort(uint32_t index)
    {
        return m_ports[index];
    }

    /// @overload
    const FabricPort& GetPort(uint32_t index) const
    {
        return m_ports[index];
    }

    /// @brief Number that ns-3 knows the node by in event contexts and logs.
    uint32_t GetContext() const
    {
        return m_context;
    }

    /// @brief Items lost because they arrived over a link that has failed meanwhile.
    uint64_t GetLostInFlight() const
    {
        return m_lostInFlight;
    }

  protected:
    friend class Fabric;
    friend class FabricPort;

    /**
     * @brief True if an item comes over a link that failed while it was under way; then it is
     * released.
     * @param item the item
     * @return true if the item was lost
     */
    bool IsLost(FabricItem* item)
    {
        return m_hadFailure && LoseIfHit(item);
    }

    /**
     * @brief The same for a node one of whose links has failed.
     * @param item the item
     * @return true if the item was lost
     */
    bool LoseIfHit(FabricItem* item);

    std::unique_ptr<FabricPort[]> m_ports; //!< contiguous
    uint32_t m_nPorts{0};                  //!< number of ports
    bool m_hadFailure{false};              //!< true once one of the links has failed
    uint32_t m_context{0};                 //!< event context
    uint32_t m_lostInFlight{0};            //!< items lost on failed links
};

} // namespace ns3

#endif /* FABRIC_NODE_H */
