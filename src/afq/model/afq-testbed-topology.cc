/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-testbed-topology.h"

#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AfqTestbedTopology);

TypeId
AfqTestbedTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::AfqTestbedTopology")
            .SetParent<Topology>()
            .SetGroupName("Afq")
            .AddConstructor<AfqTestbedTopology>()
            .AddAttribute("Clients",
                          "Hosts below the first switch (Section 6.1.3)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&AfqTestbedTopology::m_clients),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("Servers",
                          "Hosts below the second switch (Section 6.1.3)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&AfqTestbedTopology::m_servers),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("Links",
                          "Links from each switch to the prototype, which has four ports (Section "
                          "6.1.1)",
                          UintegerValue(2),
                          MakeUintegerAccessor(&AfqTestbedTopology::m_links),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("HostRate",
                          "Rate of each host's link",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&AfqTestbedTopology::m_hostRate),
                          MakeDataRateChecker())
            .AddAttribute("BoxRate",
                          "Rate of each link of the prototype (Section 6.1.1)",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&AfqTestbedTopology::m_boxRate),
                          MakeDataRateChecker())
            .AddAttribute("HostDelay",
                          "Propagation delay of each host's link",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&AfqTestbedTopology::m_hostDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("BoxDelay",
                          "Delay of each link of the prototype: what makes the round trip about "
                          "200 us (Section 6.1.3)",
                          TimeValue(MicroSeconds(48)),
                          MakeTimeAccessor(&AfqTestbedTopology::m_boxDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
AfqTestbedTopology::AddTo(Fabric& fabric) const
{
    CheckRate("afq-testbed:HostRate", m_hostRate);
    CheckRate("afq-testbed:BoxRate", m_boxRate);
    fabric.SetTierNames({"host", "tor", "box"});
    const Fabric::End box = fabric.AddSwitch(2);
    for (const uint32_t hosts : {m_clients, m_servers})
    {
        const Fabric::End tor = fabric.AddSwitch(1);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            fabric.Connect(fabric.AddHost(), tor, m_hostRate, m_hostDelay);
        }
        for (uint32_t i = 0; i < m_links; ++i)
        {
            fabric.Connect(tor, box, m_boxRate, m_boxDelay);
        }
    }
}

std::string
AfqTestbedTopology::GetSummary() const
{
    std::ostringstream text;
    text << "AFQ's testbed, " << m_clients << " clients and " << m_servers << " servers at "
         << Text(m_hostRate) << ", the prototype between them with " << m_links << " links of "
         << Text(m_boxRate) << " and " << Text(m_boxDelay) << " per side";
    return text.str();
}

} // namespace ns3
