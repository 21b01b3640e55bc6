/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLOSED_LOOP_WORKLOAD_H
#define CLOSED_LOOP_WORKLOAD_H

#include "sized-workload.h"

#include <unordered_map>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Closed loop: every host keeps a number of flows outstanding.
 *
 * When a flow is finished, its sender thinks, then starts the next one to a random other host.
 */
class ClosedLoopWorkload : public SizedWorkload, private FlowObserver
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

    bool IsOver() const override;

  protected:
    /**
     * @brief The number of hosts that send.
     * @return their number; they are the first ones
     */
    virtual uint32_t GetSenderCount() const;

    /**
     * @brief Choose where a host sends.
     * @param sender index of the host
     * @return index of another host
     */
    virtual uint32_t ChooseDestination(uint32_t sender);

  private:
    void DoPrepare() override;
    void DoStart() override;
    void DoStarted(FlowId flow, const FlowRequest& request) override;
    void FlowFinished(const FlowRecord& record) override;

    /**
     * @brief Draw a flow.
     * @param sender index of its source
     * @return the flow
     */
    FlowRequest Draw(uint32_t sender);

    /**
     * @brief A host has thought: start its next flow.
     * @param sender index of the host
     */
    void Continue(uint32_t sender);

    uint32_t m_outstanding;                         //!< flows per host
    Time m_thinkTime;                               //!< mean pause of a host between two flows
    Time m_maxDelay;                                //!< first flows start within so long
    std::unordered_map<FlowId, uint32_t> m_running; //!< sender by flow
};

} // namespace ns3

#endif /* CLOSED_LOOP_WORKLOAD_H */
