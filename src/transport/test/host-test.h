/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_TEST_H
#define HOST_TEST_H

#include "lean-tcp-test.h"

#include "ns3/queue-size.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup transport-tests
 * @brief Notes the most that each flow has waiting in a host's port.
 */
class PortWatch
{
  public:
    /**
     * @brief Constructor.
     * @param port to watch; outlives the watch
     */
    explicit PortWatch(FabricPort& port)
        : m_port(port)
    {
        m_port.AddStage(CreateObject<DepartureStage>(
            [this](const FabricItem* item, const FabricPort& /* port */) { Note(*item); }));
    }

    /**
     * @brief Note what waits behind an item.
     * @param item leaves
     */
    void Note(const FabricItem& item)
    {
        departures.emplace_back(Simulator::Now().GetTimeStep(), item.flow);
        std::map<uint32_t, uint32_t> waiting;
        m_port.ForEachWaiting(
            [&waiting](const FabricItem& other) { waiting[other.flow] += other.size; });
        waiting[item.flow] += item.size;
        for (const auto& [flow, bytes] : waiting)
        {
            peak[flow] = std::max(peak[flow], bytes);
        }
    }

    std::map<uint32_t, uint32_t> peak;                      //!< bytes by flow, the leaving ones too
    std::vector<std::pair<int64_t, uint32_t>> departures{}; //!< time and flow

  private:
    FabricPort& m_port; //!< watched
};

/**
 * @ingroup transport-tests
 * @brief Three hosts at a switch, 10 Gbps, base RTT 20 us, and a watch at the first host's port.
 */
class HostStar : public FlowObserver
{
  public:
    /**
     * @brief Constructor.
     * @param transport with its attributes set
     * @param buffer of each port
     * @param lastRate of the link of host 2
     */
    explicit HostStar(Ptr<Transport> transport,
                      const std::string& buffer = "100MB",
                      const std::string& lastRate = "10Gbps")
        : m_transport(transport)
    {
        m_fabric->SetTierNames({"host", "switch"});
        const auto middle = m_fabric->AddSwitch(1);
        for (const auto& rate : {std::string("10Gbps"), std::string("10Gbps"), lastRate})
        {
            m_fabric->Connect(m_fabric->AddHost(), middle, DataRate(rate), MicroSeconds(5));
        }
        m_fabric->SetQueueDiscFactory([buffer](const FabricPort::Description&) {
            auto queue = CreateObject<DropTailQueueDisc>();
            queue->SetAttribute("MaxSize", QueueSizeValue(QueueSize(buffer)));
            return queue;
        });
        m_fabric->Build();
        m_watch = std::make_unique<PortWatch>(m_fabric->GetHost(0).GetNicPort());
        m_transport->Attach(m_fabric);
        m_transport->AddObserver(this);
    }

    ~HostStar() override
    {
        m_transport->Dispose();
        Simulator::Destroy();
        m_fabric->Dispose();
    }

    /**
     * @brief Send to host 2.
     * @param source 0 or 1
     * @param bytes payload; 0: until stopped
     * @return the flow
     */
    FlowId Send(uint32_t source, uint64_t bytes)
    {
        FlowRequest request;
        request.source = source;
        request.destination = 2;
        request.bytes = bytes;
        return m_transport->StartFlow(request);
    }

    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override
    {
        delivered[record.id] += bytes;
    }

    void FlowFinished(const FlowRecord& record) override
    {
        ++finished;
        life = record;
        last = std::max(last, record.delivered);
    }

    /**
     * @brief Departures from the first host's port.
     * @return the watch
     */
    const PortWatch& GetWatch() const
    {
        return *m_watch;
    }

    /**
     * @brief The network.
     * @return the fabric
     */
    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    std::map<FlowId, uint64_t> delivered; //!< bytes of each flow
    uint32_t finished{0};                 //!< flows
    FlowRecord life;                      //!< of the flow that finished last
    Time last;                            //!< delivery of the last byte of all

  private:
    Ptr<Fabric> m_fabric{CreateObject<Fabric>()}; //!< the network
    std::unique_ptr<PortWatch> m_watch;           //!< of the first host's port
    Ptr<Transport> m_transport;                   //!< the hosts
};

/// @ingroup transport-tests
/// @brief Values of a transport's attributes, by name.
using Attributes = std::vector<std::pair<std::string, std::string>>;

} // namespace ns3

#endif /* HOST_TEST_H */
