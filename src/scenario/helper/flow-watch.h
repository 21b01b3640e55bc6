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
    /**
     * @brief End the simulation with a workload. Without this call it is only counted.
     * @param workload the workload
     */
    void StopAfter(Ptr<Workload> workload);

    // Inherited from FlowObserver.
    void FlowStarted(const FlowRecord& record) override;
    void FlowFinished(const FlowRecord& record) override;

  private:
    Ptr<Workload> m_workload; //!< whose end is the end of the simulation
    uint64_t m_active{0};     //!< flows that are not over
};

} // namespace ns3

#endif /* FLOW_WATCH_H */
