/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_OCCUPANCY_RECORDER_H
#define FLOW_OCCUPANCY_RECORDER_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

class Results;

/**
 * @ingroup telemetry
 * @brief Snapshots of how many packets each flow has in a queue (AFQ, Figures 10c and 12c).
 *
 * Every snapshot counts, in each queue, the packets of each flow that is present there. The file
 * has one row per role and number of packets, so memory does not grow with the run.
 */
class FlowOccupancyRecorder : public Object
{
  public:
    /// @brief Takes the flow of one waiting packet.
    using Visit = std::function<void(uint32_t flow)>;
    /// @brief Calls a function for each packet that waits in a queue.
    using Probe = std::function<void(const Visit& visit)>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Add a queue.
     * @param role what ports of its kind are called ("leaf-spine")
     * @param probe tells what waits there
     */
    void AddProbe(const std::string& role, Probe probe);

    /**
     * @brief Take snapshots at `first`, `first` + Interval, ... until `last`, included.
     * @param first first time, now or later
     * @param last no snapshot is taken after it
     */
    void Start(Time first, Time last);

    /**
     * @brief How often a flow had so many packets in a queue.
     * @param role role of the queues
     * @return (flow, snapshot) pairs by number of packets, which is at least 1
     */
    std::map<uint32_t, uint64_t> GetCounts(const std::string& role) const;

    /**
     * @brief Write `role,packets,count`, sorted by the first two.
     * @param path the file
     * @throws InputError naming --out if the file cannot be written
     */
    void Write(const std::string& path) const;

    /**
     * @brief Add mean and maximum of the flows that are present in a queue, by role, to a run's
     * results. The mean is over the snapshots of queues in which there are any.
     * @param results takes it
     */
    void ReportResults(Results& results) const;

  protected:
    void DoDispose() override;

  private:
    /// @brief What was seen of the queues of a role.
    struct Summary
    {
        std::vector<uint64_t> counts; //!< (flow, snapshot) pairs by packets
        uint64_t snapshots{0};        //!< of queues that were not empty
        uint64_t flows{0};            //!< sum over these
        uint64_t most{0};             //!< most flows in one queue
    };

    /// @brief A queue.
    struct Queue
    {
        Probe probe;      //!< tells what waits
        Summary* summary; //!< of its role
    };

    /// @brief Take a snapshot of all queues and schedule the next.
    void Sample();

    /**
     * @brief Count the packets of each flow in a queue.
     * @param queue the queue
     */
    void Count(const Queue& queue);

    Time m_interval;                         //!< time between snapshots
    Time m_last;                             //!< no snapshot is taken after it
    EventId m_event;                         //!< the next snapshot
    std::map<std::string, Summary> m_byRole; //!< what was seen
    std::vector<Queue> m_queues;             //!< all queues
    std::vector<uint32_t> m_waiting;         //!< flows of the packets of one queue, for Count()
};

} // namespace ns3

#endif /* FLOW_OCCUPANCY_RECORDER_H */
