/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology.h"

#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Two tiers of switches: every leaf has a link to every spine, hosts are attached to leaves.
 *
 * Oversubscription is HostsPerLeaf x HostRate / (Spines x FabricRate). The defaults are the cluster
 * of AFQ (NSDI 2018), section 6.2.1, whose 10 us round trip comes from 0.86 us per link.
 */
class LeafSpineTopology : public Topology
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::LeafSpineTopology")
                .SetParent<Topology>()
                .SetGroupName("Fabric")
                .AddConstructor<LeafSpineTopology>()
                .AddAttribute("Leaves",
                              "Number of leaf switches",
                              UintegerValue(9),
                              MakeUintegerAccessor(&LeafSpineTopology::m_leaves),
                              MakeUintegerChecker<uint32_t>(1, 10000))
                .AddAttribute("HostsPerLeaf",
                              "Hosts attached to each leaf",
                              UintegerValue(32),
                              MakeUintegerAccessor(&LeafSpineTopology::m_hostsPerLeaf),
                              MakeUintegerChecker<uint32_t>(1, 10000))
                .AddAttribute("Spines",
                              "Number of spine switches",
                              UintegerValue(4),
                              MakeUintegerAccessor(&LeafSpineTopology::m_spines),
                              MakeUintegerChecker<uint32_t>(1, 10000))
                .AddAttribute("HostRate",
                              "Rate of each link between a host and its leaf",
                              DataRateValue(DataRate("10Gbps")),
                              MakeDataRateAccessor(&LeafSpineTopology::m_hostRate),
                              MakeDataRateChecker())
                .AddAttribute("FabricRate",
                              "Rate of each link between a leaf and a spine",
                              DataRateValue(DataRate("40Gbps")),
                              MakeDataRateAccessor(&LeafSpineTopology::m_fabricRate),
                              MakeDataRateChecker())
                .AddAttribute("LinkDelay",
                              "Propagation delay of every link",
                              TimeValue(NanoSeconds(860)),
                              MakeTimeAccessor(&LeafSpineTopology::m_linkDelay),
                              MakeTimeChecker(Time(0)));
        return tid;
    }

    void AddTo(Fabric& fabric) const override
    {
        CheckRate("leaf-spine:HostRate", m_hostRate);
        CheckRate("leaf-spine:FabricRate", m_fabricRate);
        fabric.SetTierNames({"host", "leaf", "spine"});
        std::vector<Fabric::End> spines;
        for (uint32_t i = 0; i < m_spines; ++i)
        {
            spines.push_back(fabric.AddSwitch(2));
        }
        for (uint32_t i = 0; i < m_leaves; ++i)
        {
            const Fabric::End leaf = fabric.AddSwitch(1);
            for (uint32_t host = 0; host < m_hostsPerLeaf; ++host)
            {
                fabric.Connect(fabric.AddHost(), leaf, m_hostRate, m_linkDelay);
            }
            for (const Fabric::End& spine : spines)
            {
                fabric.Connect(leaf, spine, m_fabricRate, m_linkDelay);
            }
        }
    }

    std::string GetSummary() const override
    {
        std::ostringstream text;
        text << "leaf-spine, " << m_leaves << " leaves x " << m_hostsPerLeaf << " hosts at "
             << Text(m_hostRate) << ", " << m_spines << " spines at " << Text(m_fabricRate) << ", "
             << Text(m_linkDelay) << " per link";
        return text.str();
    }

  private:
    uint32_t m_leaves;       //!< number of leaf switches
    uint32_t m_hostsPerLeaf; //!< hosts attached to each leaf
    uint32_t m_spines;       //!< number of spine switches
    DataRate m_hostRate;     //!< of links between hosts and leaves
    DataRate m_fabricRate;   //!< of links between leaves and spines
    Time m_linkDelay;        //!< propagation delay of every link
};

NS_OBJECT_ENSURE_REGISTERED(LeafSpineTopology);

} // namespace ns3
