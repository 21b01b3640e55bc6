/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_CHANNEL_H
#define PAIR_CHANNEL_H

#include "flow-queues.h"

#include "ns3/huge-pages.h"

#include <boost/intrusive/set_hook.hpp>
#include <boost/intrusive/slist_hook.hpp>
#include <cstdint>
#include <functional>
#include <limits>

namespace ns3
{

class ChannelScheduler;
class PairQueueDisc;
class Results;
struct PairReport;

/**
 * @ingroup edge
 * @brief The waiting items of one VM pair at its sender, and the rule by which they may go.
 *
 * As it stands a channel is one FIFO, or one for each flow, with a limit, from which everything may
 * go at once. A subclass has more queues, or lets what waits go by a rate, a window, or what
 * reports say. It is asked for the release time and for an item only while something waits in it.
 */
class PairChannel : public InHugePages
{
  public:
    /// @brief The release time of what waits until Wake(): for a report, for a window to open.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// @brief Takes a number that tells how a channel is doing; its name ends in its unit.
    using StateVisitor = std::function<void(const char* name, double value)>;

    /// @brief Counters of a channel.
    struct Statistics
    {
        uint64_t sentBytes{0};      //!< bytes that left
        uint32_t sentPackets{0};    //!< items that left
        uint32_t droppedPackets{0}; //!< items for which there was no room
    };

    /**
     * @brief Make a channel.
     * @param terms of the queues in which items wait
     */
    explicit PairChannel(const FlowQueues::Terms& terms);
    virtual ~PairChannel();
    PairChannel(const PairChannel&) = delete;
    PairChannel& operator=(const PairChannel&) = delete;

    /**
     * @brief An item wants to go.
     * @param item the item; the channel's if it is kept, else still the caller's
     * @param now the current time, in time steps
     * @return true if there was room
     */
    virtual bool Enqueue(FabricItem* item, int64_t now);

    /**
     * @brief The time at which the item that goes next may go.
     * @param now the current time, in time steps
     * @return at most now: now; NEVER: not before Wake()
     */
    virtual int64_t GetReleaseTime(int64_t now);

    /**
     * @brief Let the next item go: colour it, route it, charge it to the bucket or the window.
     * Called when GetReleaseTime() says now.
     * @param now the current time, in time steps
     * @return the item, now the caller's
     */
    virtual FabricItem* Dequeue(int64_t now);

    /**
     * @brief Give an item back whether or not it may go, for a link that failed.
     * @return the item, now the caller's; charged to nothing
     */
    virtual FabricItem* Flush();

    /**
     * @brief Look at each item that waits.
     * @param visit called for each
     */
    virtual void ForEachWaiting(const std::function<void(const FabricItem&)>& visit) const;

    /**
     * @brief The other end reported what it received.
     * @param report the report
     * @param now the current time, in time steps
     */
    virtual void OnReport(const PairReport& report, int64_t now)
    {
        (void)report;
        (void)now;
    }

    /**
     * @brief Tell how the channel is doing now: its rate, its window, what waits. Recorders ask
     * again and again.
     * @param now the current time, in time steps
     * @param visit takes each number; a channel tells the same names in the same order each time
     */
    virtual void ReportState(int64_t now, const StateVisitor& visit) const;

    /**
     * @brief Say after a run what only the channel knows.
     * @param results takes it
     */
    virtual void ReportResults(Results& results) const;

    /// @brief Have the controller told of the next item (PairController::OnActivate()).
    void SetInactive()
    {
        m_isActive = false;
    }

    /// @brief Items that wait, in all queues of the channel.
    uint32_t GetWaitingPackets() const
    {
        return m_waiting;
    }

    /**
     * @brief The VM pair.
     * @return number of the pair (PairId)
     */
    uint32_t GetPair() const
    {
        return m_pair;
    }

    /// @brief The counters so far.
    const Statistics& GetStatistics() const
    {
        return m_statistics;
    }

  protected:
    /// @brief Called when items may go earlier than GetReleaseTime() said last.
    void Wake();

    /**
     * @brief Send an item of the channel's own, such as a probe, before all that waits. May be
     * called from within Enqueue() and Dequeue(), where the host's port must not be.
     * @param item the item, complete; no longer the caller's
     */
    void SendControl(FabricItem* item);

  private:
    friend class ChannelScheduler;
    friend class PairQueueDisc;

    using Link = boost::intrusive::link_mode<boost::intrusive::normal_link>;

    using NotCounted = boost::intrusive::constant_time_size<false>;

    struct Tenant; // of the scheduler

    /// @brief The place of the channel in the scheduler.
    enum State : uint8_t
    {
        SUSPENDED, //!< nothing waits, or what waits is to be woken
        QUEUED,    //!< it takes turns
        HELD       //!< it waits for its release time
    };

    boost::intrusive::slist_member_hook<Link> m_turn; //!< among its tenant's, while QUEUED
    uint32_t m_waiting{0};                            //!< items that wait
    State m_state{SUSPENDED};                         //!< place in the scheduler
    bool m_isActive{false};                           //!< true while the controller knows of items
    Statistics m_statistics;                          //!< counters so far

  protected:
    FlowQueues m_queues; //!< items that wait

  private:
    Tenant* m_tenant{nullptr};                           //!< tenant of the channel
    boost::intrusive::set_member_hook<Link> m_byRelease; //!< among those HELD
    int64_t m_release{0};                                //!< release time while HELD
    PairQueueDisc* m_home{nullptr};                      //!< discipline that has the channel
    uint32_t m_pair{0};                                  //!< number of the pair
};

} // namespace ns3

#endif /* PAIR_CHANNEL_H */
