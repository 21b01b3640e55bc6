/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANDOM_LOSS_QUEUE_DISC_H
#define RANDOM_LOSS_QUEUE_DISC_H

#include "drop-tail-queue-disc.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Drop-tail that loses each arriving packet with a probability, whatever waits: a link with
 * independent losses, as models of TCP assume.
 */
class RandomLossQueueDisc : public DropTailQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    static constexpr const char* RANDOM_DROP = "Lost at random"; //!< reason of these drops

    RandomLossQueueDisc();

    int64_t AssignStreams(int64_t stream) override;

  protected:
    bool DoEnqueueItem(FabricItem* item) override;

  private:
    double m_lossRate{0};                //!< probability
    uint16_t m_smallest{0};              //!< bytes of the smallest packets that may be lost
    Ptr<UniformRandomVariable> m_random; //!< decides
};

} // namespace ns3

#endif /* RANDOM_LOSS_QUEUE_DISC_H */
