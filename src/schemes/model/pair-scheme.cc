/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pair-scheme.h"

#include "network.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/object-spec.h"
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
            .AddAttribute(
                "Controller",
                "What rules the channels of VM pairs at a host, with its attributes, such "
                "as window:Window=30000; empty: the scheme's own",
                StringValue(""),
                MakeStringAccessor(&PairScheme::m_controller),
                MakeSpecChecker<PairController>())
            .AddAttribute("DefaultTenants",
                          "Who rents a network without --tenants: hosts:Share=0.5 (each host is a "
                          "VM of one tenant), groups:Share=0.1 (each group of flows is a tenant) "
                          "or none; empty: as the scheme has it, which is hosts for most",
                          StringValue(""),
                          MakeStringAccessor(&PairScheme::m_defaultTenants),
                          MakeSpecChecker<TenantSource>())
            .AddAttribute(
                "Answers",
                "Which channel the answers to a pair's data use: that of the reverse pair, "
                "or none (see ns3::PairEdge::Answers), or as the scheme has it (Default), which "
                "is that of the reverse pair for most",
                EnumValue(PairScheme::AS_THE_SCHEME),
                MakeEnumAccessor<Answers>(&PairScheme::m_answers),
                MakeEnumChecker(PairScheme::AS_THE_SCHEME,
                                "Default",
                                PairScheme::REVERSE_PAIR,
                                "ReversePair",
                                PairScheme::NO_PAIR,
                                "NoPair"));
    return tid;
}

std::string
PairScheme::GetDefaultHostQueue() const
{
    return "pair";
}

std::string
PairScheme::GetDefaultTenants() const
{
    return "hosts";
}

Ptr<TenantSource>
PairScheme::CreateDefaultTenants() const
{
    return CreateFromSpec<TenantSource>("--scheme DefaultTenants",
                                        m_defaultTenants.empty() ? GetDefaultTenants()
                                                                 : m_defaultTenants);
}

std::string
PairScheme::GetCongestionOps() const
{
    return "ns3::TcpCubic";
}

PairEdge::Answers
PairScheme::GetDefaultAnswers() const
{
    return PairEdge::REVERSE_PAIR;
}

std::map<std::string, std::string>
PairScheme::GetControllerDefaults() const
{
    return {};
}

void
PairScheme::ConfigureFabric(Network& network)
{
    const std::string spec = m_controller.empty() ? GetDefaultController() : m_controller;
    const auto getName = [](const std::string& text) { return text.substr(0, text.find(':')); };
    const bool own = getName(spec) == getName(GetDefaultController());
    const auto create =
        [spec, defaults = own ? GetControllerDefaults() : std::map<std::string, std::string>()] {
            return CreateFromSpec<PairController>("--scheme Controller", spec, defaults);
        };
    create(); // refuses what is wrong here and not somewhere within Build()
    const PairEdge::Answers answers = m_answers == AS_THE_SCHEME  ? GetDefaultAnswers()
                                      : m_answers == REVERSE_PAIR ? PairEdge::REVERSE_PAIR
                                                                  : PairEdge::NO_PAIR;
    m_edge = CreateObjectWithAttributes<PairEdge>("Answers", EnumValue(answers));
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
PairScheme::ReportResults(const Network& network, Results& results) const
{
    TcpHostScheme::ReportResults(network, results);
    m_edge->ReportResults(results);
}

} // namespace ns3
