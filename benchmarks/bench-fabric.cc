/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bench-fabric.h"

#include "ns3/boolean.h"
#include "ns3/fifo-queue-disc.h"
#include "ns3/global-value.h"
#include "ns3/network.h"
#include "ns3/open-pair-controller.h"
#include "ns3/pair-edge.h"
#include "ns3/port-stage.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/stock-queue-disc-adapter.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @brief A scheme for measurements: one discipline and one path selector, whatever the transport.
class BenchScheme : public Scheme
{
  public:
    /**
     * @param parameters parameters of the case; outlive the scheme
     */
    explicit BenchScheme(const FabricCase& parameters)
        : m_parameters(parameters)
    {
    }

    void ConfigureFabric(Network& network) override
    {
        network.GetFabric()->SetPathSelector(ObjectFactory(m_parameters.paths));
        if (m_parameters.pairs > 0)
        {
            CreateObject<PairEdge>()->Setup(network.GetFabric(), [] {
                return CreateObjectWithAttributes<OpenPairController>("ChannelSize",
                                                                      StringValue(BUFFER));
            });
        }
        network.GetFabric()->SetQueueDiscFactory([this](const FabricPort::Description& port) {
            const bool hasPairs = m_parameters.pairs > 0 && port.tier == 0;
            return ns3::CreateQueueDisc(hasPairs ? "ns3::PairQueueDisc" : m_parameters.queueDisc);
        });
    }

    void ConfigureNodes(Network& network) override
    {
        if (m_parameters.pairs > 0)
        {
            network.GetFabric()->GetObject<PairEdge>()->SetTenants(network.GetTenants());
        }
    }

  private:
    const FabricCase& m_parameters; //!< parameters of the case
};

/**
 * @brief The fat-tree of the measurements.
 * @param k ports of each switch
 * @return its specification
 */
std::string
GetFatTree(uint32_t k)
{
    return "fat-tree:K=" + std::to_string(k) + ",HostRate=" + RATE + ",FabricRate=" + RATE +
           ",CoreRate=" + RATE + ",LinkDelay=" + DELAY;
}

/**
 * @brief One tenant with a VM on each host.
 * @param hosts number of hosts
 * @return the tenant; VM i is on host i
 */
Ptr<TenantTable>
CreateTenant(uint32_t hosts)
{
    auto tenants = CreateObject<TenantTable>();
    tenants->AddTenant({"all"});
    for (uint32_t host = 0; host < hosts; ++host)
    {
        tenants->AddVm({0, host, DataRate("1Gbps"), DataRate("1Gbps")});
    }
    return tenants;
}

} // namespace

Ptr<FabricQueueDisc>
CreateQueueDisc(const std::string& type)
{
    if (type == "ns3::FifoQueueDisc")
    {
        auto adapter = CreateObject<StockQueueDiscAdapter>();
        adapter->SetStockQueueDisc(
            CreateObjectWithAttributes<FifoQueueDisc>("MaxSize", StringValue(BUFFER)));
        return adapter;
    }
    ObjectFactory factory(type);
    factory.Set("MaxSize", StringValue(BUFFER));
    return factory.Create<FabricQueueDisc>();
}

Measurement
RunFabric(const FabricCase& parameters)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue(parameters.kernel));
    GlobalValue::Bind("HugePages", BooleanValue(parameters.hugePages));
    const std::size_t before = GetAllocatedBytes();
    auto network = CreateObject<Network>();
    const auto fabric = network->GetFabric();
    network->SetTopology(GetFatTree(parameters.k));
    if (parameters.scheme.empty())
    {
        network->SetScheme(CreateObject<BenchScheme>(parameters));
        network->SetTransports(parameters.transport);
    }
    else
    {
        network->SetScheme(parameters.scheme);
    }
    if (parameters.pairs > 0)
    {
        network->SetTenants(CreateTenant(parameters.k * parameters.k * parameters.k / 4));
    }
    network->Build();
    const std::size_t after = GetAllocatedBytes();
    uint32_t ports = 0;
    fabric->ForEachPort([&](FabricPort& port) {
        if (ports++ < parameters.stages)
        {
            port.AddStage(CreateObject<PortStage>());
        }
    });

    const auto transports = network->GetTransports();
    const uint32_t hosts = fabric->GetNHosts();
    const uint32_t senders = parameters.oneWay ? hosts / 2 : hosts;
    const uint32_t flows = std::max(1U, parameters.pairs); // of each sender
    LastFlow lastFlow(senders * flows);
    transports->AddObserver(&lastFlow);
    const uint64_t bytes = static_cast<uint64_t>(parameters.packets) * PAYLOAD;
    for (uint32_t i = 0; i < senders * flows; ++i)
    {
        const uint32_t host = i / flows;
        const uint32_t other = (GetDestination(host, hosts) + i % flows) % hosts;
        FlowRequest request{host, parameters.oneWay ? senders + other % senders : other, bytes};
        if (parameters.pairs > 0)
        {
            request.pair = network->GetTenants()->GetPair(host, request.destination) + 1;
        }
        transports->StartFlow(request);
    }
    if (parameters.duration.IsStrictlyPositive())
    {
        Simulator::Stop(parameters.duration);
    }
    Measurement measurement;
    RunSimulation(measurement);
    fabric->ForEachPort([&](const FabricPort& port) { measurement.hops += port.GetTxPackets(); });
    measurement.bytesPerPort = static_cast<double>(after - before) / ports;
    return measurement;
}

std::vector<Case>
GetFabricCases(const Scale& scale)
{
    const auto fabric = [scale](FabricCase parameters) {
        parameters.packets = scale.Packets(parameters.packets);
        return [parameters] { return RunFabric(parameters); };
    };
    const auto dctcp = [scale](uint32_t k, const std::string& transport, double microseconds) {
        return [=] {
            return RunFabric({.k = k,
                              .packets = 0,
                              .queueDisc = "ns3::StepMarkQueueDisc",
                              .transport = transport + ":CongestionOps=ns3::TcpDctcp",
                              .paths = "ns3::FlowHashPathSelector",
                              .duration = scale.Duration(microseconds)});
        };
    };
    const auto scheme =
        [scale](uint32_t k, const std::string& spec, double microseconds, bool hugePages = true) {
            return [=] {
                return RunFabric({.k = k,
                                  .packets = 0,
                                  .duration = scale.Duration(microseconds),
                                  .hugePages = hugePages,
                                  .scheme = spec});
            };
        };
    const std::string plain = "fabric, no Packet";
    const std::string half = "fabric, half the hosts send";
    const std::string sockets = "fabric, DCTCP on ns-3 sockets";
    const std::string ecmp = "scheme tcp (ECMP, lean TCP)";
    const std::string drb = "scheme drb (lean TCP)";
    return {
        {plain, fabric({}), {{STOCK_UDP, 50}}},
        {"fabric, Packet with headers",
         fabric({.packets = 1000, .transport = std::string(FIXED_WINDOW) + ",CarryPackets=true"}),
         {{STOCK_UDP, 25}}},
        {"fabric, stock FifoQueueDisc",
         fabric({.packets = 500, .queueDisc = "ns3::FifoQueueDisc"}),
         {{STOCK_UDP, 7}}},
        {"fabric, a stage at each port", fabric({.stages = UINT32_MAX}), {{plain, 0.6}}},
        {"fabric, a stage at one port", fabric({.stages = 1}), {{plain, 0.95}}},
        {"fabric, k=24", fabric({.k = 24, .packets = 100}), {{plain, 0.25}}, 150},
        {"fabric, k=24, small pages", fabric({.k = 24, .packets = 100, .hugePages = false}), {}},
        {"fabric, a VM pair per host", fabric({.pairs = 1}), {{plain, 0.75}}},
        {half, fabric({.packets = 4000, .oneWay = true}), {}},
        {"fabric, half the hosts send, VM pairs",
         fabric({.packets = 4000, .pairs = 1, .oneWay = true}),
         {{half, 0.75}}},
        {"fabric, k=24, 10 VM pairs per host",
         fabric({.k = 24, .packets = 10, .pairs = 10}),
         {},
         1000},
        {"fabric, ns-3's DefaultSimulatorImpl",
         fabric({.packets = 500, .kernel = "ns3::DefaultSimulatorImpl"}),
         {}},
        {sockets, dctcp(8, "ns3", 2000), {{STOCK_DCTCP, 3}}},
        {"fabric, lean DCTCP", dctcp(8, "lean", 20000), {{sockets, 15}, {STOCK_DCTCP, 40}}},
        {"fabric, k=24, lean DCTCP", dctcp(24, "lean", 1000), {}, 300},
        {ecmp, scheme(8, "tcp", 20000), {}},
        {drb, scheme(8, "drb", 20000), {{ecmp, 0.7}}},
        {"scheme drb, k=24", scheme(24, "drb", 1000), {{drb, 0.5}}, 1000},
        {"scheme drb, k=24, small pages", scheme(24, "drb", 1000, false), {}},
    };
}

} // namespace ns3
