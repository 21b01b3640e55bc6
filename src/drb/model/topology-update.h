/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_UPDATE_H
#define TOPOLOGY_UPDATE_H

#include "bouncing-agent.h"
#include "topology-update-switch.h"
#include "topology-view.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup drb
 * @brief Keeps the servers of a fabric informed of which links work (Section 4.3).
 *
 * What has failed by the time 0 all servers know. From then on they know what the topology update
 * protocol tells them: a daemon at each switch (TopologyUpdateSwitch) and one at each server
 * (TopologyUpdateServer). As long as nothing fails, the daemons have nothing to say that changes
 * anything, so unless told otherwise they begin with the first failure, in the state in which they
 * would be had they always run. A run without failures costs nothing.
 */
class TopologyUpdate
{
  public:
    /// @brief Modes of informing servers of changes.
    enum Mode
    {
        ON_CHANGE, //!< from the protocol, which begins with the first change after time 0
        ALWAYS,    //!< from the protocol, which runs from the beginning
        AT_ONCE    //!< immediately, as if by magic: no protocol
    };

    /// @brief Counters of the whole fabric.
    struct Counts : TopologyUpdateSwitch::Counts
    {
        uint32_t originators{0};        //!< switches that made an advertisement
        uint32_t broadcasters{0};       //!< of these those not for their own servers alone
        uint64_t received{0};           //!< copies of advertisements that servers heard
        uint64_t receivedDuplicates{0}; //!< of these not new
    };

    /// @brief A change of the network, and when servers came to know of it.
    struct Change
    {
        Time time;         //!< time of the failure or repair
        Time firstTold;    //!< time at which the first server changed its view
        Time lastTold;     //!< time at which the last one did so, before the next change
        uint32_t views{0}; //!< number of changes of servers' views
    };

    /**
     * @brief Set up; follows the fabric's trace source LinkState from now on.
     * @param fabric the fabric; outlives the object
     * @param routes its tables, not without points
     * @param mode mode of informing servers of changes
     * @param settings of the protocol
     */
    TopologyUpdate(Fabric& fabric,
                   std::shared_ptr<const BouncingRoutes> routes,
                   Mode mode,
                   const TopologyUpdateSettings& settings);

    TopologyUpdate(const TopologyUpdate&) = delete;
    TopologyUpdate& operator=(const TopologyUpdate&) = delete;

    /**
     * @brief Inform a server.
     * @param agent the server's agent; outlives the object's use
     */
    void AddServer(BouncingAgent* agent);

    /**
     * @brief Set the random variable stream that spreads the daemons' timers.
     * @param stream the stream
     */
    void SetStream(int64_t stream)
    {
        m_stream = stream;
    }

    /**
     * @brief True if any link between switches failed or was repaired so far, or the protocol runs.
     * @return false if there is nothing to report
     */
    bool HasEvents() const
    {
        return !m_changes.empty() || IsRunning();
    }

    /**
     * @brief Changes of the network so far.
     * @return the changes in order; what fails or is repaired at one time is one
     */
    const std::vector<Change>& GetChanges() const
    {
        return m_changes;
    }

    /**
     * @brief True if the daemons run.
     * @return true if they do
     */
    bool IsRunning() const
    {
        return !m_switches.empty();
    }

    /**
     * @brief Counters of the whole fabric so far.
     * @return the sums over the fabric
     */
    Counts GetCounts() const;

    /**
     * @brief The daemon of a switch.
     * @param index number of the switch
     * @return the daemon; the protocol is running
     */
    const TopologyUpdateSwitch& GetSwitch(uint32_t index) const
    {
        return *m_switches.at(index);
    }

  private:
    void LinkChanged(uint32_t link, bool up);
    void ServerTold(uint32_t down);
    void InformAll();
    void Start();

    Fabric& m_fabric;                               //!< the fabric
    Mode m_mode;                                    //!< mode of informing servers of changes
    TopologyUpdateSettings m_settings;              //!< of the protocol
    std::shared_ptr<TopologyViews> m_views;         //!< makes views; nullptr until one is needed
    std::shared_ptr<const BouncingRoutes> m_routes; //!< the fabric's tables
    std::vector<BouncingAgent*> m_agents;           //!< the servers
    std::set<uint32_t> m_known; //!< links that all know not to work; until the protocol begins
    std::vector<std::unique_ptr<TopologyUpdateSwitch>> m_switches; //!< daemons, once they run
    std::vector<Change> m_changes;                                 //!< of links between switches
    int64_t m_stream{-1};                                          //!< -1: the next that ns-3 gives
};

} // namespace ns3

#endif /* TOPOLOGY_UPDATE_H */
