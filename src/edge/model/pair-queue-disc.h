/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_QUEUE_DISC_H
#define PAIR_QUEUE_DISC_H

#include "channel-scheduler.h"
#include "pair-channel.h"

#include "ns3/data-rate.h"
#include "ns3/direct-timer.h"
#include "ns3/fabric-queue-disc.h"
#include "ns3/spec.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class PairEdge;

/**
 * @ingroup edge
 * @brief The discipline of a host's port where VM pairs send: a channel per pair and the scheduler
 * over them.
 *
 * A port pulls, so what may not go yet waits here, with back-pressure to those that send. Items of
 * class CONTROL go before all that waits and are not held. What belongs to no pair has a channel of
 * its own, which nothing holds and which shares the link like one more tenant.
 *
 * What channels let go may pass another discipline (Inner), such as two priorities by colour.
 *
 * It finds the PairEdge of its fabric by itself.
 *
 * The timer is armed only while something waits for its time and the link is idle: a busy link
 * asks by itself.
 */
class PairQueueDisc : public FabricQueueDisc
{
  public:
    /// @brief Get the type ID.
    static TypeId GetTypeId();

    PairQueueDisc();
    ~PairQueueDisc() override;

    /**
     * @brief Set the discipline that what channels let go passes, where the attribute Inner names
     * none. Before the installation.
     * @param inner has no limit
     */
    void SetInner(Ptr<FabricQueueDisc> inner);

    /// @brief The weight of a tenant.
    enum TenantWeights
    {
        GUARANTEE, //!< least that its VMs and pairs may send from this host, in bit/s
        WEIGHT,    //!< Tenant::weight
        EQUAL      //!< the same for all
    };

    /// @brief The meaning of a level's weight where it has several tenants.
    enum LevelWeights
    {
        PER_TENANT, //!< granted to each of them that has something to send
        SHARED      //!< granted to all of them together
    };

    /**
     * @brief Look at a channel again: what waits in it may go earlier than it said.
     * @param channel one of those here, in which something waits
     */
    void Wake(PairChannel& channel);

    /**
     * @brief Send an item before all that waits. Also from within a channel.
     * @param item the item, of class CONTROL; no longer the caller's
     */
    void SendControl(FabricItem* item);

    /// @brief Weigh what belongs to no pair, once it is known who rents the network.
    void UpdateDefaultWeight();

    /**
     * @brief Take a tenant's weight anew.
     * @param tenant number of the tenant
     */
    void UpdateWeight(uint32_t tenant);

    /// @brief The channels of pairs, in the order of their first items.
    const std::vector<std::unique_ptr<PairChannel>>& GetChannels() const
    {
        return m_channels;
    }

    /// @brief The channel of what belongs to no pair.
    const PairChannel& GetDefaultChannel() const
    {
        return *m_default;
    }

    /**
     * @brief True if the timer is armed.
     * @return true if the discipline will wake the port by itself
     */
    bool IsTimerArmed() const
    {
        return m_timer.IsPending();
    }

    void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const override;

    /**
     * @brief Report the channels, each as a part "pairN" of the port.
     * @param results takes it
     */
    void ReportResults(Results& results) const override;

  protected:
    void DoInstall() override;
    void SetPausedPriorities(uint8_t priorities) override;
    bool DoEnqueueItem(FabricItem* item) override;
    FabricItem* DoDequeueItem() override;
    FabricItem* DoFlushItem() override;
    void DoDispose() override;

  private:
    /// @brief A tenant that sends from this host.
    struct LocalTenant
    {
        uint32_t tenant; //!< its number in the network
        uint32_t number; //!< its number in the scheduler
    };

    void FindEdge();
    void SetUpScheduler();
    PairChannel& FindChannel(const FabricItem& item);
    PairChannel& AddChannel(uint32_t pair);
    void Activate(PairChannel& channel, int64_t now);
    LocalTenant& FindTenant(uint32_t tenant);
    double ComputeWeight(uint32_t tenant) const;
    FabricItem* Release();
    void FillInner();
    void UpdateTimer(bool linkHasWork);
    void HandleTimer();

    ChannelScheduler m_scheduler;           //!< order of service
    bool m_inChannel{false};                //!< true while a channel is at work
    ItemList m_control;                     //!< goes before all
    PairEdge* m_edge{nullptr};              //!< the edge of the network
    std::unique_ptr<PairChannel> m_default; //!< of what belongs to no pair

    Ptr<FabricQueueDisc> m_inner;  //!< of what channels let go; nullptr: none
    uint32_t m_host{0};            //!< number of the host
    QueueLimit m_limit;            //!< attribute MaxSize
    std::string m_levels;          //!< attribute Levels
    Spec m_innerSpec;              //!< attribute Inner
    TenantWeights m_tenantWeights; //!< attribute TenantWeights
    DirectTimer m_timer;           //!< wakes the port when the first held channel may go
    std::vector<std::unique_ptr<PairChannel>> m_channels; //!< those of pairs
    size_t m_flushed{0};                //!< channel in which DoFlushItem() looks first
    std::vector<LocalTenant> m_tenants; //!< those that have channels here
};

} // namespace ns3

#endif /* PAIR_QUEUE_DISC_H */
