/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STOCK_DUMBBELL_H
#define STOCK_DUMBBELL_H

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/input-error.h"
#include "ns3/internet-module.h"
#include "ns3/jain-index.h"
#include "ns3/network-module.h"
#include "ns3/number-text.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

/**
 * @ingroup examples
 * @brief Refuse a count out of its range. As any error of input that nobody catches, it ends the
 * program with one line and status 1.
 * @param option name of the option
 * @param count its value
 * @param least smallest that is allowed
 * @param most largest that is allowed
 */
inline void
CheckCount(const std::string& option, uint32_t count, uint32_t least, uint32_t most)
{
    if (count < least || count > most)
    {
        throw ns3::InputError(option,
                              std::to_string(count),
                              std::to_string(least) + " to " + std::to_string(most));
    }
}

/**
 * @ingroup examples
 * @brief Refuse a word that is none of some.
 * @param option name of the option
 * @param word its value
 * @param choices words that are allowed
 */
inline void
CheckChoice(const std::string& option,
            const std::string& word,
            std::initializer_list<std::string> choices)
{
    std::string allowed;
    for (const auto& choice : choices)
    {
        if (word == choice)
        {
            return;
        }
        allowed += (allowed.empty() ? "" : ", ") + choice;
    }
    throw ns3::InputError(option, word, allowed);
}

/**
 * @ingroup examples
 * @brief Refuse a name that is no TypeId of a kind.
 * @param option name of the option
 * @param name its value
 * @param kind the TypeId that it must descend from
 */
inline void
CheckType(const std::string& option, const std::string& name, ns3::TypeId kind)
{
    ns3::TypeId type;
    if (!ns3::TypeId::LookupByNameFailSafe(name, &type) || !type.IsChildOf(kind) ||
        !type.HasConstructor())
    {
        throw ns3::InputError(option, name, "the TypeId of an " + kind.GetName());
    }
}

/**
 * @ingroup examples
 * @brief The network of the programs in this folder, of ns-3's own links, stack and applications.
 *
 *     sender 0 ---+                                       +--- sink 0
 *     sender 1 ---+        the discipline stands here     +--- sink 1
 *       ...       +--- left ------------------- right ----+     ...
 *        1 Gbit/s, 20 us      100 Mbit/s, 1 ms         1 Gbit/s, 20 us
 *
 * Each flow has two hosts of its own.
 */
class Dumbbell
{
  public:
    /// @brief Command-line options of every program.
    struct Options
    {
        ns3::DataRate rate{"100Mbps"};         //!< of the bottleneck
        ns3::Time delay{ns3::MilliSeconds(1)}; //!< of the bottleneck, one way
        ns3::Time duration{ns3::Seconds(1.5)}; //!< simulated; the first third is not counted
        std::string tcp{"ns3::TcpDctcp"};      //!< congestion control

        /**
         * @brief Read the command line, and set what all programs want otherwise than ns-3.
         * @param cmd with the program's own options
         * @param argc number of words
         * @param argv the words
         */
        void Read(ns3::CommandLine& cmd, int argc, char** argv)
        {
            // First, so that the command line may say otherwise. ns-3 has ECN off. And with its
            // delayed acknowledgments a window of one packet waits 200 ms for each: that is where
            // marks take DCTCP when a queue must be short.
            ns3::Config::SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(1448));
            ns3::Config::SetDefault("ns3::TcpSocket::DelAckCount", ns3::UintegerValue(1));
            ns3::Config::SetDefault("ns3::TcpSocketBase::UseEcn", ns3::StringValue("On"));
            cmd.AddValue("rate", "rate of the bottleneck", rate);
            cmd.AddValue("delay", "delay of the bottleneck, one way", delay);
            cmd.AddValue("duration", "simulated time; the first third is not counted", duration);
            cmd.AddValue("tcp", "TypeId of the congestion control", tcp);
            cmd.Parse(argc, argv);
            if (rate.GetBitRate() == 0)
            {
                throw ns3::InputError("--rate", "0bps", "above 0");
            }
            if (delay.IsStrictlyNegative())
            {
                throw ns3::InputError("--delay", ns3::SecondsText(delay) + "s", "0 or more");
            }
            if (!duration.IsStrictlyPositive())
            {
                throw ns3::InputError("--duration",
                                      std::to_string(duration.GetSeconds()) + "s",
                                      "above 0");
            }
            CheckType("--tcp", tcp, ns3::TcpCongestionOps::GetTypeId());
            ns3::Config::SetDefault("ns3::TcpL4Protocol::SocketType", ns3::StringValue(tcp));
        }
    };

    /**
     * @brief Build both routers and the link between them.
     * @param options rate, delay and duration
     * @param control installs the discipline
     */
    Dumbbell(const Options& options, ns3::TrafficControlHelper& control)
        : m_options(options)
    {
        ns3::InternetStackHelper().Install(m_routers);
        ns3::PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", ns3::DataRateValue(options.rate));
        link.SetChannelAttribute("Delay", ns3::TimeValue(options.delay));
        // One packet on its way out: all others wait in the discipline, which decides.
        link.SetQueue("ns3::DropTailQueue", "MaxSize", ns3::StringValue("1p"));
        const auto devices = link.Install(m_routers);
        m_disc = control.Install(devices.Get(0)).Get(0);
        m_disc->TraceConnectWithoutContext("BytesInQueue",
                                           ns3::MakeCallback(&Dumbbell::SeeQueue, this));
        ns3::Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    }

    /**
     * @brief Add a TCP flow that sends all it can.
     * @param port port at the receiver
     * @param tos its type of service; unless it is 0, ns-3's TCP sends what cannot be marked
     */
    void AddTcp(uint16_t port, uint8_t tos = 0)
    {
        ns3::BulkSendHelper helper("ns3::TcpSocketFactory", ns3::Address());
        helper.SetAttribute("Tos", ns3::UintegerValue(tos));
        AddFlow("tcp", "ns3::TcpSocketFactory", port, helper);
    }

    /**
     * @brief Add a TCP flow whose application sends no faster than a rate.
     * @param port port at the receiver
     * @param tos its type of service
     * @param rate rate of the application
     */
    void AddPacedTcp(uint16_t port, uint8_t tos, ns3::DataRate rate)
    {
        ns3::OnOffHelper helper("ns3::TcpSocketFactory", ns3::Address());
        helper.SetConstantRate(rate, 1448);
        helper.SetAttribute("Tos", ns3::UintegerValue(tos));
        AddFlow("tcp", "ns3::TcpSocketFactory", port, helper);
    }

    /**
     * @brief Add a UDP flow that heeds nothing.
     * @param port port at the receiver
     * @param rate rate of the flow
     */
    void AddUdp(uint16_t port, ns3::DataRate rate)
    {
        ns3::OnOffHelper helper("ns3::UdpSocketFactory", ns3::Address());
        helper.SetConstantRate(rate, 1400);
        AddFlow("udp", "ns3::UdpSocketFactory", port, helper);
    }

    /// @brief Simulate, and print what each flow received and the discipline did.
    void Run()
    {
        ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        const ns3::Time start = m_options.duration / 3;
        ns3::Simulator::Schedule(start, [this] {
            for (auto& flow : m_flows)
            {
                flow.counted = flow.sink->GetTotalRx();
            }
            m_peakBytes = 0;
        });
        ns3::Simulator::Stop(m_options.duration);
        ns3::Simulator::Run();
        Print((m_options.duration - start).GetSeconds());
        ns3::Simulator::Destroy();
    }

  private:
    /// @brief A flow's name and where it arrives.
    struct Flow
    {
        std::string name;               //!< name that is printed
        ns3::Ptr<ns3::PacketSink> sink; //!< its receiver
        uint64_t counted = 0;           //!< bytes that had arrived when counting began
    };

    /**
     * @brief Give a router a host of its own.
     * @param router the router
     * @param network the first three numbers of their network's addresses
     * @return the host, and its address
     */
    static std::pair<ns3::Ptr<ns3::Node>, ns3::Ipv4Address> AddHost(ns3::Ptr<ns3::Node> router,
                                                                    const std::string& network)
    {
        auto host = ns3::CreateObject<ns3::Node>();
        ns3::InternetStackHelper().Install(host);
        ns3::PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", ns3::StringValue("1Gbps"));
        link.SetChannelAttribute("Delay", ns3::StringValue("20us"));
        const auto devices = link.Install(host, router);
        ns3::Ipv4AddressHelper addresses((network + ".0").c_str(), "255.255.255.0");
        return {host, addresses.Assign(devices).GetAddress(0)};
    }

    /**
     * @brief Add a flow from a host on the left to one on the right.
     * @param kind the first word of its name
     * @param factory of its sockets
     * @param port port at the receiver
     * @param sender makes its sender
     */
    void AddFlow(const std::string& kind, const std::string& factory, uint16_t port, auto& sender)
    {
        const std::string index = std::to_string(m_flows.size());
        const auto left = AddHost(m_routers.Get(0), "10.1." + index);
        const auto right = AddHost(m_routers.Get(1), "10.2." + index);
        sender.SetAttribute("Remote",
                            ns3::AddressValue(ns3::InetSocketAddress(right.second, port)));
        auto sending = sender.Install(left.first);
        sending.Start(ns3::MilliSeconds(m_flows.size())); // so that they do not move in step
        sending.Stop(m_options.duration);
        const ns3::InetSocketAddress any(ns3::Ipv4Address::GetAny(), port);
        const auto sink = ns3::PacketSinkHelper(factory, any).Install(right.first).Get(0);
        m_flows.push_back({kind + " " + index, ns3::DynamicCast<ns3::PacketSink>(sink)});
    }

    /**
     * @brief Note how long the queue is.
     * @param bytes that wait
     */
    void SeeQueue(uint32_t /* before */, uint32_t bytes)
    {
        m_peakBytes = std::max(m_peakBytes, bytes);
    }

    /**
     * @brief Print tables: goodput by flow, and counts.
     * @param seconds over which was counted
     */
    void Print(double seconds) const
    {
        std::cout << std::fixed << std::setprecision(2) << "flow,mbps\n";
        std::vector<double> rates;
        for (const auto& flow : m_flows)
        {
            const auto bytes = static_cast<double>(flow.sink->GetTotalRx() - flow.counted);
            rates.push_back(8 * bytes / seconds / 1e6);
            std::cout << flow.name << "," << rates.back() << "\n";
        }
        const auto& stats = m_disc->GetStats();
        std::cout << std::setprecision(4) << "\nname,value\n"
                  << "jain_index,";
        if (std::ranges::any_of(rates, [](double rate) { return rate > 0; }))
        {
            std::cout << ns3::JainIndex(rates);
        }
        else
        {
            std::cout << "none";
        }
        std::cout << "\n"
                  << "peak_queue_bytes," << m_peakBytes << "\n"
                  << "marked_packets," << stats.nTotalMarkedPackets << "\n"
                  << "dropped_packets," << stats.nTotalDroppedPackets << "\n";
    }

    const Options m_options;         //!< of the command line
    ns3::NodeContainer m_routers{2}; //!< left and right
    ns3::Ptr<ns3::QueueDisc> m_disc; //!< at the bottleneck
    uint32_t m_peakBytes{0};         //!< most that waited since counting began
    std::vector<Flow> m_flows;       //!< in the order of their addition
};

#endif /* STOCK_DUMBBELL_H */
