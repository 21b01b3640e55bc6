/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DROP_TAIL_QUEUE_DISC_H
#define DROP_TAIL_QUEUE_DISC_H

#include "fabric-queue-disc.h"

#include "ns3/queue-limit.h"

namespace ns3
{

/**
 * @ingroup fabric
 * @brief First in, first out; what does not fit is dropped.
 */
class DropTailQueueDisc : public FabricQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;
    void Touch() const override;

  protected:
    void DoInstall() override;
    bool DoEnqueueItem(FabricItem* item) override;
    FabricItem* DoDequeueItem() override;

    /**
     * @brief The buffer.
     * @return most that may wait
     */
    const QueueLimit& GetLimit() const
    {
        return m_limit;
    }

  private:
    ItemList m_items;   //!< items that wait
    QueueLimit m_limit; //!< most that may wait
};

} // namespace ns3

#endif /* DROP_TAIL_QUEUE_DISC_H */
