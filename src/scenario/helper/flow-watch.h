/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_WATCH_H
#define FLOW_WATCH_H

#include "ns3/flow.h"
#include "ns3/workload.h"

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Ends the simulation when all flows of a workload are over.
 */
class FlowWatch : public FlowObserver
{
  public:
    FlowWatch();

    /**
     * @brief End the simulation with a workload. Without this call flows are only counted.
     * @param workload the workload, started: of a flow's end it is told first, and may start others
     * @param transports have told this object of every flow
     */
    void StopAfter(Ptr<Workload> workload, Transports& transports);

    // Inherited from FlowObserver.
    void FlowStarted(const FlowRecord& record) override;
    void FlowFinished(const FlowRecord& record) override;

  private:
    /// @brief Stops the simulation.
    class Stopper : public FlowObserver
    {
      public:
        /// @param watch counts flows
        explicit Stopper(const FlowWatch& watch);

        void FlowFinished(const FlowRecord& record) override;

        Ptr<Workload> m_workload; //!< the simulation ends when it is over

      private:
        const FlowWatch& m_watch; //!< counts flows
    };

    uint64_t m_active{0}; //!< flows that are not over
    Stopper m_stopper;    //!< told of a flow's end after the workload
};

} // namespace ns3

#endif /* FLOW_WATCH_H */
