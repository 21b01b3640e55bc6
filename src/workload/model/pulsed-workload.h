/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PULSED_WORKLOAD_H
#define PULSED_WORKLOAD_H

#include "derangement.h"
#include "workload.h"

#include <deque>
#include <vector>

namespace ns3
{

/**
 * @ingroup workload
 * @brief Flows without end that are started anew, in new pairs, period by period, and stopped when
 * their time is over.
 *
 * Two of them with other transports and starts make demands that alternate (uFAB Section 5.5); one
 * with random destinations redraws who sends to whom (Nimble Section 6.3.1).
 */
class PulsedWorkload : public Workload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

    /// @brief The destinations of flows.
    enum Destinations
    {
        RANDOM,     //!< from each host to others, drawn for each flow
        LAST,       //!< from each host but the last to the last
        PERMUTATION //!< all of a host to one other, which receives from no other host
    };

  private:
    void DoPrepare() override;
    std::optional<FlowArrival> DoNext() override;

    /**
     * @brief Draw the flows of the next period, in time order.
     */
    void DrawPeriod();

    /**
     * @brief Choose the destination of the next flow.
     * @param source its source
     * @return its destination
     */
    uint32_t ChooseDestination(uint32_t source);

    /**
     * @brief A function that tells if two VMs are on one host.
     * @return IsLocal()
     */
    Derangement::IsLocal GetIsLocal() const;

    Time m_period;               //!< attribute Period
    Time m_on;                   //!< attribute On
    uint32_t m_flows;            //!< attribute Flows
    Destinations m_destinations; //!< attribute Destinations
    Time m_maxDelay;             //!< attribute Jitter
    Time m_begin;                //!< begin of the next period

    std::deque<FlowArrival> m_drawn;     //!< of this period, not yet started
    std::vector<uint32_t> m_permutation; //!< of this period: destination by source
};

} // namespace ns3

#endif /* PULSED_WORKLOAD_H */
