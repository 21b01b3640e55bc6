/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DIRECT_EVENT_H
#define DIRECT_EVENT_H

#include "timing-wheel-simulator-impl.h"

#include "ns3/simulator.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup kernel
 * @brief Events that call a function with an object, for code that handles millions a second.
 *
 * A function is registered once and known by its tag from then on:
 * @code
 *   static const DirectEvent::Tag tag = DirectEvent::Register(DirectEvent::Call<&Port::Complete>);
 *   DirectEvent::Schedule(delay, tag, this);
 * @endcode
 * Under TimingWheelSimulatorImpl a direct event is an entry of the wheel and nothing else: no
 * allocation, no reference count, no virtual call. Under any other implementation it is a pooled
 * EventImpl. It takes one uid either way, so the order of events is the same. A direct event cannot
 * be cancelled; DirectTimer offers that. The object must live until its events have happened or
 * the simulator is destroyed. Only the thread that runs the simulation may schedule direct events.
 */
class DirectEvent
{
  public:
    using Handler = void (*)(void*); ///< a function that is called with the object
    using Tag = uint8_t;             ///< a registered handler

    static constexpr std::size_t TOUCH_STEPS = 3; ///< see Hooks

    /// Further functions of a kind of event, for its objects; all optional.
    struct Hooks
    {
        /// Fetch the memory that the handler will touch. Called with step 0, 1 and 2, each some
        /// events after the one before, when what that one asked for is there; where few events are
        /// pending, with step 0 alone. Must not change anything.
        void (*touch)(void* object, std::size_t step){nullptr};
        /// Called instead of the handler for an event that the end of the simulation forestalls.
        Handler discard{nullptr};

        bool operator==(const Hooks&) const = default; ///< @return true if all are the same
    };

    DirectEvent() = delete;

    /**
     * Register a handler; the same functions registered again have the same tag.
     * @param handler called when the event happens
     * @param hooks functions called at other times
     * @return the tag; at most 255 handlers can be registered
     */
    static Tag Register(Handler handler, const Hooks& hooks);

    /// @overload
    static Tag Register(Handler handler)
    {
        return Register(handler, Hooks{});
    }

    /**
     * A handler that calls a member function without arguments: `Call<&Port::Complete>`.
     * @tparam Method the member function
     * @param object the object, of exactly the class that Method names
     */
    template <auto Method>
    static void Call(void* object)
    {
        CallMember(Method, object);
    }

    /// @return the current simulation time, in time steps
    static int64_t Now()
    {
        const auto* wheel = TimingWheelSimulatorImpl::s_inUse;
        return wheel ? static_cast<int64_t>(wheel->m_now) : NowImpl();
    }

    /**
     * Schedule an event.
     * @param delay from now, in time steps, not negative
     * @param tag the handler
     * @param object argument of the handler
     * @param context the execution context (node id) of the event
     */
    static void Schedule(int64_t delay,
                         Tag tag,
                         void* object,
                         uint32_t context = Simulator::NO_CONTEXT)
    {
        ScheduleAt(Now() + delay, tag, object, context);
    }

    /**
     * Schedule an event at a point in time. Compiled into each of the few that call it: it is
     * called for every packet at every hop, and what it inserts is then at hand.
     * @param time in time steps, not before now
     * @param tag the handler
     * @param object argument of the handler
     * @param context the execution context (node id) of the event
     */
    [[gnu::always_inline]] static void ScheduleAt(int64_t time,
                                                  Tag tag,
                                                  void* object,
                                                  uint32_t context = Simulator::NO_CONTEXT)
    {
        if (auto* wheel = TimingWheelSimulatorImpl::s_inUse) [[likely]]
        {
            wheel->Insert(time, context, Pack(tag, object));
        }
        else
        {
            ScheduleImpl(time, tag, object, context);
        }
    }

  private:
    friend class TimingWheelSimulatorImpl;
    friend class PooledDirectEvent;

    static constexpr int TAG_SHIFT = 56; ///< user-space addresses leave the top byte free

    /// The functions of a tag.
    struct Functions
    {
        Handler handler; ///< called when the event happens
        Hooks hooks;     ///< called at other times
    };

    /**
     * @tparam Owner the class
     * @param method a member function of it
     * @param object an object of it
     */
    template <class Owner>
    static void CallMember(void (Owner::*method)(), void* object)
    {
        (static_cast<Owner*>(object)->*method)();
    }

    /**
     * End the program, apart from Pack() for the sake of its length.
     * @param tag a tag that Register() did not give
     * @param object or an object whose address does not leave the top byte free
     */
    [[noreturn]] static void Refuse(Tag tag, const void* object);

    /**
     * @param tag a tag
     * @param object an object
     * @return both in one word
     */
    static uintptr_t Pack(Tag tag, void* object)
    {
        const auto address = reinterpret_cast<uintptr_t>(object);
        if (tag == 0 || address >> TAG_SHIFT != 0) [[unlikely]]
        {
            Refuse(tag, object);
        }
        return address | static_cast<uintptr_t>(tag) << TAG_SHIFT;
    }

    /**
     * @param payload a packed word
     * @return its tag; 0 for an EventImpl
     */
    static Tag GetTag(uintptr_t payload)
    {
        return static_cast<Tag>(payload >> TAG_SHIFT);
    }

    /**
     * @param payload a packed word
     * @return its object, or the EventImpl
     */
    static void* GetObject(uintptr_t payload)
    {
        return reinterpret_cast<void*>(payload & ((uintptr_t{1} << TAG_SHIFT) - 1));
    }

    /// @return the current simulation time under another simulator implementation, in time steps
    static int64_t NowImpl();

    /**
     * Schedule under a simulator implementation that knows only EventImpl.
     * @param time in time steps
     * @param tag the handler
     * @param object argument of the handler
     * @param context the execution context
     */
    static void ScheduleImpl(int64_t time, Tag tag, void* object, uint32_t context);

    static Functions s_functions[256]; ///< by tag; 0 is no tag
    static Tag s_lastTag;              ///< the tag registered last
};

} // namespace ns3

#endif /* DIRECT_EVENT_H */
