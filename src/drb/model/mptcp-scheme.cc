/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mptcp-scheme.h"

#include "ns3/enum.h"
#include "ns3/input-error.h"
#include "ns3/network.h"
#include "ns3/notice.h"

#include <numeric>
#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MptcpScheme);

namespace
{

/**
 * @param network a network
 * @return those of its transports that are multipath TCP
 */
std::vector<Ptr<MptcpTransport>>
FindMptcp(const Network& network)
{
    std::vector<Ptr<MptcpTransport>> found;
    for (uint32_t i = 0; i < network.GetTransports()->GetN(); ++i)
    {
        if (const auto mptcp = DynamicCast<MptcpTransport>(network.GetTransports()->Get(i)))
        {
            found.push_back(mptcp);
        }
    }
    return found;
}

} // namespace

TypeId
MptcpScheme::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MptcpScheme")
            .SetParent<Scheme>()
            .SetGroupName("Drb")
            .AddConstructor<MptcpScheme>()
            .AddAttribute("SubflowPaths",
                          "What decides on the way of a subflow: Distinct: each of a flow has "
                          "another switch of the highest layer, drawn at random (Section 5.3: "
                          "different paths); Ecmp: routing, by its 5-tuple",
                          EnumValue(DISTINCT),
                          MakeEnumAccessor<SubflowPaths>(&MptcpScheme::m_subflowPaths),
                          MakeEnumChecker(DISTINCT, "Distinct", ECMP, "Ecmp"));
    return tid;
}

MptcpScheme::MptcpScheme()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
MptcpScheme::ConfigureFabric(Network& network)
{
    if (FindMptcp(network).empty())
    {
        throw InputError(network.GetTransports()->GetArgument(),
                         network.GetTransports()->GetName(0),
                         "this scheme needs mptcp, such as mptcp:Subflows=4");
    }
    Scheme::ConfigureFabric(network);
}

void
MptcpScheme::ConfigureNodes(Network& network)
{
    Scheme::ConfigureNodes(network);
    if (m_subflowPaths == ECMP)
    {
        return;
    }
    Fabric& fabric = *network.GetFabric();
    if (!FindPoints(fabric))
    {
        PrintNotice("mptcp: no layer of switches above the racks that every rack reaches in the "
                    "same way, so subflows go where their 5-tuples are routed");
        return;
    }
    if (FindMptcp(network).size() == network.GetTransports()->GetN())
    {
        RefusePaths(", unless SubflowPaths=Ecmp leaves it to the switches");
    }
    InstallDecapsulators(fabric);
    SetPathChoosers(network);
    fabric.TraceConnectWithoutContext(
        "LinkState",
        Callback<void, uint32_t, bool>([this, &network](uint32_t, bool) { ForgetPaths(network); }));
}

void
MptcpScheme::SetPathChoosers(Network& network)
{
    for (const auto& transport : FindMptcp(network))
    {
        transport->SetPathChooser(
            [this, &fabric = *network.GetFabric()](const FlowRequest& request, uint32_t subflows) {
                return ChoosePaths(fabric, request, subflows);
            });
    }
}

bool
MptcpScheme::FindPoints(const Fabric& fabric)
{
    try
    {
        m_routes = std::make_shared<BouncingRoutes>(fabric, "mptcp");
    }
    catch (const InputError&)
    {
        return false; // a topology of another kind
    }
    m_points.resize(m_routes->GetNPoints());
    std::iota(m_points.begin(), m_points.end(), 0);
    return !m_points.empty();
}

void
MptcpScheme::InstallDecapsulators(Fabric& fabric)
{
    std::set<uint32_t> switches;
    for (const uint32_t point : m_points)
    {
        switches.insert(m_routes->GetSwitch(point));
    }
    for (const uint32_t index : switches)
    {
        FabricSwitch& node = fabric.GetSwitch(index);
        m_decapsulators.push_back(std::make_unique<Decapsulator>(node, fabric, m_routes, 0));
        node.AddIngressStage(m_decapsulators.back().get());
    }
}

std::vector<MptcpPath>
MptcpScheme::ChoosePaths(const Fabric& fabric, const FlowRequest& request, uint32_t subflows)
{
    std::vector<MptcpPath> paths(subflows);
    const uint16_t from = fabric.GetLocation(request.source).rack;
    const uint16_t to = fabric.GetLocation(request.destination).rack;
    if (from == to)
    {
        return paths; // there is one
    }
    const auto points = static_cast<uint32_t>(m_points.size());
    for (uint32_t i = 0; i < subflows; ++i)
    {
        if (i < points) // then from the beginning
        {
            std::swap(m_points[i], m_points[m_random->GetInteger(i, points - 1)]);
        }
        const uint32_t point = m_points[i % points];
        paths[i] = {m_routes->GetUpRoute(from, point), m_routes->GetUpRoute(to, point)};
    }
    return paths;
}

void
MptcpScheme::ForgetPaths(const Network& network)
{
    if (m_failed)
    {
        return;
    }
    m_failed = true;
    PrintNotice("mptcp: a link failed, so subflows go where their 5-tuples are routed");
    for (const auto& transport : FindMptcp(network))
    {
        transport->ForgetPaths();
    }
}

int64_t
MptcpScheme::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1 + Scheme::AssignStreams(stream + 1);
}

void
MptcpScheme::DoDispose()
{
    m_random = nullptr;
    Scheme::DoDispose();
}

} // namespace ns3
