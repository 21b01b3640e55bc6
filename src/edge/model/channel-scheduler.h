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
#include <typeinfo>
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
 * comes: if it may not go yet it is put aside, and costs its tenant nothing. While one tenant is
 * alone with something to send, as at most hosts most of the time, there is nothing to sort. A
 * channel that holds nothing back (PairChannel itself) is not asked.
 */
class alignas(64) ChannelScheduler
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
        channel.m_flags |= typeid(channel) == typeid(PairChannel) ? PairChannel::OPEN : 0;
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
     * @brief The same for a channel that lets everything in (PairChannel::LetsIn()), if that takes
     * no search.
     * @param channel its channel
     * @param item the item
     * @return false: call Enqueue()
     */
    bool EnqueueAtOnce(PairChannel& channel, FabricItem* item)
    {
        const bool enters = channel.m_state != PairChannel::QUEUED;
        if ((enters && channel.m_tenant != m_alone.tenant) || !channel.m_queues.PushToLast(item))
        {
            return false;
        }
        ++channel.m_waiting;
        if (enters)
        {
            m_alone.turns.push_back(channel);
            channel.m_state = PairChannel::QUEUED;
        }
        return true;
    }

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

    /**
     * @brief An item goes past its channel, which lets it (PairChannel::LetsPass()), while nothing
     * waits in any: the same as to let it in and out, if that takes no search.
     * @param channel its channel
     * @param size the item in bytes
     * @return false: it must be let in
     */
    bool PassAtOnce(PairChannel& channel, uint32_t size)
    {
        if (channel.m_tenant != m_alone.tenant)
        {
            return false;
        }
        channel.CountSent(size);
        ChargeAlone(size);
        return true;
    }

    /// @brief The link has been idle: all tenants start equal.
    void Restart()
    {
        m_lastFinish = std::max(m_lastFinish, m_alone.tag);
        m_virtualTime = m_lastFinish;
        m_alone.tag = m_lastFinish;
    }

    /**
     * @brief Take the next item if that takes no search and asks no channel.
     * @return the item; nullptr: call Dequeue()
     */
    FabricItem* DequeueAtOnce()
    {
        if (m_alone.turns.empty() || m_nextRelease != PairChannel::NEVER)
        {
            return nullptr;
        }
        PairChannel& channel = m_alone.turns.front();
        FabricItem* item = channel.m_flags & PairChannel::OPEN
                               ? channel.m_queues.PopFromOnly(channel.m_waiting)
                               : nullptr;
        if (item)
        {
            NoteSent(channel, item->size);
            ChargeAlone(item->size);
            EndTurn(m_alone.turns);
        }
        return item;
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

    /// @brief A tenant alone has with it what its items touch, and is in no queue.
    struct Alone
    {
        Tenant* tenant{nullptr}; //!< the tenant
        Tenant::Turns turns;     //!< of its channels, taken from it
        double tag{0};           //!< its start tag
        double weight{0};        //!< of its queue
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
    void PutAside(PairChannel& channel, int64_t release);
    void Enter(PairChannel& channel);
    void EnterBeside(Tenant& tenant);
    void BeginAlone(Tenant& tenant);
    void EndAlone();
    void Exit(PairChannel& channel);
    void Join(Tenant& tenant);
    void Leave(Tenant& tenant);
    PairChannel* FindNext();
    void EndTurn(Tenant& tenant, uint32_t size);

    /**
     * @brief The channel whose turn it was has sent an item.
     * @param turns of its tenant
     */
    static void EndTurn(Tenant::Turns& turns)
    {
        PairChannel& channel = turns.front();
        turns.pop_front();
        if (channel.m_waiting > 0)
        {
            turns.push_back(channel);
        }
        else
        {
            channel.m_state = PairChannel::ASIDE;
        }
    }

    /**
     * @brief The tenant that is alone sends (compare Charge()).
     * @param size size of the item, in bytes
     */
    void ChargeAlone(uint32_t size)
    {
        m_virtualTime = m_alone.tag;
        m_alone.tag += size / m_alone.weight;
    }

    /**
     * @brief An item has left its channel.
     * @param channel its channel
     * @param size of the item, in bytes
     */
    static void NoteSent(PairChannel& channel, uint32_t size)
    {
        --channel.m_waiting;
        channel.CountSent(size);
    }

    void Charge(Queue& queue, double finish);
    void Resort(Queue& queue, double finish);

    // First what each item touches.
    Alone m_alone;           //!< the only one with something to send, or that had; or none
    double m_virtualTime{0}; //!< start tag of the item that went last
    double m_lastFinish{0};  //!< greatest finish tag, but for those of a tenant alone
    int64_t m_nextRelease{PairChannel::NEVER}; //!< release time of the first in m_held

    Held m_held;                                   //!< channels that wait for their time
    Queues m_backlogged;                           //!< those that hold tenants, by start tag
    std::vector<std::unique_ptr<Entry>> m_entries; //!< tenants by number; they never move
    std::vector<double> m_levels;                  //!< weights of the queues, if tenants share them
    std::deque<Queue> m_queues;                    //!< those of the levels; they never move
};

} // namespace ns3

#endif /* CHANNEL_SCHEDULER_H */
