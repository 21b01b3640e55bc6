/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLOVE_EDGE_AGENT_H
#define CLOVE_EDGE_AGENT_H

#include "clove-weights.h"

#include "ns3/edge-agent.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/path-table.h"
#include "ns3/random-variable-stream.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class LinkUtilization;

/**
 * @ingroup schemes
 * @brief Clove (Katta et al., CoNEXT 2017): the virtual edge of the sending host gives each flowlet
 * a path, by what it knows of the paths' congestion.
 *
 * Pauses are measured where packets leave the host's queue. Data of a VM pair keep together, else
 * those of a flow. What is learned of paths costs nothing: utilizations are read when a flowlet
 * begins, marks come back after half a base RTT, and no packet carries them. What has a route
 * already, since its controller chooses paths itself, keeps it.
 */
class CloveEdgeAgent : public EdgeAgent
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    CloveEdgeAgent();
    ~CloveEdgeAgent() override;

    /// @brief The knowledge of the edge about paths.
    enum Feedback
    {
        NOTHING,     //!< Edge-Flowlet: paths at random
        MARKS,       //!< Clove-ECN: ECN marks that receivers relay
        UTILIZATION, //!< Clove-INT: the utilization of each path's fullest link
    };

    void Incoming(FabricItem* item) override;
    int64_t AssignStreams(int64_t stream) override;
    void ReportResults(Results& results) const override;

    /**
     * @brief Give a packet its path, as it leaves the host's queue.
     * @param item the packet
     */
    void Route(FabricItem& item);

  protected:
    void DoInstall() override;
    void DoDispose() override;

  private:
    /// @brief A path to a rack.
    struct Candidate
    {
        PathTable::Path path;                      //!< the path
        std::vector<const LinkUtilization*> links; //!< of the path, between switches
    };

    /// @brief The paths to a rack.
    struct Rack
    {
        std::vector<Candidate> candidates;     //!< that flowlets use
        std::unique_ptr<CloveWeights> weights; //!< of the candidates
    };

    /// @brief A flowlet under way.
    struct Flowlet
    {
        int64_t last;          //!< time at which its last packet left, in time steps
        const uint16_t* route; //!< that it takes
    };

    Rack& GetRack(uint16_t rack, uint32_t host);
    const uint16_t* Choose(Rack& rack, int64_t now);
    uint32_t ChooseLeastUtilized(const Rack& rack, int64_t now);
    CloveEdgeAgent& GetAgentOf(uint32_t host) const;
    void RelayMark(const FabricItem& item);
    void HandleMark(uint16_t rack, const uint16_t* route);

    Time m_gap;                                                        //!< attribute Gap
    uint32_t m_nPaths;                                                 //!< attribute Paths
    Feedback m_feedback;                                               //!< attribute Feedback
    Fabric* m_fabric{nullptr};                                         //!< the network
    std::unordered_map<uint16_t, Rack> m_racks;                        //!< by number of the rack
    std::unordered_map<uint64_t, Flowlet> m_flowlets;                  //!< by pair or flow
    std::map<std::pair<uint32_t, const uint16_t*>, int64_t> m_relayed; //!< last mark, time steps
    Ptr<UniformRandomVariable> m_random;                               //!< draws paths
    uint64_t m_nFlowlets{0};                                           //!< that began
    uint64_t m_nMoves{0};                                              //!< that took another path
    uint64_t m_nMarks{0};                                              //!< of paths, that came back
};

} // namespace ns3

#endif /* CLOVE_EDGE_AGENT_H */
