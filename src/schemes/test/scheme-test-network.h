/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEME_TEST_NETWORK_H
#define SCHEME_TEST_NETWORK_H

#include "ns3/network.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup schemes-tests
 * @brief A network with what flows deliver counted.
 */
class SchemeTestNetwork : public FlowObserver
{
  public:
    /**
     * @brief Build the network.
     * @param scheme specification of the scheme
     * @param topology specification of the topology
     * @param transport specifications of the transports; empty: the scheme's
     * @param frameOverhead bytes on the wire around every IP datagram
     */
    SchemeTestNetwork(const std::string& scheme,
                      const std::string& topology,
                      const std::string& transport,
                      uint32_t frameOverhead = 0)
        : m_network(CreateObject<Network>()),
          m_fabric(m_network->GetFabric())
    {
        m_fabric->SetAttribute("FrameOverhead", UintegerValue(frameOverhead));
        m_network->SetTopology(topology);
        m_network->SetScheme(scheme);
        m_network->SetTransports(transport);
        m_network->Build();
        m_scheme = m_network->GetScheme();
        m_transport = m_network->GetTransports()->Get(0);
        m_network->GetTransports()->AddObserver(this);
    }

    ~SchemeTestNetwork() override
    {
        m_network->Dispose();
        Simulator::Destroy();
    }

    SchemeTestNetwork(const SchemeTestNetwork&) = delete;
    SchemeTestNetwork& operator=(const SchemeTestNetwork&) = delete;

    /**
     * @brief Run.
     * @param warmUp time before which deliveries do not count
     * @param duration time in which it counts
     */
    void Run(Time warmUp, Time duration)
    {
        Simulator::Stop(warmUp);
        Simulator::Run();
        m_delivered.clear();
        Simulator::Stop(duration);
        Simulator::Run();
    }

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        m_delivered[record.id] += bytes;
    }

    void FlowFinished(const FlowRecord& /* record */) override
    {
        ++m_finished;
    }

    Ptr<Network> m_network;                 //!< all of it
    Ptr<Fabric> m_fabric;                   //!< its fabric
    Ptr<Scheme> m_scheme;                   //!< its scheme
    Ptr<Transport> m_transport;             //!< its first transport
    std::map<FlowId, uint64_t> m_delivered; //!< bytes, by flow
    uint32_t m_finished{0};                 //!< flows
};

} // namespace ns3

#endif /* SCHEME_TEST_NETWORK_H */
