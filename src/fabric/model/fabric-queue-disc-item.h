/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_QUEUE_DISC_ITEM_H
#define FABRIC_QUEUE_DISC_ITEM_H

#include "fabric-item.h"

#include "ns3/queue-item.h"

#include <utility>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief A FabricItem in the hands of a stock ns-3 QueueDisc. Comes from a pool.
 *
 * An item without bytes is given a shared, empty packet that has the socket priority of its DSCP,
 * because PfifoFastQueueDisc and PrioQueueDisc look there.
 */
class FabricQueueDiscItem final : public QueueDiscItem
{
  public:
    /**
     * @brief Wrap an item.
     * @param item the item; not owned
     */
    explicit FabricQueueDiscItem(FabricItem* item);

    /// @brief The wrapped item; nullptr if it was let go.
    FabricItem* GetItem() const
    {
        return m_item;
    }

    /**
     * @brief Let go of the item. A queue disc may still ask for the size.
     * @return the item
     */
    FabricItem* TakeItem()
    {
        return std::exchange(m_item, nullptr);
    }

    uint32_t GetSize() const override;
    void AddHeader() override;
    bool Mark() override;
    bool GetUint8Value(Uint8Values field, uint8_t& value) const override;
    uint32_t Hash(uint32_t perturbation) const override;
    void Print(std::ostream& os) const override;

    static void* operator new(std::size_t size);
    static void operator delete(void* memory);

  private:
    FabricItem* m_item; //!< the item, nullptr once let go
    uint32_t m_hash;    //!< of its flow
    uint16_t m_size;    //!< its IP datagram in bytes
};

} // namespace ns3

#endif /* FABRIC_QUEUE_DISC_ITEM_H */
