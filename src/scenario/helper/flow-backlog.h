/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_BACKLOG_H
#define FLOW_BACKLOG_H

#include "ns3/flow.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup scenario
 * @brief Bytes that flows were asked to deliver and have not, at the end of the time in which flows
 * start and half-way there.
 *
 * Half-way is counted from the first flow on. Where a network is loaded beyond what it carries, the
 * backlog grows with time; otherwise it settles. Flows of no stated size have no part in it.
 */
class FlowBacklog : public FlowObserver
{
  public:
    /**
     * @brief Say when flows cease to start, before the first.
     * @param end the time; that the simulation is over earlier does no harm
     */
    void SetEnd(Time end);

    /// @brief The backlog at a time.
    struct Sample
    {
        Time time;         //!< time of the sample
        uint64_t bytes{0}; //!< asked for and not delivered
        uint64_t flows{0}; //!< of so many flows
    };

    /**
     * @brief Half-way from the first flow to the end.
     * @return the backlog, as it is now if that time has not come
     */
    const Sample& GetHalfway() const
    {
        return m_samples > 0 ? m_halfway : m_now;
    }

    /**
     * @brief At the end.
     * @return the backlog, as it is now if that time has not come
     */
    const Sample& GetEnd() const
    {
        return m_samples > 1 ? m_end : m_now;
    }

    /**
     * @brief Tell whether flows with an end were asked for.
     * @return true if one has started
     */
    bool HadFlows() const
    {
        return m_hadFlows;
    }

    // Inherited from FlowObserver.
    void FlowStarted(const FlowRecord& record) override;
    void FlowDelivered(const FlowRecord& record, uint32_t bytes) override;
    void FlowFinished(const FlowRecord& record) override;

  private:
    /// @brief Keep what the backlog was, before the first change at a sample's time or later.
    void Advance();

    Sample m_now;                  //!< time is that of the last change
    Sample m_halfway{Time::Max()}; //!< valid with m_samples > 0
    Sample m_end{Time::Max()};     //!< valid with m_samples > 1
    uint32_t m_samples{0};         //!< number of samples taken
    bool m_hasBegun{false};        //!< true once a flow has started
    bool m_hadFlows{false};        //!< true once one with an end has
};

} // namespace ns3

#endif /* FLOW_BACKLOG_H */
