/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RED_MARK_QUEUE_DISC_H
#define RED_MARK_QUEUE_DISC_H

#include "drop-tail-queue-disc.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief First in, first out, with ECN marking at random by the length of the queue, as DCQCN's
 * congestion point does (Zhu et al., SIGCOMM 2015, Figure 5).
 *
 * It is RED (Floyd and Jacobson 1993) on the length of the moment, without an average and without
 * regard to the packets since the last mark: what finds no more than Kmin is not marked, what
 * finds more than Kmax always is, and in between the probability grows linearly to Pmax. Packets
 * that are not ECN-capable pass unmarked; only a full queue drops.
 */
class RedMarkQueueDisc : public DropTailQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    RedMarkQueueDisc();

    int64_t AssignStreams(int64_t stream) override;

    /**
     * @brief Probability of a mark.
     * @param bytes the queue length that a packet finds
     * @return between 0 and 1
     */
    double GetMarkProbability(uint32_t bytes) const;

  protected:
    void DoInstall() override;
    bool DoEnqueueItem(FabricItem* item) override;

  private:
    QueueLimit m_minThreshold;           //!< Kmin, in bytes
    QueueLimit m_maxThreshold;           //!< Kmax, in bytes
    double m_maxProbability;             //!< Pmax
    Ptr<UniformRandomVariable> m_random; //!< decides between Kmin and Kmax
};

} // namespace ns3

#endif /* RED_MARK_QUEUE_DISC_H */
