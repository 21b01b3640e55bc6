/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "afq-testbed-topology.h"

#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{

namespace
{

/// Rate of each link of the prototype in bit/s (Section 6.1.1).
constexpr uint64_t BOX_RATE = 10'000'000'000;
/// Propagation delay of each host's link (a choice).
const Time HOST_DELAY = MicroSeconds(1);
/// Delay of each link of the prototype, for a round trip of about 200 us (Section 6.1.3).
const Time BOX_DELAY = MicroSeconds(48);

} // namespace

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
                          MakeDataRateChecker());
    return tid;
}

void
AfqTestbedTopology::AddTo(Fabric& fabric) const
{
    CheckRate("afq-testbed:HostRate", m_hostRate);
    fabric.SetTierNames({"host", "tor", "box"});
    const Fabric::End box = fabric.AddSwitch(2);
    for (const uint32_t hosts : {m_clients, m_servers})
    {
        const Fabric::End tor = fabric.AddSwitch(1);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            fabric.Connect(fabric.AddHost(), tor, m_hostRate, HOST_DELAY);
        }
        for (uint32_t i = 0; i < m_links; ++i)
        {
            fabric.Connect(tor, box, DataRate(BOX_RATE), BOX_DELAY);
        }
    }
}

std::string
AfqTestbedTopology::GetSummary() const
{
    std::ostringstream text;
    text << "AFQ's testbed, " << m_clients << " clients and " << m_servers << " servers at "
         << Text(m_hostRate) << ", the prototype between them with " << m_links << " links of "
         << Text(DataRate(BOX_RATE)) << " and " << Text(BOX_DELAY) << " per side";
    return text.str();
}

} // namespace ns3
