/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-scheme.h"

#include "mufab-pair-controller.h"
#include "mufab-port-stage.h"
#include "probe-exchange.h"
#include "probe-header-writer.h"

#include "ns3/network.h"
#include "ns3/object-spec.h"
#include "ns3/string.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MufabScheme);

TypeId
MufabScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MufabScheme")
            .SetParent<PairScheme>()
            .SetGroupName("Mufab")
            .AddConstructor<MufabScheme>()
            .AddAttribute("Core",
                          "uFAB-C at the ports of switches, with its attributes, such as "
                          "mufab:BloomFilter=true",
                          StringValue("mufab"),
                          MakeStringAccessor(&MufabScheme::m_core),
                          MakeSpecChecker<PortStage>());
    return tid;
}

std::string
MufabScheme::GetSummary() const
{
    return "uFAB: pairs share links by tokens, windows and paths by what switches tell";
}

std::string
MufabScheme::GetDefaultController() const
{
    return "mufab";
}

std::string
MufabScheme::GetDefaultTenants() const
{
    return "groups"; // a virtual fabric per group of senders
}

PairEdge::Answers
MufabScheme::GetDefaultAnswers() const
{
    return PairEdge::NO_PAIR; // windows are meant for data
}

void
MufabScheme::ConfigureFabric(Network& network)
{
    CreateFromSpec<PortStage>("--scheme Core", m_core); // refuses what is wrong here
    PairScheme::ConfigureFabric(network);
}

void
MufabScheme::ConfigureNodes(Network& network)
{
    PairScheme::ConfigureNodes(network);
    Fabric& fabric = *network.GetFabric();
    const auto exchange = ProbeExchange::Of(fabric);
    const Time window = TimeStep(exchange->GetLargestBaseRtt());
    fabric.ForEachPort([this, window](FabricPort& port) {
        if (port.GetDescription().tier > 0)
        {
            const auto stage = CreateFromSpec<PortStage>("--scheme Core", m_core);
            if (const auto mufab = DynamicCast<MufabPortStage>(stage))
            {
                mufab->SetDefaultRateWindow(window);
            }
            port.AddStage(stage);
        }
    });
}

void
MufabScheme::ConfigureTap(const Network& /* network */, PcapTap& tap) const
{
    tap.AddHeaderWriter(std::make_unique<ProbeHeaderWriter>());
}

void
MufabScheme::ReportResults(const Network& network, Results& results) const
{
    PairScheme::ReportResults(network, results);
    network.GetFabric()->GetObject<ProbeExchange>()->ReportResults(results);
}

} // namespace ns3
