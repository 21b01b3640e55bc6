/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pair-scheme.h"

#include "network.h"

#include "ns3/enum.h"
#include "ns3/object-spec.h"
#include "ns3/string.h"

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

std::string
PairScheme::GetDefaultHostQueue() const
{
    return "pair";
}

std::string
PairScheme::GetCongestionOps() const
{
    return "ns3::TcpCubic";
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
    m_edge = CreateObjectWithAttributes<PairEdge>("Answers", EnumValue(m_answers));
    m_edge->Setup(network.GetFabric(), create);
    TcpHostScheme::ConfigureFabric(network);
}

void
PairScheme::ConfigureNodes(Network& network)
{
    TcpHostScheme::ConfigureNodes(network);
    // Without tenants nothing belongs to a pair, and nothing is held.
    m_edge->SetTenants(network.GetTenants() ? network.GetTenants() : CreateObject<TenantTable>());
    m_edge->InstallAgents();
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
