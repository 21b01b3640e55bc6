/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ON_OFF_WORKLOAD_H
#define ON_OFF_WORKLOAD_H

#include "closed-loop-workload.h"

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
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  protected:
    uint32_t GetSenderCount() const override;
    uint32_t ChooseDestination(uint32_t sender) override;
};

} // namespace ns3

#endif /* ON_OFF_WORKLOAD_H */
