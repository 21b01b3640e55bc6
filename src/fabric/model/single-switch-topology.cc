/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "single-switch-topology.h"

#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SingleSwitchTopology);

TypeId
SingleSwitchTopology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SingleSwitchTopology")
                            .SetParent<Topology>()
                            .SetGroupName("Fabric")
                            .AddConstructor<SingleSwitchTopology>()
                            .AddAttribute("Hosts",
                                          "Number of hosts",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&SingleSwitchTopology::m_hosts),
                                          MakeUintegerChecker<uint32_t>(1, 10000))
                            .AddAttribute("HostRate",
                                          "Rate of every link",
                                          DataRateValue(DataRate("10Gbps")),
                                          MakeDataRateAccessor(&SingleSwitchTopology::m_hostRate),
                                          MakeDataRateChecker())
                            .AddAttribute("LinkDelay",
                                          "Propagation delay of every link",
                                          TimeValue(MicroSeconds(1)),
                                          MakeTimeAccessor(&SingleSwitchTopology::m_linkDelay),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

void
SingleSwitchTopology::AddTo(Fabric& fabric) const
{
    CheckRate("single-switch:HostRate", m_hostRate);
    fabric.SetTierNames({"host", "switch"});
    const Fabric::End hub = fabric.AddSwitch(1);
    for (uint32_t i = 0; i < m_hosts; ++i)
    {
        fabric.Connect(fabric.AddHost(), hub, m_hostRate, m_linkDelay);
    }
}

std::string
SingleSwitchTopology::GetSummary() const
{
    std::ostringstream text;
    text << "single switch, " << m_hosts << " hosts at " << Text(m_hostRate) << ", "
         << Text(m_linkDelay) << " per link";
    return text.str();
}

} // namespace ns3
