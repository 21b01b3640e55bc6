/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STOCK_QUEUE_DISC_ADAPTER_H
#define STOCK_QUEUE_DISC_ADAPTER_H

#include "fabric-queue-disc.h"

#include "ns3/spec.h"

#include <list>
#include <string>

namespace ns3
{

/**
 * @ingroup fabric
 * @brief Any ns-3 queue disc as the discipline of a fabric port.
 *
 * Each item is wrapped in a QueueDiscItem from a pool. The queue disc decides what is sent, dropped
 * and marked; the adapter keeps the books of the port, with the queue disc's own reasons.
 */
class StockQueueDiscAdapter : public FabricQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    StockQueueDiscAdapter();
    ~StockQueueDiscAdapter() override;

    /**
     * @brief Use a queue disc that exists already, instead of making one as the attributes say.
     * @param disc the queue disc, not yet initialized and without a parent
     */
    void SetStockQueueDisc(Ptr<QueueDisc> disc);

    /**
     * @brief The queue disc.
     * @return the queue disc, nullptr before the adapter is installed unless it was set
     */
    Ptr<QueueDisc> GetStockQueueDisc() const;

  protected:
    void DoInstall() override;
    bool DoEnqueueItem(FabricItem* item) override;
    FabricItem* DoDequeueItem() override;
    FabricItem* DoFlushItem() override;
    bool CheckConfig() override;
    void DoDispose() override;

  private:
    class DeviceQueue;

    void ConnectStockQueueDisc();
    void CheckStockQueueDisc();
    void DisposeStockQueueDisc();
    void StockDrop(Ptr<const QueueDiscItem> stockItem, const char* reason);
    void StockMark(Ptr<const QueueDiscItem> stockItem, const char* reason);
    const char* KeepReason(const char* reason);

    Spec m_spec;                      //!< attribute QueueDisc
    uint32_t m_mtu;                   //!< attribute Mtu
    Ptr<QueueDisc> m_disc;            //!< the queue disc
    FabricItem* m_arriving{nullptr};  //!< handed to the queue disc, its fate not yet known
    std::list<std::string> m_reasons; //!< the queue disc's reasons, which may be short-lived
};

} // namespace ns3

#endif /* STOCK_QUEUE_DISC_ADAPTER_H */
