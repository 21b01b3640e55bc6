/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "vl2-topology.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(Vl2Topology);

TypeId
Vl2Topology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Vl2Topology")
            .SetParent<Topology>()
            .SetGroupName("Fabric")
            .AddConstructor<Vl2Topology>()
            .AddAttribute("D0",
                          "Up-links of each rack switch, also aggregation switches of a group (DRB "
                          "Section 2.1, Fig. 1(b): 2; Section 5: 4)",
                          UintegerValue(2),
                          MakeUintegerAccessor(&Vl2Topology::m_d0),
                          MakeUintegerChecker<uint32_t>(1, 128))
            .AddAttribute("D1",
                          "Ports of each aggregation switch, even; half lead up, one to each spine "
                          "(DRB Fig. 1(b): 4; Section 5: 64)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&Vl2Topology::m_d1),
                          MakeUintegerChecker<uint32_t>(2, 512))
            .AddAttribute("D2",
                          "Ports of each spine, one to each aggregation switch, a multiple of D0 "
                          "(DRB Fig. 1(b): 4; Section 5: 24)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&Vl2Topology::m_d2),
                          MakeUintegerChecker<uint32_t>(1, 512))
            .AddAttribute("Groups",
                          "Groups of D0 aggregation switches kept, at most D2 / D0; 0: all",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Vl2Topology::m_groups),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Oversubscription",
                          "Rates of the servers' links over those of the up-links of a rack (DRB "
                          "Section 5.5: 2)",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Vl2Topology::m_oversubscription),
                          MakeDoubleChecker<double>(0.001, 1000))
            .AddAttribute(
                "HostRate",
                "Rate of each link between a server and its rack switch (DRB Section 2.1)",
                DataRateValue(DataRate("1Gbps")),
                MakeDataRateAccessor(&Vl2Topology::m_hostRate),
                MakeDataRateChecker())
            .AddAttribute("FabricRate",
                          "Rate of each link between switches (DRB Section 2.1: 10 Gbit/s; Section "
                          "5: 5 Gbit/s)",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&Vl2Topology::m_fabricRate),
                          MakeDataRateChecker())
            .AddAttribute("LinkDelay",
                          "Propagation delay of every link (DRB Section 5)",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&Vl2Topology::m_linkDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

Vl2Topology::Counts
Vl2Topology::Count() const
{
    CheckRate("vl2:HostRate", m_hostRate);
    CheckRate("vl2:FabricRate", m_fabricRate);
    if (m_d1 % 2 != 0)
    {
        throw InputError("vl2:D1", std::to_string(m_d1), "D1 must be even");
    }
    if (m_d2 % m_d0 != 0)
    {
        throw InputError("vl2:D2",
                         std::to_string(m_d2),
                         "a multiple of D0 = " + std::to_string(m_d0));
    }
    const uint32_t groups = m_d2 / m_d0;
    if (m_groups > groups)
    {
        throw InputError("vl2:Groups",
                         std::to_string(m_groups),
                         "at most D2 / D0 = " + std::to_string(groups) + " groups can be kept");
    }
    const double perHost = static_cast<double>(m_fabricRate.GetBitRate()) /
                           static_cast<double>(m_hostRate.GetBitRate());
    const double hosts = m_d0 * perHost * m_oversubscription;
    const double whole = std::round(hosts);
    if (whole < 1 || std::abs(hosts - whole) > 1e-3 * whole)
    {
        std::ostringstream value;
        value << m_oversubscription;
        throw InputError("vl2:Oversubscription",
                         value.str(),
                         "a ratio that leads to a whole number of servers per rack, D0 * "
                         "FabricRate / HostRate times the ratio");
    }
    return {m_d1 / 2, m_groups > 0 ? m_groups : groups, static_cast<uint32_t>(whole)};
}

void
Vl2Topology::AddTo(Fabric& fabric) const
{
    const Counts counts = Count();
    fabric.SetTierNames({"host", "tor", "aggregation", "spine"});
    std::vector<Fabric::End> spines;
    for (uint32_t i = 0; i < counts.spines; ++i)
    {
        spines.push_back(fabric.AddSwitch(3));
    }
    for (uint32_t group = 0; group < counts.groups; ++group)
    {
        AddGroup(fabric, counts, spines);
    }
}

void
Vl2Topology::AddGroup(Fabric& fabric,
                      const Counts& counts,
                      const std::vector<Fabric::End>& spines) const
{
    std::vector<Fabric::End> aggregations;
    for (uint32_t i = 0; i < m_d0; ++i)
    {
        aggregations.push_back(fabric.AddSwitch(2));
    }
    for (uint32_t i = 0; i < counts.spines; ++i)
    {
        const Fabric::End rack = fabric.AddSwitch(1);
        for (uint32_t host = 0; host < counts.hostsPerRack; ++host)
        {
            fabric.Connect(fabric.AddHost(), rack, m_hostRate, m_linkDelay);
        }
        for (const Fabric::End& aggregation : aggregations)
        {
            fabric.Connect(rack, aggregation, m_fabricRate, m_linkDelay);
        }
    }
    for (const Fabric::End& aggregation : aggregations)
    {
        for (const Fabric::End& spine : spines)
        {
            fabric.Connect(aggregation, spine, m_fabricRate, m_linkDelay);
        }
    }
}

std::string
Vl2Topology::GetSummary() const
{
    const Counts counts = Count();
    std::ostringstream text;
    text << "VL2, d0 = " << m_d0 << ", d1 = " << m_d1 << ", d2 = " << m_d2 << ", " << counts.groups
         << " groups x " << counts.spines << " racks x " << counts.hostsPerRack << " hosts at "
         << Text(m_hostRate) << ", " << m_d0 << " aggregations per group and " << counts.spines
         << " spines at " << Text(m_fabricRate) << ", " << Text(m_linkDelay) << " per link";
    return text.str();
}

} // namespace ns3
