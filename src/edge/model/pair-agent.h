/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_AGENT_H
#define PAIR_AGENT_H

#include "ns3/edge-agent.h"

namespace ns3
{

class PairEdge;

/**
 * @ingroup edge
 * @brief Shows the receiving ends of VM pairs what arrives at a host. It holds nothing: what waits
 * stands in the host's PairQueueDisc.
 */
class PairAgent : public EdgeAgent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    /**
     * @brief Make an agent.
     * @param edge the edge of the network that the agent stands in
     */
    explicit PairAgent(PairEdge& edge);

    void Incoming(FabricItem* item) override;

  private:
    PairEdge& m_edge; //!< the edge of the network
};

} // namespace ns3

#endif /* PAIR_AGENT_H */
