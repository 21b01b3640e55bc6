/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EDGE_AGENT_H
#define EDGE_AGENT_H

#include "fabric-item.h"

#include "ns3/huge-pages.h"
#include "ns3/object.h"

namespace ns3
{

class FabricHost;
class Results;

/**
 * @ingroup fabric
 * @brief A stage between a host's transport and its NIC's port.
 *
 * Agents form a chain. What leaves the host passes Outgoing() of each in order of installation,
 * what arrives passes Incoming() in reverse. An agent may pass an item on at once or later, change
 * it, answer it (Send() or Deliver() an item of its own), or drop it (FabricHost::DropOutgoing() on
 * the way out, FabricItem::Release() on the way in).
 */
class EdgeAgent : public Object, public InHugePages
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief An item on its way out of the host.
     * @param item the item, now the agent's
     */
    virtual void Outgoing(FabricItem* item)
    {
        SendOn(item);
    }

    /**
     * @brief An item that came in from the fabric.
     * @param item the item, now the agent's
     */
    virtual void Incoming(FabricItem* item)
    {
        DeliverOn(item);
    }

    /**
     * @brief Assign fixed random variable stream numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream)
    {
        (void)stream;
        return 0;
    }

    /**
     * @brief Say after a run what only the agent knows.
     * @param results takes it
     */
    virtual void ReportResults(Results& results) const
    {
        (void)results;
    }

  protected:
    /// @brief Called when the agent is installed; GetHost() is valid.
    virtual void DoInstall()
    {
    }

    /**
     * @brief Pass an item on towards the network.
     * @param item the item
     */
    void SendOn(FabricItem* item);

    /**
     * @brief Pass an item on towards the transport.
     * @param item the item
     */
    void DeliverOn(FabricItem* item);

    /// @brief The host of the agent.
    FabricHost& GetHost() const
    {
        return *m_host;
    }

    void DoDispose() override;

  private:
    friend class FabricHost;

    FabricHost* m_host{nullptr}; //!< the host of the agent
    EdgeAgent* m_below{nullptr}; //!< next towards the network, nullptr: the port
    EdgeAgent* m_above{nullptr}; //!< next towards the transport, nullptr: delivery
};

} // namespace ns3

#endif /* EDGE_AGENT_H */
