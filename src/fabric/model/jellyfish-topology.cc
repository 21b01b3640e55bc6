/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology.h"

#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief A random regular graph of switches, each with hosts of its own (Singla et al., Jellyfish,
 * NSDI 2012). Each seed draws another one.
 *
 * Links are laid between random pairs of switches with free ports and no link yet; once there is no
 * such pair but two free ports or more, a random link is cut and its ends are linked with these
 * (Section 3). Hosts are numbered switch by switch. Ports between switches have
 * the role "switch-switch".
 */
class JellyfishTopology : public Topology
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::JellyfishTopology")
                .SetParent<Topology>()
                .SetGroupName("Fabric")
                .AddConstructor<JellyfishTopology>()
                .AddAttribute("Switches",
                              "Number of switches",
                              UintegerValue(10),
                              MakeUintegerAccessor(&JellyfishTopology::m_switches),
                              MakeUintegerChecker<uint32_t>(2, 1000))
                .AddAttribute("Degree",
                              "Ports of each switch to others, less than there are switches",
                              UintegerValue(3),
                              MakeUintegerAccessor(&JellyfishTopology::m_degree),
                              MakeUintegerChecker<uint32_t>(1, 250))
                .AddAttribute("HostsPerSwitch",
                              "Hosts attached to each switch",
                              UintegerValue(2),
                              MakeUintegerAccessor(&JellyfishTopology::m_hostsPerSwitch),
                              MakeUintegerChecker<uint32_t>(1, 10000))
                .AddAttribute("HostRate",
                              "Rate of each link between a host and its switch",
                              DataRateValue(DataRate("10Gbps")),
                              MakeDataRateAccessor(&JellyfishTopology::m_hostRate),
                              MakeDataRateChecker())
                .AddAttribute("FabricRate",
                              "Rate of each link between switches",
                              DataRateValue(DataRate("10Gbps")),
                              MakeDataRateAccessor(&JellyfishTopology::m_fabricRate),
                              MakeDataRateChecker())
                .AddAttribute("LinkDelay",
                              "Mean propagation delay of a link",
                              TimeValue(MicroSeconds(1)),
                              MakeTimeAccessor(&JellyfishTopology::m_linkDelay),
                              MakeTimeChecker(Time(0)))
                .AddAttribute(
                    "Spread",
                    "How far the delay of a link, drawn uniformly, may be from the mean, as "
                    "a share of it",
                    DoubleValue(0),
                    MakeDoubleAccessor(&JellyfishTopology::m_spread),
                    MakeDoubleChecker<double>(0, 1));
        return tid;
    }

    JellyfishTopology()
        : m_random(CreateObject<UniformRandomVariable>())
    {
    }

    void AddTo(Fabric& fabric) const override
    {
        CheckRate("jellyfish:HostRate", m_hostRate);
        CheckRate("jellyfish:FabricRate", m_fabricRate);
        if (m_degree >= m_switches || (m_degree == 1 && m_switches > 2))
        {
            throw InputError("jellyfish:Degree",
                             std::to_string(m_degree),
                             "2 to " + std::to_string(m_switches - 1) +
                                 ", one less than there are switches, or 1 for two switches");
        }
        Graph graph = Draw();
        while (!IsConnected(graph))
        {
            graph = Draw();
        }
        fabric.SetTierNames({"host", "switch"});
        std::vector<Fabric::End> switches;
        for (uint32_t i = 0; i < m_switches; ++i)
        {
            switches.push_back(fabric.AddSwitch(1));
            for (uint32_t j = 0; j < m_hostsPerSwitch; ++j)
            {
                fabric.Connect(fabric.AddHost(), switches[i], m_hostRate, DrawDelay());
            }
        }
        for (const auto& [a, b] : graph)
        {
            fabric.Connect(switches[a], switches[b], m_fabricRate, DrawDelay());
        }
    }

    std::string GetSummary() const override
    {
        std::ostringstream text;
        text << "jellyfish, " << m_switches << " switches, each with " << m_hostsPerSwitch
             << " hosts at " << Text(m_hostRate) << " and " << m_degree << " links at "
             << Text(m_fabricRate) << " to others drawn at random, " << Text(m_linkDelay)
             << " per link";
        if (m_spread > 0)
        {
            text << " +- " << 100 * m_spread << " %";
        }
        return text.str();
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_random->SetStream(stream);
        return 1;
    }

  private:
    using Graph = std::set<std::pair<uint32_t, uint32_t>>; //!< links, the lower switch first

    Graph Draw() const
    {
        Graph graph;
        std::vector<uint32_t> free(m_switches, m_degree);
        const auto pick = [this](const auto& from) {
            return *std::next(from.begin(), m_random->GetInteger(0, from.size() - 1));
        };
        const auto link = [&](uint32_t a, uint32_t b) {
            graph.insert(std::minmax(a, b));
            --free[a];
            --free[b];
        };
        while (true)
        {
            std::vector<std::pair<uint32_t, uint32_t>> pairs; // that can be linked
            std::vector<uint32_t> ports;                      // that are free, by their switch
            for (uint32_t a = 0; a < m_switches; ++a)
            {
                ports.insert(ports.end(), free[a], a);
                for (uint32_t b = a + 1; b < m_switches; ++b)
                {
                    if (free[a] > 0 && free[b] > 0 && !graph.contains({a, b}))
                    {
                        pairs.emplace_back(a, b);
                    }
                }
            }
            if (!pairs.empty())
            {
                const auto [a, b] = pick(pairs);
                link(a, b);
                continue;
            }
            if (ports.size() < 2)
            {
                return graph;
            }
            // Two ports are left, of one switch or of two that are linked: a link makes way for
            // two.
            const uint32_t first = ports[0];
            const uint32_t last = ports[1];
            const auto canLink = [&graph](uint32_t a, uint32_t b) {
                return a != b && !graph.contains(std::minmax(a, b));
            };
            for (const auto& [a, b] : graph)
            {
                for (const auto& ends : {std::pair(a, b), std::pair(b, a)})
                {
                    if (canLink(ends.first, first) && canLink(ends.second, last))
                    {
                        pairs.push_back(ends);
                    }
                }
            }
            if (pairs.empty())
            {
                return graph;
            }
            const auto [a, b] = pick(pairs);
            graph.erase(std::minmax(a, b));
            ++free[a];
            ++free[b];
            link(a, first);
            link(b, last);
        }
    }

    bool IsConnected(const Graph& graph) const
    {
        std::set<uint32_t> reached{0};
        std::vector<uint32_t> next{0};
        while (!next.empty())
        {
            const uint32_t from = next.back();
            next.pop_back();
            for (uint32_t to = 0; to < m_switches; ++to)
            {
                if (graph.contains(std::minmax(from, to)) && reached.insert(to).second)
                {
                    next.push_back(to);
                }
            }
        }
        return reached.size() == m_switches;
    }

    Time DrawDelay() const
    {
        const double share = 1 + m_spread * m_random->GetValue(-1, 1);
        return TimeStep(
            static_cast<int64_t>(share * static_cast<double>(m_linkDelay.GetTimeStep())));
    }

    uint32_t m_switches;                 //!< number of switches
    uint32_t m_degree;                   //!< ports of each to other switches
    uint32_t m_hostsPerSwitch;           //!< hosts attached to each
    DataRate m_hostRate;                 //!< of each link to a host
    DataRate m_fabricRate;               //!< of each link between switches
    Time m_linkDelay;                    //!< mean propagation delay of a link
    double m_spread;                     //!< greatest deviation of a delay from it, as a share
    Ptr<UniformRandomVariable> m_random; //!< draws links and delays
};

NS_OBJECT_ENSURE_REGISTERED(JellyfishTopology);

} // namespace ns3
