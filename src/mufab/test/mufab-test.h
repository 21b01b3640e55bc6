/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MUFAB_TEST_H
#define MUFAB_TEST_H

#include "../../fabric/test/item-test-case.h"

#include "ns3/fabric.h"
#include "ns3/flow-hash.h"
#include "ns3/mufab-pair-controller.h"
#include "ns3/mufab-pair.h"
#include "ns3/mufab-port-stage.h"
#include "ns3/network.h"
#include "ns3/pair-edge.h"
#include "ns3/probe-exchange.h"
#include "ns3/simulator.h"
#include "ns3/tenant-table.h"
#include "ns3/test.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @brief The paper's testbed: 8 hosts, two pods; the largest base RTT is 24 us.
inline const std::string TESTBED = "three-tier:LinkDelay=1380ns";

/// @brief A switch in the middle of hosts, all base RTTs are 24 us.
inline const std::string STAR = "single-switch:Hosts=9,HostRate=10Gbps,LinkDelay=5376ns";

/// @brief Two racks with a spine for each way between them.
inline const std::string THREE_WAYS =
    "leaf-spine:Leaves=2,HostsPerLeaf=4,Spines=3,HostRate=10Gbps,FabricRate=10Gbps,LinkDelay=2us";

/**
 * @ingroup mufab-tests
 * @brief A network under uFAB whose pairs send numbered packets of 1500 bytes, without any
 * transport.
 */
class MufabTestNetwork : public ItemSink
{
  public:
    /**
     * @brief Say what stands in the network.
     * @param controller specification of the controllers
     * @param core specification of the stage at each port of a switch
     */
    explicit MufabTestNetwork(const std::string& controller = "mufab",
                              const std::string& core = "mufab")
        : m_controller(controller),
          m_core(core)
    {
    }

    ~MufabTestNetwork() override
    {
        Simulator::Destroy();
        network->Dispose();
    }

    MufabTestNetwork(const MufabTestNetwork&) = delete;
    MufabTestNetwork& operator=(const MufabTestNetwork&) = delete;

    /**
     * @brief Build the network.
     * @param topology specification of the topology
     */
    void Build(const std::string& topology)
    {
        network->SetTopology(topology);
        network->SetScheme("mufab:EdgeBuffer=4MB,CoreBuffer=4MB,StagesExcept=\"" + without +
                           "\",Controller=\"" + m_controller + "\",Stages=\"" + m_core + "\"");
        network->SetTenants(tenants);
        network->Build();
        edge = fabric->GetObject<PairEdge>();
        exchange = ProbeExchange::Of(*fabric);
        fabric->ForEachPort([this](FabricPort& port) {
            for (const Ptr<PortStage>& stage : port.GetStages())
            {
                if (const auto mufab = DynamicCast<MufabPortStage>(stage))
                {
                    stages[&port] = mufab;
                }
            }
        });
        for (uint32_t host = 0; host < fabric->GetNHosts(); ++host)
        {
            GetController(host).AssignStreams(100 + host);
        }
    }

    /**
     * @brief Add a virtual fabric of two VMs, each with a hose.
     * @param from host of the one that sends
     * @param to host of the one that receives
     * @param hose guarantee of each
     * @return the pair
     */
    PairId AddPair(uint32_t from, uint32_t to, const std::string& hose)
    {
        const TenantId tenant = tenants->AddTenant({"V" + std::to_string(tenants->GetNTenants())});
        const VmId sender = tenants->AddVm({tenant, from, DataRate(hose), DataRate(hose)});
        return tenants->GetPair(sender,
                                tenants->AddVm({tenant, to, DataRate(hose), DataRate(hose)}));
    }

    /**
     * @brief Let a pair have data at all times.
     * @param pair the pair
     * @param start since when
     */
    void Fill(PairId pair, Time start = Time(0))
    {
        Simulator::Schedule(start, [this, pair] {
            m_filled[pair] = true;
            KeepFull(pair);
        });
    }

    /**
     * @brief A pair that had data at all times gets no more.
     * @param pair the pair
     * @param at from when on
     */
    void Stop(PairId pair, Time at)
    {
        Simulator::Schedule(at, [this, pair] { m_filled[pair] = false; });
    }

    /**
     * @brief Let a pair have data at a rate.
     * @param pair the pair
     * @param rate of IP datagrams
     * @param start since when
     * @param end until when
     */
    void Drip(PairId pair, const DataRate& rate, Time start, Time end)
    {
        const Time gap = rate.CalculateBytesTxTime(1500);
        Simulator::Schedule(start, [this, pair, gap, end] { SendNext(pair, gap, end); });
    }

    /**
     * @brief Send packets of a pair now.
     * @param pair the pair
     * @param packets number of packets
     * @param index of one of the pair's flows
     */
    void Send(PairId pair, uint32_t packets = 1, uint32_t index = 0)
    {
        uint32_t& flow = m_flows[{pair, index}];
        if (!flow)
        {
            flow = fabric->AddEndpoints(this, this, {pair + 1, 0, 0});
        }
        for (uint32_t packet = 0; packet < packets; ++packet)
        {
            FabricItem* item = FabricItem::Create();
            item->flow = flow;
            item->source = tenants->GetSource(pair);
            item->destination = tenants->GetDestination(pair);
            item->size = 1500;
            item->hash = HashFiveTuple(item->source, item->destination, flow % 4, 80, 6);
            item->As<uint64_t>() = sent[pair]++;
            fabric->GetHost(item->source).Send(item);
        }
    }

    /**
     * @brief Run.
     * @param duration for how long
     */
    void Run(Time duration)
    {
        Simulator::Stop(duration);
        Simulator::Run();
    }

    /**
     * @brief Rates of pairs over a time from now.
     * @param pairs the pairs
     * @param duration for how long
     * @return in Gbit/s
     */
    std::vector<double> Measure(const std::vector<PairId>& pairs, Time duration)
    {
        std::map<PairId, uint64_t> before = arrived;
        Run(duration);
        std::vector<double> rates;
        for (const PairId pair : pairs)
        {
            rates.push_back(12e-6 * static_cast<double>(arrived[pair] - before[pair]) /
                            duration.GetSeconds());
        }
        return rates;
    }

    /**
     * @brief A pair at its sender.
     * @param pair the pair, which has sent something
     * @return its state machine
     */
    MufabPair& GetPair(PairId pair) const
    {
        return static_cast<MufabPair&>(*edge->FindChannel(pair));
    }

    /**
     * @brief The controller of a host.
     * @param host the host
     * @return its controller
     */
    MufabPairController& GetController(uint32_t host) const
    {
        return static_cast<MufabPairController&>(edge->GetController(host));
    }

    /**
     * @brief The port that leads to a host.
     * @param host the host
     * @return the switch's port
     */
    FabricPort& GetLastPort(uint32_t host) const
    {
        const auto& nic = fabric->GetHost(host).GetNicPort().GetDescription();
        return nic.peer->GetPort(nic.peerPort);
    }

    /**
     * @brief Sums in a port's registers.
     * @param port of a switch
     * @return Phi and W
     */
    PairClaim GetSums(const FabricPort& port)
    {
        return stages.at(&port)->GetRegisters().GetSums();
    }

    /**
     * @brief Sums in the registers of all ports together.
     * @return sums of Phi and W
     */
    PairClaim GetAllSums()
    {
        PairClaim all;
        for (const auto& [port, stage] : stages)
        {
            const PairClaim sums = stage->GetRegisters().GetSums();
            all.tokens += sums.tokens;
            all.window += sums.window;
        }
        return all;
    }

    void ReceiveItem(FabricItem* item) override
    {
        const PairId pair = fabric->GetFlowTag(*item).pair - 1;
        const uint64_t number = item->As<uint64_t>();
        uint64_t& next = m_expected[item->flow];
        disordered += number < next;
        next = std::max(next, number + 1);
        ++arrived[pair];
        lastArrival[pair] = Simulator::Now();
        if (onReceive)
        {
            onReceive(*item);
        }
        item->Release();
        if (m_filled[pair])
        {
            TopUp(pair);
        }
    }

    std::string without;                                   //!< switch without uFAB-C
    uint32_t flows{1};                                     //!< of a pair that has data at all times
    Ptr<Network> network{CreateObject<Network>()};         //!< all of it
    Ptr<Fabric> fabric{network->GetFabric()};              //!< hosts, switches and links
    Ptr<TenantTable> tenants{CreateObject<TenantTable>()}; //!< tenants of the network
    Ptr<PairEdge> edge;                                    //!< the edge
    Ptr<ProbeExchange> exchange;                           //!< carries probes
    std::map<const FabricPort*, Ptr<MufabPortStage>> stages; //!< by port of a switch
    std::map<PairId, uint64_t> sent;                         //!< packets by pair
    std::map<PairId, uint64_t> arrived;                      //!< packets by pair
    std::map<PairId, Time> lastArrival;                      //!< of each pair
    uint64_t disordered{0};                                  //!< packets that came too late
    std::function<void(const FabricItem&)> onReceive;        //!< sees each packet that arrives

  private:
    static constexpr uint32_t BACKLOG = 40; //!< packets

    void TopUp(PairId pair)
    {
        const PairChannel* channel = edge->FindChannel(pair);
        const uint32_t waiting = channel ? channel->GetWaitingPackets() : 0;
        if (waiting < BACKLOG)
        {
            for (uint32_t index = 0; index < flows; ++index)
            {
                Send(pair, (BACKLOG - waiting + index) / flows, index);
            }
        }
    }

    void KeepFull(PairId pair)
    {
        if (m_filled[pair])
        {
            TopUp(pair); // also when all that was under way is lost
            Simulator::Schedule(MicroSeconds(20), [this, pair] { KeepFull(pair); });
        }
    }

    void SendNext(PairId pair, Time gap, Time end)
    {
        if (Simulator::Now() < end)
        {
            Send(pair);
            Simulator::Schedule(gap, [this, pair, gap, end] { SendNext(pair, gap, end); });
        }
    }

    std::string m_controller;                                //!< specification of the controllers
    std::string m_core;                                      //!< specification of the stages
    std::map<std::pair<PairId, uint32_t>, uint32_t> m_flows; //!< by pair and index
    std::map<uint32_t, uint64_t> m_expected;                 //!< number of the next packet, by flow
    std::map<PairId, bool> m_filled; //!< true if a pair has data at all times
};

/// @ingroup mufab-tests
/// @brief Test cases here leave no item behind.
using MufabTestCase = ItemTestCase;

} // namespace ns3

#endif /* MUFAB_TEST_H */
