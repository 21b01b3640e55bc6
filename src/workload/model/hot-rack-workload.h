/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOT_RACK_WORKLOAD_H
#define HOT_RACK_WORKLOAD_H

#include "sized-workload.h"

#include "ns3/data-rate.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Some racks are busy, the others are not: stand-in for the trace of DRB (CoNEXT 2013,
 * Section 5.2), whose servers are sorted by what they send, so that racks 0 and 1 are the busiest.
 *
 * Each server of a busy rack sends to random servers of the other racks, and is sent to by random
 * servers of these, a Poisson process in each direction that offers the rack's load of the server's
 * link. The servers of the other racks also send to each other at a load of their own, in other
 * racks than theirs. The first server of each busy rack is left out, for probes.
 */
class HotRackWorkload : public SizedWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    /// @brief Which flows a Poisson process starts.
    struct Stream
    {
        uint32_t rack; //!< the busy rack, or the number of busy racks: between the others
        bool outward;  //!< whether from the busy rack, or to it
        double until;  //!< this stream's flows per second and those of the streams before it
    };

    void DoPrepare() override;
    std::optional<FlowArrival> DoNext() override;

    /**
     * @brief Read the busy racks' loads.
     * @return loads of a server's link, rack 0 first
     */
    std::vector<double> ReadLoads() const;

    uint32_t m_rackSize;           //!< hosts per rack
    std::string m_loads;           //!< of the busy racks
    double m_otherLoad;            //!< of the others among themselves
    DataRate m_hostRate;           //!< of a host's link
    uint32_t m_busy{0};            //!< busy racks
    std::vector<Stream> m_streams; //!< all Poisson processes
    double m_last{0};              //!< last arrival in seconds
};

} // namespace ns3

#endif /* HOT_RACK_WORKLOAD_H */
