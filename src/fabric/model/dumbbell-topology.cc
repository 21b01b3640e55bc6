/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dumbbell-topology.h"

#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DumbbellTopology);

TypeId
DumbbellTopology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DumbbellTopology")
                            .SetParent<Topology>()
                            .SetGroupName("Fabric")
                            .AddConstructor<DumbbellTopology>()
                            .AddAttribute("Left",
                                          "Hosts at the left",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&DumbbellTopology::m_left),
                                          MakeUintegerChecker<uint32_t>(1, 10000))
                            .AddAttribute("Right",
                                          "Hosts at the right",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&DumbbellTopology::m_right),
                                          MakeUintegerChecker<uint32_t>(1, 10000))
                            .AddAttribute("LeftRate",
                                          "Rate of each link to a host at the left",
                                          DataRateValue(DataRate("10Gbps")),
                                          MakeDataRateAccessor(&DumbbellTopology::m_leftRate),
                                          MakeDataRateChecker())
                            .AddAttribute("RightRate",
                                          "Rate of each link to a host at the right",
                                          DataRateValue(DataRate("10Gbps")),
                                          MakeDataRateAccessor(&DumbbellTopology::m_rightRate),
                                          MakeDataRateChecker())
                            .AddAttribute("BottleneckRate",
                                          "Rate of the link between the switches",
                                          DataRateValue(DataRate("10Gbps")),
                                          MakeDataRateAccessor(&DumbbellTopology::m_bottleneckRate),
                                          MakeDataRateChecker())
                            .AddAttribute("LeftDelay",
                                          "Propagation delay of each link to a host at the left",
                                          TimeValue(MicroSeconds(1)),
                                          MakeTimeAccessor(&DumbbellTopology::m_leftDelay),
                                          MakeTimeChecker(Time(0)))
                            .AddAttribute("RightDelay",
                                          "Propagation delay of each link to a host at the right",
                                          TimeValue(MicroSeconds(1)),
                                          MakeTimeAccessor(&DumbbellTopology::m_rightDelay),
                                          MakeTimeChecker(Time(0)))
                            .AddAttribute("BottleneckDelay",
                                          "Propagation delay of the link between the switches",
                                          TimeValue(MicroSeconds(1)),
                                          MakeTimeAccessor(&DumbbellTopology::m_bottleneckDelay),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

void
DumbbellTopology::AddTo(Fabric& fabric) const
{
    CheckRate("dumbbell:LeftRate", m_leftRate);
    CheckRate("dumbbell:RightRate", m_rightRate);
    CheckRate("dumbbell:BottleneckRate", m_bottleneckRate);
    fabric.SetTierNames({"host", "switch"});
    const Fabric::End left = fabric.AddSwitch(1);
    const Fabric::End right = fabric.AddSwitch(1);
    for (uint32_t i = 0; i < m_left; ++i)
    {
        fabric.Connect(fabric.AddHost(), left, m_leftRate, m_leftDelay);
    }
    for (uint32_t i = 0; i < m_right; ++i)
    {
        fabric.Connect(fabric.AddHost(), right, m_rightRate, m_rightDelay);
    }
    fabric.Connect(left, right, m_bottleneckRate, m_bottleneckDelay);
}

std::string
DumbbellTopology::GetSummary() const
{
    std::ostringstream text;
    text << "dumbbell, " << m_left << " hosts at " << Text(m_leftRate) << " and "
         << Text(m_leftDelay) << " on the left, " << m_right << " hosts at " << Text(m_rightRate)
         << " and " << Text(m_rightDelay) << " on the right, bottleneck of "
         << Text(m_bottleneckRate) << " and " << Text(m_bottleneckDelay);
    return text.str();
}

} // namespace ns3
