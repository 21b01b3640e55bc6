/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Speed and memory of the fabric against stock ns-3, as ratios within one run.
//
// Every case runs in a process of its own, so that its peak memory is its own. Time is processor
// time of Simulator::Run(), the best of some repetitions. A hop is one packet crossing one link.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/drop-tail-queue-disc.h"
#include "ns3/fabric.h"
#include "ns3/fixed-window-transport.h"
#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/internet-module.h"
#include "ns3/lean-tcp-header.h"
#include "ns3/metered-queue-disc.h"
#include "ns3/network-module.h"
#include "ns3/network.h"
#include "ns3/nix-vector-helper.h"
#include "ns3/object-spec.h"
#include "ns3/point-to-point-module.h"
#include "ns3/stock-queue-disc-adapter.h"
#include "ns3/traffic-control-module.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iomanip>
#include <iostream>
#include <malloc.h>
#include <optional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;

namespace
{

constexpr uint32_t WINDOW = 16;         //!< packets under way per flow
constexpr uint32_t PAYLOAD = 1460;      //!< bytes of a data packet of 1500 bytes
constexpr uint32_t ACKNOWLEDGMENT = 64; //!< bytes of an acknowledgment
constexpr uint32_t HEADERS = 28;        //!< IPv4 and UDP
constexpr const char* FIXED_WINDOW = "fixed-window:Window=16,AcknowledgmentSize=64";
constexpr const char* RATE = "10Gbps"; //!< of every link
constexpr const char* DELAY = "1us";   //!< of every link
constexpr const char* BUFFER = "6MB";  //!< of every port: no packet is lost

/// @brief What a run of a case took. Plain data: it crosses a pipe.
struct Measurement
{
    double seconds{0};       //!< processor time of Simulator::Run()
    double hops{0};          //!< packets times links
    double events{0};        //!< events
    double bytesPerPort{0};  //!< memory that building the network took, per port
    double peakMegabytes{0}; //!< of the whole process
};

/// @brief Permutation without chance: host i sends to the one half the hosts and 7 further on.
uint32_t
GetDestination(uint32_t source, uint32_t hosts)
{
    return (source + hosts / 2 + 7) % hosts;
}

double
GetProcessorSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

std::size_t
GetAllocatedBytes()
{
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void
RunSimulation(Measurement& measurement)
{
    const double start = GetProcessorSeconds();
    Simulator::Run();
    measurement.seconds = GetProcessorSeconds() - start;
    measurement.events = static_cast<double>(Simulator::GetEventCount());
}

// ---- The fabric ----

/// @brief Ends the simulation with the last flow.
class LastFlow : public FlowObserver
{
  public:
    explicit LastFlow(uint32_t flows)
        : m_left(flows)
    {
    }

    void FlowFinished(const FlowRecord& /* record */) override
    {
        if (--m_left == 0)
        {
            Simulator::Stop();
        }
    }

  private:
    uint32_t m_left;
};

/// @brief How a case on the fabric differs from the plain one.
struct FabricCase
{
    uint32_t k{8};                                       //!< of the fat-tree
    uint32_t packets{2000};                              //!< per flow; 0: without end
    std::string queueDisc{"ns3::DropTailQueueDisc"};     //!< TypeId
    std::string transport{FIXED_WINDOW};                 //!< specification
    std::string paths{"ns3::SprayPathSelector"};         //!< TypeId
    std::string kernel{"ns3::TimingWheelSimulatorImpl"}; //!< TypeId
    Time duration{};                                     //!< 0: until all flows are over
    bool hugePages{true};                                //!< GlobalValue HugePages
    bool stages{false};                                  //!< a stage that does nothing at each port
    std::string scheme{}; //!< specification; in place of queueDisc, transport and paths
};

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

/// @brief A scheme for measurements: one discipline and one path selector, whatever the transport.
class BenchScheme : public Scheme
{
  public:
    /**
     * @param parameters what to use; outlive the scheme
     */
    explicit BenchScheme(const FabricCase& parameters)
        : m_parameters(parameters)
    {
    }

    std::string GetSummary() const override
    {
        return "one discipline, one path selector";
    }

    std::string GetTransportSpecs() const override
    {
        return m_parameters.transport;
    }

    void ConfigureFabric(Network& network) override
    {
        network.GetFabric()->SetPathSelector(ObjectFactory(m_parameters.paths));
        network.GetFabric()->SetQueueDiscFactory([this](const FabricPort::Description&) {
            return CreateQueueDisc(m_parameters.queueDisc);
        });
    }

  private:
    const FabricCase& m_parameters; //!< what to use
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
    }
    else
    {
        network->SetScheme(parameters.scheme);
    }
    network->Build();
    const std::size_t after = GetAllocatedBytes();
    uint32_t ports = 0;
    fabric->ForEachPort([&](FabricPort& port) {
        ++ports;
        if (parameters.stages)
        {
            port.AddStage(CreateObject<PortStage>());
        }
    });

    const auto transports = network->GetTransports();
    LastFlow lastFlow(fabric->GetNHosts());
    transports->AddObserver(&lastFlow);
    const uint64_t bytes = static_cast<uint64_t>(parameters.packets) * PAYLOAD;
    for (uint32_t host = 0; host < fabric->GetNHosts(); ++host)
    {
        transports->StartFlow({host, GetDestination(host, fabric->GetNHosts()), bytes, 0});
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

/**
 * @brief Only a discipline: packets of 16 flows leave and come back, 64 of them waiting.
 * @param type TypeId of the discipline
 * @param packets how many leave
 * @return each packet counts as a hop
 */
Measurement
RunQueueDisc(const std::string& type, uint64_t packets)
{
    constexpr uint32_t FLOWS = 16;
    constexpr uint32_t WAITING = 64;
    const auto disc = CreateQueueDisc(type);
    disc->SetPort(nullptr);
    for (uint32_t i = 0; i < WAITING; ++i)
    {
        FabricItem* item = FabricItem::Create();
        item->hash = i % FLOWS * 0x9e3779b9U; // any hash
        item->size = PAYLOAD + HEADERS;
        disc->EnqueueItem(item);
    }
    Measurement measurement;
    const double start = GetProcessorSeconds();
    for (uint64_t i = 0; i < packets; ++i)
    {
        disc->EnqueueItem(disc->DequeueItem());
    }
    measurement.seconds = GetProcessorSeconds() - start;
    measurement.hops = static_cast<double>(packets);
    disc->Dispose();
    return measurement;
}

// ---- Meters: what a port does with a packet of a class that has a limit ----

/// @brief An item's hash is its class.
class HashClassifier : public ItemClassifier
{
  public:
    uint32_t Classify(const FabricItem& item) const override
    {
        return item.hash;
    }
};

/**
 * @brief Only a metered discipline: packets of any class come and leave.
 * @param classes how many there are; each has a limiter of its own
 * @param packets how many come
 * @return each packet counts as a hop
 */
Measurement
RunMeters(uint32_t classes, uint64_t packets)
{
    constexpr uint32_t BURST = 100; // packets per event, so that events cost little
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::TimingWheelSimulatorImpl"));
    const auto disc = CreateObject<MeteredQueueDisc>();
    disc->SetClassifier(CreateObject<HashClassifier>());
    disc->SetPort(nullptr);
    // As on the switch: four significant bits. All packets together stay below the rate.
    const auto meter =
        CreateFromSpec<Meter>("meter", "logical:Rate=200Gbps,YellowBurst=409600,SignificantBits=4");
    std::vector<uint32_t> order(classes);
    for (uint32_t i = 0; i < classes; ++i)
    {
        order[i] = i + 1;
        disc->SetMeter(i + 1, meter);
    }
    auto random = CreateObject<UniformRandomVariable>();
    for (uint32_t i = classes - 1; i > 0; --i)
    {
        std::swap(order[i], order[random->GetInteger(0, i)]);
    }
    FabricItem* item = FabricItem::Create();
    item->size = PAYLOAD + HEADERS;
    uint64_t sent = 0;
    std::function<void()> sendBurst = [&] {
        for (uint32_t i = 0; i < BURST; ++i, ++sent)
        {
            item->hash = order[sent % classes];
            disc->EnqueueItem(item);
            item = disc->DequeueItem();
        }
        if (sent < packets)
        {
            Simulator::Schedule(MicroSeconds(12), sendBurst);
        }
    };
    Simulator::Schedule(MicroSeconds(12), sendBurst);
    Measurement measurement;
    RunSimulation(measurement);
    measurement.hops = static_cast<double>(sent);
    item->Release();
    disc->Dispose();
    return measurement;
}

// ---- DRB: what a server does with a packet that leaves its rack (Sections 4.2 and 6.1) ----

/// @brief Below a bouncing agent: takes the packets that it lets go, and makes them as they were.
class Catcher : public EdgeAgent
{
  public:
    void Outgoing(FabricItem* item) override
    {
        item->route = nullptr;
        item->size = PAYLOAD + HEADERS;
    }
};

Measurement
RunBouncing(uint32_t pairs, uint64_t packets)
{
    constexpr uint32_t PEERS = 250; // of each server, as many servers as it takes
    const auto network = CreateObject<Network>();
    network->SetTopology("fat-tree:K=24,Pods=6");
    network->SetScheme("drb");
    network->Build();
    const auto fabric = network->GetFabric();
    for (uint32_t host = 0; host < fabric->GetNHosts(); ++host)
    {
        fabric->GetHost(host).AddEdgeAgent(CreateObject<Catcher>());
    }
    std::vector<std::pair<uint32_t, uint32_t>> order; // of sources and destinations
    for (uint32_t i = 0; i < pairs; ++i)
    {
        const uint32_t source = i / PEERS;
        // From the rack behind the source's on, so that all packets bounce.
        order.emplace_back(source, (source + 24 + i % PEERS) % fabric->GetNHosts());
    }
    auto random = CreateObject<UniformRandomVariable>();
    for (std::size_t i = order.size() - 1; i > 0; --i)
    {
        std::swap(order[i], order[random->GetInteger(0, static_cast<uint32_t>(i))]);
    }
    FabricItem* item = FabricItem::Create();
    item->size = PAYLOAD + HEADERS;
    item->As<LeanTcpHeader>() = {};
    item->As<LeanTcpHeader>().length = PAYLOAD;
    Measurement measurement;
    for (const bool isMeasured : {false, true}) // first all pairs' state is created
    {
        const uint64_t count = isMeasured ? packets : pairs;
        const double start = GetProcessorSeconds();
        for (uint64_t i = 0; i < count; ++i)
        {
            const auto [source, destination] = order[i % pairs];
            item->source = source;
            item->destination = destination;
            fabric->GetHost(source).Send(item);
        }
        measurement.seconds = GetProcessorSeconds() - start;
    }
    measurement.hops = static_cast<double>(packets);
    item->Release();
    network->Dispose();
    return measurement;
}

// ---- Stock ns-3: nodes, point-to-point links, IPv4, nix-vector routing, a queue disc per port
// ----

/// @brief The same fat-tree of stock ns-3 nodes.
class StockFatTree
{
  public:
    StockFatTree(uint32_t k, const std::function<void(TrafficControlHelper&)>& setQueueDisc)
    {
        const uint32_t half = k / 2;
        NodeContainer hosts(k * half * half);
        NodeContainer edges(k * half);
        NodeContainer aggregations(k * half);
        NodeContainer cores(half * half);
        m_hosts = hosts;
        InternetStackHelper stack;
        Ipv4NixVectorHelper routing;
        stack.SetRoutingHelper(routing);
        stack.SetIpv6StackInstall(false);
        for (const auto& nodes : {hosts, edges, aggregations, cores})
        {
            stack.Install(nodes);
        }
        m_link.SetDeviceAttribute("DataRate", StringValue(RATE));
        m_link.SetChannelAttribute("Delay", StringValue(DELAY));
        m_link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
        setQueueDisc(m_control);
        m_address.SetBase("10.0.0.0", "255.255.255.252");
        for (uint32_t i = 0; i < k * half; ++i)
        {
            for (uint32_t x = 0; x < half; ++x)
            {
                m_addresses.push_back(Connect(hosts.Get(i * half + x), edges.Get(i)));
            }
        }
        for (uint32_t pod = 0; pod < k; ++pod)
        {
            for (uint32_t a = 0; a < half; ++a)
            {
                for (uint32_t x = 0; x < half; ++x)
                {
                    Connect(edges.Get(pod * half + x), aggregations.Get(pod * half + a));
                    Connect(aggregations.Get(pod * half + a), cores.Get(a * half + x));
                }
            }
        }
    }

    const NodeContainer& GetHosts() const
    {
        return m_hosts;
    }

    Ipv4Address GetAddress(uint32_t host) const
    {
        return m_addresses[host];
    }

    uint64_t GetHops() const
    {
        return m_hops;
    }

    uint32_t GetNPorts() const
    {
        return m_ports;
    }

  private:
    Ipv4Address Connect(Ptr<Node> a, Ptr<Node> b)
    {
        const NetDeviceContainer devices = m_link.Install(a, b);
        m_control.Install(devices);
        for (uint32_t i = 0; i < 2; ++i)
        {
            devices.Get(i)->TraceConnectWithoutContext("PhyTxEnd",
                                                       MakeCallback(&StockFatTree::CountHop, this));
        }
        m_ports += 2;
        const Ipv4InterfaceContainer interfaces = m_address.Assign(devices);
        m_address.NewNetwork();
        return interfaces.GetAddress(0);
    }

    void CountHop(Ptr<const Packet> /* packet */)
    {
        ++m_hops;
    }

    NodeContainer m_hosts;
    PointToPointHelper m_link;
    TrafficControlHelper m_control;
    Ipv4AddressHelper m_address;
    std::vector<Ipv4Address> m_addresses;
    uint64_t m_hops{0};
    uint32_t m_ports{0};
};

/// @brief A fixed window over stock UDP sockets: both ends on every host.
class UdpWindow
{
  public:
    UdpWindow(const StockFatTree& network, uint32_t host, uint32_t packets, LastFlow& lastFlow)
        : m_left(packets),
          m_unsent(packets),
          m_lastFlow(lastFlow)
    {
        const uint32_t hosts = network.GetHosts().GetN();
        const Ptr<Node> node = network.GetHosts().Get(host);
        m_receiver = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        m_receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_receiver->SetRecvCallback(MakeCallback(&UdpWindow::Answer, this));
        m_sender = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        m_sender->Bind();
        m_sender->Connect(InetSocketAddress(network.GetAddress(GetDestination(host, hosts)), PORT));
        m_sender->SetRecvCallback(MakeCallback(&UdpWindow::Continue, this));
        Simulator::ScheduleWithContext(node->GetId(), Time(0), &UdpWindow::Begin, this);
    }

  private:
    static constexpr uint16_t PORT = 5001;

    void Begin()
    {
        for (uint32_t i = 0; i < WINDOW; ++i)
        {
            SendOne();
        }
    }

    void SendOne()
    {
        if (m_unsent > 0)
        {
            --m_unsent;
            m_sender->Send(Create<Packet>(1500 - HEADERS));
        }
    }

    void Answer(Ptr<Socket> socket)
    {
        Address from;
        while (socket->RecvFrom(from))
        {
            socket->SendTo(Create<Packet>(ACKNOWLEDGMENT - HEADERS), 0, from);
        }
    }

    void Continue(Ptr<Socket> socket)
    {
        while (socket->Recv())
        {
            SendOne();
            if (--m_left == 0)
            {
                m_lastFlow.FlowFinished({});
            }
        }
    }

    uint32_t m_left;
    uint32_t m_unsent;
    LastFlow& m_lastFlow;
    Ptr<Socket> m_sender;
    Ptr<Socket> m_receiver;
};

Measurement
MeasureStock(const StockFatTree& network, std::size_t before, std::size_t after)
{
    Measurement measurement;
    RunSimulation(measurement);
    measurement.hops = static_cast<double>(network.GetHops());
    measurement.bytesPerPort = static_cast<double>(after - before) / network.GetNPorts();
    return measurement;
}

Measurement
RunStockUdp(uint32_t packets)
{
    const std::size_t before = GetAllocatedBytes();
    const StockFatTree network(8, [](TrafficControlHelper& control) {
        control.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue(BUFFER));
    });
    const std::size_t after = GetAllocatedBytes();
    LastFlow lastFlow(network.GetHosts().GetN());
    std::vector<std::unique_ptr<UdpWindow>> windows;
    for (uint32_t host = 0; host < network.GetHosts().GetN(); ++host)
    {
        windows.push_back(std::make_unique<UdpWindow>(network, host, packets, lastFlow));
    }
    return MeasureStock(network, before, after);
}

void
SetDctcpDefaults()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpDctcp"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(PAYLOAD));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4'000'000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4'000'000));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
}

Measurement
RunStockDctcp(Time duration)
{
    SetDctcpDefaults();
    const std::size_t before = GetAllocatedBytes();
    const StockFatTree network(8, [](TrafficControlHelper& control) {
        // The settings that make RED a step at 20 packets.
        control.SetRootQueueDisc("ns3::RedQueueDisc",
                                 "MaxSize",
                                 StringValue("400p"),
                                 "MinTh",
                                 DoubleValue(20),
                                 "MaxTh",
                                 DoubleValue(20),
                                 "QW",
                                 DoubleValue(1),
                                 "Gentle",
                                 BooleanValue(false),
                                 "UseEcn",
                                 BooleanValue(true),
                                 "UseHardDrop",
                                 BooleanValue(false),
                                 "LinkBandwidth",
                                 StringValue(RATE),
                                 "LinkDelay",
                                 StringValue(DELAY));
    });
    const std::size_t after = GetAllocatedBytes();
    const uint32_t hosts = network.GetHosts().GetN();
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 5001));
    sink.Install(network.GetHosts());
    for (uint32_t host = 0; host < hosts; ++host)
    {
        const Ipv4Address destination = network.GetAddress(GetDestination(host, hosts));
        BulkSendHelper sender("ns3::TcpSocketFactory", InetSocketAddress(destination, 5001));
        sender.Install(network.GetHosts().Get(host));
    }
    Simulator::Stop(duration);
    return MeasureStock(network, before, after);
}

// ---- Cases ----

/// @brief What a case is compared with.
struct Requirement
{
    std::string baseline; //!< name of the case
    double ratio;         //!< times its rate that must be reached
};

/// @brief Something to measure.
struct Case
{
    std::string name;                      //!< as in the table
    std::function<Measurement()> run;      //!< one repetition
    std::vector<Requirement> requirements; //!< none: a baseline
    double memoryLimit{0};                 //!< most peak memory in MB; 0: none
    double timeLimit{0};                   //!< most ns per packet; 0: none
};

std::vector<Case>
GetCases(double scale)
{
    const auto packets = [scale](uint32_t n) {
        return static_cast<uint32_t>(std::max(20.0, n * scale));
    };
    const auto time = [scale](double microseconds) {
        return MicroSeconds(static_cast<int64_t>(std::max(200.0, microseconds * scale)));
    };
    const auto fabric = [packets](FabricCase parameters) {
        parameters.packets = packets(parameters.packets);
        return [parameters] { return RunFabric(parameters); };
    };
    const auto reno = [time](const std::string& queueDisc) {
        return [=] {
            return RunFabric({.packets = 0,
                              .queueDisc = queueDisc,
                              .transport = "lean",
                              .paths = "ns3::FlowHashPathSelector",
                              .duration = time(20000)});
        };
    };
    const auto dctcp = [time](uint32_t k, const std::string& transport, double microseconds) {
        return [=] {
            return RunFabric({.k = k,
                              .packets = 0,
                              .queueDisc = "ns3::StepMarkQueueDisc",
                              .transport = transport + ":CongestionOps=ns3::TcpDctcp",
                              .paths = "ns3::FlowHashPathSelector",
                              .duration = time(microseconds)});
        };
    };
    const auto scheme =
        [time](uint32_t k, const std::string& spec, double microseconds, bool hugePages = true) {
            return [=] {
                return RunFabric({.k = k,
                                  .packets = 0,
                                  .duration = time(microseconds),
                                  .hugePages = hugePages,
                                  .scheme = spec});
            };
        };
    const std::string drb = "scheme drb (lean TCP)";
    const std::string ecmp = "scheme tcp (ECMP, lean TCP)";
    const std::string stockUdp = "stock ns-3, UDP, nix-vector, FifoQueueDisc";
    const std::string stockDctcp = "stock ns-3, DCTCP, nix-vector, RED";
    const std::string plain = "fabric, no Packet";
    const std::string sockets = "fabric, DCTCP on ns-3 sockets";
    const auto discipline = [packets](const std::string& type) {
        return [=] { return RunQueueDisc(type, packets(20'000'000)); };
    };
    const auto meters = [packets](uint32_t classes) {
        return [=] { return RunMeters(classes, packets(10'000'000)); };
    };
    const auto bouncing = [packets](uint32_t pairs) {
        return [=] { return RunBouncing(pairs, packets(10'000'000)); };
    };
    const std::string dropTail = "discipline alone, drop-tail";
    const std::string renoDropTail = "fabric, drop-tail, lean TCP";
    const std::string flowPaths = "fabric, drop-tail, paths per flow";
    return {
        {stockUdp, [packets] { return RunStockUdp(packets(100)); }, {}},
        {plain, fabric({}), {{stockUdp, 50}}},
        {"fabric, Packet with headers",
         fabric({.packets = 1000, .transport = std::string(FIXED_WINDOW) + ",CarryPackets=true"}),
         {{stockUdp, 25}}},
        {"fabric, stock FifoQueueDisc",
         fabric({.packets = 500, .queueDisc = "ns3::FifoQueueDisc"}),
         {{stockUdp, 7}}},
        {"fabric, a stage at each port", fabric({.stages = true}), {{plain, 0.6}}},
        {"fabric, k=24", fabric({.k = 24, .packets = 100}), {{plain, 0.25}}, 150},
        {"fabric, k=24, small pages", fabric({.k = 24, .packets = 100, .hugePages = false}), {}},
        {"fabric, ns-3's DefaultSimulatorImpl",
         fabric({.packets = 500, .kernel = "ns3::DefaultSimulatorImpl"}),
         {}},
        {stockDctcp, [time] { return RunStockDctcp(time(2000)); }, {}},
        {sockets, dctcp(8, "ns3", 2000), {{stockDctcp, 3}}},
        {"fabric, lean DCTCP", dctcp(8, "lean", 20000), {{sockets, 15}, {stockDctcp, 40}}},
        {"fabric, k=24, lean DCTCP", dctcp(24, "lean", 1000), {}, 300},
        {dropTail, discipline("ns3::DropTailQueueDisc"), {}},
        {"discipline alone, AFQ", discipline("ns3::AfqQueueDisc"), {{dropTail, 1.0 / 3}}},
        // A flow keeps its path, as in AFQ's networks: with spray, a port would see every flow.
        {flowPaths, fabric({.paths = "ns3::FlowHashPathSelector"}), {}},
        {"fabric, AFQ, paths per flow",
         fabric({.queueDisc = "ns3::AfqQueueDisc", .paths = "ns3::FlowHashPathSelector"}),
         {{flowPaths, 0.5}}},
        {"fabric, AFQ, spray", fabric({.queueDisc = "ns3::AfqQueueDisc"}), {}},
        // The same with hosts that react: the schemes tcp, afq-tcp and afq.
        {renoDropTail, reno("ns3::DropTailQueueDisc"), {}},
        {"fabric, AFQ, lean TCP", reno("ns3::AfqQueueDisc"), {{renoDropTail, 0.5}}},
        {"fabric, AFQ, packet-pair",
         fabric({.queueDisc = "ns3::AfqQueueDisc",
                 .transport = "packet-pair",
                 .paths = "ns3::FlowHashPathSelector"}),
         {{renoDropTail, 0.5}}},
        // A packet of each class in turn, with its limiter, through a queue.
        {"meters, 1 class", meters(1), {}, 0, 100},
        {"meters, 10^3 classes", meters(1'000), {}, 0, 100},
        {"meters, 10^5 classes", meters(100'000), {}, 0, 500},
        // A packet per server pair in turn: state is looked up, a bouncing switch chosen.
        {"DRB's choice, 10^3 pairs", bouncing(1'000), {}, 0, 1000},
        {"DRB's choice, 10^5 pairs", bouncing(100'000), {}, 0, 1000},
        {ecmp, scheme(8, "tcp", 20000), {}},
        {drb, scheme(8, "drb", 20000), {{ecmp, 0.7}}},
        {"scheme drb, k=24", scheme(24, "drb", 1000), {{drb, 0.5}}, 1000},
        {"scheme drb, k=24, small pages", scheme(24, "drb", 1000, false), {}},
    };
}

/**
 * @brief Run one repetition in a process of its own.
 * @param run the repetition
 * @return what it took; nothing if the process failed
 */
std::optional<Measurement>
RunApart(const std::function<Measurement()>& run)
{
    int channel[2];
    if (pipe(channel) != 0)
    {
        return std::nullopt;
    }
    const pid_t child = fork();
    if (child == 0)
    {
        close(channel[0]);
        Time::SetResolution(Time::PS);
        const Measurement measurement = run();
        const bool written = write(channel[1], &measurement, sizeof(measurement)) ==
                             static_cast<ssize_t>(sizeof(measurement));
        _exit(written ? 0 : 1);
    }
    close(channel[1]);
    Measurement measurement;
    const bool complete = read(channel[0], &measurement, sizeof(measurement)) ==
                          static_cast<ssize_t>(sizeof(measurement));
    close(channel[0]);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    measurement.peakMegabytes = usage.ru_maxrss / 1024.0;
    return complete && status == 0 ? std::optional(measurement) : std::nullopt;
}

/**
 * @brief The fastest of some repetitions.
 * @param run a repetition
 * @param repetitions how many
 * @return what it took; nothing if one failed
 */
std::optional<Measurement>
RunBest(const std::function<Measurement()>& run, uint32_t repetitions)
{
    std::optional<Measurement> best;
    for (uint32_t i = 0; i < repetitions; ++i)
    {
        const auto measurement = RunApart(run);
        if (!measurement)
        {
            return std::nullopt;
        }
        if (!best || measurement->seconds < best->seconds)
        {
            best = measurement;
        }
    }
    return best;
}

/// @brief A case and its result, held against one of its requirements.
struct Row
{
    Case what;                              //!< the case
    std::optional<Measurement> result;      //!< nothing: it failed
    std::optional<Requirement> requirement; //!< nothing: a baseline, or its own was not measured
    double ratio{0};                        //!< of its rate to the baseline's

    double GetRate() const
    {
        return result ? result->hops / result->seconds : 0;
    }

    bool Reaches() const
    {
        return result && (!requirement || ratio >= requirement->ratio) &&
               (what.memoryLimit == 0 || result->peakMegabytes < what.memoryLimit) &&
               (what.timeLimit == 0 || 1e9 / GetRate() < what.timeLimit);
    }

    /// @return whether anything is required of the case
    bool IsRequired() const
    {
        return requirement || what.memoryLimit > 0 || what.timeLimit > 0;
    }
};

/**
 * @brief Hold a result against what is required.
 * @param what the case
 * @param result its result
 * @param others results of the cases before
 * @return a row per requirement whose baseline was measured, or one without
 */
std::vector<Row>
Judge(const Case& what, std::optional<Measurement> result, const std::vector<Row>& others)
{
    std::vector<Row> rows;
    for (const Requirement& requirement : what.requirements)
    {
        const auto baseline = std::find_if(others.begin(), others.end(), [&](const Row& other) {
            return other.result && other.what.name == requirement.baseline;
        });
        if (result && baseline != others.end()) // else it was left out, or failed
        {
            Row row{what, result, requirement};
            row.ratio = row.GetRate() / baseline->GetRate();
            rows.push_back(row);
        }
    }
    if (rows.empty())
    {
        rows.push_back({what, result, std::nullopt});
    }
    return rows;
}

void
PrintJson(const std::vector<Row>& rows)
{
    std::cout << "{\"cases\": [";
    const char* separator = "\n";
    for (const Row& row : rows)
    {
        std::cout << separator << "  {\"name\": \"" << row.what.name << "\"";
        if (row.result)
        {
            std::cout << ", \"hops_per_s\": " << row.GetRate()
                      << ", \"ns_per_hop\": " << 1e9 / row.GetRate()
                      << ", \"events_per_hop\": " << row.result->events / row.result->hops
                      << ", \"bytes_per_port\": " << row.result->bytesPerPort
                      << ", \"peak_memory_mb\": " << row.result->peakMegabytes;
        }
        if (row.requirement)
        {
            std::cout << ", \"baseline\": \"" << row.requirement->baseline
                      << "\", \"ratio\": " << row.ratio
                      << ", \"must_reach\": " << row.requirement->ratio;
        }
        if (row.what.memoryLimit > 0)
        {
            std::cout << ", \"memory_limit_mb\": " << row.what.memoryLimit;
        }
        if (row.what.timeLimit > 0)
        {
            std::cout << ", \"time_limit_ns\": " << row.what.timeLimit;
        }
        if (row.IsRequired())
        {
            std::cout << ", \"reached\": " << (row.Reaches() ? "true" : "false");
        }
        std::cout << "}";
        separator = ",\n";
    }
    std::cout << "\n]}" << std::endl;
}

/**
 * @brief Print what a row requires, and whether it is reached.
 * @param row the row
 */
void
PrintRequirement(const Row& row)
{
    std::cout << std::setprecision(2);
    if (row.requirement)
    {
        std::cout << std::setw(9) << row.ratio << std::setw(12) << row.requirement->ratio;
    }
    else
    {
        std::cout << std::setw(21) << "";
    }
    if (row.IsRequired())
    {
        std::cout << (row.Reaches() ? "  yes" : "  NO ");
    }
    if (row.requirement)
    {
        std::cout << "  of " << row.requirement->baseline;
    }
    if (row.what.memoryLimit > 0)
    {
        std::cout << "  under " << std::setprecision(0) << row.what.memoryLimit << " MB";
    }
    if (row.what.timeLimit > 0)
    {
        std::cout << "  under " << std::setprecision(0) << row.what.timeLimit << " ns";
    }
}

void
PrintTable(const std::vector<Row>& rows)
{
    std::cout << std::left << std::setw(44) << "case" << std::right << std::setw(10) << "M hops/s"
              << std::setw(9) << "ns/hop" << std::setw(12) << "events/hop" << std::setw(12)
              << "bytes/port" << std::setw(9) << "peak MB" << std::setw(9) << "ratio"
              << std::setw(12) << "must reach" << "\n"
              << std::fixed;
    for (const Row& row : rows)
    {
        std::cout << std::left << std::setw(44) << row.what.name << std::right;
        if (!row.result)
        {
            std::cout << "  failed\n";
            continue;
        }
        std::cout << std::setw(10) << std::setprecision(3) << row.GetRate() / 1e6 << std::setw(9)
                  << std::setprecision(1) << 1e9 / row.GetRate() << std::setw(12)
                  << std::setprecision(2) << row.result->events / row.result->hops << std::setw(12)
                  << std::setprecision(0) << row.result->bytesPerPort << std::setw(9)
                  << std::setprecision(1) << row.result->peakMegabytes;
        PrintRequirement(row);
        std::cout << "\n";
    }
}

/// @brief What the user asks for.
struct Options
{
    bool json{false};        //!< JSON instead of a table
    double scale{1};         //!< of the traffic of each case
    uint32_t repetitions{3}; //!< of each case, the fastest counts
    std::string part;        //!< of the names of the cases to run
};

/**
 * @brief Read the command line.
 * @param arguments the arguments
 * @return what they say
 * @throws InputError if one cannot be used
 */
Options
ReadOptions(const std::vector<std::string>& arguments)
{
    Options options;
    for (const std::string& argument : arguments)
    {
        const auto end = argument.find('=');
        const std::string name = argument.substr(0, end);
        const std::string value = end == std::string::npos ? "" : argument.substr(end + 1);
        if (argument == "--json")
        {
            options.json = true;
        }
        else if (name == "--scale")
        {
            options.scale = ParseNumber(name, value);
            if (options.scale <= 0 || options.scale > 1000)
            {
                throw InputError(name, value, "a number above 0, up to 1000");
            }
        }
        else if (name == "--repetitions")
        {
            const uint64_t count = ParseCount(name, value);
            if (count < 1 || count > 1000)
            {
                throw InputError(name, value, "a whole number from 1 to 1000");
            }
            options.repetitions = static_cast<uint32_t>(count);
        }
        else if (name == "--case")
        {
            options.part = value;
        }
        else
        {
            throw InputError("option",
                             argument,
                             "known are --json, --scale=1, --repetitions=3, --case=NAME");
        }
    }
    return options;
}

/**
 * @brief The cases that the user asks for.
 * @param options what the user asks for
 * @return the cases, baselines before what is compared with them
 * @throws InputError if there is none
 */
std::vector<Case>
SelectCases(const Options& options)
{
    std::vector<Case> cases = GetCases(options.scale);
    std::string names;
    for (const Case& what : cases)
    {
        names += (names.empty() ? "" : " | ") + what.name;
    }
    std::erase_if(cases, [&options](const Case& what) {
        return what.name.find(options.part) == std::string::npos;
    });
    if (cases.empty())
    {
        throw InputError("--case", options.part, "a part of one of the names " + names);
    }
    return cases;
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    std::vector<Case> cases;
    try
    {
        options = ReadOptions({argv + 1, argv + argc});
        cases = SelectCases(options);
    }
    catch (const InputError& error)
    {
        std::cerr << "bench: " << error.what() << std::endl;
        return 1;
    }
    std::vector<Row> rows;
    for (const Case& what : cases)
    {
        std::cerr << "running: " << what.name << std::endl;
        const auto judged = Judge(what, RunBest(what.run, options.repetitions), rows);
        rows.insert(rows.end(), judged.begin(), judged.end());
    }
    options.json ? PrintJson(rows) : PrintTable(rows);
    const bool complete =
        std::all_of(rows.begin(), rows.end(), [](const Row& r) { return r.result.has_value(); });
    return complete ? 0 : 1;
}
