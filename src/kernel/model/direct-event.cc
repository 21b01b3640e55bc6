/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "direct-event.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/event-impl.h"
#include "ns3/fatal-error.h"

#include <new>
#include <utility>

namespace ns3
{

constinit DirectEvent::Functions DirectEvent::s_functions[256]{};
constinit DirectEvent::Tag DirectEvent::s_lastTag{0};

namespace
{

/**
 * @ingroup kernel
 * @brief Unused memory of pooled events.
 */
class EventPool
{
  public:
    ~EventPool()
    {
        s_gone = true;
        while (s_free)
        {
            ::operator delete(Take());
        }
    }

    /**
     * @param size the size of an event, always the same
     * @return memory for one
     */
    static void* Allocate(std::size_t size)
    {
        return s_free ? Take() : ::operator new(size);
    }

    /**
     * @param memory a block from Allocate()
     */
    static void Free(void* memory)
    {
        if (s_gone) // an event outlived the pool, at the end of the program
        {
            ::operator delete(memory);
            return;
        }
        s_free = new (memory) Link{s_free};
    }

  private:
    /// Unused memory.
    struct Link
    {
        Link* next; ///< more of it
    };

    /// @return the memory first in the list, which must not be empty
    static void* Take()
    {
        Link* link = s_free;
        s_free = link->next;
        return link;
    }

    static inline Link* s_free{nullptr}; ///< list of unused memory
    static inline bool s_gone{false};    ///< the pool was destroyed
};

const EventPool g_eventPool; ///< frees the memory at the end of the program

} // namespace

/**
 * @ingroup kernel
 * @brief A direct event under a simulator implementation that knows only EventImpl.
 */
class PooledDirectEvent final : public EventImpl
{
  public:
    /**
     * @param tag the handler
     * @param object argument of the handler
     */
    PooledDirectEvent(DirectEvent::Tag tag, void* object)
        : m_functions(DirectEvent::s_functions[tag]),
          m_object(object)
    {
    }

    ~PooledDirectEvent() override
    {
        if (m_object && m_functions.hooks.discard)
        {
            m_functions.hooks.discard(m_object);
        }
    }

    /**
     * @param size the size of an event
     * @return memory for one
     */
    static void* operator new(std::size_t size)
    {
        return EventPool::Allocate(size);
    }

    /**
     * @param memory an event's memory
     */
    static void operator delete(void* memory)
    {
        EventPool::Free(memory);
    }

  private:
    void Notify() override
    {
        m_functions.handler(std::exchange(m_object, nullptr));
    }

    const DirectEvent::Functions& m_functions; ///< functions of its kind
    void* m_object;                            ///< argument of the handler; nullptr once done
};

DirectEvent::Tag
DirectEvent::Register(Handler handler, const Hooks& hooks)
{
    NS_ASSERT(handler);
    for (int tag = 1; tag <= s_lastTag; ++tag)
    {
        if (s_functions[tag].handler == handler && s_functions[tag].hooks == hooks)
        {
            return static_cast<Tag>(tag);
        }
    }
    NS_ABORT_MSG_IF(s_lastTag == 255, "more than 255 kinds of direct events");
    s_functions[++s_lastTag] = {handler, hooks};
    return s_lastTag;
}

int64_t
DirectEvent::NowImpl()
{
    return Simulator::Now().GetTimeStep();
}

void
DirectEvent::ScheduleImpl(int64_t time, Tag tag, void* object, uint32_t context)
{
    NS_ASSERT(tag != 0 && tag <= s_lastTag);
    const Time delay = TimeStep(time) - Simulator::Now();
    NS_ASSERT(!delay.IsStrictlyNegative());
    Simulator::ScheduleWithContext(context, delay, new PooledDirectEvent(tag, object));
}

void
DirectEvent::Refuse(Tag tag, const void* object)
{
    NS_FATAL_ERROR("no direct event: tag " << static_cast<uint32_t>(tag) << ", object " << object);
}

} // namespace ns3
