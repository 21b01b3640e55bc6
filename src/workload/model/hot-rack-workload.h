/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOT_RACK_WORKLOAD_H
#define HOT_RACK_WORKLOAD_H

#include "sized-workload.h"

#include "ns3/data-rate.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Some racks are busy, the others are not: stand-in for the trace of DRB (CoNEXT 2013,
 * Section 5.2), whose servers are sorted by what they send, so that racks 0 and 1 are the busiest.
 *
 * Each server of a busy rack sends to random servers of the other racks, and is sent to by random
 * servers of these. In open loop that is a Poisson process in each direction that offers the rack's
 * load of the server's link, which TCP need not be able to carry. In closed loop a number of flows
 * is under way in each direction at any time, so that the links are as full as TCP gets them: with
 * one server of n left out, (n - 1)/n of the rack's capacity at most, 11/12 being the paper's 92 %.
 *
 * The servers of the other racks also send to each other at a load of their own, in other racks
 * than theirs. The first server of each busy rack is left out, for probes.
 */
class HotRackWorkload : public SizedWorkload, private FlowObserver
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

    bool IsOver() const override;

  private:
    /// @brief The flows of a Poisson process.
    struct Stream
    {
        uint32_t rack; //!< the busy rack, or the number of busy racks: between the others
        bool outward;  //!< true if from the busy rack, false if to it
        double until;  //!< this stream's flows per second and those of the streams before it
    };

    /// @brief Flows that follow each other, of a server of a busy rack.
    struct Chain
    {
        uint32_t host; //!< the server
        bool outward;  //!< true if it sends
    };

    void DoPrepare() override;
    std::optional<FlowArrival> DoNext() override;
    void DoStart() override;
    void DoStarted(FlowId flow, const FlowRequest& request) override;
    void FlowFinished(const FlowRecord& record) override;

    /**
     * @brief Draw a flow between a server of a busy rack and one of another rack.
     * @param chain the server and the direction
     * @return the flow
     */
    FlowRequest Draw(const Chain& chain);

    /**
     * @brief A flow is over: start the next of its chain.
     * @param chain the chain
     */
    void Continue(Chain chain);

    /**
     * @brief Read the busy racks' loads.
     * @return loads of a server's link, rack 0 first
     */
    std::vector<double> ReadLoads() const;

    uint32_t m_rackSize;           //!< hosts per rack
    std::string m_loads;           //!< of the busy racks
    uint32_t m_outstanding;        //!< flows of each busy server in each direction; 0: open loop
    double m_otherLoad;            //!< of the others among themselves
    DataRate m_hostRate;           //!< of a host's link
    uint32_t m_busy{0};            //!< busy racks
    std::vector<Stream> m_streams; //!< all Poisson processes
    double m_last{0};              //!< last arrival in seconds
    std::unordered_map<FlowId, Chain> m_running; //!< flows of busy servers in closed loop
};

} // namespace ns3

#endif /* HOT_RACK_WORKLOAD_H */
