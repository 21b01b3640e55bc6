/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bench-case.h"

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/nix-vector-helper.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3
{

namespace
{

/// @brief A fat-tree of nodes, point-to-point links, IPv4, nix-vector routing, a queue disc per
/// port.
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

} // namespace

std::vector<Case>
GetStockCases(const Scale& scale)
{
    return {
        {STOCK_UDP, [scale] { return RunStockUdp(scale.Packets(100)); }, {}},
        {STOCK_DCTCP, [scale] { return RunStockDctcp(scale.Duration(2000)); }, {}},
    };
}

} // namespace ns3
