/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mufab-scheme.h"

#include "mufab-pair-controller.h"
#include "probe-exchange.h"

#include "ns3/input-error.h"
#include "ns3/input-parse.h"
#include "ns3/network.h"
#include "ns3/object-spec.h"
#include "ns3/string.h"

#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MufabScheme);

namespace
{

/**
 * @param fabric the network
 * @param names of switches, separated by commas
 * @return those switches
 */
std::set<const FabricNode*>
FindSwitches(const Fabric& fabric, const std::string& names)
{
    std::set<const FabricNode*> found;
    for (const auto& name : CutList(names))
    {
        const std::size_t before = found.size();
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            if (fabric.GetSwitch(i).GetName() == name)
            {
                found.insert(&fabric.GetSwitch(i));
            }
        }
        if (found.size() == before)
        {
            throw InputError("--scheme Without",
                             name,
                             "another switch, such as " + fabric.GetSwitch(0).GetName());
        }
    }
    return found;
}

} // namespace

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
                          MakeSpecChecker<PortStage>())
            .AddAttribute("Without",
                          "Names of switches without uFAB-C, separated by commas, such as "
                          "core0,core1 (partial deployment, Section 6)",
                          StringValue(""),
                          MakeStringAccessor(&MufabScheme::m_without),
                          MakeStringChecker());
    return tid;
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
    const std::set<const FabricNode*> without = FindSwitches(fabric, m_without);
    fabric.ForEachPort([this, &exchange, &without](FabricPort& port) {
        const FabricPort::Description& description = port.GetDescription();
        if (description.tier == 0 || without.contains(description.node))
        {
            return;
        }
        const auto stage = CreateFromSpec<PortStage>("--scheme Core", m_core);
        if (const auto mufab = DynamicCast<MufabPortStage>(stage))
        {
            mufab->SetExchange(*exchange);
            m_stages.push_back(mufab);
        }
        port.AddStage(stage);
    });
}

int64_t
MufabScheme::AssignStreams(int64_t stream)
{
    int64_t used = PairScheme::AssignStreams(stream);
    for (const auto& stage : m_stages)
    {
        used += stage->AssignStreams(stream + used);
    }
    return used;
}

void
MufabScheme::ReportResults(const Network& network, Results& results) const
{
    PairScheme::ReportResults(network, results);
    network.GetFabric()->GetObject<ProbeExchange>()->ReportResults(results);
}

} // namespace ns3
