/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parking-lot-topology.h"

#include "ns3/uinteger.h"

#include <sstream>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ParkingLotTopology);

TypeId
ParkingLotTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ParkingLotTopology")
            .SetParent<Topology>()
            .SetGroupName("Fabric")
            .AddConstructor<ParkingLotTopology>()
            .AddAttribute("Switches",
                          "Number of switches in the row",
                          UintegerValue(4),
                          MakeUintegerAccessor(&ParkingLotTopology::m_switches),
                          MakeUintegerChecker<uint32_t>(2, 250))
            .AddAttribute("HostsPerSwitch",
                          "Hosts attached to each switch",
                          UintegerValue(2),
                          MakeUintegerAccessor(&ParkingLotTopology::m_hostsPerSwitch),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("HostRate",
                          "Rate of each link between a host and its switch",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&ParkingLotTopology::m_hostRate),
                          MakeDataRateChecker())
            .AddAttribute("TrunkRate",
                          "Rate of each link between switches",
                          DataRateValue(DataRate("10Gbps")),
                          MakeDataRateAccessor(&ParkingLotTopology::m_trunkRate),
                          MakeDataRateChecker())
            .AddAttribute("LinkDelay",
                          "Propagation delay of every link",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&ParkingLotTopology::m_linkDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
ParkingLotTopology::AddTo(Fabric& fabric) const
{
    CheckRate("parking-lot:HostRate", m_hostRate);
    CheckRate("parking-lot:TrunkRate", m_trunkRate);
    fabric.SetTierNames({"host", "switch"});
    std::vector<Fabric::End> row;
    for (uint32_t i = 0; i < m_switches; ++i)
    {
        row.push_back(fabric.AddSwitch(1));
        for (uint32_t j = 0; j < m_hostsPerSwitch; ++j)
        {
            fabric.Connect(fabric.AddHost(), row[i], m_hostRate, m_linkDelay);
        }
        if (i > 0)
        {
            fabric.Connect(row[i - 1], row[i], m_trunkRate, m_linkDelay);
        }
    }
}

std::string
ParkingLotTopology::GetSummary() const
{
    std::ostringstream text;
    text << "parking lot, " << m_switches << " switches in a row, each with " << m_hostsPerSwitch
         << " hosts at " << Text(m_hostRate) << ", trunks of " << Text(m_trunkRate) << ", "
         << Text(m_linkDelay) << " per link";
    return text.str();
}

} // namespace ns3
