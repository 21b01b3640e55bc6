/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fat-tree-topology.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FatTreeTopology);

namespace
{

/**
 * @brief A number of links that an oversubscription ratio leads to.
 * @param argument the attribute, as the user spells it
 * @param ratio the oversubscription
 * @param count the number that follows from it, before rounding
 * @param what the name of the links, in the plural
 * @return the number
 * @throws InputError if it is not a whole number of at least 1
 */
uint32_t
WholeCount(const std::string& argument, double ratio, double count, const std::string& what)
{
    const double whole = std::round(count);
    // A ratio such as 1.3333 typed for 4/3 is meant; one in a thousand is far below half a link.
    if (whole < 1 || std::abs(count - whole) > 1e-3 * whole)
    {
        std::ostringstream value;
        value << ratio;
        throw InputError(argument, value.str(), "a ratio that leads to a whole number of " + what);
    }
    return static_cast<uint32_t>(whole);
}

} // namespace

TypeId
FatTreeTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FatTreeTopology")
            .SetParent<Topology>()
            .SetGroupName("Fabric")
            .AddConstructor<FatTreeTopology>()
            .AddAttribute("K",
                          "Ports per switch, even",
                          UintegerValue(8),
                          MakeUintegerAccessor(&FatTreeTopology::m_k),
                          MakeUintegerChecker<uint32_t>(2, 128))
            .AddAttribute("Pods",
                          "Pods kept, at most K; 0: all K",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FatTreeTopology::m_pods),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("EdgeOversubscription",
                          "Host links over aggregation links of an edge switch: r * K/2 hosts",
                          DoubleValue(1),
                          MakeDoubleAccessor(&FatTreeTopology::m_edgeOversubscription),
                          MakeDoubleChecker<double>(0.001, 1000))
            .AddAttribute("AggregationOversubscription",
                          "Edge links over core links of an aggregation switch: K/2 / r core links",
                          DoubleValue(1),
                          MakeDoubleAccessor(&FatTreeTopology::m_aggregationOversubscription),
                          MakeDoubleChecker<double>(0.001, 1000))
            .AddAttribute("HostRate",
                          "Rate of each link between a host and its edge switch",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&FatTreeTopology::m_hostRate),
                          MakeDataRateChecker())
            .AddAttribute("FabricRate",
                          "Rate of each link between an edge and an aggregation switch",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&FatTreeTopology::m_fabricRate),
                          MakeDataRateChecker())
            .AddAttribute("CoreRate",
                          "Rate of each link between an aggregation and a core switch",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&FatTreeTopology::m_coreRate),
                          MakeDataRateChecker())
            .AddAttribute("LinkDelay",
                          "Propagation delay of every link",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&FatTreeTopology::m_linkDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

FatTreeTopology::Counts
FatTreeTopology::Count() const
{
    if (m_k % 2 != 0)
    {
        throw InputError("fat-tree:K", std::to_string(m_k), "K must be even");
    }
    if (m_pods > m_k)
    {
        throw InputError("fat-tree:Pods",
                         std::to_string(m_pods),
                         "at most K = " + std::to_string(m_k) + " pods can be kept");
    }
    const uint32_t half = m_k / 2;
    return {m_pods > 0 ? m_pods : m_k,
            half,
            WholeCount("fat-tree:EdgeOversubscription",
                       m_edgeOversubscription,
                       half * m_edgeOversubscription,
                       "hosts, " + std::to_string(half) + " times the ratio"),
            WholeCount("fat-tree:AggregationOversubscription",
                       m_aggregationOversubscription,
                       half / m_aggregationOversubscription,
                       "core links, " + std::to_string(half) + " over the ratio")};
}

void
FatTreeTopology::AddTo(Fabric& fabric) const
{
    CheckRate("fat-tree:HostRate", m_hostRate);
    CheckRate("fat-tree:FabricRate", m_fabricRate);
    CheckRate("fat-tree:CoreRate", m_coreRate);
    const Counts counts = Count();
    fabric.SetTierNames({"host", "edge", "aggregation", "core"});
    std::vector<Fabric::End> cores;
    for (uint32_t i = 0; i < counts.half * counts.uplinks; ++i)
    {
        cores.push_back(fabric.AddSwitch(3));
    }
    for (uint32_t pod = 0; pod < counts.pods; ++pod)
    {
        AddPod(fabric, counts, cores);
    }
}

void
FatTreeTopology::AddPod(Fabric& fabric,
                        const Counts& counts,
                        const std::vector<Fabric::End>& cores) const
{
    std::vector<Fabric::End> aggregations;
    for (uint32_t i = 0; i < counts.half; ++i)
    {
        aggregations.push_back(fabric.AddSwitch(2));
    }
    for (uint32_t i = 0; i < counts.half; ++i)
    {
        const Fabric::End edge = fabric.AddSwitch(1);
        for (uint32_t host = 0; host < counts.hostsPerEdge; ++host)
        {
            fabric.Connect(fabric.AddHost(), edge, m_hostRate, m_linkDelay);
        }
        for (const Fabric::End& aggregation : aggregations)
        {
            fabric.Connect(edge, aggregation, m_fabricRate, m_linkDelay);
        }
    }
    for (uint32_t i = 0; i < counts.half * counts.uplinks; ++i)
    {
        fabric.Connect(aggregations[i / counts.uplinks], cores[i], m_coreRate, m_linkDelay);
    }
}

std::string
FatTreeTopology::GetSummary() const
{
    const Counts counts = Count();
    std::ostringstream text;
    text << "fat-tree, k = " << m_k << ", " << counts.pods << " pods x " << counts.half
         << " edges x " << counts.hostsPerEdge << " hosts at " << Text(m_hostRate) << ", "
         << counts.half << " aggregations per pod at " << Text(m_fabricRate) << ", "
         << counts.half * counts.uplinks << " cores at " << Text(m_coreRate) << ", "
         << Text(m_linkDelay) << " per link";
    return text.str();
}

} // namespace ns3
