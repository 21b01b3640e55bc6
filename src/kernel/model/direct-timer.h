/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DIRECT_TIMER_H
#define DIRECT_TIMER_H

#include "direct-event.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup kernel
 * @brief A timer that is restarted often, on direct events: for retransmission time-outs, pacing.
 *
 * @code
 *   DirectTimer m_timer{DirectEvent::Call<&Sender::HandleTimeout>, this};
 * @endcode
 * It is armed lazily: while an event is pending that comes no later than the deadline, Set()
 * stores the deadline and nothing else; when the event comes early, it is scheduled again for the
 * deadline. So a timer restarted for every acknowledgement costs one event per time-out period.
 * Only a deadline earlier than the pending event costs another event; what is superseded is
 * ignored when it comes. The handler is called at the deadline exactly, in the same order among
 * events of equal time under every simulator implementation. That order is the one in which the
 * events were scheduled; an eager timer schedules one at each Set(), and so comes among events of
 * equal time where an event of Simulator::Schedule() would.
 *
 * The timer may be destroyed at any time, pending or not, also after the simulator: its events
 * refer to a shared state, which is used again only when none of them is left.
 */
class DirectTimer
{
  public:
    /**
     * @param handler called at the deadline; the timer is then no longer pending, and may be
     *        set again or destroyed by the handler
     * @param object argument of the handler
     * @param context the execution context (node id) of its events
     * @param eager true if each Set() schedules an event
     */
    DirectTimer(DirectEvent::Handler handler,
                void* object,
                uint32_t context = Simulator::NO_CONTEXT,
                bool eager = false);
    ~DirectTimer();

    DirectTimer(const DirectTimer&) = delete;
    DirectTimer& operator=(const DirectTimer&) = delete;

    /**
     * Set the deadline, whether or not the timer is pending.
     * @param delay from now, in time steps, not negative
     */
    void Set(int64_t delay);

    /// Make the timer not pending. Nothing is called until it is set again.
    void Cancel();

    /// @return true if the handler is going to be called
    bool IsPending() const;

    /// @return the time at which the handler is going to be called, in time steps, if pending
    int64_t GetDeadline() const;

  private:
    class State;
    class StatePool;

    State* m_state; ///< state that the events refer to
};

} // namespace ns3

#endif /* DIRECT_TIMER_H */
