/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BOUNCING_TEST_H
#define BOUNCING_TEST_H

#include "../../support/test/support-test.h"

#include "ns3/bouncing-agent.h"
#include "ns3/bouncing-scheme.h"
#include "ns3/direct-event.h"
#include "ns3/fabric.h"
#include "ns3/flow-hash.h"
#include "ns3/lean-tcp-header.h"
#include "ns3/network.h"
#include "ns3/simulator.h"
#include "ns3/timeline.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb-tests
 * @brief A network under a bouncing scheme, with packets sent one by one and all seen.
 */
class BouncingTestNetwork : public ItemSink
{
  public:
    /// @brief A packet as its receiver sees it.
    struct Arrival
    {
        uint32_t source;       //!< sending host
        uint32_t destination;  //!< receiving host
        uint64_t sequence;     //!< first byte of payload
        int64_t time;          //!< in time steps
        uint16_t size;         //!< bytes
        uint8_t hops;          //!< switches passed
        FabricItem::Ecn ecn;   //!< ECN codepoint
        const uint16_t* route; //!< source route
    };

    /// @brief A server pair and kind of packets: source, destination, whether with payload.
    using Pair = std::array<uint32_t, 3>;

    /**
     * @param scheme specification of the scheme
     * @param topology specification of the topology
     */
    BouncingTestNetwork(const std::string& scheme, const std::string& topology)
        : m_network(CreateObject<Network>()),
          m_fabric(m_network->GetFabric())
    {
        m_network->SetTopology(topology);
        m_network->SetScheme(scheme);
        m_network->Build();
        m_scheme = m_network->GetScheme();
        m_transport = m_network->GetTransports()->Get(0);
        m_flow = m_fabric->AddEndpoints(this, this);
        for (uint32_t host = 0; host < m_fabric->GetNHosts(); ++host)
        {
            for (const auto& agent : m_fabric->GetHost(host).GetEdgeAgents())
            {
                auto record = [this, host](uint32_t destination, uint32_t point, bool hasPayload) {
                    m_points[{host, destination, hasPayload}].push_back(point);
                };
                agent->TraceConnectWithoutContext("Bounce",
                                                  Callback<void, uint32_t, uint32_t, bool>(record));
            }
        }
    }

    ~BouncingTestNetwork() override
    {
        m_network->Dispose();
        Simulator::Destroy();
    }

    BouncingTestNetwork(const BouncingTestNetwork&) = delete;
    BouncingTestNetwork& operator=(const BouncingTestNetwork&) = delete;

    /**
     * @brief Send a packet now.
     * @param source sending host
     * @param destination receiving host
     * @param header its TCP header
     * @param port source port of its connection
     * @param ecn its ECN codepoint
     */
    void Send(uint32_t source,
              uint32_t destination,
              const LeanTcpHeader& header,
              uint16_t port = 1,
              FabricItem::Ecn ecn = FabricItem::ECT0)
    {
        FabricItem* item = FabricItem::Create();
        item->source = source;
        item->destination = destination;
        item->size = static_cast<uint16_t>(LeanTcpHeader::IP_AND_TCP + header.length);
        item->flow = m_flow;
        item->hash = HashFiveTuple(source, destination, port, 80, 6);
        item->SetEcn(ecn);
        item->As<LeanTcpHeader>() = header;
        m_fabric->GetHost(source).Send(item);
    }

    /**
     * @brief A header of a packet with payload.
     * @param number number of the packet in its connection
     * @return the header
     */
    static LeanTcpHeader Data(uint64_t number)
    {
        LeanTcpHeader header{};
        header.sequence = number * 1460;
        header.length = 1460;
        return header;
    }

    /**
     * @brief A header without payload.
     * @param flag such as LeanTcpHeader::ACK
     * @return the header
     */
    static LeanTcpHeader Bare(LeanTcpHeader::Flag flag)
    {
        LeanTcpHeader header{};
        header.flags = flag;
        return header;
    }

    void ReceiveItem(FabricItem* item) override
    {
        const auto& header = item->As<LeanTcpHeader>();
        m_arrivals.push_back({item->source,
                              item->destination,
                              header.sequence,
                              DirectEvent::Now(),
                              item->size,
                              item->hops,
                              item->GetEcn(),
                              item->route});
        item->Release();
    }

    std::optional<Payload> GetPayload(FabricItem& item) const override
    {
        return item.As<LeanTcpHeader>().GetPayload();
    }

    /**
     * @brief Look at a transmission.
     * @param item the item
     * @param port the port that it leaves by
     */
    virtual void Watch(FabricItem* item, const FabricPort& port)
    {
        m_sizes[port.GetDescription().role].push_back(item->size);
        if (port.GetDescription().role == m_markedRole && item->GetEcn() != FabricItem::NOT_ECT)
        {
            item->SetEcn(FabricItem::CE);
        }
    }

    /// @brief See every transmission.
    void TapAll()
    {
        const auto stage = CreateObject<DepartureStage>(
            [this](FabricItem* item, const FabricPort& port) { Watch(item, port); });
        m_fabric->ForEachPort([stage](FabricPort& port) { port.AddStage(stage); });
    }

    /// @brief Results of fabric and scheme.
    std::map<std::string, double> GetReport() const
    {
        Results results;
        m_network->ReportResults(results);
        return TotalsByName(results);
    }

    /// @brief The forwarding tables.
    const BouncingRoutes& GetRoutes() const
    {
        return *DynamicCast<BouncingScheme>(m_scheme)->GetRoutes();
    }

    /**
     * @brief True if a point can be used for a pair, going by the links themselves.
     * @param source sending host
     * @param destination receiving host
     * @param point the point
     * @return true if all links of the way work
     */
    bool IsUsable(uint32_t source, uint32_t destination, uint32_t point) const
    {
        const auto works = [this](uint32_t link) { return m_fabric->GetLink(link)[0]->IsUp(); };
        const auto reaches = [&](uint32_t host) {
            const uint16_t rack = m_fabric->GetLocation(host).rack;
            const auto links = GetRoutes().GetUpLinks(*m_fabric, rack, point);
            return std::all_of(links.begin(), links.end(), works);
        };
        return reaches(source) && reaches(destination);
    }

    Ptr<Network> m_network;                               //!< all of it
    Ptr<Fabric> m_fabric;                                 //!< its fabric
    Ptr<Scheme> m_scheme;                                 //!< its scheme
    Ptr<Transport> m_transport;                           //!< its only transport
    std::vector<Arrival> m_arrivals;                      //!< in order
    std::map<Pair, std::vector<uint32_t>> m_points;       //!< points of the packets, in order
    std::map<std::string, std::vector<uint16_t>> m_sizes; //!< transmitted sizes, by port role
    std::string m_markedRole;                             //!< ports that mark all they can

  private:
    uint32_t m_flow{0}; //!< the network's own endpoint
};

} // namespace ns3

#endif /* BOUNCING_TEST_H */
