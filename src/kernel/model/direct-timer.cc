/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "direct-timer.h"

#include "huge-pages.h"

#include "ns3/simulator.h"

#include <deque>
#include <limits>
#include <vector>

namespace ns3
{

namespace
{

constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); ///< no point in time

} // namespace

/// The state that a timer and its events share.
class DirectTimer::State
{
  public:
    DirectEvent::Handler handler; ///< called at the deadline; nullptr once the timer is gone
    void* object;                 ///< argument of the handler
    uint32_t context;             ///< execution context of the events
    bool eager;                   ///< true if each Set() schedules an event
    uint32_t events{0};           ///< events that are yet to come
    int64_t deadline{NEVER};      ///< time of the call; NEVER if the timer is not pending
    int64_t wakeUp{NEVER};        ///< time of the event that counts; NEVER if there is none

    /**
     * Schedule the event that counts from now on.
     * @param delay from now, in time steps
     */
    void Schedule(int64_t delay);

    /// An event has come.
    void HandleEvent();
};

/// All states; memory is kept for the life of the program.
class DirectTimer::StatePool
{
  public:
    /// @return the pool. It is never destroyed: timers in static objects may outlive anything
    static StatePool& Get()
    {
        static auto* pool = new StatePool;
        return *pool;
    }

    /// @return a state that nothing refers to
    State* Take()
    {
        if (m_free.empty())
        {
            return &m_all.emplace_back();
        }
        State* state = m_free.back();
        m_free.pop_back();
        return state;
    }

    /**
     * @param state a state that nothing refers to any more
     */
    void Free(State* state)
    {
        m_free.push_back(state);
    }

    /// Make sure that the end of the simulation is noticed, where pending events vanish.
    void WatchDestroy()
    {
        if (!m_watching) [[unlikely]]
        {
            m_watching = true;
            Simulator::ScheduleDestroy(&StatePool::ForgetEvents, this);
        }
    }

  private:
    /// No event is going to come.
    void ForgetEvents()
    {
        m_watching = false;
        for (State& state : m_all)
        {
            if (state.events > 0 && !state.handler)
            {
                Free(&state);
            }
            state.events = 0;
            state.wakeUp = NEVER;
            state.deadline = NEVER;
        }
    }

    std::deque<State, PooledAllocator<State>> m_all; ///< every state ever made
    std::vector<State*> m_free;                      ///< those in no use
    bool m_watching{false};                          ///< ForgetEvents() is scheduled
};

void
DirectTimer::State::Schedule(int64_t delay)
{
    static const auto tag = DirectEvent::Register(DirectEvent::Call<&State::HandleEvent>);
    wakeUp = DirectEvent::Now() + delay;
    ++events;
    DirectEvent::Schedule(delay, tag, this, context);
}

void
DirectTimer::State::HandleEvent()
{
    --events;
    if (!handler)
    {
        if (events == 0)
        {
            StatePool::Get().Free(this);
        }
        return;
    }
    const int64_t now = DirectEvent::Now();
    if (now != wakeUp)
    {
        return; // superseded by an earlier event
    }
    wakeUp = NEVER;
    if (deadline == now)
    {
        deadline = NEVER;
        handler(object); // may destroy the timer
    }
    else if (deadline != NEVER)
    {
        Schedule(deadline - now);
    }
}

DirectTimer::DirectTimer(DirectEvent::Handler handler, void* object, uint32_t context, bool eager)
    : m_state(StatePool::Get().Take())
{
    *m_state = {handler, object, context, eager};
}

DirectTimer::~DirectTimer()
{
    m_state->handler = nullptr;
    if (m_state->events == 0)
    {
        StatePool::Get().Free(m_state);
    }
}

void
DirectTimer::Set(int64_t delay)
{
    NS_ASSERT(delay >= 0);
    StatePool::Get().WatchDestroy();
    m_state->deadline = DirectEvent::Now() + delay;
    if (m_state->deadline < m_state->wakeUp || m_state->eager)
    {
        m_state->Schedule(delay);
    }
}

void
DirectTimer::Cancel()
{
    m_state->deadline = NEVER;
}

bool
DirectTimer::IsPending() const
{
    return m_state->deadline != NEVER;
}

int64_t
DirectTimer::GetDeadline() const
{
    return m_state->deadline;
}

} // namespace ns3
