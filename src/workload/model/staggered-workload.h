/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAGGERED_WORKLOAD_H
#define STAGGERED_WORKLOAD_H

#include "workload.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief Long-lived flows that start one by one, then stop one by one in the order of their start
 * (AFQ, Appendix B, Figure 14).
 *
 * All flows go to the last host; each is a group of its own.
 */
class StaggeredWorkload : public Workload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

    /**
     * @brief The time at which the last flow stops.
     * @return simulation time
     */
    Time GetEnd() const;

  private:
    void DoPrepare() override;

    uint32_t m_flows;   //!< number of flows
    uint32_t m_sources; //!< hosts that send, in turn
    Time m_spacing;     //!< time from start to start and from stop to stop
    Time m_hold;        //!< time for which all are there, beyond one spacing
    Time m_maxDelay;    //!< bound of what is added to a flow's start
};

} // namespace ns3

#endif /* STAGGERED_WORKLOAD_H */
