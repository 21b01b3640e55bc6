/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_SCHEME_H
#define PAIR_SCHEME_H

#include "tcp-host-scheme.h"

#include "ns3/pair-edge.h"

#include <string>

namespace ns3
{

/**
 * @ingroup schemes
 * @brief A network of VM pairs: a channel per pair at each host's port, ruled by a controller.
 */
class PairScheme : public TcpHostScheme
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<TenantSource> CreateDefaultTenants() const override;
    void ConfigureFabric(Network& network) override;
    void ConfigureNodes(Network& network) override;
    void ConfigurePackets(const Network& network, PacketMaker& packets) const override;
    void ReportResults(const Network& network, Results& results) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    std::string GetHostQueue() const override;

  private:
    std::string m_controller;     //!< attribute Controller
    std::string m_defaultTenants; //!< attribute DefaultTenants
    PairEdge::Answers m_answers;  //!< attribute Answers
    Ptr<PairEdge> m_edge;         //!< the edge of the network
};

} // namespace ns3

#endif /* PAIR_SCHEME_H */
