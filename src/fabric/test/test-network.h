/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEST_NETWORK_H
#define TEST_NETWORK_H

#include "ns3/fabric.h"
#include "ns3/flow-hash.h"
#include "ns3/object-spec.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/topology.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric-tests
 * @brief The header that the tests write into an item in place of a transport's.
 */
struct TestHeader
{
    uint64_t sequence; //!< number of the item
    int64_t sent;      //!< time of sending, in time steps
};

/**
 * @ingroup fabric-tests
 * @brief Remembers what arrived.
 */
class ArrivalRecorder : public ItemSink
{
  public:
    /// @brief An item that arrived.
    struct Arrival
    {
        uint64_t sequence;    //!< number of the item
        int64_t sent;         //!< time of sending, in time steps
        int64_t arrived;      //!< time of arrival, in time steps
        uint32_t source;      //!< host that sent it
        uint32_t destination; //!< host that it was for
        uint32_t hash;        //!< of its 5-tuple
        uint8_t hops;         //!< switches it passed
        bool marked;          //!< true if it carries Congestion Experienced

        bool operator==(const Arrival&) const = default;
    };

    void ReceiveItem(FabricItem* item) override
    {
        const auto& header = item->As<TestHeader>();
        arrivals.push_back({header.sequence,
                            header.sent,
                            DirectEvent::Now(),
                            item->source,
                            item->destination,
                            item->hash,
                            item->hops,
                            item->GetEcn() == FabricItem::CE});
        item->Release();
    }

    std::vector<Arrival> arrivals; //!< in the order of arrival
};

/**
 * @ingroup fabric-tests
 * @brief A fabric whose hosts send bare items to each other.
 */
class TestNetwork
{
  public:
    /**
     * @param topology specification of the topology
     * @param selector TypeId of the path selector, with attributes
     */
    explicit TestNetwork(const std::string& topology,
                         const ObjectFactory& selector = ObjectFactory("ns3::FlowHashPathSelector"))
    {
        fabric->SetPathSelector(selector);
        CreateFromSpec<Topology>("topology", topology)->AddTo(*fabric);
    }

    /// @param add adds nodes and links to the fabric
    explicit TestNetwork(const std::function<void(Fabric&)>& add)
    {
        add(*fabric);
    }

    ~TestNetwork()
    {
        Simulator::Destroy();
        fabric->Dispose();
    }

    TestNetwork(const TestNetwork&) = delete;
    TestNetwork& operator=(const TestNetwork&) = delete;

    /// @brief Build the fabric and let it hand all items to the recorder.
    void Build()
    {
        fabric->Build();
        fabric->AssignStreams(100);
        m_flow = fabric->AddEndpoints(&recorder, &recorder);
    }

    /**
     * @brief Send an item now.
     * @param source sending host
     * @param destination receiving host
     * @param size bytes
     * @param port source port of the 5-tuple
     * @param route source route, or nullptr
     * @param priority class in the fabric
     */
    void Send(uint32_t source,
              uint32_t destination,
              uint16_t size = 1500,
              uint16_t port = 0,
              const uint16_t* route = nullptr,
              uint8_t priority = 0)
    {
        FabricItem* item = FabricItem::Create();
        item->source = source;
        item->destination = destination;
        item->size = size;
        item->flow = m_flow;
        item->hash = HashFiveTuple(source, destination, port, 80, 6);
        item->route = route;
        item->priority = priority;
        item->SetEcn(FabricItem::ECT0);
        item->As<TestHeader>() = {sent++, DirectEvent::Now()};
        fabric->GetHost(source).Send(item);
    }

    /**
     * @brief Send an item later; parameters as for Send().
     * @param time time of sending
     */
    void SendAt(Time time,
                uint32_t source,
                uint32_t destination,
                uint16_t size = 1500,
                uint16_t port = 0)
    {
        Simulator::Schedule(time - Simulator::Now(), [this, source, destination, size, port] {
            Send(source, destination, size, port);
        });
    }

    /// @brief Items dropped by disciplines.
    uint64_t GetDrops() const
    {
        uint64_t drops = 0;
        fabric->ForEachPort([&drops](FabricPort& port) {
            for (const auto& count : port.GetQueueDisc().GetDropCounts())
            {
                drops += count.packets;
            }
        });
        return drops;
    }

    /// @brief Items lost on failed links, without a route or with a wrong one.
    uint64_t GetLosses() const
    {
        uint64_t losses = 0;
        for (uint32_t i = 0; i < fabric->GetNHosts(); ++i)
        {
            losses += fabric->GetHost(i).GetLostInFlight() + fabric->GetHost(i).GetStrayItems();
        }
        for (uint32_t i = 0; i < fabric->GetNSwitches(); ++i)
        {
            const FabricSwitch& s = fabric->GetSwitch(i);
            losses +=
                s.GetLostInFlight() + s.GetNoRouteDrops() + s.GetBadRouteDrops() + s.GetLoopDrops();
        }
        return losses;
    }

    Ptr<Fabric> fabric{CreateObject<Fabric>()}; //!< the fabric
    ArrivalRecorder recorder;                   //!< takes the arrivals
    uint64_t sent{0};                           //!< items sent

  private:
    uint32_t m_flow{0}; //!< the recorder's endpoint
};

} // namespace ns3

#endif /* TEST_NETWORK_H */
