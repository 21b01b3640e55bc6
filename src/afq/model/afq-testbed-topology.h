/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AFQ_TESTBED_TOPOLOGY_H
#define AFQ_TESTBED_TOPOLOGY_H

#include "ns3/topology.h"

namespace ns3
{

/**
 * @ingroup afq
 * @brief The hardware testbed of AFQ (Section 6.1): clients and servers below a top-of-rack switch
 * each, and between these the prototype, which all traffic crosses.
 *
 * Hosts 0 ... Clients-1 are clients, the others servers. The ports of the prototype have the role
 * "box-tor". The paper gives an end-to-end latency of about 200 us, mostly within the prototype;
 * here it is the delay of the prototype's links.
 */
class AfqTestbedTopology : public Topology
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    void AddTo(Fabric& fabric) const override;
    std::string GetSummary() const override;

  private:
    uint32_t m_clients;  //!< hosts below the first switch
    uint32_t m_servers;  //!< hosts below the second
    uint32_t m_links;    //!< from each switch to the prototype
    DataRate m_hostRate; //!< of each host's link
};

} // namespace ns3

#endif /* AFQ_TESTBED_TOPOLOGY_H */
