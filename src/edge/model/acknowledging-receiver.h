/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACKNOWLEDGING_RECEIVER_H
#define ACKNOWLEDGING_RECEIVER_H

#include "pair-receiver.h"

namespace ns3
{

class PairEdge;

/**
 * @ingroup edge
 * @brief A receiver that reports each item at once, as a window needs it (a choice: uFAB does not
 * say which acknowledgment frees its windows; this one does not depend on the transport).
 */
class AcknowledgingReceiver : public PairReceiver
{
  public:
    /**
     * @brief Make a receiver.
     * @param pair number of the pair
     * @param edge sends the reports; outlives the receiver's use
     */
    AcknowledgingReceiver(uint32_t pair, PairEdge& edge);

    void OnReceive(FabricItem& item, int64_t now) override;

  private:
    PairEdge& m_edge; //!< sends the reports
};

} // namespace ns3

#endif /* ACKNOWLEDGING_RECEIVER_H */
