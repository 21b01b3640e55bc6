/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ON_OFF_WORKLOAD_H
#define ON_OFF_WORKLOAD_H

#include "closed-loop-workload.h"
#include "sized-workload.h"

#include "ns3/data-rate.h"

namespace ns3
{

/**
 * @ingroup workload
 * @brief On-off senders that share one link (AFQ, Appendix B, Figure 16).
 *
 * Every host but the last keeps flows to the last one, with an exponential pause after each
 * (attribute ThinkTime). A host is on while its flow lasts, off in the pause.
 */
class OnOffWorkload : public ClosedLoopWorkload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  protected:
    uint32_t GetSenderCount() const override;
    uint32_t ChooseDestination(uint32_t sender) override;
};

/**
 * @ingroup workload
 * @brief On-off flows at the times at which an ideally shared link would make them start.
 *
 * As on-off: every host but the last keeps flows to the last one, with exponential pauses. But how
 * long a flow lasts before its sender's pause begins is what it would take if all present shared a
 * link equally at any instant (processor sharing), not what becomes of it. So every scheme carries
 * the same flows, and each flow's completion time can be held against the ideal one.
 */
class FairOnOffWorkload : public SizedWorkload
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    void DoPrepare() override;

    Time m_thinkTime; //!< mean pause of a host between two flows
    Time m_maxDelay;  //!< first flows start within so long
    DataRate m_rate;  //!< payload that the link carries
};

} // namespace ns3

#endif /* ON_OFF_WORKLOAD_H */
