/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EDGE_TEST_H
#define EDGE_TEST_H

#include "../../fabric/test/item-test-case.h"

#include "ns3/drop-tail-queue-disc.h"
#include "ns3/fabric.h"
#include "ns3/flow-hash.h"
#include "ns3/input-error.h"
#include "ns3/object-factory.h"
#include "ns3/object-spec.h"
#include "ns3/pair-channel.h"
#include "ns3/pair-edge.h"
#include "ns3/pair-queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tenant-table.h"
#include "ns3/test.h"
#include "ns3/topology.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup edge-tests
 * @brief A channel whose release time a test sets.
 */
class HeldTestChannel : public PairChannel
{
  public:
    HeldTestChannel()
        : PairChannel(QueueLimit())
    {
    }

    int64_t GetReleaseTime(int64_t now) override
    {
        return release > now ? release : now;
    }

    int64_t release{0}; //!< time at which items may go
};

/**
 * @ingroup edge-tests
 * @brief Hosts around a switch, with tenants at their edge, that send bare items to each other.
 */
class EdgeTestNetwork : public ItemSink
{
  public:
    /**
     * @brief Set up the tenants' side.
     * @param controller specification of the controller of each host
     * @param answers the edge's attribute Answers
     */
    explicit EdgeTestNetwork(const std::string& controller,
                             const std::string& answers = "ReversePair")
        : m_controller(controller)
    {
        edge->SetAttribute("Answers", StringValue(answers));
    }

    ~EdgeTestNetwork() override
    {
        Simulator::Destroy();
        fabric->Dispose();
    }

    EdgeTestNetwork(const EdgeTestNetwork&) = delete;
    EdgeTestNetwork& operator=(const EdgeTestNetwork&) = delete;

    /**
     * @brief Add a VM to the last tenant.
     * @param host its host
     * @param send hose guarantee
     * @param receive hose guarantee
     * @return number of the VM
     */
    VmId AddVm(uint32_t host, const std::string& send = "0bps", const std::string& receive = "0bps")
    {
        return tenants->AddVm(
            {tenants->GetNTenants() - 1, host, DataRate(send), DataRate(receive)});
    }

    /**
     * @brief Build the network.
     * @param topology specification of the topology
     */
    void Build(const std::string& topology = "single-switch:Hosts=4,HostRate=10Gbps,LinkDelay=5us")
    {
        edge->Setup(fabric,
                    [this] { return CreateFromSpec<PairController>("controller", m_controller); });
        fabric->SetQueueDiscFactory([this](const FabricPort::Description& port) {
            if (port.tier > 0)
            {
                return Ptr<FabricQueueDisc>(CreateObject<DropTailQueueDisc>());
            }
            return Ptr<FabricQueueDisc>(disc.Create<PairQueueDisc>());
        });
        CreateFromSpec<Topology>("topology", topology)->AddTo(*fabric);
        fabric->Build();
        edge->SetTenants(tenants);
        edge->InstallAgents();
    }

    /**
     * @brief Send an item of a pair.
     * @param pair number of the pair
     * @param size in bytes
     * @param answer true if it is an answer of the receiver to data of the pair
     * @param index of one of the pair's flows
     */
    void Send(PairId pair, uint16_t size = 1500, bool answer = false, uint32_t index = 0)
    {
        SendItem(GetFlow(pair, index),
                 answer ? tenants->GetDestination(pair) : tenants->GetSource(pair),
                 answer ? tenants->GetSource(pair) : tenants->GetDestination(pair),
                 size,
                 answer ? FabricItem::ANSWER : FabricItem::DATA);
    }

    /**
     * @brief A flow of a pair.
     * @param pair number of the pair
     * @param index of one of its flows
     * @return the value for FabricItem::flow
     */
    uint32_t GetFlow(PairId pair, uint32_t index = 0)
    {
        uint32_t& flow = m_flows[{pair, index}];
        if (!flow)
        {
            flow = fabric->AddEndpoints(this, this, {pair + 1, 0, 0});
        }
        return flow;
    }

    /**
     * @brief Send an item that belongs to no pair.
     * @param source sending host
     * @param destination receiving host
     * @param size in bytes
     * @param itemClass its purpose
     */
    void SendPlain(uint32_t source,
                   uint32_t destination,
                   uint16_t size = 1500,
                   FabricItem::Class itemClass = FabricItem::DATA)
    {
        if (!m_plainFlow)
        {
            m_plainFlow = fabric->AddEndpoints(this, this);
        }
        SendItem(m_plainFlow, source, destination, size, itemClass);
    }

    void ReceiveItem(FabricItem* item) override
    {
        const uint32_t pair = fabric->GetFlowTag(*item).pair;
        received[pair] += item->size;
        ++arrivals;
        if (onReceive)
        {
            onReceive(pair, *item);
        }
        item->Release();
    }

    Ptr<Fabric> fabric{CreateObject<Fabric>()};                 //!< the network
    Ptr<TenantTable> tenants{CreateObject<TenantTable>()};      //!< its tenants
    Ptr<PairEdge> edge{CreateObject<PairEdge>()};               //!< the edge
    ObjectFactory disc{"ns3::PairQueueDisc"};                   //!< makes the hosts' disciplines
    std::map<uint32_t, uint64_t> received;                      //!< bytes by tag (pair plus 1)
    uint64_t sent{0};                                           //!< items sent
    uint64_t arrivals{0};                                       //!< items that arrived
    std::function<void(uint32_t, const FabricItem&)> onReceive; //!< sees the tag and each arrival

  private:
    void SendItem(uint32_t flow,
                  uint32_t source,
                  uint32_t destination,
                  uint16_t size,
                  FabricItem::Class itemClass)
    {
        FabricItem* item = FabricItem::Create();
        item->flow = flow;
        item->source = source;
        item->destination = destination;
        item->size = size;
        item->hash = HashFiveTuple(source, destination, static_cast<uint16_t>(flow), 80, 6);
        item->SetEcn(FabricItem::ECT0);
        item->SetClass(itemClass);
        if (itemClass == FabricItem::ANSWER)
        {
            item->kind |= FabricItem::TOWARDS_SENDER;
        }
        ++sent;
        fabric->GetHost(source).Send(item);
    }

    std::string m_controller;                                //!< specification of the controller
    std::map<std::pair<PairId, uint32_t>, uint32_t> m_flows; //!< by pair and index
    uint32_t m_plainFlow{0};                                 //!< of no pair
};

/// @ingroup edge-tests
/// @brief Test cases here leave no item behind.
using EdgeTestCase = ItemTestCase;

} // namespace ns3

#endif /* EDGE_TEST_H */
