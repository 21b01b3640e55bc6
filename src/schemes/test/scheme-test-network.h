/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEME_TEST_NETWORK_H
#define SCHEME_TEST_NETWORK_H

#include "ns3/fabric.h"
#include "ns3/object-spec.h"
#include "ns3/scheme.h"
#include "ns3/simulator.h"
#include "ns3/topology.h"
#include "ns3/transport.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup schemes-tests
 * @brief A scheme, a topology and a transport put together, with what flows deliver counted.
 */
class Network : public FlowObserver
{
  public:
    /**
     * @brief Build the network.
     * @param scheme specification of the scheme
     * @param topology specification of the topology
     * @param transport specification of the transport; empty: the scheme's
     * @param frameOverhead bytes on the wire around every IP datagram
     */
    Network(const std::string& scheme,
            const std::string& topology,
            const std::string& transport,
            uint32_t frameOverhead = 0)
        : m_scheme(CreateFromSpec<Scheme>("scheme", scheme)),
          m_transport(m_scheme->CreateTransport(transport)),
          m_fabric(CreateObject<Fabric>())
    {
        m_fabric->SetAttribute("FrameOverhead", UintegerValue(frameOverhead));
        CreateFromSpec<Topology>("topology", topology)->AddTo(*m_fabric);
        m_scheme->ConfigureFabric(*m_fabric);
        m_fabric->Build();
        m_scheme->ConfigureNodes(*m_fabric);
        m_fabric->AssignStreams(1);
        m_transport->Attach(m_fabric);
        m_transport->AssignStreams(1000);
        m_transport->AddObserver(this);
    }

    ~Network() override
    {
        m_transport->Dispose();
        m_scheme->Dispose();
        m_fabric->Dispose();
        Simulator::Destroy();
    }

    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    /**
     * @brief Run.
     * @param warmUp what is delivered earlier does not count
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

    Ptr<Scheme> m_scheme;                   //!< the scheme
    Ptr<Transport> m_transport;             //!< the hosts' transport
    Ptr<Fabric> m_fabric;                   //!< the fabric
    std::map<FlowId, uint64_t> m_delivered; //!< bytes, by flow
    uint32_t m_finished{0};                 //!< flows
};

} // namespace ns3

#endif /* SCHEME_TEST_NETWORK_H */
