/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Topologies of one or a few switches.

#include "topology.h"

#include "ns3/uinteger.h"

#include <sstream>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief A star: all hosts are attached to one switch.
 */
class SingleSwitchTopology : public Topology
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::SingleSwitchTopology")
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

    void AddTo(Fabric& fabric) const override
    {
        CheckRate("single-switch:HostRate", m_hostRate);
        fabric.SetTierNames({"host", "switch"});
        const Fabric::End hub = fabric.AddSwitch(1);
        for (uint32_t i = 0; i < m_hosts; ++i)
        {
            fabric.Connect(fabric.AddHost(), hub, m_hostRate, m_linkDelay);
        }
    }

    std::string GetSummary() const override
    {
        std::ostringstream text;
        text << "single switch, " << m_hosts << " hosts at " << Text(m_hostRate) << ", "
             << Text(m_linkDelay) << " per link";
        return text.str();
    }

  private:
    uint32_t m_hosts;    //!< number of hosts
    DataRate m_hostRate; //!< of every link
    Time m_linkDelay;    //!< propagation delay of every link
};

NS_OBJECT_ENSURE_REGISTERED(SingleSwitchTopology);

/**
 * @ingroup fabric
 * @brief Two switches with a bottleneck between them and hosts at either side.
 *
 * Hosts 0 ... Left-1 are at the left, the others at the right. The bottleneck's ports have the role
 * "switch-switch".
 */
class DumbbellTopology : public Topology
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::DumbbellTopology")
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

    void AddTo(Fabric& fabric) const override
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

    std::string GetSummary() const override
    {
        std::ostringstream text;
        text << "dumbbell, " << m_left << " hosts at " << Text(m_leftRate) << " and "
             << Text(m_leftDelay) << " on the left, " << m_right << " hosts at "
             << Text(m_rightRate) << " and " << Text(m_rightDelay)
             << " on the right, bottleneck of " << Text(m_bottleneckRate) << " and "
             << Text(m_bottleneckDelay);
        return text.str();
    }

  private:
    uint32_t m_left;           //!< hosts at the left
    uint32_t m_right;          //!< hosts at the right
    DataRate m_leftRate;       //!< of links to hosts at the left
    DataRate m_rightRate;      //!< of links to hosts at the right
    DataRate m_bottleneckRate; //!< of the link between the switches
    Time m_leftDelay;          //!< propagation delay of links to hosts at the left
    Time m_rightDelay;         //!< propagation delay of links to hosts at the right
    Time m_bottleneckDelay;    //!< propagation delay of the link between the switches
};

NS_OBJECT_ENSURE_REGISTERED(DumbbellTopology);

/**
 * @ingroup fabric
 * @brief Switches in a row, each with hosts of its own, as on the way out of a parking lot.
 *
 * A flow to a host far away passes many links, on each of which it meets others. Hosts are numbered
 * switch by switch. Ports between switches have the role "switch-switch".
 */
class ParkingLotTopology : public Topology
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
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

    void AddTo(Fabric& fabric) const override
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

    std::string GetSummary() const override
    {
        std::ostringstream text;
        text << "parking lot, " << m_switches << " switches in a row, each with "
             << m_hostsPerSwitch << " hosts at " << Text(m_hostRate) << ", trunks of "
             << Text(m_trunkRate) << ", " << Text(m_linkDelay) << " per link";
        return text.str();
    }

  private:
    uint32_t m_switches;       //!< in the row
    uint32_t m_hostsPerSwitch; //!< hosts attached to each
    DataRate m_hostRate;       //!< of each link to a host
    DataRate m_trunkRate;      //!< of each link between switches
    Time m_linkDelay;          //!< propagation delay of every link
};

NS_OBJECT_ENSURE_REGISTERED(ParkingLotTopology);

} // namespace ns3
