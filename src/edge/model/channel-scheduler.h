/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHANNEL_SCHEDULER_H
#define CHANNEL_SCHEDULER_H

#include "pair-channel.h"

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>
#include <boost/intrusive/slist.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace ns3
{

/// @brief A tenant, as the scheduler sees it.
struct PairChannel::Tenant
{
    struct Queue;
    using Turns =
        boost::intrusive::slist<PairChannel,
                                boost::intrusive::member_hook<PairChannel,
                                                              decltype(PairChannel::m_turn),
                                                              &PairChannel::m_turn>,
                                NotCounted,
                                boost::intrusive::linear<true>,
                                boost::intrusive::cache_last<true>>;

    Queue* queue{nullptr};                         //!< its queue
    Turns turns;                                   //!< those of its channels that take turns
    boost::intrusive::list_member_hook<Link> turn; //!< among the tenants of its queue
};

/// @brief Of tenants that take turns, one alone for exact weights.
struct PairChannel::Tenant::Queue
{
    using Tenants = boost::intrusive::list<
        Tenant,
        boost::intrusive::
            member_hook<Tenant, boost::intrusive::list_member_hook<Link>, &Tenant::turn>>;

    double weight{0};                              //!< its share, against the others'
    double tag{0};                                 //!< start tag, or the finish tag while empty
    Tenants tenants;                               //!< those with something to send
    boost::intrusive::set_member_hook<Link> byTag; //!< among the queues that are not empty
};

/**
 * @ingroup edge
 * @brief The order of service at a host: weighted fair queueing over tenants, round robin over the
 * channels of one tenant (uFAB Section 4.1).
 *
 * Fair queueing goes by start tags (Goyal, Vin and Cheng, SIGCOMM 1996): the queue whose tag is
 * least goes next, and its tag grows by the bytes sent over its weight. A queue that comes back
 * starts no earlier than the item that went last, so nothing is saved up while it was silent or
 * held. Each tenant has a queue of its own, or, as in hardware with a few weighted queues, that of
 * the level its weight is rounded up to; tenants of one level take turns.
 *
 * A channel is offered when something may have become ready to go and is looked at when its turn
 * comes: if it may not go yet it is put aside, and costs its tenant nothing.
 */
class ChannelScheduler
{
  public:
    ChannelScheduler() = default;
    ChannelScheduler(const ChannelScheduler&) = delete;
    ChannelScheduler& operator=(const ChannelScheduler&) = delete;

    /**
     * @brief Have one queue per level in place of one per tenant. A level's weight is granted to
     * each of its tenants that has something to send. Called before AddTenant().
     * @param levels weights of the queues, rising; none: one queue per tenant
     */
    void SetLevels(const std::vector<double>& levels);

    /**
     * @brief Add a tenant.
     * @param weight above 0
     * @return the scheduler's number for it: 0, 1, 2, ...
     */
    uint32_t AddTenant(double weight);

    /**
     * @brief Change a tenant's weight.
     * @param tenant number of the tenant
     * @param weight above 0
     */
    void SetWeight(uint32_t tenant, double weight);

    /**
     * @brief Add a channel, in which nothing waits yet.
     * @param channel outlives the scheduler's use
     * @param tenant number of its tenant
     */
    void AddChannel(PairChannel& channel, uint32_t tenant)
    {
        channel.m_tenant = &m_entries.at(tenant)->tenant;
    }

    /**
     * @brief An item wants to go.
     * @param channel its channel
     * @param item the item; the channel's if it is kept, else still the caller's
     * @param now the current time, in time steps
     * @return true if there was room
     */
    bool Enqueue(PairChannel& channel, FabricItem* item, int64_t now);

    /**
     * @brief The front of a channel may have become ready to go.
     * @param channel the channel; something waits in it
     */
    void Offer(PairChannel& channel);

    /**
     * @brief Take an item out of a channel, whether or not it may go.
     * @param channel the channel
     * @return the item; nullptr if none waits
     */
    FabricItem* Flush(PairChannel& channel);

    /// @brief The link has been idle: all tenants start equal.
    void Restart()
    {
        m_virtualTime = m_lastFinish;
    }

    /**
     * @brief Take the next item.
     * @param now the current time, in time steps
     * @return the item; nullptr if none may go now
     */
    FabricItem* Dequeue(int64_t now);

    /**
     * @brief The time at which the first channel that is held may go.
     * @return the time; PairChannel::NEVER if none waits for its time
     */
    int64_t GetNextRelease() const
    {
        return m_nextRelease;
    }

  private:
    using Link = PairChannel::Link;
    using Tenant = PairChannel::Tenant;
    using Queue = Tenant::Queue;

    /// @brief A tenant with its queue, as AddTenant() makes it.
    struct Entry : public InHugePages
    {
        Tenant tenant; //!< the tenant
        Queue queue;   //!< its own, for exact weights
    };

    /// @brief Orders queues by start tag.
    struct TagOf
    {
        using type = double; ///< of the key

        double operator()(const Queue& queue) const
        {
            return queue.tag;
        }
    };

    /// @brief Orders channels by release time.
    struct ReleaseOf
    {
        using type = int64_t; ///< of the key

        int64_t operator()(const PairChannel& channel) const
        {
            return channel.m_release;
        }
    };

    using Queues = boost::intrusive::multiset<
        Queue,
        boost::intrusive::
            member_hook<Queue, boost::intrusive::set_member_hook<Link>, &Queue::byTag>,
        boost::intrusive::key_of_value<TagOf>>;
    using Held =
        boost::intrusive::multiset<PairChannel,
                                   boost::intrusive::member_hook<PairChannel,
                                                                 decltype(PairChannel::m_byRelease),
                                                                 &PairChannel::m_byRelease>,
                                   boost::intrusive::key_of_value<ReleaseOf>,
                                   PairChannel::NotCounted>;

    Queue& ChooseQueue(double weight);
    double GetWeight(const Queue& queue) const;
    void Hold(PairChannel& channel, int64_t release);
    void EndHold(PairChannel& channel);
    void OfferDue(int64_t now);
    void Suspend(PairChannel& channel, int64_t release);
    void Enter(PairChannel& channel);
    void Exit(PairChannel& channel);
    void Join(Tenant& tenant);
    void Leave(Tenant& tenant);
    void EndTurn(PairChannel& channel, uint32_t size);

    void Charge(Queue& queue, double finish);

    double m_virtualTime{0};                       //!< start tag of the item that went last
    double m_lastFinish{0};                        //!< greatest finish tag
    int64_t m_nextRelease{PairChannel::NEVER};     //!< release time of the first in m_held
    Held m_held;                                   //!< channels that wait for their time
    Queues m_backlogged;                           //!< those that hold tenants, by start tag
    std::vector<std::unique_ptr<Entry>> m_entries; //!< tenants by number; they never move
    std::vector<double> m_levels;                  //!< weights of the queues, if tenants share them
    std::deque<Queue> m_queues;                    //!< those of the levels; they never move
};

} // namespace ns3

#endif /* CHANNEL_SCHEDULER_H */
