/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JELLYFISH_TOPOLOGY_H
#define JELLYFISH_TOPOLOGY_H

#include "topology.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <set>
#include <utility>

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
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    JellyfishTopology();

    void AddTo(Fabric& fabric) const override;
    std::string GetSummary() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    using Graph = std::set<std::pair<uint32_t, uint32_t>>; //!< links, the lower switch first

    Graph Draw() const;
    bool IsConnected(const Graph& graph) const;
    Time DrawDelay() const;

    uint32_t m_switches;                 //!< number of switches
    uint32_t m_degree;                   //!< ports of each to other switches
    uint32_t m_hostsPerSwitch;           //!< hosts attached to each
    DataRate m_hostRate;                 //!< of each link to a host
    DataRate m_fabricRate;               //!< of each link between switches
    Time m_linkDelay;                    //!< mean propagation delay of a link
    double m_spread;                     //!< greatest deviation of a delay from it, as a share
    Ptr<UniformRandomVariable> m_random; //!< draws links and delays
};

} // namespace ns3

#endif /* JELLYFISH_TOPOLOGY_H */
