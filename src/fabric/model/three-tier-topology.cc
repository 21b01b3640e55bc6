/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology.h"

#include "ns3/input-error.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Pods of racks and aggregation switches, joined by cores, with any numbers of each.
 *
 * Every rack has a link to each aggregation switch of its pod. Every aggregation switch has
 * CoreLinks links to cores: number i of its pod to cores i * CoreLinks, i * CoreLinks + 1, ...,
 * counted round.
 */
class ThreeTierTopology : public Topology
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        // The defaults are the testbed of uFAB (SIGCOMM 2022, Fig. 10).
        static TypeId tid =
            TypeId("ns3::ThreeTierTopology")
                .SetParent<Topology>()
                .SetGroupName("Fabric")
                .AddConstructor<ThreeTierTopology>()
                .AddAttribute("Pods",
                              "Number of pods",
                              UintegerValue(2),
                              MakeUintegerAccessor(&ThreeTierTopology::m_pods),
                              MakeUintegerChecker<uint32_t>(1, 1000))
                .AddAttribute("RacksPerPod",
                              "Racks of each pod",
                              UintegerValue(2),
                              MakeUintegerAccessor(&ThreeTierTopology::m_racks),
                              MakeUintegerChecker<uint32_t>(1, 1000))
                .AddAttribute("HostsPerRack",
                              "Hosts of each rack",
                              UintegerValue(2),
                              MakeUintegerAccessor(&ThreeTierTopology::m_hosts),
                              MakeUintegerChecker<uint32_t>(1, 1000))
                .AddAttribute("AggregationsPerPod",
                              "Aggregation switches of each pod",
                              UintegerValue(2),
                              MakeUintegerAccessor(&ThreeTierTopology::m_aggregations),
                              MakeUintegerChecker<uint32_t>(1, 1000))
                .AddAttribute("Cores",
                              "Number of core switches",
                              UintegerValue(2),
                              MakeUintegerAccessor(&ThreeTierTopology::m_cores),
                              MakeUintegerChecker<uint32_t>(1, 1000))
                .AddAttribute("CoreLinks",
                              "Links of each aggregation switch to cores; 0: one to every core",
                              UintegerValue(0),
                              MakeUintegerAccessor(&ThreeTierTopology::m_coreLinks),
                              MakeUintegerChecker<uint32_t>(0, 1000))
                .AddAttribute("HostRate",
                              "Rate of each link between a host and its rack's switch",
                              DataRateValue(DataRate("10Gbps")),
                              MakeDataRateAccessor(&ThreeTierTopology::m_hostRate),
                              MakeDataRateChecker())
                .AddAttribute("FabricRate",
                              "Rate of each link between a rack's and an aggregation switch",
                              DataRateValue(DataRate("10Gbps")),
                              MakeDataRateAccessor(&ThreeTierTopology::m_fabricRate),
                              MakeDataRateChecker())
                .AddAttribute("CoreRate",
                              "Rate of each link between an aggregation and a core switch",
                              DataRateValue(DataRate("10Gbps")),
                              MakeDataRateAccessor(&ThreeTierTopology::m_coreRate),
                              MakeDataRateChecker())
                .AddAttribute("LinkDelay",
                              "Propagation delay of every link",
                              TimeValue(MicroSeconds(1)),
                              MakeTimeAccessor(&ThreeTierTopology::m_linkDelay),
                              MakeTimeChecker(Time(0)));
        return tid;
    }

    void AddTo(Fabric& fabric) const override
    {
        CheckRate("three-tier:HostRate", m_hostRate);
        CheckRate("three-tier:FabricRate", m_fabricRate);
        CheckRate("three-tier:CoreRate", m_coreRate);
        GetCoreLinks(); // refuses before anything is added
        fabric.SetTierNames({"host", "tor", "aggregation", "core"});
        std::vector<Fabric::End> cores;
        for (uint32_t i = 0; i < m_cores; ++i)
        {
            cores.push_back(fabric.AddSwitch(3));
        }
        for (uint32_t pod = 0; pod < m_pods; ++pod)
        {
            AddPod(fabric, cores);
        }
    }

    std::string GetSummary() const override
    {
        const auto ratio = [](double in, DataRate inRate, double out, DataRate outRate) {
            return in * static_cast<double>(inRate.GetBitRate()) /
                   (out * static_cast<double>(outRate.GetBitRate()));
        };
        const uint32_t links = GetCoreLinks();
        std::ostringstream text;
        text << "three tiers, " << m_pods << " pods x " << m_racks << " racks x " << m_hosts
             << " hosts at " << Text(m_hostRate) << ", " << m_aggregations
             << " aggregations per pod at " << Text(m_fabricRate) << ", " << m_cores << " cores at "
             << Text(m_coreRate) << ", oversubscribed "
             << ratio(m_hosts, m_hostRate, m_aggregations, m_fabricRate) << ":1 and "
             << ratio(m_racks, m_fabricRate, links, m_coreRate) << ":1, " << Text(m_linkDelay)
             << " per link";
        return text.str();
    }

  private:
    /**
     * @brief Core links of each aggregation switch.
     * @return their number
     * @throws InputError if the cores would not have equally many links
     */
    uint32_t GetCoreLinks() const
    {
        if (m_coreLinks == 0)
        {
            return m_cores;
        }
        if (m_coreLinks > m_cores)
        {
            throw InputError("three-tier:CoreLinks",
                             std::to_string(m_coreLinks),
                             "at most one link to each of " + std::to_string(m_cores) + " cores");
        }
        if (m_aggregations * m_coreLinks % m_cores != 0)
        {
            throw InputError("three-tier:CoreLinks",
                             std::to_string(m_coreLinks),
                             "a number that gives each of " + std::to_string(m_cores) +
                                 " cores equally many links to the " +
                                 std::to_string(m_aggregations) + " aggregation switches of a pod");
        }
        return m_coreLinks;
    }

    /**
     * @brief Add a pod with its links to the cores.
     * @param fabric the fabric
     * @param cores the core switches
     */
    void AddPod(Fabric& fabric, const std::vector<Fabric::End>& cores) const
    {
        std::vector<Fabric::End> aggregations;
        for (uint32_t i = 0; i < m_aggregations; ++i)
        {
            aggregations.push_back(fabric.AddSwitch(2));
        }
        for (uint32_t i = 0; i < m_racks; ++i)
        {
            const Fabric::End rack = fabric.AddSwitch(1);
            for (uint32_t host = 0; host < m_hosts; ++host)
            {
                fabric.Connect(fabric.AddHost(), rack, m_hostRate, m_linkDelay);
            }
            for (const Fabric::End& aggregation : aggregations)
            {
                fabric.Connect(rack, aggregation, m_fabricRate, m_linkDelay);
            }
        }
        const uint32_t links = GetCoreLinks();
        for (uint32_t i = 0; i < m_aggregations * links; ++i)
        {
            fabric.Connect(aggregations[i / links], cores[i % m_cores], m_coreRate, m_linkDelay);
        }
    }

    uint32_t m_pods;         //!< number of pods
    uint32_t m_racks;        //!< per pod
    uint32_t m_hosts;        //!< per rack
    uint32_t m_aggregations; //!< per pod
    uint32_t m_cores;        //!< number of cores
    uint32_t m_coreLinks;    //!< per aggregation switch; 0: one to each core
    DataRate m_hostRate;     //!< of links between hosts and racks
    DataRate m_fabricRate;   //!< of links between racks and aggregation switches
    DataRate m_coreRate;     //!< of links between aggregation switches and cores
    Time m_linkDelay;        //!< propagation delay of every link
};

NS_OBJECT_ENSURE_REGISTERED(ThreeTierTopology);

} // namespace ns3
