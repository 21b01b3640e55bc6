/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pair-scheme.h"

#include "network.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
#include "ns3/packet-maker.h"
#include "ns3/pair-queue-disc.h"
#include "ns3/string.h"
#include "ns3/tenant-source.h"

#include <functional>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PairScheme);

TypeId
PairScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PairScheme")
            .SetParent<TcpHostScheme>()
            .SetGroupName("Schemes")
            .AddConstructor<PairScheme>()
            .AddAttribute(
                "Controller",
                "What rules the channels of VM pairs at a host, with its attributes, such "
                "as window:Window=30000",
                StringValue("open"),
                MakeStringAccessor(&PairScheme::m_controller),
                MakeSpecChecker<PairController>())
            .AddAttribute("DefaultTenants",
                          "Who rents a network without --tenants: hosts:Share=0.5 (each host is a "
                          "VM of one tenant), groups:Share=0.1 (each group of flows is a tenant) "
                          "or none",
                          StringValue("hosts"),
                          MakeStringAccessor(&PairScheme::m_defaultTenants),
                          MakeSpecChecker<TenantSource>())
            .AddAttribute(
                "Answers",
                "Which channel the answers to a pair's data use: that of the reverse pair, "
                "or none (see ns3::PairEdge::Answers)",
                EnumValue(PairEdge::REVERSE_PAIR),
                MakeEnumAccessor<PairEdge::Answers>(&PairScheme::m_answers),
                MakeEnumChecker(PairEdge::REVERSE_PAIR,
                                "ReversePair",
                                PairEdge::NO_PAIR,
                                "NoPair"));
    return tid;
}

Ptr<TenantSource>
PairScheme::CreateDefaultTenants() const
{
    return CreateFromSpec<TenantSource>("--scheme DefaultTenants", m_defaultTenants);
}

std::string
PairScheme::GetHostQueue() const
{
    const std::string queue = TcpHostScheme::GetHostQueue();
    return queue.empty() ? "pair" : queue;
}

void
PairScheme::ConfigureFabric(Network& network)
{
    const auto create = [spec = m_controller] {
        return CreateFromSpec<PairController>("--scheme Controller", spec);
    };
    create(); // refuses what is wrong here and not somewhere within Build()
    m_edge = CreateObjectWithAttributes<PairEdge>("Answers", EnumValue(m_answers));
    m_edge->Setup(network.GetFabric(), create);
    m_edge->SetTenants(network.GetTenants());
    TcpHostScheme::ConfigureFabric(network);
}

void
PairScheme::ConfigureNodes(Network& network)
{
    TcpHostScheme::ConfigureNodes(network);
    for (uint32_t host = 0; host < network.GetFabric()->GetNHosts(); ++host)
    {
        FabricPort& port = network.GetFabric()->GetHost(host).GetNicPort();
        if (!dynamic_cast<PairQueueDisc*>(&port.GetQueueDisc()))
        {
            StringValue queue;
            GetAttribute("HostQueue", queue);
            throw InputError("--scheme HostQueue",
                             queue.Get(),
                             "pair, with its attributes: what stands there holds VM pairs");
        }
    }
    m_edge->InstallAgents();
    const Transports& transports = *network.GetTransports();
    for (uint32_t i = 0; i < transports.GetN(); ++i)
    {
        const Transport::PacketSizes sizes = transports.Get(i)->GetPacketSizes();
        m_edge->CheckPacketSize(sizes.payload + sizes.header);
    }
}

int64_t
PairScheme::AssignStreams(int64_t stream)
{
    return m_edge->AssignStreams(stream);
}

void
PairScheme::ConfigurePackets(const Network& network, PacketMaker& packets) const
{
    TcpHostScheme::ConfigurePackets(network, packets);
    const auto controller = CreateFromSpec<PairController>("--scheme Controller", m_controller);
    if (auto writer = controller->CreateHeaderWriter())
    {
        packets.AddHeaderWriter(std::move(writer));
    }
}

void
PairScheme::ReportResults(const Network& network, Results& results) const
{
    TcpHostScheme::ReportResults(network, results);
    m_edge->ReportResults(results);
}

} // namespace ns3
